#include "core/fleet/judge.h"

#include <math.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* --- unlike itself ---------------------------------------------------------------------------- */

struct pasts {
	struct crowd_cost *now, *then;	/* of a node, by function */
	struct odd_change *changes;
	struct odd_past *nodes;
	uint32_t *which;		/* node of the crowd */
	size_t count;
};

static size_t nodes_of(const struct crowd *c, uint32_t build)
{
	size_t count = 0;

	for (size_t i = 0; i < crowd_count(c); i++)
		count += crowd_node(c, i)->build == build;
	return count;
}

/* Where a node is known for one time only, or not by its time, nothing is compared. */
static void past_add(struct pasts *p, const struct crowd *c, size_t node, size_t functions)
{
	double now = crowd_costs(c, node, CROWD_SINCE, p->now);
	double then = crowd_costs(c, node, CROWD_BEFORE, p->then);
	struct odd_past *past = &p->nodes[p->count];

	*past = (struct odd_past){ .changes = p->changes + p->count * functions };
	for (size_t f = 0; now > 0 && then > 0 && f < functions; f++) {
		if (p->now[f].self_s > 0 && p->then[f].self_s > 0)
			past->changes[past->count++] = (struct odd_change){
				f, p->now[f].self_s / now, p->then[f].self_s / then,
				p->now[f].calls, p->then[f].calls,
			};
	}
	p->which[p->count++] = (uint32_t)node;
}

static void pasts_give(const struct pasts *p, double least, struct judge_past *found)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct odd_finding *past = &p->nodes[i].found;

		found[p->which[i]] = (struct judge_past){
			.function = isnan(past->z) ? BUILD_NONE : (uint32_t)past->function,
			.z = past->z, .times = past->times, .odd = fabs(past->z) >= least,
		};
	}
}

int judge_pasts(const struct crowd *c, uint32_t build, struct judge_past *found)
{
	size_t functions = crowd_build(c, build)->function_count, nodes = nodes_of(c, build);
	struct pasts p = {
		.now = mem_alloc((functions + 1) * sizeof(*p.now)),
		.then = mem_alloc((functions + 1) * sizeof(*p.then)),
		.changes = mem_alloc((functions * nodes + 1) * sizeof(*p.changes)),
		.nodes = mem_alloc((nodes + 1) * sizeof(*p.nodes)),
		.which = mem_alloc((nodes + 1) * sizeof(*p.which)),
	};
	int ret = p.now && p.then && p.changes && p.nodes && p.which ? 0 : ERR_NOMEM;
	double least;

	for (size_t i = 0; ret == 0 && i < crowd_count(c); i++)
		if (crowd_node(c, i)->build == build)
			past_add(&p, c, i, functions);
	if (ret == 0)
		ret = odd_find_changed(p.nodes, p.count, &least);
	if (ret == 0)
		pasts_give(&p, least, found);
	mem_free(p.now);
	mem_free(p.then);
	mem_free(p.changes);
	mem_free(p.nodes);
	mem_free(p.which);
	return ret;
}

uint32_t judge_build_before(const struct crowd *c, uint32_t build)
{
	size_t builds = crowd_builds(c), most = 0;
	size_t *weight = mem_zalloc((builds + 1) * sizeof(*weight));
	uint32_t best = CROWD_NONE;

	/* One node that changed counts more than all that did not. */
	for (size_t i = 0; weight && i < crowd_count(c); i++) {
		const struct crowd_node *n = crowd_node(c, i);

		if (n->build != build)
			weight[n->build]++;
		else if (n->former && n->former->build != build)
			weight[n->former->build] += crowd_count(c) + 1;
	}
	for (uint32_t b = 0; weight && b < builds; b++) {
		if (weight[b] <= most)
			continue;
		most = weight[b];
		best = b;
	}
	mem_free(weight);
	return best;
}
