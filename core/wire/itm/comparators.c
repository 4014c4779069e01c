/* itm/comparators: see comparators.h. */
#include "core/wire/itm/comparators.h"

#include <string.h>

#define ALL UINT32_MAX
#define DWT_COMP(i) (0xe0001020u + 16 * (i))
#define DWT_MASK(i) (0xe0001024u + 16 * (i))
#define DEVARCH_V8 0x1a02u
#define CTRL_COMPARATORS(ctrl) ((ctrl) >> 28)

enum {
	BLOCK_MOST = 16,		/* log2: an address packet has so many bits */
	EMITRANGE = 1 << 5,		/* v7-M: the address in place of the PC */
	ANY_FUNCTION = 0xf,
	V7_DEBUG_FIRST = 4, V7_DEBUG_LAST = 11,	/* debug events and triggers of others */
	V8_ENTRY = 2,			/* MATCH: an instruction's address */
	V8_ACTION = 3 << 4, V8_ACTION_DEBUG = 1 << 4, V8_ACTION_MATCH = 2 << 4,
	V8_ACTION_PC_VALUE = 3 << 4, V8_SIZE_SHIFT = 10, V8_CHECK = 0xc3f,
	V8_ID_SHIFT = 27, V8_ID_DATA = 8, V8_ID_ENTRY = 2,
};

/* By the accesses that are wanted: WATCH_READS, WATCH_WRITES, both. */
static const uint8_t v7_functions[] = { 15, 14, 15, 3 };
static const uint8_t v7_addresses[] = { EMITRANGE | 13, EMITRANGE | 12, EMITRANGE | 13,
					EMITRANGE | 1 };
static const uint8_t v8_matches[] = { 13, 14, 13, 12 };

struct comparators comparators_of(uint32_t ctrl, uint32_t devarch)
{
	struct comparators c = { .count = CTRL_COMPARATORS(ctrl),
				 .v8 = (devarch & 0xffff) == DEVARCH_V8 };

	if (c.count > COMPARATORS_MOST)
		c.count = COMPARATORS_MOST;
	return c;
}

