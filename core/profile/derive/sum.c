#include "core/profile/derive/derive.h"
#include "core/profile/raw/raw.h"

#include <math.h>
#include <string.h>

/*
 * A node's counters have 32 bits, and a million of them fit. A garbled or hostile report may have
 * any number: sums stop here instead of wrapping. As a double the limit still fits.
 */
#define MOST INT64_C(9000000000000000000)

static void count_add(uint64_t *sum, uint64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum) || *sum > MOST)
		*sum = MOST;
}

static void ticks_add(int64_t *sum, uint64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum) || *sum > MOST)
		*sum = MOST;
}

static void ticks_take(int64_t *sum, uint64_t n)
{
	if (__builtin_sub_overflow(*sum, n, sum) || *sum < -MOST)
		*sum = -MOST;
}

static void function_clear(struct profile_function *f)
{
	f->first_out = f->first_in = PROFILE_NONE;
	f->cycle = 0;
	f->called = f->recursive = f->has_minmax = f->incomplete = false;
	f->time = PROFILE_TIME_NONE;
	f->flags = 0;
	f->sites = 0;
	f->calls = f->samples = 0;
	f->self_ticks = f->total_ticks = 0;
	f->late_self = f->late_total = f->off = f->age_s = 0;
	f->short_ticks = 0;
	f->self_slack_s = 0;
	f->min = UINT64_MAX;
	f->max = 0;
	f->timed_calls = 0;
	f->self_s = f->total_s = f->min_s = f->max_s = NAN;
	f->per_call_s = 0;
}

static void edge_clear(struct profile_edge *e)
{
	uint32_t from = e->from, to = e->to;

	*e = (struct profile_edge){
		.from = from, .to = to, .first_site = PROFILE_NONE, .next_out = PROFILE_NONE,
		.next_in = PROFILE_NONE, .min = UINT64_MAX,
	};
}

/*
 * Firmware built with both hooks counts a call twice, as an arc and as a call site: the return
 * address is the same, the arc's `to` is a few bytes into the function. The site is used.
 */
static bool is_twice(const struct profile *p, const struct profile_site *s)
{
	const struct profile_function *f = &p->functions[p->edges[s->edge].to];
	uint32_t i;

	if (!p->mixed || s->kind != TOTAL_ARC || f->address > UINT32_MAX)
		return false;
	i = profile_site_find(p, s->from, (uint32_t)f->address);
	return i != PROFILE_NONE && p->sites[i].kind == TOTAL_SITE;
}

/* A site that never completed a call has no extremes: its printed ones are sentinels. */
static void site_fold(const struct profile *p, uint32_t index)
{
	struct profile_edge *e = &p->edges[p->sites[index].edge];
	const struct profile_site *s = &p->sites[index];
	struct profile_site shown;
	double late, off;

	p->sites[index].next = e->first_site;
	e->first_site = index;
	if (s->flags & ROW_TWICE)
		return;
	if (index < p->fix_count) {
		shown = profile_site_shown(p, index);
		s = &shown;
	}
	e->sites++;
	p->functions[e->to].age_s +=
		(float)(profile_age_newest(p, index) * ((double)s->calls + 1));
	count_add(&e->calls, s->calls);
	e->flags |= s->flags;
	if (!s->timed)
		return;
	e->timed = true;
	late = profile_age_late(p, index, &off);
	if (late != 0 && p->sites[index].total) {	/* a fix is in step with the total */
		late *= (double)s->total / (double)p->sites[index].total;
		e->late += (float)late;
		e->off += (float)off;
	}
	count_add(&e->total, s->total);
	if (!profile_site_range(s))
		return;
	if (s->min < e->min)
		e->min = s->min;
	if (s->max > e->max)
		e->max = s->max;
}

static void edge_fold(struct profile_function *f, const struct profile_edge *e)
{
	f->called = true;
	f->incomplete |= (e->flags & ROW_LOST) != 0;
	count_add(&f->calls, e->calls);
	f->sites += e->sites;
	f->flags |= e->flags;
	if (!e->timed)
		return;
	f->time = PROFILE_TIME_TIMED;
	ticks_add(&f->self_ticks, e->total);
	if (!(e->flags & ROW_TOTAL_NEGATIVE)) {
		count_add(&f->timed_calls, e->calls);
		f->per_call_s += (double)e->total;	/* the sum of ticks, until all are in */
	}
	f->late_self += e->late;
	f->off += e->off;
	/* A recursive call is part of one that is counted already. */
	if (e->from != e->to) {
		ticks_add(&f->total_ticks, e->total);
		f->late_total += e->late;
	}
	if (!profile_edge_range(e))
		return;
	f->has_minmax = true;
	if (e->min < f->min)
		f->min = e->min;
	if (e->max > f->max)
		f->max = e->max;
}

