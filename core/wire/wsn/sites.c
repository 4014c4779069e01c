/*
 * wsn/sites: rows of call sites and the rows that extend them (docs/PROTOCOL.md, 3).
 *
 * A node's counter that passes its width wraps to 0, and its extension counts one more. Both
 * travel in different frames, so that the host may know one without the other: until they fit
 * again, the figures of before stand. All figures only grow: a row that has less is an old one.
 * Only when newer frames insist was it noise, let pass by the CRC, that grew too far.
 *
 * Counters with a width and no extension, an ARM's calls and all buckets, are carried here; so are
 * those that wrapped while STATUS tells of extensions that found no slot.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

#define CALLS_BITS 24		/* an extension counts multiples of 2^24 calls */
#define TOTAL_BITS 32		/* and of 2^32 ticks */
/*
 * Rows for which a missing extension is waited for; the fewer when STATUS says that some found no
 * slot.
 */
#define PATIENCE 64
#define PATIENCE_LOST 4

/* --- counters that wrap ----------------------------------------------------------------------- */

/*
 * A counter that is less than it was has passed its width, or one of the two figures is wrong:
 * noise that the CRC let pass, or a node that restarted and has not said so yet. It has passed its
 * width only when it got there in small steps, and the step over it is a small one, too: between
 * two of its rows a counter moves by far less than a quarter of its width. (2^22 calls take an AVR
 * a minute or more, 2^30 a Cortex-M longer.) Anything else is noise, and must not make a total
 * jump.
 */
static uint64_t width_mask(unsigned bits)
{
	return (UINT64_C(1) << bits) - 1;
}

/* Is the newer of two figures a small step ahead? */
static bool count_is_near(uint64_t old, uint64_t now, unsigned bits)
{
	return ((now - old) & width_mask(bits)) <= width_mask(bits) / 4;
}

bool wsn_follow(uint64_t old, uint64_t *now, unsigned bits, bool may_wrap)
{
	uint64_t ahead = (*now - old) & width_mask(bits);

	*now |= old & ~width_mask(bits);
	if (ahead > width_mask(bits) / 4 || (*now < old && !may_wrap))
		return false;
	*now = old + ahead;
	return true;
}

bool wsn_may_wrap(const struct wsn *w, const struct wsn_slot *s)
{
	return s->sure && w->epoch.backward == 0;
}

/* The counter that was at `old` may have passed its width to get to `now`. */
static bool count_may_wrap(uint64_t old, uint64_t now, unsigned bits)
{
	return now >= old || (old >> (bits - 1)) == 1;
}

/* --- two figures of a row --------------------------------------------------------------------- */

/* Which of the row's counters are less than the slot's. */
static uint8_t counts_lesser(const struct wsn_slot *s, const struct wsn_row *row)
{
	return (uint8_t)((row->calls < s->calls ? COUNTS_CALLS : 0) |
			 (row->total < s->total ? COUNTS_TOTAL : 0));
}

static uint8_t counts_greater(const struct wsn_slot *s, const struct wsn_row *row)
{
	return (uint8_t)((row->calls > s->calls ? COUNTS_CALLS : 0) |
			 (row->total > s->total ? COUNTS_TOTAL : 0));
}

static bool has_wrapped(const struct wsn_slot *s, const struct wsn_row *row)
{
	return count_may_wrap(s->calls, row->calls, CALLS_BITS) &&
	       count_may_wrap(s->total, row->total, TOTAL_BITS);
}

static void row_put(struct wsn_slot *s, const struct wsn_row *row, uint64_t seq)
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
	s->whole_calls = calls + s->lost_calls;
	s->whole_total = total + s->lost_total;
	s->patience = 0;
	wsn_entry_changed(t, s->key);
}

/* --- extensions ------------------------------------------------------------------------------- */

/*
 * The slot holds something else than this row's key; is it to be emptied? One contradiction is
 * noise.
 */
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
	s->awaits_carry = s->awaits_own = 0;
	return true;
}

static bool carry_fits(uint64_t calls, uint64_t total)
{
	return calls >> (63 - CALLS_BITS) == 0 && total >> (63 - TOTAL_BITS) == 0;
}

/* The slot holds this extension, or may hold it from now on. */
static bool hold_extension(struct wsn *w, const struct wsn_row *row, enum wsn_order order,
			   uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	struct wsn_slot *s = &t->slots[row->slot];

	if (s->used && (!s->extension || s->key != row->from) && !give_way(t, row->slot, order))
		return false;
	if (s->used)
		return !counts_lesser(s, row) || (order != ORDER_LATE && ++s->doubt >= 2);
	if (!wsn_row_confirm(w, row, TOTAL_SITE, order, seq))
		return false;
	s->used = s->extension = true;
	s->key = row->from;
	s->calls = s->total = s->seq = 0;
	return true;
}

