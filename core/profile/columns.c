#include "core/profile/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* Larger first; what is not known comes last. */
static int by_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

static double per_call(const struct profile_function *f)
{
	return f->called && f->calls && f->time != TIME_NONE ? f->total_s / (double)f->calls : NAN;
}

static double calls_of(const struct profile_function *f)
{
	return f->called ? (double)f->calls : NAN;
}

static double share(const struct profile *p, const struct profile_function *f)
{
	return p->totals.self_s > 0 ? f->self_s / p->totals.self_s : NAN;
}

#define COMPARE(name, value)							\
	static int compare_##name(const struct profile *p, const struct profile_function *a, \
				  const struct profile_function *b)		\
	{									\
		(void)p;							\
		return by_number(value(a), value(b));				\
	}

#define TOTAL(f) ((f)->total_s)
#define MIN(f) ((f)->min_s)
#define MAX(f) ((f)->max_s)
#define SAMPLES(f) ((double)(f)->samples)
#define RATE(f) ((f)->rate_calls)
#define LOAD(f) ((f)->rate_self)
COMPARE(total, TOTAL)
COMPARE(calls, calls_of)
COMPARE(per_call, per_call)
COMPARE(min, MIN)
COMPARE(max, MAX)
COMPARE(samples, SAMPLES)
COMPARE(rate, RATE)
COMPARE(load, LOAD)

/* Where no self time is known at all (timed, without an image) the totals say which are dear. */
static int compare_self(const struct profile *p, const struct profile_function *a,
			const struct profile_function *b)
{
	bool unknown = isnan(p->totals.self_s) && isnan(a->self_s) && isnan(b->self_s);

	return unknown ? by_number(a->total_s, b->total_s) : by_number(a->self_s, b->self_s);
}

static int compare_function(const struct profile *p, const struct profile_function *a,
			    const struct profile_function *b)
{
	(void)p;
	return strcmp(a->name, b->name);
}

static int compare_file(const struct profile *p, const struct profile_function *a,
			const struct profile_function *b)
{
	int order;

	(void)p;
	if (!a->file || !b->file)
		return !a->file - !b->file;
	order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void seconds(char *dst, size_t size, double s)
{
	if (isnan(s))
		dst[0] = '\0';
	else
		text_seconds(dst, size, s);
}

void row_call_time(const struct profile *p, double s, bool at_least, char *dst, size_t size)
{
	const char *mark = isnan(s) ? "" : at_least ? ">=" : profile_is_rough(p, s) ? "~" : "";
	size_t lead = strlen(mark);

	memcpy(dst, mark, lead);
	seconds(dst + lead, size - lead, s);
}

/* What samples say of a call's time is a guess of another kind. */
static void call_time(const struct profile *p, const struct profile_function *f, double s,
		      unsigned flag, char *dst, size_t size)
{
	if (f->time == TIME_TIMED)
		row_call_time(p, s, f->flags & flag, dst, size);
	else
		seconds(dst, size, s);
}

#define FORMAT(name, call)							\
	static void format_##name(const struct profile *p, const struct profile_function *f, \
				  char *dst, size_t size)			\
	{									\
		(void)p;							\
		call;								\
	}

/*
 * Below zero: the callees' rows were read later than this one's, or calls were under way. It is next
 * to nothing, and what exactly is not known.
 */
FORMAT(self, f->self_s < 0 ? (void)snprintf(dst, size, "~0 s") : seconds(dst, size, f->self_s))
FORMAT(total, seconds(dst, size, f->total_s))
FORMAT(per_call, call_time(p, f, per_call(f), 0, dst, size))
FORMAT(min, call_time(p, f, f->min_s, ROW_MIN_AT_LEAST, dst, size))
FORMAT(max, call_time(p, f, f->max_s, ROW_MAX_AT_LEAST, dst, size))
FORMAT(function, snprintf(dst, size, "%s", f->name))

static void format_percent(const struct profile *p, const struct profile_function *f, char *dst,
			   size_t size)
{
	double s = share(p, f);

	if (isnan(s))
		dst[0] = '\0';
	else if (s < 0)
		snprintf(dst, size, "~0");
	else
		snprintf(dst, size, "%.1f", fmin(100, 100 * s));	/* others may be below zero */
}

