#include "core/profile/look/context.h"

#include <string.h>

#include "core/base/mem.h"

/*
 * With each cycle taken as one node the call graph has no cycle: it is walked callers first (Kahn,
 * "Topological sorting of large networks", 1962), and each node passes its context on to its
 * callees. A node is identified by the first of its functions.
 */
struct group {
	uint32_t root;			/* the root that reaches it */
	bool handler;			/* so far only handlers */
	bool at_least;			/* a frame on the deepest way is not known */
	int32_t stack;			/* of the deepest caller; -1 none known */
	uint32_t waits;			/* edges from callers not walked yet */
	uint32_t member;		/* last function of its chain */
};

struct walk {
	const struct profile *p;
	struct context *items;
	struct group *groups;		/* by leader */
	uint32_t *leader;		/* by function */
	uint32_t *next;			/* by function: another of its group, PROFILE_NONE ends */
	uint32_t *queue;
};

void contexts_release(struct contexts *c)
{
	mem_free(c->items);
	mem_free(c->queue);
	*c = (struct contexts){ 0 };
}

/* --- groups ----------------------------------------------------------------------------------- */

/*
 * A call from one group into another. A call of main (by startup code) begins a context of its own.
 */
static bool edge_leads_on(const struct walk *w, const struct profile_edge *e)
{
	return e->from != PROFILE_NONE && w->leader[e->from] != w->leader[e->to] &&
	       strcmp(w->p->functions[e->to].name, "main") != 0;
}

/* `first`: room for a number by cycle. */
static void groups_gather(struct walk *w, uint32_t *first)
{
	const struct profile *p = w->p;

	for (uint32_t i = 0; i <= p->function_count; i++)
		first[i] = PROFILE_NONE;
	for (uint32_t i = 0; i < p->function_count; i++) {
		uint32_t cycle = p->functions[i].cycle;
		uint32_t leader = cycle && first[cycle] != PROFILE_NONE ? first[cycle] : i;

		w->leader[i] = leader;
		w->next[i] = PROFILE_NONE;
		if (leader != i)
			w->next[w->groups[leader].member] = i;
		w->groups[leader].member = i;
		if (cycle)
			first[cycle] = leader;
		w->groups[i].root = CONTEXT_NONE;
		w->groups[i].stack = -1;
	}
	for (uint32_t i = 0; i < p->edge_count; i++) {
		if (edge_leads_on(w, &p->edges[i]))
			w->groups[w->leader[p->edges[i].to]].waits++;
	}
}

/* --- roots ------------------------------------------------------------------------------------ */

static bool is_handler(const struct profile_function *f)
{
	return f->flags & ROW_HANDLER;
}

/*
 * A function without any call, from it or to it, may run anywhere: it is no root. In a cycle that
 * nothing calls, the first function stands for the entry that was not seen.
 */
static bool is_root(const struct walk *w, uint32_t i)
{
	const struct profile_function *f = &w->p->functions[i];

	if (is_handler(f) || !strcmp(f->name, "main"))
		return true;
	return w->leader[i] == i && !w->groups[i].waits &&
	       (f->first_in != PROFILE_NONE || f->first_out != PROFILE_NONE);
}

static void root_join(struct group *g, uint32_t root, bool handler)
{
	if (root == CONTEXT_NONE)
		return;
	if (g->root == CONTEXT_NONE) {
		g->root = root;
		g->handler = handler;
		return;
	}
	if (g->root != root)
		g->root = CONTEXT_SEVERAL;
	g->handler &= handler;
}

static size_t roots_find(struct walk *w)
{
	size_t n = 0;

	for (uint32_t i = 0; i < w->p->function_count; i++) {
		if (!is_root(w, i))
			continue;
		root_join(&w->groups[w->leader[i]], i, is_handler(&w->p->functions[i]));
		w->items[i].depth = 0;
		w->queue[n++] = i;
	}
	return n;
}

