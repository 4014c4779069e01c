/*
 * history_made: a node is made up whose counters grow at random, restart, are reset, lose
 * addresses.
 */
#ifndef WSNTOP_TESTS_HISTORY_MADE_H
#define WSNTOP_TESTS_HISTORY_MADE_H

#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/history/history.h"
#include "core/profile/raw/feed.h"

#define SECOND CLOCK_SECOND

enum { SITES = 40, PCS = 12, ALL = TOTAL_TIMED | TOTAL_MINMAX | TOTAL_HISTOGRAM };

static const struct wire_hello hello = {
	.name = "", .version = 1, .ticks_per_second = 1000, .hz = 100, .max_sites = 64,
	.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
};

/* --- a node that is made up ------------------------------------------------------------------- */

struct made {
	struct profile p;
	struct history *h;
	struct wire_total site[SITES], pc[PCS];
	uint64_t run, now;
	uint32_t random;
	/* everything ever counted, whatever was reset since */
	uint64_t ever_calls[SITES], ever_total[SITES], ever_pc[PCS];
	uint64_t ever_bucket[SITES][WIRE_BUCKETS];
};

static inline uint32_t random_next(struct made *m, uint32_t below)
{
	m->random = m->random * 1664525 + 1013904223;
	return (m->random >> 8) % below;
}

static inline void made_begin(struct made *m)
{
	*m = (struct made){ .now = 100 * SECOND, .random = 7 };
	assert_int_equal(profile_init(&m->p, "made"), 0);
	profile_take_hello(&m->p, &hello);
	profile_seen_from_start(&m->p);
	m->h = history_new();
	history_begin(m->h, m->now);
	for (uint32_t i = 0; i < SITES; i++)
		m->site[i] = (struct wire_total){
			.kind = i % 5 == 4 ? TOTAL_ARC : TOTAL_SITE, .from = 0x1000 + i * 6,
			.to = 0x4000 + i % 7 * 64, .has = i % 5 == 4 ? 0 : ALL,
		};
	for (uint32_t i = 0; i < PCS; i++)
		m->pc[i] = (struct wire_total){ .kind = TOTAL_PC, .from = 0x4000 + i * 32 };
}

static inline void made_end(struct made *m)
{
	history_free(m->h);
	profile_release(&m->p);
}

static inline void site_grow(struct made *m, uint32_t i)
{
	struct wire_total *s = &m->site[i];
	uint32_t calls = 1 + random_next(m, 900), ticks = random_next(m, 70000),
		k = random_next(m, WIRE_BUCKETS);

	m->ever_calls[i] += calls;
	s->calls += calls;
	if (s->kind == TOTAL_ARC)
		return;
	m->ever_total[i] += ticks;
	m->ever_bucket[i][k] += calls;
	s->min = !s->total || ticks < s->min ? ticks : s->min;
	s->max = ticks > s->max ? ticks : s->max;
	s->total += ticks;
	s->bucket[k] += calls;
}

static inline void made_say(struct made *m)
{
	profile_take_totals(&m->p, m->site, SITES);
	profile_take_totals(&m->p, m->pc, PCS);
	profile_take_run(&m->p, m->run);
}

/* A second of its life. */
static inline void made_live(struct made *m)
{
	for (uint32_t i = 0; i < SITES; i++) {
		if (random_next(m, 3) == 0)
			site_grow(m, i);
	}
	for (uint32_t i = 0; i < PCS; i++) {
		uint32_t n = random_next(m, 2) ? 0 : random_next(m, 70);

		m->pc[i].calls += n;
		m->ever_pc[i] += n;
	}
	m->run += 1000;
	m->now += SECOND;
	made_say(m);
}

static inline void made_reboot(struct made *m)
{
	for (int i = 0; i < SITES; i++) {
		m->site[i].calls = m->site[i].total = m->site[i].min = m->site[i].max = 0;
		memset(m->site[i].bucket, 0, sizeof(m->site[i].bucket));
	}
	for (int i = 0; i < PCS; i++)
		m->pc[i].calls = 0;
	m->run = 0;
	profile_reset(&m->p);
	profile_take_hello(&m->p, &hello);
	profile_seen_from_start(&m->p);
}

static inline void moment_take(struct made *m)
{
	assert_int_equal(history_take(m->h, &m->p, NULL, m->now), 0);
}

#endif
