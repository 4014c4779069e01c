/* take: a moment is taken: what a profile holds more than at the last one. */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/history/parts.h"

#define APART (CLOCK_SECOND / 20)	/* closer moments come from a file, or before a reset */
#define SHORT (CLOCK_SECOND / 2)	/* in which nothing happened: not worth a moment */
#define PEAK_SECONDS 0.25		/* a shorter moment says nothing of a rate */
enum { UNITS = 1024 };

struct history_work {
	int64_t self, total;		/* ticks */
	int64_t calls, samples;
};

struct take {
	struct history *h;
	const struct profile *p;
	struct buf out;
	uint64_t site, pc;		/* the last one's number in it */
	uint32_t sites, pcs;		/* seen by now */
	bool starved;			/* some record had no room */
	struct history_kept kept;
};

enum { ENDS = 3 };			/* of the runs of records: there is always room for them */

/* False: out of memory, and nothing was added. */
static bool out_add(struct buf *out, const uint8_t *record, size_t n)
{
	if (out->failed || mem_grow(&out->data, &out->cap, out->len + n + ENDS, 1) < 0)
		return false;
	memcpy(out->data + out->len, record, n);
	out->len += n;
	return true;
}

static void run_end(struct take *t)
{
	t->out.data[t->out.len++] = 0;
}

/* --- boundaries ------------------------------------------------------------------------------- */

static void counters_begin(struct history *h, bool extremes)
{
	for (size_t i = 0; i < h->site_count; i++) {
		struct history_site *s = &h->sites[i];

		s->calls = s->total = 0;
		s->seen = false;
		if (extremes) {
			s->min = UINT64_MAX;
			s->max = 0;
		}
	}
	for (size_t i = 0; i < h->pc_count; i++) {
		h->pcs[i].count = 0;
		h->pcs[i].seen = false;
	}
	if (h->bucket_count)
		memset(h->buckets, 0, h->bucket_count * sizeof(*h->buckets));
	h->sites_seen = h->pcs_seen = 0;
	h->last_run = 0;
}

static void notice(struct take *t)
{
	struct history *h = t->h;
	bool first = h->number == 0;
	bool reset = !first && h->resets != t->p->resets;
	bool rebased = !first && h->rebases != t->p->rebases;

	if (reset || rebased)
		counters_begin(h, reset);
	for (size_t i = 0; rebased && i < h->slot_count; i++)
		h->slots[i].peak = 0;	/* what the user forgets, its peaks too */
	t->kept.m.began = reset;
	t->kept.m.reset = reset || rebased;
	h->resets = t->p->resets;
	h->rebases = t->p->rebases;
}

/* --- call sites ------------------------------------------------------------------------------- */

/* New ones stand where the profile has them, as a rule. `news`: it was not known. */
static uint32_t site_number(struct history *h, const struct profile_site *s, size_t guess, bool *news)
{
	uint64_t key = (uint64_t)s->from << 32 | s->to;
	uint32_t i = (uint32_t)h->site_count;

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
		.from = s->from, .to = s->to, .min = UINT64_MAX,
	};
	h->site_count++;
	*news = true;
	return i;
}

/* How it differs from what was last seen of it. */
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
	memset(h->buckets + h->bucket_count, 0, (number + 1 - h->bucket_count) * sizeof(*h->buckets));
	h->bucket_count = number + 1;
	return true;
}

/* What hostile counters say may be anything: it stops instead of going round. */
static void add(int64_t *sum, int64_t n, bool less)
{
	bool over = less ? __builtin_sub_overflow(*sum, n, sum) : __builtin_add_overflow(*sum, n, sum);

	if (over)
		*sum = (n > 0) != less ? INT64_MAX : INT64_MIN;
}

/* Which function did it. */
static void work_add(struct take *t, const struct profile_site *s, const struct sum_site *d)
{
	const struct profile_edge *e = &t->p->edges[s->edge];
	struct history_work *to = &t->h->work[e->to];

	t->kept.m.calls += (uint64_t)(d->calls > 0 && !(s->flags & PROFILE_TWICE) ? d->calls : 0);
	if (s->flags & PROFILE_TWICE)
		return;
	add(&to->calls, d->calls, false);
	add(&to->self, d->total, false);
	if (e->from != e->to)		/* a recursive call is inside one that is counted already */
		add(&to->total, d->total, false);
	if (e->from != PROFILE_NONE && s->timed)
		add(&t->h->work[e->from].self, d->total, true);
}

