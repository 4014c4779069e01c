/*
 * The call graph for Graphviz, as the paper on INGA's profiler draws it (figure 1; slide 13).
 *
 * A node: file, function, shortest and longest call, self time, calls. An edge: call sites, average
 * time per call, shortest-longest, calls. Its colour runs from blue (cheapest call of the graph) to
 * red (most expensive) by the logarithm of the average, its style from dotted to bold by its share
 * of the calls.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

const struct export_option dot_cluster = {
	.name = "cluster", .kind = EXPORT_BOOL, .help = "dot: group functions by file",
};

const struct export_option dot_per_site = {
	.name = "per-site", .kind = EXPORT_BOOL,
	.help = "dot: an edge for each call site, with its line",
};

struct dot {
	const struct export_source *s;
	const struct profile *p;
	double least, most;		/* log of the averages; least > most: none known */
	uint64_t calls;			/* of all edges */
	bool cluster, per_site;		/* the options */
	bool nowhere;			/* some caller is in no function */
	bool interrupt;			/* some function is an interrupt handler */
	double *left;			/* export_site_shares() */
	bool *passing;			/* export_passing() */
	struct out *out;
};

/* Inside a quoted string. Labels read &lt; and the like. */
static void label_write(struct dot *d, const char *text)
{
	static const char *const escapes[] = { "\"\\\"", "\\\\\\", "&&amp;", NULL };

	out_text(d->out, text, escapes);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* The other end of an edge of a function that passes the filter. */
static bool function_is_beside(const struct dot *d, const struct profile_function *f)
{
	const struct profile *p = d->p;

	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		if (export_edge_passes(p, i, d->passing))
			return true;
	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out)
		if (export_edge_passes(p, i, d->passing))
			return true;
	return false;
}

static bool function_passes(const struct dot *d, const struct profile_function *f)
{
	return export_passes((uint32_t)(f - d->p->functions), d->passing);
}

static bool function_is_node(const struct dot *d, const struct profile_function *f)
{
	return function_is_beside(d, f) || (f->samples && function_passes(d, f));
}

static void node_times(struct dot *d, const struct profile_function *f)
{
	double self = export_seconds(d->p, f->time == PROFILE_TIME_TIMED, f->self_s);

	if (!profile_measured(f)) {
		out_adds(d->out, "\\n(unprofiled)");
		return;
	}
	if (f->has_minmax && d->p->terms.ticks_per_second > 0)
		out_addf(d->out, "\\nmin: %s%.3fms max: %s%.3fms",
			 f->flags & ROW_MIN_AT_LEAST ? "\u2265" : "", 1e3 * f->min_s,
			 f->flags & ROW_MAX_AT_LEAST ? "\u2265" : "", 1e3 * f->max_s);
	if (!isnan(self))
		out_addf(d->out, "\\n%.3fms", 1e3 * self);
	if (f->called)
		out_addf(d->out, "\\n%" PRIu64 " call%s", f->calls, f->calls == 1 ? "" : "s");
}

static void node_write(struct dot *d, const struct profile_function *f, const char *indent)
{
	out_addf(d->out, "%sf%zu [label=\"", indent, (size_t)(f - d->p->functions));
	if (f->file && !d->cluster) {
		label_write(d, f->file);
		out_adds(d->out, "\\n");
	}
	label_write(d, f->name);
	if (f->image_id != IMAGE_NONE && !strchr(f->name, '('))
		out_adds(d->out, "()");
	if (function_passes(d, f))
		node_times(d, f);
	out_adds(d->out, function_passes(d, f) ? "\"];\n" : "\", style=dashed];\n");
}

static const char *function_file(const struct profile_function *f)
{
	return f->path ? f->path : f->file ? f->file : "";
}

static int function_file_order(const struct profile_function *x, const struct profile_function *y)
{
	return strcmp(function_file(x), function_file(y));
}

static int function_by_file(const void *a, const void *b)
{
	const struct profile_function *x = *(const struct profile_function *const *)a;
	const struct profile_function *y = *(const struct profile_function *const *)b;
	int order = function_file_order(x, y);

	return order ? order : (x > y) - (x < y);
}

/* One box per source file; functions of no known file stand outside. */
static void clusters_write(struct dot *d, const struct profile_function **nodes, size_t n)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		bool boxed = *function_file(nodes[i]);

		if (boxed) {
			out_addf(d->out, "\tsubgraph cluster_%zu {\n\t\tlabel=\"", i);
			label_write(d, nodes[i]->file ? nodes[i]->file : nodes[i]->path);
			out_adds(d->out, "\";\n");
		}
		for (end = i; end < n && !function_file_order(nodes[i], nodes[end]); end++)
			node_write(d, nodes[end], boxed ? "\t\t" : "\t");
		if (boxed)
			out_adds(d->out, "\t}\n");
	}
}

