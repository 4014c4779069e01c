/*
 * parts: what the files of the history share. Private to core/history.
 *
 * history.c	life, moments as they are asked for
 * take.c	a moment is taken; take_raw.c, take_function.c, pace.c: its steps (take.h)
 * thin.c	two neighbours become one
 * sums.c	moments added up: what windows and thinning are made of
 * window.c	a profile of some moments
 * ages.c	which image named the addresses when
 * trend.c	functions over time
 * stream.c	the bytes
 *
 * The changes of a moment are bytes, in three runs: call sites, PCs, functions. A run is records,
 * ended by a 0:
 *
 *	CHANGE_* bits | number, less the previous record's | a value for each bit
 *
 * Numbers are positions in the history's own lists, which only grow. Differences are signed: a
 * running total shrinks when an address leaves it (wire.h: ROW_GONE).
 */
#ifndef WSNTOP_HISTORY_PARTS_H
#define WSNTOP_HISTORY_PARTS_H

#include "core/base/buf.h"
#include "core/base/index.h"
#include "core/base/map.h"
#include "core/base/varint.h"
#include "core/history/history.h"

enum change {
	CHANGE_SEEN = 1,		/* in every record: none is 0 */
	CHANGE_CALLS = 2,		/* a site's, a function's; a PC's samples */
	CHANGE_TOTAL = 4,
	CHANGE_MIN = 8,			/* a call shorter than all before: its ticks */
	CHANGE_MAX = 16,		/* a longer one: min so far, then its ticks */
	CHANGE_BUCKETS = 32,		/* a bit mask of them, then each */
	CHANGE_SELF = 64,		/* a function's, float */
};

enum { RECORD_BYTES = 160 };		/* a record has fewer */

/* Increase of a row a unit of profile_stamp(), over the time of its last increment (pace.c). */
struct history_pace {
	uint32_t heard;			/* when it last came */
	uint32_t until;			/* when it should have come again */
	float calls, total;
	float part;			/* fraction of a call, carried to the next moment */
};

enum { HISTORY_TOLD = 3 };		/* complete refreshes that prove a row quiet (pace.c) */

/* A call site as it was last seen. */
struct history_site {
	uint32_t from, to;
	uint64_t calls, total, min, max;
	uint32_t stamp;			/* the take that saw it */
	struct history_pace pace;
	uint16_t flags;
	uint8_t kind;
	bool timed, seen;		/* seen since the counters began */
};

struct history_pc {
	uint32_t pc;
	uint64_t count;
	struct history_pace pace;
	bool seen;
};

/* A function, by its address in one image, in its worst moment. */
struct history_slot {
	uint64_t key;
	double share, rate;		/* in that moment; NaN not known */
	double self_s, total_s, calls;	/* a second, in that moment */
	double last_total_s;		/* the profile's at the last take; for sampled functions */
	uint64_t peak;			/* number of that moment; 0: none yet */
	bool timed;			/* its share is known, not only its calls */
};

struct history_kept {
	struct history_moment m;
	uint64_t run;			/* ticks */
	double seconds;			/* its length, else of the node's run; NaN not known */
	double self_s;			/* profiled in it; NaN not known */
	double sampled_s;		/* samples / hz */
	uint32_t age;
	uint32_t terms;			/* of the history's: they are few, moments share them */
	uint8_t *data;
	size_t size, functions_at;
	bool joined;			/* rows came with counts from before the connect */
};

/*
 * An age is the time of one image. While it lasts its image is borrowed; after it the functions are
 * those of `then`, a profile of all addresses that were known.
 */
enum { AGES = 32 };

struct history_age {
	const struct image *image;
	struct profile *then;
	uint64_t first;			/* number of its first moment */
};

struct history_trends {
	float *values;			/* slot * HISTORY_TREND + number % HISTORY_TREND */
	size_t slots;
	uint64_t serial;
	size_t count;			/* of the history's moments then */
	uint64_t last;			/* behind the newest moment in it; 0: nothing */
};

struct history {
	size_t bytes_max, moments_max;
	struct budget_member member;	/* of the moments of all */
	struct history_kept *moments;	size_t count, cap;
	struct profile_terms *terms;	size_t terms_count, terms_cap;
	struct history_age ages[AGES];	/* by number % AGES */
	uint32_t age, first_age;	/* the present one; the oldest whose names are kept */
	bool new_image;			/* the next moment begins it */
	bool gone;			/* the next moment tells that the node was disconnected */

