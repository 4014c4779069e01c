/*
 * wsnprof_cache: tables that count and may be too small: arcs, and sampled PCs. For the runtime's
 * own files; wsnprof_arch.h has the layout, wsnprof_mcount.S reads it.
 *
 * A row lies in the bucket that its key names, or 1, 3, 6, 10... further, WSNPROF_WINDOW buckets in
 * all (a PC's: WSNPROF_PC_WINDOW); such steps reach each bucket of the table, and spread what
 * neighbours in the code would crowd. When all of them are in use, the row with the lowest count
 * leaves: it waits, in WSNPROF_CLOSING bytes, until wsnprof_poll() has sent its final count. When
 * there is no room for it, the new arc is counted as lost.
 */
#ifndef WSNPROF_CACHE_H
#define WSNPROF_CACHE_H

#include <stdint.h>

#include "wsnprof_send.h"

/* Arcs, then PCs. */
extern struct wsnprof_row wsnprof_rows[WSNPROF_ARCS + WSNPROF_PCS];

/*
 * Sampled PCs lie close together: times nine they spread over the table, so that few looks find
 * one, or no room.
 */
#define WSNPROF_PC_BUCKET(pc) (((pc) >> 1) * 9)

/*
 * Count an arc, or with `to` 0 a PC. Called by __gnu_mcount_nc for what it does not find, in
 * whatever context. 30 instructions when the first bucket holds the row, 12 more for each further
 * one, some 60 for a new row.
 */
void wsnprof_count(uint32_t from, uint32_t to) WSNPROF_QUIET;

/* Turn all from's bit over: interrupts are off. Empty all tables, as stopped. */
void wsnprof_cache_turn(void) WSNPROF_QUIET;
void wsnprof_cache_clear(void) WSNPROF_QUIET;

/* wsnprof_row_put() for these tables, and wsnprof_row_seek(). */
#if WSNPROF_SITES == 0
#define wsnprof_cache_put wsnprof_row_put
#endif
uint8_t *wsnprof_cache_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

/* Rows that wait are to be sent, few as they may be. */
void wsnprof_cache_due(void) WSNPROF_QUIET;

/* Send rows that wait, a frame of them, if there is room. Main program. */
void wsnprof_cache_close(void) WSNPROF_QUIET;

#endif
