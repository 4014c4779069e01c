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

/* The kind of a row with this `to`; a constant if there is one kind alone. */
enum { ARC, PC };
#define KIND(to) (WSNPROF_PCS == 0 ? ARC : WSNPROF_ARCS == 0 ? PC : (to) == 0)
#define TABLE(kind) (wsnprof_rows + ((kind) == ARC ? 0 : WSNPROF_ARCS))

/* A field of STATUS: the arcs', or the PCs' right behind it. */
#define FIELD(arcs, kind) \
	((uint32_t *)&wsnprof_counts + offsetof(struct wsnprof_counts, arcs) / 4 + (kind))

/*
 * Rows that left their slots, as CLOSED will have them: arcs' from the beginning on, PCs' before
 * the end, the last one first. A frame is worth its head when more than `few` bytes wait, or STATUS
 * went out.
 */
static struct {
	uint32_t counts[2];		/* their sums, by kind */
	uint8_t used[2];		/* bytes */
	uint8_t few;
	uint8_t bytes[WSNPROF_CLOSING];
} waiting;

/* from, to (an arc's), count. */
static WSNPROF_QUIET uint8_t *row_put(uint8_t *p, const struct wsnprof_row *row)
{
	p = wsnprof_varint(p, row->from < EXC_RETURN ? (row->from - WSNPROF_BASE) >> 1 : 0);
	if (KIND(row->to) == ARC)
		p = wsnprof_varint(p, (row->to - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, row->count);
}

/* Moves the row `least` to those that wait. False: there is no room. Interrupts are off. */
static WSNPROF_QUIET __attribute__((noinline)) bool row_evict(const struct wsnprof_row *least)
{
	uint8_t row[ROW_BYTES];
	unsigned kind = KIND(least->to);
	unsigned n = (unsigned)(row_put(row, least) - row);
	unsigned used = waiting.used[kind];
	uint8_t *to = waiting.bytes + used;

	if (waiting.used[ARC] + waiting.used[PC] + n > WSNPROF_CLOSING)
		return false;
	waiting.used[kind] = (uint8_t)(used += n);
	waiting.counts[kind] += least->count;
	if (kind == PC)
		to = waiting.bytes + WSNPROF_CLOSING - used;
	do {
		n--;
		to[n] = row[n];
		__asm__ volatile("");	/* no memcpy(): see wsnprof_copy() */
	} while (n);
	return true;
}

/* Interrupts are off. */
WSNPROF_INLINE void row_count(uint32_t from, uint32_t to)
{
	unsigned kind = KIND(to);
	struct wsnprof_row *table = TABLE(kind);
	uint32_t mask = (kind == ARC ? WSNPROF_ARCS : WSNPROF_PCS) - 1u;
	uint32_t bucket = kind == ARC ? from >> 2 : WSNPROF_PC_BUCKET(from);
	uint32_t window = kind == ARC ? WSNPROF_WINDOW : WSNPROF_PC_WINDOW;
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
	if (!row_evict(row)) {
		++*FIELD(arcs_lost, kind);
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
		row_count(from, to);
	wsnprof_unlock(mask);
}

void wsnprof_cache_turn(void)
{
	struct wsnprof_row *row = wsnprof_rows;

	do
		row->from ^= 1;
	while (++row < TABLE_END);
}

void wsnprof_cache_clear(void)
{
	struct wsnprof_row *row = wsnprof_rows;

	do {
		row->count = 0;
		row->sent = 0;
		row->from = 1;
	} while (++row < TABLE_END);
	waiting.counts[ARC] = waiting.counts[PC] = 0;
	waiting.used[ARC] = waiting.used[PC] = 0;
}

void wsnprof_cache_due(void)
{
	waiting.few = 0;
}

/*
 * The first row that is wanted: it counted more than `news` and a part of what was sent. That is,
 * while profiling runs, of an arc a sixteenth; of a PC, whose samples are a guess anyway, an eighth
 * and twelve. But all in every fourth refresh. A look without a lock: a row that another takes
 * meanwhile is sent once too often.
 */
unsigned wsnprof_cache_seek(uint8_t type, unsigned at, unsigned end, uint8_t want)
{
	unsigned kind = KIND(type != WSNPROF_TYPE_PCS);
	const struct wsnprof_row *row = TABLE(kind) + at;
	uint32_t news = 0, part = 31;

	if (want == WSNPROF_WANT_ANY || (WSNPROF_SITES > 0 && type == WSNPROF_TYPE_SITES))
		return at;
	if (want == WSNPROF_WANT_HOT) {
		news = 511;
	} else if (wsnprof_on && (wsnprof_node.refreshes & 3) != 1) {
		news = kind * 12;
		part = 4 - kind;
	}
	for (; at < end; at++, row++) {
		if (row->count - row->sent > news + (row->sent >> part))
			break;
	}
	return at;
}

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	struct wsnprof_row *row = TABLE(KIND(type != WSNPROF_TYPE_PCS)) + slot;
	struct wsnprof_row copy;

	(void)want;			/* _seek() looked */
	if (row->from <= 1)
		return NULL;
	wsnprof_mask mask = wsnprof_lock();
	copy = *row;
	row->sent = copy.count;
	wsnprof_unlock(mask);
	return row_put(p, &copy);
}

/*
 * Sends all waiting rows of the kind that has more bytes. STATUS includes their sum from here on.
 */
void wsnprof_cache_close(void)
{
	unsigned kind = waiting.used[PC] >= waiting.used[ARC];
	uint32_t *closed = FIELD(arcs_closed, kind);
	const uint8_t *from = waiting.bytes;
	uint8_t *p;

	if (waiting.used[ARC] + waiting.used[PC] <= waiting.few)
		return;
	p = wsnprof_frame_begin();
	if (!p)
		return;
	p = wsnprof_varint(p, *closed);

	wsnprof_mask mask = wsnprof_lock();
	unsigned n = waiting.used[kind];
	if (kind == PC)
		from += WSNPROF_CLOSING - n;
	for (; n; n--) {
		*p++ = *from++;
		__asm__ volatile("");	/* nor here */
	}
	*closed += waiting.counts[kind];
	waiting.counts[kind] = 0;
	waiting.used[kind] = 0;
	wsnprof_unlock(mask);
	if (wsnprof_on)
		waiting.few = WSNPROF_CLOSING / 2;
	wsnprof_frame_end((uint8_t)(WSNPROF_CLOSED_ARCS + kind), p);
}

#endif
