/* report: a whole report of running totals replaces the one before. */
#include "core/profile/derive/derive.h"
#include "core/profile/raw/raw.h"

/*
 * A 32-bit counter went from `before` to `now`: did it wrap, or did the node restart? Between the
 * reports of a few minutes a counter cannot run through half its range.
 */
static bool counter_wrapped(uint64_t before, uint64_t now)
{
	return (uint32_t)before >= 0x80000000u && (uint32_t)now < 0x80000000u;
}

static uint64_t counter_extend(uint64_t before, uint64_t now)
{
	if (now >= before || now > UINT32_MAX)
		return now;
	return before + (uint32_t)((uint32_t)now - (uint32_t)before);
}

static bool rows_shrank(const struct profile *p, const struct wire_report *r)
{
	for (size_t i = 0; i < r->count; i++) {
		uint32_t s = profile_site_find(p, r->rows[i].from, r->rows[i].to);
		uint64_t before = s != PROFILE_NONE ? p->sites[s].calls +
			profile_site_base(p, s).calls : 0;

		if (r->rows[i].calls < (uint32_t)before &&
		    !counter_wrapped(before, r->rows[i].calls))
			return true;
	}
	return false;
}

/* Running totals cannot shrink: where one did, the node restarted, and so does the profile. */
static bool node_restarted(const struct profile *p, const struct wire_report *r)
{
	if (r->after_boot)
		return true;
	if (r->kind == REPORT_SPROF)
		return r->samples < p->announced_samples;
	return rows_shrank(p, r);
}

static void row_take(struct profile *p, const struct wire_row *row)
{
	uint32_t i = profile_site_get(p, row->from, row->to);
	struct profile_base base = profile_site_base(p, i);
	struct profile_site *s;
	bool again;

	if (i == PROFILE_NONE)
		return;
	s = &p->sites[i];
	/* Named twice in one report (a garbled address): the later row counts; this is no wrap. */
	again = s->timed && s->heard == p->generation;
	s->calls = profile_less(counter_extend(again ? 0 : s->calls + base.calls, row->calls),
				base.calls);
	if (row->flags & ROW_TOTAL_NEGATIVE)
		s->total = 0;
	else
		s->total =
			profile_less(counter_extend(again ? 0 : s->total + base.total, row->total),
				     base.total);
	s->min = row->min;
	s->max = row->max;
	s->flags = (uint16_t)((s->flags & ROW_NO_CALL) | row->flags);
	s->timed = true;
	s->kind = TOTAL_SITE;
	s->heard = p->generation;
}

/* Sites that the newest report does not name are removed, or kept as stale. */
static int sites_settle(struct profile *p, bool keep)
{
	for (size_t i = 0; i < p->site_count; i++) {
		struct profile_site *s = &p->sites[i];

		if (!s->timed || s->heard == p->generation)
			continue;
		s->flags |= keep ? ROW_STALE : ROW_GONE;
		p->gone |= !keep;
	}
	return profile_sites_forget(p);
}

static int rows_take(struct profile *p, const struct wire_report *r, bool strict)
{
	size_t count = r->count;

	/* Printed from a live table, more rows can follow than the header announced. */
	if (strict && count > r->num_sites)
		count = (size_t)r->num_sites;
	p->beyond = r->count - count;
	for (size_t i = 0; i < count; i++)
		row_take(p, &r->rows[i]);
	p->num_sites = r->num_sites;
	p->terms.max_sites = r->max_sites;
	p->terms.table_full = r->max_sites && r->num_sites >= r->max_sites;
	return sites_settle(p, !r->complete && !strict);
}

/* INGA's profiler counts the samples of a PC in 16 bits: a counter that shrank has wrapped. */
static uint64_t samples_extend(uint64_t before, uint64_t now)
{
	return now >= before || now > UINT16_MAX ? now : before + (uint16_t)(now - before);
}

static void sampled_take(struct profile *p, const struct wire_sampled *row)
{
	uint32_t i = profile_pc_get(p, row->pc);
	uint64_t base = profile_pc_base(p, i).calls;
	struct profile_pc *pc;

	if (i == PROFILE_NONE)
		return;
	pc = &p->pcs[i];
	pc->count = profile_less(samples_extend(pc->count + base, row->count), base);
	pc->heard = p->generation;
}

static void samples_take(struct profile *p, const struct wire_report *r, bool strict)
{
	p->announced_samples = r->samples;
	for (size_t i = 0; i < r->count; i++)
		sampled_take(p, &r->sampled[i]);
	for (size_t i = 0; i < p->pc_count && (r->complete || strict); i++) {
		if (p->pcs[i].heard != p->generation)
			p->pcs[i].count = 0;
	}
}

int profile_take_report(struct profile *p, const struct wire_report *r, bool strict)
{
	uint64_t dropped = p->dropped;
	int ret = 0;

	if (node_restarted(p, r))
		profile_reset(p);
	p->generation++;
	p->running = true;
	p->terms.incomplete = !r->complete;
	p->dirty = true;
	if (r->kind == REPORT_PROF) {
		p->ticks_run = r->ticks_run;
		p->terms.ticks_per_second = (double)r->ticks_per_second;
		ret = rows_take(p, r, strict);
	} else {
		samples_take(p, r, strict);
	}
	return p->dropped != dropped ? ERR_NOMEM : ret;
}