static bool is_others(const struct comparators *c, unsigned i)
{
	uint32_t f = c->functions[i];

	if (c->v8)
		return f & ANY_FUNCTION && (f & V8_ACTION) <= V8_ACTION_DEBUG;
	return (f & ANY_FUNCTION) >= V7_DEBUG_FIRST && (f & ANY_FUNCTION) <= V7_DEBUG_LAST;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void watch_row_add(struct comparators_plan *p, uint8_t point, uint32_t address,
			  uint32_t value, uint32_t check)
{
	p->row_points[p->rows_n] = point;
	p->rows[p->rows_n++] = (struct swo_register){
		.name = "DWT comparator", .address = address, .value = value, .mask = ALL,
		.check = check, .wrong = "",
	};
}

static void match_rows(struct comparators_plan *p, const struct comparators *c, unsigned i,
		       uint8_t point, const struct comparators_match *m)
{
	watch_row_add(p, POINT_NONE, DWT_FUNCTION(i), 0, 0);
	watch_row_add(p, point, DWT_COMP(i), m->address, ALL);
	if (!c->v8)
		watch_row_add(p, point, DWT_MASK(i), m->block, 0x1f);
	watch_row_add(p, point, DWT_FUNCTION(i), m->function,
		      c->v8 ? V8_CHECK : EMITRANGE | ANY_FUNCTION);
}

/* --- v7-M ------------------------------------------------------------------------------------- */

/* The smallest block that has all of these bytes. */
static unsigned block_of(uint32_t address, uint32_t size)
{
	unsigned block = 0;

	while (block < 32 && address >> block != (address + size - 1) >> block)
		block++;
	return block;
}

/*
 * A value as it was written has its bytes in one packet, unless it is wider than a word, in a
 * bit-field or across words: then the address tells which part it is. A range has addresses alone.
 */
static enum wire_watch_refusal v7_match(const struct wire_watchpoint *w,
					struct comparators_match *m)
{
	const struct wire_reading *r = &w->reading;
	uint8_t access = w->access & (WATCH_READS | WATCH_WRITES);
	bool whole = r->bytes && r->bytes <= 4 && !r->bits && w->address % r->bytes == 0;

	if (w->kind != WATCH_VALUE)
		return REFUSED_KIND;
	m->block = w->size ? block_of(w->address, w->size) : 32;
	if (m->block > BLOCK_MOST)
		return REFUSED_SIZE;
	m->address = w->address >> m->block << m->block;
	m->function = !r->bytes ? v7_addresses[access] :
		      v7_functions[access] | (whole ? 0u : EMITRANGE);
	return REFUSED_NOT;
}

/* --- v8-M ------------------------------------------------------------------------------------- */

static enum wire_watch_refusal v8_match(const struct wire_watchpoint *w,
					struct comparators_match *m)
{
	const struct wire_reading *r = &w->reading;
	unsigned log2_size = r->bytes == 4 ? 2 : r->bytes == 2;

	m->address = w->kind == WATCH_CALL ? w->address & ~1u : w->address;
	if (w->kind == WATCH_CALL) {
		m->function = V8_ENTRY | V8_ACTION_MATCH;
		m->id = V8_ID_ENTRY;
		return REFUSED_NOT;
	}
	if (w->kind != WATCH_VALUE)
		return REFUSED_KIND;
	if (!r->bytes || r->bytes > 4 || w->address % r->bytes)
		return REFUSED_SIZE;
	m->function = v8_matches[w->access & (WATCH_READS | WATCH_WRITES)] | V8_ACTION_PC_VALUE |
		      log2_size << V8_SIZE_SHIFT;
	m->id = V8_ID_DATA;
	return REFUSED_NOT;
}

/* --- the plan --------------------------------------------------------------------------------- */

static bool comparator_can(const struct comparators *c, unsigned i, uint32_t taken, uint8_t id)
{
	return !(taken >> i & 1) && !is_others(c, i) &&
	       (!c->v8 || c->functions[i] >> V8_ID_SHIFT & id);
}

static bool match_same(const struct comparators_match *a, const struct comparators_match *b)
{
	return a->address == b->address && a->function == b->function && a->block == b->block &&
	       a->id == b->id;
}

/* One of the plan before: its place there; WIRE_WATCHES: none, or it is another match now. */
static size_t before_find(const struct comparators_plan *before, const struct comparators *c,
			  uint32_t note, const struct comparators_match *m)
{
	for (size_t i = 0; i < before->points_n; i++) {
		const struct wire_watched *w = &before->points[i];
		uint32_t now = w->comparator < c->count ? c->functions[w->comparator] : 0;

		if (w->note == note && w->way == WATCHED_COMPARATOR &&
		    !is_others(c, w->comparator) &&
		    match_same(&before->matches[i], m) &&
		    (now & V8_CHECK) == (m->function & V8_CHECK))
			return i;
	}
	return WIRE_WATCHES;
}

/* What a point needs; handlers are told by the exception trace. */
static void point_judge(struct comparators_plan *p, const struct comparators *c,
			const struct wire_watchpoint *w)
{
	struct wire_watched *told = &p->points[p->points_n];
	struct comparators_match *m = &p->matches[p->points_n];

	*told = (struct wire_watched){ .note = w->note, .way = WATCHED_TRACED };
	memset(m, 0, sizeof(*m));
	if (w->kind == WATCH_HANDLER)
		return;
	told->refusal = c->v8 ? v8_match(w, m) : v7_match(w, m);
	told->way = told->refusal ? WATCHED_NOT : WATCHED_WAITS;
}

/* What has its comparator already. */
static uint32_t points_stay(struct comparators_plan *p, const struct comparators_plan *before,
			    const struct comparators *c)
{
	uint32_t taken = 0;

	for (size_t i = 0; i < p->points_n; i++) {
		struct wire_watched *w = &p->points[i];
		size_t at = before_find(before, c, w->note, &p->matches[i]);

		if (w->way != WATCHED_WAITS || at == WIRE_WATCHES)
			continue;
		w->way = WATCHED_COMPARATOR;
		w->comparator = before->points[at].comparator;
		taken |= 1u << w->comparator;
	}
	return taken;
}

/* The first that can; `count`: none. */
static unsigned comparator_find(const struct comparators *c, uint32_t taken, uint8_t id)
{
	for (unsigned i = 0; i < c->count; i++) {
		unsigned k = c->high ? c->count - 1 - i : i;

		if (comparator_can(c, k, taken, id))
			return k;
	}
	return c->count;
}

static uint32_t points_place(struct comparators_plan *p, const struct comparators *c,
			     uint32_t taken)
{
	for (size_t i = 0; i < p->points_n; i++) {
		struct wire_watched *w = &p->points[i];
		unsigned k;

		if (w->way != WATCHED_WAITS)
			continue;
		k = comparator_find(c, taken, p->matches[i].id);
		w->way = k < c->count ? WATCHED_COMPARATOR : WATCHED_NOT;
		w->refusal = k < c->count ? REFUSED_NOT : REFUSED_FULL;
		if (k == c->count)
			continue;
		taken |= 1u << k;
		w->comparator = (uint8_t)k;
		match_rows(p, c, k, (uint8_t)i, &p->matches[i]);
	}
	return taken;
}

void comparators_make(struct comparators_plan *p, const struct comparators *c,
		      const struct wire_watchpoint *points, size_t count)
{
	const struct comparators_plan before = *p;
	uint32_t taken;

	memset(p, 0, sizeof(*p));
	for (; p->points_n < count && p->points_n < WIRE_WATCHES; p->points_n++)
		point_judge(p, c, &points[p->points_n]);
	taken = points_stay(p, &before, c);
	taken = points_place(p, c, taken);
	for (unsigned i = 0; i < c->count; i++) {
		bool ours = taken >> i & 1;

		p->used += ours || is_others(c, i);
		if (!ours && !is_others(c, i) && c->functions[i] & ANY_FUNCTION)
			watch_row_add(p, POINT_NONE, DWT_FUNCTION(i), 0, 0);
	}
}
