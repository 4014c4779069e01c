/*
 * wsn/closed: counts that are told once (docs/PROTOCOL.md, 3).
 *
 * Every closed count has its place in one long sum, `before` says where a frame's begin. So the
 * host knows what it has not heard (gaps), tells a copy from news without looking at sequence
 * numbers, and lets a late frame fill its gap.
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

bool wsn_closed_status(struct wsn_closed *c, uint32_t sum)
{
	joined_note(c, sum);
	c->status = sum;
	c->status_known = true;
	return (int32_t)(sum - (uint32_t)c->end) > 0;
}

uint64_t wsn_closed_unheard(const struct wsn_closed *c)
{
	uint64_t sum = c->forgotten;
	int32_t ahead = (int32_t)(c->status - (uint32_t)c->end);

	for (size_t i = 0; i < c->gaps; i++)
		sum += c->gap[i].high - c->gap[i].low;
	if (!c->begun)
		return c->status_known ? c->status : 0;
	return sum + (c->status_known && ahead > 0 ? (uint64_t)ahead : 0);
}

uint64_t wsn_closed_before(const struct wsn_closed *c)
{
	uint64_t sum = c->begun ? 0 : c->joined;

	for (size_t i = 0; i < c->gaps && c->gap[i].low < c->joined; i++)
		sum += (c->gap[i].high < c->joined ? c->gap[i].high : c->joined) - c->gap[i].low;
	return sum;
}