/* The shortest call that the sites of an edge may have had in a window. */
static uint64_t edge_least(const struct profile *p, const struct profile_edge *e)
{
	uint64_t least = e->min;

	for (uint32_t i = e->first_site; i != PROFILE_NONE; i = p->sites[i].next) {
		const struct profile_site s = profile_site_shown(p, i);

		if (profile_site_bounds(&s) && s.min < least)
			least = s.min;
	}
	return least;
}

static void edge_chain(struct profile *p, uint32_t i)
{
	struct profile_edge *e = &p->edges[i];
	struct profile_function *to = &p->functions[e->to];

	if (e->flags & ROW_BOUNDS && profile_edge_range(e)) {
		e->min = edge_least(p, e);
		e->flags |= ROW_MIN_AT_LEAST | ROW_MAX_AT_LEAST;
	}
	e->next_in = to->first_in;
	to->first_in = i;
	edge_fold(to, e);
	if (e->timed)
		e->total_s = profile_seconds(p, (double)e->total);
	if (e->from == PROFILE_NONE)
		return;
	e->next_out = p->functions[e->from].first_out;
	p->functions[e->from].first_out = i;
}

/* Self: total less the calls made from it (INGA's profiler, IV-D). */
static void callers_charge(struct profile *p)
{
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];
		struct profile_function *f;

		if (e->from == PROFILE_NONE || !e->timed)
			continue;
		f = &p->functions[e->from];
		ticks_take(&f->self_ticks, e->total);
		f->late_self -= e->late;
		f->off += e->off;
	}
}

/*
 * Ticks by which a self time may be off: the spread for each call and each callee's call, and one
 * tick a site, because the node subtracts its own cost in whole ticks.
 */
static double self_slack(const struct profile *p, const struct profile_function *f)
{
	double calls = (double)f->calls, sites = f->sites;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out) {
		calls += (double)p->edges[i].calls;
		sites += p->edges[i].sites;
	}
	return profile_spread(p) > 0 ? calls * profile_spread(p) + sites : 0;
}

/*
 * Rows of different age: the share of the function's time that is its own, where all rows are taken
 * to one time, applied to its total as it was sent. Calls and total are of one row, so that the
 * self time of a call is right, too.
 */
static void self_estimate(const struct profile *p, struct profile_function *f)
{
	double whole = (double)f->total_ticks + (double)f->late_total;
	double self = (double)f->self_ticks + (double)f->late_self;
	double sent = whole > 0 ? (double)f->total_ticks / whole : 0, slack;

	self = fmax(0, fmin(self, whole)) * sent;
	slack = fmin((double)f->off * sent, fmax(self, (double)f->total_ticks - self));
	f->self_ticks = (int64_t)self;
	f->self_slack_s = profile_seconds(p, slack);
}

/*
 * A self time below zero: within its error it is 0. A function that was entered and never left (a
 * task's loop) has no time yet while its callees have: its own is not known. Else calls of it are
 * missing, which its callees' rows contain.
 */
static void self_limit(const struct profile *p, struct profile_function *f)
{
	double short_of = -(double)f->self_ticks - (double)f->late_self;

	if (f->self_ticks < 0 && !f->calls && !f->total_ticks) {
		f->time = PROFILE_TIME_NONE;
		return;
	}
	f->incomplete |= short_of > self_slack(p, f) + (double)f->off;
	if (f->first_out == PROFILE_NONE)
		return;			/* it calls none: all is its own */
	if (f->late_self != 0 || f->late_total != 0) {
		self_estimate(p, f);
	} else if (f->self_ticks < 0) {
		f->short_ticks = f->incomplete ? -f->self_ticks : 0;
		f->self_ticks = 0;
	}
}

/* In a window the extremes of some sites may be known and of others bounded alone. */
static void range_bound(const struct profile *p, struct profile_function *f)
{
	if (!(f->flags & ROW_BOUNDS) || !f->has_minmax)
		return;
	f->flags |= ROW_MIN_AT_LEAST | ROW_MAX_AT_LEAST;
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in) {
		uint64_t least = edge_least(p, &p->edges[i]);

		f->min = least < f->min ? least : f->min;
	}
}

static void function_seconds(const struct profile *p, struct profile_function *f)
{
	if (f->sites)
		f->age_s = (float)profile_seconds(p, (double)f->age_s /
						     ((double)f->calls + f->sites));
	f->per_call_s = f->timed_calls ?
			profile_seconds(p, f->per_call_s / (double)f->timed_calls) : (double)NAN;
	if (f->time != PROFILE_TIME_TIMED)
		return;
	self_limit(p, f);
	if (f->time != PROFILE_TIME_TIMED)
		return;
	/* Without names for the callers no function's callees are known, and so no self time. */
	if (p->named)
		f->self_s = profile_seconds(p, (double)f->self_ticks);
	f->total_s = profile_seconds(p, (double)f->total_ticks);
	range_bound(p, f);
	if (f->has_minmax) {
		f->min_s = profile_seconds(p, (double)f->min);
		f->max_s = profile_seconds(p, (double)f->max);
	}
}

