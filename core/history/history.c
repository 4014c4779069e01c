#include "core/history/history.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/history/parts.h"

struct history *history_new(void)
{
	struct history *h = mem_zalloc(sizeof(*h));

	if (!h)
		return NULL;
	h->bytes_max = HISTORY_MOMENTS_BYTES;
	h->moments_max = HISTORY_MOMENTS;
	map_init(&h->pc_index);
	map_init(&h->slot_index);
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	budget_leave(&h->member);
	for (size_t i = 0; i < h->count; i++)
		mem_free(h->moments[i].data);
	mem_free(h->moments);
	mem_free(h->terms);
	history_ages_release(h);
	history_trends_release(h);
	mem_free(h->sites);
	mem_free(h->pcs);
	mem_free(h->buckets);
	mem_free(h->slots);
	index_release(&h->site_index);
	map_release(&h->pc_index);
	map_release(&h->slot_index);
	buf_release(&h->before_sites);
	buf_release(&h->before_pcs);
	mem_free(h->work);
	mem_free(h->name);
	mem_free(h);
}

void history_begin(struct history *h, uint64_t time_ns)
{
	if (h->begun)
		return;
	h->begun = true;
	h->last_ns = time_ns;
}

void history_bound(struct history *h, size_t bytes, size_t moments)
{
	h->bytes_max = bytes;
	h->moments_max = moments;
}

void history_gone(struct history *h)
{
	h->gone = true;
}

/* --- moments ---------------------------------------------------------------------------------- */

size_t history_count(const struct history *h)
{
	return h->count;
}

bool history_moment(const struct history *h, size_t i, struct history_moment *m)
{
	if (i >= h->count)
		return false;
	*m = h->moments[i].m;
	return true;
}

size_t history_find(const struct history *h, uint64_t time_ns)
{
	size_t at = SORTED_WHERE(h->count, i, h->moments[i].m.time_ns < time_ns);

	return at < h->count || at == 0 ? at : at - 1;
}

size_t history_start(const struct history *h, size_t i)
{
	if (i >= h->count)
		i = h->count ? h->count - 1 : 0;
	while (i > 0 && !h->moments[i].m.reset &&
	       history_age_same(h, &h->moments[i - 1], &h->moments[i]))
		i--;
	return i;
}

void history_serial_begin(struct history *h, uint64_t serial)
{
	h->serial = serial;
}

uint64_t history_serial(const struct history *h)
{
	return h->serial;
}

uint64_t history_lost(const struct history *h)
{
	return h->lost;
}

static size_t names_memory(const struct history *h)
{
	size_t sum = 0;

	for (int i = 0; i < AGES; i++)
		sum += h->ages[i].then ? profile_memory(h->ages[i].then) : 0;
	return sum;
}

size_t history_memory(const struct history *h)
{
	return sizeof(*h) + h->bytes + h->cap * sizeof(*h->moments) +
	       h->terms_cap * sizeof(*h->terms) +
	       h->site_cap * sizeof(*h->sites) + h->pc_cap * sizeof(*h->pcs) +
	       h->bucket_cap * sizeof(*h->buckets) + h->slot_cap * sizeof(*h->slots) +
	       index_memory(&h->site_index) + map_memory(&h->pc_index) +
		       map_memory(&h->slot_index) +
	       h->before_sites.cap + h->before_pcs.cap + h->work_cap * sizeof(int64_t) * 4 +
	       (h->trends ? h->trends->slots * HISTORY_TREND * sizeof(float) : 0) + names_memory(h);
}
