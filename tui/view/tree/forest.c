#include "tui/view/tree/forest.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/profile/look/rows.h"

#define NO_LINE UINT32_MAX

/* A branch on the way down, for opening all. */
struct forest_way {
	uint64_t path;
	uint32_t function, depth;
	uint32_t up;			/* index; NO_LINE for a root */
};

void forest_init(struct forest *f)
{
	*f = (struct forest){ 0 };
	map_init(&f->fold);
}

void forest_release(struct forest *f)
{
	mem_free(f->lines);
	mem_free(f->stack);
	mem_free(f->ways);
	map_release(&f->fold);
	graph_release(&f->graph);
	sift_release(&f->sift);
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool is_ancestor(const struct forest *f, uint32_t line, uint32_t function)
{
	for (; line != NO_LINE; line = f->lines[line].parent) {
		if (f->lines[line].n.function == function)
			return true;
	}
	return false;
}

static bool folded_open(const struct forest *f, uint64_t path, uint32_t depth)
{
	uint32_t fold = map_get(&f->fold, path);

	return fold == MAP_NONE ? depth == 0 && !f->graph.inverted : fold == 1;
}

/* On the way to what passes the filter, unless the user closed it. */
static bool open_for_filter(struct forest *f, const struct forest_line *l)
{
	if (!f->sifted || l->rest || !(f->sift.marks[l->n.function] & SIFT_LEADS) ||
	    f->shown >= FOREST_SHOWN || map_get(&f->fold, l->n.path) != MAP_NONE)
		return false;
	f->shown++;
	return true;
}

static bool branch_open(struct forest *f, const struct forest_line *l)
{
	return !l->n.leaf && !l->again && l->n.depth + 1 < FOREST_DEPTH &&
	       (folded_open(f, l->n.path, l->n.depth) || open_for_filter(f, l));
}

static uint32_t branch_add(struct forest *f, const struct forest_line *l)
{
	if (f->count >= FOREST_LINES ||
	    mem_grow(&f->lines, &f->cap, f->count + 1, sizeof(*f->lines)) < 0) {
		f->cut = true;
		return NO_LINE;
	}
	f->lines[f->count] = *l;
	f->lines[f->count].open = branch_open(f, l);
	f->lines[f->count].inside = (l->parent != NO_LINE && f->lines[l->parent].inside) ||
				    (f->sifted && !l->rest &&
				     f->sift.marks[l->n.function] & SIFT_MATCHES);
	return (uint32_t)f->count++;
}

/* False: the filter leaves it out, with all that is below. */
static bool is_kept(const struct forest *f, uint32_t parent, uint32_t function)
{
	return !f->sifted || f->sift.marks[function] ||
	       (parent != NO_LINE && f->lines[parent].inside);
}

/* Lines that are left out are one. Bottom-up their totals have parts in common. */
static void rest_take(struct forest_line *rest, const struct graph_node *n, bool inverted)
{
	rest->rest++;
	rest->n.value += n->value;
	rest->n.total += inverted ? NAN : n->total;
	rest->n.shared |= n->shared;
	rest->n.depth = n->depth;
}

static struct forest_line rest_begin(const struct forest *f, uint32_t parent)
{
	uint64_t up = parent == NO_LINE ? graph_start(f->graph.inverted) : f->lines[parent].n.path;

	return (struct forest_line){
		.parent = parent, .edge = PROFILE_NONE,
		.n = { .path = ~up, .function = PROFILE_NONE, .self = NAN, .calls = NAN,
		       .leaf = true },
	};
}

static uint32_t root_add(struct forest *f, size_t root)
{
	struct forest_line l = { .parent = NO_LINE, .edge = PROFILE_NONE };

	graph_root(&f->graph, root, &l.n);
	return branch_add(f, &l);
}

static uint32_t child_add(struct forest *f, uint32_t parent, uint32_t edge)
{
	struct forest_line l = { .parent = parent, .edge = edge };

	graph_below(&f->graph, &f->lines[parent].n, edge, &l.n);
	l.again = is_ancestor(f, parent, l.n.function);
	return branch_add(f, &l);
}

/* Push the edges below a function, the most expensive first; returns their number. */
static size_t push_edges(struct forest *f, uint32_t function)
{
	size_t first = f->stack_count;
	uint32_t e = graph_first(&f->graph, function);

	for (; e != PROFILE_NONE; e = graph_next(&f->graph, e)) {
		if (mem_grow(&f->stack, &f->stack_cap, f->stack_count + 1, sizeof(*f->stack)) < 0) {
			f->cut = true;
			break;
		}
		f->stack[f->stack_count++] = e;
	}
	if (f->stack_count > first)
		qsort_r(f->stack + first, f->stack_count - first, sizeof(*f->stack),
			graph_compare, &f->graph);
	return f->stack_count - first;
}

static void line_unroll(struct forest *f, uint32_t line)
{
	size_t first = f->stack_count, n;
	struct forest_line rest;
	struct graph_node left;

	if (line == NO_LINE || !f->lines[line].open)
		return;
	rest = rest_begin(f, line);
	n = push_edges(f, f->lines[line].n.function);
	for (size_t i = 0; i < n && !f->cut; i++) {
		uint32_t edge = f->stack[first + i];

		if (is_kept(f, line, graph_end(&f->graph, edge))) {
			line_unroll(f, child_add(f, line, edge));
			continue;
		}
		graph_below(&f->graph, &f->lines[line].n, edge, &left);
		rest_take(&rest, &left, f->graph.inverted);
	}
	if (rest.rest)
		branch_add(f, &rest);
	f->stack_count = first;
}

void forest_unroll(struct forest *f)
{
	struct forest_line rest = rest_begin(f, NO_LINE);
	struct graph_node left;

	f->count = f->stack_count = f->shown = 0;
	f->cut = false;
	for (size_t i = 0; i < f->graph.root_count && !f->cut; i++) {
		if (is_kept(f, NO_LINE, f->graph.roots[i])) {
			line_unroll(f, root_add(f, i));
			continue;
		}
		graph_root(&f->graph, i, &left);
		rest_take(&rest, &left, f->graph.inverted);
	}
	if (rest.rest)
		branch_add(f, &rest);
}

struct filtering {
	const struct profile *profile;
	const struct regex *filter;
};

static bool branch_passes(void *ctx, uint32_t function)
{
	const struct filtering *f = ctx;

	return rows_match(&f->profile->functions[function], f->filter);
}

int forest_build(struct forest *f, const struct profile *p, bool inverted,
		 const struct regex *filter)
{
	struct filtering filtering = { p, filter };

	f->count = 0;
	f->sifted = filter != NULL;
	if (graph_build(&f->graph, p, inverted) < 0 ||
	    (filter && sift_build(&f->sift, &f->graph, branch_passes, &filtering) < 0)) {
		f->graph.root_count = 0;
		return ERR_NOMEM;
	}
	forest_unroll(f);
	return 0;
}

/* --- folding ---------------------------------------------------------------------------------- */

void forest_fold(struct forest *f, size_t line, bool open)
{
	if (line < f->count)
		map_put(&f->fold, f->lines[line].n.path, open);
}

void forest_close_all(struct forest *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->lines[i].open)
			forest_fold(f, i, false);
	}
}

