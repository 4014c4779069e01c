/*
 * wsntrace_lane: what the hooks of a call trace and its sender share (WSNPROF_TRACE;
 * docs/PROTOCOL.md, 9). For C and assembly. For the runtime's own files.
 *
 * A lane is what no other part of the program interrupts but to come back: the main program, the
 * interrupt handlers. Its hooks therefore need no lock. A handler's hook makes the handlers' lane
 * the live one, and its end makes the other live again.
 *
 *	page - 1	table	128 slots: bits 8 to 23 of the hash of the call that returned last
 *				with bits 0 to 6
 *	page		tokens	from 1 on; what was sent moves out at the front
 *	page + 1	struct, then the open calls: hash of the caller (3), place of OPEN; place 0:
 *			it was sent, or the hook's slow part has to look
 *
 * Of the live lane the hooks keep the hash in GPIOR0 to 2 and the rest in wsntrace_live. One test
 * tells a hook whether all is as usual: w, where the next token comes, is WSNTRACE_SLOW while a
 * `mode` is set, and the true one is w_true. The innermost open call has place 0 then, so that its
 * end comes to the slow part, too.
 */
#ifndef WSNTRACE_LANE_H
#define WSNTRACE_LANE_H

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

/* wsntrace_lane.mode: bits. */
#define WSNTRACE_OFF 1		/* nothing is told or counted */
#define WSNTRACE_BOX 2		/* in a call that is counted alone, with all calls in it */
#define WSNTRACE_TOP 4		/* at the top level or above: the next call gets a stamp */
#define WSNTRACE_GAP 8		/* calls found no room: `gap` of them are still to be told */
#define WSNTRACE_BROKEN 16	/* a return found no room: nothing is told until all is sent */
#define WSNTRACE_OFF_BIT 0
#define WSNTRACE_BOX_BIT 1

/* Why the slow part is called. */
#define WSNTRACE_ENTER 0
#define WSNTRACE_LEAF 1
#define WSNTRACE_EXIT 2
#define WSNTRACE_BOX_END 3
#define WSNTRACE_HANDLER_ENTER 4
#define WSNTRACE_HANDLER_EXIT 5

#define WSNTRACE_SLOW 255	/* w; no token begins so far behind */
#define WSNTRACE_FULL 232	/* nor a call from here on: ends of calls have the rest */
#define WSNTRACE_LEAVE 250	/* nor a CLOSE, but for the slow part's */

#define WSNTRACE_K 251
#define WSNTRACE_NARROW 0x7c	/* the greatest id of one byte */
#define WSNTRACE_SLOTS 128
#define WSNTRACE_CALL_BYTES 4
#define WSNTRACE_BASE 32	/* sp when no call is open */
#define WSNTRACE_LANE_BYTES(levels) (512 + WSNTRACE_BASE + WSNTRACE_CALL_BYTES * (levels))

/* Of the live lane. */
WSNPROF_STRUCT(trace_live)
	WSNPROF_MEMBER(trace_live, uint8_t, w)		/* where the next token comes */
	WSNPROF_MEMBER(trace_live, uint8_t, sp)		/* behind the innermost open call */
	WSNPROF_MEMBER(trace_live, uint8_t, page)	/* of its tokens' address */
	WSNPROF_MEMBER(trace_live, uint8_t, limit)	/* calls from this sp on are boxes */
	WSNPROF_MEMBER(trace_live, uint8_t, nesting)	/* of interrupt handlers */
WSNPROF_STRUCT_END(trace_live)

/* Behind the tokens. */
WSNPROF_STRUCT(trace_lane)
	/* of a lane that is not live */
	WSNPROF_ARRAY(trace_lane, uint8_t, hash, 3)
	WSNPROF_MEMBER(trace_lane, uint8_t, w)
	WSNPROF_MEMBER(trace_lane, uint8_t, sp)
	WSNPROF_MEMBER(trace_lane, uint8_t, limit)
	WSNPROF_MEMBER(trace_lane, uint8_t, mode)
	WSNPROF_MEMBER(trace_lane, uint8_t, w_true)
	WSNPROF_MEMBER(trace_lane, uint16_t, nest)	/* calls open in the box, itself included */
	WSNPROF_MEMBER(trace_lane, uint16_t, box_id)
	WSNPROF_MEMBER(trace_lane, uint32_t, boxed)	/* calls in it so far, itself included */
	WSNPROF_MEMBER(trace_lane, uint32_t, gap)
	WSNPROF_MEMBER(trace_lane, uint32_t, untold)	/* calls counted alone, but for `boxed` */
	WSNPROF_MEMBER(trace_lane, uint16_t, stamp)	/* the last one */
	WSNPROF_MEMBER(trace_lane, uint8_t, top)	/* sp at which wsnprof_poll() was called */
	WSNPROF_MEMBER(trace_lane, uint8_t, top_at)	/* place of OPEN of the call made there */
	WSNPROF_MEMBER(trace_lane, uint8_t, stamped)	/* it may be counted from */
	WSNPROF_MEMBER(trace_lane, uint8_t, last)	/* sp of the last call that fits */
	WSNPROF_MEMBER(trace_lane, uint8_t, spare)
	WSNPROF_MEMBER(trace_lane, uint8_t, no_call)	/* 0: place of OPEN when none is open */
WSNPROF_STRUCT_END(trace_lane)

#ifndef __ASSEMBLER__

#include "wsnprof.h"

struct wsntrace_call {
	uint8_t hash[3];		/* of its caller */
	uint8_t at;
};

struct wsntrace_lane {
	uint8_t table[WSNTRACE_SLOTS][2];
	uint8_t tokens[256];
	struct wsnprof_trace_lane is;	/* the open calls follow it */
};

_Static_assert(sizeof(struct wsntrace_lane) == WSNTRACE_LANE_BYTES(0), "WSNTRACE_BASE");

extern struct wsnprof_trace_live wsntrace_live;

/* What the hooks leave to it. `id`: the function's, where one is entered. */
void wsntrace_slow(uint16_t id, uint8_t why) WSNPROF_QUIET;

/* All lanes empty and off. Then on; off again: what was told stays. */
void wsntrace_init(void) WSNPROF_QUIET;
void wsntrace_start(void) WSNPROF_QUIET;
void wsntrace_stop(void) WSNPROF_QUIET;

/* The lane's state is in itself, not in wsntrace_live: the true w, and mode is not 0. */
void wsntrace_hold(struct wsntrace_lane *l) WSNPROF_QUIET;
/* The opposite. */
void wsntrace_release(struct wsntrace_lane *l) WSNPROF_QUIET;

/* Whoever calls wsnprof_poll() is at the top level. Its calls are not taken back any more. */
void wsntrace_pin(struct wsntrace_lane *l) WSNPROF_QUIET;
void wsntrace_top(void) WSNPROF_QUIET;

/* Calls that found no room are told where there is room now. Of the held lane. */
bool wsntrace_gap_tell(struct wsntrace_lane *l, uint8_t end) WSNPROF_QUIET;

#endif

#endif
