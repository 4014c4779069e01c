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

#if WSNPROF_ARCS > 0 && !WSNPROF_LEAST
wsnprof_next wsnprof_arc_next[WSNPROF_ARCS];

static struct {
	unsigned free;		/* no row from here on is free */
	unsigned hand;		/* where the next one that leaves is looked for */
} arcs;
#endif

#if WSNPROF_ARCS > 0 && WSNPROF_LOST_ARCS > 0
/*
 * Arcs that lost calls, and how many since they are here. `from` is even once the host was told:
 * the one of these with the fewest makes room, if there is none, of the others.
 */
static struct {
	struct {
		uint32_t from, to, count;
	} arc[WSNPROF_LOST_ARCS];
	bool is_news, is_due;
} lost;
#endif

#define LOST_RANK(arc) ((arc).from << 31 | (arc).count)

/* The kind of a row with this `to`; a constant if there is one kind alone. */
enum { ARC, PC };
#define KIND(to) (WSNPROF_PCS == 0 ? ARC : WSNPROF_ARCS == 0 ? PC : (to) == 0)
#define TABLE(kind) (wsnprof_rows + ((kind) == ARC ? 0 : WSNPROF_ARCS))

/* A field of STATUS: the arcs', or the PCs' right behind it. */
#define FIELD(arcs, kind) \
	((uint32_t *)&wsnprof_counts + offsetof(struct wsnprof_counts, arcs) / 4 + (kind))

#if !WSNPROF_LEAST
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
#endif

