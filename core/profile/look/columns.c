#include "core/profile/look/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"
#include "core/profile/look/durations.h"
#include "core/profile/look/estimate.h"

/* --- values ----------------------------------------------------------------------------------- */

#define VALUE(name, expression)							\
	static double name##_of(const struct column_data *d, const struct profile_function *f) \
	{									\
		(void)d;							\
		return expression;						\
	}

VALUE(share, d->profile->totals.shares_s > 0 ? f->self_s / d->profile->totals.shares_s : NAN)
VALUE(self, f->self_s)
VALUE(total, f->total_s)
VALUE(calls, f->called ? (double)f->calls : NAN)
VALUE(per_call, f->per_call_s)
VALUE(min, f->min_s)
VALUE(max, f->max_s)
VALUE(samples, d->profile->totals.samples ? (double)f->samples : NAN)
VALUE(ran, estimate_of(d->profile, f, ESTIMATE_CALLS).value)
VALUE(ran_rate, estimate_of(d->profile, f, ESTIMATE_RATE).value)
VALUE(ran_self, estimate_of(d->profile, f, ESTIMATE_SELF).value)
VALUE(rate, f->rate_calls)
VALUE(load, f->rate_self)
VALUE(current, f->energy.known ? 1e3 * f->energy.current_a : NAN)
VALUE(energy_call, f->energy.known ? 1e6 * f->energy.per_call_j : NAN)
VALUE(energy, f->energy.known ? f->energy.share : NAN)

VALUE(stack_max, f->depth.known && f->depth.depth >= 0 ? (double)f->depth.depth : NAN)
VALUE(stack_use, f->depth.known ? f->depth.use : NAN)
VALUE(frame, f->depth.known ? f->depth.frame : NAN)

/* Its number; PROFILE_NONE for a function that is not an element of the profile's array. */
static uint32_t number_of(const struct column_data *d, const struct profile_function *f)
{
	const struct profile *p = d->profile;

	return f >= p->functions && f < p->functions + p->function_count ?
	       (uint32_t)(f - p->functions) : PROFILE_NONE;
}

static double function_percentile(const struct column_data *d, const struct profile_function *f,
				  double q)
{
	uint32_t number = number_of(d, f);
	struct duration line;

	if (number == PROFILE_NONE || !d->profile->terms.bucket_below[0] ||
	    !(d->profile->bucket_count + d->profile->fine_count))
		return NAN;
	line = duration_of_function(d->profile, number);
	return duration_percentile(d->profile, &line, q);
}

VALUE(p50, function_percentile(d, f, 0.50))
VALUE(p90, function_percentile(d, f, 0.90))
VALUE(p99, function_percentile(d, f, 0.99))

static const struct context *context_of(const struct column_data *d,
					const struct profile_function *f)
{
	uint32_t number = d->contexts ? number_of(d, f) : PROFILE_NONE;

	return number != PROFILE_NONE && number < d->contexts->count ?
	       &d->contexts->items[number] : NULL;
}

static double stack_of(const struct column_data *d, const struct profile_function *f)
{
	const struct context *c = context_of(d, f);

	return c && c->stack >= 0 ? c->stack : (double)NAN;
}

const char *column_context(const struct column_data *d, const struct profile_function *f)
{
	const struct context *c = context_of(d, f);

	if (!c || c->root == CONTEXT_NONE)
		return "";
	if (c->handler)
		return "ISR";
	if (c->root == CONTEXT_SEVERAL)
		return "several";
	return c->root < d->profile->function_count ? d->profile->functions[c->root].name : "";
}

/* --- order ------------------------------------------------------------------------------------ */

/* Where no self time is known at all (timed, without an image) the total times decide. */
static int compare_self(const struct column_data *d, const struct profile_function *a,
			const struct profile_function *b)
{
	if (!isnan(d->profile->totals.self_s) || !isnan(a->self_s) || !isnan(b->self_s))
		return 0;
	if (isnan(a->total_s) || isnan(b->total_s))
		return isnan(a->total_s) - isnan(b->total_s);
	return (a->total_s < b->total_s) - (a->total_s > b->total_s);
}

