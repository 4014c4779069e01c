/*
 * history: what a node said, kept over time: the past that the screen can go back to.
 *
 * A moment is taken about once a second (at each report, for streams of reports) and keeps what
 * changed since the one before: counts by address, the run time, the stream's own counters. So a
 * window, from one moment to another, is the sum of the moments in it. When the moments take more
 * than their bound two neighbours become one, those first that are short for their age, so that the
 * past gets coarser the farther it is away: nothing is forgotten but when exactly it happened.
 *
 *	before | moment | moment | moment | moment |     seconds apart, older ones minutes
 *
 * `before` is what a node had counted when it was joined: a window has it that begins with the
 * first moment. A node that starts anew, the user's reset and another firmware are boundaries.
 * Firmware that goes takes the meaning of the addresses with it: the functions that they then lay
 * in are kept, and a window is never of two images: it begins where the last one's time began.
 *
 * Beside the moments the bytes themselves are kept as they came, with their times, up to a bound of
 * their own (the oldest go, and are counted), so that what was seen can still be written as a
 * recording (record.h) that replays it.
 *
 * What a window knows: calls, totals, samples, buckets: exactly. min and max of the calls in it:
 * only where they were passed in it (the node keeps them since its start); else not known. Where
 * the longest call is among them and the shortest not, min is said as a lower bound.
 *
 * What a function did in a moment (trends, peaks, load) is made of its rows' paces (pace.c): a row
 * that a slow line brings every third second is spread over three.
 *
 * Cost (bench_history, callgrind): a moment of 10,000 call sites, all of them changed: 6.0 million
 * instructions and 81 kB; none of them changed: 1.7 million. A window: linear in
 * what changed in it.
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
	double load;		/* share of the time that was profiled, 0..1; NaN not known */
	uint64_t calls, samples;	/* counted in it */
	uint64_t bytes, lost, bad;	/* of the stream, in it */
	bool began;			/* the node started anew in it */
	bool reset;			/* the user's counts begin with it; also where `began` */
	bool image;			/* the firmware became another one in it */
};

struct history *history_new(void);		/* NULL: out of memory */
void history_free(struct history *h);		/* NULL is fine */

/* When the node was begun to be listened to: the first moment's length is from there. */
void history_begin(struct history *h, uint64_t time_ns);

/*
 * A moment ends now: what the profile holds more than at the last one. Computes the profile; that
 * its counters began anew (profile_reset, profile_rebase) it sees. To lose no count call it before
 * such a thing happens, too. Linear in call sites. 0 or ERR_NOMEM: what there was no memory for is in
 * the next moment.
 */
int history_take(struct history *h, struct profile *p, const struct wire_stats *stats,
		 uint64_t time_ns);

/*
 * Names are this image's from here on (NULL: none). Call it before the image that was goes, and
 * whenever profile_set_image is called. What was taken just after the node started anew is the new
 * firmware's already: who says what he runs says it a little later.
 */
void history_image(struct history *h, const struct image *image);

/* Moments, oldest first. */
size_t history_count(const struct history *h);
bool history_moment(const struct history *h, size_t i, struct history_moment *m);

/* The one that a time lies in; for a time past all, the last. 0 if there is none. */
size_t history_find(const struct history *h, uint64_t time_ns);

/* The moment with which the counts of moment i began: the node's start, a reset, another image. */
size_t history_start(const struct history *h, size_t i);

/* Changes with every moment that is taken or joined. */
uint64_t history_serial(const struct history *h);

/*
 * The profile of the moments [from, to): computed, owned by the caller (profile_drop). Names come
 * from the image at that time. NULL with the sentence. Its strings are its own; its image is the
 * living one or none: profile_forget_image before that goes.
 */
struct profile *history_window(const struct history *h, size_t from, size_t to, struct err *err);

/*
 * Each function at its worst: calls, self and total a second in the moment in which it took most of
 * the time (had most calls, where no time is known). It has functions and nothing else: no call
 * sites, no edges.
 */
struct profile *history_peaks(const struct history *h, struct err *err);

/*
 * A function's share of the time over the last HISTORY_TREND moments that end with moment `last`
 * (SIZE_MAX: the newest), oldest first, NaN where not known; for what has calls only, calls a
 * second. How many are filled. The first call for a moment is linear in what changed.
 */
size_t history_trend(const struct history *h, uint64_t address, size_t last,
		     float trend[HISTORY_TREND]);

size_t history_memory(const struct history *h);
uint64_t history_lost(const struct history *h);	/* call sites and PCs that there was no room for */

/*
 * All histories, and all streams, of a program that share a budget stay within it together. Join before the first moment
 * or byte; the budget outlives them. Alone each has the whole bound.
 */
struct history_budget {
	struct budget moments, bytes;
};

void history_budget_init(struct history_budget *b);	/* HISTORY_MOMENTS_BYTES, HISTORY_STREAM_BYTES */
void history_share(struct history *h, struct history_budget *b);
size_t history_room(const struct history *h);		/* bytes that its moments may take as things are */

/* Other bounds than HISTORY_MOMENTS_BYTES and HISTORY_MOMENTS. */
void history_bound(struct history *h, size_t bytes, size_t moments);

/* --- the bytes --- */

struct stream;

struct stream *stream_new(void);
void stream_free(struct stream *s);
void stream_share(struct stream *s, struct history_budget *b);
size_t stream_room(const struct stream *s);		/* bytes that it may take as things are */
void stream_bound(struct stream *s, size_t bytes);	/* another than HISTORY_STREAM_BYTES */
void stream_add(struct stream *s, uint64_t time_ns, const uint8_t *data, size_t n);
uint64_t stream_dropped(const struct stream *s);	/* bytes that are no longer kept */
uint64_t stream_kept(const struct stream *s);

/*
 * All that is kept, as a recording; whole or not at all. wall_ns: what is to be added to its times
 * for the wall clock.
 */
int stream_save(const struct stream *s, const char *path, int64_t wall_ns, struct err *err);

#endif
