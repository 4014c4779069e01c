#include "core/profile/tree/graph.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"

void graph_release(struct graph *g)
{
	mem_free(g->roots);
	mem_free(g->weights);
	mem_free(g->via);
	mem_free(g->queue);
	mem_free(g->rest);
	graph_told_release(g);
	*g = (struct graph){ 0 };
}

/* --- weights ---------------------------------------------------------------------------------- */

static double value_positive(double v)
{
	return v > 0 ? v : 0;		/* NaN too */
}

/* Without times: the calls made below are in it, as callees' time is in inclusive time. */
double graph_edge_weight(const struct graph *g, const struct profile_edge *e)
{
	const struct graph_weight *to = &g->weights[e->to];

	if (g->times)
		return value_positive(e->total_s);
	if (g->inverted || e->from == e->to || to->in_calls <= 0)
		return (double)e->calls;
	return to->all * ((double)e->calls / to->in_calls);
}

static void edge_weigh(struct graph *g, const struct profile_edge *e)
{
	struct graph_weight *to = &g->weights[e->to];
	double weight = g->times ? value_positive(e->total_s) : (double)e->calls;

	if (e->from == e->to)
		return;
	to->in += weight;
	to->in_calls += (double)e->calls;
	to->ways++;
	if (e->from == PROFILE_NONE) {
		to->outside = true;
	} else {
		to->inside = true;
		g->weights[e->from].out += weight;
	}
}

static void function_enter(struct graph *g, uint32_t function, size_t *depth)
{
	const struct profile_function *f = &g->profile->functions[function];

	g->via[function] = 0;
	g->weights[function].all = f->called ? (double)f->calls : 0;
	g->rest[function] = f->first_out;
	g->queue[(*depth)++] = function;
}

/*
 * A function's calls and those made below it, depth first. g->queue is the way down, g->rest the
 * next edge of each function, g->via is 0 on the way down and 1 behind it. Edges back into the way
 * down are left out.
 */
static void calls_below_add(struct graph *g, uint32_t function)
{
	const struct profile_edge *edges = g->profile->edges;
	size_t depth = 0;

	function_enter(g, function, &depth);
	while (depth) {
		uint32_t at = g->queue[depth - 1], e = g->rest[at];

		if (e == PROFILE_NONE) {
			g->via[at] = 1;
			depth--;
		} else if (g->via[edges[e].to] == GRAPH_VIA_UNSEEN) {
			function_enter(g, edges[e].to, &depth);
		} else {
			if (g->via[edges[e].to] == 1)
				g->weights[at].all += graph_edge_weight(g, &edges[e]);
			g->rest[at] = edges[e].next_out;
		}
	}
}

static void calls_weigh(struct graph *g)
{
	size_t n = g->profile->function_count;

	for (size_t i = 0; i < n; i++)
		g->via[i] = GRAPH_VIA_UNSEEN;
	for (uint32_t i = 0; i < n; i++) {
		if (g->via[i] == GRAPH_VIA_UNSEEN)
			calls_below_add(g, i);
	}
}

/*
 * All of a function: its inclusive time; the sum of its callees where its own was not measured.
 * Goes along the edges in memory order: chains would miss the cache once an edge.
 */
static void functions_weigh(struct graph *g)
{
	const struct profile *p = g->profile;

	for (size_t i = 0; i < p->function_count; i++)
		g->weights[i] = (struct graph_weight){ 0 };
	for (size_t i = 0; i < p->edge_count; i++)
		edge_weigh(g, &p->edges[i]);
	if (!g->times) {
		calls_weigh(g);
		return;
	}
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		g->weights[i].all = f->time != PROFILE_TIME_NONE ? value_positive(f->total_s) :
			g->weights[i].out;
	}
}

double graph_fraction(const struct graph *g, uint32_t function, uint32_t edge)
{
	const struct profile_edge *e = &g->profile->edges[edge];
	const struct graph_weight *w = &g->weights[function];

	if (!g->inverted)
		return w->all > 0 ? graph_edge_weight(g, e) / w->all : 0;
	if (w->in > 0)
		return graph_edge_weight(g, e) / w->in;
	return w->in_calls > 0 ? (double)e->calls / w->in_calls : 0;
}

/* --- roots ------------------------------------------------------------------------------------ */

