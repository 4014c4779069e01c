/*
 * Prometheus' text format (exposition format 0.0.4): the node's health and its top functions. For
 * node_exporter's textfile collector, or whatever serves the file.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/export/losses.h"

enum { FUNCTIONS = 50 };		/* where --limit names none: each is a time series */

struct metrics {
	const struct export_source *s;
	const struct profile *p;
	struct rows rows;
	size_t shown;
	struct out *out;
};

static const char *const escapes[] = { "\"\\\"", "\\\\\\", NULL };

static void metric_begin(struct metrics *m, const char *name, const char *type, const char *help)
{
	out_addf(m->out, "# HELP wsntop_%s %s\n# TYPE wsntop_%s %s\n", name, help, name, type);
}

static void label_add(struct metrics *m, const char *name, const char *value)
{
	out_addf(m->out, "%s=\"", name);
	out_text(m->out, value ? value : "", escapes);
	out_addc(m->out, '"');
}

static void node_metric(struct metrics *m, const char *name, const char *type, const char *help,
			double value)
{
	if (isnan(value))
		return;
	metric_begin(m, name, type, help);
	out_addf(m->out, "wsntop_%s{", name);
	label_add(m, "node", m->s->node);
	out_adds(m->out, "} ");
	out_double(m->out, value);
	out_addc(m->out, '\n');
}

/* --- functions -------------------------------------------------------------------------------- */

static double calls_of(const struct metrics *m, const struct profile_function *f)
{
	(void)m;
	return f->called ? (double)f->calls : (double)NAN;
}

static double own_of(const struct metrics *m, const struct profile_function *f)
{
	return export_seconds(m->p, f->time == PROFILE_TIME_TIMED,
			      f->called || f->samples ? f->self_s : (double)NAN);
}

static double inclusive_of(const struct metrics *m, const struct profile_function *f)
{
	return export_seconds(m->p, f->time == PROFILE_TIME_TIMED,
			      f->called || f->samples ? f->total_s : (double)NAN);
}

static double max_of(const struct metrics *m, const struct profile_function *f)
{
	return export_seconds(m->p, true, f->has_minmax ? f->max_s : (double)NAN);
}

static double samples_of(const struct metrics *m, const struct profile_function *f)
{
	return export_has_samples(m->p) ? (double)f->samples : (double)NAN;
}

static double energy_figure(const struct metrics *m, const struct profile_function *f)
{
	(void)m;
	return f->energy.known ? f->energy.energy_j : (double)NAN;
}

static const struct {
	const char *name, *type, *help;
	double (*value)(const struct metrics *m, const struct profile_function *f);
} figures[] = {
	{ "function_calls_total", "counter", "Times that the function was entered.", calls_of },
	{ "function_self_seconds_total", "counter", "Time in the function itself.", own_of },
	{ "function_seconds_total", "counter", "Time in the function and its callees.",
	  inclusive_of },
	{ "function_call_max_seconds", "gauge", "The longest single call.", max_of },
	{ "function_samples_total", "counter", "PC samples in the function.", samples_of },
	{ "function_energy_joules_total", "counter", "What the function itself drew.",
	  energy_figure },
};

static void figure_write(struct metrics *m, size_t k)
{
	bool begun = false;

	for (size_t i = 0; i < m->shown; i++) {
		const struct profile_function *f = &m->p->functions[m->rows.items[i]];
		double value = figures[k].value(m, f);

		if (isnan(value))
			continue;
		if (!begun)
			metric_begin(m, figures[k].name, figures[k].type, figures[k].help);
		begun = true;
		out_addf(m->out, "wsntop_%s{", figures[k].name);
		label_add(m, "node", m->s->node);
		out_addc(m->out, ',');
		label_add(m, "function", f->name);
		out_addc(m->out, ',');
		label_add(m, "file", f->path ? f->path : f->file);
		out_adds(m->out, "} ");
		out_double(m->out, value);
		out_addc(m->out, '\n');
	}
}

/* --- the node --------------------------------------------------------------------------------- */

static void losses_write(struct metrics *m)
{
	if (!m->s->status)
		return;
	metric_begin(m, "node_losses_total", "counter", "What the node could not tell, by kind.");
	for (const struct loss *l = losses; l->name; l++) {
		out_adds(m->out, "wsntop_node_losses_total{");
		label_add(m, "node", m->s->node);
		out_addc(m->out, ',');
		label_add(m, "kind", l->name);
		out_addf(m->out, "} %" PRIu64 "\n", loss_count(l, m->s->status));
	}
}

static void health_write(struct metrics *m)
{
	const struct wire_stats *w = &m->s->stream;
	const struct profile_totals *t = &m->p->totals;

	node_metric(m, "stream_bytes_total", "counter", "Bytes received.", (double)w->bytes);
	node_metric(m, "stream_bad_bytes_total", "counter", "Bytes that were in no packet.",
		    (double)w->bad_bytes);
	node_metric(m, "stream_lost_total", "counter", "Packets that are missing.",
		    (double)w->lost);
	node_metric(m, "node_profiled_seconds_total", "counter", "Time that was profiled.",
		    t->run_s);
	node_metric(m, "node_calls_total", "counter", "Calls of all functions.", (double)t->calls);
	node_metric(m, "node_profiling_ratio", "gauge", "Share of the time that profiling took.",
		    m->s->hello ? m->s->hooks_share : (double)NAN);
	node_metric(m, "node_functions", "gauge", "Functions that are known.",
		    (double)m->p->function_count);
	losses_write(m);
}

int export_prometheus(const struct export_source *s, struct out *out, struct err *err)
{
	struct metrics m = { .s = s, .p = s->profile, .out = out };
	uint64_t limit = export_number(s, &export_limit);
	int ret = export_rows(s, &m.rows);

	(void)err;
	if (ret < 0)
		return ret;
	limit = limit ? limit : FUNCTIONS;
	m.shown = m.rows.count < limit ? m.rows.count : (size_t)limit;
	health_write(&m);
	for (size_t k = 0; k < sizeof(figures) / sizeof(figures[0]); k++)
		figure_write(&m, k);
	rows_release(&m.rows);
	return 0;
}
