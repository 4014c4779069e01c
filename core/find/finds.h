/*
 * finds: what in a directory can be compared with: snapshots (-x json) and recordings (-r),
 * recognised by what they begin with, whatever they are called. The newest first, so many at most;
 * hidden files and what is no regular file are left alone.
 */
#ifndef WSNTOP_FIND_FINDS_H
#define WSNTOP_FIND_FINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define FINDS_MOST 16			/* kept */
#define FINDS_LOOKED 2000		/* entries of the directory looked at */

enum find_kind { FIND_NEITHER, FIND_SNAPSHOT, FIND_RECORDING };

struct find {
	char name[256];			/* in the directory */
	enum find_kind kind;
	struct timespec changed;
	uint64_t size;
};

struct finds {
	struct find items[FINDS_MOST];
	size_t count;
	size_t more;			/* that there are beside */
};

/* A directory that cannot be read has nothing. */
void finds_look(struct finds *f, const char *directory);

/* What one file is; FIND_NEITHER also when it cannot be read. */
enum find_kind find_kind_of(const char *path);

#endif
