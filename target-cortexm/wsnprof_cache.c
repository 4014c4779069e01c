#include <stddef.h>

#include "wsnprof_cache.h"
#include "wsnprof_node.h"

#if WSNPROF_CACHES && !WSNPROF_RAW

/* A `v` of 31 bits is 5 bytes, of 32 too. */
#define ROW_BYTES 15

/* What the processor puts into lr of a handler: it was called from no place. */
#define EXC_RETURN 0xffffff00u

struct wsnprof_row wsnprof_rows[WSNPROF_ARCS + WSNPROF_PCS];

/* Where PCs are too many for the table, more looks find as little. */
#define PC_WINDOW 6

#define TABLE_END (wsnprof_rows + WSNPROF_ARCS + WSNPROF_PCS)

/* Rows that left their slots. A frame is worth its head when more than `few` of them wait, or STATUS went out. */
static struct {
	struct closing {
		uint32_t count, from, to;
	} rows[WSNPROF_CLOSING];
	uint8_t n;
	uint8_t few;
} waiting;

/* Is a key with this `to` an arc's? One kind alone: no question. */
#define IS_ARC(to) (WSNPROF_PCS == 0 || (WSNPROF_ARCS > 0 && (to) != 0))

/* `least` makes room: it goes where rows wait. False: nobody may wait any more. */
WSNPROF_INLINE bool evict(const struct wsnprof_row *least)
{
	struct closing *c = waiting.rows + waiting.n;

	if (waiting.n == WSNPROF_CLOSING)
		return false;
	waiting.n++;
	c->count = least->count;
	c->from = least->from;
	c->to = least->to;
	return true;
}

/* Interrupts are off. */
WSNPROF_INLINE void count(uint32_t from, uint32_t to)
{
	bool arc = IS_ARC(to);
	struct wsnprof_row *table = arc ? wsnprof_rows : wsnprof_rows + WSNPROF_ARCS;
	uint32_t mask = arc ? WSNPROF_ARCS - 1 : WSNPROF_PCS - 1;
	uint32_t bucket = arc ? from >> 2 : WSNPROF_PC_BUCKET(from);
	uint32_t window = arc ? WSNPROF_WINDOW : PC_WINDOW;
	uint32_t fewest = UINT32_MAX;
	struct wsnprof_row *least = table;
	struct wsnprof_row *row;

	from |= 1;		/* garbled by Thumb-1, it must not look like a free row's */
	for (uint32_t n = 0; n < window; bucket += ++n) {
		row = table + (bucket & mask);
		if (row->from == from && row->to == to) {
			row->count++;
			return;
		}
		if (row->from == 0)
			goto take;
		if (row->count < fewest) {
			fewest = row->count;
			least = row;
		}
	}
	row = least;
	if (!evict(row)) {
		++*(arc ? &wsnprof_counts.arcs_lost : &wsnprof_counts.pcs_lost);
		return;
	}
take:
	row->count = 1;
	row->sent = 0;
	row->from = from;
	row->to = to;
}

void wsnprof_count(uint32_t from, uint32_t to)
{
	wsnprof_mask mask = wsnprof_lock();

	if (wsnprof_on)
		count(from, to);
	wsnprof_unlock(mask);
}

void wsnprof_cache_turn(uint32_t keep)
{
	for (struct wsnprof_row *row = wsnprof_rows; row < TABLE_END; row++)
		row->from = (row->from & keep) ^ 1;
	if (!keep)
		waiting.n = 0;
	waiting.few = 0;
}

void wsnprof_cache_due(void)
{
	waiting.few = 0;
}

/* from, to (an arc's), count. */
static WSNPROF_QUIET uint8_t *put(uint8_t *p, uint32_t from, uint32_t to, uint32_t n)
{
	p = wsnprof_varint(p, from < EXC_RETURN ? (from - WSNPROF_BASE) >> 1 : 0);
	if (IS_ARC(to))
		p = wsnprof_varint(p, (to - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, n);
}

/*
 * Counts that the host need not hear of at once, while profiling runs: of an arc a sixteenth, of a PC some samples
 * more; but all in every fourth refresh.
 */
WSNPROF_INLINE uint32_t unheard(bool arc, uint32_t sent, uint8_t want)
{
	if (want == WSNPROF_WANT_HOT)
		return 512;
	if (!wsnprof_on || (wsnprof_node.refreshes & 3) == 3)
		return 0;
	return (sent >> 4) + (arc ? 0 : 6);
}

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	bool arc = IS_ARC(type == WSNPROF_TYPE_ARCS);
	struct wsnprof_row *row = wsnprof_rows + slot + (arc ? 0 : WSNPROF_ARCS);
	uint32_t from, to, n;

	/* A look without a lock: most rows are not wanted. */
	if (row->from <= 1 || (want != WSNPROF_WANT_ANY && row->count - row->sent <= unheard(arc, row->sent, want)))
		return NULL;
	wsnprof_mask mask = wsnprof_lock();
	from = row->from;
	to = row->to;
	n = row->sent = row->count;
	wsnprof_unlock(mask);
	return put(p, from, to, n);
}

/* The youngest row that waits, if it is of this kind, waits no more. */
WSNPROF_INLINE bool take(bool arc, struct closing *c)
{
	wsnprof_mask mask = wsnprof_lock();
	unsigned n = waiting.n;
	bool taken = false;

	*c = waiting.rows[n - 1];
	if (n > 0 && IS_ARC(c->to) == arc) {
		waiting.n = (uint8_t)(n - 1);
		taken = true;
	}
	wsnprof_unlock(mask);
	return taken;
}

/* Interrupts may add to those that wait meanwhile. */
void wsnprof_cache_close(void)
{
	uint8_t *p = waiting.n > waiting.few ? wsnprof_frame_begin() : NULL;
	const uint8_t *full = p + WSNPROF_BODY_END - WSNPROF_HEAD - ROW_BYTES;
	bool arc = IS_ARC(waiting.rows[waiting.n - 1].to);
	uint32_t *closed = arc ? &wsnprof_counts.arcs_closed : &wsnprof_counts.pcs_closed;
	struct closing c;

	if (!p)
		return;
	p = wsnprof_varint(p, *closed);
	while (p <= full && take(arc, &c)) {
		p = put(p, c.from, c.to, c.count);
		*closed += c.count;
	}
	if (wsnprof_on)
		waiting.few = WSNPROF_CLOSING / 2;
	wsnprof_frame_end(arc ? WSNPROF_CLOSED_ARCS : WSNPROF_CLOSED_PCS, p);
}

#endif