static int clustered_write(struct dot *d)
{
	const struct profile *p = d->p;
	const struct profile_function **nodes = mem_alloc((p->function_count + 1) * sizeof(*nodes));
	size_t n = 0;

	if (!nodes)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->function_count; i++)
		if (function_is_node(d, &p->functions[i]))
			nodes[n++] = &p->functions[i];
	qsort(nodes, n, sizeof(*nodes), function_by_file);
	clusters_write(d, nodes, n);
	mem_free(nodes);
	return 0;
}

static int nodes_write(struct dot *d)
{
	if (d->nowhere)
		out_adds(d->out, "\tnowhere [label=\"in no function\\n(unprofiled)\", "
			 "style=dashed];\n");
	if (d->interrupt)
		out_adds(d->out, "\tinterrupt [label=\"(interrupt)\", style=dashed];\n");
	if (d->cluster)
		return clustered_write(d);
	for (size_t i = 0; i < d->p->function_count; i++)
		if (function_is_node(d, &d->p->functions[i]))
			node_write(d, &d->p->functions[i], "\t");
	return 0;
}

/* --- edges ------------------------------------------------------------------------------------ */

/* The figures of an edge as a whole, or of one call site. */
struct line {
	uint32_t from, to;		/* functions */
	uint32_t sites;
	uint64_t calls;
	double total;			/* seconds, NaN: not known */
	bool range;
	double min, max;
	unsigned flags;
	uint32_t address;		/* per site: of the return; 0: a whole edge */
};

static double line_average(const struct line *l)
{
	return l->calls ? l->total / (double)l->calls : (double)NAN;
}

static void line_color(struct dot *d, const struct line *l)
{
	double one = line_average(l), place = 0;
	int red;

	if (!(one > 0) || d->least > d->most)
		place = 0;
	else if (d->most > d->least)
		place = (log(one) - d->least) / (d->most - d->least);
	else
		place = 1;
	red = (int)(255 * fmin(1, fmax(0, place)));
	out_addf(d->out, "color=\"#%02x00%02x\"", red, 255 - red);
}

static const char *line_style(const struct dot *d, uint64_t calls)
{
	static const struct { double share; const char *style; } styles[] = {
		{ 0.10, "bold" }, { 0.01, "solid" }, { 0.001, "dashed" }, { 0, "dotted" },
	};
	double share = d->calls ? (double)calls / (double)d->calls : 0;
	size_t i = 0;

	while (share < styles[i].share)
		i++;
	return styles[i].style;
}

static void site_place_write(struct dot *d, uint32_t address)
{
	struct image_line line;

	if (d->s->image && image_line(d->s->image, address - 1, &line) && line.file) {
		label_write(d, line.file);
		out_addf(d->out, ":%" PRIu32, line.line);
	} else {
		out_addf(d->out, "0x%05" PRIx32, address);
	}
}

static void line_write(struct dot *d, const struct line *l)
{
	if (l->from == PROFILE_NONE)
		out_addf(d->out, "\t%s -> f%" PRIu32 " [",
			 l->flags & ROW_HANDLER ? "interrupt" : "nowhere", l->to);
	else
		out_addf(d->out, "\tf%" PRIu32 " -> f%" PRIu32 " [", l->from, l->to);
	line_color(d, l);
	out_addf(d->out, ", style=%s, label=\"", line_style(d, l->calls));
	if (l->address)
		site_place_write(d, l->address);
	else
		out_addf(d->out, "%" PRIu32 " site%s", l->sites, l->sites == 1 ? "" : "s");
	if (!isnan(line_average(l)))
		out_addf(d->out, "\\n%.3fms/call", 1e3 * line_average(l));
	if (l->range)
		out_addf(d->out, "\\n%s%.2f-%s%.2fms", l->flags & ROW_MIN_AT_LEAST ? "\u2265" : "",
			 1e3 * l->min, l->flags & ROW_MAX_AT_LEAST ? "\u2265" : "", 1e3 * l->max);
	out_addf(d->out, "\\n%" PRIu64 " call%s\"];\n", l->calls, l->calls == 1 ? "" : "s");
}

static struct line line_of_edge(const struct profile *p, const struct profile_edge *e)
{
	return (struct line){
		.from = e->from, .to = e->to, .sites = e->sites, .calls = e->calls,
		.total = export_edge_seconds(p, e),
		.range = profile_edge_range(e) && p->terms.ticks_per_second > 0,
		.min = profile_seconds(p, (double)e->min),
		.max = profile_seconds(p, (double)e->max),
		.flags = e->flags,
	};
}

