#include "tui/view/forest.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define VIA_ROOT PROFILE_NONE
#define VIA_UNSEEN (PROFILE_NONE - 1)
#define NO_LINE UINT32_MAX
#define WAY_OUTSIDE 1			/* called from no function */
#define WAY_INSIDE 2			/* called from another function */
#define WHOLE 0.9995			/* a share above it is all */

void forest_init(struct forest *f)
{
	*f = (struct forest){ 0 };
	map_init(&f->fold);
}

void forest_release(struct forest *f)
{
	mem_free(f->lines);
	mem_free(f->ways);
	mem_free(f->via);
	mem_free(f->queue);
	mem_free(f->roots);
	mem_free(f->stack);
	map_release(&f->fold);
}

/* --- what things weigh ------------------------------------------------------------------------ */

static double positive(double v)
{
	return v > 0 ? v : 0;		/* NaN too */
}

static double edge_weight(const struct forest *f, const struct profile_edge *e)
{
	return f->times ? positive(e->total_s) : (double)e->calls;
}

/* All of a function: its inclusive time; what it called, where nobody measured itself. */
static double function_weight(const struct forest *f, uint32_t function)
{
	const struct profile *p = f->profile;
	const struct profile_function *fn = &p->functions[function];
	double sum = 0;

	if (f->times && fn->time != TIME_NONE)
		return positive(fn->total_s);
	if (!f->times && fn->called) {
		for (uint32_t i = fn->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
			sum += p->edges[i].from == function ? 0 : (double)p->edges[i].calls;
		return sum;
	}
	for (uint32_t i = fn->first_out; i != PROFILE_NONE; i = p->edges[i].next_out)
		sum += p->edges[i].to == function ? 0 : edge_weight(f, &p->edges[i]);
	return sum;
}

/* --- roots ------------------------------------------------------------------------------------ */

/* Along the edges as they lie in memory: chains would miss the cache once for each. */
static void ways_find(struct forest *f)
{
	const struct profile *p = f->profile;

	for (size_t i = 0; i < p->function_count; i++)
		f->ways[i] = 0;
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		if (e->from == PROFILE_NONE)
			f->ways[e->to] |= WAY_OUTSIDE;
		else if (e->from != e->to)
			f->ways[e->to] |= WAY_INSIDE;
	}
}

/* What enters a function from no function. */
static double from_outside(const struct forest *f, uint32_t function)
{
	const struct profile *p = f->profile;
	double sum = 0;

	for (uint32_t i = p->functions[function].first_in; i != PROFILE_NONE;
	     i = p->edges[i].next_in)
		sum += p->edges[i].from == PROFILE_NONE ? edge_weight(f, &p->edges[i]) : 0;
	return sum;
}

static void reach(struct forest *f, uint32_t function, uint32_t via)
{
	if (f->via[function] != VIA_UNSEEN)
		return;
	f->via[function] = via;
	f->queue[f->reached++] = function;
}

static void root_add(struct forest *f, uint32_t function)
{
	f->roots[f->root_count++] = function;
	reach(f, function, VIA_ROOT);
}

/*
 * Follow the arcs of what was reached since `from`; where all is reached there is no need to go on.
 */
static void reach_all(struct forest *f, size_t from)
{
	const struct profile *p = f->profile;

	for (size_t i = from; i < f->reached && f->reached < p->function_count; i++) {
		uint32_t e = p->functions[f->queue[i]].first_out;

		for (; e != PROFILE_NONE; e = p->edges[e].next_out)
			reach(f, p->edges[e].to, e);
	}
}

static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct forest *f = ctx;
	uint32_t fa = *(const uint32_t *)a, fb = *(const uint32_t *)b;
	double wa = function_weight(f, fa), wb = function_weight(f, fb);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return (fa > fb) - (fa < fb);
}

