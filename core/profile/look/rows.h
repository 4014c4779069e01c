/*
 * rows: a profile's functions as lines to show: filtered, sorted, in columns.
 *
 * The columns' table is what the flat view, -B, --sort, the help and the man page share. A new
 * column is one row of it.
 */
#ifndef WSNTOP_PROFILE_LOOK_ROWS_H
#define WSNTOP_PROFILE_LOOK_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/regex.h"
#include "core/profile/look/context.h"
#include "core/profile/profile.h"

enum column_id {
	COLUMN_SELF_PERCENT, COLUMN_SELF, COLUMN_TOTAL, COLUMN_CALLS, COLUMN_PER_CALL, COLUMN_MIN,
	COLUMN_P50, COLUMN_P90, COLUMN_P99, COLUMN_MAX, COLUMN_SAMPLES, COLUMN_RAN,
	COLUMN_RAN_RATE, COLUMN_RAN_SELF, COLUMN_RATE, COLUMN_LOAD, COLUMN_CURRENT,
	COLUMN_ENERGY_CALL, COLUMN_ENERGY, COLUMN_STACK, COLUMN_STACK_MAX, COLUMN_STACK_USE,
	COLUMN_FRAME, COLUMN_CONTEXT, COLUMN_FUNCTION, COLUMN_FILE,
	COLUMN_COUNT,
};

#define COLUMN_TEXT 128

/* The data that columns read. */
struct column_data {
	const struct profile *profile;		/* computed */
	const struct contexts *contexts;	/* of it; NULL: not known */
};

struct column {
	enum column_id id;
	/*
	 * For --sort, settings, watches and messages: "self%", "per-call". The header is the same
	 * in capitals, with blanks for hyphens, at most `width` columns.
	 */
	const char *name, *header;
	const char *alias;		/* its name in older settings and scripts; NULL: the same */
	const char *key;		/* in JSON and CSV: "per_call_s"; seconds end in _s */
	const char *help;
	const char *figure;		/* its formula, its clock, recursion and windows */
	int width;			/* of the cell; 0: the rest of the line */
	bool left;			/* aligned left; numbers are right */
	bool sums;			/* several functions' values add up */
	/*
	 * `f` is one of d->profile. The value that a column of numbers is sorted by, largest first;
	 * NaN: not known, sorted last, its cell empty. NULL: a column of words.
	 */
	double (*value)(const struct column_data *d, const struct profile_function *f);
	/* The order of words (< 0: a before b); between equal numbers, where it may be NULL. */
	int (*compare)(const struct column_data *d, const struct profile_function *a,
		       const struct profile_function *b);
	/*
	 * Where no function has a value and no self time is known at all: the value that decides
	 * then, as `compare` has it. NULL: none.
	 */
	double (*instead)(const struct column_data *d, const struct profile_function *f);
	/* The cell's text, "" if not known; ">=" marks a lower bound, "~" an inexact value. */
	void (*format)(const struct column_data *d, const struct profile_function *f, char *dst,
		       size_t size);
};

/*
 * The time that a single call took, or all on average: "~2.72 us" where the node's clock is too
 * coarse for it (4 times its spread), "<750 ns" where the clock counted none of it
 * (column_call_least), ">=2.00 s" where its field was too narrow, "" for NaN. dst has 24 bytes.
 */
void column_call_time(const struct profile *p, double seconds, bool at_least, char *dst,
		      size_t size);

/*
 * The shortest time of a call that its node can tell from none: the spread of its clock, at least a
 * tick. 0: not known.
 */
double column_call_least(const struct profile *p);

/*
 * A percentile: an estimate inside its bucket, "~2.72 us"; where all durations are known (a call
 * trace), as a call's time.
 */
void column_percentile(const struct profile *p, double seconds, char *dst, size_t size);

/* A sum: "1.52 s", ">=1.52s" of a lower bound, "" for NaN. dst has 24 bytes. */
void column_at_least(double s, bool at_least, char *dst, size_t size);

/*
 * A self time; "~": rows of different age, or lost ones, leave it uncertain by 5 % and more. dst
 * has 24 bytes.
 */
void column_self_time(const struct profile_function *f, char *dst, size_t size);

extern const struct column columns[COLUMN_COUNT];

/* By its name, alias or header, in any case. NULL: no such column. */
const struct column *column_find(const char *name);
const struct column *column_find_word(const char *word, size_t length);
const struct column *column_nearest(const char *name);	/* of numbers: what may be meant */

/* Some function's cell is not empty. At most linear in functions. */
bool column_holds(const struct column *c, const struct column_data *d);
void columns_fill(const struct column_data *d, bool holds[COLUMN_COUNT]);	/* likewise, all */

/* The context that a function runs in: "main", "ISR", a task's name, "several"; "": not known. */
const char *column_context(const struct column_data *d, const struct profile_function *f);

struct rows {
	uint32_t *items;		/* function indices, in order */
	size_t count, cap;
	size_t hidden;			/* hidden by the filter */
	/* private */
	struct row_key *keys;
	size_t key_cap;
};

struct rows_order {
	enum column_id column;
	bool inverted;
	const struct regex *filter;	/* over name and file; NULL: all */
	const struct contexts *contexts;	/* of the profile; NULL: not known */
	/*
	 * By the cost of the change since the baseline, worst first, then by `column`. Changes
	 * within the noise count as none. Without a baseline by `column` alone.
	 */
	bool by_change;
	const struct compare *compare;	/* of the profile (`now`); NULL: none */
};

static inline bool rows_by_change(const struct rows_order *o)
{
	return o->by_change && o->compare;
}

/* The filter matches its name or file. NULL matches all. */
bool rows_match(const struct profile_function *f, const struct regex *filter);

void rows_init(struct rows *r);
void rows_release(struct rows *r);

/* Fills it from a computed profile. Equal rows are in order of address. 0 or ERR_NOMEM. */
int rows_sort(struct rows *r, const struct profile *p, const struct rows_order *o);

#endif
