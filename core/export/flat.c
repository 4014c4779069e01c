/*
 * gprof's flat profile, with the shortest and the longest call in two more columns before the name.
 * -B prints it.
 */
#include "core/export/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/losses.h"

struct flat {
	const struct export_source *s;
	const struct profile *p;
	const struct export_unit *unit;	/* of the whole run */
	const struct export_unit *call;	/* of one call */
	bool has_range;			/* some function has min and max */
	double cumulative;
	struct out *out;
};

/* --- notes above the table -------------------------------------------------------------------- */

static void measure_note(const struct profile *p, struct out *out)
{
	char self[16], run[16];

	if (p->totals.time == PROFILE_TIME_SAMPLED) {
		out_addf(out, "Each sample counts as %g seconds.\n", 1 / p->terms.hz);
		return;
	}
	if (p->totals.time != PROFILE_TIME_TIMED || !(p->terms.ticks_per_second > 0))
		return;
	out_addf(out, "Each tick counts as %g seconds; ", 1 / p->terms.ticks_per_second);
	if (isnan(p->totals.self_s)) {
		out_adds(out, "self times are not known without the image.\n");
		return;
	}
	out_adds(out, text_seconds(self, sizeof(self), p->totals.profiled_s));
	if (p->totals.run_s > 0)
		out_addf(out, " of %s", text_seconds(run, sizeof(run), p->totals.run_s));
	out_adds(out, " profiled.\n");
}

static void losses_note(const struct export_source *s, struct out *out)
{
	char line[200];

	for (const struct loss *l = losses; s->status && l->name; l++) {
		if (!loss_count(l, s->status))
			continue;
		loss_say(l, s->status, line, sizeof(line));
		out_addf(out, "%s.\n", line);
	}
}

/* A node that subtracts its own cost tells the error that a single time still has. */
static void spread_note(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;
	char text[16];

	if (p->totals.time == PROFILE_TIME_TIMED && p->terms.ticks_per_second > 0 &&
	    profile_spread(p) > 0)
		out_addf(out, "Each time a call took may be off by %s.\n",
			 text_seconds(text, sizeof(text), profile_seconds(p, profile_spread(p))));
	if (s->handlers[0] && p->totals.time == PROFILE_TIME_TIMED)
		out_addf(out, "Max and average include interrupt handlers without hooks: %s.\n",
			 s->handlers);
	if (s->hello && !isnan(s->hooks_share))
		out_addf(out, "Profiling took %.1f %% of the time awake.\n", 100 * s->hooks_share);
}

static void selfs_note(const struct profile *p, struct out *out)
{
	size_t estimated = 0, incomplete = 0;

	for (size_t i = 0; i < p->function_count; i++) {
		estimated += p->functions[i].self_slack_s > 0;
		incomplete += p->functions[i].incomplete;
	}
	if (estimated)
		out_addf(out, "Self times of %s functions are estimates: the node sent their rows "
			 "one after the other.\n", TEXT_WHOLE(estimated));
	if (incomplete)
		out_addf(out, "%s functions lack calls (marked >=), which found no room on the "
			 "node.\n", TEXT_WHOLE(incomplete));
}

static void doubts_note(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;

	if (s->window)
		out_addf(out, "Not all counts are in this profile: %s.\n", s->window);
	if (profile_estimated(p))
		out_adds(out, "Estimates: the profiler's own cost is subtracted.\n");
	selfs_note(p, out);
	if (p->totals.both)
		out_adds(out, "The stream has times and PC samples: times are shown where the "
			      "node measured them.\n");
	if (p->totals.time == PROFILE_TIME_TIMED && !(p->terms.ticks_per_second > 0))
		out_adds(out, "The length of a tick is unknown: no times.\n");
	if (p->terms.incomplete)
		out_adds(out, "The newest report was cut short: calls may be missing.\n");
	if (p->terms.table_full && !s->status)
		out_addf(out, "The node's table of %s call sites was full: calls may be "
			 "missing.\n", TEXT_WHOLE(p->terms.max_sites));
	if (s->refused) {
		out_adds(out, "Names are addresses: ");
		out_text(out, text_basename(s->refused), NULL);
		out_adds(out, " is not the firmware that runs.\n");
	}
	losses_note(s, out);
	if (s->agreement < 0.9 && !(s->image_match && !strcmp(s->image_match, "yes")))
		out_addf(out, "Only %.0f %% of the addresses make sense in this image.\n",
			 100 * s->agreement);
}

static void flat_notes(const struct flat *f)
{
	out_adds(f->out, "Flat profile:\n\n");
	if (f->p->name && f->p->name[0]) {
		out_adds(f->out, "Report ");
		out_text(f->out, f->p->name, NULL);
		out_adds(f->out, ".\n");
	}
	measure_note(f->p, f->out);
	spread_note(f->s, f->out);
	doubts_note(f->s, f->out);
}

/* --- the table -------------------------------------------------------------------------------- */

