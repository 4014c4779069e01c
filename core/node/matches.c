/*
 * matches: what a trace port tells of comparators' matches: values of what is watched, with the PC
 * that wrote them, as events of the call trace.
 *
 * Which comparator stands for which watch is said by who sets them up (wire_watching). One that
 * somebody else has set up is told by its number.
 *
 * Of a recording nobody sets them up: it says it, or matches_assume().
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/wire/itm/comparators.h"

enum { WORD = 4 };			/* bytes at most in a packet */

static struct node_logged *match_watch(struct node *n, unsigned comparator)
{
	const struct wire_watching *w = &n->log.watching;

	for (size_t i = 0; n->log.told && i < w->count; i++) {
		if (w->of[i].way == WATCHED_COMPARATOR && w->of[i].comparator == comparator)
			return log_find(n, w->of[i].note);
	}
	return NULL;
}

static void number_name(struct node *n, unsigned comparator)
{
	struct wire_naming naming = { .note = comparator };
	char name[24];

	if (n->seen.ported.named & 1u << comparator)
		return;
	n->seen.ported.named |= 1u << comparator;
	snprintf(name, sizeof(name), "comparator %u", comparator);
	naming.name = name;
	seen_name(n, &naming);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Of a variable's bytes, a bit each: those that its value needs. */
static unsigned bytes_needed(const struct wire_reading *r)
{
	unsigned first = r->bits ? r->shift / 8 : 0;
	unsigned end = r->bits ? (r->shift + r->bits + 7u) / 8 : r->bytes;

	return ((1u << end) - 1) & ~((1u << first) - 1);
}

/*
 * A part of the variable, by the low bits of its address. A bit-field is known once all of its
 * bytes are; what is wider than a word is written in two parts, and known with the second.
 */
static bool part_take(struct node_match *m, const struct wire_watchpoint *p,
		      const struct wire_access *a)
{
	const struct wire_reading *r = &p->reading;
	unsigned needed = bytes_needed(r), hit = 0;

	for (unsigned i = 0; i < a->size; i++) {
		uint16_t at = (uint16_t)(a->address + i - p->address);

		if (at >= r->bytes)
			continue;
		m->bytes[at] = (uint8_t)(a->value >> 8 * i);
		m->known |= (uint8_t)(1u << at);
		hit |= 1u << at;
	}
	if (!(hit & needed) || (m->known & needed) != needed)
		return false;
	if (r->bytes > WORD)
		m->known = 0;
	return true;
}

enum match_found { MATCH_VALUE, MATCH_NOTHING, MATCH_LOST };

/* LOST: the value is not in it, though it was written. */
static enum match_found match_value(struct node_match *m, const struct wire_watchpoint *p,
				    const struct wire_access *a, int64_t *value)
{
	const struct wire_reading *r = &p->reading;

	if (!r->bytes) {
		*value = p->address + (uint16_t)(a->address - p->address);
		return (uint32_t)*value - p->address < p->size ? MATCH_VALUE : MATCH_NOTHING;
	}
	if (!(a->has & ACCESS_VALUE) || r->bytes > sizeof(m->bytes))
		return MATCH_LOST;
	if (a->has & ACCESS_ADDRESS) {
		if (!part_take(m, p, a))
			return MATCH_NOTHING;
	} else {
		if (a->size < r->bytes)
			return MATCH_LOST;
		for (unsigned i = 0; i < r->bytes; i++)
			m->bytes[i] = (uint8_t)(a->value >> 8 * i);
	}
	*value = wire_value(r, m->bytes);
	return MATCH_VALUE;
}

/* --- events ----------------------------------------------------------------------------------- */

static void watch_miss(struct node_logged *l)
{
	l->missed++;
	l->lost++;
}

/* False: there is nothing to tell. */
static bool watch_event(struct node *n, struct node_logged *l, const struct wire_access *a,
			struct wire_event *e)
{
	struct node_match *m = &n->seen.ported.matches[a->comparator % PORTED_COMPARATORS];
	const struct wire_watchpoint *p = &l->point;
	enum match_found found = MATCH_VALUE;

	if (m->note != p->note)
		*m = (struct node_match){ .note = p->note };
	e->note = p->note;
	e->kind = EVENT_MARK;
	if (p->kind == WATCH_VALUE) {
		e->kind = p->reading.is_state ? EVENT_STATE : EVENT_VALUE;
		found = match_value(m, p, a, &e->value);
	} else {
		e->address = p->address;
	}
	if (found == MATCH_LOST)
		watch_miss(l);
	return found == MATCH_VALUE;
}

/* In the lane of what runs. */
static void on_access(void *ctx, const struct wire_access *a)
{
	struct node *n = input_batch(ctx);
	struct node_logged *l = match_watch(n, a->comparator);
	struct wire_event e = {
		.kind = a->has & ACCESS_VALUE ? EVENT_VALUE : EVENT_MARK,
		.lane = n->seen.ported.depth ? TRACE_LANE_HANDLERS : TRACE_LANE_MAIN,
		.note = a->comparator % PORTED_COMPARATORS, .value = a->value,
		.address = a->has & ACCESS_PC ? a->pc & ~1u : 0,
	};

	if (!exceptions_time(ctx, &e.ticks))
		return;
	exceptions_clock(n);
	if (!l)
		number_name(n, e.note);
	if (!l || watch_event(n, l, a, &e))
		seen_events(n, &e, 1);
}

/* Behind an overflow any of them may be missing; nobody knows how many. */
void matches_lose(struct node *n)
{
	struct node_log *log = &n->log;

	for (size_t i = 0; i < log->count; i++) {
		enum wire_watch_way way = log->of[i].way;

		if (way == WATCHED_COMPARATOR || way == WATCHED_TRACED)
			watch_miss(&log->of[i]);
	}
	for (size_t i = 0; i < PORTED_COMPARATORS; i++)
		n->seen.ported.matches[i].known = 0;
}

/* --- of a recording --------------------------------------------------------------------------- */

bool matches_replay(const struct node *n)
{
	return strcmp(node_format(n), "itm") == 0 && !link_is_live(n->inputs[0].link);
}

/*
 * It has the packets, and mostly says which comparator was whose. Else who gives the same watches
 * as when it was made means the comparators that they got then: those of a Cortex-M3, of which none
 * was taken. The same goes for &stops=.
 */
void matches_assume(struct node *n, const struct wire_watchpoint *points, size_t count)
{
	struct comparators c = { .count = COMPARATORS_MOST, .high = across_named(n) };
	struct comparators_plan plan = { .rows_n = 0 };
	struct wire_watching w = { .comparators = -1, .breakpoints = -1 };

	if (!recorded_comparators(n, &w)) {
		comparators_make(&plan, &c, points, count);
		w.count = plan.points_n;
		memcpy(w.of, plan.points, sizeof(w.of));
	}
	w.comparators_used = w.breakpoints_used = -1;
	across_first(n, &w);
}

void matches_sink(struct wire_sink *sink)
{
	sink->access = on_access;
}