/* Without memory for its record it is left as it was: the next moment has it. */
static bool site_put(struct take *t, uint32_t number, const struct sum_site *d,
		     const int64_t bucket[WIRE_BUCKETS], bool before)
{
	struct buf *out = before ? &t->h->before_sites : &t->out;
	uint64_t *last = before ? &t->h->before_site : &t->site;
	uint8_t record[RECORD_BYTES];
	size_t n = site_write(record, (int64_t)(number - *last), d, bucket);

	if (!out_add(out, record, n)) {
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
	if (!d.has && k->seen)		/* nor are its calls by duration other ones */
		return;
	buckets = buckets_change(t, i, number, bucket) && buckets_reserve(t->h, number);
	d.has |= (uint8_t)(CHANGE_SEEN | (buckets ? CHANGE_BUCKETS : 0));
	if (!site_put(t, number, &d, bucket, news && joined))
		return;
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
	if (!(news && joined))
		work_add(t, s, &d);
}

/* What a complete report does not name, an arc that left its slot: it was taken back. */
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

static void sites_take(struct take *t, bool joined)
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
	h->pcs[i] = (struct history_pc){ .pc = pc };
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
	n += put_signed(record + n, (int64_t)(number - *last));
	n += put_signed(record + n, count);
	if (!out_add(out, record, n)) {
		t->starved = true;
		return false;
	}
	*last = number;
	return true;
}

static void pc_take(struct take *t, size_t i, bool joined)
{
	const struct profile_pc *pc = &t->p->pcs[i];
	bool news = false;
	uint32_t number = pc_number(t->h, pc->pc, i, &news);
	int64_t count;

	if (number == MAP_NONE) {
		t->h->lost++;
		return;
	}
	count = (int64_t)(pc->count - t->h->pcs[number].count);
	if ((!count && t->h->pcs[number].seen) || !pc_put(t, number, count, news && joined))
		return;
	t->h->pcs[number].count = pc->count;
	t->h->pcs[number].seen = true;
	if (news && joined)
		return;
	add(&t->h->work[pc->function].samples, count, false);
	t->kept.m.samples += (uint64_t)(count > 0 ? count : 0);
}

static void pcs_take(struct take *t, bool joined)
{
	for (size_t i = 0; i < t->p->pc_count && !t->starved; i++)
		pc_take(t, i, joined);
}

/* --- functions -------------------------------------------------------------------------------- */

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

