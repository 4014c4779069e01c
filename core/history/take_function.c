/* take_function: each function's time and calls in a moment, and whether it is its worst. */
#include <math.h>
#include <string.h>

#include "core/history/take.h"

#define PEAK_SECONDS 0.25		/* a shorter moment gives no rate */

static void peak_take(const struct take *t, struct history_slot *slot, const struct sum_function *f,
		      double total_s)
{
	double seconds = t->kept.seconds;
	double share = fmin(1, f->self_s / seconds), rate = (double)f->calls / seconds;

	if (!slot->peak) {
		slot->timed = false;
		slot->share = slot->rate = NAN;
	}
	if (!(seconds >= PEAK_SECONDS))
		return;
	if (f->has & CHANGE_SELF ? slot->timed && !(share > slot->share) :
				   slot->timed || !(slot->peak == 0 || rate > slot->rate))
		return;
	slot->timed = f->has & CHANGE_SELF;
	slot->share = slot->timed ? share : (double)NAN;
	slot->rate = f->calls >= 0 ? rate : 0;
	slot->self_s = fmin(1, f->self_s / seconds);
	slot->total_s = fmin(1, total_s / seconds);
	slot->calls = slot->rate;
	slot->peak = t->h->number + 1;
}

/* Without a clock the total is gprof's: the increase since the last moment counts. */
static double total_of(const struct take *t, const struct profile_function *f,
		       const struct history_work *w, struct history_slot *slot)
{
	double before = slot->last_total_s, total;

	if (f->time == PROFILE_TIME_TIMED)
		return profile_seconds(t->p, (double)w->total);
	slot->last_total_s = f->total_s;
	total = f->total_s - before;
	return t->h->renames == t->p->renames && total >= 0 ? total : (double)NAN;
}

static struct sum_function function_change(const struct take *t, const struct profile_function *f,
					   const struct history_work *w)
{
	struct sum_function d = { .calls = w->calls };

	if (w->calls)
		d.has |= CHANGE_SEEN | CHANGE_CALLS;
	if (f->time == PROFILE_TIME_TIMED && t->p->named) {
		d.self_s = (float)profile_seconds(t->p, (double)(w->self > 0 ? w->self : 0));
		d.has |= w->self || w->calls ? CHANGE_SEEN | CHANGE_SELF : 0;
	} else if (f->time == PROFILE_TIME_SAMPLED && t->p->terms.hz > 0) {
		d.self_s = (float)((double)w->samples / t->p->terms.hz);
		d.has |= w->samples || w->calls ? CHANGE_SEEN | CHANGE_SELF : 0;
	}
	return d;
}

static void function_take(struct take *t, size_t i, uint64_t *last)
{
	const struct profile_function *f = &t->p->functions[i];
	struct sum_function d = function_change(t, f, &t->h->work[i]);
	uint8_t record[RECORD_BYTES];
	uint32_t slot;
	size_t n = 0;

	if (!d.has)
		return;
	slot = history_slot_get(t->h, t->h->age, f->address);
	if (slot == HISTORY_SLOT_NONE) {
		t->h->lost++;
		return;
	}
	record[n++] = d.has;
	n += varint_put_signed(record + n, (int64_t)(slot - *last));
	memcpy(record + n, &d.self_s, sizeof(d.self_s));
	n += sizeof(d.self_s);
	n += varint_put_signed(record + n, d.calls);
	if (!history_record_put(&t->out, record, n)) {
		t->starved = true;
		return;
	}
	*last = slot;
	if (f->time == PROFILE_TIME_TIMED && t->p->named)
		t->kept.self_s = (isnan(t->kept.self_s) ? 0 : t->kept.self_s) + (double)d.self_s;
	peak_take(t, &t->h->slots[slot], &d, total_of(t, f, &t->h->work[i], &t->h->slots[slot]));
}

void history_take_functions(struct take *t)
{
	uint64_t slot = 0;

	for (size_t i = 0; i < t->p->function_count; i++)
		function_take(t, i, &slot);
}
