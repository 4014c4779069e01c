/*
 * profile: one profile of one node: its call sites and samples, and the functions and edges that
 * they make.
 *
 * Two layers (elements.h). The node's counts are kept raw, by address: sites (timed rows or counted
 * arcs) and sampled PCs; raw/feed.h takes them in. profile_compute() derives functions and edges
 * from them with the help of an image: self and inclusive time (INGA's profiler, IV-D), recursion
 * and cycles, time propagated over arcs for sampled functions as gprof does (Graham, Kessler,
 * McKusick 1982), rates over a sliding window.
 *
 * Nothing here knows packets or screens. All strings are the image's or the profile's own.
 * raw/copy.h makes a copy of a computed profile that stays as it is.
 *
 * Cost: profile_compute is linear in sites. bench_profile measures it, and that a million distinct
 * sites fit in 200 MB.
 */
#ifndef WSNTOP_PROFILE_PROFILE_H
#define WSNTOP_PROFILE_PROFILE_H

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/index.h"
#include "core/base/map.h"
#include "core/base/regex.h"
#include "core/image/image.h"
#include "core/profile/elements.h"

#define PROFILE_SETTLED 5		/* marks without new rows: later ones are new calls */

struct profile {
	const char *name;		/* of the report; "" for streams without names */
	struct profile_terms terms;
	bool named;			/* an image names callers: self times are known */
	bool dirty;			/* changed since profile_compute */
	bool picture;			/* of core/import: nothing is derived */
	uint64_t ticks_run;
	uint64_t num_sites;		/* rows that the newest report announced */
	size_t beyond;			/* rows behind those, not taken */
	double rate_calls;		/* calls a second, of all functions; NaN: not known */
	/* Calls from samples, of the whole profile (executions.h). */
	struct profile_ran {
		uint32_t count;		/* functions that have `ran` */
		uint32_t pairs;		/* callees that could be held against their callers */
		double spread;		/* the cycles' error, by these; NaN: not known */
		double doubt;		/* the least that the table of cycles is trusted to */
		double cycles;		/* a sample stands for so many; 0: not known */
		double apart;		/* these over those by what else tells them; NaN: nothing */
		enum profile_cycles by;
	} ran;
	double pace;			/* wsn: seconds of totals.run_s a second of wall time; NaN:
					 * not known */
	uint32_t generation;		/* reports taken */
	/*
	 * wsn, set by the caller: when the newest totals came (0: not given), and the time up to
	 * which the node has sent all its counts: rows left out had not changed by then.
	 */
	uint64_t heard_ns, told_ns;
	uint64_t began_ns;		/* set by the caller: when the run began; 0: not seen */
	uint64_t run_ns;		/* set by the caller: when ticks_run came */
	/*
	 * wsn, on the node's own clock: the run of the newest STATUS or row, of the newest STATUS
	 * and of that before; rows wait for several refreshes.
	 */
	uint64_t age_run, age_told, age_before;
	bool age_late;
	uint64_t age_common;		/* the run that all rows are taken to */

	struct profile_site *sites;	size_t site_count, site_cap;
	struct profile_pc *pcs;		size_t pc_count, pc_cap;
	struct profile_edge *edges;	size_t edge_count, edge_cap;
	struct profile_function *functions;	size_t function_count, function_cap;
	struct profile_path *paths;	size_t path_count, path_cap;
	struct profile_place *places;	size_t place_count, place_cap;
	struct profile_spent *spent;	size_t spent_count, spent_cap;
	struct profile_line *lines;	size_t line_count;	/* of a picture */
	/*
	 * Of a picture: only functions that match were written into it, with their edges' other
	 * ends by name alone; its totals are of all. NULL: all were.
	 */
	struct regex *filter;
	struct profile_totals totals;

	struct profile_fix *fixes;	/* by site; NULL: times are as the node gave them */
	size_t fix_count, fix_cap;	/* sites behind them have none */
	double spread;			/* ticks that a duration may be off, with fixes */

	/* private */
	double left;			/* ticks of ticks_run that are the hooks' */
	uint64_t asleep, asleep_base;	/* samples; those before the user's reset */
	double left_told;		/* of these: in the node's cost of a call, too */
	struct profile_base *site_base, *pc_base;	/* subtracted since a reset (raw.h) */
	size_t site_bases, pc_bases;	/* entries; sites and PCs behind them have no base */
	uint64_t run_base;
	bool running;			/* counts come as running totals: reports, wsn */
	struct profile_buckets *buckets, *bucket_base;	/* by site: shown, and subtracted */
	size_t bucket_count, bucket_cap, bucket_bases;	/* entries; sites behind them have none */
	struct profile_fine *fines;	/* by site */
	size_t fine_count, fine_cap;	/* entries; sites behind them have none */
	struct wire_depth *depths;	size_t depth_count, depth_cap;
	struct map depth_index;		/* by address */
	struct map spent_index;		/* likewise */
	struct profile_age *ages;	/* by site */
	size_t age_count, age_cap;	/* entries; sites behind them have none */
	bool mixed;			/* both arcs and call sites: a call may be counted twice */
	bool gone;			/* some site is ROW_GONE */
	bool grew;			/* wsn: new rows came since the last profile_mark */
	unsigned settled;		/* marks without new rows, up to PROFILE_SETTLED */
	uint64_t announced_samples;	/* of the newest report */
	const struct image *image;
	const struct profile *then;	/* names and edges by address from here; NULL: from the
					 * image */
	bool rebuild;			/* sites went, or another image: derive from the first site
					 * on */
	struct index site_index, edge_index;
	struct map pc_index, function_index;
	struct arena arena;
	uint32_t unnamed;		/* functions that are named by their address */
	uint32_t resolved_sites, resolved_pcs;	/* the first so many have their edge or function */
	uint32_t marks;			/* profile_mark calls since the last reset */
	uint64_t mark_ns[PROFILE_PAST];
	double paced_s;			/* profile_run_told() when pace began; then paced_ns */
	uint64_t paced_ns;
	unsigned resets, rebases, renames;	/* how many of each so far */
	uint64_t dropped;		/* counts that found no memory, or a full table */
};

