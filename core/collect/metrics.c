#include "core/collect/metrics.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/metric.h"
#include "core/profile/look/rows.h"

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

static void sample_put(struct out *out, const char *name, const struct output_part *p,
		       const struct profile_function *f, double value)
{
	out_addf(out, "wsntop_fleet_%s{", name);
	part_labels(out, p);
	if (f) {
		out_addc(out, ',');
		metric_label(out, "function", f->name);
		out_addc(out, ',');
		metric_label(out, "file", f->path ? f->path : f->file);
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
			sample_put(out, m->name, &parts[i], NULL, m->of_part(&parts[i]));
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
			sample_put(out, m->name, &parts[i], f, value);
		}
	}
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
	for (size_t i = 0; rows && i < count; i++)
		rows_release(&rows[i]);
	mem_free(rows);
}
