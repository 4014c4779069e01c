#include "core/profile/derive/derive.h"

#include "core/base/mem.h"

/*
 * Tarjan, "Depth-first search and linear graph algorithms" (1972), with an explicit stack: a
 * hostile stream can make a chain of a million calls. Components come out callees first.
 */
struct search {
	struct profile *p;
	struct profile_components *c;
	uint32_t *number;	/* by function: visit number, 0 unvisited */
	uint32_t *low;
	uint32_t *edge;		/* next outgoing edge to look at */
	uint32_t *path;		/* the depth-first path */
	uint32_t *open;		/* visited, component not yet closed */
	uint32_t depth, open_count, visits, placed;
};

static void function_enter(struct search *s, uint32_t f)
{
	s->number[f] = s->low[f] = ++s->visits;
	s->edge[f] = s->p->functions[f].first_out;
	s->path[s->depth++] = f;
	s->open[s->open_count++] = f;
}

static bool function_open(const struct search *s, uint32_t f)
{
	return s->number[f] && s->c->component[f] == PROFILE_NONE;
}

/* All open functions from f on are one component. */
static void component_close(struct search *s, uint32_t f)
{
	uint32_t member;

	do {
		member = s->open[--s->open_count];
		s->c->component[member] = s->c->count;
		s->c->order[s->placed++] = member;
	} while (member != f);
	s->c->count++;
}

static void function_leave(struct search *s, uint32_t f)
{
	s->depth--;
	if (s->low[f] == s->number[f])
		component_close(s, f);
	if (s->depth && s->low[f] < s->low[s->path[s->depth - 1]])
		s->low[s->path[s->depth - 1]] = s->low[f];
}

static void root_visit(struct search *s, uint32_t root)
{
	function_enter(s, root);
	while (s->depth) {
		uint32_t f = s->path[s->depth - 1], e = s->edge[f], to;

		if (e == PROFILE_NONE) {
			function_leave(s, f);
			continue;
		}
		s->edge[f] = s->p->edges[e].next_out;
		to = s->p->edges[e].to;
		if (to == f)
			s->p->functions[f].recursive = true;
		else if (!s->number[to])
			function_enter(s, to);
		else if (function_open(s, to) && s->number[to] < s->low[f])
			s->low[f] = s->number[to];
	}
}

/* Number the cycles proper: components of two functions and more. */
static void cycles_number(struct profile *p, const struct profile_components *c)
{
	uint32_t cycles = 0;

	for (size_t i = 0, n; i < p->function_count; i += n) {
		uint32_t first = c->component[c->order[i]];

		for (n = 1; i + n < p->function_count && c->component[c->order[i + n]] == first;)
			n++;
		if (n == 1)
			continue;
		cycles++;
		for (size_t k = 0; k < n; k++)
			p->functions[c->order[i + k]].cycle = cycles;
	}
}

int profile_components_find(struct profile *p, struct profile_components *c)
{
	size_t n = p->function_count + 1;
	uint32_t *work = mem_zalloc(n * 5 * sizeof(*work));
	struct search s = { .p = p, .c = c };

	*c = (struct profile_components){
		mem_alloc(n * sizeof(*c->order)), mem_alloc(n * sizeof(*c->component)), 0,
	};
	if (!work || !c->order || !c->component) {
		mem_free(work);
		profile_components_release(c);
		return ERR_NOMEM;
	}
	s.number = work;
	s.low = work + n;
	s.edge = work + 2 * n;
	s.path = work + 3 * n;
	s.open = work + 4 * n;
	for (size_t i = 0; i < n; i++)
		c->component[i] = PROFILE_NONE;
	for (uint32_t f = 0; f < p->function_count; f++) {
		if (!s.number[f])
			root_visit(&s, f);
	}
	cycles_number(p, c);
	mem_free(work);
	return 0;
}

void profile_components_release(struct profile_components *c)
{
	mem_free(c->order);
	mem_free(c->component);
	*c = (struct profile_components){ 0 };
}
