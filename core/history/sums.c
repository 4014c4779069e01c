/* sums: moments added up, read and written as records. */
#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/history/parts.h"

int history_sums_init(struct sums *s, const struct history *h, bool functions)
{
	*s = (struct sums){ .site_count = h->site_count, .pc_count = h->pc_count };
	s->sites = mem_zalloc((s->site_count + 1) * sizeof(*s->sites));
	s->pcs = mem_zalloc((s->pc_count + 1) * sizeof(*s->pcs));
	s->pc_has = mem_zalloc(s->pc_count + 1);
	if (functions) {
		s->function_count = h->slot_count;
		s->functions = mem_zalloc((h->slot_count + 1) * sizeof(*s->functions));
	}
	if (s->sites && s->pcs && s->pc_has && (s->functions || !functions))
		return 0;
	history_sums_release(s);
	return ERR_NOMEM;
}

void history_sums_release(struct sums *s)
{
	mem_free(s->sites);
	mem_free(s->buckets);
	mem_free(s->pcs);
	mem_free(s->pc_has);
	mem_free(s->functions);
	*s = (struct sums){ 0 };
}

/* --- records written -------------------------------------------------------------------------- */

static size_t buckets_write(uint8_t *to, const int64_t bucket[WIRE_BUCKETS])
{
	size_t n = 1;

	to[0] = 0;
	for (int k = 0; k < WIRE_BUCKETS; k++) {
		if (!bucket[k])
			continue;
		to[0] |= (uint8_t)(1 << k);
		n += varint_put_signed(to + n, bucket[k]);
	}
	return n;
}

size_t history_site_write(uint8_t to[RECORD_BYTES], int64_t step, const struct sum_site *s,
			  const int64_t bucket[WIRE_BUCKETS])
{
	size_t n = 0;

	to[n++] = s->has;
	n += varint_put_signed(to + n, step);
	if (s->has & CHANGE_CALLS)
		n += varint_put_signed(to + n, s->calls);
	if (s->has & CHANGE_TOTAL)
		n += varint_put_signed(to + n, s->total);
	if (s->has & (CHANGE_MIN | CHANGE_MAX))
		n += varint_put(to + n, s->min);
	if (s->has & CHANGE_MAX)
		n += varint_put(to + n, s->max);
	if (s->has & CHANGE_BUCKETS)
		n += buckets_write(to + n, bucket);
	return n;
}

void history_sums_write_sites(const struct sums *s, struct buf *out, uint64_t *last)
{
	uint8_t record[RECORD_BYTES];

	for (size_t i = 0; i < s->site_count; i++) {
		if (!s->sites[i].has)
			continue;
		buf_add(out, record, history_site_write(record, (int64_t)(i - *last), &s->sites[i],
							s->buckets ? s->buckets[i] : NULL));
		*last = i;
	}
}

void history_sums_write_pcs(const struct sums *s, struct buf *out, uint64_t *last)
{
	uint8_t record[RECORD_BYTES];

	for (size_t i = 0; i < s->pc_count; i++) {
		size_t n = 0;

		if (!s->pc_has[i])
			continue;
		record[n++] = CHANGE_SEEN;
		n += varint_put_signed(record + n, (int64_t)(i - *last));
		n += varint_put_signed(record + n, s->pcs[i]);
		buf_add(out, record, n);
		*last = i;
	}
}

static void functions_write(const struct sums *s, struct buf *out)
{
	uint8_t record[RECORD_BYTES];
	uint64_t last = 0;

	for (size_t i = 0; i < s->function_count; i++) {
		const struct sum_function *f = &s->functions[i];
		size_t n = 0;

		if (!f->has)
			continue;
		record[n++] = f->has;
		n += varint_put_signed(record + n, (int64_t)(i - last));
		memcpy(record + n, &f->self_s, sizeof(f->self_s));
		n += sizeof(f->self_s);
		n += varint_put_signed(record + n, f->calls);
		buf_add(out, record, n);
		last = i;
	}
}

size_t history_sums_write(const struct sums *s, struct buf *out)
{
	uint64_t site = 0, pc = 0;
	size_t at;

	history_sums_write_sites(s, out, &site);
	buf_addc(out, 0);
	history_sums_write_pcs(s, out, &pc);
	buf_addc(out, 0);
	at = out->len;
	functions_write(s, out);
	buf_addc(out, 0);
	return at;
}

/* --- records added up ------------------------------------------------------------------------- */

