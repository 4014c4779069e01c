/* take: takes a moment: the profile's changes since the last one. */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/history/take.h"

#define APART (CLOCK_SECOND / 20)	/* closer moments: from a file, or before a reset */
#define SHORT (CLOCK_SECOND / 2)	/* without changes: no moment of its own */
enum { TERMS = 1024 };

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
	h->sites_seen = 0;
	h->last_run = 0;
}

static void resets_take(struct take *t)
{
	struct history *h = t->h;
	bool first = h->number == 0;
	bool reset = !first && h->resets != t->p->resets;
	bool rebased = !first && h->rebases != t->p->rebases;

	if (reset || rebased)
		counters_begin(h, reset);
	for (size_t i = 0; rebased && i < h->slot_count; i++)
		h->slots[i].peak = 0;	/* the user's reset drops peaks, too */
	t->kept.m.began = reset;
	t->kept.m.reset = reset || rebased;
	h->resets = t->p->resets;
	h->rebases = t->p->rebases;
}

/* --- the moment ------------------------------------------------------------------------------- */

static uint32_t terms_number(struct history *h, const struct profile *p)
{
	for (size_t i = h->terms_count; i-- > 0;) {
		if (profile_terms_same(&h->terms[i], &p->terms))
			return (uint32_t)i;
	}
	if (h->terms_count >= TERMS)
		return TERMS - 1;	/* a hostile node changes them each second */
	h->terms[h->terms_count] = p->terms;
	return (uint32_t)h->terms_count++;
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

/* The time profiled in the moment, without that before the connect. */
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

/* A node that claims to have run for centuries must not make time wrap. */
static uint64_t time_after(uint64_t last_ns, uint64_t ns)
{
	return ns < UINT64_MAX - APART - last_ns ? last_ns + ns : last_ns;
}

/*
 * Times ascend. Moments from a file, which come all at once, have the length of the node's run
 * time; so has the first report of a node.
 */
static void time_take(struct take *t, uint64_t time_ns)
{
	struct history *h = t->h;
	double run_s = profile_seconds(t->p, (double)t->kept.run);
	uint64_t run_ns = run_s < 1e9 ? (uint64_t)(run_s * 1e9) : 0, length;

	if (!h->begun)
		h->last_ns = time_ns;
	if (time_ns < h->last_ns + APART && h->number)
		time_ns = time_after(h->last_ns, run_ns ? run_ns : CLOCK_SECOND / 1000);
	length = time_ns > h->last_ns ? time_ns - h->last_ns : 0;
	if (!h->number && run_ns > 2 * length && run_ns < time_ns)
		length = run_ns;
	t->kept.m.time_ns = time_ns;
	t->kept.m.length_ns = length;
	t->kept.seconds = length ? (double)length / 1e9 : run_ns ? run_s : (double)NAN;
}

static double load_of(const struct history_kept *k)
{
	return k->self_s / k->seconds > 1 ? 1 : k->self_s / k->seconds;		/* NaN stays */
}

static int room_reserve(struct take *t)
{
	struct history *h = t->h;
	const struct profile *p = t->p;

	if (mem_grow(&t->out.data, &t->out.cap, RECORD_BYTES, 1) < 0 ||
	    mem_grow(&h->moments, &h->cap, h->count + 1, sizeof(*h->moments)) < 0 ||
	    mem_grow(&h->terms, &h->terms_cap, h->terms_count + 1, sizeof(*h->terms)) < 0 ||
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

/* Each run of records is ended, even if some had no room. */
static void changes_take(struct take *t, bool joined)
{
	history_take_sites(t, joined);
	run_end(t);
	history_take_pcs(t, joined);
	run_end(t);
	t->kept.functions_at = t->out.len;
	history_take_functions(t);
	run_end(t);
}

static void before_compact(struct history *h)
{
	size_t size = h->before_sites.len + h->before_pcs.len;
	struct buf sites = BUF_INIT, pcs = BUF_INIT;
	uint64_t site = 0, pc = 0;
	struct sums s;

	if (size < 2 * h->before_compacted + 65536 || history_sums_init(&s, h, false) < 0)
		return;
	if (history_sums_before(&s, h, 1, true) == 0) {
		history_sums_write_sites(&s, &sites, &site);
		history_sums_write_pcs(&s, &pcs, &pc);
	}
	history_sums_release(&s);
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

static void moment_put(struct take *t)
{
	struct history *h = t->h;
	size_t size = t->out.len;
	uint8_t *data = (uint8_t *)t->out.data;
	uint8_t *fitted = mem_realloc(data, size);

	t->kept.data = fitted ? fitted : data;
	t->kept.size = size;
	t->kept.m.load = load_of(&t->kept);
	h->number++;
	t->kept.m.image = h->new_image;
	h->new_image = false;
	t->kept.m.gone = h->gone;
	h->gone = false;
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

	if (profile_compute(p) < 0 || room_reserve(&t) < 0) {
		mem_free(t.out.data);
		return ERR_NOMEM;
	}
	h->stamp++;
	resets_take(&t);
	t.kept.terms = terms_number(h, p);
	run_take(&t, joined);
	time_take(&t, time_ns);
	history_paces_begin(&t);
	changes_take(&t, joined);
	if (t.out.len == ENDS && !t.kept.run && t.kept.m.length_ns < SHORT && !t.kept.m.reset) {
		mem_free(t.out.data);
		return 0;
	}
	stats_take(&t, stats);
	t.kept.sampled_s = p->terms.hz > 0 ? (double)t.kept.m.samples / p->terms.hz : 0;
	h->renames = p->renames;
	history_paces_end(&t);
	moment_put(&t);
	before_compact(h);
	history_thin(h);
	return t.starved ? ERR_NOMEM : 0;
}