static void format_calls(const struct profile *p, const struct profile_function *f, char *dst,
			 size_t size)
{
	(void)p;
	dst[0] = '\0';
	if (f->called)
		snprintf(dst, size, "%" PRIu64, f->calls);
}

static void format_samples(const struct profile *p, const struct profile_function *f, char *dst,
			   size_t size)
{
	dst[0] = '\0';
	if (p->totals.samples)
		snprintf(dst, size, "%" PRIu64, f->samples);
}

static void format_rate(const struct profile *p, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)p;
	dst[0] = '\0';
	if (!isnan(f->rate_calls))
		text_count(dst, size, f->rate_calls);
}

static void format_load(const struct profile *p, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)p;
	dst[0] = '\0';
	if (f->rate_self < 0)			/* as a self time below zero */
		snprintf(dst, size, "~0");
	else if (!isnan(f->rate_self))
		snprintf(dst, size, "%.1f", 100 * f->rate_self);
}

static void format_file(const struct profile *p, const struct profile_function *f, char *dst,
			size_t size)
{
	(void)p;
	if (!f->file)
		dst[0] = '\0';
	else if (f->line)
		snprintf(dst, size, "%s:%u", f->file, f->line);
	else
		snprintf(dst, size, "%s", f->file);
}

const struct column columns[COLUMN_COUNT] = {
	[COLUMN_SELF_PERCENT] = {
		.id = COLUMN_SELF_PERCENT, .name = "percent", .header = "SELF%", .width = 5,
		.help = "share of all measured time spent in the function itself",
		.compare = compare_self, .format = format_percent,
	},
	[COLUMN_SELF] = {
		.id = COLUMN_SELF, .name = "self", .header = "SELF", .width = 8,
		.help = "time in the function itself, without the calls made from it",
		.compare = compare_self, .format = format_self,
	},
	[COLUMN_TOTAL] = {
		.id = COLUMN_TOTAL, .name = "total", .header = "TOTAL", .width = 8,
		.help = "time in the function and all that it called",
		.compare = compare_total, .format = format_total,
	},
	[COLUMN_CALLS] = {
		.id = COLUMN_CALLS, .name = "calls", .header = "CALLS", .width = 10,
		.help = "times entered",
		.compare = compare_calls, .format = format_calls,
	},
	[COLUMN_PER_CALL] = {
		.id = COLUMN_PER_CALL, .name = "percall", .header = "PER CALL", .width = 8,
		.help = "total divided by calls (~: may be off by 25 % and more)",
		.compare = compare_per_call, .format = format_per_call,
	},
	[COLUMN_MIN] = {
		.id = COLUMN_MIN, .name = "min", .header = "MIN", .width = 9,
		.help = "the shortest single call, inclusive",
		.compare = compare_min, .format = format_min,
	},
	[COLUMN_MAX] = {
		.id = COLUMN_MAX, .name = "max", .header = "MAX", .width = 9,
		.help = "the longest single call, inclusive (>=: at least)",
		.compare = compare_max, .format = format_max,
	},
	[COLUMN_SAMPLES] = {
		.id = COLUMN_SAMPLES, .name = "samples", .header = "SAMPLES", .width = 8,
		.help = "PC samples that hit the function",
		.compare = compare_samples, .format = format_samples,
	},
	[COLUMN_RATE] = {
		.id = COLUMN_RATE, .name = "rate", .header = "CALLS/S", .width = 7,
		.help = "calls a second over the last ten seconds or reports",
		.compare = compare_rate, .format = format_rate,
	},
	[COLUMN_LOAD] = {
		.id = COLUMN_LOAD, .name = "load", .header = "LOAD%", .width = 5,
		.help = "share of wall time in the function itself over the last ten seconds or reports",
		.compare = compare_load, .format = format_load,
	},
	[COLUMN_FUNCTION] = {
		.id = COLUMN_FUNCTION, .name = "function", .header = "FUNCTION", .left = true,
		.help = "name",
		.compare = compare_function, .format = format_function,
	},
	[COLUMN_FILE] = {
		.id = COLUMN_FILE, .name = "file", .header = "FILE", .width = 24, .left = true,
		.help = "source file and line",
		.compare = compare_file, .format = format_file,
	},
};

const struct column *column_find(const char *name)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (strcmp(columns[i].name, name) == 0)
			return &columns[i];
	}
	return NULL;
}
