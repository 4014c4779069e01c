/*
 * history: a node's past, which the screen can go back to.
 *
 * A moment is taken about once a second (for streams of reports at each report) and keeps the
 * changes since the moment before: counts by address, the run time, the stream's own counters. A
 * window, from one moment to another, is the sum of its moments. When the moments exceed their
 * bound two neighbours are joined, first those that are short for their age: the past gets coarser
 * the older it is, and only the exact time of a change is lost.
 *
 *	before | moment | moment | moment | moment |     seconds apart, older ones minutes
 *
 * `before` is what the node had counted when it was connected: a window that begins with the first
 * moment includes it. A restart of the node, the user's reset and another firmware are boundaries.
 * With another firmware the addresses change their meaning: the functions that they belonged to are
 * kept, and a window never spans two images: it begins where the time of its last image began.
 *
 * Calls, totals, samples and buckets of a window are exact. min and max of its calls are known only
 * where the node's own (since its start) were passed in it. Where the longest call is in the window
 * and the shortest is not, min is given as a lower bound.
 *
 * Trends, peaks and load of a function are made of its rows' paces (pace.c): a row that a slow line
 * brings every third second is spread over three.
 *
 * Cost (bench_history, callgrind): a moment of 10,000 call sites, all of them changed: 6.0 million
 * instructions and 81 kB; none of them changed: 1.7 million. A window: linear in its changes.
 *
 * The bytes themselves, as they came, are kept by stream.h.
 */
#ifndef WSNTOP_HISTORY_HISTORY_H
#define WSNTOP_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/budget.h"
#include "core/base/err.h"
#include "core/profile/profile.h"
#include "core/wire/wire.h"

#define HISTORY_MOMENTS_BYTES (64u << 20)	/* bound of the moments of all profiles together */
#define HISTORY_MOMENTS 16384			/* and of their number */
#define HISTORY_ADDRESSES (1u << 20)		/* call sites, and PCs, that it knows at most */
#define HISTORY_STREAM_BYTES (32u << 20)	/* bound of the bytes kept of all nodes together */
#define HISTORY_TREND 60			/* points of a trend */

struct history;

struct history_moment {
	uint64_t time_ns;	/* its end: clock_now()'s clock, or a recording's; they ascend */
	uint64_t length_ns;	/* since the moment before; 0: the first one's is not known */
	double load;		/* share of wall time that was profiled, 0..1; NaN not known */
	uint64_t calls, samples;	/* counted in it */
	uint64_t bytes, lost, bad;	/* of the stream, in it */
	bool began;			/* the node restarted in it */
	bool reset;			/* counts begin with it: a restart, or the user's reset */
	bool image;			/* another firmware began in it */
	bool gone;			/* the node was disconnected in it */
};

struct history *history_new(void);		/* NULL: out of memory */
void history_free(struct history *h);		/* NULL is fine */

/* When the node was connected: the first moment's length is counted from there. */
void history_begin(struct history *h, uint64_t time_ns);

/*
 * Ends a moment: takes the profile's changes since the last one. Computes the profile. Sees by
 * itself that the counters were reset (profile_reset, profile_rebase); call it before such a reset
 * too, so that no count is lost. Linear in call sites. 0, or ERR_NOMEM: the changes that did not
 * fit in memory go to the next moment.
 */
int history_take(struct history *h, struct profile *p, const struct wire_stats *stats,
		 uint64_t time_ns);

/*
 * Names come from this image from now on (NULL: none). Call it before the old image is freed, and
 * whenever profile_set_image is called. Moments taken just after a restart belong to the new image
 * already: a node names its firmware a little after its start.
 */
void history_image(struct history *h, const struct image *image);

/* The node was disconnected: the next moment tells it. */
void history_gone(struct history *h);

/* Moments, oldest first. */
size_t history_count(const struct history *h);
bool history_moment(const struct history *h, size_t i, struct history_moment *m);

/* The moment that contains this time; the last one for a later time; 0 if there is none. */
size_t history_find(const struct history *h, uint64_t time_ns);

/* The moment with which the counts of moment i began: a restart, a reset, another image. */
size_t history_start(const struct history *h, size_t i);

/* Changes with every moment that is taken or joined. */
uint64_t history_serial(const struct history *h);
/* Of one that takes the place of another, whose moments others may still remember. */
void history_serial_begin(struct history *h, uint64_t serial);

/*
 * The profile of the moments [from, to): computed, owned by the caller (profile_drop). Names come
 * from the image of that time. NULL with the sentence. Its strings are its own; its image is the
 * present one or none: call profile_forget_image before that image is freed.
 */
struct profile *history_window(const struct history *h, size_t from, size_t to, struct err *err);

/*
 * Each function in its worst moment: calls, self and total a second in the moment in which it took
 * most of the time (had most calls, where no time is known). Functions only: no call sites, no
 * edges.
 */
struct profile *history_peaks(const struct history *h, struct err *err);

/*
 * A function's share of the time over the last HISTORY_TREND moments that end with moment `last`
 * (SIZE_MAX: the newest), oldest first, NaN where not known, as in a moment whose rows have counts
 * from before the connect; calls a second for a function without times. Returns the number of
 * points. The first call for a moment is linear in its changes.
 */
size_t history_trend(const struct history *h, uint64_t address, size_t last,
		     float trend[HISTORY_TREND]);

size_t history_memory(const struct history *h);		/* bytes of heap */
uint64_t history_lost(const struct history *h);		/* call sites and PCs beyond
							 * HISTORY_ADDRESSES */

/*
 * Histories and streams that share a budget stay within it together. Share before the first moment
 * or byte; the budget must outlive them. Without a budget each has the whole bound.
 */
struct history_budget {
	struct budget moments, bytes;		/* HISTORY_MOMENTS_BYTES, HISTORY_STREAM_BYTES */
};

void history_budget_init(struct history_budget *b);
/* Both from a quota, too: each a sixteenth of it in any case. Until history_part. */
void history_draw(struct history_budget *b, struct quota *quota);
void history_part(struct history_budget *b);
void history_share(struct history *h, struct history_budget *b);
size_t history_room(const struct history *h);	/* bytes that its moments may take at present */
void history_bound(struct history *h, size_t bytes, size_t moments);	/* instead of the above */

#endif
