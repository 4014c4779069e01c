/* wsnprof_rows: rows for the text report (WSNPROF_TEXT). The sender's are in wsnprof_sites.inc. */
#include "wsnprof_send.h"

#if !WSNPROF_TRACE && defined(RAMSTART) && \
	WSNPROF_BUCKETS_AT + (WSNPROF_LEVEL > 2 ? 24 * WSNPROF_SITES : 0) + \
	WSNPROF_LEVEL_BYTES * WSNPROF_STACK + 256 > RAMEND - RAMSTART
#error "WSNPROF_SITES is too large for the RAM of this chip: see wsnprof_defaults.h"
#endif

#if WSNPROF_TEXT

extern struct wsnprof_site wsnprof_table[WSNPROF_SITES];

#if WSNPROF_LEVEL > 1
/* A code's ticks: PROTOCOL, section 2. */
static WSNPROF_QUIET uint32_t code_ticks(uint16_t code)
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
	struct wsnprof_site s = wsnprof_table[slot];

	wsnprof_unlock(mask);
	if (!s.to)
		return false;
	row->from = (uint32_t)s.from << 1;
	row->to = (uint32_t)(s.to - WSNPROF_TO_MORE) << 1;
	row->calls = (s.calls[0] | (uint32_t)s.calls[1] << 8 | (uint32_t)s.calls[2] << 16) +
		     s.fresh;
#if WSNPROF_LEVEL > 0
	row->total = s.total;
#endif
#if WSNPROF_LEVEL > 1
	row->min = code_ticks(s.min);
	row->max = code_ticks(s.max);
#endif
	return true;
}

#endif