/* Cycles that nothing enters: the dearest function left is where to begin. */
static void roots_of_the_rest(struct forest *f)
{
	uint32_t *rest = f->queue + f->reached;
	size_t n = 0, at;

	for (uint32_t i = 0; i < f->profile->function_count; i++) {
		if (f->via[i] == VIA_UNSEEN)
			rest[n++] = i;
	}
	if (n == 0)
		return;
	if (mem_grow(&f->stack, &f->stack_cap, n, sizeof(*f->stack)) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		f->stack[i] = rest[i];
	qsort_r(f->stack, n, sizeof(*f->stack), by_weight, f);
	for (size_t i = 0; i < n; i++) {
		if (f->via[f->stack[i]] != VIA_UNSEEN)
			continue;
		at = f->reached;
		root_add(f, f->stack[i]);
		reach_all(f, at);
	}
}

static int roots_find(struct forest *f)
{
	size_t n = f->profile->function_count;

	if (mem_grow(&f->ways, &f->ways_cap, n, sizeof(*f->ways)) < 0 ||
	    mem_grow(&f->via, &f->via_cap, n, sizeof(*f->via)) < 0 ||
	    mem_grow(&f->queue, &f->queue_cap, n, sizeof(*f->queue)) < 0 ||
	    mem_grow(&f->roots, &f->root_cap, n, sizeof(*f->roots)) < 0)
		return ERR_NOMEM;
	f->root_count = f->reached = 0;
	for (uint32_t i = 0; i < n; i++)
		f->via[i] = VIA_UNSEEN;
	ways_find(f);
	for (uint32_t i = 0; i < n; i++) {
		if (f->ways[i] != WAY_INSIDE)
			root_add(f, i);
	}
	reach_all(f, 0);
	roots_of_the_rest(f);
	qsort_r(f->roots, f->root_count, sizeof(*f->roots), by_weight, f);
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

static uint64_t path_add(uint64_t path, uint64_t address)
{
	return map_hash(path ^ map_hash(address + 1)) | 1;
}

static bool is_ancestor(const struct forest *f, uint32_t line, uint32_t function)
{
	for (; line != NO_LINE; line = f->lines[line].parent) {
		if (f->lines[line].function == function)
			return true;
	}
	return false;
}

static bool is_open(const struct forest *f, const struct forest_line *l)
{
	uint32_t fold = map_get(&f->fold, l->path);

	if (l->leaf || l->again || l->depth + 1 >= FOREST_DEPTH)
		return false;
	return fold == MAP_NONE ? l->depth == 0 : fold == 1;
}

static uint32_t line_add(struct forest *f, const struct forest_line *l)
{
	struct forest_line *new;

	if (f->count >= FOREST_LINES ||
	    mem_grow(&f->lines, &f->cap, f->count + 1, sizeof(*f->lines)) < 0) {
		f->cut = true;
		return NO_LINE;
	}
	new = &f->lines[f->count];
	*new = *l;
	new->leaf = f->profile->functions[l->function].first_out == PROFILE_NONE;
	new->open = is_open(f, new);
	return (uint32_t)f->count++;
}

static uint32_t root_line(struct forest *f, uint32_t function)
{
	const struct profile_function *fn = &f->profile->functions[function];
	double all = function_weight(f, function), part;
	struct forest_line l = {
		.path = path_add(0, fn->address), .function = function, .parent = NO_LINE,
		.value = all, .share = 1, .calls = fn->called ? (double)fn->calls : NAN,
	};

	if (f->ways[function] == (WAY_OUTSIDE | WAY_INSIDE) && all > 0) {
		part = from_outside(f, function);
		l.value = part < all ? part : all;
		l.share = l.value / all;
		l.calls *= l.share;
		l.shared = l.share < WHOLE;
	}
	return line_add(f, &l);
}

/* What part of all that its function did a line stands for: by time, else by calls. */
static double share_of(const struct forest *f, uint32_t function, double value, double calls)
{
	const struct profile_function *fn = &f->profile->functions[function];
	double all = function_weight(f, function), share;

	if (all > 0)
		share = value / all;
	else
		share = fn->calls ? calls / (double)fn->calls : 0;
	return share < WHOLE ? share : 1;
}

static uint32_t child_line(struct forest *f, uint32_t parent, uint32_t edge)
{
	const struct profile_edge *e = &f->profile->edges[edge];
	const struct forest_line *up = &f->lines[parent];
	struct forest_line l = {
		.path = path_add(up->path, f->profile->functions[e->to].address),
		.function = e->to, .parent = parent, .depth = up->depth + 1,
		.value = edge_weight(f, e) * up->share, .calls = (double)e->calls * up->share,
		.shared = up->share < WHOLE,
	};

	if (f->times && l.value > up->value)
		l.value = up->value;
	l.again = is_ancestor(f, parent, e->to);
	l.share = share_of(f, e->to, l.value, l.calls);
	return line_add(f, &l);
}

static int by_edge_weight(const void *a, const void *b, void *ctx)
{
	const struct forest *f = ctx;
	const struct profile_edge *ea = &f->profile->edges[*(const uint32_t *)a];
	const struct profile_edge *eb = &f->profile->edges[*(const uint32_t *)b];
	double wa = edge_weight(f, ea), wb = edge_weight(f, eb);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	if (ea->calls != eb->calls)
		return ea->calls > eb->calls ? -1 : 1;
	return (ea->to > eb->to) - (ea->to < eb->to);
}

/* Push a function's outgoing edges, the dearest first; how many. */
static size_t push_edges(struct forest *f, uint32_t function)
{
	const struct profile *p = f->profile;
	size_t first = f->stack_count;

	for (uint32_t i = p->functions[function].first_out; i != PROFILE_NONE;
	     i = p->edges[i].next_out) {
		if (mem_grow(&f->stack, &f->stack_cap, f->stack_count + 1, sizeof(*f->stack)) < 0) {
			f->cut = true;
			break;
		}
		f->stack[f->stack_count++] = i;
	}
	if (f->stack_count > first)
		qsort_r(f->stack + first, f->stack_count - first, sizeof(*f->stack),
			by_edge_weight, f);
	return f->stack_count - first;
}

static void unroll(struct forest *f, uint32_t line)
{
	size_t first = f->stack_count, n;

	if (line == NO_LINE || !f->lines[line].open)
		return;
	n = push_edges(f, f->lines[line].function);
	for (size_t i = 0; i < n && !f->cut; i++)
		unroll(f, child_line(f, line, f->stack[first + i]));
	f->stack_count = first;
}

int forest_build(struct forest *f, const struct profile *p)
{
	double sum = 0;

	f->profile = p;
	f->times = p->totals.time != TIME_NONE;
	f->count = f->stack_count = 0;
	f->cut = false;
	if (p->function_count == 0)
		return 0;
	if (roots_find(f) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < f->root_count && !f->cut; i++) {
		uint32_t line = root_line(f, f->roots[i]);

		sum += line == NO_LINE ? 0 : f->lines[line].value;
		unroll(f, line);
	}
	f->whole = !f->times ? (double)p->totals.calls :
		   p->totals.self_s > sum ? p->totals.self_s : sum;
	return 0;
}

/* --- folding ---------------------------------------------------------------------------------- */

void forest_fold(struct forest *f, size_t line, bool open)
{
	if (line < f->count)
		map_put(&f->fold, f->lines[line].path, open);
}

/* A function on the way down, below a line that is there. */
struct way {
	const struct way *up;
	uint32_t function, line, depth;
	uint64_t path;
};

static bool on_way(const struct forest *f, const struct way *w, uint32_t function)
{
	for (; w; w = w->up) {
		if (w->function == function || is_ancestor(f, w->line, function))
			return true;
	}
	return false;
}

static void open_below(struct forest *f, const struct way *w, size_t *left)
{
	const struct profile *p = f->profile;

	if (*left == 0 || w->depth + 1 >= FOREST_DEPTH || map_put(&f->fold, w->path, 1) < 0)
		return;
	--*left;
	for (uint32_t i = p->functions[w->function].first_out; i != PROFILE_NONE;
	     i = p->edges[i].next_out) {
		uint32_t to = p->edges[i].to;
		struct way down = {
			w, to, NO_LINE, w->depth + 1,
			path_add(w->path, p->functions[to].address),
		};

		if (p->functions[to].first_out != PROFILE_NONE && !on_way(f, w, to))
			open_below(f, &down, left);
	}
}

void forest_open_all(struct forest *f, size_t line)
{
	size_t left = FOREST_OPENED;

	if (line < f->count && !f->lines[line].again) {
		struct way w = {
			NULL, f->lines[line].function, f->lines[line].parent, f->lines[line].depth,
			f->lines[line].path,
		};

		open_below(f, &w, &left);
	}
}

void forest_close_all(struct forest *f, size_t line)
{
	for (size_t i = line; i < f->count; i++) {
		if (i != line && f->lines[i].depth <= f->lines[line].depth)
			break;
		if (f->lines[i].open)
			forest_fold(f, i, false);
	}
}

uint64_t forest_reveal(struct forest *f, uint32_t function)
{
	const struct profile *p = f->profile;
	uint32_t way[FOREST_DEPTH];
	uint64_t path = 0;
	size_t n = 0;

	if (!p || function >= p->function_count)
		return 0;
	for (;;) {
		if (n == FOREST_DEPTH)
			return 0;
		way[n++] = function;
		if (f->via[function] >= VIA_UNSEEN)
			break;
		function = p->edges[f->via[function]].from;
	}
	while (n--) {
		path = path_add(path, p->functions[way[n]].address);
		if (n)
			map_put(&f->fold, path, 1);
	}
	return path;
}

size_t forest_find(const struct forest *f, uint64_t path)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->lines[i].path == path)
			return i;
	}
	return f->count;
}
