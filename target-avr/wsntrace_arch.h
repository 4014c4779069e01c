/*
 * wsntrace_arch: an AVR's lanes (target-common/wsntrace_lane.h). For C and assembly. For the
 * runtime's own files.
 *
 *	page - 1	table	128 slots: bits 8 to 23 of the hash of the call that returned last
 *				with bits 0 to 6; with WSNPROF_TRACE_HASH 40 before it as many
 *				with bits 24 to 39, with WSNPROF_TRACE_ALIKE units that it took
 *				when it was told, 0xffff: not known
 *	page		tokens	from 1 on; what was sent moves out at the front
 *	page + 1	struct, then the open calls: hash of the caller, place of OPEN; place 0: it
 *			was sent, or the hook's slow part has to look
 *
 * Of the live lane the hooks keep the hash in GPIOR0 to 2 and the rest, bits 24 to 39 of the hash,
 * too, in wsntrace_live. One test
 * tells a hook whether all is as usual: w, where the next token comes, is WSNTRACE_SLOW while a
 * `mode` is set, and the true one is w_true. The innermost open call has place 0 then, so that its
 * end comes to the slow part, too.
 */
#ifndef WSNTRACE_ARCH_H
#define WSNTRACE_ARCH_H

#include "wsnprof_struct.h"

#if WSNPROF_TRACE_HASH != 24 && WSNPROF_TRACE_HASH != 40
#error "WSNPROF_TRACE_HASH: 24 or 40"
#endif
#if WSNPROF_TRACE_HASH == 40 && WSNPROF_TRACE_LONG
#error "WSNPROF_TRACE_HASH 40, WSNPROF_TRACE_LONG: one of them"
#endif
#if WSNPROF_TRACE == 1 && WSNPROF_TRACE_HASH == 40 && \
	(WSNPROF_STACK > 36 || WSNPROF_TRACE_HANDLERS > 36)
#error "WSNPROF_STACK, WSNPROF_TRACE_HANDLERS: at most 36 with WSNPROF_TRACE_HASH 40"
#endif

#define WSNTRACE_SLOW 255	/* w; no token begins so far behind */

#define WSNTRACE_BOX_HASH 1	/* hashes go on in boxes: box_sp, WSNTRACE_DEAF */
#define WSNTRACE_HANDLER_HOOKS 1	/* handlers have hooks of their own */
#define WSNTRACE_LONG_HOOKS 1	/* stamps below the top level: WSNPROF_TRACE_LONG */
#define WSNTRACE_EVERY_HOOKS 1	/* of leaves, too: WSNPROF_TRACE_EVERY */
#define WSNTRACE_ALIKE_HOOKS 1	/* calls' times are kept: WSNPROF_TRACE_ALIKE */
#define WSNTRACE_SHIFT 0
#define WSNTRACE_HASH_BYTES (WSNPROF_TRACE_HASH / 8)
#if WSNPROF_TRACE_HASH == 40
#define WSNTRACE_ENCODING 7
#define WSNTRACE_REF_BYTES 3
#define WSNTRACE_TABLES 2
#define WSNTRACE_K 251
#else
#define WSNTRACE_ENCODING 8
#define WSNTRACE_REF_BYTES 2
#if WSNPROF_TRACE_ALIKE
#define WSNTRACE_TABLES 2
#else
#define WSNTRACE_TABLES 1
#endif
#define WSNTRACE_K 231
#endif
#define WSNTRACE_CALL_BYTES (WSNTRACE_HASH_BYTES + 1)
#define WSNTRACE_BASE (33 + WSNTRACE_HASH_BYTES)	/* sp when no call is open */
#define WSNTRACE_TOKENS_AT (256 * WSNTRACE_TABLES)	/* in a lane */
#define WSNTRACE_STRUCT_AT (WSNTRACE_TOKENS_AT + 256)
#define WSNTRACE_LANE_BYTES(levels) \
	(WSNTRACE_STRUCT_AT + WSNTRACE_BASE + WSNTRACE_CALL_BYTES * (levels))

/* Of the live lane. */
WSNPROF_STRUCT(trace_live)
	WSNPROF_MEMBER(trace_live, uint8_t, w)		/* where the next token comes */
	WSNPROF_MEMBER(trace_live, uint8_t, sp)		/* behind the innermost open call */
	WSNPROF_MEMBER(trace_live, uint8_t, page)	/* of its tokens' address */
	WSNPROF_MEMBER(trace_live, uint8_t, limit)	/* calls from this sp on are boxes */
	WSNPROF_MEMBER(trace_live, uint8_t, nesting)	/* of interrupt handlers */
#if WSNTRACE_HASH_BYTES > 3
	WSNPROF_ARRAY(trace_live, uint8_t, hash, 2)	/* bits 24 to 39 */
#endif
#if WSNPROF_TRACE_EVERY
	WSNPROF_MEMBER(trace_live, uint8_t, every)	/* events until the next one with a stamp */
#endif
WSNPROF_STRUCT_END(trace_live)

/* Behind the tokens. */
WSNPROF_STRUCT(trace_lane)
	/* of a lane that is not live */
	WSNPROF_ARRAY(trace_lane, uint8_t, hash, WSNTRACE_HASH_BYTES)
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
	WSNPROF_MEMBER(trace_lane, uint16_t, gap_at)	/* when the gap began */
	WSNPROF_MEMBER(trace_lane, uint8_t, gap_timed)	/* gap_at may be told */
	WSNPROF_MEMBER(trace_lane, uint8_t, box_sp)	/* behind the box's own frame */
	WSNPROF_MEMBER(trace_lane, uint8_t, top)	/* sp at which wsnprof_poll() was called */
	WSNPROF_MEMBER(trace_lane, uint8_t, top_at)	/* place of OPEN of the call made there */
	WSNPROF_MEMBER(trace_lane, uint8_t, stamped)	/* it may be counted from */
	WSNPROF_MEMBER(trace_lane, uint8_t, last)	/* sp of the last call that fits */
	WSNPROF_MEMBER(trace_lane, uint8_t, away)	/* told that its task is */
	WSNPROF_MEMBER(trace_lane, uint8_t, no_call)	/* 0: place of OPEN when none is open */
WSNPROF_STRUCT_END(trace_lane)

#ifndef __ASSEMBLER__

#include "wsnprof.h"

typedef uint8_t wsntrace_sp;		/* from the struct on */
typedef uint8_t wsntrace_lane_id;

struct wsntrace_hash {
	uint8_t byte[WSNTRACE_HASH_BYTES];
};

struct wsntrace_call {
	uint8_t hash[WSNTRACE_HASH_BYTES];	/* of its caller: wsntrace_call_keep() */
	uint8_t at;
};

struct wsntrace_lane {
	uint8_t table[WSNTRACE_TABLES][WSNTRACE_SLOTS][2];	/* the last one: bits 8 to 23 */
	uint8_t tokens[256];
	struct wsnprof_trace_lane is;	/* the open calls follow it */
};

_Static_assert(sizeof(struct wsntrace_lane) == WSNTRACE_LANE_BYTES(0), "WSNTRACE_BASE");

extern struct wsnprof_trace_live wsntrace_live;

#define WSNTRACE_LIVE(lane) wsntrace_live
#define WSNTRACE_LANE_BASE(lane) WSNTRACE_BASE

#endif

#endif
