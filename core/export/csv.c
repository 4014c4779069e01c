/*
 * RFC 4180: a header, one row per function, CRLF. An unknown value is an empty field. A text that a
 * spreadsheet would take for a formula gets an apostrophe before it.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/profile/look/context.h"
#include "core/profile/look/estimate.h"

enum csv_field {
	CSV_NAME, CSV_FILE, CSV_LINE, CSV_ADDRESS, CSV_CALLS, CSV_SITES, CSV_SAMPLES, CSV_SELF,
	CSV_TOTAL, CSV_MIN, CSV_MAX, CSV_SELF_TICKS, CSV_TOTAL_TICKS, CSV_MIN_TICKS, CSV_MAX_TICKS,
	CSV_AT_LEAST, CSV_TIME, CSV_FIELDS,
};

static const char *const headers[CSV_FIELDS] = {
	[CSV_NAME] = "name", [CSV_FILE] = "file", [CSV_LINE] = "line", [CSV_ADDRESS] = "address",
	[CSV_CALLS] = "calls", [CSV_SITES] = "sites", [CSV_SAMPLES] = "samples",
	[CSV_SELF] = "self_s", [CSV_TOTAL] = "total_s", [CSV_MIN] = "min_s", [CSV_MAX] = "max_s",
	[CSV_SELF_TICKS] = "self_ticks", [CSV_TOTAL_TICKS] = "total_ticks",
	[CSV_MIN_TICKS] = "min_ticks", [CSV_MAX_TICKS] = "max_ticks",
	[CSV_AT_LEAST] = "at_least", [CSV_TIME] = "time",
};

static const char *const times[] = {
	[PROFILE_TIME_NONE] = "",
	[PROFILE_TIME_TIMED] = "timed",
	[PROFILE_TIME_SAMPLED] = "sampled",
};

static void count_write(struct out *out, bool known, uint64_t n)
{
	if (known)
		out_u64(out, n);
}

static void ticks_write(struct out *out, bool known, int64_t ticks)
{
	if (known)
		out_addf(out, "%" PRId64, ticks);
}

static void field_write(const struct profile *p, const struct profile_function *f,
			enum csv_field field, struct out *out)
{
	bool timed = f->time == PROFILE_TIME_TIMED, range = f->has_minmax;
	bool estimated = timed && profile_estimated(p);

	switch (field) {
	case CSV_NAME:		out_csv(out, f->name); break;
	case CSV_FILE:
		if (f->file)
			out_csv(out, f->file);
		break;
	case CSV_LINE:		count_write(out, f->line, f->line); break;
	case CSV_ADDRESS:
		if (profile_has_address(f))
			out_addf(out, "0x%" PRIx64, f->address);
		break;
	case CSV_CALLS:		count_write(out, f->called, f->calls); break;
	case CSV_SITES:		count_write(out, f->called, f->sites); break;
	case CSV_SAMPLES:	count_write(out, export_has_samples(p), f->samples); break;
	case CSV_SELF:		out_double(out, export_seconds(p, timed, f->self_s)); break;
	case CSV_TOTAL:		out_double(out, export_seconds(p, timed, f->total_s)); break;
	case CSV_MIN:
		out_double(out, export_seconds(p, true, range ? f->min_s : (double)NAN));
		break;
	case CSV_MAX:
		out_double(out, export_seconds(p, true, range ? f->max_s : (double)NAN));
		break;
	case CSV_SELF_TICKS:	ticks_write(out, timed && !isnan(f->self_s), f->self_ticks); break;
	case CSV_TOTAL_TICKS:	ticks_write(out, timed, f->total_ticks); break;
	case CSV_MIN_TICKS:	count_write(out, range, f->min); break;
	case CSV_MAX_TICKS:	count_write(out, range, f->max); break;
	case CSV_AT_LEAST:
		if (f->incomplete)
			out_adds(out, "calls and total");
		if (range && f->flags & (ROW_MIN_AT_LEAST | ROW_MAX_AT_LEAST))
			out_addf(out, "%s%s", f->incomplete ? " and " : "",
				 f->flags & ROW_MIN_AT_LEAST ? "min and max" : "max");
		break;
	case CSV_TIME:
		out_addf(out, "%s%s", times[f->time],
			 estimated || f->self_slack_s > 0 ? " (estimate)" : "");
		break;
	case CSV_FIELDS:
		break;
	}
}

/* Calls from samples (executions.h) and measured stack have columns of their own, where known. */
static void heading_write(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;
	bool depths = export_has_depths(p);

	for (int k = 0; k < CSV_FIELDS; k++)
		out_addf(out, "%s%s", k ? "," : "", headers[k]);
	for (const enum column_id *id = export_figures; *id != COLUMN_COUNT; id++)
		out_addf(out, ",%s", columns[*id].key);
	for (const enum column_id *id = export_depths; depths && *id != COLUMN_COUNT; id++)
		out_addf(out, ",%s", columns[*id].key);
	for (int k = 0; p->ran.count && k < ESTIMATES; k++)
		out_addf(out, ",%s,%s_low,%s_high", estimate_keys[k], estimate_keys[k],
			 estimate_keys[k]);
	if (s->energy)
		out_adds(out, ",current_a,energy_j,energy_per_call_j,energy_share");
	if (s->energy)
		out_adds(out, ",energy_estimate");
	out_adds(out, "\r\n");
}

