/*
 * handlers: interrupt handlers of the node's image, that a line of the screen or a message names.
 */
#include "core/image/handlers.h"
#include "core/image/vectors.h"

#include <math.h>
#include <stdio.h>

#include "core/node/parts.h"

#define HANDLERS 32

/* Without hooks: is its time in the functions that it interrupts? */
static bool is_in_times(const struct node *n, const struct image_handler *h)
{
	return !h->hooked && !(h->aside && (!n->talk.has_hello ||
					    n->talk.hello.arch > WSN_ARCH_AVR22 ||
					    n->talk.hello.features & WSN_F_OWN_ISR));
}

size_t node_handlers(const struct node *n, bool hooked, char *names, size_t size)
{
	const struct image *im = n->binding.image;
	struct image_handler h[HANDLERS];
	bool told = n->seen.told;	/* who sees them from outside needs no hooks */
	size_t all = im && !told ? image_handlers(im, h, HANDLERS) : 0, count = 0, used = 0;

	names[0] = '\0';
	for (size_t i = 0; i < all && i < HANDLERS; i++) {
		if (hooked ? !h[i].hooked : !is_in_times(n, &h[i]))
			continue;
		count++;
		if (used + 8 < size)
			used += (size_t)snprintf(names + used, size - used, "%s%s",
						 used ? ", " : "",
						 image_function(im, h[i].id)->name);
	}
	return count;
}

/* Where several numbers have one handler, it is not known whose it was. */
static int number_find(const struct codemap *map, uint32_t address)
{
	int found = -1;

	for (unsigned i = 1; i < map->handler_count; i++) {
		if (!address || map->handlers[i] != address)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

int node_handler_number(const struct node *n, uint32_t id)
{
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_traced(im, id) : IMAGE_NONE, address = seen_address(n, id, 0);

	if (vectors_is_place(address))
		return (int)((address - vectors_place(0)) / 4);
	if (f != IMAGE_NONE)
		address = (uint32_t)image_function(im, f)->address;
	return im ? number_find(image_codemap(im), address) : -1;
}

/* The program's own time is less than this part of its handlers'. */
#define STARVED 20

/*
 * Profiling takes more than the program and its handlers, and its clock hardly stands still: else
 * the node sleeps between its handlers.
 */
bool node_is_starved(const struct node *n, char *names, size_t size)
{
	const struct wire_status *status = &n->talk.status;
	struct health_sample minute = health_sum(&n->health, 60);
	double share[DUTIES];

	health_duty(&minute, share);
	return n->talk.has_status && n->talk.hello.features & WSN_F_ISR &&
	       status->run < status->isr / STARVED && node_hooks(n) > 0.5 &&
	       !(share[DUTY_ASLEEP] > 0.1) && node_handlers(n, true, names, size);
}
