/*
 * elements: what a profile is made of. Raw, by address, as the node counted them: call sites,
 * sampled PCs, calls by duration. Derived by profile_compute: functions, edges, totals. And the
 * terms: how to read the counts.
 */
#ifndef WSNTOP_PROFILE_ELEMENTS_H
#define WSNTOP_PROFILE_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/wire/wire.h"

#define PROFILE_NONE UINT32_MAX
/* Addresses of functions that have none: rows that stand for many. */
#define PROFILE_RUNTIME (UINT64_C(1) << 32)	/* "(wsnprof)" */
#define PROFILE_REST (PROFILE_RUNTIME + 1)	/* without an image: beyond 65536 addresses */
#define PROFILE_RUNTIME_NAME "(wsnprof)"
#define PROFILE_REST_NAME "(other addresses)"

#define PROFILE_PAST 10			/* seconds of the sliding window, one slot each */

/* Raw, with its edge: one call site. */
struct profile_site {
	uint32_t from, to;		/* byte addresses as the stream gave them */
	uint64_t calls;
	uint64_t total;			/* ticks; 0 and meaningless when !timed */
	uint64_t min, max;		/* ticks; valid if profile_site_range */
	uint32_t edge;			/* PROFILE_NONE before profile_compute */
	uint32_t next;			/* next site of the same edge */
	uint32_t heard;			/* profile_heard() when it last came; 0: never */
	uint16_t flags;			/* ROW_* */
	bool timed;
	uint8_t kind;			/* enum wire_total_kind: TOTAL_SITE or TOTAL_ARC */
};

_Static_assert(sizeof(struct profile_site) == 56, "a million of them fit in 200 MB");

/* Calls by duration: shorter than each of bucket_below; the rest in the last. */
struct profile_buckets {
	uint64_t calls[WIRE_BUCKETS];
};

/* Raw, of a site whose every duration is known: calls by duration (lengths.h). NULL: none is. */
struct profile_fine {
	uint32_t *calls;
	uint32_t *base;			/* subtracted since a reset */
};

/* Raw: a way of calls from outside in, each function on it once. */
struct profile_path {
	uint32_t parent;		/* an earlier one, or PROFILE_NONE */
	uint32_t address;		/* the function that is called */
	uint64_t calls;
	double total;			/* ticks */
	uint64_t base_calls;		/* subtracted since a reset */
	double base_total;
};

/* Raw, of a timed site whose rows come in turn: its last readings, the newest first. */
enum { PROFILE_READINGS = 4 };

struct profile_age {
	struct profile_reading {
		uint64_t run;		/* ticks profiled by then; 0: none */
		uint64_t total;		/* with what a reset subtracts */
	} readings[PROFILE_READINGS];
};

/* How many ticks more a site has in the plain program than the node gave (derive/calibrate.c). */
struct profile_fix {
	int64_t total;
	int64_t min, max;
};

/* Raw, with its function: samples at one PC. */
struct profile_pc {
	uint32_t pc;
	uint32_t function;		/* PROFILE_NONE: in none */
	uint64_t count;
	uint32_t heard;			/* as a site's */
};

/* Raw: ticks that an instruction took, where a simulator tells them (wire_spent). */
struct profile_spent {
	uint32_t pc;
	uint64_t ticks;
	uint64_t base;			/* subtracted since a reset */
};

/* Of a picture that was read from a file: a source line (core/source/line_costs.h). */
struct profile_line {
	uint32_t function, line;
	uint32_t text;			/* hash of its text; 0: not known */
	uint64_t samples, calls;	/* calls: made from here */
	double self_s;			/* NaN: not known */
};

/* Derived: all calls from one function to another. */
struct profile_edge {
	uint32_t from;			/* function; PROFILE_NONE: the caller is in no function */
	uint32_t to;
	uint32_t sites;
	uint32_t first_site;
	uint32_t next_out, next_in;	/* chains of the caller's and of the callee's edges */
	bool timed;
	uint16_t flags;			/* ROW_* of its sites */
	float late, off;		/* ticks to the time of all rows, and their error (age.c) */
	uint64_t calls;
	uint64_t total;			/* ticks, as summed by the node, recursive calls included */
	uint64_t min, max;		/* ticks; valid if profile_edge_range */
	double total_s;			/* seconds: of total, or propagated over this arc */
	double self_s;			/* untimed: the callee's own part of total_s (gprof's
					 * "self") */
};

