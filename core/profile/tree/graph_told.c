/* The nodes that a call trace tells, by their paths: graph.h. */
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/profile/tree/graph.h"

void graph_told_release(struct graph *g)
{
	mem_free(g->told);
	mem_free(g->ways);
	mem_free(g->way_paths);
	map_release(&g->told_at);
}

static int told_add(struct graph *g, uint64_t path, const struct graph_told *more, uint32_t *at)
{
	struct graph_told *t;

	*at = map_get(&g->told_at, path);
	if (*at == MAP_NONE) {
		if (mem_grow(&g->told, &g->told_cap, g->told_count + 1, sizeof(*g->told)) < 0 ||
		    map_put(&g->told_at, path, (uint32_t)g->told_count) < 0)
			return ERR_NOMEM;
		*at = (uint32_t)g->told_count++;
		g->told[*at] = *more;
		return 0;
	}
	t = &g->told[*at];
	t->calls += more->calls;
	t->total += more->total;
	t->self += more->self;
	return 0;
}

static uint32_t path_function(const struct graph *g, const struct profile_path *p)
{
	return profile_find_address(g->profile, p->address);
}

static struct graph_told told_of(const struct graph *g, const struct profile_path *p)
{
	double calls = (double)p->calls - (double)p->base_calls, total = p->total - p->base_total;

	return (struct graph_told){
		.calls = calls > 0 ? calls : 0, .function = path_function(g, p),
		.total = profile_seconds(g->profile, total > 0 ? total : 0),
		.parent = PROFILE_NONE,
	};
}

/* Top-down: each path once; its self time is what its callees leave. */
static int ways_add(struct graph *g)
{
	const struct profile *p = g->profile;

	for (size_t i = 0; i < p->path_count; i++) {
		const struct profile_path *path = &p->paths[i];
		struct graph_told t = told_of(g, path);
		bool below = path->parent != PROFILE_NONE;
		uint64_t up = below ? g->way_paths[path->parent] : graph_start(false);

		g->ways[i] = PROFILE_NONE;
		g->way_paths[i] = 0;
		if (t.function == PROFILE_NONE || (below && !up))
			continue;
		g->way_paths[i] = graph_path(g, up, t.function);
		t.self = t.total;
		t.parent = below ? g->ways[path->parent] : PROFILE_NONE;
		if (told_add(g, g->way_paths[i], &t, &g->ways[i]) < 0)
			return ERR_NOMEM;
		if (t.parent != PROFILE_NONE)
			g->told[t.parent].self -= t.total;
	}
	return 0;
}

/* Bottom-up: what each way leaves to its function itself counts in all of the ways up from it. */
static int ways_invert(struct graph *g)
{
	struct graph_told *down = g->told;
	size_t count = g->told_count;
	int ret = 0;

	g->told = NULL;
	g->told_count = g->told_cap = 0;
	map_clear(&g->told_at);
	for (size_t i = 0; ret == 0 && i < count; i++) {
		uint64_t path = graph_start(true);
		struct graph_told t = down[i];
		uint32_t up = (uint32_t)i, at;

		t.self = t.self > 0 ? t.self : 0;
		for (; ret == 0 && up != PROFILE_NONE; up = down[up].parent) {
			t.function = down[up].function;
			t.parent = PROFILE_NONE;
			path = graph_path(g, path, t.function);
			ret = told_add(g, path, &t, &at);
		}
	}
	mem_free(down);
	return ret;
}

int graph_told_build(struct graph *g)
{
	size_t n = g->profile->path_count;

	g->told_count = 0;
	if (g->told_at.slots)
		map_clear(&g->told_at);
	else
		map_init(&g->told_at);
	if (!n || !g->times)
		return 0;
	if (mem_grow(&g->ways, &g->ways_cap, n, sizeof(*g->ways)) < 0 ||
	    mem_grow(&g->way_paths, &g->way_paths_cap, n, sizeof(*g->way_paths)) < 0 ||
	    ways_add(g) < 0)
		return ERR_NOMEM;
	return g->inverted ? ways_invert(g) : 0;
}

const struct graph_told *graph_told_of(const struct graph *g, uint64_t path)
{
	uint32_t at = g->told_count ? map_get(&g->told_at, path) : MAP_NONE;

	return at == MAP_NONE ? NULL : &g->told[at];
}

bool graph_told_holds(const struct graph *g, uint64_t path, uint32_t function)
{
	const struct graph_told *t = graph_told_of(g, path);

	while (t && t->function != function)
		t = t->parent == PROFILE_NONE ? NULL : &g->told[t->parent];
	return t != NULL;
}