double graph_root_weight(const struct graph *g, uint32_t function)
{
	const struct profile_function *f = &g->profile->functions[function];

	if (!g->inverted)
		return g->weights[function].all;
	return g->times ? value_positive(f->self_s) : f->called ? (double)f->calls : 0;
}

static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct graph *g = ctx;
	uint32_t fa = *(const uint32_t *)a, fb = *(const uint32_t *)b;
	double wa = graph_root_weight(g, fa), wb = graph_root_weight(g, fb);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return (fa > fb) - (fa < fb);
}

static void function_reach(struct graph *g, uint32_t function, uint32_t via)
{
	if (g->via[function] != GRAPH_VIA_UNSEEN)
		return;
	g->via[function] = via;
	g->queue[g->reached++] = function;
}

static void root_add(struct graph *g, uint32_t function)
{
	g->roots[g->root_count++] = function;
	function_reach(g, function, GRAPH_VIA_ROOT);
}

/* Breadth first along the edges of the functions reached since `from`. */
static void functions_reach(struct graph *g, size_t from)
{
	const struct profile *p = g->profile;

	for (size_t i = from; i < g->reached && g->reached < p->function_count; i++) {
		uint32_t e = p->functions[g->queue[i]].first_out;

		for (; e != PROFILE_NONE; e = p->edges[e].next_out)
			function_reach(g, p->edges[e].to, e);
	}
}

/* Cycles that no root reaches: begin with the most expensive function left. */
static void roots_rest(struct graph *g)
{
	size_t n = 0, at;

	for (uint32_t i = 0; i < g->profile->function_count; i++) {
		if (g->via[i] == GRAPH_VIA_UNSEEN)
			g->rest[n++] = i;
	}
	if (n)
		qsort_r(g->rest, n, sizeof(*g->rest), by_weight, g);
	for (size_t i = 0; i < n; i++) {
		if (g->via[g->rest[i]] != GRAPH_VIA_UNSEEN)
			continue;
		at = g->reached;
		root_add(g, g->rest[i]);
		functions_reach(g, at);
	}
}

static void roots_down(struct graph *g)
{
	size_t n = g->profile->function_count;

	for (size_t i = 0; i < n; i++)
		g->via[i] = GRAPH_VIA_UNSEEN;
	for (uint32_t i = 0; i < n; i++) {
		if (g->weights[i].outside || !g->weights[i].inside)
			root_add(g, i);
	}
	functions_reach(g, 0);
	roots_rest(g);
}

static void roots_up(struct graph *g)
{
	const struct profile *p = g->profile;

	for (uint32_t i = 0; i < p->function_count; i++) {
		if (g->times ? p->functions[i].time != PROFILE_TIME_NONE : p->functions[i].called)
			g->roots[g->root_count++] = i;
	}
}

static double whole_of(const struct graph *g)
{
	const struct profile_totals *t = &g->profile->totals;
	struct graph_node n;
	double sum = 0;

	if (!g->times)
		return (double)t->calls;
	for (size_t i = 0; i < g->root_count; i++) {
		graph_root(g, i, &n);
		sum += n.value;
	}
	return t->self_s > sum ? t->self_s : sum;
}

int graph_build(struct graph *g, const struct profile *p, bool inverted)
{
	size_t n = p->function_count;

	g->profile = p;
	g->inverted = inverted;
	/* Without an image no self time is known: bottom-up is then by calls. */
	g->times = p->totals.time != PROFILE_TIME_NONE && !(inverted && isnan(p->totals.self_s));
	g->root_count = g->reached = 0;
	if (mem_grow(&g->weights, &g->weight_cap, n, sizeof(*g->weights)) < 0 ||
	    mem_grow(&g->via, &g->via_cap, n, sizeof(*g->via)) < 0 ||
	    mem_grow(&g->queue, &g->queue_cap, n, sizeof(*g->queue)) < 0 ||
	    mem_grow(&g->rest, &g->rest_cap, n, sizeof(*g->rest)) < 0 ||
	    mem_grow(&g->roots, &g->root_cap, n, sizeof(*g->roots)) < 0)
		return ERR_NOMEM;
	functions_weigh(g);
	if (inverted)
		roots_up(g);
	else
		roots_down(g);
	if (g->root_count)
		qsort_r(g->roots, g->root_count, sizeof(*g->roots), by_weight, g);
	g->whole = whole_of(g);
	return graph_told_build(g);
}
