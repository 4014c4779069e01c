/*
 * profile: one profile of one node: call sites, samples, and the functions and edges they make.
 *
 * Two layers. What the node said is kept raw, by address: sites (timed rows or counted arcs) and
 * sampled PCs. profile_compute() derives functions and edges from it with an image's help: self and
 * inclusive time (INGA's profiler, IV-D), recursion and cycles, time propagated over arcs for
 * sampled functions as gprof does (Graham, Kessler, McKusick 1982), rates over a sliding window.
 *
 * Nothing here knows packets or screens. All strings are the image's or the profile's own.
 *
 * Cost: profile_add_arcs 36 instructions for an arc that is known; profile_compute is linear in
 * sites. bench_profile measures both, and that a million distinct sites fit in 200 MB.
 */
#ifndef WSNTOP_PROFILE_PROFILE_H
#define WSNTOP_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/index.h"
#include "core/base/map.h"
#include "core/image/image.h"
#include "core/wire/wire.h"

#define PROFILE_NONE UINT32_MAX
/* Addresses of what has none: rows that stand for many functions. */
#define PROFILE_RUNTIME (UINT64_C(1) << 32)	/* "(wsnprof)" */
#define PROFILE_REST (PROFILE_RUNTIME + 1)	/* without an image: beyond 65536 addresses */

#define PROFILE_PAST 10			/* seconds of the sliding window, one slot each */

/* Raw and resolved: one call site. */
struct profile_site {
	uint32_t from, to;		/* byte addresses as the stream gave them */
	uint64_t calls;
	uint64_t total;			/* ticks; 0 and meaningless when !timed */
	uint64_t min, max;		/* ticks; profile_site_range says whether they mean something */
	uint32_t edge;			/* PROFILE_NONE before profile_compute */
	uint32_t next;			/* next site of the same edge */
	uint32_t heard;			/* when it was last told: profile_heard(); 0: never */
	uint16_t flags;			/* ROW_* */
	bool timed;
	uint8_t kind;			/* enum wire_total_kind: TOTAL_SITE or TOTAL_ARC */
};

_Static_assert(sizeof(struct profile_site) == 56, "a million of them fit in 200 MB");

/* Calls of a site by their duration: below each of bucket_below, the rest last. */
struct profile_buckets {
	uint64_t calls[WIRE_BUCKETS];
};

/* Raw and resolved: samples at one PC. */
struct profile_pc {
	uint32_t pc;
	uint32_t function;		/* PROFILE_NONE: in none */
	uint64_t count;
	uint32_t heard;			/* when it was last told: as a site's */
};

/* Derived: all calls from one function to another. */
struct profile_edge {
	uint32_t from;			/* function; PROFILE_NONE: the caller lies in no function */
	uint32_t to;
	uint32_t sites;
	uint32_t first_site;
	uint32_t next_out, next_in;	/* chains of the caller's and of the callee's edges */
	bool timed;
	uint16_t flags;
	uint64_t calls;
	uint64_t total;			/* ticks, as summed by the node; recursive edges included as they are */
	uint64_t min, max;		/* ticks; profile_edge_range says whether they mean something */
	double total_s;			/* timed: total in seconds; else time propagated over this arc */
	double self_s;			/* untimed: the part of total_s that is the callee's own (gprof's "self") */
};

enum profile_time {
	TIME_NONE,			/* no time known: only called from, or counted */
	TIME_TIMED,			/* from the node's clock */
	TIME_SAMPLED,			/* from PC samples (self) and propagation (total) */
};

/* Derived: one function. NaN: not known. */
struct profile_function {
	const char *name, *file, *path;	/* file and path may be NULL */
	uint32_t line;
	uint32_t image_id;		/* IMAGE_NONE: no such function in the image, named by its address */
	uint64_t address;
	uint32_t first_out, first_in;	/* edges, PROFILE_NONE when there are none */
	uint32_t cycle;			/* 0: in none, else the cycle's number, from 1 */
	bool called;			/* some site has it as callee: calls is known */
	bool recursive;			/* calls itself */
	enum profile_time time;		/* where self_s and total_s come from */
	uint16_t flags;
	uint32_t sites;			/* call sites into it */
	uint64_t calls;			/* valid if called */
	uint64_t samples;
	int64_t self_ticks, total_ticks;	/* TIME_TIMED only; self can be negative in a torn report, and
						 * means nothing while self_s is not known */
	uint64_t min, max;		/* ticks over its edges; valid if has_minmax */
	bool has_minmax;
	double self_s, total_s;		/* NaN when time is TIME_NONE; self: of timed ones also without an image */
	double min_s, max_s;		/* NaN when not known */
	double rate_calls;		/* calls per second over the window; NaN while not known */
	double rate_self;		/* share of wall time spent in it itself, over the window; NaN likewise */
	struct { double self_s; uint64_t calls; } past[PROFILE_PAST];
};

