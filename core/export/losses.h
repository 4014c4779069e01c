/*
 * losses: counts, bytes and time that a node reports as lost, one row each: key for JSON, sentence
 * and cure for people. The screen's header and help, the warnings of a batch run and the exports
 * read this table. A number of six digits, `what` and `cure` fit in 80 columns.
 */
#ifndef WSNTOP_EXPORT_LOSSES_H
#define WSNTOP_EXPORT_LOSSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/wire.h"

struct loss {
	const char *name;		/* key in JSON */
	const char *what;		/* after the number: "calls not counted: call stack full" */
	const char *cure;		/* NULL: there is none */
	size_t field, less;		/* of struct wire_status, uint64_t: the count is their
					 * difference; less 0: none */
	bool missing;			/* calls or samples that the profile lacks */
	bool flag;			/* the count is 0 or 1, and no number of anything */
};

extern const struct loss losses[];	/* ends with a NULL name; the most serious first */

static inline uint64_t loss_count(const struct loss *l, const struct wire_status *s)
{
	uint64_t count = *(const uint64_t *)((const char *)s + l->field);

	return l->less ? count - *(const uint64_t *)((const char *)s + l->less) : count;
}

/* Calls and samples that the profile lacks, over all rows. */
uint64_t losses_missing(const struct wire_status *s);

/* "12 calls not counted: call stack full; build with a larger WSNPROF_STACK" */
void loss_say(const struct loss *l, const struct wire_status *s, char *dst, size_t size);

#endif
