/*
 * source: the text of source files, found where they are on this machine.
 *
 * DWARF names a file as the compiler saw it. It is searched with its prefix replaced by the maps
 * (gdb's "set substitute-path": whole directory names, the longest prefix wins); at the path in
 * DWARF; then below each source directory, the ELF's own directory and the current one, with as
 * much of its path as fits, at last by its name alone. Where a file is not found, all places that
 * were tried can be listed.
 *
 * The ELF is hostile: a file that it names is read only below a source directory, what a map leads
 * to, the tree of the ELF or of the current directory (up to the folder that version control keeps,
 * hidden folders left out), or where toolchains keep theirs (/usr/include, /opt and the like).
 *
 * Files are hostile: larger ones than SOURCE_FILE_MAX are refused, only regular files are read,
 * and never more of one than its size said. Lines are raw bytes: the caller makes them visible
 * (text_visible).
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
	/* The first so many came with the command line: for one run, not to be written down. */
	size_t given_dirs, given_maps;
};

/* 0, ERR_NOMEM, ERR_USAGE full. */
int source_paths_add_dir(struct source_paths *p, const char *dir);
int source_paths_add_map(struct source_paths *p, const char *from, const char *to);
/* "FROM=TO", as --source-map has it. ERR_USAGE: it is not of that form. */
int source_paths_add_equation(struct source_paths *p, const char *equation);
void source_paths_drop_dir(struct source_paths *p, size_t i);
void source_paths_drop_map(struct source_paths *p, size_t i);
/* Put the entries of the command line first. 0 or ERR_NOMEM. */
int source_paths_give(struct source_paths *p, const struct source_paths *given);
void source_paths_release(struct source_paths *p);

/* A path with its prefix replaced, for mem_free(). NULL: no map holds, or memory is out. */
char *source_paths_map(const struct source_paths *p, const char *path);

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
/* Changed since the ELF was built. */
bool source_is_newer(const struct source *s, const char *elf);
/* The file on disk differs from the text read. */
bool source_changed(const struct source *s);
size_t source_lines(const struct source *s);
bool source_line(const struct source *s, size_t line, struct source_line *out);	/* from 1 */

#endif
