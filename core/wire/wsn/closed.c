/*
 * wsn/closed: counts that are told once (docs/PROTOCOL.md, 3).
 *
 * Every closed count has its place in one long sum, `before` says where a frame's begin. So the
 * host knows what it has not heard (gaps), tells a copy from news without looking at sequence
 * numbers, and lets a late frame fill its gap.
 *
 * They are told once, so that nothing that follows would undo what a damaged frame says that the
 * CRC let pass. But the next frame's `before`, or STATUS, tells the sum behind it: until then it
 * waits.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

static void gap_remove(struct wsn_closed *c, size_t i)
{
	c->gaps--;
	memmove(&c->gap[i], &c->gap[i + 1], (c->gaps - i) * sizeof(c->gap[0]));
}

/* The oldest goes when there are too many: its counts will not be heard any more. */
static void gap_add(struct wsn_closed *c, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	if (c->gaps == WSN_GAPS) {
		c->forgotten += c->gap[0].high - c->gap[0].low;
		gap_remove(c, 0);
	}
	c->gap[c->gaps++] = (struct wsn_gap){ low, high };
}

/* A late frame's counts: true when they were missing. */
static bool gap_fill(struct wsn_closed *c, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < c->gaps; i++) {
		struct wsn_gap gap = c->gap[i];

		if (low < gap.low || high > gap.high)
			continue;
		gap_remove(c, i);
		gap_add(c, gap.low, low);
		gap_add(c, high, gap.high);
		return true;
	}
	return false;
}

/* Newer than all before, and yet told before: what put `end` so far out was noise. */
static void step_back(struct wsn_closed *c, uint64_t low, uint64_t high)
{
	for (size_t i = c->gaps; i-- > 0;) {
		if (c->gap[i].low >= low)
			gap_remove(c, i);
		else if (c->gap[i].high > low)
			c->gap[i].high = low;
	}
	c->end = high;
}

static void joined_note(struct wsn_closed *c, uint64_t sum)
{
	if (!c->joined_known)
		c->joined = sum;
	c->joined_known = true;
}

bool wsn_closed_take(struct wsn_closed *c, uint32_t before, uint64_t sum, enum wsn_order order,
		     bool *gap)
{
	int32_t ahead = (int32_t)(before - (uint32_t)c->end);
	uint64_t low;

	*gap = false;
	joined_note(c, before);
	if (!c->begun) {
		c->begun = true;
		gap_add(c, 0, before);
		c->end = before + sum;
		return true;
	}
	if (ahead < 0 && (uint64_t)-(int64_t)ahead > c->end)
		low = before;		/* cannot be: begin at the plain number */
	else
		low = c->end + (uint64_t)(int64_t)ahead;
	if (low >= c->end) {
		*gap = low > c->end;
		gap_add(c, c->end, low);
		c->end = low + sum;
		return true;
	}
	if (order == ORDER_LATE)
		return gap_fill(c, low, low + sum);
	step_back(c, low, low + sum);
	return true;
}

/* --- frames that wait ------------------------------------------------------------------------- */

static uint32_t waiting_end(const struct wsn_waiting *v)
{
	return v->before + (uint32_t)v->sum;
}

static void waiting_drop(struct wsn_closed *c, size_t i)
{
	c->waits--;
	memmove(&c->waiting[i], &c->waiting[i + 1], (c->waits - i) * sizeof(c->waiting[0]));
}

static void waiting_take(struct wsn *w, enum wire_total_kind kind)
{
	struct wsn_closed *c = &w->table[kind].closed;
	struct wsn_waiting v = c->waiting[0];

	waiting_drop(c, 0);
	if (!wsn_read_rows(&w->rows, &w->hello, v.frame, v.len))
		return;
	w->rows.before = v.before;
	wsn_table_rows(w, &w->rows, ORDER_NEXT, v.seq);
}

/* Every frame of these numbers. */
static bool all_came(const struct wsn_order_state *o, uint64_t first, uint64_t last)
{
	if (o->newest - first > 63)
		return false;
	for (uint64_t seq = first; seq <= last; seq++)
		if (!(o->heard >> (o->newest - seq) & 1))
			return false;
	return true;
}

/*
 * `sum` is not what it led to. Where a frame is missing between, that is why. Else it is wrong: its
 * `before`, if the rows make up what the sum grew by; or all of it.
 */
static void waiting_judge(struct wsn *w, enum wire_total_kind kind, uint32_t sum, uint64_t seq)
{
	struct wsn_closed *c = &w->table[kind].closed;
	struct wsn_waiting *v = &c->waiting[0];

	if (c->begun && all_came(&w->order, v->seq, seq)) {
		if (sum - (uint32_t)c->end != (uint32_t)v->sum) {
			waiting_drop(c, 0);
			return;
		}
		v->before = (uint32_t)c->end;
	}
	waiting_take(w, kind);
}

