/*
 * bookmarks: moments of a recording that the user has marked, with notes, and the file beside the
 * recording that keeps them: FILE.marks. It is text, to be read and edited by people:
 *
 *	# wsntop bookmarks: a time (UTC) and a note each
 *	2026-01-02T12:00:07.250Z motor starts
 *	2026-01-02T12:04:41.000Z
 *
 * The first line begins so in each such file: a file without it is never replaced. Lines that are
 * no bookmark (comments, those of a later version) are kept, above the bookmarks. Times have
 * milliseconds; there is one bookmark at a time. All text is hostile: notes are made visible, and
 * cut.
 */
#ifndef WSNTOP_HISTORY_BOOKMARKS_H
#define WSNTOP_HISTORY_BOOKMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

enum {
	BOOKMARKS_MAX = 4096,		/* later ones are left out */
	BOOKMARK_NOTE = 200,		/* bytes of a note and its NUL */
	BOOKMARKS_FILE = 1 << 20,	/* bytes of the file */
};

struct bookmark {
	uint64_t wall_ns;		/* since 1970, whole milliseconds */
	char note[BOOKMARK_NOTE];	/* visible UTF-8; "" none */
};

/* Zeroed memory is an empty list. */
struct bookmarks {
	struct bookmark *items;		/* ascending */
	size_t count, cap;
	struct buf others;		/* lines of the file that are no bookmarks */
	unsigned serial;		/* changes with the list */
};

void bookmarks_release(struct bookmarks *b);

/*
 * Set one, in place of an older one of the same millisecond. 0, ERR_NOMEM, ERR_USAGE: too many, or
 * later than the year 2499.
 */
int bookmarks_put(struct bookmarks *b, uint64_t wall_ns, const char *note);
bool bookmarks_drop(struct bookmarks *b, uint64_t wall_ns);	/* false: there is none */
const struct bookmark *bookmarks_find(const struct bookmarks *b, uint64_t wall_ns);	/* NULL */

/* Put those of `from` at whose times there are none. 0 or ERR_NOMEM. */
int bookmarks_join(struct bookmarks *b, const struct bookmarks *from);

/*
 * The text of a file, into an empty list; and back. parse: 0, ERR_FORMAT (its first line is
 * another one), ERR_NOMEM.
 */
int bookmarks_parse(struct bookmarks *b, const char *text, size_t n);
void bookmarks_print(const struct bookmarks *b, struct buf *out);

/* A file; one that does not exist is empty. 0 or an error with its sentence. */
int bookmarks_load(struct bookmarks *b, const char *path, struct err *err);

/*
 * Write the file, whole or not at all; never over a file that is none of ours. With no bookmark and
 * no other line the file is not made. 0 or an error with its sentence.
 */
int bookmarks_save(const struct bookmarks *b, const char *path, struct err *err);

#endif
