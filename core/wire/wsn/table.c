/*
 * wsn/table: slots -> running totals by address (docs/PROTOCOL.md, 3).
 *
 * A slot holds what the node said of it last; an entry is an address pair, with the slots that hold
 * it and what was closed. What a frame changed is given out at its end.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

#include "core/base/mem.h"

/* --- life ------------------------------------------------------------------------------------- */

void wsn_table_release(struct wsn_table *t)
{
	mem_free(t->slots);
	mem_free(t->entries);
	mem_free(t->changed);
	mem_free(t->held);
	map_release(&t->map);
}

void wsn_table_clear(struct wsn_table *t)
{
	t->slot_count = t->entry_count = t->changed_count = t->owed_count = t->held_count = 0;
	map_clear(&t->map);
	t->closed = (struct wsn_closed){ 0 };
}

/* --- slots ------------------------------------------------------------------------------------ */

struct wsn_slot *wsn_slot(struct wsn_table *t, uint32_t i)
{
	if (i < t->slot_count)
		return &t->slots[i];
	if (mem_grow(&t->slots, &t->slot_cap, (size_t)i + 1, sizeof(*t->slots)) < 0)
		return NULL;
	memset(t->slots + t->slot_count, 0, (i + 1 - t->slot_count) * sizeof(*t->slots));
	for (; t->slot_count <= i; t->slot_count++)
		t->slots[t->slot_count].carry = WSN_NO_SLOT;
	return &t->slots[i];
}

bool wsn_slot_link(struct wsn_table *t, uint32_t slot, uint32_t entry)
{
	struct wsn_entry *e = &t->entries[entry];
	struct wsn_slot *s = &t->slots[slot];

	if (e->slots == WSN_ALIKE)
		return false;
	s->next = e->first;
	e->first = slot;
	e->slots++;
	s->key = entry;
	s->used = true;
	s->extension = s->sure = s->sure_wrap = false;
	s->doubt = 0;
	return true;
}

void wsn_slot_unlink(struct wsn_table *t, uint32_t slot)
{
	struct wsn_slot *s = &t->slots[slot];
	struct wsn_entry *e = &t->entries[s->key];
	uint32_t *at = &e->first;

	while (*at != slot)
		at = &t->slots[*at].next;
	*at = s->next;
	e->slots--;
	s->used = false;
	wsn_entry_changed(t, s->key);
}

/* --- entries ---------------------------------------------------------------------------------- */

/* How well does a return address fit the callee? */
static int caller_fit(const struct codemap *code, uint64_t from, uint64_t to)
{
	unsigned flags = code_flags(code, from);
	uint64_t target;

	if (!(flags & CODE_RETURN))
		return flags & CODE_TEXT ? 1 : 0;
	target = code->target ? code->target(code->ctx, from) : CODE_NO_TARGET;
	if (target == CODE_NO_TARGET)
		return 3;
	return target == (code->normal ? code->normal(code->ctx, to) : to) ? 4 : 2;
}

/*
 * A compiler for a 22-bit program counter passes 16 bits of the return address: 128 KB are one
 * page. The one whose call goes to the callee is it; else one behind any indirect call, or any
 * call.
 */
static void page_find(struct wsn_entry *e, const struct codemap *code)
{
	const uint64_t page = 0x20000;
	uint64_t end = code ? code->base + code->size : 0;
	int best = 0;
	bool tie = true;

	e->from = e->raw;
	e->flags &= (uint16_t)~(ROW_BIT16 | ROW_AMBIGUOUS);
	for (uint64_t from = e->raw; from < end && from <= UINT32_MAX; from += page) {
		int f = caller_fit(code, from, e->to);

		if (f < best || f == 0)
			continue;
		tie = f == best;
		if (!tie)
			e->from = (uint32_t)from;
		best = f;
	}
	if (tie) {
		e->from = e->raw;
		e->flags |= ROW_AMBIGUOUS;
	} else if (e->from != e->raw) {
		e->flags |= ROW_BIT16;
	}
}

static void entry_resolve(const struct wsn *w, struct wsn_entry *e)
{
	if (e->flags & ROW_HANDLER)
		e->from = 0;
	else if (w->hello.wire.arch == WSN_ARCH_AVR22)
		page_find(e, w->wire.code);
	else
		e->from = e->raw;
}