static inline bool profile_has_address(const struct profile_function *f)
{
	return f->address < PROFILE_RUNTIME;
}

/* Running totals at the user's reset: the node goes on counting, the screen from here. */
struct profile_base {
	uint64_t calls, total;
};

struct profile_totals {
	uint64_t calls, samples;
	double self_s;			/* sum over all functions; NaN: unknown */
	/*
	 * What shares are of: the same without what is below 0. A caller's row and its callee's come
	 * one after the other: over an interval one's own time may be below 0, the other's too much.
	 */
	double shares_s;
	/* The same, but no more than run_s: "X s of Y s profiled". NaN: unknown. */
	double profiled_s;
	double run_s;			/* profiled time said by the node, or samples / hz; NaN unknown */
	enum profile_time time;		/* the source of most of what is shown */
	bool both;			/* timed and sampled data are present */
};

/*
 * How counts are to be read: the same counts with the same terms make the same figures and the same
 * noise. Assigned as a whole, so that no copy, window or snapshot lacks one. profile_terms_same
 * compares bytes: no gap may lie between the members.
 */
struct profile_terms {
	double ticks_per_second;	/* 0: not known */
	double hz;			/* of PC samples */
	double spread;			/* ticks that a single duration may be off; 0 not said */
	uint64_t bucket_below[WIRE_BUCKETS - 1];	/* ticks; all 0: not said */
	uint64_t max_sites;		/* the node's capacity; 0 unknown */
	bool gathers;			/* wsn: rows come in turn, of unlike age (noise.h); samples
					 * in the runtime make one row, "(wsnprof)" */
	bool correct;			/* subtract INGA's profiler's own cost (estimate) */
	bool table_full;		/* sites may be missing */
	bool incomplete;		/* the newest report was cut short */
};

enum { PROFILE_TERMS_BYTES = offsetof(struct profile_terms, incomplete) + sizeof(bool) };

_Static_assert(PROFILE_TERMS_BYTES == (4 + WIRE_BUCKETS - 1) * 8 + 4 * sizeof(bool),
	       "no gap between the members, whose bytes would be anything");

static inline bool profile_terms_same(const struct profile_terms *a, const struct profile_terms *b)
{
	return memcmp(a, b, PROFILE_TERMS_BYTES) == 0;
}

struct profile {
	const char *name;		/* of the report; "" for streams without names */
	struct profile_terms terms;
	bool named;			/* an image names the callers: only then is a timed function's self
					 * time known, which is without its callees' */
	bool dirty;			/* changed since profile_compute */
	uint64_t ticks_run;
	uint64_t num_sites;		/* rows that the newest report announced */
	size_t beyond;			/* rows behind those, not taken */
	double rate_calls;		/* of all functions, a second over the window; NaN while not known */
	uint32_t generation;		/* reports taken in */
	/*
	 * wsn, set by who feeds it: when the newest totals came (0: not said), and up to when the
	 * node is known to have told all that it counted: what was left out had not changed by then.
	 */
	uint64_t heard_ns, told_ns;
	uint64_t run_ns;		/* likewise: when ticks_run was told */

	struct profile_site *sites;	size_t site_count, site_cap;
	struct profile_pc *pcs;		size_t pc_count, pc_cap;
	struct profile_edge *edges;	size_t edge_count, edge_cap;
	struct profile_function *functions;	size_t function_count, function_cap;
	struct profile_totals totals;

	/* private */
	struct profile_base *site_base;	/* what the user reset away, by site; NULL: nothing */
	struct profile_base *pc_base;	/* likewise by PC */
	size_t site_bases, pc_bases;	/* entries; sites behind them have no base */
	uint64_t run_base;
	bool running;			/* counts come as running totals: reports, wsn */
	struct profile_buckets *buckets, *bucket_base;	/* by site: shown, and reset away */
	size_t bucket_count, bucket_cap, bucket_bases;	/* entries; sites behind them have none */
	bool mixed;			/* arcs and call sites both: a call may be told twice */
	bool gone;			/* some site is ROW_GONE */
	bool grew;			/* wsn: rows came that were not there at the last profile_mark */
	unsigned settled;		/* marks since without such */
	uint64_t announced_samples;	/* by the newest of these */
	const struct image *image;
	const struct profile *then;	/* names and edges come from this one's, by address; NULL: from the image */
	bool rebuild;			/* sites went or the image changed: derive everything anew */
	struct index site_index, edge_index;
	struct map pc_index, function_index;
	struct arena arena;
	uint32_t unnamed;		/* functions that are named by their address */
	uint32_t resolved_sites, resolved_pcs;	/* the first so many have their edge or function */
	uint32_t marks;			/* profile_mark calls since the last reset */
	uint64_t mark_ns[PROFILE_PAST];
	unsigned resets, rebases, renames;	/* times: profile_reset, profile_rebase, all derived anew */
	uint64_t dropped;		/* events lost to a failed allocation: counted, said */
};

