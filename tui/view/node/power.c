/* power: the node view's section of what a meter measured, or a model estimates. */
#include "tui/view/node/power.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/amps.h"

enum { STATES_SHOWN = 8 };

#define YEAR (365.25 * 86400)

static void add_meter(struct board *b, const struct node *n, const struct energy_report *r)
{
	struct export_meter m;

	if (r->estimate)
		board_add(b, BOARD_FACT, "model", ROLE_VALUE, "%s: estimates, nothing is measured",
			  node_options(n)->power);
	if (!node_meter(n, &m))
		return;
	board_add(b, BOARD_FACT, "meter", ROLE_VALUE, "%s (%s)", m.source,
		  m.model[0] ? m.model : "not known yet");
	if (node_power(n) && power_missing(node_power(n)))
		board_add(b, BOARD_FACT, "lost", ROLE_WARNING, "%s samples of it",
			  TEXT_WHOLE(power_missing(node_power(n))));
}

static const char *report_mark(const struct energy_report *r)
{
	return r->estimate ? "~" : "";
}

static void add_current(struct board *b, const struct energy_report *r)
{
	char mean[16], min[16], max[16], span[24];

	amps_text(mean, sizeof(mean), r->mean);
	if (isnan(r->mean))
		board_add(b, BOARD_FACT, "current", ROLE_DIM,
			  r->windowed ? "not known of this time" : "not known yet");
	else if (r->estimate)
		board_add(b, BOARD_FACT, "current", ROLE_VALUE, "~%s in the mean", mean);
	else
		board_add(b, BOARD_FACT, "current", ROLE_VALUE,
			  "%s in the mean, %s to %s, over %s", mean,
			  amps_text(min, sizeof(min), r->min), amps_text(max, sizeof(max), r->max),
			  text_seconds(span, sizeof(span), r->seconds));
	if (isnan(r->charge))
		return;
	board_add(b, BOARD_FACT, "energy", ROLE_VALUE, "%s%s: %s at %.4g V%s", report_mark(r),
		  joules_text(mean, sizeof(mean), r->charge * r->volts),
		  coulombs_text(max, sizeof(max), r->charge), r->volts,
		  r->volts_given ? "" : ", assumed: --volts tells it");
}

static void add_alignment(struct board *b, const struct energy_report *r)
{
	static const char *const troubles[] = {
		[ENERGY_NO_CURRENT] = "no current came yet",
		[ENERGY_NO_RUNS] = "the node tells neither calls nor when PCs were sampled",
		[ENERGY_NOT_ALIGNED] = "not yet: nothing is attributed to functions",
		[ENERGY_GONE] = "of that time not all is kept: nothing is attributed",
		[ENERGY_ADDING] = "being added up ...",
	};
	char unsure[24];

	if (r->trouble && r->trouble != ENERGY_TOO_FAR)
		board_add(b, BOARD_FACT, r->trouble < ENERGY_GONE ? "aligned" : "functions",
			  ROLE_WARNING, "%s", troubles[r->trouble]);
	else if (!r->estimate)
		board_add(b, BOARD_FACT, "aligned", ROLE_VALUE, "+-%s, by %s",
			  text_seconds(unsure, sizeof(unsure), r->uncertainty_s),
			  align_words(r->method));
	if (r->trouble == ENERGY_TOO_FAR)
		board_add(b, BOARD_FACT, "functions", ROLE_DIM,
			  "they run shorter than that, or seldom: no figures");
}

/* A part of what is attributed: its current, its share. */
static void add_part(struct board *b, const char *label, const char *of,
		     const struct energy_report *r, const struct energy_sum *sum)
{
	double amps = energy_current(sum);
	char text[16];

	if (!(sum->seconds > 0))
		return;
	if (isnan(amps))
		board_add(b, BOARD_FACT, label, ROLE_DIM, "%s%stoo short to be told", of,
			  *of ? ": " : "");
	else
		board_add(b, BOARD_FACT, label, ROLE_VALUE, "%s%s%s%s, %.1f %% of the energy", of,
			  *of ? ": " : "", report_mark(r), amps_text(text, sizeof(text), amps),
			  100 * sum->charge / r->known_charge);
}

static void add_parts(struct board *b, const struct energy_report *r)
{
	if (isnan(r->known_charge) || !(r->known_charge > 0))
		return;
	add_part(b, "sleep", "", r, &r->sleep);
	add_part(b, "handlers", "", r, &r->handlers);
	for (size_t i = 0; i < r->state_count && i < STATES_SHOWN; i++) {
		const struct energy_state *s = &r->states[i];

		add_part(b, i && strcmp(s[-1].what, s->what) == 0 ? "" : s->what, s->state, r,
			 &s->sum);
	}
}

static void add_battery(struct board *b, const struct keymap *keys, const struct energy_report *r)
{
	char day[16], life[24], how[80];

	if (isnan(r->day_j))
		return;
	joules_text(day, sizeof(day), r->day_j);
	board_add(b, BOARD_FACT, "a day", ROLE_VALUE, "%s%s", report_mark(r), day);
	if (isnan(r->battery_c)) {
		board_add(b, BOARD_FACT, "battery", ROLE_DIM, "%s",
			  keymap_expand(keys, "{battery} or --battery=220mAh tells its life", how,
					sizeof(how)));
		return;
	}
	if (r->life_s >= YEAR)
		snprintf(life, sizeof(life), "%.1f years", r->life_s / YEAR);
	else
		snprintf(life, sizeof(life), "%.1f days", r->life_s / 86400);
	board_add(b, BOARD_FACT, "battery", ROLE_VALUE, "%.4g mAh: %s%s at this mean",
		  r->battery_c / 3.6, report_mark(r), life);
}

/* Of the time that is shown; each function at its worst: of all. */
void section_power(struct board *b, const struct view_shared *s)
{
	const struct energy_report *shown = s->model.energy;
	const struct node *n = s->node;
	const struct energy_report *r = shown ? shown : node_energy_told(n);
	char heading[48];

	if (!r)
		return;
	snprintf(heading, sizeof(heading), "Power%s%s", r->estimate ? ", estimated" : "",
		 r->windowed ? ", in the time shown" : "");
	board_heading(b, heading);
	add_meter(b, n, r);
	add_current(b, r);
	add_alignment(b, r);
	add_parts(b, r);
	add_battery(b, &s->settings->keys, r);
}