uint32_t wsn_entry(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind)
{
	struct wsn_table *t = &w->table[kind];
	uint64_t key = (uint64_t)row->from << 32 | row->to;
	uint32_t i = map_get(&t->map, key);
	struct wsn_entry *e;

	if (i != MAP_NONE)
		return i;
	if (t->entry_count == WSN_KEYS ||
	    mem_grow(&t->entries, &t->entry_cap, t->entry_count + 1, sizeof(*t->entries)) < 0 ||
	    map_put(&t->map, key, (uint32_t)t->entry_count) < 0)
		return MAP_NONE;
	i = (uint32_t)t->entry_count++;
	e = &t->entries[i];
	*e = (struct wsn_entry){ .raw = row->from, .to = row->to, .first = WSN_NO_SLOT,
				 .flags = row->handler ? ROW_HANDLER : 0 };
	if (kind == TOTAL_PC)
		e->from = e->raw;
	else
		entry_resolve(w, e);
	return i;
}

void wsn_entry_changed(struct wsn_table *t, uint32_t entry)
{
	struct wsn_entry *e = &t->entries[entry];

	if (e->changed)
		return;
	if (t->changed_count == t->changed_cap &&
	    mem_grow(&t->changed, &t->changed_cap, t->changed_count + 1, sizeof(*t->changed)) < 0)
		return;
	e->changed = true;
	t->changed[t->changed_count++] = entry;
}

/* --- arcs and PCs ----------------------------------------------------------------------------- */

/* The node does not send the part of a count above its width again: it is final. */
static void passed_keep(struct wsn_table *t, uint32_t slot)
{
	struct wsn_slot *s = &t->slots[slot];
	uint64_t own = s->whole_calls & UINT32_MAX;

	t->entries[s->key].closed += s->whole_calls - own;
	s->whole_calls = own;
}

/*
 * A row that leaves its slot is told once more, by its closing, but later: rows of its address may
 * have come in between, from another slot or the same. Until the closing comes, the count that the
 * slot had last stands for it.
 */
static void closing_owe(struct wsn_table *t, uint32_t slot, uint64_t seq)
{
	struct wsn_slot *s = &t->slots[slot];
	struct wsn_entry *e = &t->entries[s->key];

	if (s->seq < e->told_seq || e->owed == UINT8_MAX || (!e->owed && t->owed_count == WSN_OWED))
		return;		/* its closing came already, taken for another's; or no room */
	if (!e->owed++)
		t->owed[t->owed_count++] = s->key;
	e->pending += s->whole_calls;
	e->owed_slot = slot;
	e->owed_seq = seq;
}

static void closing_settle(struct wsn_table *t, uint32_t entry)
{
	size_t i = 0;

	while (t->owed[i] != entry)
		i++;
	t->owed[i] = t->owed[--t->owed_count];
	t->entries[entry].owed = 0;
	t->entries[entry].pending = 0;
	wsn_entry_changed(t, entry);
}

void wsn_table_forget_owed(struct wsn_table *t, uint64_t until)
{
	for (size_t i = t->owed_count; i-- > 0;) {
		if (t->entries[t->owed[i]].owed_seq < until)
			closing_settle(t, t->owed[i]);
	}
}

/*
 * It is back in the slot it left, and did not restart from 0: it never left, the row in between was
 * noise.
 */
static void closing_cancel(struct wsn_table *t, uint32_t entry, const struct wsn_row *row)
{
	const struct wsn_entry *e = &t->entries[entry];

	if (e->owed == 1 && e->owed_slot == row->slot && row->calls >= e->pending)
		closing_settle(t, entry);
}

/* The slot's row of before is void: its closing tells the count. */
static void slot_leave(struct wsn_table *t, uint32_t slot, uint64_t seq)
{
	passed_keep(t, slot);
	closing_owe(t, slot, seq);
	wsn_slot_unlink(t, slot);
}

/*
 * Rows of a slot may be of any address; the newest frame is right. But one count far ahead is
 * noise.
 */