static bool on_way(const struct forest *f, uint32_t way, uint32_t function)
{
	for (; way != NO_LINE; way = f->ways[way].up) {
		if (f->ways[way].function == function)
			return true;
	}
	return false;
}

static void way_add(struct forest *f, uint32_t up, uint32_t function)
{
	struct forest_way w = { .function = function, .up = up };

	if (f->way_count >= FOREST_OPENED || graph_first(&f->graph, function) == PROFILE_NONE ||
	    on_way(f, up, function) ||
	    mem_grow(&f->ways, &f->way_cap, f->way_count + 1, sizeof(*f->ways)) < 0)
		return;
	w.depth = up == NO_LINE ? 0 : f->ways[up].depth + 1;
	w.path = graph_path(&f->graph, up == NO_LINE ? graph_start(f->graph.inverted) :
			    f->ways[up].path, function);
	if (w.depth + 1 < FOREST_DEPTH)
		f->ways[f->way_count++] = w;
}

/* Level by level: where there are too many branches, the deep ones stay closed. */
bool forest_open_all(struct forest *f)
{
	bool opened = false;

	f->way_count = 0;
	for (size_t i = 0; i < f->graph.root_count; i++)
		way_add(f, NO_LINE, f->graph.roots[i]);
	for (uint32_t i = 0; i < f->way_count; i++) {
		uint32_t e = graph_first(&f->graph, f->ways[i].function);

		if (!folded_open(f, f->ways[i].path, f->ways[i].depth))
			opened |= map_put(&f->fold, f->ways[i].path, 1) == 0;
		for (; e != PROFILE_NONE && f->way_count < FOREST_OPENED;
		     e = graph_next(&f->graph, e))
			way_add(f, i, graph_end(&f->graph, e));
	}
	return opened;
}

/* Less than this share of the whole is not worth lines that nobody asked for. */
#define FILL_LEAST 0.002

/* The most expensive line that may still be opened, and would bring no more than so many. */
static size_t line_to_open(const struct forest *f, size_t room)
{
	size_t best = f->count;

	for (size_t i = 0; i < f->count; i++) {
		const struct forest_line *l = &f->lines[i];
		size_t below = 0;

		if (l->n.leaf || l->again || l->open || l->n.depth + 1 >= FOREST_DEPTH ||
		    map_get(&f->fold, l->n.path) != MAP_NONE ||
		    l->n.value < FILL_LEAST * f->graph.whole ||
		    (best < f->count && l->n.value <= f->lines[best].n.value))
			continue;
		for (uint32_t e = graph_first(&f->graph, l->n.function);
		     e != PROFILE_NONE && below <= room; e = graph_next(&f->graph, e))
			below++;
		best = below <= room ? i : best;
	}
	return best;
}

void forest_fill(struct forest *f, size_t lines)
{
	size_t at;

	while (f->count < lines && (at = line_to_open(f, lines - f->count)) < f->count &&
	       map_put(&f->fold, f->lines[at].n.path, 1) == 0)
		forest_unroll(f);
}

/* Open all of a way but its end; returns the path of the end. */
static uint64_t open_way(struct forest *f, const uint32_t *way, size_t n)
{
	uint64_t path = graph_start(f->graph.inverted);

	for (size_t i = 0; i < n; i++) {
		path = graph_path(&f->graph, path, way[i]);
		if (i + 1 < n)
			map_put(&f->fold, path, 1);
	}
	return n ? path : 0;
}

uint64_t forest_reveal(struct forest *f, uint32_t function)
{
	uint32_t way[FOREST_DEPTH];

	return open_way(f, way, graph_way(&f->graph, function, way, FOREST_DEPTH));
}

uint64_t forest_hottest(struct forest *f)
{
	uint32_t way[FOREST_DEPTH];

	return open_way(f, way, graph_hottest(&f->graph, way, FOREST_DEPTH));
}

size_t forest_find(const struct forest *f, uint64_t path)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->lines[i].n.path == path)
			return i;
	}
	return f->count;
}
