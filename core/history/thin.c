/* thin: joins neighbouring moments to stay within the bounds. */
#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/history/parts.h"

static size_t bytes_of(const struct history *h)
{
	return h->bytes + h->count * sizeof(*h->moments) + h->before_sites.cap + h->before_pcs.cap;
}

static bool is_over(const struct history *h, size_t room)
{
	return h->count > h->moments_max || bytes_of(h) > room;
}

/*
 * The cost of joining moment i and the next one: their length as a share of their age, so that old
 * moments get coarse first. Boundaries are joined last.
 */
static double pair_cost(const struct history *h, size_t i)
{
	const struct history_kept *a = &h->moments[i], *b = a + 1;
	double now = (double)h->moments[h->count - 1].m.time_ns;
	double length = (double)(a->m.length_ns + b->m.length_ns);
	double age = now - (double)b->m.time_ns + 1e9;

	if (!history_age_same(h, a, b) || a->terms != b->terms)
		return INFINITY;
	return (length + 1) / age * (b->m.reset ? 1e6 : 1);
}

static size_t pair_find(const struct history *h)
{
	double least = INFINITY;
	size_t best = h->count;

	for (size_t i = 0; i + 1 < h->count; i++) {
		double u = pair_cost(h, i);

		if (u < least) {
			least = u;
			best = i;
		}
	}
	return best;
}

static double sum_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Joins b into a. */
static void moment_join(struct history_kept *a, const struct history_kept *b)
{
	a->m.time_ns = b->m.time_ns;
	a->m.length_ns += b->m.length_ns;
	a->m.calls += b->m.calls;
	a->m.samples += b->m.samples;
	a->m.bytes += b->m.bytes;
	a->m.lost += b->m.lost;
	a->m.bad += b->m.bad;
	a->m.began |= b->m.began;
	a->m.image |= b->m.image;
	a->m.gone |= b->m.gone;
	a->joined &= b->joined;
	/* A reset that is joined to the moment before it is no boundary any more. */
	a->m.reset &= !b->m.reset;
	a->run += b->run;
	a->seconds = sum_known(a->seconds, b->seconds);
	a->self_s = sum_known(a->self_s, b->self_s);
	a->sampled_s += b->sampled_s;
	a->m.load = a->self_s / a->seconds > 1 ? 1 : a->self_s / a->seconds;
}

static int pair_join(struct history *h, size_t i)
{
	struct history_kept *a = &h->moments[i], *b = a + 1;
	struct buf out = BUF_INIT;
	struct sums s;
	size_t functions_at = 0;
	bool ok;

	if (history_sums_init(&s, h, true) < 0)
		return ERR_NOMEM;
	ok = history_sums_add(&s, a, 1, true) == 0 && history_sums_add(&s, b, 1, true) == 0;
	if (ok)
		functions_at = history_sums_write(&s, &out);
	history_sums_release(&s);
	if (!ok || out.failed) {
		buf_release(&out);
		return ERR_NOMEM;
	}
	h->bytes += out.len - a->size - b->size;
	mem_free(a->data);
	mem_free(b->data);
	moment_join(a, b);
	a->size = out.len;
	a->functions_at = functions_at;
	a->data = (uint8_t *)out.data;
	h->count--;
	for (size_t k = i + 1; k < h->count; k++)
		h->moments[k] = h->moments[k + 1];
	h->serial++;
	return 0;
}

/*
 * Moments that cannot be joined (each of another image, or only one left) are dropped, oldest
 * first, and counted: only a stream that invents addresses without end gets here.
 */
static void oldest_drop(struct history *h)
{
	h->lost++;
	h->bytes -= h->moments[0].size;
	mem_free(h->moments[0].data);
	h->count--;
	for (size_t k = 0; k < h->count; k++)
		h->moments[k] = h->moments[k + 1];
	h->serial++;
}

static void thin_to(struct history *h, size_t room)
{
	enum { AT_ONCE = 16 << 20 };	/* bytes read by one take; the next one continues */
	size_t work = 0;

	while (is_over(h, room) && work < AT_ONCE) {
		size_t i = pair_find(h);

		work += 1024;
		if (i < h->count) {
			work += h->moments[i].size + h->moments[i + 1].size;
			if (pair_join(h, i) < 0)
				return;
		} else if (h->count > 1) {
			oldest_drop(h);
		} else {
			return;
		}
	}
}

static size_t room_limit(const struct history *h, size_t room)
{
	return room < h->bytes_max ? room : h->bytes_max;
}

void history_thin(struct history *h)
{
	thin_to(h, room_limit(h, budget_want(&h->member, bytes_of(h))));
	budget_set(&h->member, bytes_of(h));
}

/* Others of the budget need room. */
static void history_give(void *owner, size_t room)
{
	struct history *h = owner;

	thin_to(h, room_limit(h, room));
	budget_set(&h->member, bytes_of(h));
}

void history_budget_init(struct history_budget *b)
{
	budget_init(&b->moments, HISTORY_MOMENTS_BYTES);
	budget_init(&b->bytes, HISTORY_STREAM_BYTES);
}

void history_draw(struct history_budget *b, struct quota *quota)
{
	budget_draw(&b->moments, quota, quota->limit / 16);
	budget_draw(&b->bytes, quota, quota->limit / 16);
}

void history_part(struct history_budget *b)
{
	budget_part(&b->moments);
	budget_part(&b->bytes);
}

void history_share(struct history *h, struct history_budget *b)
{
	budget_join(&b->moments, &h->member, history_give, h);
}

size_t history_room(const struct history *h)
{
	return room_limit(h, budget_room(&h->member));
}
