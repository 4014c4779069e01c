/*
 * RFC 4180: a header, a row a function, CRLF. What is not known is an empty field. A text that a
 * spreadsheet would take for a formula gets an apostrophe before it.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/text.h"

typedef void add_field(const struct profile *p, const struct profile_function *f,
		       struct out *out);

void csv_text(struct out *out, const char *text)
{
	static const char *const escapes[] = { "\"\"\"", NULL };

	out_addc(out, '"');
	if (text && *text && strchr("=+-@", *text))
		out_addc(out, '\'');
	out_text(out, text, escapes);
	out_addc(out, '"');
}

static void field_name(const struct profile *p, const struct profile_function *f, struct out *out)
{
	(void)p;
	csv_text(out, f->name);
}

static void field_file(const struct profile *p, const struct profile_function *f, struct out *out)
{
	(void)p;
	if (f->file)
		csv_text(out, f->file);
}

static void field_line(const struct profile *p, const struct profile_function *f, struct out *out)
{
	(void)p;
	if (f->line)
		out_addf(out, "%" PRIu32, f->line);
}

static void field_address(const struct profile *p, const struct profile_function *f,
			  struct out *out)
{
	(void)p;
	if (profile_has_address(f))
		out_addf(out, "0x%" PRIx64, f->address);
}

static void field_calls(const struct profile *p, const struct profile_function *f, struct out *out)
{
	(void)p;
	if (f->called)
		out_addf(out, "%" PRIu64, f->calls);
}

static void field_sites(const struct profile *p, const struct profile_function *f, struct out *out)
{
	(void)p;
	if (f->called)
		out_addf(out, "%" PRIu32, f->sites);
}

static void field_samples(const struct profile *p, const struct profile_function *f,
			  struct out *out)
{
	if (p->pc_count)
		out_addf(out, "%" PRIu64, f->samples);
}

static void field_self(const struct profile *p, const struct profile_function *f, struct out *out)
{
	out_double(out, known_seconds(p, f->time == TIME_TIMED, f->self_s));
}

static void field_total(const struct profile *p, const struct profile_function *f,
			struct out *out)
{
	out_double(out, known_seconds(p, f->time == TIME_TIMED, f->total_s));
}

static void field_min(const struct profile *p, const struct profile_function *f, struct out *out)
{
	out_double(out, known_seconds(p, true, f->has_minmax ? f->min_s : (double)NAN));
}

static void field_max(const struct profile *p, const struct profile_function *f, struct out *out)
{
	out_double(out, known_seconds(p, true, f->has_minmax ? f->max_s : (double)NAN));
}

static void field_self_ticks(const struct profile *p, const struct profile_function *f,
			     struct out *out)
{
	(void)p;
	if (f->time == TIME_TIMED && !isnan(f->self_s))
		out_addf(out, "%" PRId64, f->self_ticks);
}

static void field_total_ticks(const struct profile *p, const struct profile_function *f,
			      struct out *out)
{
	(void)p;
	if (f->time == TIME_TIMED)
		out_addf(out, "%" PRId64, f->total_ticks);
}

static void field_min_ticks(const struct profile *p, const struct profile_function *f,
			    struct out *out)
{
	(void)p;
	if (f->has_minmax)
		out_addf(out, "%" PRIu64, f->min);
}

static void field_max_ticks(const struct profile *p, const struct profile_function *f,
			    struct out *out)
{
	(void)p;
	if (f->has_minmax)
		out_addf(out, "%" PRIu64, f->max);
}

static void field_at_least(const struct profile *p, const struct profile_function *f,
			   struct out *out)
{
	(void)p;
	if (f->has_minmax && f->flags & (ROW_MIN_AT_LEAST | ROW_MAX_AT_LEAST))
		out_adds(out, f->flags & ROW_MIN_AT_LEAST ? "min and max" : "max");
}

static void field_source(const struct profile *p, const struct profile_function *f,
			 struct out *out)
{
	static const char *const names[] = {
		[TIME_NONE] = "", [TIME_TIMED] = "timed", [TIME_SAMPLED] = "sampled",
	};

	out_adds(out, names[f->time]);
	if (profile_estimated(p) && f->time == TIME_TIMED)
		out_adds(out, " (estimate)");
}

static const struct {
	const char *header;
	add_field *add;
} fields[] = {
	{ "name", field_name },
	{ "file", field_file },
	{ "line", field_line },
	{ "address", field_address },
	{ "calls", field_calls },
	{ "sites", field_sites },
	{ "samples", field_samples },
	{ "self_s", field_self },
	{ "total_s", field_total },
	{ "min_s", field_min },
	{ "max_s", field_max },
	{ "self_ticks", field_self_ticks },
	{ "total_ticks", field_total_ticks },
	{ "min_ticks", field_min_ticks },
	{ "max_ticks", field_max_ticks },
	{ "at_least", field_at_least },
	{ "time", field_source },
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

int export_csv(const struct export_source *s, struct out *out, struct err *err)
{
	struct rows rows;
	uint64_t limit = export_number(s, &export_limit);
	int ret = export_rows(s, &rows);

	(void)err;
	if (ret < 0)
		return ret;
	for (size_t k = 0; k < FIELDS; k++)
		out_addf(out, "%s%s", k ? "," : "", fields[k].header);
	out_adds(out, "\r\n");
	for (size_t i = 0; i < rows.count && !(limit && i == limit); i++) {
		const struct profile_function *f = &s->profile->functions[rows.items[i]];

		for (size_t k = 0; k < FIELDS; k++) {
			if (k)
				out_addc(out, ',');
			fields[k].add(s->profile, f, out);
		}
		out_adds(out, "\r\n");
	}
	rows_release(&rows);
	return 0;
}