	struct history_site *sites;	size_t site_count, site_cap;
	struct history_pc *pcs;		size_t pc_count, pc_cap;
	struct profile_buckets *buckets;	/* as last seen, by site */
	size_t bucket_count, bucket_cap;
	struct history_slot *slots;	size_t slot_count, slot_cap;
	struct index site_index;
	struct map pc_index, slot_index;

	/* what the node had counted before it was connected: records without the final 0 */
	struct buf before_sites, before_pcs;
	uint64_t before_site, before_pc;	/* the last one's number */
	uint64_t before_run;
	size_t before_compacted;	/* bytes after the last compaction */

	size_t bytes;			/* of all moments' data */
	uint64_t number;		/* of the newest moment */
	uint64_t serial, lost;
	uint32_t stamp;
	uint32_t sites_seen;		/* since the counters began */
	unsigned resets, rebases, renames;	/* of the profile, at the last take */
	uint64_t last_run, last_ns;
	uint32_t told[HISTORY_TOLD];	/* profile_stamp(told_ns) at the last takes, newest first */
	bool begun;
	struct wire_stats stats;
	char *name;			/* of the profile */
	struct history_trends *trends;
	/* by function of the profile, while a moment is taken */
	struct history_work *work;	size_t work_cap;
};

/* Counters of a hostile stream may hold anything: a sum stops at its limit instead of wrapping. */
static inline void count_add(int64_t *sum, int64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum))
		*sum = n > 0 ? INT64_MAX : INT64_MIN;
}

static inline void count_subtract(int64_t *sum, int64_t n)
{
	if (__builtin_sub_overflow(*sum, n, sum))
		*sum = n > 0 ? INT64_MIN : INT64_MAX;
}

/* --- sums of moments --- */

struct sum_site {
	int64_t calls, total;
	uint64_t min, max;
	uint8_t has;			/* CHANGE_* */
};

struct sum_function {
	float self_s;
	int64_t calls;
	uint8_t has;
};

struct sums {
	struct sum_site *sites;		size_t site_count;
	int64_t (*buckets)[WIRE_BUCKETS];	/* by site; NULL: none */
	int64_t *pcs;			size_t pc_count;
	uint8_t *pc_has;
	struct sum_function *functions;	size_t function_count;	/* NULL: not wanted */
};

int history_sums_init(struct sums *s, const struct history *h, bool functions);
void history_sums_release(struct sums *s);

/* Ticks are multiplied by `scale`. `buckets` false: theirs have other bounds. 0 or ERR_NOMEM. */
int history_sums_add(struct sums *s, const struct history_kept *k, double scale, bool buckets);
int history_sums_before(struct sums *s, const struct history *h, double scale, bool buckets);

/* Written as records of one moment. Returns where the run of functions begins. */
size_t history_sums_write(const struct sums *s, struct buf *out);
void history_sums_write_sites(const struct sums *s, struct buf *out, uint64_t *last);
void history_sums_write_pcs(const struct sums *s, struct buf *out, uint64_t *last);

/* Writes one site's record: the values of the CHANGE_* bits in `has`. Returns its length. */
size_t history_site_write(uint8_t to[RECORD_BYTES], int64_t step, const struct sum_site *s,
			  const int64_t bucket[WIRE_BUCKETS]);

/* The functions of a moment, one by one; false at the end. */
struct function_walk {
	const uint8_t *at;
	uint64_t slot;
	struct sum_function f;
};

void history_functions_begin(struct function_walk *w, const struct history_kept *k);
bool history_functions_next(struct function_walk *w);

/* --- ages --- */

/* NULL: the names of its time are not kept any more. */
struct history_age *history_age_of(const struct history *h, const struct history_kept *k);
bool history_age_same(const struct history *h, const struct history_kept *a,
		      const struct history_kept *b);
void history_ages_release(struct history *h);

/* --- thinning --- */

/* Joins moments until all are within their bounds, as far as there is memory for it. */
void history_thin(struct history *h);

/* --- functions --- */

#define HISTORY_SLOT_NONE UINT32_MAX

uint32_t history_slot_find(const struct history *h, uint32_t age, uint64_t address);
/* Created if there is none; HISTORY_SLOT_NONE: out of memory. */
uint32_t history_slot_get(struct history *h, uint32_t age, uint64_t address);

void history_trends_release(struct history *h);

static inline uint64_t history_site_key_of(const void *sites, uint32_t i)
{
	const struct history_site *s = &((const struct history_site *)sites)[i];

	return (uint64_t)s->from << 32 | s->to;
}

#endif
