/*
 * format: what the exporters share. Private to core/export.
 */
#ifndef WSNTOP_EXPORT_FORMAT_H
#define WSNTOP_EXPORT_FORMAT_H

#include "core/export/export.h"

int export_flat(const struct export_source *s, struct out *out, struct err *err);
int export_text(const struct export_source *s, struct out *out, struct err *err);
int export_gmon(const struct export_source *s, struct out *out, struct err *err);
int export_dot(const struct export_source *s, struct out *out, struct err *err);
int export_json(const struct export_source *s, struct out *out, struct err *err);
int export_csv(const struct export_source *s, struct out *out, struct err *err);
int export_changes(const struct export_source *s, struct out *out, struct err *err);

extern const struct export_option export_limit;		/* rows of a table at most; 0: all */
extern const struct export_option dot_cluster, dot_per_site;

/* The two halves of the text form, over rows already chosen (flat.c, callgraph.c). */
void flat_write(const struct export_source *s, const struct rows *rows, struct out *out);
int callgraph_write(const struct export_source *s, const struct rows *rows, struct out *out);
int export_rows(const struct export_source *s, struct rows *rows);

/* A column of seconds in one unit: the first of s, ms, us, ns in which `most` is not below 1. */
struct time_unit {
	double scale;			/* of this unit in a second */
	const char *name;		/* "ms" */
	const char *word;		/* "milliseconds" */
};
const struct time_unit *time_unit_for(double most);

/* Two decimals, as gprof prints; what these would round away gets two digits. "" for NaN. */
const char *time_cell(char *dst, size_t size, double seconds, const struct time_unit *unit);

/* csv.c: a field in quotes, made visible, no formula. */
void csv_text(struct out *out, const char *text);

/* NULL for a caller that lies in no function. */
const struct profile_function *function_at(const struct profile *p, uint32_t index);

/*
 * Something of its own is known: false for a function known only from the calls that it made, which
 * gprof's flat profile leaves out too.
 */
static inline bool function_known(const struct profile_function *f)
{
	return f->called || f->samples || (f->time != TIME_NONE && f->self_s != 0);
}

/*
 * What a column of times is scaled by: all self times together, or while unknown the longest total.
 */
double profile_whole(const struct profile *p);

/* Seconds that came from ticks are not known when the node did not say how long a tick is: NaN. */
double known_seconds(const struct profile *p, bool timed, double seconds);

/*
 * Under --correct the profile corrects edges, not their sites: those shrink in proportion. By edge,
 * what is left of its sites' ticks; NULL without --correct. For mem_free(). 0 or ERR_NOMEM.
 */
int site_shares(const struct profile *p, double **left);
struct profile_site site_left(const struct profile_site *s, const double *left);

/* Inclusive time of an edge in seconds; NaN when nothing in the input times it. */
double edge_seconds(const struct profile *p, const struct profile_edge *e);

/* Its part that is the callee's own: told for sampled edges, in proportion for timed ones. */
double edge_self_seconds(const struct profile *p, const struct profile_edge *e);

#endif