/*
 * Of a picture, whose file tells lines: what a function took by itself at one, or in the calls that
 * it made from there. They have no addresses; by function, each line and callee once.
 */
struct profile_place {
	const char *path;		/* NULL: not known */
	uint32_t line;			/* 0: not known */
	uint32_t function;		/* whose it is: of a call the caller */
	uint32_t edge;			/* of a call; PROFILE_NONE: its own */
	uint64_t calls, samples, ticks;	/* of a call: ticks with all that it called */
};

enum profile_time {
	PROFILE_TIME_NONE,		/* no time known: a caller only, or only counted */
	PROFILE_TIME_TIMED,		/* from the node's clock */
	PROFILE_TIME_SAMPLED,		/* from PC samples (self) and propagation (total) */
};

/* Derived: one function. Seconds and rates are NaN where not known. */
struct profile_function {
	const char *name, *file, *path;	/* file and path may be NULL */
	uint32_t line;
	uint32_t image_id;		/* IMAGE_NONE: not in the image, named by its address */
	uint64_t address;
	uint32_t first_out, first_in;	/* edges, PROFILE_NONE when there are none */
	uint32_t cycle;			/* 0: in none, else the cycle's number, from 1 */
	bool called;			/* some site has it as callee: calls is known */
	bool recursive;			/* calls itself */
	/*
	 * Calls of it were not counted: the node had no room (ROW_LOST), or its callees took longer
	 * than itself. Calls and total are at least what they are, self is not known.
	 */
	bool incomplete;
	int64_t short_ticks;		/* by so much; 0 within the error of its rows */
	enum profile_time time;		/* where self_s and total_s come from */
	uint16_t flags;			/* ROW_* of its edges in */
	uint32_t sites;			/* call sites into it */
	uint64_t calls;			/* valid if called */
	uint64_t samples;
	/* Timed only; never negative. self: meaningless while self_s is NaN. */
	int64_t self_ticks, total_ticks;
	float late_self, late_total;	/* ticks that these two differ by at the time of all rows */
	float off;			/* ticks: by so much they may be off */
	uint64_t min, max;		/* ticks over its edges; valid if has_minmax */
	bool has_minmax;
	double self_s;			/* timed: NaN without an image, which names the callees */
	double self_slack_s;		/* self is an estimate (age.c), right to this; 0: as sent */
	double total_s;
	double min_s, max_s;
	/*
	 * A call's duration on average, recursive calls included: min_s <= it <= max_s. It is not
	 * total_s / calls of a recursive function, whose total has the outer calls alone.
	 */
	double per_call_s;
	uint64_t timed_calls;		/* calls of which per_call_s is the mean */
	float age_s;			/* of run_s since its rows came (weighed by their calls) */
	/*
	 * How often it was called, estimated from its samples, with a 95 % interval. 0: not known
	 * (derive/executions.h).
	 */
	struct { double calls, low, high; } ran;
	/*
	 * What it drew by itself, its callees left out, by a power meter or a model of one; set by
	 * the caller (core/node/energy.c). Not known: known is false. calls_estimated: per_call_j
	 * rests on `ran`.
	 */
	struct profile_energy {
		bool known, estimate, calls_estimated;
		double current_a, spread_a;	/* spread: of its single runs; NaN: not known */
		double energy_j;
		double per_call_j;	/* NaN: its calls are not known */
		double share;		/* of all energy that is attributed, sleep as well */
	} energy;
	/* Bytes of stack, as a simulator measures them since its begin (wire_depth). */
	struct profile_depth {
		bool known;
		uint32_t frame, use;
		int64_t depth;		/* -1: not known */
	} depth;
	double rate_calls;		/* calls a second over the window, of wall time */
	double rate_self;		/* self time over wall time, over the window */
	/* At a mark; age_s: seconds since its rows came (weighed by their calls). */
	struct { double self_s; uint64_t calls; float age_s; } past[PROFILE_PAST];
};