static void flat_heading(const struct flat *f)
{
	const char *unit = f->unit->scale == 1 ? "seconds" : f->unit->name;
	char per_call[16];

	snprintf(per_call, sizeof(per_call), "%s/call", f->call->name);
	out_addf(f->out, "%5s %10s %8s %8s %8s %8s  ", "%  ", "cumulative", "self  ", "",
		 "self  ", "total ");
	if (f->has_range)
		out_addf(f->out, "%9s %9s  ", "min", "max");
	out_addf(f->out, "\n%5s %9s  %8s %8s %8s %8s  ", "time", unit, unit, "calls", per_call,
		 per_call);
	if (f->has_range)
		out_addf(f->out, "%9s %9s  ", f->call->name, f->call->name);
	out_adds(f->out, "name\n");
}

/*
 * A shortest or longest call; ">=": the node's counter was too narrow for it, "<": its clock
 * counted none of it.
 */
static const char *bound_cell(char *dst, size_t size, const struct flat *f, double seconds,
			      bool at_least)
{
	double least = column_call_least(f->p);
	bool below = !at_least && seconds <= 0 && least > 0;
	char number[32];

	if (below)
		seconds = least;
	snprintf(dst, size, "%s%s", below ? "<" : at_least && !isnan(seconds) ? ">=" : "",
		 export_cell(number, sizeof(number), seconds, f->call));
	return dst;
}

static void flat_range(const struct flat *f, const struct profile_function *fn)
{
	bool known = fn->has_minmax;
	char min[40], max[40];

	if (!f->has_range)
		return;
	bound_cell(min, sizeof(min), f, known ? fn->min_s : (double)NAN,
		   fn->flags & ROW_MIN_AT_LEAST);
	bound_cell(max, sizeof(max), f, known ? fn->max_s : (double)NAN,
		   fn->flags & ROW_MAX_AT_LEAST);
	out_addf(f->out, "%9s %9s  ", min, max);
}

static void flat_calls(const struct flat *f, const struct profile_function *fn, double self)
{
	char calls[24] = "", one_self[32] = "", one_total[32] = "";

	if (fn->called)
		snprintf(calls, sizeof(calls), "%s%ju", fn->incomplete ? ">=" : "",
			 (uintmax_t)fn->calls);
	if (fn->called && fn->calls) {
		export_cell(one_self, sizeof(one_self), self / (double)fn->calls, f->call);
		export_cell(one_total, sizeof(one_total),
			    export_seconds(f->p, fn->time == PROFILE_TIME_TIMED, fn->per_call_s),
			    f->call);
	}
	out_addf(f->out, " %8s %8s %8s  ", calls, one_self, one_total);
}

static void flat_row(struct flat *f, const struct profile_function *fn)
{
	bool timed = fn->time == PROFILE_TIME_TIMED;
	double self = export_seconds(f->p, timed, fn->self_s);
	double whole = f->p->totals.shares_s;
	char percent[32] = "", own[32], sum[32];

	if (!isnan(self))
		f->cumulative += self;
	if (!isnan(self) && whole > 0)
		snprintf(percent, sizeof(percent), "%.2f", 100 * self / whole);
	out_addf(f->out, "%6s %9s %8s", percent,
		 export_cell(sum, sizeof(sum), isnan(self) ? self : f->cumulative, f->unit),
		 export_cell(own, sizeof(own), self, f->unit));
	flat_calls(f, fn, self);
	flat_range(f, fn);
	out_text(f->out, fn->name, NULL);
	out_addc(f->out, '\n');
}

static void units_choose(struct flat *f)
{
	double most = 0;

	for (size_t i = 0; i < f->p->function_count; i++) {
		const struct profile_function *fn = &f->p->functions[i];

		f->has_range |= fn->has_minmax;
		if (fn->per_call_s > 0)
			most = fmax(most, fn->per_call_s);
	}
	f->unit = export_unit_for(export_whole_seconds(f->p));
	f->call = export_unit_for(most);
}

void flat_write(const struct export_source *s, const struct rows *rows, struct out *out)
{
	struct flat f = { .s = s, .p = s->profile, .out = out };
	uint64_t limit = export_number(s, &export_limit);
	size_t shown = 0, known = 0;

	units_choose(&f);
	flat_notes(&f);
	flat_heading(&f);
	for (size_t i = 0; i < rows->count; i++) {
		const struct profile_function *fn = export_function(f.p, rows->items[i]);

		if (!fn || !profile_measured(fn))
			continue;
		known++;
		if (limit && shown == limit)
			continue;
		flat_row(&f, fn);
		shown++;
	}
	if (known > shown)
		out_addf(out, "%zu more\n", known - shown);
}

int export_flat(const struct export_source *s, struct out *out, struct err *err)
{
	struct rows rows;
	int ret = export_rows(s, &rows);

	(void)err;
	if (ret < 0)
		return ret;
	flat_write(s, &rows, out);
	rows_release(&rows);
	return 0;
}
