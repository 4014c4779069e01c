#include "tui/view/flame/icicle.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"

void icicle_release(struct icicle *c)
{
	graph_release(&c->graph);
	mem_free(c->boxes);
	mem_free(c->row);
	*c = (struct icicle){ 0 };
}

/* Bottom-up every root is its own part; top-down what a function has for itself. */
static double own_of(const struct graph *g, uint32_t function)
{
	double own = g->times ? g->profile->functions[function].self_s :
		     (double)g->profile->functions[function].calls;

	return own > 0 ? own : 0;
}

int icicle_build(struct icicle *c, const struct profile *p, bool inverted)
{
	c->count = c->levels = 0;
	c->hottest = 0;
	c->focus = PROFILE_NONE;
	if (graph_build(&c->graph, p, inverted) < 0) {
		c->graph.root_count = 0;
		return ERR_NOMEM;
	}
	for (uint32_t i = 0; i < p->function_count; i++) {
		double own = own_of(&c->graph, i);

		c->hottest = own > c->hottest ? own : c->hottest;
	}
	return 0;
}

void icicle_focus(struct icicle *c, uint32_t function)
{
	c->focus = function;
}

/* --- chains ----------------------------------------------------------------------------------- */

static uint64_t box_address(const struct icicle *c, const struct icicle_box *b)
{
	return b->rest ? ICICLE_REST : c->graph.profile->functions[b->n.function].address;
}

static bool root_by_address(const struct icicle *c, uint64_t address, struct graph_node *n)
{
	const struct graph *g = &c->graph;

	for (size_t i = 0; i < g->root_count; i++) {
		if (g->profile->functions[g->roots[i]].address == address) {
			graph_root(g, i, n);
			return true;
		}
	}
	return false;
}

static bool below_by_address(const struct icicle *c, const struct graph_node *up,
			     uint64_t address, struct graph_node *n)
{
	const struct graph *g = &c->graph;
	uint32_t e = graph_first(g, up->function);

	for (; e != PROFILE_NONE; e = graph_next(g, e)) {
		if (g->profile->functions[graph_end(g, e)].address == address) {
			graph_below(g, up, e, n);
			return true;
		}
	}
	return false;
}

static struct graph_node all_of(const struct icicle *c)
{
	struct graph_node n;

	if (c->focus != PROFILE_NONE) {
		graph_alone(&c->graph, c->focus, &n);
		return n;
	}
	return (struct graph_node){
		.path = graph_start(c->graph.inverted), .function = PROFILE_NONE,
		.value = c->graph.whole, .share = 1, .self = NAN, .calls = NAN,
		.total = c->graph.times ? c->graph.whole : NAN,
		.leaf = c->graph.root_count == 0,
	};
}

/* Follow a chain as far as it exists; returns how far. */
static size_t chain_follow(const struct icicle *c, const struct icicle_chain *chain,
			   struct graph_node *n, uint32_t *functions)
{
	struct graph_node next;
	size_t i = 0;

	*n = all_of(c);
	for (; i < chain->n && i < ICICLE_LEVELS - 1; i++) {
		if (!(n->function != PROFILE_NONE ?
			  below_by_address(c, n, chain->address[i], &next) :
			  root_by_address(c, chain->address[i], &next)))
			break;
		*n = next;
		if (functions)
			functions[i] = next.function;
	}
	return i;
}

void icicle_chain_of(const struct icicle *c, uint32_t box, struct icicle_chain *chain)
{
	size_t level = c->boxes[box].level;

	*chain = c->zoom;
	chain->n += level;
	if (chain->n > ICICLE_LEVELS)
		chain->n = ICICLE_LEVELS;
	for (size_t i = chain->n; level--; box = c->boxes[box].up)
		chain->address[--i] = box_address(c, &c->boxes[box]);
}

static uint32_t box_below(const struct icicle *c, uint32_t box, uint64_t address)
{
	const struct icicle_box *b = &c->boxes[box];

	for (uint32_t i = b->first; i < b->first + b->count; i++) {
		if (box_address(c, &c->boxes[i]) == address)
			return i;
	}
	return ICICLE_NONE;
}