static void energy_write(const struct export_source *s, const struct profile_function *f,
			 struct out *out)
{
	const struct profile_energy *e = &f->energy;
	double figures[] = { e->current_a, e->energy_j, e->per_call_j, e->share };

	for (size_t i = 0; s->energy && i < sizeof(figures) / sizeof(figures[0]); i++) {
		out_addc(out, ',');
		if (e->known)
			out_double(out, figures[i]);
	}
	if (s->energy)
		out_addf(out, ",%d", s->energy->estimate);
}

/* Empty where it is not known. */
static void estimate_write(struct estimate e, struct out *out)
{
	double fields[] = { e.value, e.low, e.high };

	for (size_t i = 0; i < 3; i++) {
		out_addc(out, ',');
		out_double(out, fields[i]);
	}
}

static void depths_write(const struct column_data *d, const struct profile_function *f,
			 struct out *out)
{
	for (const enum column_id *id = export_depths; *id != COLUMN_COUNT; id++) {
		out_addc(out, ',');
		out_double(out, columns[*id].value(d, f));
	}
}

static void csv_row_write(const struct export_source *s, const struct column_data *d,
			  const struct profile_function *f, bool depths, struct out *out)
{
	for (int k = 0; k < CSV_FIELDS; k++) {
		if (k)
			out_addc(out, ',');
		field_write(d->profile, f, (enum csv_field)k, out);
	}
	for (const enum column_id *id = export_figures; *id != COLUMN_COUNT; id++) {
		out_addc(out, ',');
		if (columns[*id].value)
			out_double(out, export_figure(d, *id, f));
		else if (*column_context(d, f))
			out_csv(out, column_context(d, f));
	}
	if (depths)
		depths_write(d, f, out);
	for (int k = 0; d->profile->ran.count && k < ESTIMATES; k++)
		estimate_write(estimate_of(d->profile, f, (enum estimate_kind)k), out);
	energy_write(s, f, out);
	out_adds(out, "\r\n");
}

int export_csv(const struct export_source *s, struct out *out, struct err *err)
{
	uint64_t limit = export_number(s, &export_limit);
	struct contexts contexts;
	struct column_data d;
	struct rows rows;
	bool depths = export_has_depths(s->profile);
	int ret = export_columns(s, &contexts, &d);

	(void)err;
	rows_init(&rows);
	if (ret == 0)
		ret = export_rows(s, &rows);
	heading_write(s, out);
	for (size_t i = 0; ret == 0 && i < rows.count && !(limit && i == limit); i++)
		csv_row_write(s, &d, &s->profile->functions[rows.items[i]], depths, out);
	contexts_release(&contexts);
	rows_release(&rows);
	return ret;
}
