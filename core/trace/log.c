/* trace/log: events -> entries. */
#include "core/trace/log.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/trace/walk.h"

#define NOT_LOGGED UINT64_MAX

/* How far a lane was taken in. */
struct log_lane {
	uint64_t notes;			/* without calls: so many, those that are gone, too */
	/* With calls: events behind the mark at this position, 0 the beginning, that were taken. */
	uint64_t place, taken;
	struct log_open {
		uint64_t number;	/* NOT_LOGGED: it is no entry */
		uint32_t id;
	} *open;			/* calls */
	size_t depth, cap;
};

struct trace_log {
	struct trace_log_terms terms;
	struct trace_log_entry *entries;
	size_t count, cap, most;
	uint64_t first;			/* number of entries[0] */
	uint64_t until;			/* ticks: of the newest event taken in */
	bool begun;
	bool starved;			/* something found no memory: entries are missing */
	struct log_lane lanes[TRACE_LANES];
};

struct trace_log *trace_log_new(size_t most)
{
	struct trace_log *l = mem_zalloc(sizeof(*l));

	if (l)
		l->most = most;
	return l;
}

void trace_log_free(struct trace_log *l)
{
	for (size_t i = 0; l && i < TRACE_LANES; i++)
		mem_free(l->lanes[i].open);
	if (l)
		mem_free(l->entries);
	mem_free(l);
}

void trace_log_begin(struct trace_log *l, const struct trace_log_terms *terms)
{
	for (size_t i = 0; i < TRACE_LANES; i++) {
		struct log_lane *k = &l->lanes[i];

		*k = (struct log_lane){ .open = k->open, .cap = k->cap };
	}
	l->terms = *terms;
	l->count = 0;
	l->first = l->until = 0;
	l->begun = l->starved = false;
}

bool trace_log_starved(const struct trace_log *l)
{
	return l->starved;
}

/* --- entries ---------------------------------------------------------------------------------- */

uint64_t trace_log_first(const struct trace_log *l)
{
	return l->first;
}

uint64_t trace_log_end(const struct trace_log *l)
{
	return l->first + l->count;
}

const struct trace_log_entry *trace_log_entry(const struct trace_log *l, uint64_t number)
{
	return number >= l->first && number - l->first < l->count ?
	       &l->entries[number - l->first] : NULL;
}

uint64_t trace_log_at(const struct trace_log *l, uint64_t ticks)
{
	return l->first + SORTED_FROM(l->entries, l->count, ticks, ticks);
}

/* A quarter goes at once: what is moved is moved four times at most. */
static void entries_drop(struct trace_log *l)
{
	size_t n = l->count / 4;

	memmove(l->entries, l->entries + n, (l->count - n) * sizeof(*l->entries));
	l->count -= n;
	l->first += n;
}

/* Its number; NOT_LOGGED: there is no memory for it. */
static uint64_t log_entry_add(struct trace_log *l, const struct trace_log_entry *e)
{
	if (l->count >= l->most)
		entries_drop(l);
	if (mem_grow(&l->entries, &l->cap, l->count + 1, sizeof(*l->entries)) < 0) {
		l->starved = true;
		return NOT_LOGGED;
	}
	l->entries[l->count++] = *e;
	return trace_log_end(l) - 1;
}

/* The entry that an event is, if it is one. */
static bool entry_make(const struct trace_log_terms *terms, const struct trace_event *event,
		       struct trace_log_entry *entry)
{
	*entry = (struct trace_log_entry){
		.ticks = event->ticks, .id = event->id, .kind = (uint8_t)event->kind,
		.lane = event->lane, .time = (uint8_t)event->time,
	};
	switch (event->kind) {
	case TRACE_MARK:
	case TRACE_VALUE:
	case TRACE_STATE:
		entry->value = event->value;
		return event->id != TRACE_SAMPLES;
	case TRACE_LOST:
		entry->count = event->count;
		return true;
	case TRACE_CALL:
		entry->until = TRACE_LOG_OPEN;
		return terms->calls == TRACE_LOG_ALL_CALLS ||
		       (terms->calls == TRACE_LOG_SOME_CALLS &&
			terms->wants(terms->ctx, event->id));
	case TRACE_BOX:
	case TRACE_UNKNOWN:
	case TRACE_GAP:
		entry->count = event->count;
		return terms->calls == TRACE_LOG_ALL_CALLS;
	default:
		return false;
	}
}

