/* The nodes of the tree, and ways through it: graph.h. */
#include <math.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/profile/tree/graph.h"

#define WHOLE 0.9995			/* a larger share counts as all */

uint64_t graph_start(bool inverted)
{
	return inverted ? 2 : 0;
}

uint64_t graph_path(const struct graph *g, uint64_t up, uint32_t function)
{
	return map_hash(up ^ map_hash(g->profile->functions[function].address + 1)) | 1;
}

/* Weight of the calls of a function from no function. */
static double from_outside(const struct graph *g, uint32_t function)
{
	const struct profile *p = g->profile;
	double sum = 0;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE;
	     i = p->edges[i].next_in)
		sum += p->edges[i].from == PROFILE_NONE ? graph_edge_weight(g, &p->edges[i]) : 0;
	return sum;
}

static double self_of(const struct profile_function *f, double share)
{
	return f->time == PROFILE_TIME_NONE ? NAN : f->self_s * share;
}

/* Called by other functions too: this root is only the part that is called from none. */
static void root_down(const struct graph *g, struct graph_node *n)
{
	const struct graph_weight *w = &g->weights[n->function];
	double part;

	n->value = w->all;
	if (w->outside && w->inside && w->all > 0) {
		part = from_outside(g, n->function);
		n->value = part < w->all ? part : w->all;
		n->share = n->value / w->all;
		n->calls *= n->share;
		n->shared = n->share < WHOLE;
	}
	n->self = self_of(&g->profile->functions[n->function], n->share);
	n->total = g->times ? n->value : NAN;
}

void graph_root(const struct graph *g, size_t root, struct graph_node *n)
{
	uint32_t function = g->roots[root];
	const struct profile_function *f = &g->profile->functions[function];

	*n = (struct graph_node){
		.path = graph_path(g, graph_start(g->inverted), function),
		.function = function, .share = 1, .calls = f->called ? (double)f->calls : NAN,
		.leaf = graph_first(g, function) == PROFILE_NONE,
	};
	if (!g->inverted) {
		root_down(g, n);
		return;
	}
	n->value = graph_root_weight(g, function);
	n->self = self_of(f, 1);
	n->total = f->time == PROFILE_TIME_NONE ? NAN : f->total_s;
}

void graph_alone(const struct graph *g, uint32_t function, struct graph_node *n)
{
	const struct profile_function *f = &g->profile->functions[function];
	double calls = f->called ? (double)f->calls : 0;

	*n = (struct graph_node){
		.path = graph_path(g, graph_start(g->inverted), function),
		.function = function, .share = 1, .calls = f->called ? calls : NAN,
		.value = g->inverted && !g->times ? calls : g->weights[function].all,
		.self = g->inverted ? NAN : self_of(f, 1),
		.leaf = graph_first(g, function) == PROFILE_NONE,
	};
	n->total = g->times ? n->value : NAN;
}

/* Bottom-up a recursive call and one from no function lead nowhere. */
static uint32_t edge_skip(const struct graph *g, uint32_t edge)
{
	const struct profile_edge *e = g->profile->edges;

	while (g->inverted && edge != PROFILE_NONE &&
	       (e[edge].from == PROFILE_NONE || e[edge].from == e[edge].to))
		edge = e[edge].next_in;
	return edge;
}

uint32_t graph_first(const struct graph *g, uint32_t function)
{
	const struct profile_function *f = &g->profile->functions[function];

	return edge_skip(g, g->inverted ? f->first_in : f->first_out);
}

uint32_t graph_next(const struct graph *g, uint32_t edge)
{
	const struct profile_edge *e = &g->profile->edges[edge];

	return edge_skip(g, g->inverted ? e->next_in : e->next_out);
}

uint32_t graph_end(const struct graph *g, uint32_t edge)
{
	return g->inverted ? g->profile->edges[edge].from : g->profile->edges[edge].to;
}

