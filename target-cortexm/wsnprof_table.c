/* wsnprof_table: the timed call sites' rows. */
#include <stddef.h>

#include "wsnprof_sites.h"

#if WSNPROF_SITES > 0

/*
 * Buckets in which a row may lie: rows never leave, so more of them than the assembly looks into.
 */
#define PROBES (WSNPROF_SITES < 64 ? WSNPROF_SITES : 64)

uint32_t *wsnprof_site_row(uint32_t site, uint32_t function)
{
	/* The assembly's. */
	uint32_t bucket = (WSNPROF_THUMB1 || WSNPROF_AS ? site : function + (site << 1)) >> 2;
	uint32_t steps = 0;

	if (WSNPROF_AS && WSNPROF_LEVEL > 0)
		site &= ~1u;
	for (unsigned n = 0; n < PROBES; steps += ++n) {
		uint32_t at = WSNPROF_AS_V7M ? bucket ^ steps * WSNPROF_SITE_STEP : bucket + steps;
		uint32_t *row = wsnprof_sites + (at & (WSNPROF_SITES - 1)) * WSNPROF_SITE_WORDS;

		if (row[WSNPROF_FUNCTION] == function && row[WSNPROF_SITE] == site)
			return row;
		if (row[WSNPROF_FUNCTION] == 0) {
			row[WSNPROF_SITE] = site;
			row[WSNPROF_FUNCTION] = function;
			return row;
		}
	}
	return NULL;
}

void wsnprof_sites_clear(void)
{
	for (uint32_t *p = wsnprof_sites; p < wsnprof_sites + WSNPROF_SITES * WSNPROF_SITE_WORDS;
	     p++) {
		*p = 0;
		__asm__ volatile("");	/* no memset(): see wsnprof_copy() */
	}
#if WSNPROF_LEVEL >= 2
	for (uint32_t *p = wsnprof_sites; p < wsnprof_sites + WSNPROF_SITES * WSNPROF_SITE_WORDS;
	     p += WSNPROF_SITE_WORDS)
		p[WSNPROF_MIN] = UINT32_MAX;
#endif
}

#if WSNPROF_LEVEL > 0
void wsnprof_site_add(uint32_t *row, uint32_t duration)
{
	uint32_t total = row[WSNPROF_TOTAL] + duration;

	row[WSNPROF_CALLS]++;
	row[WSNPROF_TOTAL + 1] += total < duration;
	row[WSNPROF_TOTAL] = total;
#if WSNPROF_LEVEL >= 2
	uint32_t min = row[WSNPROF_MIN];

	if (duration > min) {
		if (duration - min > row[WSNPROF_RANGE])
			row[WSNPROF_RANGE] = duration - min;
	} else {
		row[WSNPROF_RANGE] = min == UINT32_MAX ? 0 : row[WSNPROF_RANGE] + min - duration;
		row[WSNPROF_MIN] = duration;
	}
#endif
#if WSNPROF_LEVEL >= 3
	unsigned i = 0;
	for (duration >>= WSNPROF_BUCKET_FIRST; duration && i < 7; i++)
		duration >>= WSNPROF_BUCKET_STEP;
	row[WSNPROF_BUCKETS + i]++;
#endif
}

static WSNPROF_QUIET uint8_t *total_put(uint8_t *p, uint32_t low, uint32_t high)
{
	while (high != 0) {
		*p++ = (uint8_t)low | 0x80;
		low = low >> 7 | high << 25;
		high >>= 7;
	}
	return wsnprof_varint(p, low);
}
#endif

uint8_t *wsnprof_site_put(uint16_t slot, uint8_t want, uint8_t *p)
{
	uint32_t *row = wsnprof_sites + slot * WSNPROF_SITE_WORDS;
	uint32_t copy[WSNPROF_SITE_WORDS];

	if (row[WSNPROF_FUNCTION] == 0 ||
	    !wsnprof_wanted(row[WSNPROF_CALLS], row[WSNPROF_SITE_SENT], want))
		return NULL;
	wsnprof_mask mask = wsnprof_lock();
	for (unsigned w = 0; w < WSNPROF_SITE_WORDS; w++) {
		copy[w] = row[w];
		__asm__ volatile("");	/* no memcpy() */
	}
	row[WSNPROF_SITE_SENT] = copy[WSNPROF_CALLS];
	wsnprof_unlock(mask);

	p = wsnprof_varint(p, copy[WSNPROF_SITE] > 1 ?
			      (copy[WSNPROF_SITE] - WSNPROF_BASE) >> 1 : 0);
	p = wsnprof_varint(p, (copy[WSNPROF_FUNCTION] - WSNPROF_BEHIND - WSNPROF_BASE) >> 1);
	p = wsnprof_varint(p, copy[WSNPROF_CALLS]);
#if WSNPROF_LEVEL > 0
	p = total_put(p, copy[WSNPROF_TOTAL], copy[WSNPROF_TOTAL + 1]);
#endif
#if WSNPROF_LEVEL > 1
	p = wsnprof_varint(p, copy[WSNPROF_MIN]);
	p = wsnprof_varint(p, copy[WSNPROF_CALLS] ? copy[WSNPROF_MIN] + copy[WSNPROF_RANGE] : 0);
#endif
#if WSNPROF_LEVEL > 2
	for (unsigned w = WSNPROF_BUCKETS; w < WSNPROF_SITE_WORDS; w++)
		p = wsnprof_varint(p, copy[w]);
#endif
	return p;
}

#if WSNPROF_TEXT
bool wsnprof_row_get(uint16_t slot, struct wsnprof_text_row *text)
{
	const uint32_t *row = wsnprof_sites + slot * WSNPROF_SITE_WORDS;

	if (row[WSNPROF_FUNCTION] == 0)
		return false;
	wsnprof_mask mask = wsnprof_lock();
	text->from = row[WSNPROF_SITE] & ~1u;
	text->to = (row[WSNPROF_FUNCTION] - WSNPROF_BEHIND) & ~1u;
	text->calls = row[WSNPROF_CALLS];
#if WSNPROF_LEVEL > 0
	text->total = row[WSNPROF_TOTAL];
#else
	text->total = 0;
#endif
#if WSNPROF_LEVEL > 1
	text->min = row[WSNPROF_MIN];
	text->max = text->calls ? text->min + row[WSNPROF_RANGE] : 0;
#else
	text->min = 0;
	text->max = 0;
#endif
	wsnprof_unlock(mask);
	return true;
}
#endif

#endif
