/*
 * wsnprof_rows: rows for the text report (WSNPROF_TEXT). The sender's are in wsnprof_sites.inc.
 * Besides: that C and assembly agree.
 */
#include <stddef.h>

#include "wsnprof_send.h"

_Static_assert(offsetof(struct wsnprof_counts, isr_low) == WSNPROF_COUNTS_ISR &&
	       offsetof(struct wsnprof_counts, isr_high) == WSNPROF_COUNTS_ISR + 4,
	       "WSNPROF_COUNTS_ISR");
_Static_assert(offsetof(struct wsnprof_counts, stack_full) == WSNPROF_COUNTS_STACK_FULL,
	       "WSNPROF_COUNTS_STACK_FULL");
_Static_assert(offsetof(struct wsnprof_counts, table_full) == WSNPROF_COUNTS_TABLE_FULL,
	       "WSNPROF_COUNTS_TABLE_FULL");
_Static_assert(offsetof(struct wsnprof_counts, cut) == WSNPROF_COUNTS_CUT, "WSNPROF_COUNTS_CUT");
_Static_assert(offsetof(struct wsnprof_counts, carries) == WSNPROF_COUNTS_CARRIES,
	       "WSNPROF_COUNTS_CARRIES");

#if defined(RAMSTART) && WSNPROF_BUCKETS_AT + (WSNPROF_LEVEL > 2 ? 24 * WSNPROF_SITES : 0) + \
	8 * WSNPROF_STACK + 256 > RAMEND - RAMSTART
#error "WSNPROF_SITES is too large for the RAM of this chip: see wsnprof_defaults.h"
#endif

#if WSNPROF_TEXT

/* As wsnprof_arch.h lays it out. */
struct site {
	uint16_t from;
	uint16_t to;
	uint8_t fresh;
	uint8_t calls[3];
#if WSNPROF_LEVEL > 0
	uint32_t total;
	uint16_t min;
	uint16_t max;
#endif
};

_Static_assert(sizeof(struct site) == WSNPROF_SITE_BYTES, "WSNPROF_SITE_BYTES");
_Static_assert(offsetof(struct site, calls) == WSNPROF_SITE_CALLS, "WSNPROF_SITE_CALLS");
#if WSNPROF_LEVEL > 0
_Static_assert(offsetof(struct site, total) == WSNPROF_SITE_TOTAL, "WSNPROF_SITE_TOTAL");
_Static_assert(offsetof(struct site, max) == WSNPROF_SITE_MAX, "WSNPROF_SITE_MAX");
#endif

extern struct site wsnprof_table[WSNPROF_SITES];

#if WSNPROF_LEVEL > 1
/* A code's ticks: PROTOCOL, section 2. */
static WSNPROF_QUIET uint32_t ticks_of(uint16_t code)
{
	if (code < 0x8000)
		return code;
	return (uint32_t)(0x800 | (code & 0x7ff)) << ((code >> 11 & 15) + 4);
}
#endif

/*
 * What the row no longer holds (2^24 calls, 2^32 ticks and more) the report has no room for
 * either.
 */
bool wsnprof_row_get(uint16_t slot, struct wsnprof_text_row *row)
{
	wsnprof_mask mask = wsnprof_lock();
	struct site s = wsnprof_table[slot];

	wsnprof_unlock(mask);
	if (!s.to)
		return false;
	row->from = (uint32_t)s.from << 1;
	row->to = (uint32_t)s.to << 1;
	row->calls = (s.calls[0] | (uint32_t)s.calls[1] << 8 | (uint32_t)s.calls[2] << 16) +
		     s.fresh;
#if WSNPROF_LEVEL > 0
	row->total = s.total;
#endif
#if WSNPROF_LEVEL > 1
	row->min = ticks_of(s.min);
	row->max = ticks_of(s.max);
#endif
	return true;
}

#endif
