/*
 * wsnprof_cache: tables that count and may be too small: arcs, and sampled PCs. For the runtime's
 * own files; wsnprof_arch.h has the layout, wsnprof_mcount.S reads it.
 *
 * An arc's row lies in the bucket that its key names. If another arc lies there, it lies in any
 * free row of the table, linked behind that bucket. So the table holds as many arcs as it has rows,
 * whatever their addresses. An arc behind a link that counts more than twice as much as the one in
 * its bucket changes places with it. When all rows are in use, the one with the lowest count of
 * eight leaves.
 *
 * A sampled PC's row lies in the bucket that its key names, or 1, 3, 6 further. When all of these
 * are in use, the row with the lowest count leaves.
 *
 * What leaves waits, in WSNPROF_CLOSING bytes, until wsnprof_poll() has sent its final count. When
 * there is no room for it, the new arc is counted as lost, and the host is told which ones were.
 *
 * WSNPROF_LEAST: none leaves, and an arc lies in the first free row from its bucket on.
 */
#ifndef WSNPROF_CACHE_H
#define WSNPROF_CACHE_H

#include <stdint.h>

#include "wsnprof_send.h"

/* Arcs, then PCs. */
extern struct wsnprof_row wsnprof_rows[WSNPROF_ARCS + WSNPROF_PCS];

#if WSNPROF_ARCS > 0 && !WSNPROF_LEAST
/* By an arc's index: 1 more than that of the row linked behind it; 0: none. */
#if WSNPROF_NEXT_BYTES == 1
typedef uint8_t wsnprof_next;
#else
typedef uint16_t wsnprof_next;
#endif
extern wsnprof_next wsnprof_arc_next[WSNPROF_ARCS];
#endif

/*
 * Sampled PCs lie close together: times nine they spread over the table, so that few looks find
 * one, or no room.
 */
#define WSNPROF_PC_BUCKET(pc) (((pc) >> 1) * 9)

/*
 * Count an arc, or with `to` 0 a PC. Called by __gnu_mcount_nc for what it does not find, in
 * whatever context: some 60 instructions for a new row, 300 where one leaves.
 */
void wsnprof_count(uint32_t from, uint32_t to) WSNPROF_QUIET;

/* This arc was found behind a link, for the 512th time or a multiple of it. */
void wsnprof_arc_promote(uint32_t from, uint32_t to) WSNPROF_QUIET;

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
