#include <stddef.h>

#include "wsnprof_cache.h"

#if WSNPROF_CACHES && !WSNPROF_RAW

#define ARC_WORDS 4
#define PC_WORDS 3

/* v: 31 bits take 5 bytes, 3 in 4 MB of flash */
#define ROW_BYTES 15

/* The assembly knows this one. Those that wait stand behind the table. */
#if WSNPROF_ARCS > 0
uint32_t wsnprof_arcs[(WSNPROF_ARCS + WSNPROF_CLOSING) * ARC_WORDS];
#endif
#if WSNPROF_PCS > 0
static uint32_t pcs[(WSNPROF_PCS + WSNPROF_CLOSING) * PC_WORDS];
#endif

struct cache {
	uint32_t *rows;
	uint32_t *lost;
	uint32_t *closed;
	uint16_t slots;
	uint8_t words;
	uint8_t shift;		/* of the key: neighbours in the code are neighbours here */
};

static const struct cache caches[] = {
#if WSNPROF_ARCS > 0
	{
		.rows = wsnprof_arcs,
		.lost = &wsnprof_counts.arcs_lost,
		.closed = &wsnprof_counts.arcs_closed,
		.slots = WSNPROF_ARCS,
		.words = ARC_WORDS,
		.shift = 2,
	},
#endif
#if WSNPROF_PCS > 0
	{
		.rows = pcs,
		.lost = &wsnprof_counts.pcs_lost,
		.closed = &wsnprof_counts.pcs_closed,
		.slots = WSNPROF_PCS,
		.words = PC_WORDS,
		.shift = 1,
	},
#endif
};

#define CACHES (sizeof caches / sizeof *caches)
#define FIRST_TYPE (WSNPROF_ARCS > 0 ? WSNPROF_TYPE_ARCS : WSNPROF_TYPE_PCS)
#define CLOSED_TYPE(i) (FIRST_TYPE + WSNPROF_CLOSED_ARCS - WSNPROF_TYPE_ARCS + (i))

/* Rows that wait, by cache. */
static uint8_t waiting[CACHES];

/* `least` makes room: it goes where rows wait. False: nobody may wait any more. */
WSNPROF_INLINE bool evict(unsigned i, const uint32_t *least)
{
	const struct cache *c = &caches[i];

	if (waiting[i] >= WSNPROF_CLOSING)
		return false;
	uint32_t *to = c->rows + (uint32_t)(c->slots + waiting[i]++) * c->words;
	for (unsigned w = 0; w < c->words; w++)
		to[w] = least[w];
	return true;
}

/* The row of a key, or one to be taken for it (its FROM is another), or NULL. */
WSNPROF_INLINE uint32_t *find(unsigned i, uint32_t from, uint32_t last)
{
	const struct cache *c = &caches[i];
	uint32_t bucket = from >> c->shift;
	uint32_t *least = NULL;

	for (unsigned n = WSNPROF_WINDOW; n > 0; n--, bucket++) {
		uint32_t *row = c->rows + (bucket & (c->slots - 1u)) * c->words;

		if (row[WSNPROF_FROM] == from && row[c->words - 1] == last)
			return row;
		if (row[WSNPROF_FROM] == 0) {
			least = row;
			goto take;
		}
		if (!least || row[WSNPROF_COUNT] < least[WSNPROF_COUNT])
			least = row;
	}
	if (!evict(i, least))
		return NULL;
take:
	least[WSNPROF_COUNT] = 0;
	least[WSNPROF_SENT] = 0;
	least[WSNPROF_FROM] = from;
	least[c->words - 1] = last;
	return least;
}

/*
 * Count a key of one word or two; of one, both are the same. Bit 0 is set: a `from` that Thumb-1 garbled
 * must not look like a free row.
 */
static WSNPROF_QUIET void count(unsigned i, uint32_t from, uint32_t last)
{
	wsnprof_mask mask = wsnprof_lock();

	if (wsnprof_on) {
		uint32_t *row = find(i, from | 1, last);

		++*(row ? row + WSNPROF_COUNT : caches[i].lost);
	}
	wsnprof_unlock(mask);
}

#if WSNPROF_ARCS > 0
void wsnprof_arc_count(uint32_t from, uint32_t to)
{
	count(0, from, to);
}
#endif

#if WSNPROF_PCS > 0
void wsnprof_pc_count(uint32_t pc)
{
	count(CACHES - 1, pc, pc | 1);
}
#endif

void wsnprof_caches_flip(void)
{
	for (unsigned i = 0; i < CACHES; i++) {
		uint32_t *row = caches[i].rows;

		for (unsigned n = caches[i].slots; n > 0; n--, row += caches[i].words)
			row[WSNPROF_FROM] ^= 1;
	}
}

void wsnprof_caches_clear(void)
{
	for (unsigned i = 0; i < CACHES; i++) {
		uint32_t *row = caches[i].rows;

		for (unsigned n = caches[i].slots; n > 0; n--, row += caches[i].words)
			row[WSNPROF_FROM] = 1;
		waiting[i] = 0;
	}
}

/* from, to (arcs), count. */
static WSNPROF_QUIET uint8_t *put(unsigned i, uint8_t *p, const uint32_t *row)
{
	for (unsigned w = WSNPROF_FROM; w < caches[i].words; w++)
		p = wsnprof_varint(p, (row[w] - WSNPROF_BASE) >> 1);
	return wsnprof_varint(p, row[WSNPROF_COUNT]);
}

uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	unsigned i = type - FIRST_TYPE;
	uint32_t *row = caches[i].rows + slot * caches[i].words;
	uint32_t copy[ARC_WORDS];
	wsnprof_mask mask = wsnprof_lock();

	for (unsigned w = 0; w < caches[i].words; w++)
		copy[w] = row[w];
	bool wanted = wsnprof_wanted(copy[WSNPROF_COUNT], copy[WSNPROF_SENT], want) &&
	              copy[WSNPROF_FROM] > 1;
	if (wanted)
		row[WSNPROF_SENT] = copy[WSNPROF_COUNT];
	wsnprof_unlock(mask);
	return wanted ? put(i, p, copy) : NULL;
}

/* The first n that wait are told: sum is theirs. */
static WSNPROF_QUIET void told(unsigned i, unsigned n, uint32_t sum)
{
	const struct cache *c = &caches[i];
	uint32_t *to = c->rows + c->slots * c->words;
	wsnprof_mask mask = wsnprof_lock();

	waiting[i] -= n;
	for (unsigned w = 0; w < waiting[i] * c->words; w++)
		to[w] = to[w + n * c->words];
	*c->closed += sum;
	wsnprof_unlock(mask);
}

/* One frame of those that wait. Interrupts may add to them meanwhile. */
static WSNPROF_QUIET void close_some(unsigned i)
{
	const struct cache *c = &caches[i];
	uint8_t *p = wsnprof_frame_begin();
	const uint8_t *full = p + WSNPROF_BODY_END - WSNPROF_HEAD - ROW_BYTES;
	const uint32_t *row = c->rows + c->slots * c->words;
	unsigned n = 0;
	uint32_t sum = 0;

	if (!p)
		return;
	p = wsnprof_varint(p, *c->closed);
	for (; n < waiting[i] && p <= full; n++, row += c->words) {
		p = put(i, p, row);
		sum += row[WSNPROF_COUNT];
	}
	wsnprof_frame_end(CLOSED_TYPE(i), p);
	told(i, n, sum);
}

void wsnprof_caches_close(void)
{
	for (unsigned i = 0; i < CACHES; i++) {
		if (waiting[i])
			close_some(i);
	}
}

#endif