struct profile_totals {
	uint64_t calls, samples;
	double self_s;			/* sum over all functions; NaN: unknown */
	/*
	 * 100 % of shares: the sum over all functions. self_s is less where callees took longer
	 * than their callers, whose calls are missing: time that was called from nowhere.
	 */
	double shares_s;
	double profiled_s;		/* self_s limited to run_s: "X s of Y s profiled" */
	double run_s;			/* time profiled until the newest row, or samples / hz; or
					 * NaN */
	enum profile_time time;		/* the source of most of what is shown */
	bool both;			/* timed and sampled data are present */
	uint64_t asleep;		/* samples that met the processor asleep */
};

/* What tells how many cycles a PC sample stands for (derive/executions.h). */
enum profile_cycles {
	CYCLES_UNKNOWN,
	CYCLES_COUNTER,			/* the cycle counter, read with each sample */
	CYCLES_STAMPS,			/* a trace port's time stamps */
	CYCLES_CLOCK,			/* a clock that was given, and the host's */
	CYCLES_COUNTED,			/* functions whose calls were counted */
};

/*
 * How counts are to be read: the same counts with the same terms make the same figures and the same
 * noise. Assigned as a whole, so that no copy, window or snapshot lacks one. profile_terms_same
 * compares bytes: no gap may be between the members.
 */
struct profile_terms {
	double ticks_per_second;	/* 0: not known */
	double hz;			/* of PC samples */
	double cycles;			/* the processor's, for each PC sample; 0: not known */
	double spread;			/* ticks that a single duration may be off; 0: not given */
	double skew;			/* ticks that are off each duration, of a node that takes
					 * back its hooks' time; 0: of another */
	double cost;			/* ticks of an empty call, hooks and all; 0: not given */
	uint64_t bucket_below[WIRE_BUCKETS - 1];	/* ticks; all 0: not given */
	uint64_t max_sites;		/* the node's capacity; 0: unknown */
	bool gathers;			/* wsn: rows come in turn, of unlike age (noise.h); samples
					 * in the runtime make one row, "(wsnprof)" */
	bool together;			/* these do not: a simulator's are of one time */
	bool correct;			/* subtract the own cost of INGA's profiler (estimate) */
	bool table_full;		/* sites may be missing */
	bool incomplete;		/* the newest report was cut short */
	uint8_t cycles_by;		/* enum profile_cycles: where `cycles` is from */
};

enum { PROFILE_TERMS_BYTES = offsetof(struct profile_terms, cycles_by) + sizeof(uint8_t) };

_Static_assert(PROFILE_TERMS_BYTES == (7 + WIRE_BUCKETS - 1) * 8 + 5 * sizeof(bool) + 1,
	       "no gap between the members, whose bytes would be undefined");

static inline bool profile_terms_same(const struct profile_terms *a, const struct profile_terms *b)
{
	return memcmp(a, b, PROFILE_TERMS_BYTES) == 0;
}

#define PROFILE_ROUGH 0.05		/* of a self time: a larger error is marked */

/* Its self time is an estimate, or not known because calls are missing. */
static inline bool profile_self_rough(const struct profile_function *f)
{
	return f->incomplete || f->self_slack_s > PROFILE_ROUGH * f->self_s;
}

/* It may be off by as much as it is. */
static inline bool profile_self_unsure(const struct profile_function *f)
{
	return f->self_s > 0 && f->self_slack_s >= f->self_s;
}

/* False for a function known only as a caller, which gprof's flat profile leaves out too. */
static inline bool profile_measured(const struct profile_function *f)
{
	return f->called || f->samples || (f->time != PROFILE_TIME_NONE && f->self_s != 0);
}

static inline bool profile_has_address(const struct profile_function *f)
{
	return f->address < PROFILE_RUNTIME;
}

/*
 * The shortest and longest call are known. Where no call was completed min > max: in the sentinels
 * of the node, and in ours.
 */
static inline bool profile_site_range(const struct profile_site *s)
{
	return s->timed && s->calls && s->min <= s->max && !(s->flags & ROW_BOUNDS);
}

/* No call was shorter or longer than these, which need not be calls of this window. */
static inline bool profile_site_bounds(const struct profile_site *s)
{
	return s->timed && s->calls && s->min <= s->max;
}

static inline bool profile_edge_range(const struct profile_edge *e)
{
	return e->timed && e->calls && e->min <= e->max;
}

#endif