/* --- without calls ---------------------------------------------------------------------------- */

/* The next note of a lane that is one of the log's; NULL: there is none. */
static const struct note *note_next(struct log_lane *k, const struct lane *lane)
{
	k->notes = k->notes > lane->notes_gone ? k->notes : lane->notes_gone;
	while (k->notes - lane->notes_gone < lane->note_count &&
	       lane->notes[k->notes - lane->notes_gone].kind == TRACE_AWAY)
		k->notes++;
	return k->notes - lane->notes_gone < lane->note_count ?
	       &lane->notes[k->notes - lane->notes_gone] : NULL;
}

/* The lane of the earliest one; TRACE_LANES: there is none. */
static unsigned notes_first(struct trace_log *l, const struct trace *t)
{
	const struct note *n, *least = NULL;
	unsigned first = TRACE_LANES;

	for (unsigned i = 0; i < t->lane_end; i++) {
		n = note_next(&l->lanes[i], &t->lanes[i]);
		if (!n || (least && n->units >= least->units))
			continue;
		least = n;
		first = i;
	}
	return first;
}

static bool notes_take(struct trace_log *l, const struct trace *t, uint64_t limit, size_t events)
{
	for (; events; events--) {
		unsigned lane = notes_first(l, t);
		const struct note *n = lane < TRACE_LANES ? note_next(&l->lanes[lane],
								       &t->lanes[lane]) : NULL;
		uint64_t ticks = n ? n->units << t->shift : 0;

		if (!n || ticks > limit) {
			l->until = limit < t->now ? limit : t->now;
			return false;
		}
		l->until = ticks;
		l->lanes[lane].notes++;
		if (n->id == TRACE_SAMPLES)
			continue;
		log_entry_add(l, &(struct trace_log_entry){
			.ticks = ticks, .value = n->value, .id = n->id,
			.within = n->by ? n->by : TRACE_LOG_SOMEWHERE,
			.kind = (uint8_t)n->kind, .lane = (uint8_t)lane,
			.time = t->told ? TRACE_TIME_STAMPED : TRACE_TIME_BETWEEN,
		});
	}
	return true;
}

/* --- with calls ------------------------------------------------------------------------------- */

/* A lane that is walked, and its next event. */
struct log_walk {
	struct trace_walk *walk;
	struct trace_event next;
	bool has;
	size_t mark;			/* the next one: index */
	uint64_t place, taken;		/* once that event is taken in */
};

static void log_call_open(struct log_lane *k, uint64_t number, uint32_t id)
{
	if (mem_grow(&k->open, &k->cap, k->depth + 1, sizeof(*k->open)) == 0)
		k->open[k->depth++] = (struct log_open){ number, id };
}

static void log_call_end(struct trace_log *l, struct log_lane *k, uint64_t until)
{
	uint64_t number = k->depth ? k->open[--k->depth].number : NOT_LOGGED;

	if (number != NOT_LOGGED && number >= l->first)
		l->entries[number - l->first].until = until;
}

/*
 * The function around it. A note of the program, of a trace in which each event has its time, is
 * the handler's that runs then, if one does: who tells notes need not know who wrote.
 */
static uint32_t log_within(const struct trace_log *l, const struct trace *t,
			   const struct trace_event *e)
{
	const struct log_lane *k = &l->lanes[e->lane], *h = &l->lanes[TRACE_LANE_HANDLERS];

	if (t->told && h->depth && (e->kind == TRACE_VALUE || e->kind == TRACE_STATE ||
				    e->kind == TRACE_MARK))
		k = h;
	return k->depth ? k->open[k->depth - 1].id : 0;
}

static void log_event(struct trace_log *l, const struct trace *t, const struct trace_event *e)
{
	struct log_lane *k = &l->lanes[e->lane];
	struct trace_log_entry entry;
	uint64_t number = NOT_LOGGED;

	if (e->kind == TRACE_RETURN)
		log_call_end(l, k, e->ticks);
	while (e->kind == TRACE_LOST && k->depth)
		log_call_end(l, k, TRACE_LOG_CUT);
	if (entry_make(&l->terms, e, &entry)) {
		entry.within = e->by ? e->by : log_within(l, t, e);
		number = log_entry_add(l, &entry);
	}
	if (e->kind == TRACE_CALL || e->kind == TRACE_HELD)
		log_call_open(k, number, e->id);
}

