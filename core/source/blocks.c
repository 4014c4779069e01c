#include "core/source/blocks.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

#define NOWHERE UINT32_MAX

/*
 * Nodes: an instruction each; behind them HUB, which goes wherever a jump to an unknown place may,
 * and OUT, the end of the call.
 */
struct block_node {
	uint32_t to;			/* a jump's target: a node, or OUT */
	uint32_t low, index;		/* Tarjan's; index 0: not seen */
	uint32_t part;			/* strongly connected; later ones come before earlier */
	uint32_t way;			/* the next one to follow */
	struct step step;
	bool leader;			/* a jump goes here, or nothing goes on to here */
	bool waits;			/* on the stack of parts */
};

struct blocks {
	const struct listing *l;
	const struct blocks_range *functions;
	size_t function_count;
	struct step *steps;		/* of the listing */
	bool *entered;			/* functions that are jumped into */
	size_t first;			/* of the listing, the function's */
	uint32_t count;			/* instructions of the function */
	struct block_node *nodes;	size_t node_cap;
	uint32_t *path, *parts;		size_t path_cap, part_cap;
	int32_t *cover;			size_t cover_cap;
	uint32_t *size;			size_t size_cap;
	uint32_t part_count;
};

#define HUB(b) ((b)->count)
#define OUT(b) ((b)->count + 1)

/* --- functions -------------------------------------------------------------------------------- */

static uint32_t block_function(const struct blocks *b, uint64_t address)
{
	size_t i = SORTED_ABOVE(b->functions, b->function_count, low, address);

	return i && address < b->functions[i - 1].high ? (uint32_t)(i - 1) : NOWHERE;
}

static void entered_mark(struct blocks *b)
{
	for (size_t i = 0; i < b->l->count; i++) {
		const struct instruction *in = &b->l->v[i];
		uint32_t to = in->branch ? block_function(b, in->target) : NOWHERE;

		if (to != NOWHERE && in->target != b->functions[to].low &&
		    to != block_function(b, in->address) && b->steps[i].kind != STEP_DATA)
			b->entered[to] = true;
	}
}

/* --- ways ------------------------------------------------------------------------------------- */

static uint32_t node_at(const struct blocks *b, uint64_t address)
{
	size_t i = listing_find(b->l, address);

	if (i == SIZE_MAX || i < b->first || i - b->first >= b->count ||
	    b->l->v[i].address != address || b->steps[i].kind == STEP_DATA)
		return OUT(b);
	return (uint32_t)(i - b->first);
}

/* Behind instruction n: the next one of the listing, if it follows at once. */
static uint32_t node_behind(const struct blocks *b, uint32_t n)
{
	const struct instruction *in;

	if (n + 1 >= b->count)
		return OUT(b);
	in = &b->l->v[b->first + n];
	return in[0].address + in[0].size == in[1].address &&
	       b->nodes[n + 1].step.kind != STEP_DATA ? n + 1 : OUT(b);
}

static bool step_goes_on(uint8_t kind)
{
	return kind == STEP_ON || kind == STEP_BRANCH || kind == STEP_SKIP ||
	       kind == STEP_MAY_LEAVE;
}

static void nodes_fill(struct blocks *b)
{
	memset(b->nodes, 0, (b->count + 2) * sizeof(*b->nodes));
	for (uint32_t i = 0; i < b->count; i++)
		b->nodes[i].step = b->steps[b->first + i];
	for (uint32_t i = 0; i < b->count; i++) {
		struct block_node *n = &b->nodes[i];

		n->to = OUT(b);
		if (n->step.kind == STEP_JUMP || n->step.kind == STEP_BRANCH)
			n->to = node_at(b, b->l->v[b->first + i].target);
		b->nodes[n->to].leader = true;
		n->leader |= i && (!step_goes_on(b->nodes[i - 1].step.kind) ||
				   node_behind(b, i - 1) == OUT(b));
	}
}

/* Way k of a node, or NOWHERE behind the last one. */
static uint32_t node_way(const struct blocks *b, uint32_t n, uint32_t k)
{
	const struct block_node *node = &b->nodes[n];
	uint32_t next;

	if (n == OUT(b))
		return NOWHERE;
	if (n == HUB(b)) {
		while (k < b->count &&
		       !(b->nodes[k].leader && b->nodes[k].step.kind != STEP_DATA))
			k++;
		return k < b->count ? k : k == b->count ? OUT(b) : NOWHERE;
	}
	next = node_behind(b, n);
	switch (node->step.kind) {
	case STEP_ON: return k == 0 ? next : NOWHERE;
	case STEP_BRANCH: return k == 0 ? next : k == 1 ? node->to : NOWHERE;
	case STEP_MAY_LEAVE: return k == 0 ? next : k == 1 ? OUT(b) : NOWHERE;
	case STEP_SKIP:
		return k == 0 ? next : k > 1 ? NOWHERE : next == OUT(b) ? next :
		       node_behind(b, next);
	case STEP_JUMP: return k == 0 ? node->to : NOWHERE;
	case STEP_ANYWHERE: return k == 0 ? HUB(b) : k == 1 ? next : NOWHERE;
	default: return k == 0 ? OUT(b) : NOWHERE;
	}
}

