#include "core/fleet/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
		const struct odd_past *past = &p->nodes[i];

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

/* --- a build against another ------------------------------------------------------------------ */

struct named {
	struct map map;			/* hash of the name -> row */
	struct judge_rollout *out;
	uint32_t *rows[2];		/* of A's and B's functions */
	size_t cap;
	size_t *seen[2];		/* nodes, by row */
};

struct tables {
	struct crowd_cost *costs;	/* of a node, by function */
	double *self, *calls;		/* likewise, by row */
	struct odd_share *shares;
	size_t used;
	struct rollout_node *nodes;
	size_t count;
};

static uint64_t named_hash(const char *name)
{
	return map_hash_bytes(MAP_HASH, name, strlen(name));
}

/* The name's row, or where it has none the key for it: names of one hash have others behind it. */
static uint32_t row_named(const struct named *n, const char *name, uint64_t *key)
{
	uint32_t row;

	*key = named_hash(name);
	while ((row = map_get(&n->map, *key)) != MAP_NONE && strcmp(n->out->rows[row].name, name))
		*key = map_hash(*key + 1);
	return row;
}

static int name_add(struct named *n, const char *name, uint32_t *row)
{
	struct judge_rollout *out = n->out;
	uint64_t key;

	*row = row_named(n, name, &key);
	if (*row != MAP_NONE)
		return 0;
	*row = (uint32_t)out->count;
	if (mem_grow(&out->rows, &n->cap, out->count + 1, sizeof(*out->rows)) < 0 ||
	    map_put(&n->map, key, *row) < 0)
		return ERR_NOMEM;
	out->rows[out->count++] = (struct judge_row){ .name = name };
	return 0;
}

/* A row for each name; functions of the same name are one. What has none has no row. */
static int names_add(struct named *n, const struct build *b, int side)
{
	n->rows[side] = mem_alloc((b->function_count + 1) * sizeof(*n->rows[side]));
	for (size_t f = 0; f < b->function_count; f++) {
		if (!n->rows[side])
			return ERR_NOMEM;
		n->rows[side][f] = BUILD_NONE;
		if (b->functions[f].name &&
		    name_add(n, b->functions[f].name, &n->rows[side][f]) < 0)
			return ERR_NOMEM;
	}
	return n->rows[side] ? 0 : ERR_NOMEM;
}

/* A node's table of a side; its mean shares are summed up. How many shares it has. */
static size_t table_add(struct tables *t, struct named *n, const struct crowd *c, size_t node,
			enum crowd_when when, int side, const struct build *b)
{
	double sum = crowd_costs(c, node, when, t->costs);
	struct odd_share *shares = t->shares + t->used;
	size_t count = 0;

	memset(t->self, 0, (n->out->count + 1) * sizeof(*t->self));
	memset(t->calls, 0, (n->out->count + 1) * sizeof(*t->calls));
	for (size_t f = 0; sum > 0 && f < b->function_count; f++) {
		if (n->rows[side][f] == BUILD_NONE)
			continue;
		t->self[n->rows[side][f]] += t->costs[f].self_s;
		t->calls[n->rows[side][f]] += t->costs[f].calls;
	}
	for (uint32_t r = 0; r < n->out->count; r++) {
		double *mean = side ? &n->out->rows[r].b : &n->out->rows[r].a;

		if (!(t->self[r] > 0))
			continue;
		shares[count++] = (struct odd_share){ r, t->self[r] / sum, t->calls[r] };
		*mean += t->self[r] / sum;
		n->seen[side][r]++;
	}
	t->used += count;
	return count;
}

static bool has_former(const struct crowd_node *n, uint32_t build)
{
	return n->former && n->former->build == build;
}

static void node_compare(struct tables *t, struct named *n, const struct crowd *c, size_t node,
			 uint32_t a, uint32_t b)
{
	const struct crowd_node *at = crowd_node(c, node);
	bool of_a = at->build == a || (at->build == b && has_former(at, a));
	struct rollout_node *out = &t->nodes[t->count];

	if (at->build != a && at->build != b)
		return;
	*out = (struct rollout_node){ NULL };
	if (of_a) {
		out->a = t->shares + t->used;
		out->a_count = table_add(t, n, c, node, at->build == a ? CROWD_LAST : CROWD_FORMER,
					 0, crowd_build(c, a));
	}
	if (at->build == b) {
		out->b = t->shares + t->used;
		out->b_count = table_add(t, n, c, node, CROWD_LAST, 1, crowd_build(c, b));
	}
	n->out->a += out->a_count > 0;
	n->out->b += out->b_count > 0;
	n->out->both += out->a_count && out->b_count;
	t->count++;
}

