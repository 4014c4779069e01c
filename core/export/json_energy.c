/* json_energy: see json_energy.h. */
#include "core/export/json_energy.h"

#include <math.h>

static void alignment_write(struct json_out *o, const struct energy_report *r)
{
	static const char *const methods[] = {
		[ALIGN_ARRIVAL] = "arrival", [ALIGN_CURRENT] = "current", [ALIGN_EDGE] = "edge",
	};

	json_begin_object(o, "alignment");
	json_text(o, "method", r->estimate ? NULL : methods[r->method]);
	json_number(o, "uncertainty_s", r->uncertainty_s);
	json_end_object(o);
}

static void part_write(struct json_out *o, const char *key, const struct energy_report *r,
		       const struct energy_sum *sum)
{
	bool sampled = isnan(r->known_s);

	json_begin_object(o, key);
	json_number(o, "seconds", sampled ? (double)NAN : sum->seconds);
	json_number(o, "charge_c", sampled ? (double)NAN : sum->charge);
	json_number(o, "current_a", energy_current(sum));
	json_end_object(o);
}

static void states_write(struct json_out *o, const struct energy_report *r)
{
	json_begin_array(o, "states");
	for (size_t i = 0; i < r->state_count; i++) {
		const struct energy_state *s = &r->states[i];

		json_begin_object(o, NULL);
		json_text(o, "of", s->what);
		json_text(o, "state", s->state);
		json_number(o, "seconds", s->sum.seconds);
		json_number(o, "charge_c", s->sum.charge);
		json_number(o, "current_a", energy_current(&s->sum));
		json_end_object(o);
	}
	json_end_array(o);
}

void json_energy_fields(struct json_out *o, const struct energy_report *r)
{
	static const char *const troubles[] = {
		[ENERGY_NO_CURRENT] = "no current", [ENERGY_NO_RUNS] = "no calls",
		[ENERGY_NOT_ALIGNED] = "not aligned", [ENERGY_TOO_FAR] = "too far apart",
		[ENERGY_GONE] = "not kept",
		[ENERGY_ADDING] = "not added up yet",
	};

	json_bool(o, "estimate", r->estimate);
	json_text(o, "trouble", r->trouble ? troubles[r->trouble] : NULL);
	alignment_write(o, r);
	json_number(o, "volts", r->volts);
	json_bool(o, "volts_given", r->volts_given);
	json_number(o, "energy_j", r->charge * r->volts);
	json_number(o, "attributed_s", r->known_s);
	json_number(o, "attributed_c", r->known_charge);
	part_write(o, "sleep", r, &r->sleep);
	part_write(o, "handlers", r, &r->handlers);
	part_write(o, "unknown", r, &r->unknown);
	states_write(o, r);
	json_number(o, "energy_per_day_j", r->day_j);
	json_number(o, "battery_c", r->battery_c);
	json_number(o, "battery_life_s", r->life_s);
}

void json_energy_figures(struct json_out *o, const struct energy_report *r)
{
	json_number(o, "seconds", r->seconds);
	json_number(o, "mean_a", r->mean);
	json_number(o, "min_a", r->min);
	json_number(o, "max_a", r->max);
	json_number(o, "charge_c", r->charge);
}

void json_energy_write(struct json_out *o, const struct energy_report *r)
{
	if (!r)
		return;
	json_begin_object(o, "power");
	json_energy_figures(o, r);
	json_energy_fields(o, r);
	json_end_object(o);
}