/* from, to (an arc's), count. */
static WSNPROF_QUIET uint8_t *row_put(uint8_t *p, const struct wsnprof_row *row)
{
	p = wsnprof_varint(p, row->from < EXC_RETURN ? (row->from - WSNPROF_BASE) >> 1 : 0);
	if (KIND(row->to) == ARC)
		p = wsnprof_varint(p, (row->to - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, row->count);
}

#if !WSNPROF_LEAST
/*
 * Moves the row `least` to those that wait. False: there is no room. Interrupts are off. A row that
 * was closed when it changed places, and was not counted since, has nothing to tell: the host
 * refuses frames with such a row.
 */
static WSNPROF_QUIET __attribute__((noinline)) bool row_evict(const struct wsnprof_row *least)
{
	if (least->count == 0)
		return true;
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
#else
#define row_evict(least) false
#endif

WSNPROF_INLINE void row_set(struct wsnprof_row *row, uint32_t from, uint32_t to)
{
	row->count = 1;
	row->sent = 0;
	row->from = from;
	row->to = to;
}

#if WSNPROF_ARCS > 0
#define NEXT wsnprof_arc_next

/* wsnprof_mcount.S's. */
WSNPROF_INLINE unsigned arc_bucket(uint32_t from, uint32_t to)
{
	return ((from << 2) + to) >> 4 & (WSNPROF_ARCS - 1u);
}

#if WSNPROF_LEAST
/* In its bucket, or in the first free row behind it. Interrupts are off. */
static WSNPROF_QUIET void arc_count(uint32_t from, uint32_t to)
{
	from |= 1;	/* garbled by Thumb-1, it must not look like a free row's */
	unsigned bucket = arc_bucket(from, to);

	for (unsigned n = WSNPROF_ARCS; n; n--) {
		struct wsnprof_row *row = wsnprof_rows + bucket;

		if (row->from == 0) {
			row->from = from;
			row->to = to;
		}
		if (row->from == from && row->to == to) {
			row->count++;
			return;
		}
		bucket = (bucket + 1) & (WSNPROF_ARCS - 1u);
	}
	wsnprof_counts.arcs_lost++;
}
#else
WSNPROF_INLINE unsigned bucket_of(unsigned slot)
{
	return arc_bucket(wsnprof_rows[slot].from, wsnprof_rows[slot].to);
}

/* A free row, WSNPROF_ARCS: there is none. */
WSNPROF_INLINE unsigned free_row_find(void)
{
	while (arcs.free > 0) {
		if (wsnprof_rows[--arcs.free].from == 0)
			return arcs.free;
	}
	return WSNPROF_ARCS;
}

/* What links to this slot, which does not lie in its arc's own bucket, links to `next` instead. */
static WSNPROF_QUIET void link_set(unsigned slot, unsigned next)
{
	unsigned at = bucket_of(slot);

	while (NEXT[at] != slot + 1)
		at = NEXT[at] - 1u;
	NEXT[at] = (wsnprof_next)next;
}

/*
 * A row leaves for another arc: of eight that nothing is linked behind the one with the lowest
 * count. WSNPROF_ARCS: the host must hear of it first, and there is no room.
 */
static WSNPROF_QUIET unsigned arc_leave(void)
{
	uint32_t fewest = UINT32_MAX;
	unsigned least = 0, seen = 0;

	for (unsigned n = 0; n < WSNPROF_ARCS && seen < 8; n++) {
		unsigned at = arcs.hand = (arcs.hand + 1) & (WSNPROF_ARCS - 1u);

		if (NEXT[at])
			continue;
		seen++;
		if (wsnprof_rows[at].count < fewest) {
			fewest = wsnprof_rows[at].count;
			least = at;
		}
	}
	if (!row_evict(wsnprof_rows + least))
		return WSNPROF_ARCS;
	if (bucket_of(least) != least)
		link_set(least, 0);
	return least;
}

/* Interrupts are off. */
static WSNPROF_QUIET void lost_note(uint32_t from, uint32_t to)
{
	wsnprof_counts.arcs_lost++;
#if WSNPROF_LOST_ARCS > 0
	unsigned least = 0;

	lost.is_news = true;
	for (unsigned i = 0; i < WSNPROF_LOST_ARCS; i++) {
		if ((lost.arc[i].from | 1) == from && lost.arc[i].to == to) {
			lost.arc[i].count++;
			return;
		}
		if (LOST_RANK(lost.arc[i]) < LOST_RANK(lost.arc[least]))
			least = i;
	}
	lost.arc[least].from = from;
	lost.arc[least].to = to;
	lost.arc[least].count = 1;
#else
	(void)from;
	(void)to;
#endif
}

/* Interrupts are off. The host knows the row: it must hear of its count before another has it. */
static WSNPROF_QUIET bool row_closes(struct wsnprof_row *row)
{
	if (row->sent == 0)
		return true;
	if (!row_evict(row))
		return false;
	row->count = row->sent = 0;
	return true;
}

void wsnprof_arc_promote(uint32_t from, uint32_t to)
{
	wsnprof_mask mask = wsnprof_lock();
	unsigned bucket = arc_bucket(from, to);
	struct wsnprof_row *head = wsnprof_rows + bucket;
	unsigned slot = NEXT[bucket];
	struct wsnprof_row *row;
	uint32_t count;

	for (; slot; slot = NEXT[slot - 1]) {
		row = wsnprof_rows + slot - 1;
		if (row->from != from || row->to != to)
			continue;
		/* Another bucket's arc stays: an arc in its own bucket is linked from nowhere. */
		if (bucket_of(bucket) != bucket || row->count / 2 < head->count ||
		    !row_closes(head) || !row_closes(row))
			break;
		row->from = head->from;
		row->to = head->to;
		head->from = from;
		head->to = to;
		count = row->count;
		row->count = head->count;
		head->count = count;
		break;
	}
	wsnprof_unlock(mask);
}

/* Interrupts are off. */
static WSNPROF_QUIET void arc_count(uint32_t from, uint32_t to)
{
	from |= 1;	/* garbled by Thumb-1, it must not look like a free row's */
	unsigned bucket = arc_bucket(from, to);
	unsigned slot = bucket;
	bool is_first = true;		/* no arc of this bucket is behind it */

	if (wsnprof_rows[bucket].from != 0) {
		for (unsigned next = bucket + 1; next; next = NEXT[next - 1]) {
			struct wsnprof_row *row = wsnprof_rows + next - 1;

			if (row->from == from && row->to == to) {
				row->count++;
				return;
			}
			is_first &= bucket_of(next - 1) != bucket;
		}
		slot = free_row_find();
		if (slot == WSNPROF_ARCS)
			slot = arc_leave();
		if (slot == WSNPROF_ARCS) {
			lost_note(from, to);
			return;
		}
		if (slot != bucket && is_first && wsnprof_rows[bucket].sent == 0) {
			/* Another bucket's, and the host has not heard of it: it moves. */
			link_set(bucket, slot + 1);
			wsnprof_rows[slot] = wsnprof_rows[bucket];
			NEXT[slot] = NEXT[bucket];
			NEXT[bucket] = 0;
		} else if (slot != bucket) {
			NEXT[slot] = NEXT[bucket];
			NEXT[bucket] = (wsnprof_next)(slot + 1);
			bucket = slot;
		}
	}
	row_set(wsnprof_rows + bucket, from, to);
}
#endif
#endif

#if WSNPROF_PCS > 0
/* Interrupts are off. */
static WSNPROF_QUIET void pc_count(uint32_t pc)
{
	struct wsnprof_row *table = wsnprof_rows + WSNPROF_ARCS;
	uint32_t bucket = WSNPROF_PC_BUCKET(pc);
	uint32_t fewest = UINT32_MAX;
	struct wsnprof_row *row = table;
	struct wsnprof_row *least = table;

	for (uint32_t n = 0; n < WSNPROF_PC_WINDOW; bucket += ++n) {
		row = table + (bucket & (WSNPROF_PCS - 1u));
		if (row->from == pc) {
			row->count++;
			return;
		}
		if (row->from == 0)
			break;
		if (row->count < fewest) {
			fewest = row->count;
			least = row;
		}
	}
	if (row->from != 0) {
		row = least;
		if (!row_evict(row)) {
			wsnprof_counts.pcs_lost++;
			return;
		}
	}
	row_set(row, pc, 0);
}
#endif

void wsnprof_count(uint32_t from, uint32_t to)
{
	wsnprof_mask mask = wsnprof_lock();

	if (wsnprof_on) {
#if WSNPROF_PCS > 0
		if (KIND(to) == PC)
			pc_count(from | 1);
#endif
#if WSNPROF_ARCS > 0
		if (KIND(to) == ARC)
			arc_count(from, to);
#endif
	}
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
#if !WSNPROF_LEAST
	waiting.counts[ARC] = waiting.counts[PC] = 0;
	waiting.used[ARC] = waiting.used[PC] = 0;
#endif
#if WSNPROF_ARCS > 0
#if !WSNPROF_LEAST
	for (unsigned i = 0; i < WSNPROF_ARCS; i++)
		*(volatile wsnprof_next *)(wsnprof_arc_next + i) = 0;	/* no memset() */
	arcs.free = WSNPROF_ARCS;
#endif
#if WSNPROF_LOST_ARCS > 0
	for (unsigned i = 0; i < WSNPROF_LOST_ARCS; i++)
		lost.arc[i].count = lost.arc[i].from = 0;
	lost.is_news = lost.is_due = false;
#endif
#endif
}

#if !WSNPROF_LEAST
void wsnprof_cache_due(void)
{
	waiting.few = 0;
#if WSNPROF_ARCS > 0 && WSNPROF_LOST_ARCS > 0
	lost.is_due = lost.is_news;
#endif
}
#endif

#if WSNPROF_ARCS > 0 && WSNPROF_LOST_ARCS > 0
/* After each STATUS, if there was a loss since. True: a frame is on its way, or must wait. */
static WSNPROF_QUIET bool lost_send(void)
{
	uint8_t *p, *full;

	if (!lost.is_due)
		return false;
	p = wsnprof_frame_begin();
	if (!p)
		return true;
	full = p + WSNPROF_BODY_END - WSNPROF_HEAD - ROW_BYTES;
	lost.is_due = lost.is_news = false;
	for (unsigned i = 0; i < WSNPROF_LOST_ARCS && p <= full; i++) {
		wsnprof_mask mask = wsnprof_lock();
		struct wsnprof_row row;		/* no initializer: no memset() */

		row.from = lost.arc[i].from &= ~1u;
		row.to = lost.arc[i].to;
		row.count = lost.arc[i].count;
		wsnprof_unlock(mask);
		if (row.count)
			p = row_put(p, &row);
	}
	wsnprof_frame_end(WSNPROF_LOST, p);
	return true;
}
#else
#define lost_send() false
#endif

#if !WSNPROF_LEAST
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
#endif

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	struct wsnprof_row *row = TABLE(KIND(type != WSNPROF_TYPE_PCS)) + slot;
#if WSNPROF_LEAST
	uint32_t count = row->count;

	if (count == 0 || (want != WSNPROF_WANT_ANY && count == row->sent))
		return NULL;
	row->sent = count;
	p = row_put(p, row);		/* nothing takes it meanwhile */
	return p;
#else
	struct wsnprof_row copy;

	(void)want;			/* _seek() looked */
	if (row->from <= 1)
		return NULL;
	wsnprof_mask mask = wsnprof_lock();
	copy = *row;
	row->sent = copy.count;
	wsnprof_unlock(mask);
	return row_put(p, &copy);
#endif
}

#if !WSNPROF_LEAST
/*
 * Sends all waiting rows of the kind that has more bytes. STATUS includes their sum from here on.
 */
void wsnprof_cache_close(void)
{
	unsigned kind = waiting.used[PC] >= waiting.used[ARC];
	uint32_t *closed = FIELD(arcs_closed, kind);
	const uint8_t *from = waiting.bytes;
	uint8_t *p;

	if (lost_send() || waiting.used[ARC] + waiting.used[PC] <= waiting.few)
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

#endif