/* Of what has no clock, the total is gprof's: it is taken from what it was. */
static double total_of(const struct take *t, const struct profile_function *f,
		       const struct history_work *w, struct history_slot *slot)
{
	double before = slot->last_total_s, total;

	if (f->time == TIME_TIMED)
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
	if (f->time == TIME_TIMED && t->p->named) {
		d.self_s = (float)profile_seconds(t->p, (double)(w->self > 0 ? w->self : 0));
		d.has |= w->self || w->calls ? CHANGE_SEEN | CHANGE_SELF : 0;
	} else if (f->time == TIME_SAMPLED && t->p->hz > 0) {
		d.self_s = (float)((double)w->samples / t->p->hz);
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
	slot = slot_get(t->h, t->h->age, f->address);
	if (slot == SLOT_NONE) {
		t->h->lost++;
		return;
	}
	record[n++] = d.has;
	n += put_signed(record + n, (int64_t)(slot - *last));
	memcpy(record + n, &d.self_s, sizeof(d.self_s));
	n += sizeof(d.self_s);
	n += put_signed(record + n, d.calls);
	if (!out_add(&t->out, record, n)) {
		t->starved = true;
		return;
	}
	*last = slot;
	if (f->time == TIME_TIMED && t->p->named)
		t->kept.self_s = (isnan(t->kept.self_s) ? 0 : t->kept.self_s) + (double)d.self_s;
	peak_take(t, &t->h->slots[slot], &d, total_of(t, f, &t->h->work[i], &t->h->slots[slot]));
}

/* --- the moment ------------------------------------------------------------------------------- */

static uint32_t units_of(struct history *h, const struct profile *p)
{
	struct history_units u;

	memset(&u, 0, sizeof(u));	/* compared as bytes */
	u.ticks_per_second = p->ticks_per_second;
	u.hz = p->hz;
	u.spread = p->spread;
	u.max_sites = p->max_sites;
	u.gathers = p->gathers;
	u.correct = p->correct;
	u.table_full = p->table_full;
	u.incomplete = p->incomplete;
	memcpy(u.bucket_below, p->bucket_below, sizeof(u.bucket_below));
	for (size_t i = h->units_count; i-- > 0;) {
		if (memcmp(&h->units[i], &u, sizeof(u)) == 0)
			return (uint32_t)i;
	}
	if (h->units_count >= UNITS)
		return UNITS - 1;	/* who says another thing each second is not believed */
	h->units[h->units_count] = u;
	return (uint32_t)h->units_count++;
}

static void stats_take(struct take *t, const struct wire_stats *stats)
{
	struct wire_stats *last = &t->h->stats;

	if (!stats)
		return;
	t->kept.m.bytes = stats->bytes - last->bytes;
	t->kept.m.lost = stats->lost - last->lost;
	t->kept.m.bad = stats->bad_bytes - last->bad_bytes;
	*last = *stats;
}

/* How long the node was profiled in it. What it was before we joined is not in it. */
static void run_take(struct take *t, bool joined)
{
	struct history *h = t->h;
	uint64_t run = t->p->ticks_run > t->p->run_base ? t->p->ticks_run - t->p->run_base : 0;

	if (joined && h->number == 0)
		h->before_run = run;
	else if (run > h->last_run)
		t->kept.run = run - h->last_run;
	if (run)
		h->last_run = run;
}

/*
 * Times ascend. What comes all at once, out of a file, took as long as the node says; so did what
 * the first report of a node tells.
 */
static void time_take(struct take *t, uint64_t time_ns)
{
	struct history *h = t->h;
	double run_s = t->p->ticks_per_second > 0 ? profile_seconds(t->p, (double)t->kept.run) : 0;
	uint64_t run_ns = run_s < 1e9 ? (uint64_t)(run_s * 1e9) : 0, length;

	if (!h->begun)
		h->last_ns = time_ns;
	if (time_ns < h->last_ns + APART && h->number)
		time_ns = h->last_ns + (run_ns ? run_ns : CLOCK_SECOND / 1000);
	length = time_ns > h->last_ns ? time_ns - h->last_ns : 0;
	if (!h->number && run_ns > 2 * length && run_ns < time_ns)
		length = run_ns;
	t->kept.m.time_ns = time_ns;
	t->kept.m.length_ns = length;
	t->kept.seconds = run_ns ? run_s : length ? (double)length / 1e9 : (double)NAN;
}

static double load_of(const struct history_kept *k)
{
	return k->self_s / k->seconds > 1 ? 1 : k->self_s / k->seconds;		/* NaN stays */
}

static int reserve(struct take *t)
{
	struct history *h = t->h;
	const struct profile *p = t->p;

	if (mem_grow(&t->out.data, &t->out.cap, RECORD_BYTES, 1) < 0 ||
	    mem_grow(&h->moments, &h->cap, h->count + 1, sizeof(*h->moments)) < 0 ||
	    mem_grow(&h->units, &h->units_cap, h->units_count + 1, sizeof(*h->units)) < 0 ||
	    mem_grow(&h->work, &h->work_cap, p->function_count + 1, sizeof(*h->work)) < 0)
		return ERR_NOMEM;
	memset(h->work, 0, p->function_count * sizeof(*h->work));
	if (!h->name || strcmp(h->name, p->name)) {
		char *name = mem_strdup(p->name);

		if (!name)
			return ERR_NOMEM;
		mem_free(h->name);
		h->name = name;
	}
	return 0;
}

/* The end of each run of records, whatever became of the records. */
static void write_all(struct take *t, bool joined)
{
	uint64_t slot = 0;

	sites_take(t, joined);
	run_end(t);
	pcs_take(t, joined);
	run_end(t);
	t->kept.functions_at = t->out.len;
	for (size_t i = 0; i < t->p->function_count; i++)
		function_take(t, i, &slot);
	run_end(t);
}

static void before_compact(struct history *h)
{
	size_t size = h->before_sites.len + h->before_pcs.len;
	struct buf sites = BUF_INIT, pcs = BUF_INIT;
	uint64_t site = 0, pc = 0;
	struct sums s;

	if (size < 2 * h->before_compacted + 65536 || sums_init(&s, h, false) < 0)
		return;
	if (sums_before(&s, h, 1, true) == 0) {
		sums_write_sites(&s, &sites, &site);
		sums_write_pcs(&s, &pcs, &pc);
	}
	sums_release(&s);
	if (sites.failed || pcs.failed || !(sites.len + pcs.len)) {
		buf_release(&sites);
		buf_release(&pcs);
		return;
	}
	buf_release(&h->before_sites);
	buf_release(&h->before_pcs);
	h->before_sites = sites;
	h->before_pcs = pcs;
	h->before_site = site;
	h->before_pc = pc;
	h->before_compacted = sites.len + pcs.len;
}

static void put(struct take *t)
{
	struct history *h = t->h;
	size_t size = t->out.len;
	uint8_t *data = (uint8_t *)t->out.data;
	uint8_t *fitted = mem_realloc(data, size);

	t->kept.data = fitted ? fitted : data;
	t->kept.size = size;
	t->kept.m.load = load_of(&t->kept);
	t->kept.first = t->kept.last = ++h->number;
	t->kept.m.image = h->new_image;
	h->new_image = false;
	h->moments[h->count++] = t->kept;
	h->bytes += size;
	h->last_ns = t->kept.m.time_ns;
	h->begun = true;
	h->serial++;
}

int history_take(struct history *h, struct profile *p, const struct wire_stats *stats,
		 uint64_t time_ns)
{
	struct take t = { .h = h, .p = p, .kept = { .self_s = NAN, .age = h->age } };
	bool joined = !profile_settled(p);

	if (profile_compute(p) < 0 || reserve(&t) < 0) {
		mem_free(t.out.data);
		return ERR_NOMEM;
	}
	h->stamp++;
	notice(&t);
	t.kept.units = units_of(h, p);
	run_take(&t, joined);
	time_take(&t, time_ns);
	write_all(&t, joined);
	if (t.out.len == ENDS && !t.kept.run && t.kept.m.length_ns < SHORT && !t.kept.m.reset) {
		mem_free(t.out.data);
		return 0;
	}
	stats_take(&t, stats);
	t.kept.sampled_s = p->hz > 0 ? (double)t.kept.m.samples / p->hz : 0;
	h->renames = p->renames;
	put(&t);
	before_compact(h);
	history_thin(h);
	return t.starved ? ERR_NOMEM : 0;
}
