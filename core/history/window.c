/* window: a profile of some moments, or of each function's worst. */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/history/parts.h"
#include "core/profile/raw/copy.h"
#include "core/profile/raw/feed.h"
#include "core/profile/raw/raw.h"

/* A window's values beside the sums. */
struct window {
	const struct history *h;
	size_t from, to;
	const struct profile_terms *terms;	/* of its last moment */
	const struct history_age *age;		/* likewise; NULL: names are not kept any more */
	uint64_t run, before;		/* before: of run, before the first moment */
	double seconds, samples, sampled_s;
	bool run_known;
};

/* --- adding up -------------------------------------------------------------------------------- */

/* The first moment of [from, to) with the last one's image. */
static size_t image_first(const struct history *h, size_t from, size_t to)
{
	for (to--; to > from && history_age_same(h, &h->moments[to - 1], &h->moments[to]); to--)
		;
	return to;
}

static const struct profile_terms *terms_of(const struct history *h, const struct history_kept *k)
{
	return &h->terms[k->terms];
}

static bool bounds_same(const struct profile_terms *a, const struct profile_terms *b)
{
	return memcmp(a->bucket_below, b->bucket_below, sizeof(a->bucket_below)) == 0 &&
	       a->ticks_per_second == b->ticks_per_second;
}

static double scale_of(const struct profile_terms *now, const struct profile_terms *then)
{
	if (then->ticks_per_second <= 0 || now->ticks_per_second == then->ticks_per_second)
		return 1;
	return now->ticks_per_second / then->ticks_per_second;
}

static int moment_add(struct window *w, struct sums *s, const struct history_kept *k)
{
	const struct profile_terms *terms = terms_of(w->h, k);
	double scale = scale_of(w->terms, terms);
	double seconds = k->m.length_ns ? (double)k->m.length_ns / 1e9 : k->seconds;

	w->run += scale == 1 ? k->run : (uint64_t)llround((double)k->run * scale);
	w->seconds += isnan(seconds) ? 0 : seconds;
	w->samples += (double)k->m.samples;
	w->sampled_s += k->sampled_s;
	return history_sums_add(s, k, scale, bounds_same(terms, w->terms));
}

static int moments_add(struct window *w, struct sums *s)
{
	const struct history *h = w->h;

	for (size_t i = w->from; i < w->to; i++) {
		if (moment_add(w, s, &h->moments[i]) < 0)
			return ERR_NOMEM;
	}
	if (w->from || !history_age_same(h, &h->moments[0], &h->moments[w->to - 1]))
		return 0;
	w->run += h->before_run;
	w->before = h->before_run;
	return history_sums_before(s, h, 1, true);
}

/* --- the profile ------------------------------------------------------------------------------ */

static uint64_t count_of(int64_t n)
{
	return n > 0 ? (uint64_t)n : 0;
}

static void site_feed(struct profile *p, const struct history_site *k, const struct sum_site *s,
		      const int64_t *bucket, bool bounds)
{
	struct wire_total t = {
		.kind = k->kind, .from = k->from, .to = k->to, .calls = count_of(s->calls),
		.total = count_of(s->total), .has = k->timed ? TOTAL_TIMED : 0,
		.flags = k->flags & (uint16_t)~(ROW_MAX_AT_LEAST | ROW_MIN_AT_LEAST),
	};

	if (s->has & CHANGE_MAX) {
		t.has |= TOTAL_MINMAX;
		t.min = s->min;
		t.max = s->max;
		t.flags |= k->flags & (ROW_MAX_AT_LEAST | ROW_MIN_AT_LEAST);
		if (!(s->has & CHANGE_MIN))
			t.flags |= ROW_MIN_AT_LEAST;
	} else if (bounds && !(k->flags & ROW_MAX_AT_LEAST)) {
		t.has |= TOTAL_MINMAX;
		t.min = k->min;
		t.max = k->max;
		t.flags |= ROW_BOUNDS;
	}
	for (int i = 0; bucket && i < WIRE_BUCKETS; i++)
		t.bucket[i] = count_of(bucket[i]);
	t.has |= bucket ? TOTAL_HISTOGRAM : 0;
	profile_take_totals(p, &t, 1);
}

/* The shortest and longest calls of all moments are of the run that this window lies in. */
static bool is_present_run(const struct window *w)
{
	for (size_t i = w->from + 1; i < w->h->count; i++) {
		if (w->h->moments[i].m.began)
			return false;
	}
	return true;
}

static void sums_feed(struct profile *p, const struct window *w, const struct sums *s)
{
	const struct history *h = w->h;
	bool bounds = is_present_run(w);

	for (size_t i = 0; i < s->site_count; i++) {
		if (s->sites[i].has)
			site_feed(p, &h->sites[i], &s->sites[i],
				  s->sites[i].has & CHANGE_BUCKETS ? s->buckets[i] : NULL, bounds);
	}
	for (size_t i = 0; i < s->pc_count; i++) {
		struct wire_total t = {
			.kind = TOTAL_PC, .from = h->pcs[i].pc, .calls = count_of(s->pcs[i]),
		};

		if (s->pc_has[i])
			profile_take_totals(p, &t, 1);
	}
}

/* For samples taken at several rates: the rate that keeps their time. */
static double hz_of(const struct window *w)
{
	return w->samples > 0 && w->sampled_s > 0 ? w->samples / w->sampled_s : w->terms->hz;
}