/* Breadth first from all roots at once: depth is from the nearest one. */
static void depths_find(struct walk *w)
{
	size_t n = roots_find(w);

	for (size_t i = 0; i < n; i++) {
		uint32_t at = w->queue[i];

		for (uint32_t e = w->p->functions[at].first_out; e != PROFILE_NONE;
		     e = w->p->edges[e].next_out) {
			uint32_t to = w->p->edges[e].to;

			if (w->items[to].depth != UINT32_MAX)
				continue;
			w->items[to].depth = w->items[at].depth + 1;
			w->queue[n++] = to;
		}
	}
}

/* --- from callers to callees ------------------------------------------------------------------ */

static int32_t stack_add(int32_t stack, int32_t frame)
{
	if (stack < 0 || frame < 0)
		return stack < 0 ? frame : stack;
	return stack > INT32_MAX - frame ? INT32_MAX : stack + frame;
}

/* The number of rounds in a cycle is not known: its stack is a lower bound. */
static void context_set(struct walk *w, uint32_t i)
{
	const struct profile_function *f = &w->p->functions[i];
	const struct group *g = &w->groups[w->leader[i]];
	struct context *c = &w->items[i];

	c->root = g->root;
	c->handler = g->handler;
	if (c->root == CONTEXT_NONE)
		return;
	c->stack = stack_add(g->stack, c->frame);
	c->stack_at_least = g->at_least || c->frame < 0 || f->cycle || f->recursive;
}

static void context_hand_on(struct walk *w, uint32_t from, uint32_t to)
{
	const struct context *c = &w->items[from];
	struct group *g = &w->groups[to];

	root_join(g, c->root, c->handler);
	if (c->stack > g->stack)
		g->stack = c->stack;
	g->at_least |= c->stack_at_least;
}

/* Returns the length of the queue, with the groups whose callers are all walked. */
static size_t callees_release(struct walk *w, uint32_t from, size_t n)
{
	const struct profile *p = w->p;

	for (uint32_t e = p->functions[from].first_out; e != PROFILE_NONE;
	     e = p->edges[e].next_out) {
		uint32_t to = w->leader[p->edges[e].to];

		if (!edge_leads_on(w, &p->edges[e]))
			continue;
		context_hand_on(w, from, to);
		if (--w->groups[to].waits == 0)
			w->queue[n++] = to;
	}
	return n;
}

static void groups_walk(struct walk *w)
{
	size_t n = 0;

	for (uint32_t i = 0; i < w->p->function_count; i++) {
		if (w->leader[i] == i && !w->groups[i].waits)
			w->queue[n++] = i;
	}
	for (size_t i = 0; i < n; i++) {
		for (uint32_t f = w->queue[i]; f != PROFILE_NONE; f = w->next[f]) {
			context_set(w, f);
			n = callees_release(w, f, n);
		}
	}
}

/* --- the whole -------------------------------------------------------------------------------- */

static void items_begin(struct context *items, const struct profile *p, const struct image *im)
{
	for (size_t i = 0; i < p->function_count; i++) {
		uint32_t id = p->functions[i].image_id;

		items[i] = (struct context){
			.root = CONTEXT_NONE, .depth = UINT32_MAX, .stack = -1,
			.frame = im && id != IMAGE_NONE ? image_frame_size(im, id) : -1,
		};
	}
}

int contexts_build(struct contexts *c, const struct profile *p, const struct image *im)
{
	size_t n = p->function_count;
	struct walk w = { .p = p };

	c->count = 0;
	w.groups = mem_zalloc((n + 1) * sizeof(*w.groups));
	if (!w.groups || mem_grow(&c->items, &c->cap, n + 1, sizeof(*c->items)) < 0 ||
	    mem_grow(&c->queue, &c->queue_cap, 3 * n + 1, sizeof(*c->queue)) < 0) {
		mem_free(w.groups);
		return ERR_NOMEM;
	}
	w.items = c->items;
	w.queue = c->queue;
	w.leader = c->queue + n + 1;
	w.next = w.leader + n;
	items_begin(w.items, p, im);
	groups_gather(&w, w.queue);
	depths_find(&w);
	groups_walk(&w);
	mem_free(w.groups);
	c->count = n;
	return 0;
}