uint32_t icicle_find(const struct icicle *c, const struct icicle_chain *chain)
{
	uint32_t box = 0, next;

	for (size_t i = 0; i < c->zoom.n; i++) {
		if (i >= chain->n || chain->address[i] != c->zoom.address[i])
			return 0;
	}
	for (size_t i = c->zoom.n; i < chain->n && c->count; i++) {
		next = box_below(c, box, chain->address[i]);
		if (next == ICICLE_NONE)
			break;
		box = next;
	}
	return box;
}

uint32_t icicle_widest(const struct icicle *c, uint32_t function)
{
	uint32_t best = ICICLE_NONE;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct icicle_box *b = &c->boxes[i];

		if (!b->rest && b->n.function == function &&
		    (best == ICICLE_NONE || b->wide > c->boxes[best].wide))
			best = i;
	}
	return best;
}

uint32_t icicle_at(const struct icicle *c, size_t level, int x)
{
	if (level >= c->levels)
		return ICICLE_NONE;
	for (size_t i = c->level[level]; i < c->level[level + 1]; i++) {
		if (x >= c->boxes[i].x && x < c->boxes[i].x + c->boxes[i].width)
			return (uint32_t)i;
	}
	return ICICLE_NONE;
}

static void chain_of_way(const struct icicle *c, const uint32_t *way, size_t n,
			 struct icicle_chain *chain)
{
	chain->n = n;
	for (size_t i = 0; i < n; i++)
		chain->address[i] = c->graph.profile->functions[way[i]].address;
}

bool icicle_way(const struct icicle *c, uint32_t function, struct icicle_chain *chain)
{
	uint32_t way[ICICLE_LEVELS];

	chain_of_way(c, way, graph_way(&c->graph, function, way, ICICLE_LEVELS - 1), chain);
	return chain->n > 0;
}

bool icicle_hottest(const struct icicle *c, struct icicle_chain *chain)
{
	uint32_t way[ICICLE_LEVELS];

	chain_of_way(c, way, graph_hottest(&c->graph, way, ICICLE_LEVELS - 1), chain);
	return chain->n > 0;
}

size_t icicle_zoom_for(const struct icicle *c, const struct icicle_chain *chain, double share)
{
	struct icicle_chain part = *chain;
	struct graph_node end, n;

	chain_follow(c, chain, &end, NULL);
	for (part.n = 0; part.n < chain->n; part.n++) {
		chain_follow(c, &part, &n, NULL);
		if (end.value >= share * n.value)
			break;
	}
	return part.n;
}

/* --- boxes ------------------------------------------------------------------------------------ */

static uint32_t box_add(struct icicle *c, const struct icicle_box *b)
{
	if (mem_grow(&c->boxes, &c->cap, c->count + 1, sizeof(*c->boxes)) < 0)
		return ICICLE_NONE;
	c->boxes[c->count] = *b;
	return (uint32_t)c->count++;
}

static bool is_above(const struct icicle *c, uint32_t box, uint32_t function)
{
	for (size_t i = 0; i < c->zoom.n; i++) {
		if (c->above[i] == function)
			return true;
	}
	if (function == c->focus)
		return true;
	for (; box != ICICLE_NONE; box = c->boxes[box].up) {
		if (c->boxes[box].n.function == function)
			return true;
	}
	return false;
}

/* The nodes below a box, one by one. */
struct below {
	const struct graph *g;
	const struct graph_node *up;
	size_t root;
	uint32_t edge;
};

static struct below below_begin(const struct icicle *c, const struct graph_node *up)
{
	struct below b = { .g = &c->graph, .up = up, .edge = PROFILE_NONE };

	if (up->function != PROFILE_NONE)
		b.edge = graph_first(b.g, up->function);
	return b;
}

static bool below_next(struct below *b, struct graph_node *n)
{
	if (b->up->function == PROFILE_NONE) {
		if (b->root == b->g->root_count)
			return false;
		graph_root(b->g, b->root++, n);
		return true;
	}
	if (b->edge == PROFILE_NONE)
		return false;
	graph_below(b->g, b->up, b->edge, n);
	b->edge = graph_next(b->g, b->edge);
	return true;
}

static int by_value(const void *a, const void *b, void *ctx)
{
	const struct graph_node *na = a, *nb = b;

	(void)ctx;
	if (na->value != nb->value)
		return na->value > nb->value ? -1 : 1;
	return (na->function > nb->function) - (na->function < nb->function);
}

