/* trace: the lanes of a node. */
#include "core/trace/state.h"


#include "core/base/mem.h"
#include "core/base/sorted.h"

enum { CHECK_FRAMES = 64 };

struct trace *trace_new(void)
{
	struct trace *t = mem_zalloc(sizeof(*t));

	for (size_t i = 0; t && i < TRACE_LANES; i++)
		lane_init(&t->lanes[i]);
	if (t) {
		map_init(&t->edges.map);
		map_init(&t->paths.map);
		pace_init(&t->pace);
		habits_init(&t->habits);
		arena_init(&t->name_texts);
	}
	return t;
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; t && i < TRACE_LANES; i++)
		lane_release(&t->lanes[i]);
	if (t) {
		trace_edges_forget(t);
		map_release(&t->edges.map);
		map_release(&t->paths.map);
		mem_free(t->edges.v);
		mem_free(t->paths.v);
		pace_release(&t->pace);
		habits_release(&t->habits);
		arena_release(&t->name_texts);
		mem_free(t->names);
	}
	mem_free(t);
}

void trace_setup(struct trace *t, const struct wire_tracing *setup, uint32_t ticks_per_second)
{
	t->told = false;
	t->dialect = setup->stamp_shift < 32 ? token_dialect(setup->encoding) : NULL;
	t->encoding = setup->encoding;
	t->call_bits = setup->slots <= 8 ? (uint8_t)setup->slots : 8;
	t->shift = setup->stamp_shift;
	t->habits.unit = (double)(UINT64_C(1) << t->shift % 32);
	t->ticks_per_second = ticks_per_second;
}

/* 64 bits of a clock that told its low 32: a frame of another lane may be a little older. */
static uint64_t time_whole(struct trace *t, uint32_t low)
{
	int32_t step = (int32_t)(low - (uint32_t)t->now);
	uint64_t at;

	if (!t->begun) {
		t->begun = true;
		t->first = t->now = (UINT64_C(1) << 32) + low;	/* what is older has room */
		return t->now;
	}
	at = t->now + (uint64_t)(int64_t)step;
	if (step > 0)
		t->now = at;
	return at;
}

void trace_traced(struct trace *t, const struct traced *traced)
{
	t->traced = traced;
}

void trace_limit(struct trace *t, size_t bytes)
{
	t->limit = bytes;
}

bool trace_was_cut(const struct trace *t)
{
	return t->cut;
}

/* A quarter goes, and more where that frees too little. */
static void limit_check(struct trace *t)
{
	uint64_t begin, end;

	t->unchecked = 0;
	if (!trace_span(t, &begin, &end))
		return;
	for (unsigned part = 1; part < 4; part++) {
		if (trace_memory(t) - trace_edges_memory(t) <= t->limit)
			return;
		trace_forget_before(t, begin + (end - begin) / 4 * part);
	}
}

void trace_limit_check(struct trace *t, unsigned every)
{
	if (t->limit && ++t->unchecked >= every)
		limit_check(t);
}

void trace_frame(struct trace *t, const struct wire_trace *frame)
{
	unsigned lane = frame->lane % TRACE_LANES;
	struct lane *l = &t->lanes[lane];

	if (lane >= t->lane_end)
		t->lane_end = lane + 1;
	l->traced = t->traced;
	l->encoding = t->encoding;
	l->call_bits = t->call_bits;
	trace_limit_check(t, CHECK_FRAMES);
	if (!t->dialect || t->told)
		l->stats.bad++;
	else
		lane_frame(l, t->dialect, &t->pace, t->shift, frame, time_whole(t, frame->time));
}

void trace_epoch(struct trace *t)
{
	trace_edges_forget(t);
	for (size_t i = 0; i < TRACE_LANES; i++)
		lane_epoch(&t->lanes[i]);
}

uint32_t trace_lane_root(const struct trace *t, unsigned lane)
{
	const struct lane *l = &t->lanes[lane % TRACE_LANES];

	return l->rootless ? 0 : l->root;
}

bool trace_lane_is_shared(const struct trace *t, unsigned lane)
{
	uint32_t root = trace_lane_root(t, lane);

	for (unsigned i = TRACE_LANE_HANDLERS + 1; root && i < TRACE_LANES; i++)
		if (i != lane && trace_lane_root(t, i) == root)
			return true;
	return false;
}

uint64_t trace_lane_told(const struct trace *t, unsigned lane)
{
	uint64_t hold = t->ticks_per_second / 2, end = t->lanes[lane % TRACE_LANES].end;
	uint64_t least = t->now > hold ? t->now - hold : 0;

	if (t->told)
		return t->now;
	return end > least ? end : least;
}

bool trace_is_empty(const struct trace *t)
{
	for (size_t i = 0; i < TRACE_LANES; i++) {
		if (t->lanes[i].store.count)
			return false;
	}
	return true;
}

bool trace_span(const struct trace *t, uint64_t *begin, uint64_t *end)
{
	*begin = t->cut ? t->now : t->first;	/* of the first frame: its tokens are older */
	for (size_t i = 0; i < TRACE_LANES; i++) {
		const struct lane *l = &t->lanes[i];

		if (l->mark_count && l->marks[0].units << t->shift < *begin)
			*begin = l->marks[0].units << t->shift;
	}
	*end = t->now;
	return t->begun;
}

