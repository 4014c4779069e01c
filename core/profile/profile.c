/* profile: computing, rates, finding a function. */
#include "core/profile/profile.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/profile/derive/derive.h"
#include "core/profile/derive/executions.h"
#include "core/profile/raw/raw.h"

/* Functions, edges and components with the sites' times as the image corrects them. */
static int figures_calibrate(struct profile *p, struct profile_components *c, double *scratch)
{
	int ret = profile_calibrate(p, c, scratch);

	if (ret <= 0)
		return ret;
	profile_components_release(c);
	*c = (struct profile_components){ 0 };
	memset(scratch, 0, (p->function_count + 1) * 3 * sizeof(*scratch));
	profile_sum(p);
	return profile_components_find(p, c);
}

int profile_compute(struct profile *p)
{
	struct profile_components c = { 0 };
	double *scratch;
	int ret;

	if (!p->dirty || p->picture)
		return 0;
	ret = profile_sites_forget(p);
	if (ret == 0)
		ret = profile_resolve(p);
	if (ret < 0)
		return ret;
	profile_fixes_forget(p);
	profile_sum(p);
	ret = profile_components_find(p, &c);
	if (ret < 0)
		return ret;
	scratch = mem_zalloc((p->function_count + 1) * 3 * sizeof(*scratch));
	ret = scratch ? figures_calibrate(p, &c, scratch) : ERR_NOMEM;
	if (ret == 0) {
		profile_propagate(p, &c, scratch);
		if (p->terms.correct)
			profile_correct(p, &c, scratch);
		profile_limit(p);
		ret = profile_executions(p);
	}
	profile_depths_give(p);
	if (ret == 0)
		p->dirty = false;
	mem_free(scratch);
	profile_components_release(&c);
	return ret;
}

/* Closer moments give no rate; a file's reports, which all come at once, are one moment. */
#define MARK_APART (CLOCK_SECOND / 20)

#define ROW_TURN 2			/* seconds: rows that change come once in so long */
#define PACE_LEAST 2			/* seconds: STATUS comes once a second */

/*
 * A node that has counted for hours sends its rows one by one after the connect: their counts are
 * not of this second. Until no new rows come any more, the window begins again with each of them.
 */
static void marks_settle(struct profile *p)
{
	if (p->grew && p->settled < PROFILE_SETTLED) {
		p->marks = 0;
		p->settled = 0;
		for (size_t i = 0; i < p->function_count; i++)
			p->functions[i].rate_calls = p->functions[i].rate_self = NAN;
	} else if (p->settled < PROFILE_SETTLED) {
		p->settled++;
	}
	p->grew = false;
}

bool profile_settled(const struct profile *p)
{
	return !p->running || p->generation || p->settled >= PROFILE_SETTLED;
}

/*
 * How old the counts of a row are. A row that was left out had not changed by the time up to which
 * the node has told all (told_ns). Streams whose counts come at once have none.
 */
static double age_of(const struct profile *p, uint32_t heard, uint64_t now)
{
	double told = p->told_ns ? (double)(int64_t)(now - p->told_ns) / CLOCK_SECOND : INFINITY;
	double age = heard ? ldexp((int32_t)(profile_stamp(now) - heard), 20) / CLOCK_SECOND :
			     INFINITY;

	/* A silence may come in the middle of the turn: a steady row waited, and was not told. */
	if (age > ROW_TURN)
		age = fmin(age, told);
	return isinf(age) ? 0 : fmax(0, age);
}

static void ages_mark(struct profile *p, uint32_t slot, uint64_t now)
{
	for (size_t i = 0; i < p->function_count; i++)
		p->functions[i].past[slot].age_s = 0;
	for (size_t i = 0; i < p->site_count && p->heard_ns; i++) {
		const struct profile_site *s = &p->sites[i];
		struct profile_function *f = &p->functions[p->edges[s->edge].to];

		if (!(s->flags & ROW_TWICE))
			f->past[slot].age_s +=
				(float)(age_of(p, s->heard, now) * (double)(s->calls + 1));
	}
	for (size_t i = 0; i < p->function_count && p->heard_ns; i++) {
		struct profile_function *f = &p->functions[i];

		if (f->sites)
			f->past[slot].age_s /= (float)((double)f->calls + f->sites);
		else
			f->past[slot].age_s = (float)age_of(p, 0, now);
	}
}

/*
 * Between the times of its rows, which are older than the marks: else a window of a second, of
 * which the newest row has a fifth, would show a fifth of the rate. Until new rows came it stays.
 */
