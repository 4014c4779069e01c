#include <stddef.h>

#include "wsnprof_cache.h"

#if WSNPROF_CACHES && !WSNPROF_RAW

/* A `v` of 31 bits is 5 bytes, of 32 too. */
#define ROW_BYTES 15

/* Arcs, PCs, rows that wait. The assembly knows where they begin. */
struct wsnprof_row wsnprof_rows[WSNPROF_ARCS + WSNPROF_PCS + WSNPROF_CLOSING];

#define TABLE_END (wsnprof_rows + WSNPROF_ARCS + WSNPROF_PCS)

static uint8_t waiting;

/* Is a key with this `to` an arc's? One kind alone: no question. */
#define IS_ARC(to) (WSNPROF_PCS == 0 || (WSNPROF_ARCS > 0 && (to) != 0))

/* `least` makes room: it goes where rows wait. False: nobody may wait any more. */
WSNPROF_INLINE bool evict(const struct wsnprof_row *least)
{
	if (waiting == WSNPROF_CLOSING)
		return false;
	TABLE_END[waiting++] = *least;
	return true;
}

/* Interrupts are off. */
WSNPROF_INLINE void count(uint32_t from, uint32_t to)
{
	struct wsnprof_row *table = IS_ARC(to) ? wsnprof_rows : wsnprof_rows + WSNPROF_ARCS;
	uint32_t mask = IS_ARC(to) ? WSNPROF_ARCS - 1 : WSNPROF_PCS - 1;
	uint32_t bucket = from >> (IS_ARC(to) ? 2 : 1);
	struct wsnprof_row *least = NULL;

	from |= 1;		/* garbled by Thumb-1, it must not look like a free row's */
	for (unsigned n = 0; n < WSNPROF_WINDOW; bucket += ++n) {
		struct wsnprof_row *row = table + (bucket & mask);

		if (row->from == from && row->to == to) {
			row->count++;
			return;
		}
		if (row->from == 0) {
			least = row;
			goto take;
		}
		if (!least || row->count < least->count)
			least = row;
	}
	if (!evict(least)) {
		++*(IS_ARC(to) ? &wsnprof_counts.arcs_lost : &wsnprof_counts.pcs_lost);
		return;
	}
take:
	*least = (struct wsnprof_row){ .count = 1, .from = from, .to = to };
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
		waiting = 0;
}

/* from, to (an arc's), count. */
static WSNPROF_QUIET uint8_t *put(uint8_t *p, const struct wsnprof_row *row)
{
	p = wsnprof_varint(p, (row->from - WSNPROF_BASE) >> 1);
	if (IS_ARC(row->to))
		p = wsnprof_varint(p, (row->to - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, row->count);
}

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	struct wsnprof_row *row = wsnprof_rows + slot + (type == WSNPROF_TYPE_ARCS ? 0 : WSNPROF_ARCS);
	wsnprof_mask mask = wsnprof_lock();
	struct wsnprof_row copy = *row;
	bool wanted = copy.from > 1 && wsnprof_wanted(copy.count, copy.sent, want);

	if (wanted)
		row->sent = copy.count;
	wsnprof_unlock(mask);
	return wanted ? put(p, &copy) : NULL;
}

/* The youngest row that waits, if it is of this kind, waits no more. */
WSNPROF_INLINE bool take(bool arc, struct wsnprof_row *row)
{
	wsnprof_mask mask = wsnprof_lock();
	unsigned n = waiting;
	bool taken = false;

	*row = TABLE_END[n - 1];
	if (n > 0 && IS_ARC(row->to) == arc) {
		waiting = (uint8_t)(n - 1);
		taken = true;
	}
	wsnprof_unlock(mask);
	return taken;
}

/* Interrupts may add to those that wait meanwhile. */
void wsnprof_cache_close(void)
{
	uint8_t *p = waiting ? wsnprof_frame_begin() : NULL;
	const uint8_t *full = p + WSNPROF_BODY_END - WSNPROF_HEAD - ROW_BYTES;
	bool arc = IS_ARC(TABLE_END[waiting - 1].to);
	uint32_t *closed = arc ? &wsnprof_counts.arcs_closed : &wsnprof_counts.pcs_closed;
	struct wsnprof_row row;

	if (!p)
		return;
	p = wsnprof_varint(p, *closed);
	while (p <= full && take(arc, &row)) {
		p = put(p, &row);
		*closed += row.count;
	}
	wsnprof_frame_end(arc ? WSNPROF_CLOSED_ARCS : WSNPROF_CLOSED_PCS, p);
}

#endif
