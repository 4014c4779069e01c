#include "core/collect/metrics.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/text.h"
#include "core/profile/look/rows.h"

/* A figure of a part, of a function in it, of the whole sum: one of the three. */
struct fleet_metric {
	const char *name, *type, *help;
	double (*of_part)(const struct output_part *p);
	double (*of_function)(const struct profile_function *f);
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

static double calls_of(const struct profile_function *f)
{
	return f->called ? (double)f->calls : (double)NAN;
}

static double self_of(const struct profile_function *f)
{
	return f->called || f->samples ? f->self_s : (double)NAN;
}

static double inclusive_of(const struct profile_function *f)
{
	return f->called || f->samples ? f->total_s : (double)NAN;
}

static double samples_of(const struct profile_function *f)
{
	return f->samples ? (double)f->samples : (double)NAN;
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
	{ "function_calls_total", "counter", "Times that the function was entered.",
	  .of_function = calls_of },
	{ "function_self_seconds_total", "counter", "Time in the function itself.",
	  .of_function = self_of },
	{ "function_seconds_total", "counter", "Time in the function and its callees.",
	  .of_function = inclusive_of },
	{ "function_samples_total", "counter", "PC samples in the function.",
	  .of_function = samples_of },
	{ .name = NULL },
};

static void label_put(struct out *out, const char *name, const char *value)
{
	static const char *const escapes[] = { "\"\\\"", "\\\\\\", "\n\\n", NULL };

	out_addf(out, "%s=\"", name);
	out_text(out, value, escapes);
	out_addc(out, '"');
}

static void part_labels(struct out *out, const struct output_part *p)
{
	label_put(out, "site", p->part->key.site);
	out_addc(out, ',');
	label_put(out, "build", p->build);
	out_addc(out, ',');
	label_put(out, "image", p->image ? text_basename(image_path(p->image)) : "");
}

static void sample_put(struct out *out, const struct fleet_metric *m, const struct output_part *p,
		       const struct profile_function *f, double value)
{
	out_addf(out, "wsntop_fleet_%s{", m->name);
	part_labels(out, p);
	if (f) {
		out_addc(out, ',');
		label_put(out, "function", f->name);
		out_addc(out, ',');
		label_put(out, "file", f->path ? f->path : f->file ? f->file : "");
	}
	out_adds(out, "} ");
	out_double(out, value);
	out_addc(out, '\n');
}

static void functions_put(struct out *out, const struct fleet_metric *m,
			  const struct output_part *p)
{
	const struct rows_order order = { .column = COLUMN_SELF };
	struct rows rows;

	rows_init(&rows);
	if (rows_sort(&rows, p->profile, &order) == 0)
		for (size_t i = 0; i < rows.count && i < METRICS_FUNCTIONS; i++) {
			const struct profile_function *f = &p->profile->functions[rows.items[i]];
			double value = m->of_function(f);

			if (!isnan(value))
				sample_put(out, m, p, f, value);
		}
	rows_release(&rows);
}

void metrics_write(const struct sum *all, const struct output_part *parts, size_t count,
		   struct out *out)
{
	for (const struct fleet_metric *m = fleet_metrics; m->name; m++) {
		out_addf(out, "# HELP wsntop_fleet_%s %s\n# TYPE wsntop_fleet_%s %s\n", m->name,
			 m->help, m->name, m->type);
		if (m->of_sum)
			out_addf(out, "wsntop_fleet_%s %" PRIu64 "\n", m->name, m->of_sum(all));
		for (size_t i = 0; i < count; i++)
			if (m->of_part)
				sample_put(out, m, &parts[i], NULL, m->of_part(&parts[i]));
			else if (m->of_function)
				functions_put(out, m, &parts[i]);
	}
}
