/* where: where the change is that a gate found: the call path, and the source line. */
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/gate/gate.h"
#include "core/source/cost.h"

enum { PATH_MOST = 12, PATH_SHOWN = 6, SITES_MOST = 64 };

/* --- the call path ---------------------------------------------------------------------------- */

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

/*
 * The function's callers, the nearest first, not beyond main; the edge from the first of them.
 */
static uint32_t path_climb(const struct gate *g, uint32_t *path, size_t *n)
{
	uint32_t first = PROFILE_NONE, e;

	while (*n < PATH_MOST && strcmp(g->now.in.profile->functions[path[*n - 1]].name, "main") &&
	       (e = edge_heaviest(g, path, *n, false)) != PROFILE_NONE) {
		path[(*n)++] = g->now.in.profile->edges[e].from;
		first = first == PROFILE_NONE ? e : first;
	}
	return first;
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

/* --- the line --------------------------------------------------------------------------------- */

/* The figure is a number of calls: it is where they are made that matters. */
static bool is_of_calls(const struct rule *rule)
{
	return rule->column == COLUMN_CALLS || rule->column == COLUMN_RATE ||
	       rule->column == COLUMN_RAN || rule->column == COLUMN_RAN_RATE;
}

/* A function of now and of then. Figures are for each call of it, or for each second of the run. */
static bool sides_of(const struct gate *g, uint32_t function, bool each_call,
		     struct line_side *now, struct line_side *then)
{
	const struct compare_row *row = g->has_baseline ?
					compare_function(&g->compare, function) : NULL;
	const struct profile_function *f = &g->now.in.profile->functions[function], *was;

	*now = (struct line_side){ &g->now.lines, function, f->line,
				    each_call ? (double)f->calls : g->now.noise.run };
	if (!row || row->then == PROFILE_NONE)
		return false;
	was = &g->then.in.profile->functions[row->then];
	*then = (struct line_side){ &g->then.lines, row->then, was->line,
				     each_call ? (double)was->calls : g->then.noise.run };
	return now->per > 0 && then->per > 0;
}

static bool is_sure(const struct line_found *f)
{
	return f->now - f->then > COMPARE_SURE * f->sigma;
}

static void declared_add(const struct profile_function *f, struct buf *out)
{
	if (f->file && f->line)
		buf_addf(out, ", declared at %s:%u", f->file, f->line);
}

/* ", +2.75 us a call at radio.c:35": the line of a function that takes more, or takes most. */
static void self_line_add(const struct gate *g, uint32_t function, bool each_call, struct buf *out)
{
	const struct profile_function *f = &g->now.in.profile->functions[function];
	double run = each_call ? 1 : g->now.noise.run;
	struct line_side now, then;
	struct line_found found;
	char text[32];

	if (!f->file)
		return;
	if (sides_of(g, function, each_call, &now, &then) &&
	    line_costs_grown(&then, &now, LINE_TIME, &found) && is_sure(&found))
		buf_addf(out, ", +%s%s at %s:%u",
			 text_seconds(text, sizeof(text), (found.now - found.then) * run),
			 each_call ? " a call" : "", f->file, found.line);
	else if (line_costs_heaviest(&now, LINE_TIME, &found))
		buf_addf(out, ", most of its time at %s:%u", f->file, found.line);
	else
		declared_add(f, out);
}

/* The call of an edge that takes most, or is made most often; NULL: it has none. */
static const struct profile_site *site_heaviest(const struct profile *p, uint32_t edge)
{
	const struct profile_site *best = NULL;

	for (uint32_t i = p->edges[edge].first_site; i != PROFILE_NONE && i < p->site_count;
	     i = p->sites[i].next)
		if (!best || p->sites[i].total > best->total ||
		    (p->sites[i].total == best->total && p->sites[i].calls > best->calls))
			best = &p->sites[i];
	return best && best->from ? best : NULL;
}

static bool site_line(const struct gate *g, const struct profile_site *s, struct image_line *line)
{
	const struct image *im = g->now.in.image;

	return im && s->from && image_line(im, image_normal(im, s->from) - 1, line) && line->file &&
	       line->line;
}

/* The lines of an edge's calls in the caller's own file, as line_costs.h has them; how many. */
static size_t edge_lines(const struct gate *g, uint32_t edge, uint32_t *lines)
{
	const struct profile *p = g->now.in.profile;
	const struct image *im = g->now.in.image;
	const char *path = im ? cost_path(im, p->functions[p->edges[edge].from].image_id) : NULL;
	size_t n = 0;

	for (uint32_t i = path ? p->edges[edge].first_site : PROFILE_NONE;
	     i != PROFILE_NONE && i < p->site_count && n < SITES_MOST; i = p->sites[i].next) {
		uint64_t at = p->sites[i].from ? image_normal(im, p->sites[i].from) - 1 : 0;
		uint32_t line = at ? cost_place(im, at, path, NULL, NULL) : 0;

		if (line)
			lines[n++] = line;
	}
	return n;
}

/* Calls more than in the baseline, for a run as long; 0: no more, or not known. */
static double edge_more(const struct gate *g, uint32_t edge)
{
	const struct compare_row *row = g->has_baseline ? compare_edge(&g->compare, edge) : NULL;
	const struct compare_value *rate = row ? &row->value[COMPARE_RATE] : NULL;
	double then = rate && !isnan(rate->then) ? rate->then : 0;

	return rate && rate->now > then ? (rate->now - then) * g->now.noise.run : 0;
}

/* The line of an edge whose calls grew; 0: not known. */
static uint32_t calls_line(const struct gate *g, uint32_t edge)
{
	uint32_t lines[SITES_MOST];
	struct line_side now, then;
	struct line_found found;
	size_t n = edge_lines(g, edge, lines);

	if (n <= 1)
		return n ? lines[0] : 0;
	if (!sides_of(g, g->now.in.profile->edges[edge].from, false, &now, &then))
		return 0;
	now.only = lines;
	now.only_count = n;
	return line_costs_grown(&then, &now, LINE_CALLS, &found) ? found.line : 0;
}

/* ", called at radio.c:90 (+12,000 calls)". False: it is not known where. */
static bool called_add(const struct gate *g, uint32_t edge, bool each_call, struct buf *out)
{
	const struct profile *p = g->now.in.profile;
	const struct profile_site *s = site_heaviest(p, edge);
	const char *file = p->functions[p->edges[edge].from].file;
	double more = each_call ? 0 : edge_more(g, edge);
	uint32_t grown = more >= 1 && file ? calls_line(g, edge) : 0;
	struct image_line line;
	char text[32];

	if (grown)
		buf_addf(out, ", called at %s:%u", file, grown);
	else if (s && site_line(g, s, &line))
		buf_addf(out, ", called at %s:%u", line.file, line.line);
	else
		return false;
	if (grown)
		buf_addf(out, " (+%s calls)",
			 text_whole(text, sizeof(text), (uint64_t)(more + 0.5)));
	return true;
}

/* --- subjects --------------------------------------------------------------------------------- */

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

static void function_where(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	bool calls = is_of_calls(r->rule), inclusive = is_inclusive(r->rule), each_call;
	uint32_t function = change_function(g, r);
	uint32_t up[PATH_MOST] = { function }, down[PATH_MOST] = { function };
	uint32_t into, deepest = PROFILE_NONE;
	size_t ups = 1, downs = 1;

	if (function == PROFILE_NONE)
		return;
	into = path_climb(g, up, &ups);
	if (r->rule->subject == RULE_FUNCTION && inclusive)
		deepest = path_descend(g, down, &downs);
	each_call = inclusive && r->rule->column != COLUMN_TOTAL && downs == 1;
	names_add(g, up, ups, down, downs, out);
	if (!calls)
		self_line_add(g, down[downs - 1], each_call, out);
	into = deepest != PROFILE_NONE ? deepest : into;
	if ((into == PROFILE_NONE || !called_add(g, into, each_call, out)) && calls)
		declared_add(&g->now.in.profile->functions[function], out);
}

/* Bytes of a function more than in the baseline's image, where the rule is of a change. */
static int64_t function_more(const struct image *then, const struct image_function *f)
{
	uint32_t was = then ? image_find_name(then, f->name) : IMAGE_NONE;

	return (int64_t)f->size -
	       (was == IMAGE_NONE ? 0 : (int64_t)image_function(then, was)->size);
}

/* The function that grew most, or the largest one; or what is no code, if that is more. */
static void image_where(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	const struct image *now = g->now.in.image;
	const struct image *then = r->rule->relative ? g->then.in.image : NULL;
	const struct image_function *best = NULL;
	int64_t most = 0, code = 0, data;
	char text[32];

	if (!now || strcmp(r->rule->figure->name, "flash") != 0)
		return;
	for (uint32_t i = 0; i < image_function_count(now); i++) {
		const struct image_function *f = image_function(now, i);
		int64_t more = function_more(then, f);

		code += more;
		if (more > most) {
			best = f;
			most = more;
		}
	}
	data = (int64_t)(r->value - (then ? r->then : 0)) - code;
	text_whole(text, sizeof(text), (uint64_t)(data > most ? data : most));
	if (data > most)
		buf_addf(out, "constants and initial values, %s%s B", then ? "+" : "", text);
	else if (best)
		buf_addf(out, then ? "%s, +%s B" : "largest: %s, %s B", best->name, text);
	if (data <= most && best && best->file && best->line)
		buf_addf(out, ", declared at %s:%u", best->file, best->line);
}

/* The calls that were open at the deepest point, where that was measured. */
static void stack_where(const struct gate *g, struct buf *out)
{
	const struct wire_watermark *deep = NULL;
	const struct image_function *f = NULL;

	for (size_t i = 0; i < g->now.in.mark_count; i++) {
		const struct wire_watermark *m = &g->now.in.marks[i];

		if (!deep || m->base - m->low > deep->base - deep->low)
			deep = m;
	}
	for (uint32_t i = 0; deep && g->now.in.image && i < deep->count; i++) {
		uint32_t id = image_find(g->now.in.image, deep->path[i]);

		f = id == IMAGE_NONE ? NULL : image_function(g->now.in.image, id);
		buf_addf(out, "%s%s", i ? " > " : deep->open > deep->count ? "... > " : "",
			 f ? f->name : "?");
	}
	if (f && f->file && f->line)
		buf_addf(out, ", declared at %s:%u", f->file, f->line);
}

/* What was lost. */
static void node_where(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	const struct wire_status *s = g->now.in.status;
	const char *between = "";

	if (!s || strcmp(r->rule->figure->name, "loss") != 0)
		return;
	for (const struct loss *l = losses; l->name; l++) {
		if (!l->missing || !loss_count(l, s))
			continue;
		buf_addf(out, "%s%s %s", between, TEXT_WHOLE(loss_count(l, s)), l->what);
		between = ", ";
	}
}

void gate_where(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	switch (r->rule->subject) {
	case RULE_FUNCTION: case RULE_TOTAL:
		function_where(g, r, out);
		break;
	case RULE_IMAGE:
		image_where(g, r, out);
		break;
	case RULE_STACK:
		stack_where(g, out);
		break;
	case RULE_NODE:
		node_where(g, r, out);
		break;
	case RULE_SUBJECTS:
		break;
	}
}