static size_t marks_before(const struct lane *lane, uint64_t place)
{
	return SORTED_WHERE(lane->mark_count, i, lane->marks[i].at < place);
}

static void log_walk_step(struct log_walk *w, const struct lane *lane)
{
	w->has = trace_walk_next(w->walk, &w->next);
	w->taken++;
	while (w->mark < lane->mark_count && lane->marks[w->mark].at < w->walk->ranges[0].at) {
		w->place = lane->marks[w->mark++].at;
		w->taken = 1;
	}
}

/*
 * To the mark that the lane was taken in from, or, if that part of the trace is gone, to the first
 * that is left; and past what is open there, and what was taken.
 */
static void log_walk_seek(struct log_walk *w, struct log_lane *k, const struct lane *lane,
			  uint64_t whole)
{
	size_t i = marks_before(lane, k->place);
	bool there = i < lane->mark_count && lane->marks[i].at == k->place;
	uint32_t open;

	trace_walk_seek(w->walk, 0, whole);
	if (k->place && i < lane->mark_count) {
		w->walk->mark = lane->marks[i];
		w->walk->ranges[0].at = lane->marks[i].at;
	}
	open = w->walk->mark.depth;
	w->place = w->walk->mark.at;
	w->mark = marks_before(lane, w->place + (w->place > 0));
	if ((k->place && !there) || (!k->place && w->place)) {
		*k = (struct log_lane){ .place = w->place, .open = k->open, .cap = k->cap };
		k->depth = 0;
	}
	w->taken = 0;
	for (; open && trace_walk_next(w->walk, &w->next); open--)
		if (!k->taken && k->depth < w->walk->mark.depth)
			log_call_open(k, NOT_LOGGED, w->next.id);
}

/* What is no entry need not be looked into: notes are in no call that was told before. */
static uint64_t log_whole(const struct trace_log *l, const struct trace *t)
{
	return t->told || l->terms.calls == TRACE_LOG_ALL_CALLS ? 0 : UINT64_MAX;
}

static bool log_walk_begin(struct trace_log *l, struct log_walk *w, const struct trace *t,
			   unsigned lane, bool all)
{
	struct log_lane *k = &l->lanes[lane];
	const struct lane *from = &t->lanes[lane];
	uint64_t taken;

	w->walk = trace_walk_new(t, lane);
	if (!w->walk)
		return false;
	log_walk_seek(w, k, from, log_whole(l, t));
	taken = k->taken;
	if (!all)
		trace_walk_extend(w->walk);
	log_walk_step(w, from);
	while (w->has && w->place == k->place && w->taken <= taken)
		log_walk_step(w, from);
	return true;
}

/* A piece: from where each lane was left to where so many events are passed. */
static bool walks_take(struct trace_log *l, const struct trace *t, struct log_walk *walks,
		       uint64_t limit, size_t events)
{
	for (; events; events--) {
		unsigned first = TRACE_LANES;

		for (unsigned i = 0; i < t->lane_end; i++)
			if (walks[i].has && (first == TRACE_LANES ||
					     walks[i].next.ticks < walks[first].next.ticks))
				first = i;
		if (first == TRACE_LANES || walks[first].next.ticks > limit) {
			l->until = limit < t->now ? limit : t->now;
			return false;
		}
		l->until = walks[first].next.ticks;
		log_event(l, t, &walks[first].next);
		l->lanes[first].place = walks[first].place;
		l->lanes[first].taken = walks[first].taken;
		log_walk_step(&walks[first], &t->lanes[first]);
	}
	return true;
}

static uint64_t calls_behind(const struct trace *t, uint64_t ticks)
{
	uint64_t calls = 0;

	for (unsigned i = 0; i < t->lane_end; i++)
		calls += t->lanes[i].stats.calls - trace_calls_until(t, i, ticks);
	return calls;
}

