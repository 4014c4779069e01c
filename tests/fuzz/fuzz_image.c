/*
 * Any bytes as an ELF: open, read the DWARF, ask everything about some addresses.
 * The library's own state is out of reach; what it is fed from is not: sections are checked and
 * padded copies.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/image/image.h"
#include "core/image/variables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void image_ask(const struct image *im, uint64_t address)
{
	const struct codemap *map = image_codemap(im);
	struct image_calibration around;
	struct image_frame frames[8];
	struct image_line line;
	uint32_t id = image_find(im, image_normal(im, address));

	if (id != IMAGE_NONE && !image_function(im, id)->name)
		__builtin_trap();
	if (code_flags(map, address) & CODE_RETURN)
		map->target(map->ctx, address);
	image_calibration(im, address + 4, address, &around);
	image_line(im, address, &line);
	image_label(im, address);
	if (image_inlines(im, address, frames, 8) > 8)
		__builtin_trap();
}

static void ask_all(const struct image *im)
{
	uint64_t low, high;

	image_text(im, &low, &high);
	for (uint64_t at = low, n = 0; at < high && n < 4096; at += 2, n++)
		image_ask(im, at);
	for (uint32_t i = 0; i < image_function_count(im); i++) {
		const struct image_function *f = image_function(im, i);

		image_ask(im, f->address);
		image_ask(im, f->address + f->size);
		if (image_frame_size(im, i) < -1)
			__builtin_trap();
	}
	image_ask(im, 0);
	image_ask(im, UINT64_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	struct err err;
	struct variable variable;
	struct image *im;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		__builtin_trap();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err_clear(&err);
	im = image_new(path, &err);
	if (!im && !err_is_set(&err))
		__builtin_trap();
	if (im) {
		ask_all(im);
		image_wait(im);
		image_poll(im);
		ask_all(im);
	}
	image_free(im);
	if (variable_find(path, "a.b", &variable, &err) == 0)
		variable_release(&variable);
	close(fd);
	return 0;
}