static int compare_function(const struct column_data *d, const struct profile_function *a,
			    const struct profile_function *b)
{
	(void)d;
	return strcmp(a->name, b->name);
}

static int compare_context(const struct column_data *d, const struct profile_function *a,
			   const struct profile_function *b)
{
	const char *left = column_context(d, a), *right = column_context(d, b);

	if (!*left || !*right)
		return !*left - !*right;
	return strcmp(left, right);
}

static int compare_file(const struct column_data *d, const struct profile_function *a,
			const struct profile_function *b)
{
	int order;

	(void)d;
	if (!a->file || !b->file)
		return !a->file - !b->file;
	order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* --- text ------------------------------------------------------------------------------------- */

static void seconds_format(char *dst, size_t size, double s)
{
	if (isnan(s))
		dst[0] = '\0';
	else
		text_seconds(dst, size, s);
}

/* So short that the error of a single time may be a quarter of it, or more. */
static bool time_is_rough(const struct profile *p, double s)
{
	return profile_spread(p) > 0 && s < 4 * profile_seconds(p, profile_spread(p));
}

double column_call_least(const struct profile *p)
{
	return profile_seconds(p, fmax(1, profile_spread(p)));
}

/* No call takes no time: the clock does not tell this one from those that take less than this. */
static bool below_format(const struct profile *p, double s, char *dst, size_t size)
{
	double least = column_call_least(p);

	if (isnan(s) || s > 0 || !(least > 0))
		return false;
	*dst = '<';
	seconds_format(dst + 1, size - 1, least);
	return true;
}

void column_call_time(const struct profile *p, double s, bool at_least, char *dst, size_t size)
{
	const char *mark = isnan(s) ? "" : at_least ? ">=" : time_is_rough(p, s) ? "~" : "";
	size_t lead = strlen(mark);

	if (!at_least && below_format(p, s, dst, size))
		return;
	memcpy(dst, mark, lead);
	seconds_format(dst + lead, size - lead, s);
}

void column_percentile(const struct profile *p, double s, char *dst, size_t size)
{
	size_t lead = !isnan(s);

	if (p->fine_count) {
		column_call_time(p, s, false, dst, size);
		return;
	}
	if (below_format(p, s, dst, size))
		return;
	memcpy(dst, "~", lead);
	seconds_format(dst + lead, size - lead, s);
}

/* A call's time from samples is an estimate in any case: it gets no mark. */
static void call_time_format(const struct profile *p, const struct profile_function *f, double s,
			     unsigned flag, char *dst, size_t size)
{
	if (f->time == PROFILE_TIME_TIMED)
		column_call_time(p, s, f->flags & flag, dst, size);
	else
		seconds_format(dst, size, s);
}

#define FORMAT(name, call)							\
	static void format_##name(const struct column_data *d, const struct profile_function *f, \
				  char *dst, size_t size)			\
	{									\
		(void)d;							\
		call;								\
	}

void column_self_time(const struct profile_function *f, char *dst, size_t size)
{
	size_t lead = profile_self_rough(f) && !isnan(f->self_s);

	memcpy(dst, "~", lead);
	seconds_format(dst + lead, size - lead, f->self_s);
}

/* Without the blank before the unit, so that it is no wider than the column. */
void column_at_least(double s, bool at_least, char *dst, size_t size)
{
	size_t lead = at_least && !isnan(s) ? 2 : 0;
	char *blank;

	memcpy(dst, ">=", lead);
	seconds_format(dst + lead, size - lead, s);
	blank = lead ? strchr(dst, ' ') : NULL;
	if (blank)
		memmove(blank, blank + 1, strlen(blank));
}

