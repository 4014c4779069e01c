/*
 * format: shared by the exporters. Private to core/export.
 */
#ifndef WSNTOP_EXPORT_FORMAT_H
#define WSNTOP_EXPORT_FORMAT_H

#include "core/base/json_out.h"
#include "core/export/export.h"

int export_flat(const struct export_source *s, struct out *out, struct err *err);
int export_text(const struct export_source *s, struct out *out, struct err *err);
int export_gmon(const struct export_source *s, struct out *out, struct err *err);
int export_callgrind(const struct export_source *s, struct out *out, struct err *err);
int export_dot(const struct export_source *s, struct out *out, struct err *err);
int export_json(const struct export_source *s, struct out *out, struct err *err);
int export_csv(const struct export_source *s, struct out *out, struct err *err);
int export_trace(const struct export_source *s, struct out *out, struct err *err);
int export_perfetto(const struct export_source *s, struct out *out, struct err *err);
int export_speedscope(const struct export_source *s, struct out *out, struct err *err);
int export_folded(const struct export_source *s, struct out *out, struct err *err);
int export_prof(const struct export_source *s, struct out *out, struct err *err);
int export_prometheus(const struct export_source *s, struct out *out, struct err *err);
int export_firefox(const struct export_source *s, struct out *out, struct err *err);
int export_html(const struct export_source *s, struct out *out, struct err *err);
int export_pprof(const struct export_source *s, struct out *out, struct err *err);
int export_flamegraph(const struct export_source *s, struct out *out, struct err *err);
int export_vcd(const struct export_source *s, struct out *out, struct err *err);
int export_log(const struct export_source *s, struct out *out, struct err *err);
int export_log_csv(const struct export_source *s, struct out *out, struct err *err);
int export_log_json(const struct export_source *s, struct out *out, struct err *err);
int export_changes(const struct export_source *s, struct out *out, struct err *err);

extern const struct export_part ctf_parts[];

extern const struct export_option export_limit;		/* rows of a table at most; 0: all */
extern const struct export_option dot_cluster, dot_per_site, log_calls, folded_by_task;

/* The two halves of the text form, over rows already chosen (flat.c, callgraph.c). */
void flat_write(const struct export_source *s, const struct rows *rows, struct out *out);
int callgraph_write(const struct export_source *s, const struct rows *rows, struct out *out);

/*
 * What the screen's columns show of a function and the older fields of JSON and CSV do not hold, in
 * this order; ends with COLUMN_COUNT.
 */
extern const enum column_id export_figures[];

/* Likewise of stack that was measured, only where some was. */
extern const enum column_id export_depths[];
bool export_has_depths(const struct profile *p);

/* From the call graph. 0 or ERR_NOMEM. */
int folded_write(const struct export_source *s, struct out *out);
int speedscope_sampled(const struct export_source *s, struct out *out);
int flamegraph_write(const struct export_source *s, struct out *out);	/* <svg>, as in a page */

/* A column's value; NaN: not known. Times without the length of a tick are not. */
double export_figure(const struct column_data *d, enum column_id id,
		     const struct profile_function *f);

/*
 * What its columns read, with contexts that are built into `own` where the source has none; release
 * them. 0 or ERR_NOMEM.
 */
int export_columns(const struct export_source *s, struct contexts *own, struct column_data *d);

/* The functions to show, in order. 0 or ERR_NOMEM. */
int export_rows(const struct export_source *s, struct rows *rows);

/*
 * By function whether it passes the filter, for mem_free(); NULL: there is no filter. 0 or
 * ERR_NOMEM. A graph keeps the edges of the functions that pass: the other ends stand in it with
 * their names alone.
 */
int export_passing(const struct export_source *s, bool **passing);
bool export_edge_passes(const struct profile *p, uint32_t edge, const bool *passing);

/* `function` may be PROFILE_NONE. */
static inline bool export_passes(uint32_t function, const bool *passing)
{
	return !passing || (function != PROFILE_NONE && passing[function]);
}

/* The unit of a column of seconds: the first of s, ms, us, ns in which `most` is not below 1. */
struct export_unit {
	double scale;			/* of this unit in a second */
	const char *name;		/* "ms" */
	const char *word;		/* "milliseconds" */
};
const struct export_unit *export_unit_for(double most);

/* Two decimals, as gprof prints; two digits where decimals would lose them. "" for NaN. */
const char *export_cell(char *dst, size_t size, double seconds, const struct export_unit *unit);

/* NULL for a caller in no function. */
const struct profile_function *export_function(const struct profile *p, uint32_t index);

/* PC samples, or those of a file that was read (profile.picture), which has no PCs. */
static inline bool export_has_samples(const struct profile *p)
{
	return p->pc_count || p->totals.samples;
}

/* Sets the unit of a column of times: the sum of all self times, or the longest total. */
double export_whole_seconds(const struct profile *p);

/* NaN for seconds made from ticks (`timed`) whose length the node did not send. */
double export_seconds(const struct profile *p, bool timed, double seconds);

/*
 * A corrected profile (--correct) has corrected edges, not sites: those shrink in proportion. For
 * each edge the remaining share of its sites' ticks, for mem_free(); NULL without a correction.
 * 0 or ERR_NOMEM. export_site_left: a site as it is shown.
 */
int export_site_shares(const struct profile *p, double **left);
struct profile_site export_site_left(const struct profile *p, uint32_t site, const double *left);

/* Inclusive time of an edge in seconds; NaN when nothing in the input times it. */
double export_edge_seconds(const struct profile *p, const struct profile_edge *e);

/* The callee's self part of it: known for sampled edges, in proportion for timed ones. */
double export_edge_self_seconds(const struct profile *p, const struct profile_edge *e);

/*
 * [[upper bound in seconds, calls], ...]: the last has none. null: b is NULL, or the length of a
 * tick is not known.
 */
void export_histogram(struct json_out *j, const char *key, const struct profile *p,
		      const struct profile_buckets *b);

/* As exports have them; NULL: not known. Of changes.c. */
const char *changes_verdict(enum compare_verdict v);
const char *changes_measure(enum compare_measure m);

#endif
