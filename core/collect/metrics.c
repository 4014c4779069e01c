#include "core/collect/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/metric.h"
#include "core/collect/worst.h"
#include "core/profile/look/rows.h"

#define NODE_SHARE "function_node_share_ratio"

/* A figure of a part, or of the whole sum. Those of functions are core/export/metric.h's. */
struct fleet_metric {
	const char *name, *type, *help;
	double (*of_part)(const struct output_part *p);
	uint64_t (*of_sum)(const struct sum *s);
};

static double part_nodes(const struct output_part *p)
{
	return (double)p->part->nodes;
}

static double part_ended(const struct output_part *p)
{
	return (double)p->part->ended;
}

static double part_run(const struct output_part *p)
{
	return profile_run_told(p->profile);
}

static uint64_t sum_unknown(const struct sum *s)
{
	return s->unknown;
}

static uint64_t sum_doubtful(const struct sum *s)
{
	return s->doubtful;
}

static uint64_t sum_refused(const struct sum *s)
{
	return s->refused;
}

static const struct fleet_metric fleet_metrics[] = {
	{ "unknown_nodes", "gauge", "Nodes whose firmware is none of the ELF files.",
	  .of_sum = sum_unknown },
	{ "doubtful_nodes", "gauge", "Nodes that are left out: their times cannot be.",
	  .of_sum = sum_doubtful },
	{ "refused_payloads", "gauge", "Payloads that were refused.", .of_sum = sum_refused },
	{ "nodes", "gauge", "Nodes whose counts are in the sum.", .of_part = part_nodes },
	{ "epochs_ended_total", "counter", "Epochs that are over, and counted.",
	  .of_part = part_ended },
	{ "profiled_seconds_total", "counter", "Time of all nodes that was profiled.",
	  .of_part = part_run },
	{ .name = NULL },
};

static void part_labels(struct out *out, const struct output_part *p)
{
	metric_label(out, "site", p->part->key.site);
	out_addc(out, ',');
	metric_label(out, "build", p->build);
	out_addc(out, ',');
	metric_label(out, "image", p->image ? text_basename(image_path(p->image)) : "");
}

/* What a sample is of; `more`: one more label, NULL none. */
struct sample_of {
	const struct output_part *part;
	const struct profile_function *function;	/* NULL: all */
	const char *more, *value;
};

static void sample_put(struct out *out, const char *name, const struct sample_of *of, double value)
{
	const struct profile_function *f = of->function;

	out_addf(out, "wsntop_fleet_%s{", name);
	part_labels(out, of->part);
	if (f) {
		out_addc(out, ',');
		metric_label(out, "function", f->name);
		out_addc(out, ',');
		metric_label(out, "file", f->path ? f->path : f->file);
	}
	if (of->more) {
		out_addc(out, ',');
		metric_label(out, of->more, of->value);
	}
	out_adds(out, "} ");
	out_double(out, value);
	out_addc(out, '\n');
}

static void metric_begin(struct out *out, const char *name, const char *type, const char *help)
{
	out_addf(out, "# HELP wsntop_fleet_%s %s\n# TYPE wsntop_fleet_%s %s\n", name, help, name,
		 type);
}

static void sums_put(const struct sum *all, const struct output_part *parts, size_t count,
		     struct out *out)
{
	for (const struct fleet_metric *m = fleet_metrics; m->name; m++) {
		metric_begin(out, m->name, m->type, m->help);
		if (m->of_sum)
			out_addf(out, "wsntop_fleet_%s %" PRIu64 "\n", m->name, m->of_sum(all));
		for (size_t i = 0; m->of_part && i < count; i++)
			sample_put(out, m->name, &(struct sample_of){ &parts[i] },
				   m->of_part(&parts[i]));
	}
}

static void figure_put(const struct metric *m, const struct output_part *parts,
			 const struct rows *rows, size_t count, struct out *out)
{
	bool begun = false;

	for (size_t i = 0; i < count; i++) {
		const struct profile *p = parts[i].profile;

		for (size_t k = 0; k < rows[i].count && k < METRICS_FUNCTIONS; k++) {
			const struct profile_function *f = &p->functions[rows[i].items[k]];
			double value = m->value(p, f);

			if (isnan(value))
				continue;
			if (!begun)
				metric_begin(out, m->name, m->type, m->help);
			begun = true;
			sample_put(out, m->name, &(struct sample_of){ &parts[i], f }, value);
		}
	}
}

