/*
 * wsn_sites: rows of call sites and the rows that extend them (docs/PROTOCOL.md, 3).
 *
 * A node's counter that passes its width begins anew, and its extension counts one more. Both travel in
 * different frames, so that the host may know one without the other: until they fit again, the figures
 * of before stand. All figures only grow: a row that has less is an old one. Only when newer frames
 * insist was it noise, let pass by the CRC, that grew too far.
 */
#include "core/wire/wsn_state.h"

#include <string.h>

#define CALLS_BITS 24		/* an extension counts multiples of 2^24 calls */
#define TOTAL_BITS 32		/* and of 2^32 ticks */
#define PATIENCE 4		/* rows that a missing extension is waited for */

/* The counter that was at `old` may have passed its width to get to `now`. */
static bool may_wrap(uint64_t old, uint64_t now, unsigned bits)
{
	return now >= old || (old >> (bits - 1)) == 1;
}

static bool is_less(const struct wsn_slot *s, const struct wsn_row *row)
{
	return row->calls < s->calls || row->total < s->total;
}

static bool has_wrapped(const struct wsn_slot *s, const struct wsn_row *row)
{
	return may_wrap(s->calls, row->calls, CALLS_BITS) &&
	       may_wrap(s->total, row->total, TOTAL_BITS);
}

static void put(struct wsn_slot *s, const struct wsn_row *row, uint64_t seq)
{
	s->calls = row->calls;
	s->total = row->total;
	s->min = row->min;
	s->max = row->max;
	memcpy(s->bucket, row->bucket, sizeof(s->bucket));
	if (seq > s->seq)
		s->seq = seq;
	s->doubt = 0;
}

/* Row and extension fit: these are its figures. */
static void make_whole(struct wsn_table *t, struct wsn_slot *s)
{
	uint64_t calls = s->calls, total = s->total;

	if (s->carry != WSN_NO_SLOT) {
		const struct wsn_slot *carry = &t->slots[s->carry];

		calls += carry->calls << CALLS_BITS;
		total += carry->total << TOTAL_BITS;
	}
	s->whole_calls = calls;
	s->whole_total = total;
	s->patience = 0;
	wsn_entry_changed(t, s->key);
}

/* --- extensions ---------------------------------------------------------------------------------- */

/* The slot holds something else than this row's key; is it to be emptied? One contradiction is noise. */
static bool give_way(struct wsn_table *t, uint32_t slot, enum wsn_order order)
{
	struct wsn_slot *s = &t->slots[slot];

	if (order == ORDER_LATE || ++s->doubt < 2)
		return false;
	if (s->extension) {
		struct wsn_slot *owner = &t->slots[s->key];

		if (owner->carry == slot)
			owner->carry = WSN_NO_SLOT;
	} else {
		wsn_slot_unlink(t, slot);
	}
	s->used = s->extension = false;
	s->awaits = 0;
	return true;
}

static bool carry_fits(uint64_t calls, uint64_t total)
{
	return calls >> (63 - CALLS_BITS) == 0 && total >> (63 - TOTAL_BITS) == 0;
}

static void take_extension(struct wsn *w, const struct wsn_row *row, enum wsn_order order,
			   uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	struct wsn_slot *s, *owner;
	bool fresh;

	/* Both must exist before either is pointed at: making one may move the other. */
	if (!wsn_slot(t, row->from) || !wsn_slot(t, row->slot) ||
	    !carry_fits(row->calls, row->total))
		return;
	s = &t->slots[row->slot];
	owner = &t->slots[row->from];
	if (s->used && (!s->extension || s->key != row->from) && !give_way(t, row->slot, order))
		return;
	fresh = !s->used;
	if (!fresh && is_less(s, row) && (order == ORDER_LATE || ++s->doubt < 2))
		return;
	if (!fresh && row->calls == s->calls && row->total == s->total) {
		s->seq = seq > s->seq ? seq : s->seq;
		return;
	}
	s->used = s->extension = true;
	s->key = row->from;
	put(s, row, seq);
	owner->carry = row->slot;
	if (!owner->used || owner->extension)
		return;
	if (owner->awaits & AWAITS_CARRY)
		owner->awaits = 0;
	else if (owner->seq <= s->seq)
		owner->awaits = AWAITS_OWN;
	if (!owner->awaits)
		make_whole(t, owner);
}

/* --- rows ---------------------------------------------------------------------------------------- */

/* The row's own figures moved: what does that say of its extension? */
static void settle_carry(struct wsn_table *t, struct wsn_slot *s, bool wrapped)
{
	bool own = s->awaits & AWAITS_OWN;

	if (own)
		s->awaits = 0;
	else if (wrapped)
		s->awaits = AWAITS_CARRY;
	if (s->awaits && ++s->patience >= PATIENCE)
		s->awaits = 0;		/* its extension found no slot: STATUS says so */
	if (!s->awaits)
		make_whole(t, s);
}

static void take_again(struct wsn_table *t, struct wsn_slot *s, const struct wsn_row *row,
		       enum wsn_order order, uint64_t seq)
{
	bool less = is_less(s, row), wrapped = less && has_wrapped(s, row);

	if (less && order == ORDER_LATE)
		return;
	if (order == ORDER_LATE && seq < s->seq && s->carry != WSN_NO_SLOT)
		return;			/* more than now: from before it began anew */
	if (less && !wrapped && ++s->doubt < 2)
		return;
	put(s, row, seq);
	settle_carry(t, s, wrapped);
}

static void take_first(struct wsn *w, const struct wsn_row *row, uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	uint32_t entry = wsn_entry(w, row, TOTAL_SITE);
	struct wsn_slot *s = &t->slots[row->slot];

	if (entry == MAP_NONE || !wsn_slot_link(t, row->slot, entry))
		return;
	s->seq = seq;
	put(s, row, seq);
	s->awaits = s->patience = 0;
	make_whole(t, s);
}

void wsn_site_take(struct wsn *w, const struct wsn_row *row, enum wsn_order order, uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	struct wsn_slot *s;

	if (row->extension) {
		take_extension(w, row, order, seq);
		return;
	}
	s = wsn_slot(t, row->slot);
	if (!s)
		return;
	if (s->used && !s->extension && t->entries[s->key].raw == row->from &&
	    t->entries[s->key].to == row->to)
		take_again(t, s, row, order, seq);
	else if (!s->used || give_way(t, row->slot, order))
		take_first(w, row, seq);
}