static void min_add(struct sum_site *s, uint8_t has, uint64_t min)
{
	bool exact = has & CHANGE_MIN, had = s->has & CHANGE_MIN;

	/* Without CHANGE_MIN it is only the shortest so far, which may be outside the window. */
	if (exact > had || !(s->has & (CHANGE_MIN | CHANGE_MAX)) || (exact == had && min < s->min))
		s->min = min;
}

static int buckets_add(struct sums *s, uint64_t id, const uint8_t **at, bool wanted)
{
	uint8_t mask = *(*at)++;

	if (wanted && !s->buckets) {
		s->buckets = mem_zalloc((s->site_count + 1) * sizeof(*s->buckets));
		if (!s->buckets)
			return ERR_NOMEM;
	}
	for (int k = 0; k < WIRE_BUCKETS; k++) {
		int64_t n = mask & 1 << k ? varint_take_signed(at) : 0;

		if (wanted)
			count_add(&s->buckets[id][k], n);
	}
	return 0;
}

static int64_t ticks_scale(int64_t ticks, double scale)
{
	return scale == 1 ? ticks : (int64_t)llround((double)ticks * scale);
}

static int site_add(struct sums *s, uint64_t *last, const uint8_t **at, double scale, bool buckets)
{
	uint8_t has = *(*at)++;
	struct sum_site *site;
	uint64_t max;

	*last += (uint64_t)varint_take_signed(at);
	site = &s->sites[*last];
	if (has & CHANGE_CALLS)
		count_add(&site->calls, varint_take_signed(at));
	if (has & CHANGE_TOTAL)
		count_add(&site->total, ticks_scale(varint_take_signed(at), scale));
	if (has & (CHANGE_MIN | CHANGE_MAX))
		min_add(site, has, (uint64_t)ticks_scale((int64_t)varint_take(at), scale));
	if (has & CHANGE_MAX) {
		max = (uint64_t)ticks_scale((int64_t)varint_take(at), scale);
		site->max = max > site->max ? max : site->max;
	}
	site->has |= (uint8_t)(has & ~(unsigned)CHANGE_BUCKETS);
	if (!(has & CHANGE_BUCKETS))
		return 0;
	if (buckets)
		site->has |= CHANGE_BUCKETS;
	return buckets_add(s, *last, at, buckets);
}

static void pc_add(struct sums *s, uint64_t *last, const uint8_t **at)
{
	(*at)++;
	*last += (uint64_t)varint_take_signed(at);
	s->pc_has[*last] = CHANGE_SEEN;
	count_add(&s->pcs[*last], varint_take_signed(at));
}

static bool function_read(const uint8_t **at, uint64_t *last, struct sum_function *f)
{
	f->has = *(*at)++;
	if (!f->has)
		return false;
	*last += (uint64_t)varint_take_signed(at);
	memcpy(&f->self_s, *at, sizeof(f->self_s));
	*at += sizeof(f->self_s);
	f->calls = varint_take_signed(at);
	return true;
}

static void functions_add(struct sums *s, const uint8_t *at)
{
	struct sum_function f;
	uint64_t slot = 0;

	while (function_read(&at, &slot, &f)) {
		s->functions[slot].has |= f.has;
		s->functions[slot].self_s += f.self_s;
		count_add(&s->functions[slot].calls, f.calls);
	}
}

int history_sums_add(struct sums *s, const struct history_kept *k, double scale, bool buckets)
{
	const uint8_t *at = k->data;
	uint64_t site = 0, pc = 0;

	while (*at) {
		if (site_add(s, &site, &at, scale, buckets) < 0)
			return ERR_NOMEM;
	}
	for (at++; *at;)
		pc_add(s, &pc, &at);
	if (s->functions)
		functions_add(s, at + 1);
	return 0;
}

int history_sums_before(struct sums *s, const struct history *h, double scale, bool buckets)
{
	const uint8_t *at = (const uint8_t *)buf_str(&h->before_sites);
	const uint8_t *end = at + h->before_sites.len;
	uint64_t site = 0, pc = 0;

	while (at < end) {
		if (site_add(s, &site, &at, scale, buckets) < 0)
			return ERR_NOMEM;
	}
	at = (const uint8_t *)buf_str(&h->before_pcs);
	for (end = at + h->before_pcs.len; at < end;)
		pc_add(s, &pc, &at);
	return 0;
}

/* --- functions walked ------------------------------------------------------------------------- */

void history_functions_begin(struct function_walk *w, const struct history_kept *k)
{
	*w = (struct function_walk){ .at = k->data + k->functions_at };
}

bool history_functions_next(struct function_walk *w)
{
	return function_read(&w->at, &w->slot, &w->f);
}
