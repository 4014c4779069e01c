/*
 * sides_made: profiles as copies are, put together by hand, for comparisons and their noise.
 * Include after unit.h.
 */
#ifndef WSNTOP_TESTS_SIDES_MADE_H
#define WSNTOP_TESTS_SIDES_MADE_H

#include <math.h>

#include "core/profile/profile.h"

/* Ticks are microseconds. */
struct side {
	struct profile p;
	struct profile_function functions[16];
	struct profile_edge edges[16];
	struct profile_site sites[16];
	struct profile_buckets buckets[16];
};

static inline void side_init(struct side *s, double run_s)
{
	*s = (struct side){ .p = { .name = "", .terms = { .ticks_per_second = 1e6, .hz = 1000 } } };
	s->p.functions = s->functions;
	s->p.edges = s->edges;
	s->p.sites = s->sites;
	s->p.buckets = s->buckets;
	s->p.totals.run_s = run_s;
}

static inline uint32_t function_add(struct side *s, const char *name, const char *file)
{
	uint32_t i = (uint32_t)s->p.function_count++;

	s->functions[i] = (struct profile_function){
		.name = name, .file = file, .address = 0x100 * (i + 1), .image_id = IMAGE_NONE,
		.first_in = PROFILE_NONE, .first_out = PROFILE_NONE,
		.self_s = NAN, .total_s = NAN, .min_s = NAN, .max_s = NAN,
		.rate_calls = NAN, .rate_self = NAN,
	};
	return i;
}

/* Timed; self and total alike, in microseconds. */
static inline uint32_t add_timed(struct side *s, const char *name, uint64_t calls, double total,
				 double min, double max)
{
	uint32_t i = function_add(s, name, "a.c");
	struct profile_function *f = &s->functions[i];

	f->time = PROFILE_TIME_TIMED;
	f->called = true;
	f->calls = calls;
	f->self_s = f->total_s = total / 1e6;
	f->per_call_s = calls ? f->total_s / (double)calls : (double)NAN;
	f->has_minmax = min <= max;
	f->min_s = min / 1e6;
	f->max_s = max / 1e6;
	s->p.totals.self_s += f->self_s;
	s->p.totals.profiled_s = s->p.totals.self_s;
	s->p.totals.time = PROFILE_TIME_TIMED;
	return i;
}

static inline uint32_t add_edge(struct side *s, uint32_t from, uint32_t to, uint64_t calls)
{
	uint32_t i = (uint32_t)s->p.edge_count++;

	s->edges[i] = (struct profile_edge){
		.from = from, .to = to, .first_site = PROFILE_NONE, .calls = calls, .timed = true,
		.next_in = s->functions[to].first_in, .next_out = PROFILE_NONE,
		.total_s = s->functions[to].total_s, .min = 1, .max = 2,
	};
	s->functions[to].first_in = i;
	if (from != PROFILE_NONE) {
		s->edges[i].next_out = s->functions[from].first_out;
		s->functions[from].first_out = i;
	}
	return i;
}

static inline uint32_t add_sampled(struct side *s, const char *name, uint64_t samples)
{
	uint32_t i = function_add(s, name, "a.c");

	s->functions[i].time = PROFILE_TIME_SAMPLED;
	s->functions[i].samples = samples;
	s->functions[i].self_s = s->functions[i].total_s = (double)samples / s->p.terms.hz;
	s->p.totals.samples += samples;
	s->p.totals.time = PROFILE_TIME_SAMPLED;
	s->p.totals.self_s = s->p.totals.profiled_s = s->p.totals.run_s =
		(double)s->p.totals.samples / s->p.terms.hz;
	return i;
}

#endif