static void counted_take(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
			 uint64_t seq)
{
	struct wsn_table *t = &w->table[kind];
	struct wsn_slot *s = wsn_slot(t, row->slot);
	uint64_t calls = row->calls;
	bool near = false;
	uint32_t entry;

	if (!s || seq < s->seq ||
	    (!s->used && !wsn_row_confirm(w, row, kind, ORDER_NEXT, seq)))
		return;
	entry = wsn_entry(w, row, kind);
	if (entry == MAP_NONE || seq < t->entries[entry].closed_seq)
		return;
	if (s->used && s->key == entry) {
		near = wsn_follow(s->whole_calls, &calls, WSN_COUNT_BITS, wsn_may_wrap(w, s));
		if (!near && calls > s->whole_calls && ++s->doubt < 2)
			return;
	}
	if (s->used && (s->key != entry || calls < s->whole_calls)) {
		slot_leave(t, row->slot, seq);
		calls = row->calls;
	}
	if (!s->used)
		closing_cancel(t, entry, row);
	if (!s->used && !wsn_slot_link(t, row->slot, entry))
		return;
	s->seq = seq;
	s->sure = near;
	s->doubt = 0;
	s->whole_calls = calls;
	wsn_entry_changed(t, entry);
}

/* Slots' counts of this address from before the closing are part of it, unless larger. */
static void slots_close(struct wsn_table *t, struct wsn_entry *e, uint64_t count, uint64_t seq)
{
	uint32_t next;

	for (uint32_t i = e->first; i != WSN_NO_SLOT; i = next) {
		next = t->slots[i].next;
		if (t->slots[i].seq >= seq || (t->slots[i].whole_calls & UINT32_MAX) > count)
			continue;
		passed_keep(t, i);
		wsn_slot_unlink(t, i);
	}
}

/* The count is final. */
static void closed_take(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
			uint64_t seq)
{
	struct wsn_table *t = &w->table[kind];
	uint32_t entry = wsn_row_is_odd(w, row, kind) ? MAP_NONE : wsn_entry(w, row, kind);
	struct wsn_entry *e;

	if (entry == MAP_NONE) {
		t->closed.forgotten += row->calls;
		return;
	}
	e = &t->entries[entry];
	t->closed.rows++;
	e->closed += row->calls;
	if (seq > e->told_seq)
		e->told_seq = seq;
	if (e->owed && e->owed_seq + WSN_OWED_AGE < seq)
		closing_settle(t, entry);
	if (e->owed == 1) {
		closing_settle(t, entry);
	} else if (e->owed) {
		e->owed--;
		e->pending -= row->calls < e->pending ? row->calls : e->pending;
	} else {
		slots_close(t, e, row->calls, seq);
		if (seq > e->closed_seq)
			e->closed_seq = seq;
	}
	wsn_entry_changed(t, entry);
	if (!t->entries[entry].slots)
		wsn_held_closed(w, row, kind, entry);
}

void wsn_row_take(struct wsn *w, const struct wsn_row *row, enum wire_total_kind kind,
		  enum wsn_order order, uint64_t seq)
{
	if (kind == TOTAL_SITE)
		wsn_site_take(w, row, order, seq);
	else
		counted_take(w, row, kind, seq);
}

void wsn_table_rows(struct wsn *w, const struct wsn_rows *r, enum wsn_order order, uint64_t seq)
{
	struct wsn_table *t = &w->table[r->kind];
	bool gap = false;

	if (r->closed && !wsn_closed_take(&t->closed, r->before, r->sum, order, &gap))
		return;
	if (gap)
		wsn_table_forget_owed(t, seq);
	for (size_t i = 0; i < r->count; i++) {
		if (r->closed)
			closed_take(w, &r->row[i], r->kind, seq);
		else
			wsn_row_take(w, &r->row[i], r->kind, order, seq);
	}
	wsn_table_give(w, r->kind);
}

/* --- giving out ------------------------------------------------------------------------------- */

/* Sixteenths of a tick, to the nearest. */
static uint64_t less_skew(uint64_t ticks, uint64_t calls, int16_t skew)
{
	__int128 t;

	if (skew == 0)
		return ticks;
	t = ((__int128)ticks * 16 - (__int128)calls * skew + 8) >> 4;

	return t < 0 ? 0 : t > UINT64_MAX ? UINT64_MAX : (uint64_t)t;
}

