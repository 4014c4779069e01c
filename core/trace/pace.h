/*
 * trace/pace: how long what lies between two events takes. Private to core/trace.
 *
 * A function's time in itself falls into gaps: before the first call in it, between two, after the
 * last, or all of it where it calls nothing. A gap behind a call that calls nothing is another kind
 * than one behind a call that has a hook at its return. Each gap of each function has one duration,
 * its weight. Events between two stamps are put where the weights of the gaps between them say.
 *
 * Weights are learned: each two stamps with known calls between them, less what ran in between of
 * others, are an equation, the sum of the gaps' weights is the time between. All of them together
 * are solved by least squares, with a ridge: what no equation tells stays near the usual weight of
 * its kind. (No hook tells when a leaf returns: how a leaf and the gap behind it share their time
 * is not in the equations, but that hooks take time is known.)
 * They are solved again whenever there are half as many equations more.
 */
#ifndef WSNTOP_TRACE_PACE_H
#define WSNTOP_TRACE_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pace_gap {
	PACE_WHOLE, PACE_FIRST, PACE_BETWEEN, PACE_LAST, PACE_BETWEEN_LEAF, PACE_LAST_LEAF,
	PACE_TOLD,			/* of id 0: a hook takes so much more to tell a return */
	PACE_STRUCK,			/* of id 0: and a handler more than its stamps tell */
	PACE_GAPS,
};

/* The event before a gap. */
enum pace_from { PACE_FROM_RETURN, PACE_FROM_CALL, PACE_FROM_LEAF };

/* Calls that a call makes itself. */
struct pace_made {
	uint32_t calls;
	uint32_t leaves;		/* of them, twice, and 1 if the last is one */
};

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
	float usual;			/* the mean gap */
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

/* Of a gap that no equation tells, of the mean gap. */
static const float pace_share[PACE_GAPS] = {
	[PACE_WHOLE] = 1.25F, [PACE_FIRST] = 1, [PACE_BETWEEN] = 1.1F, [PACE_LAST] = 1.2F,
	[PACE_BETWEEN_LEAF] = 0.4F, [PACE_LAST_LEAF] = 0.8F, [PACE_TOLD] = 0.35F,
	[PACE_STRUCK] = 2,
};

static inline double pace_weight(const struct pace *p, uint32_t id, enum pace_gap gap)
{
	return (double)(id < p->ids ? p->of[id].gap[gap] : p->usual * pace_share[gap]);
}

/* From an event to the next, both in the same function. */
static inline enum pace_gap pace_gap_of(enum pace_from from, bool to_call)
{
	if (from == PACE_FROM_CALL)
		return to_call ? PACE_FIRST : PACE_WHOLE;
	if (from == PACE_FROM_LEAF)
		return to_call ? PACE_BETWEEN_LEAF : PACE_LAST_LEAF;
	return to_call ? PACE_BETWEEN : PACE_LAST;
}

static inline void pace_made_add(struct pace_made *m, bool leaf)
{
	m->calls++;
	m->leaves = (m->leaves & ~1U) + (leaf ? 3 : 0);
}

/* A call that made these: its own gaps. */
double pace_call_weight(const struct pace *p, uint32_t id, const struct pace_made *m);

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
void pace_tally_call(struct pace *p, uint32_t id, const struct pace_made *m, double count);
bool pace_learn(struct pace *p, double ticks, double unit);
void pace_drop(struct pace *p);		/* no equation */

#endif
