/*
 * steps: the cycles of core/source/step, of each instruction of an image.
 *
 *	steps [-c CORE] ELF
 *
 * Prints "ADDRESS CYCLES TEXT" lines; 0: not known, or not always the same.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/source/blocks.h"
#include "core/source/objdump.h"

static void steps_fail(const char *what)
{
	fprintf(stderr, "steps: %s\n", what);
	exit(1);
}

int main(int argc, char **argv)
{
	bool named = argc == 4 && strcmp(argv[1], "-c") == 0;
	const struct listing *l;
	struct err err = { 0 };
	unsigned state = 0;
	struct image *image;
	struct objdump *o;
	enum step_core core;
	double doubt;

	if (!named && argc != 2)
		steps_fail("[-c CORE] ELF");
	image = image_new(argv[argc - 1], &err);
	if (!image)
		steps_fail(err.text);
	image_wait(image);
	o = objdump_start(image, OBJDUMP_WHOLE, &err);
	if (!o)
		steps_fail(err.text);
	while (!objdump_service(o, clock_now()))
		poll(&(struct pollfd){ .fd = objdump_fd(o), .events = POLLIN }, 1, 100);
	if (objdump_trouble(o)[0])
		steps_fail(objdump_trouble(o));
	core = blocks_core(image, named ? argv[2] : "", &doubt);
	l = objdump_listing(o);
	for (size_t i = 0; i < l->count; i++)
		printf("%lx %u %s\n", (unsigned long)l->v[i].address,
		       step_read(core, l, i, &state).cycles, listing_text(l, i));
	return 0;
}
