/* trace: the lanes of a node. */
#include "core/trace/state.h"

#include "core/base/mem.h"

struct trace *trace_new(void)
{
	struct trace *t = mem_zalloc(sizeof(*t));

	for (size_t i = 0; t && i < TRACE_LANES; i++)
		trees_init(&t->lanes[i].trees);
	return t;
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; t && i < TRACE_LANES; i++)
		lane_release(&t->lanes[i]);
	mem_free(t);
}

void trace_setup(struct trace *t, const struct wire_tracing *setup, uint32_t ticks_per_second)
{
	t->dialect = setup->stamp_shift < 32 ? token_dialect(setup->encoding) : NULL;
	t->shift = setup->stamp_shift;
	t->ticks_per_second = ticks_per_second;
}

/* 64 bits of a clock that told its low 32: a frame of another lane may be a little older. */
static uint64_t time_whole(struct trace *t, uint32_t low)
{
	int32_t step = (int32_t)(low - (uint32_t)t->now);
	uint64_t at;

	if (!t->begun) {
		t->begun = true;
		t->now = (UINT64_C(1) << 32) + low;	/* so that what is older has room */
		return t->now;
	}
	at = t->now + (uint64_t)(int64_t)step;
	if (step > 0)
		t->now = at;
	return at;
}

void trace_frame(struct trace *t, const struct wire_trace *frame)
{
	struct lane *l = &t->lanes[frame->lane % TRACE_LANES];

	if (!t->dialect)
		l->stats.bad++;
	else
		lane_frame(l, t->dialect, t->shift, frame, time_whole(t, frame->time));
}

void trace_epoch(struct trace *t)
{
	for (size_t i = 0; i < TRACE_LANES; i++)
		lane_epoch(&t->lanes[i]);
}

bool trace_is_empty(const struct trace *t)
{
	for (size_t i = 0; i < TRACE_LANES; i++) {
		if (t->lanes[i].store.count)
			return false;
	}
	return true;
}

double trace_ticks_per_second(const struct trace *t)
{
	return t->ticks_per_second;
}

void trace_lane_stats(const struct trace *t, unsigned lane, struct trace_stats *stats)
{
	*stats = t->lanes[lane].stats;
}

void trace_stats(const struct trace *t, struct trace_stats *stats)
{
	*stats = (struct trace_stats){ .frames = 0 };
	for (size_t i = 0; i < TRACE_LANES; i++) {
		const struct trace_stats *s = &t->lanes[i].stats;

		stats->frames += s->frames;
		stats->bytes += s->bytes;
		stats->calls += s->calls;
		stats->untold += s->untold;
		stats->frames_lost += s->frames_lost;
		stats->unknown += s->unknown;
		stats->bad += s->bad;
		stats->dropped += s->dropped;
	}
}

size_t trace_memory(const struct trace *t)
{
	size_t sum = sizeof(*t);

	for (size_t i = 0; i < TRACE_LANES; i++) {
		const struct lane *l = &t->lanes[i];

		sum += l->store.count * sizeof(struct chunk) + l->store.cap * sizeof(*l->store.chunks);
		sum += l->trees.cap * sizeof(*l->trees.v) + l->trees.arena.bytes;
		sum += l->note_cap * sizeof(*l->notes);
		sum += l->open ? TRACE_DEPTH * sizeof(*l->open) : 0;
	}
	return sum;
}
