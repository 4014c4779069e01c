/*
 * file: whole files in and out.
 */
#ifndef WSNTOP_BASE_FILE_H
#define WSNTOP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/*
 * Where a file of ours is kept (the XDG base directory specification): $variable/wsntop/name, or
 * ~/home/wsntop/name where the variable is not set or no absolute path. "": nowhere, or too long.
 */
const char *file_place(const char *variable, const char *home, const char *name, char *dst,
		       size_t size);

/* A path as it was typed: "~" and "~/x" are below $HOME. What does not fit is cut. */
const char *file_expand(const char *path, char *dst, size_t size);

/* Make the folders above a file that are not there. 0 or negative. */
int file_folders(const char *path, struct err *err);

bool file_is_regular(const char *path);		/* false also where there is none */

/* Write a file whole or not at all, as out_open and out_close do (core/base/out.h). */
int file_write(const char *path, const void *data, size_t n, struct err *err);

/*
 * The whole file, NUL-terminated, for mem_free(); at most `max` bytes, else ERR_FORMAT. NULL on
 * failure.
 */
char *file_read(const char *path, size_t max, size_t *n, struct err *err);

#endif
