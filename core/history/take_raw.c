/* take_raw: the changes of call sites and PCs since they were last seen. */
#include <string.h>

#include "core/base/mem.h"
#include "core/history/take.h"

bool history_record_put(struct buf *out, const uint8_t *record, size_t n)
{
	if (out->failed || mem_grow(&out->data, &out->cap, out->len + n + ENDS, 1) < 0)
		return false;
	memcpy(out->data + out->len, record, n);
	out->len += n;
	return true;
}

/* --- call sites ------------------------------------------------------------------------------- */

/* A site has the same number as in the profile, as a rule. `news`: it is new. */
static uint32_t site_number(struct history *h, const struct profile_site *s, size_t guess,
			    bool *news)
{
	uint64_t key = (uint64_t)s->from << 32 | s->to;
	uint32_t i;

	if (guess < h->site_count && history_site_key_of(h->sites, (uint32_t)guess) == key)
		return (uint32_t)guess;
	i = index_get(&h->site_index, h->sites, history_site_key_of, key);
	if (i != INDEX_NONE)
		return i;
	i = (uint32_t)h->site_count;
	if (i >= HISTORY_ADDRESSES ||
	    mem_grow(&h->sites, &h->site_cap, h->site_count + 1, sizeof(*h->sites)) < 0 ||
	    index_put(&h->site_index, h->sites, history_site_key_of, key, i) < 0)
		return INDEX_NONE;
	h->sites[i] = (struct history_site){
		.from = s->from, .to = s->to, .min = UINT64_MAX, .pace.heard = h->told[0],
	};
	h->site_count++;
	*news = true;
	return i;
}

/* The change since it was last seen. */
static struct sum_site site_change(const struct history_site *k, const struct profile_site *s)
{
	struct sum_site d = {
		.calls = (int64_t)(s->calls - k->calls), .total = (int64_t)(s->total - k->total),
	};

	if (d.calls)
		d.has |= CHANGE_CALLS;
	if (d.total)
		d.has |= CHANGE_TOTAL;
	if (!profile_site_range(s))
		return d;
	d.min = s->min;
	d.max = s->max;
	if (s->min < k->min)
		d.has |= CHANGE_MIN;
	if (s->max > k->max || k->min == UINT64_MAX)
		d.has |= CHANGE_MAX;
	return d;
}

static bool buckets_change(const struct take *t, size_t site, uint32_t number,
			   int64_t bucket[WIRE_BUCKETS])
{
	const struct profile_buckets none = { { 0 } };
	const struct profile_buckets *now, *then = &none;
	bool any = false;

	if (site >= t->p->bucket_count)
		return false;
	now = &t->p->buckets[site];
	if (number < t->h->bucket_count)
		then = &t->h->buckets[number];
	for (int k = 0; k < WIRE_BUCKETS; k++) {
		bucket[k] = (int64_t)(now->calls[k] - then->calls[k]);
		any |= bucket[k] != 0;
	}
	return any;
}

static bool buckets_reserve(struct history *h, uint32_t number)
{
	if (number < h->bucket_count)
		return true;
	if (mem_grow(&h->buckets, &h->bucket_cap, number + 1, sizeof(*h->buckets)) < 0)
		return false;
	memset(h->buckets + h->bucket_count, 0,
	       (number + 1 - h->bucket_count) * sizeof(*h->buckets));
	h->bucket_count = number + 1;
	return true;
}

/* Adds a site's change to its functions. */
static void work_add(struct take *t, const struct profile_site *s, int64_t calls, int64_t total)
{
	const struct profile_edge *e = &t->p->edges[s->edge];
	struct history_work *to = &t->h->work[e->to];

	if (s->flags & ROW_TWICE)
		return;
	count_add(&to->calls, calls);
	count_add(&to->self, total);
	if (e->from != e->to)		/* a recursive call is part of one counted already */
		count_add(&to->total, total);
	if (e->from != PROFILE_NONE && s->timed)
		count_subtract(&t->h->work[e->from].self, total);
}

/* Its part of the moment, whether its row came in it or not. */
static void site_pace(struct take *t, const struct profile_site *s, struct history_site *k,
		      const struct sum_site *d)
{
	struct paced increment = { d->calls, d->total }, now;
	double unsaid = s->kind == TOTAL_SITE ? 0 : (double)(k->calls / 16);

	now = history_pace_take(t, &k->pace, s->heard, increment, unsaid);
	if (now.calls || now.total)
		work_add(t, s, now.calls, now.total);
}

static void site_work(struct take *t, const struct profile_site *s, struct history_site *k,
		      const struct sum_site *d)
{
	if (d->calls > 0 && !(s->flags & ROW_TWICE))
		t->kept.m.calls += (uint64_t)d->calls;
	if (t->paced)
		site_pace(t, s, k, d);
	else
		work_add(t, s, d->calls, d->total);
}

/* Without memory for its record it stays as last seen: the next moment has the change. */
static bool site_put(struct take *t, uint32_t number, const struct sum_site *d,
		     const int64_t bucket[WIRE_BUCKETS], bool before)
{
	struct buf *out = before ? &t->h->before_sites : &t->out;
	uint64_t *last = before ? &t->h->before_site : &t->site;
	uint8_t record[RECORD_BYTES];
	size_t n = history_site_write(record, (int64_t)(number - *last), d, bucket);

	if (!history_record_put(out, record, n)) {
		t->starved = true;
		return false;
	}
	*last = number;
	return true;
}

