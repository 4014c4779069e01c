#include "core/node/health.h"

#include <math.h>
#include <string.h>

void health_init(struct health *h)
{
	memset(h, 0, sizeof(*h));
	h->joined = 1;
}

/* A count that fell was reset. */
static uint64_t count_more(uint64_t now, uint64_t before)
{
	return now >= before ? now - before : now;
}

static double time_more(double now, double before)
{
	return now >= before ? now - before : now > 0 ? now : 0;
}

static struct health_sample sample_of(const struct health_now *a, const struct health_now *b)
{
	return (struct health_sample){
		.wall_s = b->time_ns > a->time_ns ? (double)(b->time_ns - a->time_ns) / 1e9 : 0,
		.run_s = time_more(b->run_s, a->run_s),
		.isr_s = time_more(b->isr_s, a->isr_s),
		.self_s = time_more(b->self_s, a->self_s),
		.sleep_s = time_more(b->sleep_s, a->sleep_s),
		.hooks_s = time_more(b->hooks_s, a->hooks_s),
		.bytes = count_more(b->bytes, a->bytes),
		.events = count_more(b->events, a->events),
		.lost = count_more(b->lost, a->lost),
		.bad = count_more(b->bad, a->bad),
		.damaged = count_more(b->damaged, a->damaged),
		.missing = count_more(b->missing, a->missing),
		.calls = count_more(b->calls, a->calls),
		.down = !b->up,
	};
}

static void sample_join(struct health_sample *a, const struct health_sample *b)
{
	a->wall_s += b->wall_s;
	a->run_s += b->run_s;
	a->isr_s += b->isr_s;
	a->self_s += b->self_s;
	a->sleep_s += b->sleep_s;
	a->hooks_s += b->hooks_s;
	a->bytes += b->bytes;
	a->events += b->events;
	a->lost += b->lost;
	a->bad += b->bad;
	a->damaged += b->damaged;
	a->missing += b->missing;
	a->calls += b->calls;
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
	struct health_sample s;

	if (!h->begun) {
		h->before = *now;
		h->begun = true;
		return;
	}
	s = sample_of(&h->before, now);
	h->before = *now;
	sample_join(&h->last, &s);
	if (++h->in_last < h->joined)
		return;
	h->samples[h->count++] = h->last;
	h->last = (struct health_sample){ 0 };
	h->in_last = 0;
	if (h->count == HEALTH_SAMPLES)
		samples_halve(h);
}

size_t health_count(const struct health *h)
{
	return h->count + (h->in_last > 0);
}

struct health_sample health_sample(const struct health *h, size_t i)
{
	return i < h->count ? h->samples[i] : h->last;
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

void health_duty(const struct health_sample *s, double share[DUTIES])
{
	double run = s->run_s, isr = fmin(s->isr_s, run), self = fmin(s->self_s, run);
	double wall = fmax(s->wall_s, run + s->hooks_s);
	bool known = wall > 0 && run > 0;

	if (self < isr)
		self = isr;		/* handlers that no hook sees */
	share[DUTY_ASLEEP] = known ? (wall - run - s->hooks_s) / wall : NAN;
	share[DUTY_HANDLERS] = known ? isr / wall : NAN;
	share[DUTY_PROFILED] = known ? (self - isr) / wall : NAN;
	share[DUTY_UNPROFILED] = known ? (run - self) / wall : NAN;
	share[DUTY_HOOKS] = known ? s->hooks_s / wall : NAN;
}