static uint64_t count_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void total_add_slot(struct wire_total *out, const struct wsn_slot *s)
{
	if (s->whole_calls && (out->calls == 0 || s->min < out->min))
		out->min = s->min;
	if (s->whole_calls && s->max > out->max)
		out->max = s->max;
	out->calls = count_add(out->calls, s->whole_calls);
	out->total = count_add(out->total, s->whole_total);
	for (size_t i = 0; out->has & TOTAL_HISTOGRAM && i < WIRE_BUCKETS; i++)
		out->bucket[i] = count_add(out->bucket[i], s->bucket[i]);
}

static uint8_t total_parts(const struct wsn *w, enum wire_total_kind kind)
{
	unsigned f = w->hello.wire.features;

	if (kind != TOTAL_SITE || !(f & WSN_F_TIMED))
		return 0;
	return (uint8_t)(TOTAL_TIMED | (f & WSN_F_MINMAX ? TOTAL_MINMAX : 0) |
			 (f & WSN_F_HISTOGRAM ? TOTAL_HISTOGRAM : 0));
}

static void total_make(const struct wsn *w, enum wire_total_kind kind, const struct wsn_entry *e,
		       struct wire_total *out)
{
	const struct wsn_table *t = &w->table[kind];
	int16_t skew = w->hello.skew;

	*out = (struct wire_total){ .kind = kind, .from = e->from, .to = e->to,
				    .calls = count_add(e->closed, e->pending),
				    .flags = e->flags, .has = total_parts(w, kind),
				    .run = wsn_age_run(w) };
	for (uint32_t i = e->first; i != WSN_NO_SLOT; i = t->slots[i].next)
		total_add_slot(out, &t->slots[i]);
	if (!e->slots && !e->closed && !e->pending)
		out->flags |= ROW_GONE;
	if (!out->has)
		return;
	if (w->hello.wire.features & WSN_F_CODED)
		out->flags |= (uint16_t)((out->max >= WSN_LONGEST ? ROW_MAX_AT_LEAST : 0) |
					 (out->min >= WSN_LONGEST ? ROW_MIN_AT_LEAST : 0));
	out->total = less_skew(out->total, out->calls, skew);
	out->min = less_skew(out->min, 1, skew);
	out->max = less_skew(out->max, 1, skew);
}

static void totals_give(struct wsn *w, const struct wire_total *v, size_t n)
{
	w->said = true;
	if (n && w->wire.sink.totals)
		w->wire.sink.totals(w->wire.sink.ctx, v, n);
}

void wsn_table_give(struct wsn *w, enum wire_total_kind kind)
{
	struct wsn_table *t = &w->table[kind];
	struct wire_total batch[WSN_BATCH];
	size_t n = 0;

	for (size_t i = 0; i < t->changed_count; i++) {
		struct wsn_entry *e = &t->entries[t->changed[i]];

		e->changed = false;
		total_make(w, kind, e, &batch[n++]);
		if (n == WSN_BATCH) {
			totals_give(w, batch, n);
			n = 0;
		}
	}
	t->changed_count = 0;
	if (n)
		totals_give(w, batch, n);
}

void wsn_lost_give(struct wsn *w, const struct wsn_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct wire_total lost = {
			.kind = r->kind, .from = r->row[i].from, .to = r->row[i].to,
			.calls = r->row[i].calls, .flags = ROW_LOST,
		};

		totals_give(w, &lost, 1);
	}
}

/* --- another image ---------------------------------------------------------------------------- */

/* The entry has another address now: take back the totals of the old one. */
static void total_take_back(struct wsn *w, enum wire_total_kind kind, const struct wsn_entry *old)
{
	struct wire_total gone = { .kind = kind, .from = old->from, .to = old->to,
				   .flags = (uint16_t)(old->flags | ROW_GONE),
				   .has = total_parts(w, kind) };

	totals_give(w, &gone, 1);
}

void wsn_table_resolve(struct wsn *w)
{
	for (int kind = TOTAL_SITE; kind <= TOTAL_ARC; kind++) {
		struct wsn_table *t = &w->table[kind];

		for (size_t i = 0; i < t->entry_count; i++) {
			struct wsn_entry *e = &t->entries[i], old = *e;

			entry_resolve(w, e);
			if (e->from == old.from && e->flags == old.flags)
				continue;
			if (e->from != old.from)
				total_take_back(w, (enum wire_total_kind)kind, &old);
			wsn_entry_changed(t, (uint32_t)i);
		}
		wsn_table_give(w, (enum wire_total_kind)kind);
	}
}
