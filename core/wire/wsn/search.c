/*
 * wsn/search: what hooks take to find rows that are not at their place, or nowhere: an AVR's call
 * sites (target-avr/wsnprof_enter.inc), a Cortex-M's arcs (target-cortexm/wsnprof_mcount.S).
 * HELLO's cost does not have it: where a row is tells it.
 */
#include "core/wire/wsn/state.h"

/*
 * Cycles, measured in the simulator: the slots behind its place, looked at one by one; all further
 * ones, where the rows of the handlers come first. A handler has no place.
 */
enum {
	NEAR = 6, NEAR_CYCLES = 23, NEAR_STEP = 10,
	FAR_CYCLES = 252, FAR_STEP = 14, HANDLER_CYCLES = 93,
};

/* A call without a row, in a full table: all slots in reach are looked at, rarely the vectors. */
enum { LOST_CYCLES = 890 };

/* Cycles of a call whose row is at its place, by what is counted. HELLO has it in ticks. */
enum { CALLS_CYCLES = 97, TIMED_CYCLES = 170, MINMAX_CYCLES = 184, HISTOGRAM_CYCLES = 217 };

/* An arc, in HELLO's costs: linked to its place; gets a row that was another's, or finds none. */
#define ARC_LINKED 0.75
#define ARC_MISSED 32

enum { SLOTS_A_FRAME = 32 };

static double ticks_a_cycle(const struct wire_hello *h)
{
	return h->cost / (!(h->features & WSN_F_TIMED) ? CALLS_CYCLES :
			  !(h->features & WSN_F_MINMAX) ? TIMED_CYCLES :
			  !(h->features & WSN_F_HISTOGRAM) ? MINMAX_CYCLES : HISTOGRAM_CYCLES);
}

/* The slot of a return address, in words, when it is free: a row's bytes decide which bits. */
static uint32_t row_place(uint32_t from, uint32_t slots, bool timed)
{
	uint32_t low = from & 0xff, high = slots > 256 ? from >> 8 & 0xff : 0;
	uint32_t swapped = (low << 4 | low >> 4) & 0xff, upper = swapped ^ high;

	return (timed ? (low & 0x0f) | upper << 4 : swapped >> 3 | upper << 5) & (slots - 1);
}

static uint32_t row_cycles(uint32_t away)
{
	if (!away)
		return 0;
	if (away <= NEAR)
		return NEAR_CYCLES + NEAR_STEP * away;
	return FAR_CYCLES + FAR_STEP * away;
}

/* Ticks, as a mean over all calls that are counted. */
static double site_search_mean(const struct wsn *w)
{
	const struct wsn_table *t = &w->table[TOTAL_SITE];
	const struct wire_hello *h = &w->hello.wire;
	uint32_t slots = h->max_sites;
	double calls = 0, cycles = (double)w->status.table_full * LOST_CYCLES;

	for (uint32_t i = 0; i < t->slot_count; i++) {
		const struct wsn_slot *s = &t->slots[i];
		const struct wsn_entry *e;
		uint32_t place;

		if (!s->used || s->extension)
			continue;
		e = &t->entries[s->key];
		place = row_place((e->raw - w->hello.base) / w->hello.unit, slots,
				  h->features & WSN_F_TIMED);
		calls += (double)s->whole_calls;
		cycles += (double)s->whole_calls *
			  (e->flags & ROW_HANDLER ? HANDLER_CYCLES :
			   row_cycles((i - place) & (slots - 1)));
	}
	return calls > 0 ? cycles * ticks_a_cycle(h) / calls : 0;
}

/* The addresses have Thumb's bit: 4 + 1. */
static uint32_t arc_place(const struct wsn_entry *e, uint32_t slots)
{
	return (4 * e->raw + e->to + 5) / 16 & (slots - 1);
}

static double arc_search_mean(const struct wsn *w)
{
	const struct wsn_table *t = &w->table[TOTAL_ARC];
	double calls = (double)t->closed.end;
	double costs = (double)(t->closed.rows + w->status.arcs_lost) * ARC_MISSED;

	for (uint32_t i = 0; i < t->slot_count; i++) {
		const struct wsn_slot *s = &t->slots[i];

		if (!s->used)
			continue;
		calls += (double)s->whole_calls;
		if (arc_place(&t->entries[s->key], w->hello.wire.max_arcs) != i)
			costs += (double)s->whole_calls * ARC_LINKED;
	}
	return calls > 0 ? costs * w->hello.wire.cost / calls : 0;
}

/* A large table may come with nothing but STATUS: all rows are gone through now and then. */
double wsn_searched(struct wsn *w)
{
	bool arcs = !(w->hello.wire.features & WSN_F_SITES);

	if (!wsn_is_avr(&w->hello) && !arcs)
		return 0;
	if (w->frames >= w->search_due) {
		const struct wsn_table *t = &w->table[arcs ? TOTAL_ARC : TOTAL_SITE];

		w->searched = arcs ? arc_search_mean(w) : site_search_mean(w);
		w->search_due = w->frames + t->slot_count / SLOTS_A_FRAME;
	}
	return w->searched;
}
