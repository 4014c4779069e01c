#include "core/export/format.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"

const struct exporter *exporter_find(const char *name)
{
	for (const struct exporter *e = exporters; e->name; e++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}

/* --- options ---------------------------------------------------------------------------------- */

static bool option_is_earlier(const struct exporter *last, const struct export_option *o)
{
	for (const struct exporter *e = exporters; e != last; e++)
		for (size_t i = 0; e->options[i]; i++)
			if (e->options[i] == o)
				return true;
	return false;
}

const struct export_option *export_option_at(size_t i)
{
	for (const struct exporter *e = exporters; e->name; e++)
		for (size_t k = 0; e->options[k]; k++)
			if (!option_is_earlier(e, e->options[k]) && i-- == 0)
				return e->options[k];
	return NULL;
}

static const struct export_value *value_find(const struct export_values *v,
					     const struct export_option *o)
{
	for (size_t i = 0; v && i < v->count; i++)
		if (v->items[i].option == o)
			return &v->items[i];
	return NULL;
}

struct export_value *export_value(struct export_values *v, const struct export_option *o)
{
	const struct export_value *found = value_find(v, o);

	if (found)
		return &v->items[found - v->items];
	assert(v->count < EXPORT_VALUES);	/* a row for each option there is */
	v->items[v->count] = (struct export_value){ o, o->number, o->text };
	return &v->items[v->count++];
}

uint64_t export_number(const struct export_source *s, const struct export_option *o)
{
	const struct export_value *v = value_find(s->values, o);

	return v ? v->number : o->number;
}

bool export_is_on(const struct export_source *s, const struct export_option *o)
{
	return export_number(s, o) != 0;
}

const char *export_text_of(const struct export_source *s, const struct export_option *o)
{
	const struct export_value *v = value_find(s->values, o);

	return v ? v->text : o->text;
}

/* --- writing ---------------------------------------------------------------------------------- */

int export_write(const struct exporter *e, const struct export_source *s, struct out *out,
		 struct err *err)
{
	int ret = e->write ? e->write(s, out, err) : 0;

	for (const struct export_part *p = e->parts; p && p->name && ret == 0; p++)
		ret = p->write(s, out, err);
	return ret == ERR_NOMEM ? err_set(err, ret, "export %s: out of memory", e->name) : ret;
}

static int export_close(int ret, struct out *out, struct err *err)
{
	if (ret == 0)
		return out_close(out, err);
	out_discard(out);
	return ret;
}

static int part_write(const struct exporter *e, const struct export_part *part,
		      const struct export_source *s, const char *path, struct out *out,
		      struct err *err)
{
	struct buf file = BUF_INIT;
	int ret;

	buf_addf(&file, "%s/%s", path, part->name);
	ret = file.failed ? ERR_NOMEM : out_open(out, buf_str(&file), err);
	buf_release(&file);
	if (ret == 0) {
		ret = part->write(s, out, err);
		if (ret < 0)
			out_discard(out);
	}
	return ret == ERR_NOMEM ? err_set(err, ret, "export %s: out of memory", e->name) : ret;
}

/* None is in place before all are written. */
static int export_parts(const struct exporter *e, const struct export_source *s, const char *path,
			struct err *err)
{
	struct out outs[EXPORT_PARTS];
	size_t written = 0;
	int ret = 0;

	if (!strcmp(path, "-"))
		return err_set(err, ERR_USAGE, "export %s: it is a directory; name one: %s:%s",
			       e->name, e->name, e->file);
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return err_errno(err, "%s: cannot make the directory", path);
	for (; ret == 0 && e->parts[written].name; written += ret == 0)
		ret = part_write(e, &e->parts[written], s, path, &outs[written], err);
	for (size_t i = 0; i < written; i++)
		ret = export_close(ret, &outs[i], err);
	if (ret < 0)
		rmdir(path);			/* if nothing else is in it */
	return ret;
}

int export_file(const struct exporter *e, const struct export_source *s, const char *path,
		struct err *err)
{
	struct out out;
	int ret;

	if (e->parts)
		return export_parts(e, s, path, err);
	ret = out_open(&out, path, err);
	if (ret < 0)
		return ret;
	return export_close(export_write(e, s, &out, err), &out, err);
}

int export_columns(const struct export_source *s, struct contexts *own, struct column_data *d)
{
	*own = (struct contexts){ 0 };
	*d = (struct column_data){ s->profile, s->order.contexts ? s->order.contexts : own };
	return s->order.contexts ? 0 : contexts_build(own, s->profile, s->profile->image);
}

int export_rows(const struct export_source *s, struct rows *rows)
{
	struct rows_order order = s->order;
	struct contexts contexts = { 0 };
	int ret = 0;

	rows_init(rows);
	if (!order.contexts && (order.column == COLUMN_STACK || order.column == COLUMN_CONTEXT)) {
		ret = contexts_build(&contexts, s->profile, s->profile->image);
		order.contexts = &contexts;
	}
	if (ret == 0)
		ret = rows_sort(rows, s->profile, &order);
	contexts_release(&contexts);
	if (ret < 0)
		rows_release(rows);
	return ret;
}

const enum column_id export_figures[] = {
	COLUMN_PER_CALL, COLUMN_P50, COLUMN_P90, COLUMN_P99, COLUMN_RATE, COLUMN_LOAD, COLUMN_STACK,
	COLUMN_CONTEXT, COLUMN_COUNT,
};

const enum column_id export_depths[] = {
	COLUMN_STACK_MAX, COLUMN_STACK_USE, COLUMN_FRAME, COLUMN_COUNT,
};

bool export_has_depths(const struct profile *p)
{
	const struct column_data d = { .profile = p };

	return column_holds(&columns[COLUMN_FRAME], &d);
}

double export_figure(const struct column_data *d, enum column_id id,
		     const struct profile_function *f)
{
	bool of_ticks = f->time == PROFILE_TIME_TIMED && id != COLUMN_RATE && id != COLUMN_STACK;

	return export_seconds(d->profile, of_ticks, columns[id].value(d, f));
}

const struct export_unit *export_unit_for(double most)
{
	static const struct export_unit units[] = {
		{ 1, "s", "seconds" }, { 1e3, "ms", "milliseconds" },
		{ 1e6, "us", "microseconds" }, { 1e9, "ns", "nanoseconds" },
	};
	size_t i = 0;

	if (most > 0)
		while (i + 1 < sizeof(units) / sizeof(units[0]) && most * units[i].scale < 1)
			i++;
	return &units[i];
}

const char *export_cell(char *dst, size_t size, double seconds, const struct export_unit *unit)
{
	double v = seconds * unit->scale;

	if (isnan(v))
		return memset(dst, 0, 1);
	snprintf(dst, size, v != 0 && fabs(v) < 0.095 ? "%.2g" : "%.2f", v);
	return dst;
}

const struct profile_function *export_function(const struct profile *p, uint32_t index)
{
	return index < p->function_count ? &p->functions[index] : NULL;
}

double export_whole_seconds(const struct profile *p)
{
	double most = p->totals.self_s;

	for (size_t i = 0; isnan(p->totals.self_s) && i < p->function_count; i++)
		most = fmax(most, p->functions[i].total_s);	/* fmax: NaN yields */
	return most;
}

double export_seconds(const struct profile *p, bool timed, double seconds)
{
	return timed && !(p->terms.ticks_per_second > 0) ? (double)NAN : seconds;
}

double export_edge_seconds(const struct profile *p, const struct profile_edge *e)
{
	const struct profile_function *to = export_function(p, e->to);

	if (e->timed)
		return export_seconds(p, true, e->total_s);
	return to && to->time != PROFILE_TIME_NONE ? e->total_s : (double)NAN;
}

double export_edge_self_seconds(const struct profile *p, const struct profile_edge *e)
{
	const struct profile_function *to = export_function(p, e->to);
	double all = export_edge_seconds(p, e);

	if (!e->timed)
		return isnan(all) ? all : e->self_s;
	if (to && isnan(to->self_s))
		return to->self_s;
	if (!to || !(to->total_s > 0) || !(to->self_s > 0))
		return 0;
	return all * fmin(1, to->self_s / to->total_s);
}

int export_site_shares(const struct profile *p, double **left)
{
	*left = NULL;
	if (!profile_estimated(p))
		return 0;
	*left = mem_alloc((p->edge_count + 1) * sizeof(**left));
	if (!*left)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->edge_count; i++) {
		double raw = 0;

		for (uint32_t k = p->edges[i].first_site; k != PROFILE_NONE; k = p->sites[k].next)
			raw += (double)p->sites[k].total;
		(*left)[i] = raw > 0 ? (double)p->edges[i].total / raw : 1;
	}
	return 0;
}