static void site_take(struct take *t, size_t i, bool joined)
{
	const struct profile_site *s = &t->p->sites[i];
	int64_t bucket[WIRE_BUCKETS];
	bool news = false, buckets;
	uint32_t number = site_number(t->h, s, i, &news);
	struct history_site *k = number == INDEX_NONE ? NULL : &t->h->sites[number];
	struct sum_site d;

	if (!k) {
		t->h->lost++;
		return;
	}
	k->stamp = t->h->stamp;
	t->sites += k->seen;
	d = site_change(k, s);
	if (!d.has && k->seen) {	/* nor are its calls by duration other ones */
		if (t->paced)
			site_pace(t, s, k, &d);
		return;
	}
	buckets = buckets_change(t, i, number, bucket) && buckets_reserve(t->h, number);
	d.has |= (uint8_t)(CHANGE_SEEN | (buckets ? CHANGE_BUCKETS : 0));
	if (!site_put(t, number, &d, bucket, news && joined))
		return;
	if (!(news && joined))
		site_work(t, s, k, &d);
	t->kept.joined |= news && joined && s->calls;
	t->sites += !k->seen;
	t->h->sites_seen += !k->seen;
	if (buckets)
		t->h->buckets[number] = t->p->buckets[i];
	k->seen = true;
	k->calls = s->calls;
	k->total = s->total;
	if (profile_site_range(s)) {
		k->min = s->min;
		k->max = s->max;
	}
	k->flags = s->flags;
	k->kind = s->kind;
	k->timed = s->timed;
	k->pace.heard = s->heard;
}

/* Not in a complete report, or an arc that left its slot: its counts are subtracted. */
static void site_gone(struct take *t, uint32_t number)
{
	struct history_site *k = &t->h->sites[number];
	int64_t bucket[WIRE_BUCKETS] = { 0 };
	struct sum_site d = {
		.has = CHANGE_SEEN | CHANGE_CALLS | CHANGE_TOTAL,
		.calls = (int64_t)(0 - k->calls), .total = (int64_t)(0 - k->total),
	};

	if (number < t->h->bucket_count) {
		d.has |= CHANGE_BUCKETS;
		for (int i = 0; i < WIRE_BUCKETS; i++)
			bucket[i] = (int64_t)(0 - t->h->buckets[number].calls[i]);
	}
	if (!site_put(t, number, &d, bucket, false))
		return;
	if (number < t->h->bucket_count)
		t->h->buckets[number] = (struct profile_buckets){ { 0 } };
	k->calls = k->total = k->max = 0;
	k->min = UINT64_MAX;
	k->seen = false;
	t->h->sites_seen--;
}

void history_take_sites(struct take *t, bool joined)
{
	for (size_t i = 0; i < t->p->site_count && !t->starved; i++)
		site_take(t, i, joined);
	if (t->sites == t->h->sites_seen || t->starved)
		return;
	for (uint32_t i = 0; i < t->h->site_count; i++) {
		if (t->h->sites[i].seen && t->h->sites[i].stamp != t->h->stamp)
			site_gone(t, i);
	}
}

/* --- samples ---------------------------------------------------------------------------------- */

static uint32_t pc_number(struct history *h, uint32_t pc, size_t guess, bool *news)
{
	uint32_t i;

	if (guess < h->pc_count && h->pcs[guess].pc == pc)
		return (uint32_t)guess;
	i = map_get(&h->pc_index, pc);
	if (i != MAP_NONE)
		return i;
	i = (uint32_t)h->pc_count;
	if (i >= HISTORY_ADDRESSES ||
	    mem_grow(&h->pcs, &h->pc_cap, h->pc_count + 1, sizeof(*h->pcs)) < 0 ||
	    map_put(&h->pc_index, pc, i) < 0)
		return MAP_NONE;
	h->pcs[i] = (struct history_pc){ .pc = pc, .pace.heard = h->told[0] };
	h->pc_count++;
	*news = true;
	return i;
}

static bool pc_put(struct take *t, uint32_t number, int64_t count, bool before)
{
	struct buf *out = before ? &t->h->before_pcs : &t->out;
	uint64_t *last = before ? &t->h->before_pc : &t->pc;
	uint8_t record[RECORD_BYTES];
	size_t n = 0;

	record[n++] = CHANGE_SEEN;
	n += varint_put_signed(record + n, (int64_t)(number - *last));
	n += varint_put_signed(record + n, count);
	if (!history_record_put(out, record, n)) {
		t->starved = true;
		return false;
	}
	*last = number;
	return true;
}

static void pc_work(struct take *t, const struct profile_pc *pc, struct history_pc *k,
		    int64_t count)
{
	struct paced samples = { count, 0 };

	if (t->paced)
		samples = history_pace_take(t, &k->pace, pc->heard, samples,
					    (double)(k->count / 8 + 12));
	count_add(&t->h->work[pc->function].samples, samples.calls);
}

static void pc_take(struct take *t, size_t i, bool joined)
{
	const struct profile_pc *pc = &t->p->pcs[i];
	bool news = false;
	uint32_t number = pc_number(t->h, pc->pc, i, &news);
	struct history_pc *k;
	int64_t count;

	if (number == MAP_NONE) {
		t->h->lost++;
		return;
	}
	k = &t->h->pcs[number];
	count = (int64_t)(pc->count - k->count);
	if (!count && k->seen && !t->paced)
		return;
	if ((count || !k->seen) && !pc_put(t, number, count, news && joined))
		return;
	t->kept.joined |= news && joined && count;
	if (news && joined)
		k->pace.heard = pc->heard;
	else
		pc_work(t, pc, k, count);
	k->count = pc->count;
	k->seen = true;
	if (news && joined)
		return;
	t->kept.m.samples += (uint64_t)(count > 0 ? count : 0);
}

void history_take_pcs(struct take *t, bool joined)
{
	for (size_t i = 0; i < t->p->pc_count && !t->starved; i++)
		pc_take(t, i, joined);
}
