#include "core/wire/prof/prof.h"

#include "core/base/mem.h"

void prof_give_stack(struct prof *p, bool corrupted)
{
	struct wire_stack stack = {
		.announced = corrupted ? 0 : p->header.num,
		.ticks_per_second = corrupted ? 0 : p->header.tps,
		.corrupted = corrupted,
	};

	if (!corrupted && mem_grow(&p->frames, &p->frames_cap, p->count, sizeof(*p->frames)) == 0) {
		prof_fix_bit16(p->rows, p->count, p->wire.code, false);
		for (size_t i = 0; i < p->count; i++) {
			const struct wire_row *r = &p->rows[i];

			p->frames[i] = (struct wire_frame){ r->from, r->to, r->total };
		}
		stack.frames = p->frames;
		stack.count = p->count;
	} else if (!corrupted) {
		p->wire.stats.lost += p->count;
	}
	p->wire.stats.events += stack.count;
	if (p->wire.sink.stack)
		p->wire.sink.stack(p->wire.sink.ctx, &stack);
}

static void give_report(struct prof *p)
{
	const struct prof_header *h = &p->header;
	struct wire_report report = {
		.kind = p->table == TABLE_PROF ? REPORT_PROF : REPORT_SPROF,
		.name = p->name,
		.index = p->index,
		.num_sites = h->num,
		.max_sites = h->max,
		.ticks_run = h->run,
		.ticks_per_second = h->tps,
		.samples = h->samples,
		.complete = p->count >= h->num,
		.torn = p->torn,
		.after_boot = p->booted,
		.count = p->count,
	};

	if (p->table == TABLE_PROF) {
		prof_fix_bit16(p->rows, p->count, p->wire.code, true);
		prof_fix_numbers(p->rows, p->count, h->run);
		report.rows = p->rows;
	} else {
		prof_fix_words(p->sampled, p->count, p->wire.code, &p->words);
		report.sampled = p->sampled;
	}
	p->booted = false;
	p->wire.stats.events += p->count;
	if (p->wire.sink.report)
		p->wire.sink.report(p->wire.sink.ctx, &report);
}

/* All counts, `last` included, add up to what the header of a sampled profile announced. */
static bool sum_is_right(const struct prof *p, size_t before, const struct prof_entry *last)
{
	uint64_t sum = last->row.calls;

	for (size_t i = 0; i < before; i++)
		sum += p->sampled[i].count;
	return before + 1 == p->header.num && sum == p->header.samples;
}

bool prof_is_whole(const struct prof *p, size_t before, const struct prof_entry *last)
{
	switch (p->table) {
	case TABLE_PROF:
		return prof_row_sound(&last->row) && !prof_max_may_be_cut(&last->row);
	case TABLE_SPROF:
		return sum_is_right(p, before, last);
	default:
		return false;
	}
}

/* A boot message begins with CR LF: it may be that, and not its own, which ended the last row. */
static bool last_is_suspect(const struct prof *p, enum prof_ending ending)
{
	if (!p->count || !p->direct || p->crcr || ending == ENDING_OVER)
		return false;
	if (ending == ENDING_HEADER && p->count >= p->header.num)
		return false;
	return !prof_is_whole(p, p->count - 1, &p->last);
}

static void count_lost(struct prof *p)
{
	uint64_t lost = p->header.num > p->count ? p->header.num - p->count : 0;

	if (lost > PROF_ROWS_MAX)
		lost = PROF_ROWS_MAX;	/* a header may announce anything */
	p->wire.stats.lost += lost > p->torn ? lost : p->torn;
}

void prof_close(struct prof *p, enum prof_ending ending)
{
	if (p->table == TABLE_NONE)
		return;
	if (last_is_suspect(p, ending)) {
		p->count--;
		p->torn++;
	}
	count_lost(p);
	if (p->table == TABLE_STACK)
		prof_give_stack(p, false);
	else
		give_report(p);
	p->table = TABLE_NONE;
}
