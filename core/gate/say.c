/* say: what a gate found, in words: values, and where the change is. */
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/gate/gate.h"

enum { PATH_MOST = 12, PATH_SHOWN = 6 };

const char *gate_subject(const struct gate *g, const struct gate_result *r)
{
	return r->function == PROFILE_NONE ? r->rule->pattern :
					     g->now.in.profile->functions[r->function].name;
}

/* "(baseline 490 ms +5 %)": by which change the bound came about. */
static void baseline_add(const struct gate_result *r, struct buf *out)
{
	const struct rule *rule = r->rule;
	char value[RULE_VALUE];

	if (!rule->relative || isnan(r->then))
		return;
	buf_addf(out, " (baseline %s", rule_value(rule, r->then, value));
	if (rule->percent)
		buf_addf(out, " %+.4g %%)", 100 * rule->bound);
	else
		buf_addf(out, " %s%s)", rule->bound < 0 ? "" : "+",
			 rule_value(rule, rule->bound, value));
}

void gate_describe(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	const struct rule *rule = r->rule;
	char value[RULE_VALUE];

	buf_addf(out, "%s %s", gate_subject(g, r), rule_figure_name(rule));
	if (!isnan(r->value))
		buf_addf(out, " %s", rule_value(rule, r->value, value));
	if (!isnan(r->bound))
		buf_addf(out, ", bound %s %s", rule_operator_text(rule->op),
			 rule_value(rule, r->bound, value));
	baseline_add(r, out);
	if (r->noise > 0 && !isnan(r->value))
		buf_addf(out, ", noise %s", rule_value(rule, r->noise, value));
	if (r->why)
		buf_addf(out, ": %s", r->why);
}

/* --- where the change is ---------------------------------------------------------------------- */

/* Load since the baseline; without one the load. Of an edge or a function of now. */
static double edge_weight(const struct gate *g, uint32_t edge)
{
	const struct compare_row *row = g->has_baseline ? compare_edge(&g->compare, edge) : NULL;
	const struct profile_edge *e = &g->now.in.profile->edges[edge];

	if (row && !isnan(row->cost))
		return row->cost;
	return isnan(e->total_s) ? (double)e->calls : e->total_s;
}

static bool path_has(const uint32_t *path, size_t n, uint32_t function)
{
	for (size_t i = 0; i < n; i++)
		if (path[i] == function)
			return true;
	return false;
}

/* Of the edges out of a function (or into it) the heaviest to none of the path; PROFILE_NONE. */
static uint32_t edge_heaviest(const struct gate *g, const uint32_t *path, size_t n, bool out)
{
	const struct profile *p = g->now.in.profile;
	const struct profile_function *f = &p->functions[path[n - 1]];
	uint32_t best = PROFILE_NONE, e = out ? f->first_out : f->first_in;

	for (; e != PROFILE_NONE; e = out ? p->edges[e].next_out : p->edges[e].next_in) {
		uint32_t other = out ? p->edges[e].to : p->edges[e].from;

		if (other == PROFILE_NONE || path_has(path, n, other))
			continue;
		if (best == PROFILE_NONE || edge_weight(g, e) > edge_weight(g, best))
			best = e;
	}
	return best;
}

static bool is_inclusive(const struct rule *rule)
{
	switch (rule->column) {
	case COLUMN_TOTAL: case COLUMN_PER_CALL: case COLUMN_MAX: case COLUMN_MIN:
	case COLUMN_P50: case COLUMN_P90: case COLUMN_P99:
		return true;
	default:
		return false;
	}
}

/* What a function itself takes more than in the baseline. */
static double self_weight(const struct gate *g, uint32_t function)
{
	const struct compare_row *row = g->has_baseline ?
					compare_function(&g->compare, function) : NULL;

	if (row && !isnan(row->cost))
		return row->cost;
	return g->now.in.profile->functions[function].self_s;
}

