/*
 * health: how a node and its line fare, over time: what flows, what was lost, where the node's time
 * goes. For the node view; numbers only, no packets.
 *
 * One sample about a second; when there is no room left, two neighbours become one, so that the
 * whole time since the start is kept in a bounded space, the more coarsely the longer it is.
 *
 * A sample is the signed difference of its ends, so that samples add up to the difference of the
 * outer ends. The node's times are derived: a late row, a calibration or names that arrive late may
 * lessen them, which a later sample takes back. That counts restarted from 0 is never concluded
 * from a smaller total; `restarts` and `resets` tell it.
 *
 * The node's times are as old as the STATUS or report that brought them. So a node that is silent
 * or gone is not asleep: its time is not known, until a newer STATUS tells of all of it.
 */
#ifndef WSNTOP_NODE_HEALTH_H
#define WSNTOP_NODE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEALTH_SAMPLES 1024
#define HEALTH_STEP_NS UINT64_C(1000000000)

/* Counts, and times in seconds. */
enum health_figure {
	HEALTH_BYTES, HEALTH_EVENTS, HEALTH_LOST, HEALTH_BAD, HEALTH_DAMAGED,
	HEALTH_MISSING,			/* calls and samples that the node counted nowhere */
	HEALTH_CALLS,
	HEALTH_RUN,			/* the node's clock ran, handlers included */
	HEALTH_ISR,			/* in interrupt handlers */
	HEALTH_HOOKS,			/* what the hooks took and the run does not hold */
	HEALTH_SELF,			/* self time of all functions, handlers included */
	HEALTH_SLEEP,			/* self time of functions that halt the processor */
	HEALTH_FIGURES,
};

/* Running totals as they stand at a moment. */
struct health_now {
	uint64_t time_ns;		/* of the data: a recording's own */
	/* When the node told its run, handlers' and hooks' time; 0: it did not. */
	uint64_t told_ns;
	bool selfs;			/* self times of all functions are known */
	bool up;			/* the line is there */
	unsigned restarts;		/* of the node: changes when its counters began from 0 */
	unsigned resets;		/* of the profile: a restart, the user's reset */
	size_t profile;			/* which one it is: totals of two have no difference */
	double of[HEALTH_FIGURES];
};

/* What happened in a stretch of time. */
struct health_sample {
	double wall_s;
	double told_s;			/* of that the node's times are told of */
	double selfs_s;			/* of that self times are known of */
	double of[HEALTH_FIGURES];
	bool down;			/* the line was gone at its end */
};

struct health {
	struct health_sample samples[HEALTH_SAMPLES];
	size_t count;
	unsigned joined;		/* seconds that a sample spans, about */
	struct health_sample last;	/* being gathered */
	unsigned in_last;		/* seconds in it */
	/* The totals before; when the node last told its times; when self times were last known. */
	struct health_now before, told, selfs;
	bool begun;
};

void health_init(struct health *h);

/* Due? Then health_take. */
static inline bool health_is_due(const struct health *h, uint64_t time_ns)
{
	return !h->begun || time_ns >= h->before.time_ns + HEALTH_STEP_NS;
}

void health_take(struct health *h, const struct health_now *now);

/* Samples, the one being gathered included; oldest first. */
size_t health_count(const struct health *h);
struct health_sample health_sample(const struct health *h, size_t i);

/* Samples [from, to) in one. */
struct health_sample health_range(const struct health *h, size_t from, size_t to);

/* The last `seconds` of wall time, about, in one; negative: all. */
struct health_sample health_sum(const struct health *h, double seconds);

/* Between two times, in whole samples: those whose middle is there, else the one around it. */
struct health_sample health_between(const struct health *h, uint64_t begin_ns, uint64_t end_ns);

/*
 * Where the time went, as shares of the wall time (they add up to 1), in the order that all show:
 * in interrupt handlers, in profiled functions, in what is not profiled, in the hooks, asleep with
 * the node's clock standing still. Without self times (no image) DUTY_AWAKE is what is profiled or
 * not, and these are NaN; else it is NaN. All are NaN where the node did not tell how long it ran.
 */
enum health_duty {
	DUTY_HANDLERS, DUTY_PROFILED, DUTY_UNPROFILED, DUTY_AWAKE, DUTY_HOOKS, DUTY_ASLEEP, DUTIES,
};

void health_duty(const struct health_sample *s, double share[DUTIES]);

#endif