/* --- where walks begin ------------------------------------------------------------------------ */

static size_t marks_until(const struct lane *l, uint64_t units)
{
	return SORTED_ABOVE(l->marks, l->mark_count, units, units);
}

/* What was summed up at the n-th mark; before the first one of a lane that was cut, as there. */
static struct mark mark_sums(const struct lane *l, size_t n)
{
	if (!n && !(l->store.gone && l->mark_count))
		return (struct mark){ .at = 0 };
	return l->marks[n ? n - 1 : 0];
}

/* Behind the n-th mark `sum` was reached, at the next one `next`; between them it grows evenly. */
static uint64_t sum_until(const struct trace *t, const struct lane *l, size_t n, uint64_t units,
			  uint64_t sum, uint64_t next)
{
	uint64_t from = n ? l->marks[n - 1].units : units;
	uint64_t to = n < l->mark_count ? l->marks[n].units : t->now >> t->shift;

	if (units <= from || to <= from)
		return sum;
	if (units >= to)
		return next;
	return sum + (uint64_t)((double)(next - sum) * (double)(units - from) /
				(double)(to - from));
}

uint64_t trace_calls_until(const struct trace *t, unsigned lane, uint64_t ticks)
{
	const struct lane *l = &t->lanes[lane];
	uint64_t units = ticks >> t->shift;
	size_t n = marks_until(l, units);

	return sum_until(t, l, n, units, mark_sums(l, n).calls,
			 n < l->mark_count ? l->marks[n].calls : l->stats.calls);
}

uint64_t trace_lost_until(const struct trace *t, unsigned lane, uint64_t ticks)
{
	const struct lane *l = &t->lanes[lane];
	size_t n = marks_until(l, ticks >> t->shift);

	return ticks >= t->now ? l->stats.frames_lost : mark_sums(l, n).lost;
}

size_t trace_notes_until(const struct trace *t, unsigned lane, uint64_t ticks)
{
	const struct lane *l = &t->lanes[lane];

	return SORTED_ABOVE(l->notes, l->note_count, units, ticks >> t->shift);
}

struct trace_event trace_note(const struct trace *t, unsigned lane, size_t i)
{
	const struct note *n = &t->lanes[lane].notes[i];
	uint64_t ticks = n->units << t->shift;

	return (struct trace_event){
		.kind = n->kind, .time = TRACE_TIME_BETWEEN, .lane = (uint8_t)lane, .id = n->id,
		.ticks = ticks, .until = ticks, .value = n->value, .by = n->by,
	};
}

size_t trace_places(const struct trace *t, unsigned lane)
{
	return 1 + t->lanes[lane].mark_count;
}

struct trace_place trace_place(const struct trace *t, unsigned lane, size_t i)
{
	const struct lane *l = &t->lanes[lane];
	const struct mark *m = i ? &l->marks[i - 1] : NULL;

	if (!m)
		return (struct trace_place){ .ids = UINT64_MAX };
	return (struct trace_place){
		.ticks = m->units << t->shift, .items = m->at,
		.ids = i < l->mark_count ? m->holds : l->holds,
	};
}

size_t trace_place_before(const struct trace *t, unsigned lane, uint64_t ticks)
{
	return marks_until(&t->lanes[lane], ticks >> t->shift);
}

/* --- facts ------------------------------------------------------------------------------------ */

uint32_t trace_last_id(const struct trace *t)
{
	uint32_t last = 0;

	for (size_t i = 0; i < TRACE_LANES; i++)
		last = t->lanes[i].last_id > last ? t->lanes[i].last_id : last;
	return last;
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
		stats->counted += s->counted;
		stats->untold += s->untold;
		stats->frames_lost += s->frames_lost;
		stats->unknown += s->unknown;
		stats->bad += s->bad;
		stats->dropped += s->dropped;
	}
}

void trace_marks_seen(const struct trace *t, bool *seen, size_t count)
{
	for (const struct lane *l = t->lanes; l < t->lanes + TRACE_LANES; l++)
		for (size_t i = 0; i < l->note_count; i++)
			if (l->notes[i].kind != TRACE_AWAY && l->notes[i].kind != TRACE_LOST &&
			    l->notes[i].id < count)
				seen[l->notes[i].id] = true;
}

size_t trace_memory(const struct trace *t)
{
	size_t sum = sizeof(*t) + pace_memory(&t->pace) + habits_memory(&t->habits) +
		     trace_edges_memory(t);

	for (size_t i = 0; i < TRACE_LANES; i++) {
		const struct lane *l = &t->lanes[i];

		sum += l->store.count * sizeof(struct chunk);
		sum += l->store.cap * sizeof(*l->store.chunks);
		sum += l->trees.cap * sizeof(*l->trees.v) + l->trees.arena.bytes +
		       l->trees.before.bytes;
		sum += l->note_cap * sizeof(*l->notes);
		sum += l->mark_cap * sizeof(*l->marks) + l->marked.bytes;
		sum += l->open ? TRACE_DEPTH * sizeof(*l->open) : 0;
	}
	return sum;
}
