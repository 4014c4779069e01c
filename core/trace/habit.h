/*
 * trace/habit: when each event in a known call is, learned. Private to core/trace.
 *
 * Stamps below the top level are in calls that are told in full: the first time, and again behind
 * each FORGET. A habit keeps what these stamps told of a call, by the call's content, after its
 * tree has been forgotten. An event of the call's own (its call; each call that it makes, and that
 * one's return; its return) is a moment; between two of them is a part. A moment's time is the mean
 * of what stamps told, as a part of the call's time. Moments without a stamp are where the weights
 * of the parts between put them: those of gaps (pace.h), and habits of the calls in it.
 *
 *	habit.c		what is known of each call
 *	telling.c	events that an account passes -> habits
 */
#ifndef WSNTOP_TRACE_HABIT_H
#define WSNTOP_TRACE_HABIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"

enum {
	HABIT_PARTS = 4095,		/* a call with more has none */
	HABIT_BYTES = 1 << 24,		/* of all of them: then all are forgotten */
};

struct habit {
	uint32_t parts;			/* 2 * the calls that it makes + 1 */
	float took;			/* ticks of all parts, as far as is known */
	float mean;			/* what stamps told of that, */
	uint8_t runs, odd;		/* so often; others in a row */
	float *ticks;			/* of each part; the same allocation has */
	float *at;			/* when each was over, of 1, where stamps told it, */
	uint8_t *told;			/* and how often */
};

struct habits {
	struct habit *v;
	size_t count, cap;
	size_t bytes;			/* of their parts */
	unsigned forgotten;		/* times that all were: pointers to parts are void then */
	double unit;			/* ticks of a stamp's */
	struct map map;			/* key -> v */
};

/* A moment as it was told this time. */
struct moment {
	double clock;			/* ticks; the lane's own */
	float part, doubt;		/* of the part before it: ticks, if known; variance */
	bool told;			/* `clock` is that of a stamp */
};

void habits_init(struct habits *s);
void habits_release(struct habits *s);
size_t habits_memory(const struct habits *s);

/* NULL: none is known. */
const struct habit *habit_of(const struct habits *s, uint64_t key);

/* It ran, in so many ticks; when what is in it was is not known. */
void habit_ran(struct habits *s, uint64_t key, double ticks);

/* Variance of how long it takes. */
double habit_doubt(const struct habits *s, const struct habit *h);

/* A call with these moments was told. Without memory nothing is learned. */
void habit_learn(struct habits *s, uint64_t key, const struct moment *moments, size_t count);

#endif
