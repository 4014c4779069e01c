#include "tui/view/flame/subtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define LEAST 0.001		/* of the node's value */
#define DEEPEST 200

void subtree_release(struct subtree *t)
{
	mem_free(t->rows);
	mem_free(t->at);
	mem_free(t->way);
	*t = (struct subtree){ 0 };
}

static double known_sum(double sum, double v)
{
	return isnan(v) ? sum : isnan(sum) ? v : sum + v;
}

static void node_add(struct subtree *t, const struct graph_node *n)
{
	uint32_t i = t->at[n->function];
	struct subtree_row *row;

	if (i == PROFILE_NONE) {
		if (mem_grow(&t->rows, &t->cap, t->count + 1, sizeof(*t->rows)) < 0)
			return;
		i = t->at[n->function] = (uint32_t)t->count++;
		t->rows[i] = (struct subtree_row){
			.function = n->function, .self = NAN, .calls = NAN };
	}
	row = &t->rows[i];
	row->value += n->value;
	row->self = known_sum(row->self, n->self);
	row->calls = known_sum(row->calls, n->calls);
	row->about |= n->shared;
}

static bool way_holds(const struct subtree *t, size_t n, uint32_t function)
{
	for (size_t i = 0; i < n; i++) {
		if (t->way[i] == function)
			return true;
	}
	return false;
}

/* `n` functions are on the way to this node, itself included. */
static void node_descend(struct subtree *t, const struct graph *g, const struct graph_node *up,
			 size_t n, double least)
{
	uint32_t e = graph_first(g, up->function);

	for (; e != PROFILE_NONE && t->looked < SUBTREE_NODES; e = graph_next(g, e)) {
		struct graph_node below;

		graph_below(g, up, e, &below);
		t->looked++;
		if (below.value <= least || n >= DEEPEST || way_holds(t, n, below.function))
			continue;
		node_add(t, &below);
		t->way[n] = below.function;
		node_descend(t, g, &below, n + 1, least);
	}
}

static void roots_descend(struct subtree *t, const struct graph *g, double least)
{
	for (size_t i = 0; i < g->root_count && t->looked < SUBTREE_NODES; i++) {
		struct graph_node root;

		graph_root(g, i, &root);
		t->looked++;
		if (root.value <= least)
			continue;
		node_add(t, &root);
		t->way[0] = root.function;
		node_descend(t, g, &root, 1, least);
	}
}

static int by_value(const void *a, const void *b)
{
	const struct subtree_row *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

int subtree_find(struct subtree *t, const struct graph *g, const struct graph_node *top,
		 const uint32_t *above, size_t n)
{
	size_t functions = g->profile->function_count;
	double least = LEAST * top->value;

	t->count = t->looked = 0;
	n = n < DEEPEST ? n : DEEPEST - 1;
	if (mem_grow(&t->at, &t->at_cap, functions, sizeof(*t->at)) < 0 ||
	    mem_grow(&t->way, &t->way_cap, DEEPEST + 1, sizeof(*t->way)) < 0)
		return ERR_NOMEM;
	memset(t->at, 0xff, functions * sizeof(*t->at));
	if (n)
		memcpy(t->way, above, n * sizeof(*t->way));
	if (top->function == PROFILE_NONE) {
		roots_descend(t, g, least);
	} else {
		t->way[n] = top->function;
		node_descend(t, g, top, n + 1, least);
	}
	if (t->count)
		qsort(t->rows, t->count, sizeof(*t->rows), by_value);
	return 0;
}
