/*
 * power: the current that a meter measured, on the meter's own clock.
 *
 * A tick is a sample of the meter: sample i was taken i / power_hz() seconds after sample 0 by the
 * meter's clock. Ticks only grow. A sample that the meter is known to have taken and that never
 * came is missing: it has a tick and no current. Amperes, seconds, coulombs.
 *
 * Samples are kept in blocks of 4,096, each with minimum, mean, maximum and count of 16 and 256
 * samples and of all; and a tree of 16 stands over the blocks. So power_span costs
 * O(log n) for a window of any length. Blocks without a sample take no memory.
 *
 * Memory is bounded (power_new). Beyond the bound older parts become coarser, oldest first: their
 * single samples go, then the figures of 16, then of 256, and whole blocks are joined at last. All
 * figures of a window remain right to `grain` ticks at its two ends, which power_span tells.
 *
 *	100,000 samples a second in 256 MB, about:
 *	last 5 minutes		each sample
 *	11 minutes		0.16 ms
 *	1.5 hours		2.6 ms
 *	5 hours			41 ms
 *
 * The meter's clock stands on the host's axis by a map of its own (core/base/clock.h). It begins
 * again when the meter was away (power_restart): the time that passed meanwhile has no ticks.
 *
 * Logic inputs of the meter (D0 to D7 of a PPK2) are kept as a list of their changes.
 */
#ifndef WSNTOP_POWER_POWER_H
#define WSNTOP_POWER_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"

#define POWER_BYTES ((size_t)256 << 20)
#define POWER_EDGES ((size_t)1 << 20)	/* kept; the older half goes when there are more */

struct power;

/* bytes: to be kept at most, 0: POWER_BYTES. NULL: out of memory. */
struct power *power_new(size_t bytes);
void power_free(struct power *p);

/* --- samples come ----------------------------------------------------------------------------- */

/*
 * Samples a second, nominal, and how far that may be off (0: CLOCK_PPM). Before the first sample.
 * Another rate later forgets all samples.
 */
void power_set_rate(struct power *p, double hz, unsigned ppm);

/*
 * Samples `first` to first + n - 1. Those between the newest and `first` are missing; what is at or
 * before the newest is left out. A current that is no number is missing, too. `logic`: inputs D0 to
 * D7 at each, or NULL. 0, or ERR_NOMEM: these samples are missing.
 */
int power_add(struct power *p, uint64_t first, const float *amps, size_t n, const uint8_t *logic);

/*
 * The newest sample to arrive then was that of this tick, which may not have been added yet.
 * grain_ns: as of clock_init, for the first call.
 */
void power_arrived(struct power *p, uint64_t newest, uint64_t arrival_ns, uint64_t grain_ns);

/* The meter was away: the map of what follows is a new one. */
void power_restart(struct power *p);

/* --- what there is ---------------------------------------------------------------------------- */

double power_hz(const struct power *p);			/* 0: not known (yet) */
uint64_t power_begin(const struct power *p);		/* tick of the first sample */
uint64_t power_end(const struct power *p);		/* behind the newest; begin: none came */
uint64_t power_count(const struct power *p);		/* samples that came */
uint64_t power_missing(const struct power *p);		/* that did not, of begin to end */
/* from here on each sample is kept; before it no more than figures of several */
uint64_t power_whole_from(const struct power *p);
size_t power_memory(const struct power *p);		/* bytes in use */

struct power_span {
	double min, mean, max;		/* A */
	double charge;			/* C: of the samples that came */
	uint64_t count, missing;	/* samples */
	uint64_t grain;			/* each end is right to so many ticks; 1: exactly */
};

/* Of the ticks from `from` to to - 1. False: no sample is there; all is 0 but `missing`. */
bool power_span(const struct power *p, uint64_t from, uint64_t to, struct power_span *span);

/* A single sample; NaN: missing, or no longer kept singly. */
float power_at(const struct power *p, uint64_t tick);

/* The inputs D0 (bit 0) to D7 are `bits` from this tick to the next edge's. */
struct power_edge {
	uint64_t tick;
	uint8_t bits;
};

/* In order. The first one is how the inputs stood when they were seen first. */
size_t power_edges(const struct power *p, const struct power_edge **edges);
uint64_t power_edges_gone(const struct power *p);	/* older ones that are not kept */

/* --- on the host's time ----------------------------------------------------------------------- */

/*
 * When a tick was on the host's monotonic clock. The uncertainty is that of the map; the least
 * delay of the meter's way is not in it (core/base/clock.h). NaN: there is no map (yet).
 */
struct clock_moment power_host(const struct power *p, uint64_t tick);

/*
 * And back: the tick at that time, with a fraction; *uncertainty in ticks, NaN: not known, the
 * tick is none. A time at which the meter was away has the tick at which it came back.
 */
double power_tick(const struct power *p, uint64_t host_ns, double *uncertainty);

/* The map at work: `restarts` counts how often a meter's clock began again. NULL: none yet. */
const struct clock *power_clock(const struct power *p);

#endif
