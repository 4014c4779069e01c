/*
 * wsnprof_cache: tables that count and may be too small: arcs, and sampled PCs. For the runtime's own
 * files.
 *
 * A row lies in one of WSNPROF_WINDOW buckets behind the one that its key names. When all of them are
 * taken, the one that counted least leaves: it waits, at most WSNPROF_CLOSING of them do, until
 * wsnprof_poll() has told the host its final count. When nobody may wait, the newcomer is not counted, and
 * that is.
 */
#ifndef WSNPROF_CACHE_H
#define WSNPROF_CACHE_H

#include <stdint.h>

#include "wsnprof_send.h"

/*
 * Words of a row. While profiling is stopped FROM's bit 0 is turned over, so that __gnu_mcount_nc finds nothing,
 * without a look at a switch. A free row's FROM is 0 (1 when stopped); all others' is odd.
 */
enum wsnprof_cache_word {
	WSNPROF_COUNT,
	WSNPROF_SENT,		/* the count that the host was told */
	WSNPROF_FROM,		/* or the PC */
	WSNPROF_TO,		/* arcs only */
};

/* Called by __gnu_mcount_nc, in whatever context: return addresses, Thumb bit and all. Some 60 to 150 instructions. */
void wsnprof_arc_count(uint32_t from, uint32_t to) WSNPROF_QUIET;

/* Turn FROM's bit over in every row. Empty all tables, as stopped. */
void wsnprof_caches_flip(void) WSNPROF_QUIET;
void wsnprof_caches_clear(void) WSNPROF_QUIET;

/* wsnprof_row_put() for these tables. */
uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

/* Send the rows that wait, as far as the ring has room. Main program. */
void wsnprof_caches_close(void) WSNPROF_QUIET;

#endif
