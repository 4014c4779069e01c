/*
 * wsnprof_send: between the chip's half, which counts, and the portable half, which sends.
 * For the runtime's own files.
 *
 * The chip's half lists its tables in wsnprof_port.h and encodes their rows:
 *
 *	#define WSNPROF_TABLES(X) X(WSNPROF_TYPE_SITES, WSNPROF_SITES)
 *
 * The portable half walks them, wraps rows into frames and frames into the ring.
 */
#ifndef WSNPROF_SEND_H
#define WSNPROF_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_defaults.h"
#include "wsnprof_protocol.h"
#include "wsnprof_port.h"

/* The head, seq and the longest body fit: delimiters, COBS's byte and the CRC are 5 more. */
#define WSNPROF_BODY (WSNPROF_FRAME - 7)

/* A row at its longest, with the skip before it. Fewer free bytes end a frame. */
#ifndef WSNPROF_ROW_SIZE
#error "wsnprof_port.h: WSNPROF_ROW_SIZE, the bytes of the longest row"
#endif

enum wsnprof_want {
	WSNPROF_WANT_HOT,	/* changed much since it was sent */
	WSNPROF_WANT_DIRTY,	/* changed since it was sent */
	WSNPROF_WANT_ANY,	/* is in use */
};

/*
 * The chip's half: if the row in `slot` of table `type` is what is wanted, encode it at p (without
 * skip), mark it as sent, and return the end; else NULL. Takes its own lock, no longer than the copy.
 */
uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

/* The chip's half: make every row dirty (ALL), empty all tables (reset; profiling is stopped). */
void wsnprof_rows_clear(void) WSNPROF_QUIET;

/* LEB128; the end. */
uint8_t *wsnprof_varint(uint8_t *p, uint32_t v) WSNPROF_QUIET;

/*
 * Send a frame: `frame` has WSNPROF_FRAME bytes, the body begins at frame + 4, `end` is behind it.
 * False: no room in the ring; nothing was sent and no number taken. Callable from anywhere, but not
 * nested: a caller in an interrupt (an eviction) sees `busy` and must do without.
 */
bool wsnprof_frame_send(uint8_t type, uint8_t *frame, uint8_t *end) WSNPROF_QUIET;

/* Counters of STATUS, fields 2 to 13, that the chip's half counts up under its lock. */
struct wsnprof_counts {
	uint32_t isr_low, isr_high;
	uint32_t stack_full;
	uint32_t table_full;
	uint32_t cut;
	uint32_t text;			/* the ring's */
	uint32_t carries;
	uint32_t command;		/* the receiver's */
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	uint32_t arcs_lost, pcs_lost;
	uint32_t arcs_closed, pcs_closed;
#endif
};
extern struct wsnprof_counts wsnprof_counts;

extern uint16_t wsnprof_epoch;

#endif