int profile_init(struct profile *p, const char *name);	/* 0 or ERR_NOMEM */
void profile_release(struct profile *p);
void profile_reset(struct profile *p);		/* the node restarted: all counts are forgotten */

/*
 * The user's reset: counts from now on. The node's running totals go on; they are shown less their
 * present values. min and max cannot be split: they stay those since the node's start. 0, or
 * ERR_NOMEM with nothing changed.
 */
int profile_rebase(struct profile *p);

/*
 * A call of a function to itself, or within its cycle where only calls were counted: it is made
 * inside a call that the total counts already, and which part of that it took is not known. It has
 * a duration, but no total. (A timed call within a cycle of several took at most what its calls
 * took together.)
 */
static inline bool profile_call_inner(const struct profile *p, const struct profile_edge *e)
{
	return e->from == e->to ||
	       (!e->timed && e->from != PROFILE_NONE && p->functions[e->from].cycle &&
		p->functions[e->from].cycle == p->functions[e->to].cycle);
}

/* A site with the times that are shown: the plain program's, where the image tells them. */
struct profile_site profile_site_shown(const struct profile *p, uint32_t site);

/* Ticks that a single duration may be off; 0: not given. */
static inline double profile_spread(const struct profile *p)
{
	return p->fixes ? p->spread : p->terms.spread;
}

/* Names from now on; NULL: none. The next profile_compute resolves all addresses again. */
void profile_set_image(struct profile *p, const struct image *image);

/* Derives functions and edges from the raw counts. Does nothing when not dirty. 0 or ERR_NOMEM. */
int profile_compute(struct profile *p);

/* Seconds that were profiled, as the newest STATUS or report tells. */
double profile_run_told(const struct profile *p);

/* A moment for the rates: call about once a second, or at each report, with the time it arrived. */
void profile_mark(struct profile *p, uint64_t time_ns);

/* False: new rows may hold counts from long before the stream was connected. They have no rate. */
bool profile_settled(const struct profile *p);

/* A function's number by name or address, PROFILE_NONE if it is not in the profile. */
uint32_t profile_find_name(const struct profile *p, const char *name);
uint32_t profile_find_address(const struct profile *p, uint64_t address);	/* its first one */

/* Calls by duration of a site, an edge, a function. False: not known. Linear in sites. */
bool profile_site_buckets(const struct profile *p, uint32_t site, struct profile_buckets *sum);
bool profile_edge_buckets(const struct profile *p, uint32_t edge, struct profile_buckets *sum);
bool profile_function_buckets(const struct profile *p, uint32_t function,
			      struct profile_buckets *sum);

/* Adds the calls of a site to LENGTHS sums (lengths.h). False: not all durations are known so. */
bool profile_fine_add(const struct profile *p, uint32_t site, uint64_t *sum);

/* The first place of a function; place_count: it has none. Those of it follow each other. */
size_t profile_places(const struct profile *p, uint32_t function);

size_t profile_memory(const struct profile *p);		/* bytes of heap */

/* The figures are an estimate: --correct, and there were timed rows to subtract a cost from. */
static inline bool profile_estimated(const struct profile *p)
{
	return p->terms.correct && p->totals.time == PROFILE_TIME_TIMED;
}

/* A time as rows keep it: in units of 2^20 ns (1.05 ms), modulo 2^32 (52 days). */
static inline uint32_t profile_stamp(uint64_t ns)
{
	return (uint32_t)(ns >> 20);
}

#define PROFILE_RATE_LEAST 0.25		/* seconds: a shorter span gives no rate */

/*
 * CALLS/S and LOAD% of all views: what was counted in so many seconds, of which the newest rows
 * have not the last `age`.
 */
static inline double profile_rate(double counted, double seconds, double age)
{
	double least = seconds < PROFILE_RATE_LEAST ? seconds : PROFILE_RATE_LEAST;

	return counted / (seconds - age > least ? seconds - age : least);
}

static inline double profile_seconds(const struct profile *p, double ticks)
{
	return p->terms.ticks_per_second > 0 ? ticks / p->terms.ticks_per_second : 0;
}

#endif
