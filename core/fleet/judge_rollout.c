/* judge_rollout: a build against the one before, over the nodes of a crowd, piece by piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/judge.h"

/* A row for each name. */
struct named {
	struct map map;			/* hash of the name -> row */
	struct judge_rollout out;
	uint32_t *rows[2];		/* of A's and B's functions */
	size_t cap;
	size_t *seen[2];		/* nodes, by row */
};

struct judge_compare {
	const struct crowd *crowd;
	uint32_t builds[2];		/* A, B */
	size_t functions[2];		/* of them, when it began, */
	unsigned renames[2];		/* ... and how often they had got other names */
	struct named named;
	size_t next, nodes;		/* of the crowd */
	struct crowd_cost *costs;	/* of a node, by function */
	double *self, *calls;		/* likewise, by row */
	struct odd_share *shares;	/* A's table, then B's */
	struct rollout *rollout;
};

/* --- names ------------------------------------------------------------------------------------ */

static uint64_t named_hash(const char *name)
{
	return map_hash_bytes(MAP_HASH, name, strlen(name));
}

/* The name's row, or where it has none the key for it: names of one hash have others behind it. */
static uint32_t row_named(const struct named *n, const char *name, uint64_t *key)
{
	uint32_t row;

	*key = named_hash(name);
	while ((row = map_get(&n->map, *key)) != MAP_NONE && strcmp(n->out.rows[row].name, name))
		*key = map_hash(*key + 1);
	return row;
}

