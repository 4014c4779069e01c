/* wsntrace_port: what call traces (target-common/wsntrace_send.h) need of a Cortex-M. */
#ifndef WSNTRACE_PORT_H
#define WSNTRACE_PORT_H

#include "wsntrace_lane.h"

#define WSNTRACE_PLACE
#define WSNTRACE_PLACE_EACH

/* --- the clock ------------------------------------------------------------------------------ */

WSNPROF_INLINE uint32_t wsntrace_ticks(void)
{
	return WSNPROF_COUNTS_DOWN ? -wsnprof_clock() : wsnprof_clock();
}

/* The same, for hooks that cannot read it themselves. */
uint32_t wsntrace_clock(void) WSNPROF_QUIET;

WSNPROF_INLINE uint16_t wsntrace_units(void)
{
	return (uint16_t)(wsntrace_ticks() >> WSNTRACE_SHIFT);
}

/* --- a call, a token ------------------------------------------------------------------------ */

WSNPROF_INLINE struct wsntrace_hash wsntrace_hash(const struct wsntrace_lane *l)
{
	return (struct wsntrace_hash){ l->is.hash, l->is.side };
}

WSNPROF_INLINE void wsntrace_hash_set(struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	l->is.hash = hash.bits;
	l->is.side = hash.side;
}

#define wsntrace_hash_byte(hash, n) ((uint8_t)((n) ? (hash).bits >> 8 * (n) : (hash).side))

WSNPROF_INLINE bool wsntrace_is_known(struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	uint32_t *slot = &l->table[hash.side & (WSNTRACE_SLOTS - 1)];
	bool known = *slot == hash.bits;

	*slot = hash.bits;
	return known;
}

WSNPROF_INLINE struct wsntrace_call *wsntrace_call_at(struct wsntrace_lane *l, wsntrace_sp sp)
{
	(void)l;
	return (struct wsntrace_call *)sp - 1;
}

WSNPROF_INLINE void wsntrace_call_keep(struct wsntrace_call *call, struct wsntrace_hash hash)
{
	call->hash = hash;
}

WSNPROF_INLINE struct wsntrace_hash wsntrace_call_kept(const struct wsntrace_call *call)
{
	return call->hash;
}

WSNPROF_INLINE struct wsntrace_hash wsntrace_hash_own(const struct wsntrace_lane *l)
{
	const struct wsntrace_call *call = (const struct wsntrace_call *)l->is.sp - 1;

	return (struct wsntrace_hash){ l->is.hash, l->is.side + l->is.hash - call->hash.side };
}

#define wsntrace_call_return(lane) wsntrace_call_over(lane)

WSNPROF_INLINE uint32_t wsntrace_place(const struct wsntrace_lane *l, uint8_t index)
{
	return index ? (uint32_t)(l->tokens + index) : 0;
}

WSNPROF_INLINE uint8_t wsntrace_index(const struct wsntrace_lane *l, uint32_t place)
{
	return (uint8_t)(place ? place - (uint32_t)l->tokens : 0);
}

/* --- a lane --------------------------------------------------------------------------------- */

WSNPROF_INLINE uint8_t wsntrace_w(const struct wsntrace_lane *l)
{
	return (uint8_t)(l->is.w - (uint32_t)l->tokens);
}

WSNPROF_INLINE void wsntrace_w_show(struct wsntrace_lane *l)
{
	l->is.w = (uint32_t)(l->tokens + l->is.w_true);
	l->is.end = (uint32_t)(l->tokens + WSNTRACE_FULL);
}

WSNPROF_INLINE void wsntrace_w_hide(struct wsntrace_lane *l)
{
	l->is.end = 0;
}

#define wsntrace_lane_hide(lane) wsntrace_w_hide(lane)
#define wsntrace_live_begin(lane) ((void)(lane))

WSNPROF_INLINE uint32_t wsntrace_page(const struct wsntrace_lane *l)
{
	return (uint32_t)l;
}

/* The hooks' C part, with what they found out: see target-cortexm/wsntrace_lanes.c. */
struct wsntrace_lane *wsntrace_lane_live(void) WSNPROF_QUIET;
struct wsntrace_lane *wsntrace_lane_take(uint32_t calls) WSNPROF_QUIET;
void wsntrace_lane_leave(struct wsntrace_lane *l) WSNPROF_QUIET;

/* Not so wsntrace_others, which has no stack. */
#define wsntrace_is_live(lane) ((lane) == wsntrace_lane_live() && (lane)->is.sp)

uint32_t wsntrace_nested(const struct wsntrace_lane *l) WSNPROF_QUIET;

#if WSNPROF_TASKS
/*
 * Whose calls the hooks tell, but for handlers'. Tasks that have no lane have wsntrace_others, in
 * which all calls are as in a box: counted.
 */
extern struct wsntrace_lane *wsntrace_of_task;
extern struct wsnprof_trace_lane wsntrace_others;

WSNPROF_INLINE void wsntrace_others_count(bool on)
{
	wsntrace_others.mode = on ? WSNTRACE_BOX : WSNTRACE_OFF;
}
#endif

#endif