/* From `path`'s last function down to that which the change comes from. The last edge taken. */
static uint32_t path_descend(const struct gate *g, uint32_t *path, size_t *n)
{
	uint32_t last = PROFILE_NONE, e;

	while (*n < PATH_MOST && (e = edge_heaviest(g, path, *n, true)) != PROFILE_NONE) {
		double self = self_weight(g, path[*n - 1]);

		if (!(edge_weight(g, e) > fmax(0, isnan(self) ? 0 : self)))
			break;
		path[(*n)++] = g->now.in.profile->edges[e].to;
		last = e;
	}
	return last;
}

/* The function's callers, the nearest first; the edge from the first of them. */
static uint32_t path_climb(const struct gate *g, uint32_t *path, size_t *n)
{
	uint32_t first = PROFILE_NONE, e;

	while (*n < PATH_MOST && (e = edge_heaviest(g, path, *n, false)) != PROFILE_NONE) {
		path[(*n)++] = g->now.in.profile->edges[e].from;
		first = first == PROFILE_NONE ? e : first;
	}
	return first;
}

/* The line of the edge's call that takes most. */
static bool call_line(const struct gate *g, uint32_t edge, struct image_line *line)
{
	const struct profile *p = g->now.in.profile;
	const struct profile_site *best = NULL;
	uint32_t i = edge == PROFILE_NONE ? PROFILE_NONE : p->edges[edge].first_site;

	for (; i != PROFILE_NONE && i < p->site_count; i = p->sites[i].next)
		if (!best || p->sites[i].total > best->total ||
		    (p->sites[i].total == best->total && p->sites[i].calls > best->calls))
			best = &p->sites[i];
	return best && best->from && g->now.in.image &&
	       image_line(g->now.in.image, image_normal(g->now.in.image, best->from) - 1, line) &&
	       line->file && line->line;
}

static void names_add(const struct gate *g, const uint32_t *up, size_t ups, const uint32_t *down,
		      size_t downs, struct buf *out)
{
	const struct profile *p = g->now.in.profile;
	size_t skip = ups > PATH_SHOWN ? ups - PATH_SHOWN : 0;

	for (size_t i = ups; i-- > 1; ) {
		/* The root, then those next to the function. */
		if (skip && i < ups - 1 && i >= PATH_SHOWN) {
			if (i == PATH_SHOWN)
				buf_adds(out, " > ...");
			continue;
		}
		buf_addf(out, "%s%s", i < ups - 1 ? " > " : "", p->functions[up[i]].name);
	}
	for (size_t i = 0; i < downs; i++)
		buf_addf(out, "%s%s", i || ups > 1 ? " > " : "", p->functions[down[i]].name);
}

/* Of all together: the function that takes most more. */
static uint32_t change_function(const struct gate *g, const struct gate_result *r)
{
	const struct profile *p = g->now.in.profile;
	uint32_t best = PROFILE_NONE;

	if (r->rule->subject != RULE_TOTAL)
		return r->function;
	for (uint32_t i = 0; i < p->function_count; i++) {
		double weight = self_weight(g, i);

		if (!isnan(weight) && (best == PROFILE_NONE || weight > self_weight(g, best)))
			best = i;
	}
	return best;
}

void gate_where(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	uint32_t function = change_function(g, r);
	uint32_t up[PATH_MOST] = { function }, down[PATH_MOST] = { function };
	uint32_t into, deepest = PROFILE_NONE;
	size_t ups = 1, downs = 1;
	const struct profile_function *f;
	struct image_line line;

	if (function == PROFILE_NONE)
		return;
	into = path_climb(g, up, &ups);
	if (r->rule->subject == RULE_FUNCTION && is_inclusive(r->rule))
		deepest = path_descend(g, down, &downs);
	names_add(g, up, ups, down, downs, out);
	f = &g->now.in.profile->functions[down[downs - 1]];
	if (f->file)
		buf_addf(out, ", %s", f->file);
	if (f->file && f->line)
		buf_addf(out, ":%u", f->line);
	if (call_line(g, deepest != PROFILE_NONE ? deepest : into, &line))
		buf_addf(out, ", called at %s:%u", line.file, line.line);
}