struct profile_site export_site_left(const struct profile *p, uint32_t site, const double *left)
{
	struct profile_site shown = profile_site_shown(p, site), shrunk = shown;
	const struct profile_site *s = &shown;

	if (!left || !s->timed)
		return shrunk;
	shrunk.total = (uint64_t)llround(fmin(9e18, (double)s->total * left[s->edge]));
	if (!profile_site_range(s))
		return shrunk;
	shrunk.min = (uint64_t)llround((double)s->min * left[s->edge]);
	shrunk.max = (uint64_t)llround((double)s->max * left[s->edge]);
	return shrunk;
}

void export_histogram(struct json_out *o, const char *key, const struct profile *p,
		      const struct profile_buckets *b)
{
	if (!b || !(p->terms.ticks_per_second > 0)) {
		json_null(o, key);
		return;
	}
	json_begin_array(o, key);
	for (size_t i = 0; i < WIRE_BUCKETS; i++) {
		bool last = i == WIRE_BUCKETS - 1;

		json_begin_array(o, NULL);
		json_number(o, NULL, last ? (double)NAN :
			    profile_seconds(p, (double)p->terms.bucket_below[i]));
		json_count(o, NULL, true, b->calls[i]);
		json_end_array(o);
	}
	json_end_array(o);
}

int export_passing(const struct export_source *s, bool **passing)
{
	const struct profile *p = s->profile;

	*passing = NULL;
	if (!s->order.filter)
		return 0;
	*passing = mem_alloc(p->function_count + 1);
	for (size_t i = 0; *passing && i < p->function_count; i++)
		(*passing)[i] = rows_match(&p->functions[i], s->order.filter);
	return *passing ? 0 : ERR_NOMEM;
}

bool export_edge_passes(const struct profile *p, uint32_t edge, const bool *passing)
{
	return !passing || (edge != PROFILE_NONE &&
			    (export_passes(p->edges[edge].from, passing) ||
			     export_passes(p->edges[edge].to, passing)));
}
