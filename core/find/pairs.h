/*
 * pairs: which image ran at which port last time, so that the user need not give it again.
 *
 * Stored in $XDG_STATE_HOME/wsntop/pairs (~/.local/state where that is not set), one line each,
 * the newest first, the fields separated by tabs:
 *
 *	port  id  elf  baud  format  seconds since 1970
 *
 * A USB port is recognised by its id (link.h) in any socket. A line that cannot be read is left
 * out: an error in the file costs no more than its line.
 */
#ifndef WSNTOP_FIND_PAIRS_H
#define WSNTOP_FIND_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { PAIRS_MAX = 48, PAIRS_FILE_MAX = 256 * 1024 };

struct pair {
	char port[256];			/* its path at that time */
	char id[160];			/* "" none */
	char elf[1024];			/* absolute; "" it had none */
	long baud;			/* 0: it has none */
	char format[16];		/* given by the user; "" auto */
	int64_t when;
};

struct pairs {
	struct pair v[PAIRS_MAX];
	size_t count;
};

/* From memory, for tests and the fuzzer; and from the user's file: no file, no pairs. */
void pairs_parse(struct pairs *p, const char *text, size_t n);
void pairs_load(struct pairs *p);

/* The pair of this id, else of this port; NULL. */
const struct pair *pairs_find(const struct pairs *p, const char *port, const char *id);

/* Becomes the newest, in place of its port's. A pair that the format cannot hold is not stored. */
void pairs_put(struct pairs *p, const struct pair *pair);

/* Read the user's file, put this pair in it, write it. */
int pairs_remember(const struct pair *pair, struct err *err);

#endif
