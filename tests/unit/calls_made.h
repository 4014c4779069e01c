/*
 * calls_made: a program of random calls in one lane, and the plain list of all its calls, as a walk
 * over the whole trace makes it.
 */
#ifndef WSNTOP_TESTS_CALLS_MADE_H
#define WSNTOP_TESTS_CALLS_MADE_H

#include "tests/unit/unit.h"

#include "tests/unit/trace_made.h"

enum { FUNCTIONS = 9 };

struct made_call {
	uint64_t begin, end;		/* ticks */
	uint32_t id, depth;
};

struct calls {
	struct made_call *v;
	size_t count, cap;
};

static void calls_add(struct calls *c, const struct made_call *call)
{
	if (c->count == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 1024;
		c->v = realloc(c->v, c->cap * sizeof(*c->v));
		if (!c->v)
			abort();
	}
	c->v[c->count++] = *call;
}

/* All calls that returned, in the order of their begins. */
static inline void calls_list(struct calls *c, const struct trace *t)
{
	struct trace_walk *w = trace_walk_new(t, 0);
	size_t open[DEPTH];
	struct trace_event e;

	assert_non_null(w);
	while (trace_walk_next(w, &e)) {
		if (e.kind == TRACE_CALL) {
			open[e.depth] = c->count;
			calls_add(c, &(struct made_call){ .begin = e.ticks, .id = e.id,
							  .depth = e.depth });
		} else if (e.kind == TRACE_RETURN) {
			c->v[open[e.depth]].end = e.ticks;
		}
	}
	trace_walk_free(w);
}

static void function_run(struct node *n, uint32_t id, unsigned noise)
{
	unsigned calls = id % 4, twist = node_random(n, 100) < noise ? node_random(n, 3) : 0;

	if (id >= FUNCTIONS || calls == 0) {
		node_leaf(n, id);
		return;
	}
	node_enter(n, id);
	for (unsigned i = 0; i < calls + twist; i++)
		function_run(n, id + 1 + (i + twist) % 3, noise);
	node_exit(n);
}

static inline struct node *program_run(unsigned rounds, unsigned noise, unsigned loss)
{
	struct node *n = node_new(5, loss);

	for (unsigned i = 0; i < rounds; i++) {
		function_run(n, 1 + i % 3, noise);
		n->ticks += 1000;
		if (n->count > FRAME)
			node_send(n);
	}
	while (n->count)
		node_send(n);
	return n;
}

#endif