FORMAT(self, column_self_time(f, dst, size))
FORMAT(total, column_at_least(f->total_s, f->incomplete, dst, size))
FORMAT(per_call, call_time_format(d->profile, f, per_call_of(d, f), 0, dst, size))
FORMAT(min, call_time_format(d->profile, f, f->min_s, ROW_MIN_AT_LEAST, dst, size))
FORMAT(p50, column_percentile(d->profile, p50_of(d, f), dst, size))
FORMAT(p90, column_percentile(d->profile, p90_of(d, f), dst, size))
FORMAT(p99, column_percentile(d->profile, p99_of(d, f), dst, size))
FORMAT(max, call_time_format(d->profile, f, f->max_s, ROW_MAX_AT_LEAST, dst, size))
FORMAT(context, snprintf(dst, size, "%s", column_context(d, f)))
FORMAT(function, snprintf(dst, size, "%s", f->name))

static void format_percent(const struct column_data *d, const struct profile_function *f, char *dst,
			   size_t size)
{
	double s = share_of(d, f);

	if (isnan(s))
		dst[0] = '\0';
	else if (f->incomplete && s <= 0)
		snprintf(dst, size, "~0");
	else
		/* others may be below zero */
		snprintf(dst, size, "%.1f", fmin(100, 100 * s));
}

static void format_calls(const struct column_data *d, const struct profile_function *f, char *dst,
			 size_t size)
{
	(void)d;
	dst[0] = '\0';
	if (f->called)
		snprintf(dst, size, "%s%s", f->incomplete ? ">=" : "", TEXT_WHOLE(f->calls));
}

static void format_samples(const struct column_data *d, const struct profile_function *f, char *dst,
			   size_t size)
{
	dst[0] = '\0';
	if (d->profile->totals.samples)
		text_whole(dst, size, f->samples);
}

/* Never more digits than are known, and marked: nobody counted them. */
static void estimate_format(double value, bool seconds, char *dst, size_t size)
{
	dst[0] = '\0';
	if (isnan(value))
		return;
	dst[0] = '~';
	if (seconds)
		seconds_format(dst + 1, size - 1, value);
	else
		text_count(dst + 1, size - 1, value);
}

FORMAT(ran, estimate_format(ran_of(d, f), false, dst, size))
FORMAT(ran_rate, estimate_format(ran_rate_of(d, f), false, dst, size))
FORMAT(ran_self, estimate_format(ran_self_of(d, f), true, dst, size))

static void format_rate(const struct column_data *d, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)d;
	dst[0] = '\0';
	if (!isnan(f->rate_calls))
		text_count(dst, size, f->rate_calls);
}

static void format_load(const struct column_data *d, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)d;
	dst[0] = '\0';
	if (f->rate_self < 0)
		snprintf(dst, size, "~0");
	else if (!isnan(f->rate_self))	/* as wide as the column at most */
		snprintf(dst, size, "%s%.*f", profile_self_unsure(f) ? "~" : "",
			 profile_self_unsure(f) && f->rate_self >= 0.9995 ? 0 : 1,
			 100 * f->rate_self);
}

/* Three digits; "~" of what was not measured, or not counted. */
static void digits_format(char *dst, size_t size, bool rough, double value)
{
	double size_of = fabs(value);

	dst[0] = '\0';
	if (isnan(value))
		return;
	if (size_of >= 99950)
		snprintf(dst, size, "%s%.2g", rough ? "~" : "", value);
	else
		snprintf(dst, size, "%s%.*f", rough ? "~" : "",
			 size_of >= 99.95 ? 0 : size_of >= 9.995 ? 1 : size_of >= 0.9995 ? 2 : 3,
			 value);
}

static void format_current(const struct column_data *d, const struct profile_function *f,
			   char *dst, size_t size)
{
	digits_format(dst, size, f->energy.estimate, current_of(d, f));
}

static void format_energy_call(const struct column_data *d, const struct profile_function *f,
			       char *dst, size_t size)
{
	digits_format(dst, size, f->energy.estimate || f->energy.calls_estimated,
		      energy_call_of(d, f));
}

static void format_energy(const struct column_data *d, const struct profile_function *f, char *dst,
			  size_t size)
{
	double share = energy_of(d, f);

	dst[0] = '\0';
	if (!isnan(share))
		snprintf(dst, size, "%s%.1f", f->energy.estimate ? "~" : "", 100 * share);
}

