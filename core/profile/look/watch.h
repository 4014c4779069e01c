/*
 * watch: a bound on a figure of a function, as the user writes it:
 *
 *	clock_tick: max > 300 us
 *	ns::queue::push(int): calls/s > 1,000
 *	fib: self > 20 %
 *	idle: load < 5 %
 *
 * The figure is a column of numbers, by its name or its header (look/rows.h). A time takes s, ms,
 * us or ns; a share %; a share of "self" is the column SELF%. A bound is passed when the value is
 * beyond it; an unknown value passes none. Times that the node could not count higher (>=) pass an
 * upper bound only if what was counted does.
 */
#ifndef WSNTOP_PROFILE_LOOK_WATCH_H
#define WSNTOP_PROFILE_LOOK_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/profile/look/rows.h"

#define WATCH_FUNCTION 128
#define WATCH_TEXT 192
#define WATCHES 32			/* of one node at most */

struct watch {
	char function[WATCH_FUNCTION];	/* its name, exactly as the profile has it */
	enum column_id column;
	bool below;			/* passed by less; else by more */
	double bound;			/* as column.value: seconds, a share of 1, calls a second */
};

/* A bound that is held against a profile that goes on. */
struct watch_state {
	struct watch of;
	double value;			/* of its figure; NaN: not known */
	bool beyond;			/* the value is */
	bool passed;			/* it was beyond once */
	uint64_t at_ns;			/* when first, by the clock of the data */
};

/* 0 or ERR_FORMAT; err says what was expected. `text` may be anything. */
int watch_parse(const char *text, struct watch *w, struct err *err);

/* The figure and its bound alone, "max > 300 us"; and with the function. */
const char *watch_bound(const struct watch *w, char *dst, size_t size);
const char *watch_text(const struct watch *w, char *dst, size_t size);

bool watch_same(const struct watch *a, const struct watch *b);

/* What was beyond it once stays so while counts go on: longest, shortest calls, counts, times. */
bool watch_lasts(const struct watch *w);

/* A value of its figure, "312 us". */
const char *watch_value(const struct watch *w, double value, char *dst, size_t size);

/*
 * Whether a function of d->profile, one of that name, is beyond the bound; *value (may be NULL) is
 * the furthest of them, NaN where there is none.
 */
bool watch_passed(const struct watch *w, const struct column_data *d, double *value);

/* The same for one function; its name is not looked at. */
bool watch_function_passed(const struct watch *w, const struct column_data *d,
			   const struct profile_function *f);

#endif
