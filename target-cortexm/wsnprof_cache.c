#include <stddef.h>

#include "wsnprof_cache.h"
#include "wsnprof_node.h"

#if WSNPROF_CACHES && !WSNPROF_RAW

/* A `v` of 31 bits is 5 bytes, of 32 too. */
#define ROW_BYTES 15

/* What the processor puts into lr of a handler: it was called from no place. */
#define EXC_RETURN 0xffffff00u

struct wsnprof_row wsnprof_rows[WSNPROF_ARCS + WSNPROF_PCS];

#define TABLE_END (wsnprof_rows + WSNPROF_ARCS + WSNPROF_PCS)

/*
 * Rows that left their slots, as CLOSED will have them: arcs' from the beginning on, PCs' from the end backwards, their
 * last byte first. A frame is worth its head when more than `few` bytes wait, or STATUS went out.
 */
static struct {
	uint32_t counts[2];		/* their sums: PCs', arcs' */
	uint8_t used[2];		/* bytes */
	uint8_t few;
	uint8_t bytes[WSNPROF_CLOSING];
} waiting;

/* Is a key with this `to` an arc's? One kind alone: no question. */
#define IS_ARC(to) (WSNPROF_PCS == 0 || (WSNPROF_ARCS > 0 && (to) != 0))

/* from, to (an arc's), count. */
static WSNPROF_QUIET uint8_t *put(uint8_t *p, uint32_t from, uint32_t to, uint32_t n)
{
	p = wsnprof_varint(p, from < EXC_RETURN ? (from - WSNPROF_BASE) >> 1 : 0);
	if (IS_ARC(to))
		p = wsnprof_varint(p, (to - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, n);
}

/* Where a kind's n-th byte that waits is; and where the next one lies from there. */
#define WAITING_AT(arc, n) (waiting.bytes + ((arc) ? (n) : WSNPROF_CLOSING - 1 - (n)))
#define WAITING_STEP(arc) ((arc) ? 1 : -1)

/* `least` makes room: it goes where rows wait. False: there is no room. */
static WSNPROF_QUIET __attribute__((noinline)) bool evict(const struct wsnprof_row *least)
{
	uint8_t row[ROW_BYTES];
	bool arc = IS_ARC(least->to);
	const uint8_t *p = put(row, least->from, least->to, least->count);
	uint32_t n = (uint32_t)(p - row);
	uint32_t used = waiting.used[arc];

	if (used + waiting.used[!arc] + n > WSNPROF_CLOSING)
		return false;
	waiting.used[arc] = (uint8_t)(used + n);
	waiting.counts[arc] += least->count;

	uint8_t *to = WAITING_AT(arc, used);
	p = row;
	do {
		*to = *p++;
		to += WAITING_STEP(arc);
	} while (--n);
	return true;
}

/* Interrupts are off. */
WSNPROF_INLINE void count(uint32_t from, uint32_t to)
{
	bool arc = IS_ARC(to);
	struct wsnprof_row *table = arc ? wsnprof_rows : wsnprof_rows + WSNPROF_ARCS;
	uint32_t mask = arc ? WSNPROF_ARCS - 1 : WSNPROF_PCS - 1;
	uint32_t bucket = arc ? from >> 2 : WSNPROF_PC_BUCKET(from);
	uint32_t window = arc ? WSNPROF_WINDOW : WSNPROF_PC_WINDOW;
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
	for (struct wsnprof_row *row = wsnprof_rows; row < TABLE_END; row++) {
		row->from = (row->from & keep) ^ 1;
		row->sent &= keep;
		row->count &= keep;
	}
	if (!keep)
		waiting.used[0] = waiting.used[1] = 0;
	waiting.few = 0;
}

void wsnprof_cache_due(void)
{
	waiting.few = 0;
}

/*
 * The first row that is wanted: it counted more than `news` and a part of what was sent. That is, while profiling runs, of
 * an arc a sixteenth; of a PC, whose samples are a guess anyway, an eighth and nine. But all in every fourth refresh. A look
 * without a lock: a row that another takes meanwhile is sent once too often.
 */
unsigned wsnprof_cache_seek(uint8_t type, unsigned at, unsigned end, uint8_t want)
{
	bool arc = IS_ARC(type == WSNPROF_TYPE_ARCS);
	const struct wsnprof_row *row = wsnprof_rows + at + (arc ? 0 : WSNPROF_ARCS);
	uint32_t news = 0, part = 31;

	if (want == WSNPROF_WANT_ANY || (WSNPROF_SITES > 0 && type == WSNPROF_TYPE_SITES))
		return at;
	if (want == WSNPROF_WANT_HOT) {
		news = 511;
	} else if (wsnprof_on && (wsnprof_node.refreshes & 3) != 1) {
		news = arc ? 0 : 9;
		part = arc ? 4 : 3;
	}
	for (; at < end; at++, row++) {
		uint32_t sent = row->sent;

		if (row->count - sent > news + (sent >> part))
			break;
	}
	return at;
}

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	struct wsnprof_row *row = wsnprof_rows + slot + (IS_ARC(type == WSNPROF_TYPE_ARCS) ? 0 : WSNPROF_ARCS);
	uint32_t from, to, n;

	(void)want;			/* _seek() looked */
	if (row->from <= 1)
		return NULL;
	wsnprof_mask mask = wsnprof_lock();
	from = row->from;
	to = row->to;
	n = row->sent = row->count;
	wsnprof_unlock(mask);
	return put(p, from, to, n);
}

/* All that wait of a kind, of which there are more bytes. Their sum is told by STATUS from here on. */
WSNPROF_INLINE uint8_t *take(bool arc, uint8_t *p)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t used = waiting.used[arc];

	for (const uint8_t *from = WAITING_AT(arc, 0); used; used--, from += WAITING_STEP(arc))
		*p++ = *from;
	*(arc ? &wsnprof_counts.arcs_closed : &wsnprof_counts.pcs_closed) += waiting.counts[arc];
	waiting.counts[arc] = 0;
	waiting.used[arc] = 0;
	wsnprof_unlock(mask);
	return p;
}

void wsnprof_cache_close(void)
{
	bool arc = waiting.used[1] > waiting.used[0];
	uint8_t *p;

	if (waiting.used[0] + waiting.used[1] <= waiting.few)
		return;
	p = wsnprof_frame_begin();
	if (!p)
		return;
	p = wsnprof_varint(p, arc ? wsnprof_counts.arcs_closed : wsnprof_counts.pcs_closed);
	p = take(arc, p);
	if (wsnprof_on)
		waiting.few = WSNPROF_CLOSING / 2;
	wsnprof_frame_end(arc ? WSNPROF_CLOSED_ARCS : WSNPROF_CLOSED_PCS, p);
}

#endif
