/*
 * parts: a folder of recordings that follow one another, as `wsntop record` makes it.
 *
 * Each part is a whole recording (record.h). Its name is the wall clock's time at its beginning, so
 * that names sort by time, whatever was copied when:
 *
 *	20261124T211501.250Z.wsnrec
 *
 * Only files whose names end so are parts; all else in the folder is left alone. Beside a part may
 * be its index (keys.h), which goes when the part goes.
 */
#ifndef WSNTOP_LINK_PARTS_H
#define WSNTOP_LINK_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define PARTS_SUFFIX ".wsnrec"
#define PARTS_INDEX ".idx"		/* behind a recording's name: its index */

enum { PARTS_MOST = 65536 };		/* that are looked at in a folder */

struct part {
	char *path;
	uint64_t size;			/* of the file, when it was looked at */
	uint64_t wall;			/* ns since 1970, of its header; 0: it has none */
};

struct parts {
	struct part *of;		/* by name: the oldest first */
	size_t count, cap;
	uint64_t bytes;			/* of all */
};

bool parts_is_folder(const char *path);

/* The parts in a folder, into zeroed or released ones. 0, or negative with the sentence. */
int parts_read(struct parts *p, const char *folder, struct err *err);
void parts_release(struct parts *p);

/* One more, the newest; the path is copied. 0, or ERR_NOMEM. */
int parts_add(struct parts *p, const char *path, uint64_t wall);
void parts_grown(struct parts *p, uint64_t bytes);	/* of the newest */

/* The oldest and its index are deleted. 0, or negative: the file is still there. */
int parts_drop_oldest(struct parts *p);

/*
 * The path for a part that begins at `wall`: behind all that are there, also where the clock went
 * back. 0, or ERR_NOMEM. For mem_free().
 */
char *parts_next(const struct parts *p, const char *folder, uint64_t wall);

#endif
