/*
 * source: the text of source files, found where they are on this machine.
 *
 * DWARF names a file as the compiler saw it. It is looked for there; with its prefix replaced as the
 * maps say (gdb's "set substitute-path"); below each source directory, with as much of its path as
 * fits, then by its name alone; beside the ELF; and in the current directory. Where a file is not
 * found, all places that were looked at can be told.
 *
 * Files are hostile: at most SOURCE_FILE_MAX bytes are read, lines are shown as text_visible makes
 * them, only regular files are opened.
 */
#ifndef WSNTOP_SOURCE_SOURCE_H
#define WSNTOP_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define SOURCE_DIRS 16
#define SOURCE_MAPS 16
#define SOURCE_FILE_MAX (16u << 20)

/* Strings owned. */
struct source_paths {
	char *dirs[SOURCE_DIRS];
	size_t dir_count;
	struct { char *from, *to; } maps[SOURCE_MAPS];
	size_t map_count;
};

int source_paths_add_dir(struct source_paths *p, const char *dir);		/* 0, ERR_NOMEM, ERR_USAGE full */
int source_paths_add_map(struct source_paths *p, const char *from, const char *to);
void source_paths_release(struct source_paths *p);

struct source;

/* One line, without its newline; bytes as in the file. */
struct source_line {
	const char *text;
	size_t length;
};

/*
 * A file by its path in DWARF. `beside`: the ELF's path or NULL. NULL when it is nowhere: `places`
 * (may be NULL) then has each place looked at on a line of its own.
 */
struct source *source_open(const char *path, const char *beside, const struct source_paths *paths,
			   struct buf *places);
void source_close(struct source *s);			/* NULL is fine */

const char *source_path(const struct source *s);	/* where it was found */
bool source_is_newer(const struct source *s, const char *elf);	/* changed since the ELF was built */
size_t source_lines(const struct source *s);
bool source_line(const struct source *s, size_t line, struct source_line *out);	/* from 1 */

#endif
