/*
 * wsntrace_arch: Cortex-M's lanes (target-common/wsntrace_lane.h). For C and assembly. For the
 * runtime's own files.
 *
 *	struct		its first words are what the hooks load at once
 *	table		128 slots: the hash of the call that returned last with these bits 0 to 6
 *			of `side`
 *	tokens		from 1 on; what was sent moves out at the front
 *	open calls	place of OPEN, the caller's hash and side; below the first one a place that
 *			is 0
 *
 * Memory that start-up cleared is a lane that is off: end is 0, sp is 0. While a `mode` is set, end
 * is 0, and the innermost open call has place 0: so all hooks come to their slow parts.
 *
 * With WSNPROF_TASKS the live task's is wsntrace_of_task. Interrupt handlers have one lane. A hook
 * that runs in a handler (IPSR) works on it if `exception` is that handler; if it is 0, the lane is
 * free and the handler takes it, until no call is open. A handler that interrupts the one that has
 * it is counted alone, and what it calls: nothing of the lane may move.
 */
#ifndef WSNTRACE_ARCH_H
#define WSNTRACE_ARCH_H

#include "wsnprof_arch.h"

/*
 * As 1, with another hash: two words. The first is multiplied by what comes, a call's rotated; the
 * second, `side`, adds up what the first is, and its low bits are the slot's number: so a slot
 * compares 32 bits. It goes on in the calls: theirs is what it grew by. 24 bits are in a reference.
 */
#define WSNTRACE_ENCODING 2
#define WSNTRACE_REF_BYTES 3
#define WSNTRACE_K 0x9e3779b5	/* ROR by its low byte is one by WSNTRACE_TURN */
#define WSNTRACE_TURN 21
#define WSNTRACE_LONG_HOOKS 1	/* stamps below the top level: WSNPROF_TRACE_LONG */
#define WSNTRACE_CALL_BYTES 12
#define WSNTRACE_TABLE 72	/* from the lane on */

/* A stamp's unit: the ticks' power of two that is 8 to 15 us. 2^16 of them are half a second. */
#ifndef WSNTRACE_SHIFT
#if WSNPROF_CLOCK_HZ <= 0x1ffff
#define WSNTRACE_SHIFT 0
#elif WSNPROF_CLOCK_HZ <= 0x3ffff
#define WSNTRACE_SHIFT 1
#elif WSNPROF_CLOCK_HZ <= 0x7ffff
#define WSNTRACE_SHIFT 2
#elif WSNPROF_CLOCK_HZ <= 0xfffff
#define WSNTRACE_SHIFT 3
#elif WSNPROF_CLOCK_HZ <= 0x1fffff
#define WSNTRACE_SHIFT 4
#elif WSNPROF_CLOCK_HZ <= 0x3fffff
#define WSNTRACE_SHIFT 5
#elif WSNPROF_CLOCK_HZ <= 0x7fffff
#define WSNTRACE_SHIFT 6
#elif WSNPROF_CLOCK_HZ <= 0xffffff
#define WSNTRACE_SHIFT 7
#elif WSNPROF_CLOCK_HZ <= 0x1ffffff
#define WSNTRACE_SHIFT 8
#elif WSNPROF_CLOCK_HZ <= 0x3ffffff
#define WSNTRACE_SHIFT 9
#elif WSNPROF_CLOCK_HZ <= 0x7ffffff
#define WSNTRACE_SHIFT 10
#elif WSNPROF_CLOCK_HZ <= 0xfffffff
#define WSNTRACE_SHIFT 11
#else
#define WSNTRACE_SHIFT 12
#endif
#endif

WSNPROF_STRUCT(trace_lane)
	WSNPROF_MEMBER(trace_lane, uint32_t, w)		/* where the next token comes */
	WSNPROF_MEMBER(trace_lane, uint32_t, hash)	/* of the innermost open call */
	WSNPROF_MEMBER(trace_lane, uint32_t, side)
	WSNPROF_MEMBER(trace_lane, uint32_t, sp)	/* behind the innermost open call */
	WSNPROF_MEMBER(trace_lane, uint32_t, end)	/* no call's token from here on */
	WSNPROF_MEMBER(trace_lane, uint32_t, limit)	/* calls from this sp on are boxes */
	WSNPROF_MEMBER(trace_lane, uint32_t, top)	/* sp at which wsnprof_poll() was called */
	WSNPROF_MEMBER(trace_lane, uint32_t, mode)
	WSNPROF_MEMBER(trace_lane, uint32_t, nest)	/* calls open in the box, itself included */
	WSNPROF_MEMBER(trace_lane, uint32_t, boxed)	/* calls in it so far, itself included */
	WSNPROF_MEMBER(trace_lane, uint32_t, exception)	/* handlers: whose it is */
	WSNPROF_MEMBER(trace_lane, uint32_t, gap)
	WSNPROF_MEMBER(trace_lane, uint32_t, untold)	/* calls counted alone, but for `boxed` */
	WSNPROF_MEMBER(trace_lane, uint32_t, nested)	/* and in handlers that came in between */
	WSNPROF_MEMBER(trace_lane, uint32_t, last)	/* sp of the last call that fits */
	WSNPROF_MEMBER(trace_lane, uint16_t, stamp)	/* the last one */
	WSNPROF_MEMBER(trace_lane, uint16_t, box_id)
	WSNPROF_MEMBER(trace_lane, uint16_t, gap_at)	/* when the gap began */
	WSNPROF_MEMBER(trace_lane, uint8_t, w_true)
	WSNPROF_MEMBER(trace_lane, uint8_t, top_at)	/* place of OPEN of the call made there */
	WSNPROF_MEMBER(trace_lane, uint8_t, stamped)	/* it may be counted from */
	WSNPROF_MEMBER(trace_lane, uint8_t, gap_timed)	/* gap_at may be told */
	WSNPROF_MEMBER(trace_lane, uint8_t, away)	/* told: another task goes on */
	WSNPROF_ARRAY(trace_lane, uint8_t, spare, 1)
WSNPROF_STRUCT_END(trace_lane)

#ifndef __ASSEMBLER__

#include "wsnprof.h"

typedef uint32_t wsntrace_sp;		/* an address */
typedef uint32_t wsntrace_lane_id;	/* the same */

struct wsntrace_hash {
	uint32_t bits;
	uint32_t side;
};

struct wsntrace_call {
	uint32_t at;
	struct wsntrace_hash hash;	/* of its caller */
};

struct wsntrace_lane {
	struct wsnprof_trace_lane is;
	uint32_t table[WSNTRACE_SLOTS];
	uint8_t tokens[256];
	struct wsntrace_call none;	/* the open calls follow it */
};

_Static_assert(offsetof(struct wsntrace_lane, table) == WSNTRACE_TABLE, "WSNTRACE_TABLE");

#define WSNTRACE_LIVE(lane) ((lane)->is)
#define WSNTRACE_LANE_BASE(lane) ((uint32_t)((lane) + 1))

#endif

#endif