static void rates_set(struct profile *p, double seconds)
{
	if (seconds <= 0)
		return;
	p->rate_calls = (double)p->totals.calls / seconds;
	for (size_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];

		f->rate_calls = f->called ? profile_rate((double)f->calls, seconds, 0) :
					    (double)NAN;
		f->rate_self = f->time == PROFILE_TIME_NONE ? (double)NAN :
							      profile_rate(f->self_s, seconds, 0);
	}
}

/*
 * Seconds of all counts. The time before the connect is known on the node's clock alone: it had
 * slept as much then.
 */
static double seconds_of(const struct window *w)
{
	return w->before < w->run ?
	       w->seconds * (double)w->run / (double)(w->run - w->before) : w->seconds;
}

/* Sleep and hooks are in the window's time and not in its run. */
static void pace_set(struct profile *p, const struct window *w)
{
	if (p->terms.gathers && w->seconds > 0 && w->run > w->before)
		p->pace = p->totals.run_s / seconds_of(w);
}

static struct profile *profile_new(const struct history *h)
{
	struct profile *p = mem_zalloc(sizeof(*p));

	if (p && profile_init(p, h->name ? h->name : "") == 0)
		return p;
	profile_drop(p);
	return NULL;
}

static struct profile *window_build(const struct window *w, const struct sums *s)
{
	struct profile *p = profile_new(w->h);

	if (!p)
		return NULL;
	p->terms = *w->terms;
	p->terms.hz = hz_of(w);
	if (p->terms.hz > 0)		/* of the same clock */
		p->terms.cycles *= w->terms->hz / p->terms.hz;
	p->ticks_run = w->run;
	sums_feed(p, w, s);
	profile_set_image(p, w->age ? w->age->image : NULL);
	p->then = w->age && !w->age->image ? w->age->then : NULL;
	p->named |= p->then && p->then->named;
	if (!p->dropped && profile_compute(p) == 0 && profile_own(p) == 0) {
		p->then = NULL;
		rates_set(p, seconds_of(w));
		pace_set(p, w);
		return p;
	}
	profile_drop(p);
	return NULL;
}

struct profile *history_window(const struct history *h, size_t from, size_t to, struct err *err)
{
	struct window w = { .h = h, .to = to < h->count ? to : h->count };
	struct profile *p = NULL;
	struct sums s;

	if (from >= w.to) {
		err_set(err, ERR_ABSENT, "no moments yet");
		return NULL;
	}
	w.from = image_first(h, from, w.to);
	w.terms = terms_of(h, &h->moments[w.to - 1]);
	w.age = history_age_of(h, &h->moments[w.to - 1]);
	if (history_sums_init(&s, h, false) == 0) {
		if (moments_add(&w, &s) == 0)
			p = window_build(&w, &s);
		history_sums_release(&s);
	}
	if (!p)
		err_set(err, ERR_NOMEM, "out of memory: this time is not shown");
	return p;
}

/* --- worst moments ---------------------------------------------------------------------------- */

/*
 * in_turn: a caller's row and its callees' come at different times. A moment in which its own tells
 * of more time than theirs has too much self time, and may be its worst.
 */
static void peak_set(struct profile_function *f, const struct history_slot *slot, bool in_turn)
{
	f->per_call_s = slot->calls > 0 && !f->recursive ? slot->total_s / slot->calls :
							   (double)NAN;
	f->first_out = f->first_in = PROFILE_NONE;
	f->cycle = f->sites = 0;
	f->recursive = f->has_minmax = false;
	f->flags = 0;
	f->calls = (uint64_t)llround(fmin(slot->calls, 9e18));
	f->samples = 0;
	f->self_s = slot->timed ? slot->self_s : (double)NAN;
	f->self_slack_s = in_turn && slot->timed ? slot->self_s : 0;
	f->total_s = slot->total_s;
	f->self_ticks = f->total_ticks = 0;
	f->min_s = f->max_s = NAN;
	f->rate_calls = slot->rate;
	f->rate_self = f->self_s;
	if (!slot->timed)
		f->time = PROFILE_TIME_NONE;
}

/* Its self time is a difference of rows: recursive calls alone cancel. */
static bool is_caller(const struct profile *p, const struct profile_function *f)
{
	uint32_t i = f->first_out;

	while (i != PROFILE_NONE && (!p->edges[i].timed || p->edges[i].to == p->edges[i].from))
		i = p->edges[i].next_out;
	return i != PROFILE_NONE && f->time == PROFILE_TIME_TIMED;
}

static void peaks_set(struct profile *p, const struct history *h)
{
	double most = 0;
	size_t kept = 0;
	bool in_turn;

	for (size_t i = 0; i < p->function_count; i++) {
		uint32_t slot = history_slot_find(h, h->age, p->functions[i].address);

		if (slot == HISTORY_SLOT_NONE || !h->slots[slot].peak)
			continue;
		in_turn = p->terms.gathers && is_caller(p, &p->functions[i]);
		p->functions[kept] = p->functions[i];
		peak_set(&p->functions[kept], &h->slots[slot], in_turn);
		if (!isnan(p->functions[kept].self_s))
			most += p->functions[kept].self_s;
		kept++;
	}
	p->function_count = kept;
	p->site_count = p->pc_count = p->edge_count = p->bucket_count = 0;
	p->totals.samples = 0;
	p->totals.self_s = p->totals.time == PROFILE_TIME_NONE ? 0 : 1;
	p->totals.shares_s = p->totals.self_s;	/* of a second */
	p->totals.profiled_s = most;
	p->totals.run_s = p->pace = NAN;
}

struct profile *history_peaks(const struct history *h, struct err *err)
{
	struct profile *p = history_window(h, 0, h->count, err);

	if (p)
		peaks_set(p, h);
	return p;
}
