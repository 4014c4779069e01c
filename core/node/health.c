#include "core/node/health.h"

#include <math.h>
#include <string.h>

void health_init(struct health *h)
{
	memset(h, 0, sizeof(*h));
	h->joined = 1;
}

/* --- taking ----------------------------------------------------------------------------------- */

/* The node counts these itself: the user's reset does not change them. */
static bool is_nodes_own(enum health_figure figure)
{
	return figure == HEALTH_MISSING || figure == HEALTH_ISR;
}

static bool is_from_zero(enum health_figure figure, const struct health_now *a,
			 const struct health_now *b)
{
	if (figure < HEALTH_MISSING)
		return false;		/* the line's */
	return is_nodes_own(figure) ? a->restarts != b->restarts : a->resets != b->resets;
}

/* From a to b, for the figures [first, end). */
static void figures_add(struct health_sample *s, const struct health_now *a,
			const struct health_now *b, enum health_figure first,
			enum health_figure end)
{
	for (enum health_figure i = first; i < end; i++)
		s->of[i] += b->of[i] - (is_from_zero(i, a, b) ? 0 : a->of[i]);
}

static bool is_after(const struct health_now *a, const struct health_now *b)
{
	return a->told_ns && a->profile == b->profile;
}

/*
 * The wall time between two STATUS. Of a node that restarted in between it is not known how long it
 * was off; what it ran since is known.
 */
static double told_seconds(const struct health_now *a, const struct health_now *b)
{
	double gap = (double)(int64_t)(b->told_ns - a->told_ns) / 1e9;

	return a->resets == b->resets ? gap :
	       fmin(gap, b->of[HEALTH_RUN] + b->of[HEALTH_HOOKS]);
}

/* With the first STATUS come all times since long before. */
static void told_take(struct health *h, struct health_sample *s, const struct health_now *now)
{
	if (!now->told_ns || now->told_ns <= h->told.told_ns)
		return;
	if (is_after(&h->told, now)) {
		s->told_s = told_seconds(&h->told, now);
		figures_add(s, &h->told, now, HEALTH_RUN, HEALTH_SELF);
	}
	h->told = *now;
	if (!now->selfs)
		return;
	if (is_after(&h->selfs, now)) {
		s->selfs_s = told_seconds(&h->selfs, now);
		figures_add(s, &h->selfs, now, HEALTH_SELF, HEALTH_FIGURES);
	}
	h->selfs = *now;
}

static void sample_join(struct health_sample *a, const struct health_sample *b)
{
	a->wall_s += b->wall_s;
	a->told_s += b->told_s;
	a->selfs_s += b->selfs_s;
	for (size_t i = 0; i < HEALTH_FIGURES; i++)
		a->of[i] += b->of[i];
	a->down |= b->down;
}

static void samples_halve(struct health *h)
{
	for (size_t i = 0; i < HEALTH_SAMPLES / 2; i++) {
		h->samples[i] = h->samples[2 * i];
		sample_join(&h->samples[i], &h->samples[2 * i + 1]);
	}
	h->count = HEALTH_SAMPLES / 2;
	h->joined *= 2;
}

void health_take(struct health *h, const struct health_now *now)
{
	struct health_sample s = { .down = !now->up };

	if (h->begun && now->time_ns > h->before.time_ns)
		s.wall_s = (double)(now->time_ns - h->before.time_ns) / 1e9;
	if (h->begun)
		figures_add(&s, &h->before, now, 0,
			    h->before.profile == now->profile ? HEALTH_RUN : HEALTH_CALLS);
	told_take(h, &s, now);
	h->before = *now;
	if (!h->begun) {
		h->begun = true;
		return;
	}
	sample_join(&h->last, &s);
	if (++h->in_last < h->joined)
		return;
	h->samples[h->count++] = h->last;
	h->last = (struct health_sample){ 0 };
	h->in_last = 0;
	if (h->count == HEALTH_SAMPLES)
		samples_halve(h);
}

/* --- looking ---------------------------------------------------------------------------------- */

size_t health_count(const struct health *h)
{
	return h->count + (h->in_last > 0);
}

struct health_sample health_sample(const struct health *h, size_t i)
{
	return i < h->count ? h->samples[i] : h->last;
}

struct health_sample health_range(const struct health *h, size_t from, size_t to)
{
	struct health_sample sum = { 0 }, s;

	for (size_t i = from; i < to; i++) {
		s = health_sample(h, i);
		sample_join(&sum, &s);
	}
	return sum;
}

struct health_sample health_sum(const struct health *h, double seconds)
{
	struct health_sample sum = { 0 }, s;

	for (size_t i = health_count(h); i-- > 0;) {
		s = health_sample(h, i);
		sample_join(&sum, &s);
		if (seconds >= 0 && sum.wall_s >= seconds)
			break;
	}
	return sum;
}

struct health_sample health_between(const struct health *h, uint64_t begin_ns, uint64_t end_ns)
{
	double begin = (double)begin_ns / 1e9, end = (double)end_ns / 1e9;
	double to = (double)h->before.time_ns / 1e9, middle;
	struct health_sample sum = { 0 }, around = { 0 }, s;

	for (size_t i = health_count(h); i-- > 0; to -= s.wall_s) {
		s = health_sample(h, i);
		middle = to - s.wall_s / 2;
		if (middle >= begin && middle <= end)
			sample_join(&sum, &s);
		if (fabs(middle - (begin + end) / 2) <= s.wall_s / 2)
			around = s;
	}
	return sum.wall_s > 0 ? sum : around;
}

static void shares_unknown(double share[DUTIES])
{
	for (size_t i = 0; i < DUTIES; i++)
		share[i] = NAN;
}

void health_duty(const struct health_sample *s, double share[DUTIES])
{
	double run = s->of[HEALTH_RUN], hooks = fmax(0, s->of[HEALTH_HOOKS]), wall, isr, self;

	shares_unknown(share);
	wall = fmax(s->told_s, run + hooks);
	if (!(s->told_s > 0) || !(run > 0))
		return;
	isr = fmax(0, fmin(s->of[HEALTH_ISR], run));
	share[DUTY_ASLEEP] = fmax(0, wall - run - hooks) / wall;
	share[DUTY_HANDLERS] = isr / wall;
	share[DUTY_HOOKS] = hooks / wall;
	if (!(s->selfs_s > 0)) {
		share[DUTY_AWAKE] = (run - isr) / wall;
		return;
	}
	/* Self times may be known of a part of the time only: it stands for the whole. */
	self = fmin(s->of[HEALTH_SELF] / s->selfs_s * s->told_s, run);
	self = fmax(self, isr);		/* handlers that no hook sees */
	share[DUTY_PROFILED] = (self - isr) / wall;
	share[DUTY_UNPROFILED] = (run - self) / wall;
}