/* STATUS's sum has those that were not sent yet, too: less than a frame led to cannot be. */
static bool waiting_is_beyond(const struct wsn *w, const struct wsn_closed *c, uint32_t sum,
			      uint64_t seq)
{
	const struct wsn_waiting *v = &c->waiting[0];

	return c->waits == 1 && c->begun && (int32_t)(sum - waiting_end(v)) < 0 &&
	       all_came(&w->order, v->seq, seq);
}

void wsn_closed_confirm(struct wsn *w, enum wire_total_kind kind, uint32_t sum, uint64_t seq,
			bool is_status)
{
	struct wsn_closed *c = &w->table[kind].closed;
	const struct wsn_waiting *v = c->waiting;

	if (c->waits == 2 && sum == waiting_end(&v[1]) && v[1].before != waiting_end(&v[0]))
		waiting_judge(w, kind, v[1].before, v[1].seq);
	if (c->waits && sum == waiting_end(&v[c->waits - 1])) {
		while (c->waits)
			waiting_take(w, kind);
	} else if (is_status) {
		if (waiting_is_beyond(w, c, sum, seq))
			waiting_drop(c, 0);
	} else if (c->waits == 2) {
		if (sum == waiting_end(&v[0]))
			waiting_drop(c, 1);
		waiting_take(w, kind);
	}
}

static void waiting_give(struct wsn *w, enum wire_total_kind kind)
{
	while (w->table[kind].closed.waits)
		waiting_take(w, kind);
}

void wsn_closed_give(struct wsn *w)
{
	for (int kind = 0; kind < WSN_TABLES; kind++)
		waiting_give(w, (enum wire_total_kind)kind);
}

static void waiting_add(struct wsn *w, const uint8_t *frame, size_t n, uint64_t seq)
{
	struct wsn_waiting v = { .seq = seq, .sum = w->rows.sum, .before = w->rows.before,
				 .len = (uint16_t)n };
	enum wire_total_kind kind = w->rows.kind;
	struct wsn_closed *c = &w->table[kind].closed;

	memcpy(v.frame, frame, n);
	joined_note(c, v.before);
	wsn_closed_confirm(w, kind, v.before, seq, false);
	c->waiting[c->waits++] = v;
	if (c->status_known && c->status == waiting_end(&v))	/* it had what was to come */
		wsn_closed_confirm(w, kind, c->status, seq, true);
}

/* A late one fills a gap that those before it leave. */
void wsn_closed_frame(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
		      uint64_t seq)
{
	enum wire_total_kind kind = w->rows.kind;

	if (order == ORDER_NEXT) {
		waiting_add(w, frame, n, seq);
		return;
	}
	waiting_give(w, kind);
	if (wsn_read_rows(&w->rows, &w->hello, frame, n))
		wsn_table_rows(w, &w->rows, order, seq);
}

/* --- what is missing -------------------------------------------------------------------------- */

/* The sum of all up to the last frame, be it one that waits. */
static uint32_t end_heard(const struct wsn_closed *c)
{
	return c->waits ? waiting_end(&c->waiting[c->waits - 1]) : (uint32_t)c->end;
}

bool wsn_closed_status(struct wsn_closed *c, uint32_t sum)
{
	joined_note(c, sum);
	c->status = sum;
	c->status_known = true;
	return (int32_t)(sum - end_heard(c)) > 0;
}

uint64_t wsn_closed_unheard(const struct wsn_closed *c)
{
	uint64_t sum = c->forgotten;
	int32_t ahead = (int32_t)(c->status - end_heard(c));

	for (size_t i = 0; i < c->gaps; i++)
		sum += c->gap[i].high - c->gap[i].low;
	if (!c->begun && !c->waits)
		return c->status_known ? c->status : 0;
	if (c->waits && (int32_t)(c->waiting[0].before - (uint32_t)c->end) > 0)
		sum += c->waiting[0].before - (uint32_t)c->end;
	return sum + (c->status_known && ahead > 0 ? (uint64_t)ahead : 0);
}

uint64_t wsn_closed_before(const struct wsn_closed *c)
{
	uint64_t sum = c->begun ? 0 : c->joined;

	for (size_t i = 0; i < c->gaps; i++) {	/* in no order: what a late frame leaves is last */
		if (c->gap[i].low < c->joined)
			sum += (c->gap[i].high < c->joined ? c->gap[i].high : c->joined) -
			       c->gap[i].low;
	}
	return sum;
}
