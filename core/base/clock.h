/*
 * clock: the host's clocks, and where another clock stands on the host's time axis.
 *
 * The host's are nanoseconds: monotonic ones that never go back, and the wall clock.
 *
 * A source of data (a node, a meter, a debug probe) stamps what it sends with ticks of a clock of
 * its own. `struct clock` maps them to the host's monotonic time with an uncertainty, from pairs of
 * (ticks, time of arrival) alone. Two sources of one node share the host's axis that way.
 *
 * Arrivals are late by the way's least delay, which one end alone cannot measure, and by a jitter
 * that is never negative. So the map is the line under all arrivals that is nearest to them
 * (S. Moon, P. Skelly, D. Towsley, "Estimation and Removal of Clock Skew from Network Delay
 * Measurements", INFOCOM 1999): the edge of their lower convex hull at their mean. It gives the
 * time at which a moment would have arrived with the least delay. That delay is not part of the
 * uncertainty.
 *
 * Kept are 32 slices of the last minute, each with its lowest point: 32 points are enough for the
 * line, and the drift of a minute is nearly straight. Memory is constant. A slower source has one
 * point a slice, and its slices last longer.
 *
 * The map holds as long as the clock runs. It begins again, without a guess, when ticks go back (a
 * reset) or jump ahead of their arrival, and when arrivals stay late for half a second and eight
 * arrivals: then the clock stood still. Before that the uncertainty includes the lateness, so that
 * it is true all the time.
 *
 * Figures (tests/unit/test_clock.c prints them): messages at random, 20 a second, 100 ppm off. The
 * error is within the uncertainty in 99.8 % of the moments or more. The uncertainty itself:
 *
 *	late by				after 10 s	60 s
 *	1 ms in the mean, exponential	0.17 ms		0.03 ms
 *	5 ms				0.9 ms		0.15 ms
 *	20 ms				4.1 ms		0.9 ms
 *	115,200 baud, read each 1 ms	2.5 ms		0.9 ms
 *	115,200 baud, read each 16 ms	7.0 ms		3.7 ms
 */
#ifndef WSNTOP_BASE_CLOCK_H
#define WSNTOP_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

uint64_t clock_now(void);		/* monotonic, ns */
uint64_t clock_wall(void);		/* since 1970, ns */

/* For poll(2): ms from `now` until `then`, rounded up, an hour at most; 0: it is past. */
int clock_ms_until(uint64_t then, uint64_t now);

/* The shorter of two waits in ms, of which -1 is the endless one. */
int clock_sooner(int a, int b);

/* --- another clock ---------------------------------------------------------------------------- */

/* When a clock stands still though time goes on. Such a clock has no map. */
enum clock_stands {
	CLOCK_STANDS_SLEEP = 1,		/* while the processor sleeps */
	CLOCK_STANDS_HOOKS = 2,		/* in the profiler's own code */
	CLOCK_STANDS_HANDLERS = 4,	/* in interrupt handlers */
	CLOCK_STANDS_STOPPED = 8,	/* while nothing is profiled, or the processor is halted */
};

/* Properties of a clock. */
struct clock_terms {
	uint64_t ticks_per_second;	/* nominal; 0: not known, there is no map */
	unsigned bits;			/* 8 to 64: it wraps at 2^bits */
	unsigned step;			/* ticks from one value to the next; 0 means 1 */
	unsigned ppm;			/* how far the rate may be off; 0: CLOCK_PPM */
	unsigned stands;		/* enum clock_stands */
};

enum {
	CLOCK_PPM = 100000,		/* an untrimmed RC oscillator */
	CLOCK_SLICES = 32,
	CLOCK_LEAST = 8,		/* arrivals before there is a map */
};

/* Points are (x, z): seconds of the source since base; by how much more of them arrived. */
struct clock_slice {
	double first;			/* x where it begins */
	double x, z;			/* the lowest point */
	double sum_x, sum_z;
	unsigned count;
};

/* Read-only outside clock.c, but for `restarts`. */
struct clock {
	struct clock_terms terms;
	double grain;			/* s */
	bool begun;
	unsigned restarts;		/* times that the map began again */
	uint64_t base_ticks, base_ns;
	uint64_t ticks, ns;		/* the newest, without wraps, and its arrival */
	struct {
		double x, z;
	} newest;			/* the last one of that arrival, not in a slice yet */
	struct clock_slice slice[CLOCK_SLICES];
	size_t slices;
	double width;			/* s */
	struct {
		unsigned count;
		double least;		/* s */
		uint64_t since_ns;
	} late;				/* arrivals in a row that are much too late */
	struct {
		unsigned count;		/* arrivals that it rests on */
		double offset, drift;
		double from, to;	/* x of the two that it touches */
		double from_error, to_error, drift_error;
		double gap;		/* between it and the lowest of the oldest, of the newest */
		double usual;		/* mean lateness */
	} line;
};

/* A moment on the host's monotonic clock. */
struct clock_moment {
	uint64_t ns;
	double uncertainty;		/* ns, to either side; NaN: not known, ns is no time */
};

/*
 * grain_ns: arrivals come in steps of so much (a USB frame: 1 ms), 0 if they do not. A source that
 * sends in step with them hides in it; it is always part of the uncertainty.
 */
void clock_init(struct clock *c, const struct clock_terms *terms, uint64_t grain_ns);

/* Is it a clock of these terms? False: the source has another one, clock_init begins with it. */
bool clock_has_terms(const struct clock *c, const struct clock_terms *terms);

/* Whether it will have a map after some arrivals. */
bool clock_has_map(const struct clock *c);

/*
 * Ticks as they came, with the time of arrival. The same ticks without wraps: they only grow, but
 * for what comes out of order. A gap longer than a wrap is bridged by the arrivals; a wrap must be
 * longer than 16 times the usual lateness, else the uncertainty is NaN.
 */
uint64_t clock_note(struct clock *c, uint64_t ticks, uint64_t arrival_ns);

/* `ticks` without wraps, as clock_note gave them. Before the map began (again): NaN. */
struct clock_moment clock_host(const struct clock *c, uint64_t ticks);

/*
 * By how much its seconds are longer than the host's: 1e-6 is 1 ppm slow. *error: to either side.
 */
double clock_drift(const struct clock *c, double *error);

#endif