static int name_add(struct named *n, const char *name, uint32_t *row)
{
	struct judge_rollout *out = &n->out;
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

/* --- nodes ------------------------------------------------------------------------------------ */

/* A node's table of a side; its mean shares are summed up. How many shares it has. */
static size_t table_make(struct judge_compare *s, size_t node, enum crowd_when when, int side,
			 struct odd_share *shares)
{
	struct named *n = &s->named;
	double sum = crowd_costs(s->crowd, node, when, s->costs);
	size_t count = 0;

	memset(s->self, 0, (n->out.count + 1) * sizeof(*s->self));
	memset(s->calls, 0, (n->out.count + 1) * sizeof(*s->calls));
	for (size_t f = 0; sum > 0 && f < s->functions[side]; f++) {
		if (n->rows[side][f] == BUILD_NONE)
			continue;
		s->self[n->rows[side][f]] += s->costs[f].self_s;
		s->calls[n->rows[side][f]] += s->costs[f].calls;
	}
	for (uint32_t r = 0; r < n->out.count; r++) {
		double *mean = side ? &n->out.rows[r].b : &n->out.rows[r].a;

		if (!(s->self[r] > 0))
			continue;
		shares[count++] = (struct odd_share){ r, s->self[r] / sum, s->calls[r] };
		*mean += s->self[r] / sum;
		n->seen[side][r]++;
	}
	return count;
}

static bool has_former(const struct crowd_node *n, uint32_t build)
{
	return n->former && n->former->build == build;
}

static int node_compare(struct judge_compare *s, size_t node)
{
	const struct crowd_node *at = crowd_node(s->crowd, node);
	const uint32_t a = s->builds[0], b = s->builds[1];
	struct judge_rollout *out = &s->named.out;
	struct rollout_node of = { .a = s->shares, .b = s->shares + out->count };

	if (at->build != a && at->build != b)
		return 0;
	if (at->build == a || has_former(at, a))
		of.a_count = table_make(s, node, at->build == a ? CROWD_LAST : CROWD_FORMER, 0,
					s->shares);
	if (at->build == b)
		of.b_count = table_make(s, node, CROWD_LAST, 1, s->shares + out->count);
	out->a += of.a_count > 0;
	out->b += of.b_count > 0;
	out->both += of.a_count && of.b_count;
	return rollout_add(s->rollout, &of);
}

/* --- the whole -------------------------------------------------------------------------------- */

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

void judge_compare_give(struct judge_compare *s, struct judge_rollout *j)
{
	struct named *n = &s->named;

	for (size_t r = 0; r < n->out.count; r++) {
		struct judge_row *row = &n->out.rows[r];

		row->a = n->seen[0][r] ? row->a / (double)n->seen[0][r] : (double)NAN;
		row->b = n->seen[1][r] ? row->b / (double)n->seen[1][r] : (double)NAN;
		row->verdict = rollout_verdicts(s->rollout)[r];
	}
	rows_thin(&n->out);
	if (n->out.count)
		qsort(n->out.rows, n->out.count, sizeof(*n->out.rows), row_order);
	*j = n->out;
	n->out = (struct judge_rollout){ NULL };
}

/* With their names known, what the nodes' tables need. */
static int compare_begin(struct judge_compare *s)
{
	size_t rows = s->named.out.count + 1;
	size_t functions = s->functions[0] > s->functions[1] ? s->functions[0] : s->functions[1];

	s->costs = mem_alloc((functions + 1) * sizeof(*s->costs));
	s->self = mem_alloc(rows * sizeof(*s->self));
	s->calls = mem_alloc(rows * sizeof(*s->calls));
	s->shares = mem_alloc(2 * rows * sizeof(*s->shares));
	s->rollout = rollout_new(rows);
	for (int side = 0; side < 2; side++)
		s->named.seen[side] = mem_zalloc(rows * sizeof(*s->named.seen[side]));
	return s->costs && s->self && s->calls && s->shares && s->rollout && s->named.seen[0] &&
	       s->named.seen[1] ? 0 : ERR_NOMEM;
}

static bool can_compare(const struct crowd *c, uint32_t a, uint32_t b)
{
	return crowd_build(c, a)->image && crowd_build(c, b)->image;
}

int judge_compare_new(struct judge_compare **to, const struct crowd *c, uint32_t a, uint32_t b)
{
	struct judge_compare *s = can_compare(c, a, b) ? mem_zalloc(sizeof(*s)) : NULL;
	int ret = 0;

	*to = NULL;
	if (!s)
		return can_compare(c, a, b) ? ERR_NOMEM : ERR_ABSENT;
	s->crowd = c;
	s->builds[0] = a;
	s->builds[1] = b;
	s->nodes = crowd_count(c);
	map_init(&s->named.map);
	for (int side = 0; side < 2; side++) {
		const struct build *of = crowd_build(c, s->builds[side]);

		s->functions[side] = of->function_count;
		s->renames[side] = of->renames;
		ret = ret < 0 ? ret : names_add(&s->named, of, side);
	}
	ret = ret < 0 ? ret : compare_begin(s);
	if (ret < 0)
		judge_compare_free(s);
	else
		*to = s;
	return ret;
}

void judge_compare_free(struct judge_compare *s)
{
	if (!s)
		return;
	map_release(&s->named.map);
	for (int side = 0; side < 2; side++) {
		mem_free(s->named.rows[side]);
		mem_free(s->named.seen[side]);
	}
	judge_rollout_release(&s->named.out);
	rollout_free(s->rollout);
	mem_free(s->costs);
	mem_free(s->self);
	mem_free(s->calls);
	mem_free(s->shares);
	mem_free(s);
}

enum judge_state judge_compare_step(struct judge_compare *s)
{
	for (int side = 0; side < 2; side++) {
		const struct build *of = crowd_build(s->crowd, s->builds[side]);

		if (of->function_count != s->functions[side] || of->renames != s->renames[side])
			return JUDGE_GONE;
	}
	if (s->next < s->nodes)
		return node_compare(s, s->next++) < 0 ? JUDGE_GONE : JUDGE_GOES_ON;
	return rollout_step(s->rollout) ? JUDGE_GOES_ON : JUDGE_DONE;
}

void judge_rollout_release(struct judge_rollout *j)
{
	mem_free(j->rows);
	*j = (struct judge_rollout){ NULL };
}
