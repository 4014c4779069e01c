#include "core/export/metric.h"

#include <math.h>

#include "core/export/format.h"

/* Of a function that the node measured: others have zeros there. */
static double metric_seconds(const struct profile *p, const struct profile_function *f, double s)
{
	return f->called || f->samples ?
	       export_seconds(p, f->time == PROFILE_TIME_TIMED, s) : (double)NAN;
}

static double self_seconds(const struct profile *p, const struct profile_function *f)
{
	return metric_seconds(p, f, f->self_s);
}

static double total_seconds(const struct profile *p, const struct profile_function *f)
{
	return metric_seconds(p, f, f->total_s);
}

static double call_count(const struct profile *p, const struct profile_function *f)
{
	(void)p;
	return f->called ? (double)f->calls : (double)NAN;
}

static double call_seconds(const struct profile *p, const struct profile_function *f)
{
	return metric_seconds(p, f, f->called ? f->per_call_s : (double)NAN);
}

static double min_seconds(const struct profile *p, const struct profile_function *f)
{
	return export_seconds(p, true, f->has_minmax ? f->min_s : (double)NAN);
}

static double max_seconds(const struct profile *p, const struct profile_function *f)
{
	return export_seconds(p, true, f->has_minmax ? f->max_s : (double)NAN);
}

static double sample_count(const struct profile *p, const struct profile_function *f)
{
	return export_has_samples(p) ? (double)f->samples : (double)NAN;
}

static double own_joules(const struct profile *p, const struct profile_function *f)
{
	(void)p;
	return f->energy.known ? f->energy.energy_j : (double)NAN;
}

const struct metric metrics[] = {
	{ .title = "Self", .value = self_seconds,
	  .name = "function_self_seconds_total", .type = "counter",
	  .help = "Time in the function itself." },
	{ .title = "Total", .value = total_seconds,
	  .name = "function_seconds_total", .type = "counter",
	  .help = "Time in the function and its callees." },
	{ .title = "Calls", .unit = METRIC_COUNT, .value = call_count,
	  .name = "function_calls_total", .type = "counter",
	  .help = "Times that the function was entered." },
	{ .title = "Per call", .value = call_seconds },
	{ .title = "Min", .rare = true, .value = min_seconds },
	{ .title = "Max", .rare = true, .value = max_seconds,
	  .name = "function_call_max_seconds", .type = "gauge",
	  .help = "The longest single call." },
	{ .title = "Samples", .unit = METRIC_COUNT, .rare = true, .value = sample_count,
	  .name = "function_samples_total", .type = "counter",
	  .help = "PC samples in the function." },
	{ .title = "Energy", .unit = METRIC_JOULES, .rare = true, .value = own_joules,
	  .name = "function_energy_joules_total", .type = "counter",
	  .help = "What the function itself drew." },
	{ NULL },
};

void metric_label(struct out *out, const char *name, const char *value)
{
	static const char *const escapes[] = { "\"\\\"", "\\\\\\", "\n\\n", NULL };

	out_addf(out, "%s=\"", name);
	out_text(out, value ? value : "", escapes);
	out_addc(out, '"');
}