static int row_order(const void *x, const void *y)
{
	const struct judge_row *a = x, *b = y;
	double by = (isnan(a->b) ? 0 : a->b) - (isnan(b->b) ? 0 : b->b);

	return by > 0 ? -1 : by < 0 ? 1 : strcmp(a->name, b->name);
}

/* Functions that took no time on any node are known as callers only. */
static void rows_thin(struct judge_rollout *out)
{
	size_t count = 0;

	for (size_t r = 0; r < out->count; r++)
		if (!isnan(out->rows[r].a) || !isnan(out->rows[r].b))
			out->rows[count++] = out->rows[r];
	out->count = count;
}

static int rows_judge(const struct tables *t, struct named *n)
{
	struct judge_rollout *out = n->out;
	struct rollout_verdict *v = mem_alloc((out->count + 1) * sizeof(*v));
	long count = v ? rollout_judge(t->nodes, t->count, v) : ERR_NOMEM;

	for (size_t r = 0; r < out->count; r++) {
		struct judge_row *row = &out->rows[r];

		row->a = n->seen[0][r] ? row->a / (double)n->seen[0][r] : (double)NAN;
		row->b = n->seen[1][r] ? row->b / (double)n->seen[1][r] : (double)NAN;
		row->verdict = (struct rollout_verdict){
			.function = r, .times = (double)NAN, .low = (double)NAN,
			.high = (double)NAN,
		};
	}
	for (long i = 0; i < count; i++)
		out->rows[v[i].function].verdict = v[i];
	rows_thin(out);
	if (out->count)
		qsort(out->rows, out->count, sizeof(*out->rows), row_order);
	mem_free(v);
	return count < 0 ? (int)count : 0;
}

static int crowd_compare(const struct crowd *c, uint32_t a, uint32_t b, struct named *n)
{
	size_t rows = n->out->count + 1;
	size_t nodes = nodes_of(c, a) + nodes_of(c, b) + 1;
	size_t functions = crowd_build(c, a)->function_count + crowd_build(c, b)->function_count;
	struct tables t = {
		.costs = mem_alloc((functions + 1) * sizeof(*t.costs)),
		.self = mem_alloc(rows * sizeof(*t.self)),
		.calls = mem_alloc(rows * sizeof(*t.calls)),
		.shares = mem_alloc(2 * nodes * rows * sizeof(*t.shares)),
		.nodes = mem_alloc(nodes * sizeof(*t.nodes)),
	};
	int ret = ERR_NOMEM;

	n->seen[0] = mem_zalloc(rows * sizeof(*n->seen[0]));
	n->seen[1] = mem_zalloc(rows * sizeof(*n->seen[1]));
	if (t.costs && t.self && t.calls && t.shares && t.nodes && n->seen[0] && n->seen[1]) {
		for (size_t i = 0; i < crowd_count(c); i++)
			node_compare(&t, n, c, i, a, b);
		ret = rows_judge(&t, n);
	}
	mem_free(t.costs);
	mem_free(t.self);
	mem_free(t.calls);
	mem_free(t.shares);
	mem_free(t.nodes);
	return ret;
}

int judge_rollout(const struct crowd *c, uint32_t a, uint32_t b, struct judge_rollout *j)
{
	struct named n = { .out = j };
	int ret;

	*j = (struct judge_rollout){ NULL };
	if (!crowd_build(c, a)->image || !crowd_build(c, b)->image)
		return ERR_ABSENT;
	map_init(&n.map);
	ret = names_add(&n, crowd_build(c, a), 0);
	ret = ret < 0 ? ret : names_add(&n, crowd_build(c, b), 1);
	ret = ret < 0 ? ret : crowd_compare(c, a, b, &n);
	map_release(&n.map);
	for (int side = 0; side < 2; side++) {
		mem_free(n.rows[side]);
		mem_free(n.seen[side]);
	}
	return ret;
}

void judge_rollout_release(struct judge_rollout *j)
{
	mem_free(j->rows);
	*j = (struct judge_rollout){ NULL };
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