/* Columns a unit of value: reports that were torn can have more below than there is. */
static double scale_of(const struct icicle *c, const struct icicle_box *b)
{
	struct below below = below_begin(c, &b->n);
	struct graph_node n;
	double sum = 0;

	while (below_next(&below, &n))
		sum += n.value;
	sum = sum > b->n.value ? sum : b->n.value;
	return sum > 0 ? b->wide / sum : 0;
}

/* Those that have a column to themselves, into c->row; the others are added up in `rest`. */
static size_t row_gather(struct icicle *c, const struct graph_node *up, double scale,
			 struct icicle_box *rest)
{
	struct below below = below_begin(c, up);
	struct graph_node n;
	size_t count = 0;

	while (below_next(&below, &n)) {
		if (n.value * scale >= 1 &&
		    mem_grow(&c->row, &c->row_cap, count + 1, sizeof(*c->row)) == 0) {
			c->row[count++] = n;
		} else if (n.value > 0) {
			rest->n.value += n.value;
			rest->rest++;
		}
	}
	if (count)
		qsort_r(c->row, count, sizeof(*c->row), by_value, NULL);
	return count;
}

/* A box from `left` on; how far it goes. */
static double box_place(struct icicle *c, struct icicle_box *b, double left, double scale)
{
	double right = left + b->n.value * scale;

	b->left = left;
	b->wide = right - left;
	b->x = (int)lround(left);
	b->width = (int)lround(right) - b->x;
	if (b->width > 0)
		box_add(c, b);
	return right;
}

static void lay_below(struct icicle *c, uint32_t box)
{
	struct icicle_box up = c->boxes[box];
	struct icicle_box rest = {
		.up = box, .level = up.level + 1,
		.n = { .function = PROFILE_NONE, .depth = up.n.depth + 1, .self = NAN,
		       .total = NAN, .calls = NAN, .leaf = true, .shared = up.n.shared },
	};
	double scale = scale_of(c, &up), left = up.left;
	size_t n;

	if (up.rest || up.again || up.n.leaf)
		return;
	n = row_gather(c, &up.n, scale, &rest);
	c->boxes[box].first = (uint32_t)c->count;
	for (size_t i = 0; i < n; i++) {
		struct icicle_box b = { .n = c->row[i], .up = box, .level = up.level + 1 };

		b.again = is_above(c, box, b.n.function);
		left = box_place(c, &b, left, scale);
	}
	if (rest.rest)
		box_place(c, &rest, left, scale);
	c->boxes[box].count = (uint32_t)c->count - c->boxes[box].first;
}

void icicle_lay_out(struct icicle *c, const struct icicle_chain *zoom, int width)
{
	struct icicle_box top = { .up = ICICLE_NONE, .width = width, .wide = width };
	size_t most;

	c->count = c->levels = 0;
	c->zoom = *zoom;
	c->zoom.n = chain_follow(c, zoom, &top.n, c->above);
	for (size_t i = 0; i + 1 < c->zoom.n; i++)
		top.again |= c->above[i] == top.n.function;
	top.again |= c->zoom.n && c->focus == top.n.function;
	most = ICICLE_LEVELS - c->zoom.n;
	if (width <= 0 || box_add(c, &top) == ICICLE_NONE)
		return;
	for (size_t begin = 0; begin < c->count;) {
		size_t end = c->count;

		c->level[c->levels++] = begin;
		c->level[c->levels] = end;
		for (size_t i = begin; i < end && c->levels < most; i++)
			lay_below(c, (uint32_t)i);
		begin = end;
	}
}

double icicle_own(const struct icicle *c, const struct icicle_box *b)
{
	double own = c->graph.inverted ? b->n.value : c->graph.times ? b->n.self : b->n.calls;

	/* Above a focus callers have no part of their own: what they are in all. */
	if (c->focus != PROFILE_NONE && c->graph.inverted && b->n.function != PROFILE_NONE)
		own = own_of(&c->graph, b->n.function);
	if (b->rest || b->n.function == PROFILE_NONE || (b->again && !c->graph.inverted))
		return 0;
	return c->graph.whole > 0 && own > 0 ? own / c->graph.whole : 0;
}
