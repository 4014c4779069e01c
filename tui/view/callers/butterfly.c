#include "tui/view/callers/butterfly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/profile/look/durations.h"
#include "core/profile/look/rows.h"

void butterfly_release(struct butterfly *b)
{
	mem_free(b->lines);
}

static struct butterfly_line *butterfly_add(struct butterfly *b, enum butterfly_kind kind)
{
	if (mem_grow(&b->lines, &b->cap, b->count + 1, sizeof(*b->lines)) < 0)
		return NULL;
	b->lines[b->count] = (struct butterfly_line){
		.kind = kind, .edge = PROFILE_NONE, .other = PROFILE_NONE, .share = NAN,
		.p50 = NAN, .p99 = NAN,
	};
	return &b->lines[b->count++];
}

static double edge_weight(const struct butterfly *b, const struct profile_edge *e)
{
	double weight = b->times ? e->total_s : (double)e->calls;

	return weight > 0 ? weight : 0;		/* NaN too */
}

/* Once an update: an edge may have a million call sites. */
static void find_percentiles(struct butterfly *b, struct butterfly_line *l,
			     const struct duration *d)
{
	b->buckets |= d->has_buckets;
	l->p50 = duration_percentile(b->profile, d, 0.50);
	l->p99 = duration_percentile(b->profile, d, 0.99);
}

static void edge_line(struct butterfly *b, uint32_t edge, enum butterfly_kind kind, double whole)
{
	const struct profile_edge *e = &b->profile->edges[edge];
	struct butterfly_line *l = butterfly_add(b, kind);

	if (!l)
		return;
	l->edge = edge;
	l->other = kind == BUTTERFLY_CALLER ? e->from : e->to;
	if (whole > 0 && (!b->times || !profile_call_inner(b->profile, e)))
		l->share = edge_weight(b, e) / whole;
	if (b->profile->bucket_count) {
		struct duration d = duration_of_edge(b->profile, edge);

		find_percentiles(b, l, &d);
	}
}

static void note_add(struct butterfly *b, const char *text)
{
	struct butterfly_line *l = butterfly_add(b, BUTTERFLY_NOTE);

	if (l)
		l->note = text;
}

struct by_share {
	const struct butterfly *b;
	int sign;
};

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct by_share *o = ctx;
	const struct butterfly_line *la = a, *lb = b;
	const struct profile_edge *ea = &o->b->profile->edges[la->edge];
	const struct profile_edge *eb = &o->b->profile->edges[lb->edge];
	double wa = edge_weight(o->b, ea), wb = edge_weight(o->b, eb);

	if (wa != wb)
		return wa > wb ? o->sign : -o->sign;
	if (ea->calls != eb->calls)
		return ea->calls > eb->calls ? o->sign : -o->sign;
	return (la->edge > lb->edge) - (la->edge < lb->edge);
}

static void sort_from(struct butterfly *b, size_t first, int sign)
{
	struct by_share order = { b, sign };

	if (b->count > first)
		qsort_r(b->lines + first, b->count - first, sizeof(*b->lines),
			compare_lines, &order);
}

/* An edge whose other end is in no function has nothing that a filter could match. */
static bool other_passes(const struct butterfly *b, uint32_t other, const struct regex *filter)
{
	return other == PROFILE_NONE || rows_match(&b->profile->functions[other], filter);
}

static bool edge_passes(struct butterfly *b, uint32_t other, const struct regex *filter)
{
	bool passes = other_passes(b, other, filter);

	b->all++;
	b->shown += passes;
	return passes;
}

static void rest_add(struct butterfly *b, size_t callers, size_t callees)
{
	size_t n = callers + callees;

	snprintf(b->rest[callees > 0], sizeof(b->rest[0]), "(%s other%s)", TEXT_WHOLE(n),
		 n == 1 ? "" : "s");
	if (n)
		note_add(b, b->rest[callees > 0]);
}

static void add_callers(struct butterfly *b, const struct profile_function *f,
			const struct regex *filter)
{
	const struct profile *p = b->profile;
	double whole = 0;
	size_t first;

	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		whole += b->times && profile_call_inner(p, &p->edges[i]) ? 0 :
			 edge_weight(b, &p->edges[i]);
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		edge_passes(b, p->edges[i].from, filter);
	rest_add(b, b->all - b->shown, 0);
	first = b->count;
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		if (other_passes(b, p->edges[i].from, filter))
			edge_line(b, i, BUTTERFLY_CALLER, whole);
	sort_from(b, first, 1);
	if (b->count == 0)
		note_add(b, "(none measured)");
}

/* Recursive calls stand among the callers only: once is enough. */
static void add_callees(struct butterfly *b, const struct profile_function *f,
			const struct regex *filter)
{
	const struct profile *p = b->profile;
	double whole = 0;
	size_t first = b->count, hidden = b->all - b->shown;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out)
		whole += p->edges[i].from == p->edges[i].to ? 0 : edge_weight(b, &p->edges[i]);
	if (b->times && f->time != PROFILE_TIME_NONE && f->total_s > whole)
		whole = f->total_s;
	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out) {
		if (p->edges[i].from != p->edges[i].to && edge_passes(b, p->edges[i].to, filter))
			edge_line(b, i, BUTTERFLY_CALLEE, whole);
	}
	sort_from(b, first, -1);
	rest_add(b, 0, b->all - b->shown - hidden);
	if (b->count == first)
		note_add(b, "(none measured)");
}

static void lines_measure(struct butterfly *b)
{
	const struct profile *p = b->profile;

	b->longest = 0;
	b->minmax = false;
	for (size_t i = 0; i < b->count; i++) {
		const struct butterfly_line *l = &b->lines[i];
		int length = text_columns(l->note ? l->note : l->other == PROFILE_NONE ?
					  "(no function)" : p->functions[l->other].name);

		b->longest = length > b->longest ? length : b->longest;
		b->minmax |= l->edge != PROFILE_NONE && p->edges[l->edge].timed;
	}
}

void butterfly_build(struct butterfly *b, const struct profile *p, uint32_t function,
		     const struct regex *filter)
{
	struct butterfly_line *l;

	b->profile = p;
	b->count = b->middle = b->shown = b->all = 0;
	b->buckets = false;
	if (function == PROFILE_NONE)
		return;
	b->times = p->totals.time != PROFILE_TIME_NONE;
	add_callers(b, &p->functions[function], filter);
	b->middle = b->count;
	l = butterfly_add(b, BUTTERFLY_FUNCTION);
	if (!l) {
		b->count = 0;
		return;
	}
	l->other = function;
	if (p->bucket_count) {
		struct duration d = duration_of_function(p, function);

		find_percentiles(b, l, &d);
	}
	add_callees(b, &p->functions[function], filter);
	lines_measure(b);
}

double butterfly_total(const struct butterfly *b, const struct profile_edge *e)
{
	bool known = e->timed || b->profile->totals.samples;

	return known && !profile_call_inner(b->profile, e) ? e->total_s : NAN;
}

double butterfly_per_call(const struct butterfly *b, const struct profile_edge *e)
{
	double total = e->timed ? e->total_s : butterfly_total(b, e);

	return e->calls && !(e->flags & ROW_TOTAL_NEGATIVE) ? total / (double)e->calls : NAN;
}