static struct line line_of_site(const struct profile *p, uint32_t site, const double *left)
{
	const struct profile_edge *e = &p->edges[p->sites[site].edge];
	struct profile_site s = export_site_left(p, site, left);
	double total = profile_seconds(p, (double)s.total);

	return (struct line){
		.from = e->from, .to = e->to, .sites = 1, .calls = s.calls, .address = s.from,
		.total = s.timed ? export_seconds(p, true, total) : (double)NAN,
		.range = profile_site_range(&s) && p->terms.ticks_per_second > 0,
		.min = profile_seconds(p, (double)s.min), .max = profile_seconds(p, (double)s.max),
		.flags = s.flags,
	};
}

static size_t line_count(const struct dot *d)
{
	return d->per_site ? d->p->site_count : d->p->edge_count;
}

/* False: it is not in the graph. */
static bool line_at(const struct dot *d, size_t i, struct line *l)
{
	const struct profile *p = d->p;

	if (!export_edge_passes(p, d->per_site ? p->sites[i].edge : (uint32_t)i, d->passing))
		return false;
	*l = d->per_site ? line_of_site(p, (uint32_t)i, d->left) : line_of_edge(p, &p->edges[i]);
	return !(d->per_site && l->flags & ROW_TWICE);
}

static void lines_survey(struct dot *d)
{
	d->least = INFINITY;
	d->most = -INFINITY;
	for (size_t i = 0; i < line_count(d); i++) {
		struct line l;
		double one;

		if (!line_at(d, i, &l))
			continue;
		one = line_average(&l);
		d->calls += l.calls;
		if (l.from == PROFILE_NONE)
			*(l.flags & ROW_HANDLER ? &d->interrupt : &d->nowhere) = true;
		if (!(one > 0))
			continue;
		d->least = fmin(d->least, log(one));
		d->most = fmax(d->most, log(one));
	}
}

/* --- the graph -------------------------------------------------------------------------------- */

/* "4.899s/7.143s profiled": the measured part of the time that the profiler was on. */
static void title_write(struct dot *d)
{
	const struct profile_totals *t = &d->p->totals;

	out_adds(d->out, "\tlabel=\"");
	if (isnan(export_seconds(d->p, t->time == PROFILE_TIME_TIMED, t->self_s)) ||
	    t->time == PROFILE_TIME_NONE)
		out_addf(d->out, "%" PRIu64 " calls profiled", t->calls);
	else if (t->run_s > 0)
		out_addf(d->out, "%.3fs/%.3fs profiled", t->self_s, t->run_s);
	else
		out_addf(d->out, "%.3fs/?s profiled", t->self_s);
	if (profile_estimated(d->p))
		out_adds(d->out, "\\n"
				 "estimates: the profiler's own cost is subtracted");
	if (d->p->terms.incomplete)
		out_adds(d->out, "\\nthe newest report was cut short");
	if (d->s->window)
		out_addf(d->out, "\\n%s", d->s->window);
	if (d->passing) {
		out_adds(d->out, "\\nfilter: ");
		label_write(d, regex_pattern(d->s->order.filter));
	}
	out_adds(d->out, "\";\n");
}

static int graph_write(struct dot *d)
{
	lines_survey(d);
	out_adds(d->out, "digraph \"");
	label_write(d, d->p->name && d->p->name[0] ? d->p->name : "callgraph");
	out_adds(d->out, "\" {\n");
	title_write(d);
	out_adds(d->out, "\tcharset=\"UTF-8\";\n\tcompound=true;\n\tsplines=spline;\n"
		 "\tnodesep=0.4;\n"
		 "\tnode [shape=ellipse, style=filled, fillcolor=\"#dddddd00\", fontsize=10];\n"
		 "\tedge [fontsize=9];\n");
	if (nodes_write(d) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < line_count(d); i++) {
		struct line l;

		if (line_at(d, i, &l))
			line_write(d, &l);
	}
	out_adds(d->out, "}\n");
	return 0;
}

int export_dot(const struct export_source *s, struct out *out, struct err *err)
{
	struct dot d = {
		.s = s, .p = s->profile, .out = out, .cluster = export_is_on(s, &dot_cluster),
		.per_site = export_is_on(s, &dot_per_site),
	};
	int ret = export_site_shares(s->profile, &d.left);

	if (ret == 0)
		ret = export_passing(s, &d.passing);
	if (ret == 0)
		ret = graph_write(&d);
	mem_free(d.passing);
	mem_free(d.left);
	(void)err;
	return ret;
}
