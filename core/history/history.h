/*
 * history: what a node said, kept over time: the past that the screen can go back to.
 *
 * A moment is taken about once a second (at each report, for streams of reports) and keeps what
 * changed since the one before: counts by address, the run time, the stream's own counters. So a
 * window, from one moment to another, is the sum of the moments in it. When the moments take more
 * than their bound, the older half is thinned: two neighbours become one, and nothing is forgotten
 * but when exactly it happened.
 *
 * Beside the moments the bytes themselves are kept as they came, with their times, up to a bound of
 * their own (the oldest go, and are counted), so that what was seen can still be written as a
 * recording (record.h) that replays it.
 *
 * What a window knows: calls, totals, samples, buckets: exactly. min and max of the calls in it:
 * only where they were passed in it (the node keeps them since its start); else not known.
 */
#ifndef WSNTOP_HISTORY_HISTORY_H
#define WSNTOP_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/profile/profile.h"
#include "core/wire/wire.h"

#define HISTORY_MOMENTS_BYTES (64u << 20)	/* bound of the moments of one profile */
#define HISTORY_STREAM_BYTES (32u << 20)	/* bound of the bytes kept of one node */
#define HISTORY_TREND 60			/* points of a trend */

struct history;

struct history_moment {
	uint64_t time_ns;		/* clock_now()'s clock, or a recording's */
	uint64_t length_ns;		/* since the moment before */
	double load;			/* share of the time that was profiled, 0..1; NaN not known */
	uint64_t calls, samples;	/* counted in it */
	uint64_t bytes, lost, bad;	/* of the stream, in it */
	bool began;			/* the node started anew in it */
	bool image;			/* the firmware became another one in it */
};

struct history *history_new(void);		/* NULL: out of memory */
void history_free(struct history *h);		/* NULL is fine */

/*
 * A moment ends now: what the profile holds more than at the last one. Computes the profile. Linear
 * in its call sites. 0 or ERR_NOMEM (the moment is joined to the next).
 */
int history_take(struct history *h, struct profile *p, const struct wire_stats *stats,
		 uint64_t time_ns);

/* The counters start anew (profile_reset), or count from here (profile_rebase): no difference. */
void history_restart(struct history *h, const struct profile *p, bool began);

/* Moments, oldest first. */
size_t history_count(const struct history *h);
bool history_moment(const struct history *h, size_t i, struct history_moment *m);
size_t history_at(const struct history *h, uint64_t time_ns);	/* the last one not later; 0 if none */

/*
 * The profile of the moments [from, to): computed, owned by the caller (profile_release and
 * mem_free: history_drop). Names come from the image at that time. NULL with the sentence.
 */
struct profile *history_window(const struct history *h, size_t from, size_t to, struct err *err);
void history_drop(struct profile *window);

/*
 * A function's share of the time over the last HISTORY_TREND moments that end with moment `last`
 * (SIZE_MAX: the newest), oldest first, NaN where not known; for what has calls only, calls a
 * second. How many are filled.
 */
size_t history_trend(const struct history *h, uint64_t address, size_t last,
		     float trend[HISTORY_TREND]);

/* The moment in which a function took most of the time: its number, or SIZE_MAX. */
size_t history_peak(const struct history *h, uint64_t address, double *share, double *rate);

size_t history_memory(const struct history *h);

/* --- the bytes --- */

struct stream;

struct stream *stream_new(void);
void stream_free(struct stream *s);
void stream_add(struct stream *s, uint64_t time_ns, const uint8_t *data, size_t n);
uint64_t stream_dropped(const struct stream *s);	/* bytes that are no longer kept */
uint64_t stream_kept(const struct stream *s);

/* All that is kept, as a recording; whole or not at all. */
int stream_save(const struct stream *s, const char *path, struct err *err);

#endif
