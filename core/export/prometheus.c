/*
 * Prometheus' text format (exposition format 0.0.4): the node's health and its top functions. For
 * node_exporter's textfile collector, or whatever serves the file.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/export/losses.h"
#include "core/export/metric.h"

enum { FUNCTIONS = 50 };		/* where --limit names none: each is a time series */

struct exposition {
	const struct export_source *s;
	const struct profile *p;
	struct rows rows;
	size_t shown;
	struct out *out;
};

static void metric_begin(struct exposition *m, const char *name, const char *type, const char *help)
{
	out_addf(m->out, "# HELP wsntop_%s %s\n# TYPE wsntop_%s %s\n", name, help, name, type);
}

static void node_metric(struct exposition *m, const char *name, const char *type, const char *help,
			double value)
{
	if (isnan(value))
		return;
	metric_begin(m, name, type, help);
	out_addf(m->out, "wsntop_%s{", name);
	metric_label(m->out, "node", m->s->node);
	out_adds(m->out, "} ");
	out_double(m->out, value);
	out_addc(m->out, '\n');
}

/* --- functions -------------------------------------------------------------------------------- */

static void figure_write(struct exposition *m, const struct metric *metric)
{
	bool begun = false;

	for (size_t i = 0; i < m->shown; i++) {
		const struct profile_function *f = &m->p->functions[m->rows.items[i]];
		double value = metric->value(m->p, f);

		if (isnan(value))
			continue;
		if (!begun)
			metric_begin(m, metric->name, metric->type, metric->help);
		begun = true;
		out_addf(m->out, "wsntop_%s{", metric->name);
		metric_label(m->out, "node", m->s->node);
		out_addc(m->out, ',');
		metric_label(m->out, "function", f->name);
		out_addc(m->out, ',');
		metric_label(m->out, "file", f->path ? f->path : f->file);
		out_adds(m->out, "} ");
		out_double(m->out, value);
		out_addc(m->out, '\n');
	}
}

/* --- the node --------------------------------------------------------------------------------- */

static void losses_write(struct exposition *m)
{
	if (!m->s->status)
		return;
	metric_begin(m, "node_losses_total", "counter", "What the node could not tell, by kind.");
	for (const struct loss *l = losses; l->name; l++) {
		out_adds(m->out, "wsntop_node_losses_total{");
		metric_label(m->out, "node", m->s->node);
		out_addc(m->out, ',');
		metric_label(m->out, "kind", l->name);
		out_addf(m->out, "} %" PRIu64 "\n", loss_count(l, m->s->status));
	}
}

static void health_write(struct exposition *m)
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
	struct exposition m = { .s = s, .p = s->profile, .out = out };
	uint64_t limit = export_number(s, &export_limit);
	int ret = export_rows(s, &m.rows);

	(void)err;
	if (ret < 0)
		return ret;
	limit = limit ? limit : FUNCTIONS;
	m.shown = m.rows.count < limit ? m.rows.count : (size_t)limit;
	health_write(&m);
	for (const struct metric *k = metrics; k->title; k++)
		if (k->name)
			figure_write(&m, k);
	rows_release(&m.rows);
	return 0;
}