static void function_rate(struct profile_function *f, uint32_t now, uint32_t oldest,
			  double seconds)
{
	double self_s = f->self_s - f->past[oldest].self_s;
	double calls = (double)f->calls - (double)f->past[oldest].calls;
	double age = (double)f->past[now].age_s;

	seconds += (double)f->past[oldest].age_s;
	if (seconds - age < PROFILE_RATE_LEAST && !(isnan(f->rate_calls) && isnan(f->rate_self)))
		return;
	f->rate_calls = f->rate_self = NAN;
	if (seconds - age < PROFILE_RATE_LEAST)
		return;
	if (f->called)
		f->rate_calls = profile_rate(calls, seconds, age);
	if (f->time != PROFILE_TIME_NONE)	/* NaN if one of the two is */
		f->rate_self = self_s < 0 ? 0 : profile_rate(self_s, seconds, age);
}

/*
 * The run stands still in sleep and in the hooks. What refers to it is put to wall time by what
 * both took since the start or, where that was not seen, since the first mark: a node that counted
 * before may have run at another pace.
 */
static void pace_mark(struct profile *p, uint64_t time_ns)
{
	double run = profile_run_told(p), seconds;

	if (p->run_ns)		/* else a run of a second ago is held against the time of now */
		time_ns = p->run_ns;
	if (!p->marks) {
		p->paced_s = 0;
		p->paced_ns = p->began_ns;
	}
	if (!p->terms.gathers || isnan(p->totals.run_s))
		return;
	if (!p->paced_ns || run < p->paced_s) {
		p->paced_s = run;
		p->paced_ns = time_ns;
		p->pace = NAN;
	}
	seconds = (double)(int64_t)(time_ns - p->paced_ns) / (double)CLOCK_SECOND;
	if (seconds >= PACE_LEAST && run > p->paced_s)
		p->pace = (run - p->paced_s) / seconds;
}

void profile_mark(struct profile *p, uint64_t time_ns)
{
	uint32_t now, oldest;
	double seconds;

	if (p->marks && time_ns - p->mark_ns[(p->marks - 1) % PROFILE_PAST] < MARK_APART)
		return;
	if (profile_compute(p) < 0)
		return;
	marks_settle(p);
	pace_mark(p, time_ns);
	now = p->marks % PROFILE_PAST;
	oldest = p->marks < PROFILE_PAST ? 0 : (p->marks + 1) % PROFILE_PAST;
	p->mark_ns[now] = time_ns;
	seconds = (double)(int64_t)(time_ns - p->mark_ns[oldest]) / (double)CLOCK_SECOND;
	ages_mark(p, now, time_ns);
	p->rate_calls = seconds >= 2 ? 0 : NAN;	/* a shorter time would show when refreshes come */
	for (size_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];

		f->past[now].calls = f->calls;
		f->past[now].self_s = f->time == PROFILE_TIME_NONE ? 0 : f->self_s;
		function_rate(f, now, oldest, seconds);
		if (!isnan(f->rate_calls))
			p->rate_calls += f->rate_calls;
	}
	p->marks++;
}

uint32_t profile_find_name(const struct profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (strcmp(p->functions[i].name, name) == 0)
			return i;
	}
	return PROFILE_NONE;
}

uint32_t profile_find_address(const struct profile *p, uint64_t address)
{
	for (uint32_t i = 0; i < p->function_count; i++)
		if (p->functions[i].address == address)
			return i;
	return PROFILE_NONE;
}

size_t profile_places(const struct profile *p, uint32_t function)
{
	size_t at = SORTED_WHERE(p->place_count, i, p->places[i].function < function);

	return at < p->place_count && p->places[at].function == function ? at : p->place_count;
}

size_t profile_memory(const struct profile *p)
{
	return p->site_cap * sizeof(*p->sites) + p->pc_cap * sizeof(*p->pcs) +
	       p->edge_cap * sizeof(*p->edges) + p->function_cap * sizeof(*p->functions) +
	       index_memory(&p->site_index) + index_memory(&p->edge_index) +
	       (p->bucket_cap + p->bucket_bases) * sizeof(*p->buckets) +
	       p->path_cap * sizeof(*p->paths) + p->place_cap * sizeof(*p->places) +
	       p->depth_cap * sizeof(*p->depths) +
	       map_memory(&p->depth_index) + profile_fines_memory(p) +
	       p->spent_cap * sizeof(*p->spent) + map_memory(&p->spent_index) +
	       p->age_cap * sizeof(*p->ages) +
	       p->fix_cap * sizeof(*p->fixes) +
	       map_memory(&p->pc_index) + map_memory(&p->function_index) + p->arena.bytes;
}