/* A node's part of all of its function: by its value, else by calls. */
static double share_of(const struct graph *g, const struct graph_node *n, double value)
{
	const struct profile_function *f = &g->profile->functions[n->function];
	double all = g->weights[n->function].all, share;

	if (all > 0)
		share = value / all;
	else
		share = f->calls ? n->calls / (double)f->calls : 0;
	return share < WHOLE ? share : 1;
}

/*
 * A value is at most the caller's, within which it is drawn. The rows of a node come in turn: a
 * callee's that came after its caller's may be more than it. What is written is as the node sent
 * it, as in all views. Only within a cycle the calls' sum counts some time twice.
 */
static void callee_node(const struct graph *g, const struct graph_node *up,
			const struct profile_edge *e, struct graph_node *n)
{
	const struct profile_function *f = &g->profile->functions[n->function];
	double sent = graph_edge_weight(g, e) * up->share;

	n->value = fmin(sent, up->value);
	if (f->cycle || f->recursive)
		sent = n->value;
	n->calls = (double)e->calls * up->share;
	n->shared = up->share < WHOLE;
	n->share = share_of(g, n, sent);
	n->self = self_of(f, n->share);
	n->total = g->times ? sent : NAN;
}

static void caller_node(const struct graph *g, const struct graph_node *up, uint32_t edge,
			struct graph_node *n)
{
	const struct profile_edge *e = &g->profile->edges[edge];
	double part = graph_fraction(g, up->function, edge);
	bool direct = up->depth == 0;

	n->value = up->value * part;
	n->share = up->share * part;
	n->self = up->self * part;
	n->total = direct && g->times ? e->total_s : up->total * part;
	n->calls = direct ? (double)e->calls : up->calls * part;
	n->shared = up->shared || g->weights[up->function].ways > 1;
}

/* The trace tells all ways through the node above: this one, or that there is none. */
static bool node_told(const struct graph *g, const struct graph_node *up, struct graph_node *n)
{
	const struct graph_told *t = graph_told_of(g, n->path);

	if (!t && (!graph_told_of(g, up->path) || graph_told_holds(g, up->path, n->function)))
		return false;
	n->calls = t ? t->calls : 0;
	n->total = t ? t->total : 0;
	n->self = t && t->self > 0 ? t->self : 0;
	n->value = fmin(g->inverted ? n->self : n->total, up->value);
	n->share = share_of(g, n, n->value);
	n->shared = false;
	return true;
}

void graph_below(const struct graph *g, const struct graph_node *up, uint32_t edge,
		 struct graph_node *n)
{
	uint32_t function = graph_end(g, edge);

	*n = (struct graph_node){
		.path = graph_path(g, up->path, function), .function = function,
		.depth = up->depth + 1, .leaf = graph_first(g, function) == PROFILE_NONE,
	};
	if (node_told(g, up, n))
		return;
	if (g->inverted)
		caller_node(g, up, edge, n);
	else
		callee_node(g, up, &g->profile->edges[edge], n);
}

int graph_compare(const void *a, const void *b, void *graph)
{
	const struct graph *g = graph;
	uint32_t na = *(const uint32_t *)a, nb = *(const uint32_t *)b;
	const struct profile_edge *ea = &g->profile->edges[na], *eb = &g->profile->edges[nb];
	double wa = graph_edge_weight(g, ea), wb = graph_edge_weight(g, eb);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	if (ea->calls != eb->calls)
		return ea->calls > eb->calls ? -1 : 1;
	return (graph_end(g, na) > graph_end(g, nb)) - (graph_end(g, na) < graph_end(g, nb));
}

static bool list_holds(uint32_t function, const uint32_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i] == function)
			return true;
	}
	return false;
}

/* The most expensive edge below a function that leads to none of those above. */
static uint32_t edge_most_expensive(const struct graph *g, uint32_t function, const uint32_t *above,
				    size_t n)
{
	uint32_t best = PROFILE_NONE, e = graph_first(g, function);

	for (; e != PROFILE_NONE; e = graph_next(g, e)) {
		if (best != PROFILE_NONE && graph_compare(&e, &best, (void *)(uintptr_t)g) > 0)
			continue;
		if (!list_holds(graph_end(g, e), above, n))
			best = e;
	}
	return best;
}

