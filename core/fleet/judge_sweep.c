/* judge_sweep: which nodes of a build are unlike the others, or themselves, piece by piece. */
#include <math.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/judge.h"

enum { SHARES_NOW, CALLS_NOW, SHARES_THEN, CALLS_THEN, COLUMNS };

struct judge_sweep {
	const struct crowd *crowd;
	uint32_t build;
	enum judge_what what;
	size_t next, nodes;		/* of the crowd */
	size_t functions;		/* of the build, when it began, */
	unsigned renames;		/* ... and how often they had got other names */
	struct odd_sweep *sweep;
	struct crowd_cost *costs;	/* of a node, by function */
	double *columns[COLUMNS];	/* likewise */
};

struct judge_sweep *judge_sweep_new(const struct crowd *c, uint32_t build, enum judge_what what)
{
	const struct build *b = crowd_build(c, build);
	struct judge_sweep *s = mem_zalloc(sizeof(*s));
	bool whole;

	if (!s)
		return NULL;
	*s = (struct judge_sweep){
		.crowd = c, .build = build, .what = what, .nodes = crowd_count(c),
		.functions = b->function_count, .renames = b->renames,
		.sweep = odd_sweep_new(b->function_count, crowd_count(c)),
		.costs = mem_alloc((b->function_count + 1) * sizeof(*s->costs)),
	};
	whole = s->sweep && s->costs;
	for (int i = 0; i < COLUMNS; i++) {
		s->columns[i] = mem_alloc((s->functions + 1) * sizeof(double));
		whole &= s->columns[i] != NULL;
	}
	if (whole)
		return s;
	judge_sweep_free(s);
	return NULL;
}

void judge_sweep_free(struct judge_sweep *s)
{
	if (!s)
		return;
	odd_sweep_free(s->sweep);
	for (int i = 0; i < COLUMNS; i++)
		mem_free(s->columns[i]);
	mem_free(s->costs);
	mem_free(s);
}

/* Shares and calls; false: nothing is known of that time. */
static bool columns_fill(struct judge_sweep *s, size_t node, enum crowd_when when, double *shares,
			 double *calls)
{
	double sum = crowd_costs(s->crowd, node, when, s->costs);

	for (size_t f = 0; sum > 0 && f < s->functions; f++) {
		shares[f] = s->costs[f].self_s / sum;
		calls[f] = s->costs[f].calls;
	}
	return sum > 0;
}

static int node_sweep(struct judge_sweep *s, uint32_t node)
{
	double **c = s->columns;

	if (s->what == JUDGE_OTHERS)
		return columns_fill(s, node, CROWD_LAST, c[SHARES_NOW], c[CALLS_NOW]) ?
		       odd_sweep_add(s->sweep, node, c[SHARES_NOW], c[CALLS_NOW]) : 0;
	return columns_fill(s, node, CROWD_SINCE, c[SHARES_NOW], c[CALLS_NOW]) &&
	       columns_fill(s, node, CROWD_BEFORE, c[SHARES_THEN], c[CALLS_THEN]) ?
	       odd_sweep_add_change(s->sweep, node, c[SHARES_NOW], c[CALLS_NOW],
				    c[SHARES_THEN], c[CALLS_THEN]) : 0;
}

enum judge_state judge_sweep_step(struct judge_sweep *s)
{
	const struct build *b = crowd_build(s->crowd, s->build);

	if (b->function_count != s->functions || b->renames != s->renames)
		return JUDGE_GONE;
	while (s->next < s->nodes && crowd_node(s->crowd, s->next)->build != s->build)
		s->next++;
	if (s->next < s->nodes)
		return node_sweep(s, (uint32_t)s->next++) < 0 ? JUDGE_GONE : JUDGE_GOES_ON;
	return odd_sweep_judge(s->sweep) ? JUDGE_GOES_ON : JUDGE_DONE;
}

void judge_sweep_give(const struct judge_sweep *s, struct judge_past *found)
{
	const struct odd_found *of = odd_sweep_found(s->sweep);
	double least = s->what == JUDGE_OTHERS ? ODD_Z : odd_sweep_least(s->sweep);

	for (size_t i = 0; i < s->nodes; i++)
		if (crowd_node(s->crowd, i)->build == s->build)
			found[i] = (struct judge_past){
				.function = of[i].function, .z = of[i].z, .times = of[i].times,
				.odd = fabs(of[i].z) >= least,
			};
}
