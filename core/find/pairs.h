/*
 * pairs: which image ran at which port last time, so that it need not be said again.
 *
 * Kept in $XDG_STATE_HOME/wsntop/pairs (~/.local/state where that is not set), a line each, the
 * newest first, the fields parted by tabs:
 *
 *	port  id  elf  baud  format  seconds since 1970
 *
 * A USB port is known again by its id (link.h) in whatever socket it is. A line that cannot be read
 * is left out; whoever edits the file may break nothing but it.
 */
#ifndef WSNTOP_FIND_PAIRS_H
#define WSNTOP_FIND_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { PAIRS_MAX = 48, PAIRS_FILE_MAX = 256 * 1024 };

struct pair {
	char port[256];			/* as it was called then */
	char id[160];			/* "" none */
	char elf[1024];			/* absolute; "" it had none */
	long baud;			/* 0: it has none */
	char format[16];		/* that was asked for; "" auto */
	int64_t when;
};

struct pairs {
	struct pair v[PAIRS_MAX];
	size_t count;
};

/* From memory, for tests and the fuzzer; and from the user's file: none is no pairs. */
void pairs_parse(struct pairs *p, const char *text, size_t n);
void pairs_load(struct pairs *p);
int pairs_save(const struct pairs *p, struct err *err);

/* That of this id, else of this port; NULL. */
const struct pair *pairs_find(const struct pairs *p, const char *port, const char *id);

/* It becomes the newest, in place of what was known of its port. What cannot be written is not. */
void pairs_put(struct pairs *p, const struct pair *pair);

/* The user's file, read, with this in it, and written. */
int pairs_remember(const struct pair *pair, struct err *err);

/* Where it is; "" when there is no home. */
const char *pairs_path(char *dst, size_t size);

#endif
