/*
 * trace/pace: how long what lies between two events takes. Private to core/trace.
 *
 * A function's time in itself falls into gaps: before the first call in it, between two, after the
 * last, or all of it where it calls nothing. Each gap of each function has one duration, its
 * weight. Events between two stamps are put where the weights of the gaps between them say.
 *
 * Weights are learned: each two stamps with known calls between them, less what ran in between of
 * others, are an equation, the sum of the gaps' weights is the time between. All of them together
 * are solved by least squares, with a ridge: what no equation tells stays near the usual weight.
 * They are solved again whenever there are half as many equations more.
 */
#ifndef WSNTOP_TRACE_PACE_H
#define WSNTOP_TRACE_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pace_gap { PACE_WHOLE, PACE_FIRST, PACE_BETWEEN, PACE_LAST, PACE_GAPS };

enum { PACE_IDS = 4096, PACE_ROWS = 1024, PACE_TALLIED = 256 };

/* A function's weights, and the rows of its equations + 1; 0: none. */
struct pace_of {
	float gap[PACE_GAPS];
	uint16_t row[PACE_GAPS];
};

/* Of the equations: a row a gap. sum[j], j <= the row's own: of products with row j. */
struct pace_row {
	double *sum;
	double right, weight;
	double count;			/* in the equation that is made */
	uint32_t id;
	enum pace_gap gap;
};

struct pace {
	struct pace_of *of;		/* by id */
	size_t ids, id_cap;
	float usual;			/* of gaps that no equation tells */
	uint32_t generation;		/* how often the weights changed */
	/* learning */
	struct pace_row *rows;
	size_t row_count, row_cap;
	uint32_t tallied[PACE_TALLIED];	/* rows that are in the equation that is made */
	size_t tally;
	bool blind;			/* it has parts that are not known */
	double gaps;			/* in it */
	uint64_t seen, learned, due;	/* equations; `due`: to be solved */
	double ticks, all_gaps;		/* of all learned ones */
};

void pace_init(struct pace *p);
void pace_release(struct pace *p);
size_t pace_memory(const struct pace *p);

static inline double pace_weight(const struct pace *p, uint32_t id, enum pace_gap gap)
{
	return (double)(id < p->ids ? p->of[id].gap[gap] : p->usual);
}

/* From an event to the next, both in the same function. */
static inline enum pace_gap pace_gap_of(bool from_call, bool to_call)
{
	return from_call ? to_call ? PACE_FIRST : PACE_WHOLE : to_call ? PACE_BETWEEN : PACE_LAST;
}

/* A call in which n others were made directly: its own gaps. */
static inline double pace_call_weight(const struct pace *p, uint32_t id, uint64_t n)
{
	if (!n)
		return pace_weight(p, id, PACE_WHOLE);
	return pace_weight(p, id, PACE_FIRST) + pace_weight(p, id, PACE_LAST) +
	       (double)(n - 1) * pace_weight(p, id, PACE_BETWEEN);
}

/* A call that is not looked into, with n in all. */
static inline double pace_closed_weight(const struct pace *p, uint64_t n)
{
	return n ? (2 * (double)n - 1) * (double)p->usual : 0;
}

/*
 * An equation: tally its gaps, then learn that they took so many ticks, told in units of `unit`
 * ticks. True: the weights changed. Tallies without memory make it blind; a blind one is dropped.
 */
bool pace_wants(struct pace *p);	/* false: enough are known, this one can be left out */
void pace_tally(struct pace *p, uint32_t id, enum pace_gap gap, double count);
void pace_tally_call(struct pace *p, uint32_t id, uint64_t children, double count);
bool pace_learn(struct pace *p, double ticks, double unit);
void pace_drop(struct pace *p);		/* no equation */

#endif