static void samples_add(struct profile *p)
{
	for (size_t i = 0; i < p->pc_count; i++)
		count_add(&p->functions[p->pcs[i].function].samples, p->pcs[i].count);
}

double profile_run_told(const struct profile *p)
{
	double ticks = (double)profile_less(p->ticks_run, p->run_base);

	return profile_seconds(p, fmax(0, ticks - p->left));
}

static void totals_add(struct profile *p)
{
	struct profile_totals *t = &p->totals;
	bool timed = false;

	*t = (struct profile_totals){ .run_s = NAN };
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		count_add(&t->samples, f->samples);
		count_add(&t->calls, f->called ? f->calls : 0);
		if (f->time == PROFILE_TIME_TIMED) {
			timed = true;
			/* NaN if it is not known */
			t->self_s += f->self_s - profile_seconds(p, (double)f->short_ticks);
		}
	}
	t->both = timed && t->samples;
	t->time = timed ? PROFILE_TIME_TIMED :
		  t->samples ? PROFILE_TIME_SAMPLED : PROFILE_TIME_NONE;
	if (timed && p->ticks_run > p->run_base)
		t->run_s = profile_run_told(p) +
			   profile_seconds(p, (double)(p->age_run - p->age_told));
	if (t->time == PROFILE_TIME_SAMPLED)
		t->self_s = (double)t->samples / p->terms.hz;
	t->asleep = profile_less(p->asleep, p->asleep_base);
	if (t->time == PROFILE_TIME_SAMPLED)
		t->run_s = t->self_s + (double)t->asleep / p->terms.hz;
}

static void self_lessen(struct profile *p, struct profile_function *f, double less)
{
	if (!(less > 0))
		return;
	f->self_s -= less;
	f->self_slack_s = fmax(f->self_slack_s, less);
	f->self_ticks = (int64_t)(f->self_s * p->terms.ticks_per_second);
	p->totals.self_s -= less;
}

/*
 * Estimates that are more than the node ran: each is less by its part of what it may be off. Rows
 * that are newer than the run may be more still: then all by the same part.
 */
static void selfs_bound(struct profile *p, double run)
{
	double slack = 0, sum = 0, part;

	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		slack += f->self_s > 0 ? fmin(f->self_slack_s, f->self_s) : 0;
		sum += f->self_s > 0 ? f->self_s : 0;
	}
	if (!(slack > 0) || !(sum > run))
		return;
	part = fmin(1, (sum - run) / slack);
	sum -= part * slack;
	for (size_t i = 0; i < p->function_count; i++)
		self_lessen(p, &p->functions[i], part * fmin(p->functions[i].self_slack_s,
							     p->functions[i].self_s));
	part = 1 - run / sum;
	for (size_t i = 0; i < p->function_count; i++)
		self_lessen(p, &p->functions[i], part * p->functions[i].self_s);
}

/*
 * A call from no function was charged to none, and a function with samples alone, called by a timed
 * one, is in the self time of that one, too: some time is in the sum twice. How much is not known,
 * but the sum cannot exceed the time that the node ran. Shares remain shares of the sum, and add up
 * to 100 %.
 */
void profile_limit(struct profile *p)
{
	struct profile_totals *t = &p->totals;
	double whole = t->run_s;

	if (isnan(whole) && t->both)
		whole = (double)t->samples / p->terms.hz;
	if (t->time == PROFILE_TIME_TIMED && !t->both && whole > 0)
		selfs_bound(p, whole);
	t->profiled_s = t->self_s > whole ? whole : t->self_s;	/* NaN: no limit */
	t->shares_s = 0;
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].time != PROFILE_TIME_NONE && p->functions[i].self_s > 0)
			t->shares_s += p->functions[i].self_s;
	if (!(t->shares_s > t->self_s))		/* sampled: some samples are in no function */
		t->shares_s = t->self_s;
}

void profile_sum(struct profile *p)
{
	profile_age_settle(p);
	for (size_t i = 0; i < p->function_count; i++)
		function_clear(&p->functions[i]);
	for (size_t i = 0; i < p->edge_count; i++)
		edge_clear(&p->edges[i]);
	for (size_t i = p->site_count; i-- > 0;) {
		struct profile_site *site = &p->sites[i];

		site->flags &= (uint16_t)~ROW_TWICE;
		if (is_twice(p, site))
			site->flags |= ROW_TWICE;
		site_fold(p, (uint32_t)i);
	}
	for (size_t i = p->edge_count; i-- > 0;)
		edge_chain(p, (uint32_t)i);
	callers_charge(p);
	samples_add(p);
	for (size_t i = 0; i < p->function_count; i++)
		function_seconds(p, &p->functions[i]);
	totals_add(p);
}
