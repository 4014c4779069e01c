/*
 * history_life: a node of three rows, whose moments are ended one by one. No image: functions are
 * named by their addresses, and their callers are taken as known.
 */
#ifndef WSNTOP_TESTS_HISTORY_LIFE_H
#define WSNTOP_TESTS_HISTORY_LIFE_H

#include "tests/unit/history_made.h"

#include <math.h>

#include "core/history/parts.h"

enum { OUTSIDE = 0x1004, A = 0x2000, B = 0x3001, LEAF = 0x3000, ROWS = 3 };

#define BEGIN (100 * SECOND)

struct life {
	struct profile p;
	struct history *h;
	struct wire_total rows[ROWS];	/* outside calls A, A calls LEAF, outside calls B */
	uint64_t now, run;
};

static inline int life_up(void **state)
{
	static const uint32_t ends[ROWS][2] = { { OUTSIDE, A }, { A, LEAF }, { OUTSIDE, B } };
	struct life *l = calloc(1, sizeof(*l));

	assert_int_equal(profile_init(&l->p, "life"), 0);
	profile_take_hello(&l->p, &hello);
	profile_seen_from_start(&l->p);
	l->p.named = true;
	l->now = BEGIN;
	l->h = history_new();
	history_begin(l->h, l->now);
	for (int i = 0; i < ROWS; i++)
		l->rows[i] = (struct wire_total){
			.kind = TOTAL_SITE, .from = ends[i][0], .to = ends[i][1],
			.has = TOTAL_TIMED,
		};
	*state = l;
	return 0;
}

static inline int life_down(void **state)
{
	struct life *l = *state;

	history_free(l->h);
	profile_release(&l->p);
	free(l);
	return 0;
}

static inline void row_count(struct life *l, unsigned n, uint64_t calls, uint64_t ticks)
{
	l->rows[n].calls += calls;
	l->rows[n].total += ticks;
	assert_int_equal(profile_take_totals(&l->p, &l->rows[n], 1), 0);
}

static inline void run_count(struct life *l, uint64_t ticks)
{
	l->run += ticks;
	profile_take_run(&l->p, l->run);
}

static inline struct history_kept *moment_end(struct life *l, uint64_t length)
{
	l->now += length;
	assert_int_equal(history_take(l->h, &l->p, NULL, l->now), 0);
	return &l->h->moments[l->h->count - 1];
}

/* Within a millionth. */
static inline void assert_near(double is, double want)
{
	if (!(fabs(is - want) <= 1e-6 * fmax(1, fabs(want))))
		fail_msg("%.9g is not %.9g", is, want);
}

#endif