/* Where no more than three quarters of what there is room for are behind it. */
static void lanes_begin(struct trace_log *l, const struct trace *t)
{
	uint64_t begin, end, most = l->most / 4 * 3;

	l->begun = true;
	if (l->terms.calls != TRACE_LOG_ALL_CALLS || !trace_span(t, &begin, &end) ||
	    calls_behind(t, begin) <= most)
		return;
	begin += SORTED_WHERE(end - begin, i, calls_behind(t, begin + i) > most);
	for (unsigned i = 0; i < t->lane_end; i++) {
		size_t marks = trace_place_before(t, i, begin);

		l->lanes[i].place = marks ? t->lanes[i].marks[marks - 1].at : 0;
	}
}

static bool calls_take(struct trace_log *l, const struct trace *t, bool all, uint64_t limit,
		       size_t events)
{
	struct log_walk walks[TRACE_LANES] = { { .walk = NULL } };
	bool ok = true, more = false;

	if (!l->begun)
		lanes_begin(l, t);
	for (unsigned i = 0; ok && i < t->lane_end; i++)
		if (t->lanes[i].store.count)
			ok = log_walk_begin(l, &walks[i], t, i, all);
	l->starved |= !ok;
	if (ok)
		more = walks_take(l, t, walks, limit, events);
	for (unsigned i = 0; i < t->lane_end; i++) {
		l->starved |= walks[i].walk && walks[i].walk->failed;
		trace_walk_free(walks[i].walk);
	}
	return more;
}

/* --- both ------------------------------------------------------------------------------------- */

bool trace_log_take(struct trace_log *l, const struct trace *t, bool ended, size_t events)
{
	bool all = ended || t->told;	/* those that are told have their time */
	uint64_t limit = UINT64_MAX;

	for (unsigned i = 0; !all && i < t->lane_end; i++) {
		uint64_t told = trace_lane_told(t, i);

		if (t->lanes[i].store.count && told < limit)
			limit = told;
	}
	if (l->terms.calls == TRACE_LOG_NO_CALLS && t->told)	/* notes have their times */
		return notes_take(l, t, limit, events);
	return calls_take(l, t, all, limit, events);
}

double trace_log_share(const struct trace_log *l, const struct trace *t)
{
	uint64_t begin, end;

	if (!trace_span(t, &begin, &end) || end <= begin || l->until >= end)
		return 1;
	return l->until <= begin ? 0 : (double)(l->until - begin) / (double)(end - begin);
}

/* The innermost function that is open on a lane when it happens. */
static uint32_t lane_within(const struct trace *t, const struct trace_log_entry *e, unsigned lane)
{
	bool call = e->kind == TRACE_CALL || e->kind == TRACE_BOX || e->kind == TRACE_UNKNOWN;
	struct trace_walk *w = trace_walk_new(t, lane);
	uint32_t ids[TRACE_DEPTH] = { 0 }, depth = 0, within = 0;
	struct trace_event next;

	if (!w)
		return 0;
	trace_walk_seek(w, e->ticks, 0);
	trace_walk_near(w, UINT32_MAX);
	while (trace_walk_next(w, &next) && next.ticks <= e->ticks) {
		bool mine = next.kind == e->kind && next.id == e->id &&
			    next.ticks == e->ticks && (call || next.value == e->value);

		depth = next.depth < TRACE_DEPTH ? next.depth : TRACE_DEPTH;
		within = depth ? ids[depth - 1] : 0;
		if (mine)
			break;
		if (next.kind != TRACE_CALL && next.kind != TRACE_HELD)
			continue;
		if (depth < TRACE_DEPTH)
			ids[depth] = next.id;
		within = next.id;
	}
	trace_walk_free(w);
	return within;
}

uint32_t trace_log_within(const struct trace *t, const struct trace_log_entry *e)
{
	bool note = e->kind == TRACE_VALUE || e->kind == TRACE_STATE || e->kind == TRACE_MARK;
	uint32_t handler = 0;

	if (t->told && note && e->lane != TRACE_LANE_HANDLERS &&
	    t->lanes[TRACE_LANE_HANDLERS].store.count)
		handler = lane_within(t, e, TRACE_LANE_HANDLERS);
	return handler ? handler : lane_within(t, e, e->lane);
}
