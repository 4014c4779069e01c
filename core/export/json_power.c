/* json_power: see json_power.h. */
#include "core/export/json_power.h"

#include <math.h>

#include "core/export/json_energy.h"
#include "core/power/power.h"

static void number_put(struct json_out *o, const char *key, bool known, double value)
{
	json_number(o, key, known ? value : (double)NAN);
}

/* Of all that the meter told, or of the window that the profile is of. */
static void figures_write(struct json_out *o, const struct power *p, const struct energy_report *r)
{
	uint64_t begin = power_begin(p), end = power_end(p);
	struct power_span all;
	bool any = power_span(p, begin, end, &all);

	if (r && r->windowed) {
		json_energy_figures(o, r);
		return;
	}
	number_put(o, "seconds", any && power_hz(p) > 0, (double)(end - begin) / power_hz(p));
	number_put(o, "mean_a", any, all.mean);
	number_put(o, "min_a", any, all.min);
	number_put(o, "max_a", any, all.max);
	number_put(o, "charge_c", any, all.charge);
}

static void samples_write(struct json_out *o, const struct power *p, const struct energy_report *r)
{
	const struct power_edge *edges;
	size_t edge_count = power_edges(p, &edges);
	double hz = power_hz(p);

	number_put(o, "hz", hz > 0, hz);
	json_count(o, "samples", true, power_count(p));
	json_count(o, "lost", true, power_missing(p));
	figures_write(o, p, r);
	json_count(o, "edges", true, edge_count ? edge_count - 1 : 0);
}

void json_power_write(struct json_out *o, const struct export_source *s)
{
	const struct export_meter *m = &s->meter;

	if (!s->power) {
		json_energy_write(o, s->energy);
		return;
	}
	json_begin_object(o, "power");
	json_text(o, "source", m->source);
	json_text(o, "model", m->model[0] ? m->model : NULL);
	json_bool(o, "calibrated", m->calibrated);
	json_count(o, "replaced", true, m->replaced);
	json_count(o, "bad_bytes", true, m->bad);
	samples_write(o, s->power, s->energy);
	if (s->energy)
		json_energy_fields(o, s->energy);
	json_end_object(o);
}