/* The hub's ways are those of its numbers, not one after the other. */
static uint32_t way_after(const struct blocks *b, uint32_t n, uint32_t k, uint32_t to)
{
	return n == HUB(b) ? (to == OUT(b) ? b->count + 1 : to + 1) : k + 1;
}

/* --- strongly connected parts (Tarjan 1972), without recursion -------------------------------- */

static void part_close(struct blocks *b, uint32_t n, size_t *waiting)
{
	uint32_t top, size = 0;

	do {
		top = b->parts[--*waiting];
		b->nodes[top].waits = false;
		b->nodes[top].part = b->part_count;
		size++;
	} while (top != n);
	b->size[b->part_count++] = size;
}

static void node_open(struct blocks *b, uint32_t n, uint32_t *index, size_t *depth,
		      size_t *waiting)
{
	b->nodes[n].index = b->nodes[n].low = ++*index;
	b->nodes[n].waits = true;
	b->path[(*depth)++] = n;
	b->parts[(*waiting)++] = n;
}

static void parts_find(struct blocks *b)
{
	uint32_t index = 0;
	size_t depth = 0, waiting = 0;

	b->part_count = 0;
	node_open(b, 0, &index, &depth, &waiting);
	while (depth) {
		uint32_t n = b->path[depth - 1], to = node_way(b, n, b->nodes[n].way);
		struct block_node *node = &b->nodes[n];

		if (to != NOWHERE) {
			node->way = way_after(b, n, node->way, to);
			if (!b->nodes[to].index)
				node_open(b, to, &index, &depth, &waiting);
			else if (b->nodes[to].waits && b->nodes[to].index < node->low)
				node->low = b->nodes[to].index;
			continue;
		}
		depth--;
		if (node->low == node->index)
			part_close(b, n, &waiting);
		if (depth && node->low < b->nodes[b->path[depth - 1]].low)
			b->nodes[b->path[depth - 1]].low = node->low;
	}
}

/* --- on every way ----------------------------------------------------------------------------- */

/*
 * Parts in the order in which ways go through them, OUT last. A part is on every way from the entry
 * to OUT if and only if no way goes past it in that order.
 */
static uint32_t part_place(const struct blocks *b, uint32_t n)
{
	return n == OUT(b) ? b->part_count : b->part_count - 1 - b->nodes[n].part;
}

static void way_cover(struct blocks *b, uint32_t from, uint32_t to)
{
	if (from + 1 < to) {
		b->cover[from + 1]++;
		b->cover[to]--;
	}
}

/* What no way leads out of (an endless loop) ends the call, too. Loops to itself have size 2. */
static void ways_cover(struct blocks *b)
{
	memset(b->cover, 0, (b->part_count + 2) * sizeof(*b->cover));
	for (uint32_t n = 0; n <= HUB(b); n++) {
		uint32_t place = part_place(b, n);

		if (!b->nodes[n].index)
			continue;
		for (uint32_t k = 0, to; (to = node_way(b, n, k)) != NOWHERE;
		     k = way_after(b, n, k, to)) {
			if (to == n)
				b->size[b->nodes[n].part] = 2;
			way_cover(b, place, part_place(b, to));
		}
	}
}

/* Parts that end nowhere: they have no way out of themselves. */
static void ends_cover(struct blocks *b, bool *ends)
{
	memset(ends, 1, b->part_count * sizeof(*ends));
	if (b->nodes[OUT(b)].index)
		ends[b->nodes[OUT(b)].part] = false;
	for (uint32_t n = 0; n <= HUB(b); n++) {
		if (!b->nodes[n].index)
			continue;
		for (uint32_t k = 0, to; (to = node_way(b, n, k)) != NOWHERE;
		     k = way_after(b, n, k, to)) {
			if (to == OUT(b) || b->nodes[to].part != b->nodes[n].part)
				ends[b->nodes[n].part] = false;
		}
	}
	for (uint32_t i = 0; i < b->part_count; i++) {
		if (ends[i])
			way_cover(b, b->part_count - 1 - i, b->part_count);
	}
}

/* --- the result ------------------------------------------------------------------------------- */

static int pc_add(struct once *once, const struct blocks *b, uint32_t n, uint32_t function)
{
	const struct instruction *in = &b->l->v[b->first + n];
	struct once_pc pc = { in->address, function, ONCE_NONE, b->nodes[n].step.cycles };
	uint32_t to = in->branch == BRANCH_CALL ? block_function(b, in->target) : NOWHERE;

	if (to != NOWHERE && in->target == b->functions[to].low)
		pc.callee = to;
	if (mem_grow(&once->pcs, &once->pc_cap, once->pc_count + 1, sizeof(*once->pcs)) < 0)
		return ERR_NOMEM;
	once->pcs[once->pc_count++] = pc;
	once->functions[function].cycles += pc.cycles;
	return 0;
}