static void take_extension(struct wsn *w, const struct wsn_row *row, enum wsn_order order,
			   uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	struct wsn_slot *s, *owner;
	uint8_t grew, early;

	/* Both must exist before either is pointed at: making one may move the other. */
	if (!wsn_slot(t, row->from) || !wsn_slot(t, row->slot) ||
	    !carry_fits(row->calls, row->total) || !hold_extension(w, row, order, seq))
		return;
	s = &t->slots[row->slot];
	owner = &t->slots[row->from];
	grew = counts_greater(s, row);
	row_put(s, row, seq);
	owner->carry = row->slot;
	if (!owner->used || owner->extension)
		return;
	owner->lost_calls = owner->lost_total = 0;	/* it has a slot, and so all of them */
	early = owner->seq <= seq ? grew & (uint8_t)~owner->awaits_carry : 0;
	owner->awaits_carry &= (uint8_t)~grew;
	owner->awaits_own |= early;
	if (grew && !owner->awaits_carry && !owner->awaits_own)
		make_whole(t, owner);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* More than now may be from before the counter wrapped: only the order tells. */
static bool is_old(const struct wsn_table *t, const struct wsn_slot *s, uint64_t seq)
{
	return seq < s->seq || (s->carry != WSN_NO_SLOT && seq < t->slots[s->carry].seq);
}

/* The extension does not come. When some found no slot, it is this one: count in its stead. */
static void give_up_carry(const struct wsn *w, struct wsn_slot *s)
{
	if (w->status.carries_lost && s->sure_wrap) {
		s->lost_calls += s->awaits_carry & COUNTS_CALLS ? UINT64_C(1) << CALLS_BITS : 0;
		s->lost_total += s->awaits_carry & COUNTS_TOTAL ? UINT64_C(1) << TOTAL_BITS : 0;
	}
	s->awaits_carry = 0;
}

/* The row's own figures moved: what does that say of its extension? */
static void settle_carry(struct wsn *w, struct wsn_slot *s, uint8_t wrapped)
{
	int patience = w->status.carries_lost ? PATIENCE_LOST : PATIENCE;

	s->awaits_carry |= wrapped & (uint8_t)~s->awaits_own;
	s->awaits_own = 0;
	if (s->awaits_carry && ++s->patience >= patience)
		give_up_carry(w, s);
	if (!s->awaits_carry)
		make_whole(&w->table[TOTAL_SITE], s);
}

/*
 * Counters that no row extends, with all that they passed. false: one of them moved by no small
 * step. An ARM's total has 64 bits: the calls have not passed their width when it fell.
 */
static bool row_follow(const struct wsn *w, const struct wsn_slot *s, struct wsn_row *row)
{
	bool arm = wsn_is_arm(&w->hello), may = wsn_may_wrap(w, s), near = true;

	if (arm) {
		may = may && row->total >= s->total;
		near = wsn_follow(s->calls, &row->calls, WSN_COUNT_BITS, may);
	}
	for (size_t i = 0; w->hello.wire.features & WSN_F_HISTOGRAM && i < WIRE_BUCKETS; i++)
		near &= wsn_follow(s->bucket[i], &row->bucket[i], wsn_bucket_bits(&w->hello), may);
	return near;
}

/* Did those that have an extension move by small steps, too? */
static bool is_sure(const struct wsn *w, const struct wsn_slot *s, const struct wsn_row *row)
{
	return wsn_is_arm(&w->hello) || (count_is_near(s->calls, row->calls, CALLS_BITS) &&
					 count_is_near(s->total, row->total, TOTAL_BITS));
}

static void take_again(struct wsn *w, struct wsn_slot *s, const struct wsn_row *sent,
		       enum wsn_order order, uint64_t seq)
{
	struct wsn_row row = *sent;
	bool near = row_follow(w, s, &row);
	uint8_t less = counts_lesser(s, &row);
	bool wrapped = less && !wsn_is_arm(&w->hello) && has_wrapped(s, &row);
	bool odd = !near || (less && !wrapped);

	if (order == ORDER_LATE && (odd || less || is_old(&w->table[TOTAL_SITE], s, seq)))
		return;
	if (odd && ++s->doubt < 2)
		return;
	if (wrapped)
		s->sure_wrap = s->sure;
	s->sure = near && is_sure(w, s, &row);
	wsn_age_row(w, s, row.calls > s->calls ? row.calls - s->calls : 0);
	row_put(s, &row, seq);
	settle_carry(w, s, wrapped ? less : 0);
}

/* A site has one slot: what stands elsewhere under its address was noise. */
static void site_leave_others(struct wsn_table *t, struct wsn_entry *e)
{
	while (e->slots)
		wsn_slot_unlink(t, e->first);
}

static void take_first(struct wsn *w, const struct wsn_row *row, uint64_t seq)
{
	struct wsn_table *t = &w->table[TOTAL_SITE];
	uint32_t entry = wsn_entry(w, row, TOTAL_SITE);
	struct wsn_slot *s = &t->slots[row->slot];

	if (entry == MAP_NONE)
		return;
	site_leave_others(t, &t->entries[entry]);
	if (!wsn_slot_link(t, row->slot, entry))
		return;
	s->seq = seq;
	s->pace = 0;
	wsn_age_first(w, s);
	row_put(s, row, seq);
	s->awaits_carry = s->patience = 0;
	s->lost_calls = s->lost_total = 0;
	s->awaits_own = is_old(t, s, seq) ? COUNTS_CALLS | COUNTS_TOTAL : 0;
	s->whole_calls = s->whole_total = 0;
	if (!s->awaits_own)
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
		take_again(w, s, row, order, seq);
	else if (s->used ? give_way(t, row->slot, order) :
			   wsn_row_confirm(w, row, TOTAL_SITE, order, seq))
		take_first(w, row, seq);
}