static void format_stack(const struct column_data *d, const struct profile_function *f, char *dst,
			 size_t size)
{
	const struct context *c = context_of(d, f);

	dst[0] = '\0';
	if (c && c->stack >= 0)
		snprintf(dst, size, "%s%" PRId32 " B", c->stack_at_least ? ">=" : "", c->stack);
}

static void bytes_format(char *dst, size_t size, double bytes)
{
	dst[0] = '\0';
	if (!isnan(bytes))
		snprintf(dst, size, "%.0f B", bytes);
}

#define FORMAT_BYTES(name)							\
	static void format_##name(const struct column_data *d, const struct profile_function *f, \
				  char *dst, size_t size)			\
	{									\
		bytes_format(dst, size, name##_of(d, f));			\
	}

FORMAT_BYTES(stack_max)
FORMAT_BYTES(stack_use)
FORMAT_BYTES(frame)

static void format_file(const struct column_data *d, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)d;
	if (!f->file)
		dst[0] = '\0';
	else if (f->line)
		snprintf(dst, size, "%s:%u", f->file, f->line);
	else
		snprintf(dst, size, "%s", f->file);
}

/* --- the table -------------------------------------------------------------------------------- */

const struct column columns[COLUMN_COUNT] = {
	[COLUMN_SELF_PERCENT] = {
		.id = COLUMN_SELF_PERCENT, .name = "self%", .alias = "percent",
		.header = "SELF%", .width = 5,
		.help = "share of all self time",
		.figure = "self / sum of self over all functions",
		.sums = true, .value = share_of, .compare = compare_self,
		.instead = total_of, .format = format_percent,
	},
	[COLUMN_SELF] = {
		.id = COLUMN_SELF, .name = "self", .header = "SELF", .key = "self_s",
		.width = 8,
		.help = "time in itself alone (~: may be off by 5 % and more)",
		.figure = "sum over calls into it - sum over calls made from it, handlers "
			  "left out; samples / hz. Node clock. Recursive calls cancel. A peak "
			  "of a function that calls others may be too high, by up to itself, "
			  "and is marked ~: its row and theirs come at different times",
		.sums = true, .value = self_of, .compare = compare_self,
		.instead = total_of, .format = format_self,
	},
	[COLUMN_TOTAL] = {
		.id = COLUMN_TOTAL, .name = "total", .header = "TOTAL", .key = "total_s",
		.width = 8,
		.help = "time in the function and all that it called",
		.figure = "sum of the durations of its calls by other functions. Node clock. "
			  "A recursive call is part of an outer one and not added; in a cycle"
			  " at most the calls into the cycle",
		.value = total_of, .format = format_total,
	},
	[COLUMN_CALLS] = {
		.id = COLUMN_CALLS, .name = "calls", .header = "CALLS", .key = "calls",
		.width = 10,
		.help = "times entered",
		.figure = "calls counted, recursive ones too; exact in a window",
		.sums = true, .value = calls_of, .format = format_calls,
	},
	[COLUMN_PER_CALL] = {
		.id = COLUMN_PER_CALL, .name = "per-call", .alias = "percall",
		.header = "PER CALL", .key = "per_call_s",
		.width = 8,
		.help = "average duration of a call, inclusive (~: may be off by 25 % and more)",
		.figure = "sum of durations / calls. Node clock. With recursive calls, each "
			  "with its own duration: not total / calls of a recursive function; "
			  "min <= per call <= max",
		.value = per_call_of, .format = format_per_call,
	},
	[COLUMN_MIN] = {
		.id = COLUMN_MIN, .name = "min", .header = "MIN", .key = "min_s",
		.width = 9,
		.help = "the shortest single call, inclusive",
		.figure = "node clock. In a window: known if it occurred there, else a lower "
			  "bound or unknown. The profiling cost of calls within it is "
			  "subtracted as a mean; a minimum may change while that is refined",
		.value = min_of, .format = format_min,
	},
	[COLUMN_P50] = {
		.id = COLUMN_P50, .name = "p50", .header = "P50", .key = "p50_s",
		.width = 8,
		.help = "half of the calls took no longer, inclusive (~ estimate)",
		.figure = "from the counts by duration, such that min, per call and max "
			  "agree. Node clock",
		.value = p50_of, .format = format_p50,
	},
	[COLUMN_P90] = {
		.id = COLUMN_P90, .name = "p90", .header = "P90", .key = "p90_s",
		.width = 8,
		.help = "9 of 10 calls took no longer, inclusive (~ estimate)",
		.figure = "as P50",
		.value = p90_of, .format = format_p90,
	},
	[COLUMN_P99] = {
		.id = COLUMN_P99, .name = "p99", .header = "P99", .key = "p99_s",
		.width = 8,
		.help = "99 of 100 calls took no longer, inclusive (~ estimate)",
		.figure = "as P50",
		.value = p99_of, .format = format_p99,
	},
	[COLUMN_MAX] = {
		.id = COLUMN_MAX, .name = "max", .header = "MAX", .key = "max_s",
		.width = 9,
		.help = "the longest single call, inclusive (>=: at least)",
		.figure = "node clock. In a window: known if it occurred there, else a lower "
			  "bound or unknown",
		.value = max_of, .format = format_max,
	},
	[COLUMN_SAMPLES] = {
		.id = COLUMN_SAMPLES, .name = "samples", .header = "SAMPLES", .key = "samples",
		.width = 8,
		.help = "PC samples that hit the function",
		.figure = "samples counted",
		.sums = true, .value = samples_of, .format = format_samples,
	},
	[COLUMN_RAN] = {
		.id = COLUMN_RAN, .name = "~calls", .header = "~CALLS",
		.key = "calls_estimate",
		.width = 7,
		.help = "times entered, estimated from PC samples of a probe",
		.figure = "samples at instructions that run once a call, times the cycles of a "
			  "sample, by the cycles of these instructions; the detail, JSON and CSV "
			  "have the 95 % interval. Empty with fewer than 10 such samples, and "
			  "where calls are counted",
		.sums = true, .value = ran_of, .format = format_ran,
	},
	[COLUMN_RAN_RATE] = {
		.id = COLUMN_RAN_RATE, .name = "~calls/s", .header = "~CALLS/S",
		.key = "calls_per_s_estimate",
		.width = 8,
		.help = "calls a second, estimated from PC samples of a probe",
		.figure = "~calls / all seconds that were sampled, sleep included; the detail, "
			  "JSON and CSV have the 95 % interval",
		.sums = true, .value = ran_rate_of, .format = format_ran_rate,
	},
	[COLUMN_RAN_SELF] = {
		.id = COLUMN_RAN_SELF, .name = "~self/call", .header = "~SELF/CALL",
		.key = "self_per_call_estimate_s",
		.width = 10,
		.help = "self time of a call on average, estimated from PC samples of a probe",
		.figure = "self / ~calls; the detail, JSON and CSV have the 95 % interval",
		.value = ran_self_of, .format = format_ran_self,
	},
	[COLUMN_RATE] = {
		.id = COLUMN_RATE, .name = "calls/s", .alias = "rate",
		.header = "CALLS/S", .key = "calls_per_s",
		.width = 7,
		.help = "calls a second over the last ten seconds or reports",
		.figure = "calls / seconds between the arrivals of the rows. Wall time: the "
			  "last ten seconds or reports; the whole window; in a comparison all "
			  "time compared. Recursive "
			  "calls count",
		.sums = true, .value = rate_of, .format = format_rate,
	},
	[COLUMN_LOAD] = {
		.id = COLUMN_LOAD, .name = "load%", .alias = "load",
		.header = "LOAD%", .key = "load",
		.width = 5,
		.help = "share of wall time in it over the last ten seconds or reports",
		.figure = "self / seconds between the arrivals of the rows. Self: node "
			  "clock; seconds: wall time, as of calls/s. ~: self may be off by as "
			  "much as it is",
		.sums = true, .value = load_of, .format = format_load,
	},
	[COLUMN_CURRENT] = {
		.id = COLUMN_CURRENT, .name = "ma", .header = "MA", .key = "current_a",
		.width = 6,
		.help = "mean current in mA while it runs itself (~: by a model)",
		.figure = "charge of the times in which it ran itself, callees and handlers left "
			  "out, by these times; of PC samples the mean current at them. Empty "
			  "with fewer than 30 samples, and where the clocks of node and meter are "
			  "known to each other less well than it runs at a time. Since the start; "
			  "of windows it is not known. JSON and CSV have A, and the spread of its "
			  "runs",
		.value = current_of, .format = format_current,
	},
	[COLUMN_ENERGY_CALL] = {
		.id = COLUMN_ENERGY_CALL, .name = "uj/call", .header = "UJ/CALL",
		.key = "energy_per_call_j",
		.width = 7,
		.help = "energy of a call in uJ, callees left out (~: by a model, or calls "
			"estimated)",
		.figure = "charge at the supply's voltage (--volts) / calls meanwhile; of PC "
			  "samples mean current at that voltage * self / calls. JSON and CSV have "
			  "J",
		.value = energy_call_of, .format = format_energy_call,
	},
	[COLUMN_ENERGY] = {
		.id = COLUMN_ENERGY, .name = "energy%", .alias = "energy",
		.header = "ENERGY%", .key = "energy_share",
		.width = 7,
		.help = "share of all energy, sleep included (~: by a model)",
		.figure = "its charge / all charge that was measured while it is known what ran",
		.value = energy_of, .format = format_energy,
	},
	[COLUMN_STACK] = {
		.id = COLUMN_STACK, .name = "stack", .header = "STACK", .key = "stack_bytes",
		.width = 9,
		.help = "deepest stack in bytes, its own included (>=: at least)",
		.figure = "frames on the deepest way seen, from .debug_frame",
		.value = stack_of, .format = format_stack,
	},
	[COLUMN_STACK_MAX] = {
		.id = COLUMN_STACK_MAX, .name = "stack-max", .header = "STACK MAX",
		.key = "stack_max_bytes",
		.width = 9,
		.help = "measured: deepest stack in bytes, its own included",
		.figure = "lowest stack pointer while it ran itself, from where its context "
			  "begins: the stack, or the interrupt handler that it runs in; to be held "
			  "against STACK. Simulators tell it, since the simulation's begin; of "
			  "windows it is not known",
		.value = stack_max_of, .format = format_stack_max,
	},
	[COLUMN_STACK_USE] = {
		.id = COLUMN_STACK_USE, .name = "stack-use", .header = "STACK USE",
		.key = "stack_use_bytes",
		.width = 9,
		.help = "measured: bytes of stack that a call took at most, with its callees",
		.figure = "stack pointer before the call - lowest until it returned; interrupt "
			  "handlers that struck meanwhile left out. As STACK MAX",
		.value = stack_use_of, .format = format_stack_use,
	},
	[COLUMN_FRAME] = {
		.id = COLUMN_FRAME, .name = "frame", .header = "FRAME",
		.key = "stack_frame_bytes",
		.width = 7,
		.help = "measured: bytes of stack of its own, return address included",
		.figure = "stack pointer before the call - lowest while it ran itself, alloca "
			  "and arguments of calls included; of an interrupt handler with what the "
			  "processor pushes. As STACK MAX",
		.value = frame_of, .format = format_frame,
	},
	[COLUMN_CONTEXT] = {
		.id = COLUMN_CONTEXT, .name = "context", .header = "CONTEXT", .key = "context",
		.width = 10,
		.left = true,
		.help = "where it runs: main, a task, ISR (interrupts) or several",
		.figure = "roots of the call graph that reach it",
		.compare = compare_context, .format = format_context,
	},
	[COLUMN_FUNCTION] = {
		.id = COLUMN_FUNCTION, .name = "function", .header = "FUNCTION", .key = "name",
		.left = true,
		.help = "name",
		.compare = compare_function, .format = format_function,
	},
	[COLUMN_FILE] = {
		.id = COLUMN_FILE, .name = "file", .header = "FILE", .key = "file",
		.width = 24, .left = true,
		.help = "source file and line",
		.compare = compare_file, .format = format_file,
	},
};
