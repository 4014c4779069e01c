/*
 * finds: files of a directory that can be opened: snapshots (-x json) and recordings (-r),
 * recognised by their first bytes, and images, by their names. The newest come first; hidden files
 * and all that is not a regular file are left out.
 */
#ifndef WSNTOP_FIND_FINDS_H
#define WSNTOP_FIND_FINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define FINDS_MOST 16			/* that finds_look keeps */
#define FINDS_ROOM 24			/* that finds_match keeps at most */
#define FINDS_LOOKED 2000		/* entries of the directory looked at */

enum find_kind { FIND_NEITHER, FIND_SNAPSHOT = 1, FIND_RECORDING = 2 };

struct find {
	char name[512];			/* from the directory on */
	enum find_kind kind;
	struct timespec changed;
	uint64_t size;
};

struct finds {
	struct find items[FINDS_ROOM];
	size_t count;
	size_t more;			/* found, but not kept */
};

/* Snapshots and recordings. A directory that cannot be read has none. */
void finds_look(struct finds *f, const char *directory);

/*
 * The newest `most` files that match one of the glob patterns (the last is NULL) and are of one of
 * these kinds (or-ed; FIND_NEITHER: their content is not read).
 */
void finds_match(struct finds *f, size_t most, const char *const *patterns, unsigned kinds);

/* The kind of one file, or a folder of parts; FIND_NEITHER also when it cannot be read. */
enum find_kind finds_kind_of(const char *path);

#endif
