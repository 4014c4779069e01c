/*
 * health: how a node and its line fare, over time: what flows, what was lost, where the node's time
 * goes. For the node view; numbers only, no packets.
 *
 * One sample about a second; when there is no room left, two neighbours become one, so that the
 * whole time since the start is kept in a bounded space, the more coarsely the longer it is.
 */
#ifndef WSNTOP_NODE_HEALTH_H
#define WSNTOP_NODE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEALTH_SAMPLES 1024
#define HEALTH_STEP_NS UINT64_C(1000000000)

/* Running totals as they stand at a moment; times in seconds. What is not known is 0. */
struct health_now {
	uint64_t time_ns;		/* of the data: a recording's own */
	uint64_t bytes, events, lost, bad, damaged;
	uint64_t missing;		/* calls and samples that the node counted nowhere */
	uint64_t calls;
	double run_s;			/* that the node's clock ran, handlers included */
	double isr_s;			/* in interrupt handlers */
	/* profiled: self time of all functions, handlers included */
	double self_s;
	double sleep_s;			/* self time of functions that put the processor to sleep */
	double hooks_s;			/* that the hooks took and the run does not hold */
	bool up;			/* the line was there */
};

/* What happened in a stretch of time. */
struct health_sample {
	double wall_s, run_s, isr_s, self_s, sleep_s, hooks_s;
	uint64_t bytes, events, lost, bad, damaged, missing, calls;
	bool down;			/* the line was gone at its end */
};

struct health {
	struct health_sample samples[HEALTH_SAMPLES];
	size_t count;
	unsigned joined;		/* seconds that a sample spans, about */
	struct health_sample last;	/* being gathered */
	unsigned in_last;		/* seconds in it */
	struct health_now before;
	bool begun;
};

void health_init(struct health *h);

/* Due? Then health_take. A total below the one before means that the node was reset. */
static inline bool health_is_due(const struct health *h, uint64_t time_ns)
{
	return !h->begun || time_ns >= h->before.time_ns + HEALTH_STEP_NS;
}

void health_take(struct health *h, const struct health_now *now);

/* Samples, the one being gathered included; oldest first. */
size_t health_count(const struct health *h);
struct health_sample health_sample(const struct health *h, size_t i);

/* The last `seconds` of wall time, about, in one; negative: all. */
struct health_sample health_sum(const struct health *h, double seconds);

/*
 * Where the time went, as shares of the wall time (they add up to 1): asleep with the node's clock
 * standing still, in interrupt handlers, in profiled functions, in what is not profiled, in the
 * hooks. All NaN where the node does not say how long it ran.
 */
enum health_duty { DUTY_ASLEEP, DUTY_HANDLERS, DUTY_PROFILED, DUTY_UNPROFILED, DUTY_HOOKS, DUTIES };

void health_duty(const struct health_sample *s, double share[DUTIES]);

#endif