static int once_take(struct once *once, struct blocks *b, uint32_t function)
{
	int32_t covered = 0;

	/* From now on sums: how many ways go past each. */
	for (uint32_t i = 0; i < b->part_count; i++)
		b->cover[i] = covered += b->cover[i];
	for (uint32_t n = 0; n < b->count; n++) {
		const struct block_node *node = &b->nodes[n];

		if (node->index && b->size[node->part] == 1 && !b->cover[part_place(b, n)] &&
		    pc_add(once, b, n, function) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int blocks_room(struct blocks *b, size_t nodes)
{
	return mem_grow(&b->nodes, &b->node_cap, nodes, sizeof(*b->nodes)) < 0 ||
	       mem_grow(&b->path, &b->path_cap, nodes, sizeof(*b->path)) < 0 ||
	       mem_grow(&b->parts, &b->part_cap, nodes, sizeof(*b->parts)) < 0 ||
	       mem_grow(&b->size, &b->size_cap, nodes, sizeof(*b->size)) < 0 ||
	       mem_grow(&b->cover, &b->cover_cap, nodes + 2, sizeof(*b->cover)) < 0 ?
	       ERR_NOMEM : 0;
}

static size_t listing_from(const struct listing *l, uint64_t address)
{
	return SORTED_FROM(l->v, l->count, address, address);
}

static int function_take(struct once *once, struct blocks *b, uint32_t function)
{
	const struct blocks_range *r = &b->functions[function];
	bool *ends;
	int ret;

	b->first = listing_from(b->l, r->low);
	b->count = (uint32_t)(listing_from(b->l, r->high) - b->first);
	if (!b->count || b->l->v[b->first].address != r->low || b->entered[function] ||
	    b->steps[b->first].kind == STEP_DATA)
		return 0;
	if (blocks_room(b, (size_t)b->count + 2) < 0)
		return ERR_NOMEM;
	nodes_fill(b);
	parts_find(b);
	ways_cover(b);
	ends = mem_alloc(b->part_count * sizeof(*ends));
	if (!ends)
		return ERR_NOMEM;
	ends_cover(b, ends);
	ret = once_take(once, b, function);
	mem_free(ends);
	return ret;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Sites that are told of and not once: jumps to it, and calls in loops or on some ways. */
static void sites_judge(struct once *once, const struct blocks *b)
{
	size_t at = 0;

	for (size_t i = 0; i < once->pc_count; i++) {
		if (once->pcs[i].callee != ONCE_NONE)
			once->functions[once->pcs[i].callee].sites = true;
	}
	for (size_t i = 0; i < b->l->count; i++) {
		const struct instruction *in = &b->l->v[i];
		uint32_t to = in->branch ? block_function(b, in->target) : NOWHERE;

		while (at < once->pc_count && once->pcs[at].address < in->address)
			at++;
		if (to != NOWHERE && !(at < once->pc_count && once->pcs[at].callee == to &&
				       once->pcs[at].address == in->address) &&
		    (in->target == b->functions[to].low) && b->steps[i].kind != STEP_DATA)
			once->functions[to].sites = false;
	}
}

static int blocks_fill(struct once *once, struct blocks *b, enum step_core core)
{
	unsigned state = 0;

	if (mem_grow(&once->functions, &once->function_cap, b->function_count,
		     sizeof(*once->functions)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < b->l->count; i++)
		b->steps[i] = step_read(core, b->l, i, &state);
	entered_mark(b);
	once->function_count = b->function_count;
	for (size_t i = 0; i < b->function_count; i++)
		once->functions[i] = (struct once_function){ .address = b->functions[i].low };
	for (size_t i = 0; i < b->function_count; i++) {
		if (function_take(once, b, (uint32_t)i) < 0)
			return ERR_NOMEM;
	}
	sites_judge(once, b);
	return 0;
}

int blocks_find(struct once *once, const struct listing *l, const struct blocks_range *functions,
		size_t count, enum step_core core)
{
	struct blocks b = { .l = l, .functions = functions, .function_count = count };
	int ret;

	*once = (struct once){ NULL };
	if (!l->count || !count || core == STEP_NONE)
		return 0;
	b.steps = mem_alloc(l->count * sizeof(*b.steps));
	b.entered = mem_zalloc(count * sizeof(*b.entered));
	ret = b.steps && b.entered ? blocks_fill(once, &b, core) : ERR_NOMEM;
	if (ret < 0)
		once_release(once);
	mem_free(b.steps);
	mem_free(b.entered);
	mem_free(b.nodes);
	mem_free(b.path);
	mem_free(b.parts);
	mem_free(b.size);
	mem_free(b.cover);
	return ret;
}