int profile_init(struct profile *p, const char *name);	/* 0 or ERR_NOMEM */
void profile_release(struct profile *p);
void profile_reset(struct profile *p);			/* forget all: the node itself started anew */

/*
 * The user's reset: count from here on. Running totals that the node goes on sending are shown less
 * what they were; min and max, which cannot be taken apart, stay those since the node's start.
 * 0, or ERR_NOMEM with nothing changed.
 */
int profile_rebase(struct profile *p);

/* Names from here on; NULL: none. Everything is resolved anew at the next profile_compute. */
void profile_set_image(struct profile *p, const struct image *image);

/* Counted arcs and PC samples: each adds one. Addresses as on the wire. */
void profile_add_arcs(struct profile *p, const struct wire_arc *arcs, size_t n);
void profile_add_samples(struct profile *p, const uint32_t *pcs, size_t n);

/*
 * A report of running totals replaces what was there: rows renew their sites; sites that a complete
 * report does not name go, those that an incomplete one does not name stay, marked stale. 32-bit
 * counters that wrapped since the last report are carried on. `strict` (batch): the report by itself
 * and as announced: nothing stays of an older one, and rows beyond the announced number (a live
 * table grows while it is printed, by the printing) are counted in p->beyond, not taken.
 */
int profile_take_report(struct profile *p, const struct wire_report *report, bool strict);

/*
 * wsn (docs/PROTOCOL.md): who speaks, each time it is said; for how long was profiled (ticks); and
 * running totals, which replace what was there of the same kind and addresses. Kinds may mix. Of a
 * call that both a call site and an arc tell (the same return address, the same function) the site
 * counts. A handler (ROW_HANDLER) is called from no function: its edge's `from` is PROFILE_NONE, and
 * its time is in nobody's but its own, because the node took it out of what it interrupted. A total
 * that was not there when the stream was joined has no rate until the picture stands. What is ROW_GONE
 * is forgotten.
 */
void profile_take_hello(struct profile *p, const struct wire_hello *hello);
void profile_take_run(struct profile *p, uint64_t ticks);
int profile_take_totals(struct profile *p, const struct wire_total *totals, size_t n);

/* The node's counters began just now, before our eyes: what is new is new, not just unheard of. */
void profile_seen_from_start(struct profile *p);

/* False: rows that come for the first time may hold what was counted long before the stream was joined. */
bool profile_settled(const struct profile *p);

/* Calls by duration of a site, an edge, a function. False: not known. Linear in sites. */
bool profile_site_buckets(const struct profile *p, uint32_t site, struct profile_buckets *sum);
bool profile_edge_buckets(const struct profile *p, uint32_t edge, struct profile_buckets *sum);
bool profile_function_buckets(const struct profile *p, uint32_t function,
			      struct profile_buckets *sum);

/* Derive functions and edges from what is raw. Does nothing when not dirty. 0 or ERR_NOMEM. */
int profile_compute(struct profile *p);

/* A moment for the rates: call about once a second, or at each report, with the time it arrived. */
void profile_mark(struct profile *p, uint64_t time_ns);

/* A function by image id, name or address, PROFILE_NONE if it is not in the profile. */
uint32_t profile_find_name(const struct profile *p, const char *name);
uint32_t profile_find_address(const struct profile *p, uint64_t address);	/* the function's own */

/* Bytes of heap held. */
size_t profile_memory(const struct profile *p);

/* What is shown is an estimate: --correct, and there were timed rows to take a cost from. */
static inline bool profile_estimated(const struct profile *p)
{
	return p->terms.correct && p->totals.time == TIME_TIMED;
}

/*
 * Shortest and longest call are known. A node's own sentinels, for what never completed a call, and
 * ours, for what has none, lie the wrong way round.
 */
static inline bool profile_site_range(const struct profile_site *s)
{
	return s->timed && s->calls && s->min <= s->max;
}

static inline bool profile_edge_range(const struct profile_edge *e)
{
	return e->timed && e->calls && e->min <= e->max;
}

/* A time as rows keep it: in units of 2^20 ns (1.05 ms), modulo 2^32 (52 days). */
static inline uint32_t profile_stamp(uint64_t ns)
{
	return (uint32_t)(ns >> 20);
}

/* `heard` of a row that is told now: the number of its report, or the time of a total. */
static inline uint32_t profile_heard(const struct profile *p)
{
	return p->heard_ns ? profile_stamp(p->heard_ns) : p->generation;
}

static inline double profile_seconds(const struct profile *p, double ticks)
{
	return p->terms.ticks_per_second > 0 ? ticks / p->terms.ticks_per_second : 0;
}

/* So short that what a single time may be off by is a quarter of it, or more. */
static inline bool profile_is_rough(const struct profile *p, double seconds)
{
	return p->terms.spread > 0 && seconds < 4 * profile_seconds(p, p->terms.spread);
}

#endif