size_t graph_hottest(const struct graph *g, uint32_t *way, size_t max)
{
	size_t n = 0;
	uint32_t e;

	if (g->root_count == 0 || max == 0)
		return 0;
	way[n++] = g->roots[0];
	while (n < max) {
		e = edge_most_expensive(g, way[n - 1], way, n);
		if (e == PROFILE_NONE)
			break;
		way[n++] = graph_end(g, e);
	}
	return n;
}

static void way_reverse(uint32_t *way, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t other = way[i];

		way[i] = way[n - 1 - i];
		way[n - 1 - i] = other;
	}
}

size_t graph_way(const struct graph *g, uint32_t function, uint32_t *way, size_t max)
{
	const struct profile *p = g->profile;
	size_t n = 0;

	if (!p || function >= p->function_count)
		return 0;
	if (g->inverted) {
		way[0] = function;
		return list_holds(function, g->roots, g->root_count);
	}
	for (;;) {
		if (n == max)
			return 0;
		way[n++] = function;
		if (g->via[function] >= GRAPH_VIA_UNSEEN)
			break;
		function = p->edges[g->via[function]].from;
	}
	way_reverse(way, n);
	return n;
}

/* --- time through matching functions ---------------------------------------------------------- */

#define UNSEEN (-1.0)

/* hit: by function, the share of its value spent in matches; on the stack: the sum so far. */
struct through {
	const struct graph *g;
	bool (*matches)(void *ctx, uint32_t function);
	void *ctx;
	double *hit;
	uint32_t *edge, *stack;		/* by function its next edge; the way down */
	size_t depth;
};

static void through_enter(struct through *t, uint32_t function)
{
	bool match = t->matches(t->ctx, function);

	t->hit[function] = match;
	t->edge[function] = match ? PROFILE_NONE : graph_first(t->g, function);
	t->stack[t->depth++] = function;
}

/* A value is apportioned alike on every path, so that each function is visited once. */
static double through_of(struct through *t, uint32_t function)
{
	if (t->hit[function] == UNSEEN)
		through_enter(t, function);
	while (t->depth) {
		uint32_t at = t->stack[t->depth - 1], e = t->edge[at], end;

		if (e == PROFILE_NONE) {
			t->hit[at] = t->hit[at] < 1 ? t->hit[at] : 1;
			t->depth--;
			continue;
		}
		end = graph_end(t->g, e);
		if (t->hit[end] == UNSEEN) {
			through_enter(t, end);
			continue;
		}
		t->hit[at] += graph_fraction(t->g, at, e) * t->hit[end];
		t->edge[at] = graph_next(t->g, e);
	}
	return t->hit[function];
}

double graph_through(const struct graph *g, bool (*matches)(void *ctx, uint32_t function),
		     void *ctx)
{
	size_t n = g->profile->function_count, hits = 0, edges = 0, stacks = 0;
	struct through t = { .g = g, .matches = matches, .ctx = ctx };
	struct graph_node root;
	double sum = NAN;

	if (mem_grow(&t.hit, &hits, n, sizeof(*t.hit)) < 0 ||
	    mem_grow(&t.edge, &edges, n, sizeof(*t.edge)) < 0 ||
	    mem_grow(&t.stack, &stacks, n, sizeof(*t.stack)) < 0)
		goto out;
	for (size_t i = 0; i < n; i++)
		t.hit[i] = UNSEEN;
	sum = 0;
	for (size_t i = 0; i < g->root_count; i++) {
		graph_root(g, i, &root);
		sum += root.value * through_of(&t, root.function);
	}
	sum = g->whole > 0 ? sum / g->whole : 0;
out:
	mem_free(t.hit);
	mem_free(t.edge);
	mem_free(t.stack);
	return sum;
}
