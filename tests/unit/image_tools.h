/*
 * image_tools: a scratch folder, and the toolchains of this machine in it.
 */
#ifndef WSNTOP_TESTS_IMAGE_TOOLS_H
#define WSNTOP_TESTS_IMAGE_TOOLS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/image/image.h"

/* The current folder becomes a new one; returns its name. tools_leave removes it. */
static char tools_folder[64], tools_home[4096];

static inline int tools_enter(void **state)
{
	(void)state;
	snprintf(tools_folder, sizeof(tools_folder), "/tmp/wsntop-image.XXXXXX");
	if (!getcwd(tools_home, sizeof(tools_home)) || !mkdtemp(tools_folder))
		return -1;
	return chdir(tools_folder);
}

static inline int tools_leave(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", tools_folder);
	return chdir(tools_home) || system(command) ? -1 : 0;
}

/* Run a shell command quietly; true: it worked. */
static inline bool tools_run(const char *command)
{
	char quiet[4096];

	snprintf(quiet, sizeof(quiet), "( %s ) >log 2>&1 </dev/null", command);
	return system(quiet) == 0;
}

static inline bool tools_have(const char *program)
{
	char command[256];

	snprintf(command, sizeof(command), "command -v %s", program);
	return tools_run(command);
}

static inline void tools_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	assert_int_equal(fclose(f), 0);
}

/* Open an image that must open, with its DWARF read and taken over. */
static inline struct image *tools_open(const char *path)
{
	struct err err;
	struct image *im;

	err_clear(&err);
	im = image_new(path, &err);
	if (!im)
		fail_msg("%s", err.text);
	image_wait(im);
	image_poll(im);
	return im;
}

static inline const char *tools_name(const struct image *im, uint64_t address)
{
	uint32_t id = image_find(im, address);

	return id == IMAGE_NONE ? "(none)" : image_function(im, id)->name;
}

#endif