/* --- over the nodes --------------------------------------------------------------------------- */

static const struct {
	double q;
	const char *text;
} quantiles[] = { { 0.5, "0.5" }, { 0.9, "0.9" }, { 0.99, "0.99" } };

static void function_spread_put(const struct output_part *p, const struct profile_function *f,
				const struct shares_function *s, struct out *out)
{
	struct sketch sketch;
	struct sample_of of = { p, f, "quantile", NULL };

	shares_sketch(s, &sketch);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		of.value = quantiles[i].text;
		sample_put(out, NODE_SHARE, &of, sketch_quantile(&sketch, quantiles[i].q));
	}
	of.more = NULL;
	sample_put(out, NODE_SHARE "_sum", &of, worst_mean(s) * s->nodes);
	sample_put(out, NODE_SHARE "_count", &of, s->nodes);
}

static void spreads_put(const struct output_part *parts, const struct rows *rows, size_t count,
			struct out *out)
{
	bool begun = false;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < rows[i].count && k < METRICS_FUNCTIONS; k++) {
			const struct profile_function *f =
				&parts[i].profile->functions[rows[i].items[k]];
			const struct shares_function *s =
				shares_find(&parts[i].part->shares, f->address);

			if (!s)
				continue;
			if (!begun)
				metric_begin(out, NODE_SHARE, "summary", "Share of a node's self "
					     "time that the function takes, over the nodes.");
			begun = true;
			function_spread_put(&parts[i], f, s, out);
		}
}

/* Of the few nodes that are unlike the others. */
struct worst_metric {
	const char *name, *help;
	double (*value)(const struct worst_node *w);
};

static double worst_node_share(const struct worst_node *w)
{
	return worst_share(w->node);
}

static double worst_node_times(const struct worst_node *w)
{
	return w->times;
}

static double worst_node_z(const struct worst_node *w)
{
	return w->z;
}

static const struct worst_metric worst_metrics[] = {
	{ "worst_node_share_ratio", "Share of the node's self time that the function takes, of "
	  "nodes that are unlike the others.", worst_node_share },
	{ "worst_node_times_median_ratio", "That share, of the median of all nodes.",
	  worst_node_times },
	{ "worst_node_deviations", "How many standard deviations it is above the median.",
	  worst_node_z },
	{ .name = NULL },
};

static void worst_metric_put(const struct worst_metric *m, const struct output_part *p,
			     const struct worst_node *worst, size_t count, struct out *out)
{
	for (size_t i = 0; i < count; i++) {
		char id[9];

		snprintf(id, sizeof(id), "%08" PRIx32, worst[i].node->id);
		sample_put(out, m->name, &(struct sample_of){ p, worst[i].function, "node", id },
			   m->value(&worst[i]));
	}
}

static void worst_put_all(const struct output_part *parts, size_t count, struct out *out)
{
	struct worst_node (*worst)[WORST_NODES] = mem_alloc((count + 1) * sizeof(*worst));
	size_t *found = mem_alloc((count + 1) * sizeof(*found)), sum = 0;

	for (size_t i = 0; worst && found && i < count; i++)
		sum += found[i] = worst_find(&parts[i], worst[i]);
	for (const struct worst_metric *m = worst_metrics; sum && m->name; m++) {
		metric_begin(out, m->name, "gauge", m->help);
		for (size_t i = 0; i < count; i++)
			worst_metric_put(m, &parts[i], worst[i], found[i], out);
	}
	mem_free(worst);
	mem_free(found);
}

void metrics_write(const struct sum *all, const struct output_part *parts, size_t count,
		   struct out *out)
{
	const struct rows_order order = { .column = COLUMN_SELF };
	struct rows *rows = mem_alloc((count + 1) * sizeof(*rows));

	sums_put(all, parts, count, out);
	for (size_t i = 0; rows && i < count; i++) {
		rows_init(&rows[i]);
		if (rows_sort(&rows[i], parts[i].profile, &order) < 0)
			rows[i].count = 0;
	}
	for (const struct metric *m = metrics; rows && m->title; m++)
		if (m->name)
			figure_put(m, parts, rows, count, out);
	if (rows)
		spreads_put(parts, rows, count, out);
	worst_put_all(parts, count, out);
	for (size_t i = 0; rows && i < count; i++)
		rows_release(&rows[i]);
	mem_free(rows);
}
