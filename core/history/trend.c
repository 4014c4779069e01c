/* trend: functions over time; the slots that keep each one's worst moment. */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/history/parts.h"

static uint64_t slot_key(uint32_t age, uint64_t address)
{
	return (uint64_t)age << 40 | (address & ((UINT64_C(1) << 40) - 1));
}

uint32_t history_slot_find(const struct history *h, uint32_t age, uint64_t address)
{
	return map_get(&h->slot_index, slot_key(age, address));
}

uint32_t history_slot_get(struct history *h, uint32_t age, uint64_t address)
{
	uint64_t key = slot_key(age, address);
	uint32_t i = map_get(&h->slot_index, key);

	if (i != MAP_NONE)
		return i;
	i = (uint32_t)h->slot_count;
	if (i >= HISTORY_ADDRESSES ||
	    mem_grow(&h->slots, &h->slot_cap, h->slot_count + 1, sizeof(*h->slots)) < 0 ||
	    map_put(&h->slot_index, key, i) < 0)
		return HISTORY_SLOT_NONE;
	h->slots[i] = (struct history_slot){ .key = key, .share = NAN, .rate = NAN };
	h->slot_count++;
	return i;
}

/* --- trends ----------------------------------------------------------------------------------- */

void history_trends_release(struct history *h)
{
	if (h->trends)
		mem_free(h->trends->values);
	mem_free(h->trends);
	h->trends = NULL;
}

static bool values_reserve(const struct history *h, struct history_trends *t)
{
	size_t slots = h->slot_count + h->slot_count / 4 + 16;
	float *values;

	if (h->slot_count <= t->slots)
		return true;
	values = mem_realloc(t->values, slots * HISTORY_TREND * sizeof(*values));
	if (!values)
		return false;
	memset(values + t->slots * HISTORY_TREND, 0,
	       (slots - t->slots) * HISTORY_TREND * sizeof(*values));
	t->values = values;
	t->slots = slots;
	return true;
}

/* One moment is one column. Functions without changes have 0. */
static void column_fill(const struct history *h, struct history_trends *t, size_t i)
{
	const struct history_kept *k = &h->moments[i];
	size_t column = i % HISTORY_TREND;
	struct function_walk w;

	for (size_t s = 0; s < t->slots; s++)
		t->values[s * HISTORY_TREND + column] = 0;
	for (history_functions_begin(&w, k); history_functions_next(&w);) {
		double what = w.f.has & CHANGE_SELF ? (double)w.f.self_s : (double)w.f.calls;

		if (!h->slots[w.slot].timed && w.f.has & CHANGE_SELF)
			what = (double)w.f.calls;
		what /= k->seconds;
		if (h->slots[w.slot].timed && what > 1)
			what = 1;
		t->values[w.slot * HISTORY_TREND + column] = (float)what;
	}
}

/* The columns of the moments that end with `last`; only the new ones are filled. */
static bool columns_fill(const struct history *h, struct history_trends *t, size_t last)
{
	size_t first = last >= HISTORY_TREND ? last - HISTORY_TREND + 1 : 0, begin = first;
	size_t slots = t->slots;

	if (t->serial == h->serial && t->last == last + 1)
		return true;
	if (!values_reserve(h, t))
		return false;
	/* One moment was taken since, and none were joined. */
	if (t->serial + 1 == h->serial && t->count + 1 == h->count && t->last == last &&
	    t->last && t->slots == slots)
		begin = last;
	for (size_t i = begin; i <= last; i++)
		column_fill(h, t, i);
	t->serial = h->serial;
	t->count = h->count;
	t->last = last + 1;
	return true;
}

static struct history_trends *trends_of(const struct history *h)
{
	/* A cache: filling it does not change the history. */
	struct history *own = (struct history *)h;

	if (!own->trends)
		own->trends = mem_zalloc(sizeof(*own->trends));
	return own->trends;
}

size_t history_trend(const struct history *h, uint64_t address, size_t last,
		     float trend[HISTORY_TREND])
{
	struct history_trends *t = h->count ? trends_of(h) : NULL;
	size_t count, i;
	uint32_t slot;

	if (!t)
		return 0;
	if (last >= h->count)
		last = h->count - 1;
	if (!columns_fill(h, t, last))
		return 0;
	count = last + 1 < HISTORY_TREND ? last + 1 : HISTORY_TREND;
	slot = history_slot_find(h, h->moments[last].age, address);
	for (size_t k = 0; k < count; k++) {
		i = last + 1 - count + k;
		trend[k] = slot == HISTORY_SLOT_NONE || slot >= t->slots ||
			   h->moments[i].joined ||
			   !history_age_same(h, &h->moments[i], &h->moments[last]) ? NAN :
			   t->values[(size_t)slot * HISTORY_TREND + i % HISTORY_TREND];
	}
	return count;
}
