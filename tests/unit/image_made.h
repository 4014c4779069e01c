/*
 * image_made: an image of assembler source, for unit tests.
 */
#ifndef WSNTOP_TESTS_IMAGE_MADE_H
#define WSNTOP_TESTS_IMAGE_MADE_H

#include "tests/unit/unit.h"

#include "core/image/image.h"

/*
 * A small program put together in a folder of its own: `dir` (32 bytes) becomes its name, the
 * source is fw.s in it, the image fw.elf. `flags`: gcc's, beside those for a program without a
 * library.
 */
static inline struct image *unit_image(char *dir, const char *source, const char *flags)
{
	struct err err = { 0 };
	struct image *im;
	char path[64], command[512];
	FILE *f;

	strcpy(dir, "/tmp/wsntop-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fw.s", dir);
	f = fopen(path, "w");
	fputs(source, f);
	fclose(f);
	snprintf(command, sizeof(command), "gcc %s -nostdlib -static -no-pie "
					   "-Wl,-e,main,--build-id=none "
		 "-o %s/fw.elf %s", flags, dir, path);
	assert_int_equal(unit_shell(command), 0);
	snprintf(path, sizeof(path), "%s/fw.elf", dir);
	im = image_new(path, &err);
	assert_string_equal(err.text, "");
	image_wait(im);
	image_poll(im);
	return im;
}

#endif
