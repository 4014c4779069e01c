/*
 * wsn/held: rows that wait for a second frame which tells the same (docs/PROTOCOL.md, 3).
 *
 * A CRC of 16 bits lets one damaged frame in 65,536 pass. What such a frame says of a row that is
 * known is mended by the rows that follow; a row in a free slot has none that contradict it, and
 * would count to the end of the epoch. So it waits there: an address that another slot holds
 * already; and, once the table was told, one that the image does not vouch for.
 */
#include "core/wire/wsn/state.h"

#include "core/base/map.h"
#include "core/base/mem.h"

enum { VOUCHED_SAMPLES = 256 };	/* at a PC inside the code: more of them wait */

/* The slot's, or NULL. */
static struct wsn_held *held_find(const struct wsn_table *t, uint32_t slot)
{
	uint32_t at = slot < t->slot_count ? t->slots[slot].held : 0;

	return at ? &t->held[at - 1] : NULL;
}

/* The last one takes its place. */
static struct wsn_held held_remove(struct wsn_table *t, struct wsn_held *h)
{
	struct wsn_held out = *h;

	t->slots[h->row.slot].held = 0;
	*h = t->held[--t->held_count];
	if (h != &t->held[t->held_count])
		t->slots[h->row.slot].held = (uint32_t)(h - t->held) + 1;
	return out;
}

/* entry: of its address, where it has one. Without memory it is not kept: it comes again. */
static void held_add(struct wsn_table *t, uint32_t entry, const struct wsn_row *row,
		     enum wsn_order order, uint64_t seq)
{
	if (mem_grow(&t->held, &t->held_cap, t->held_count + 1, sizeof(*t->held)) < 0)
		return;
	t->held[t->held_count++] = (struct wsn_held){ .row = *row, .order = order, .seq = seq };
	t->slots[row->slot].held = (uint32_t)t->held_count;
	if (entry != MAP_NONE)
		t->entries[entry].held = row->slot;
}

/* --- the image -------------------------------------------------------------------------------- */

static bool call_is_vouched(const struct wsn *w, const struct wsn_row *row)
{
	const struct codemap *code = w->wire.code;
	uint64_t page = w->hello.wire.arch == WSN_ARCH_AVR22 ? 0x20000 : UINT64_MAX;

	if (row->handler)
		return code_flags(code, row->to) & CODE_ENTRY;
	if (!(code_flags(code, row->to) & (CODE_ENTRY | CODE_EARLY)))
		return false;
	for (uint64_t from = row->from; from < code->base + code->size; from += page) {
		if (code_flags(code, from) & CODE_RETURN)
			return true;
		if (page == UINT64_MAX)
			break;
	}
	return false;
}

/* An extension comes when its row has passed its width. */
static bool row_is_vouched(const struct wsn *w, const struct wsn_row *row,
			   enum wire_total_kind kind)
{
	const struct wsn_table *t = &w->table[kind];

	if (row->extension)
		return row->from < t->slot_count && t->slots[row->from].awaits_carry;
	if (!w->wire.code)
		return false;
	if (kind == TOTAL_PC)
		return code_flags(w->wire.code, row->from) & CODE_TEXT &&
		       row->calls < VOUCHED_SAMPLES;
	return call_is_vouched(w, row);
}

bool wsn_row_is_odd(const struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind)
{
	uint64_t key = (uint64_t)row->from << 32 | row->to;

	unsigned flags;

	if (!w->wire.code || kind == TOTAL_PC || map_get(&w->table[kind].map, key) != MAP_NONE)
		return false;
	flags = code_flags(w->wire.code, row->to);
	return flags & CODE_TEXT && !(flags & (CODE_ENTRY | CODE_EARLY));
}

/* --- rows ------------------------------------------------------------------------------------- */

static void held_row_take(struct wsn *w, enum wire_total_kind kind, struct wsn_held *at)
{
	struct wsn_held h = held_remove(&w->table[kind], at);

	w->sure = true;
	wsn_row_take(w, &h.row, kind, h.order, h.seq);
	w->sure = false;
}

bool wsn_row_confirm(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		     enum wsn_order order, uint64_t seq)
{
	struct wsn_table *t = &w->table[kind];
	uint64_t key = (uint64_t)row->from << 32 | row->to;
	uint32_t entry = map_get(&t->map, key);
	struct wsn_held *h = held_find(t, row->slot);
	bool same = h && h->row.from == row->from && h->row.to == row->to;

	/* An arc or PC went through the slot: until its closing comes its count stands. */
	if (h && !same && kind != TOTAL_SITE) {
		held_row_take(w, kind, h);
		return true;
	}
	if (h)
		held_remove(t, h);
	if (same || w->sure ||
	    (entry == MAP_NONE ? w->age.refresh < WSN_JOINED || row_is_vouched(w, row, kind) :
				 !t->entries[entry].slots))
		return true;
	held_add(t, entry, row, order, seq);
	return false;
}

/* The one that stands in another slot than the address is in, or NULL. */
static struct wsn_held *held_find_key(const struct wsn_table *t, const struct wsn_row *row,
				      uint32_t entry)
{
	struct wsn_held *h = held_find(t, t->entries[entry].held);

	return h && h->row.from == row->from && h->row.to == row->to ? h : NULL;
}

void wsn_held_closed(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		     uint32_t entry)
{
	struct wsn_held *h = held_find_key(&w->table[kind], row, entry);

	if (h)
		held_row_take(w, kind, h);
}

/*
 * A site that stands in another slot stays out: one of the two is wrong. So does an extension: it
 * would be a leap of 2^24 calls. Arcs and PCs move, and an arc may have several slots.
 */
static bool held_is_likely(const struct wsn_table *t, const struct wsn_row *row,
			   enum wire_total_kind kind)
{
	uint32_t entry = map_get(&t->map, (uint64_t)row->from << 32 | row->to);

	return kind != TOTAL_SITE ||
	       (!row->extension && (entry == MAP_NONE || !t->entries[entry].slots));
}

void wsn_held_give(struct wsn *w)
{
	for (int kind = 0; kind < WSN_TABLES; kind++) {
		struct wsn_table *t = &w->table[kind];

		while (t->held_count) {
			if (held_is_likely(t, &t->held[0].row, (enum wire_total_kind)kind))
				held_row_take(w, (enum wire_total_kind)kind, t->held);
			else
				held_remove(t, t->held);
		}
		wsn_table_give(w, (enum wire_total_kind)kind);
	}
}
