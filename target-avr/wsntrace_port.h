/* wsntrace_port: what call traces (target-common/wsntrace_send.h) need of an AVR. */
#ifndef WSNTRACE_PORT_H
#define WSNTRACE_PORT_H

#include "wsntrace_lane.h"

#define WSNTRACE_PLACE __attribute__((section(".noinit.wsntrace"), aligned(256)))
#define WSNTRACE_PLACE_EACH __attribute__((aligned(256)))

#ifndef WSNTRACE_AT
#define WSNTRACE_AT(page) ((struct wsntrace_lane *)(uint16_t)((page - WSNTRACE_TABLES) << 8))
#define WSNTRACE_PAGE(lane) ((uint8_t)((uint16_t)(lane)->tokens >> 8))
#endif

extern uint8_t wsntrace_under;		/* page of the lane that was interrupted */

#if WSNPROF_TRACE_ALIKE
extern uint16_t wsntrace_struck;	/* units: when a handler last interrupted what runs */
#endif

/*
 * Calls in handlers that interrupted another. No lane's: what counts in the lane may be interrupted
 * by what counts here.
 */
extern uint32_t wsntrace_inner_calls;

uint32_t wsntrace_ticks(void) WSNPROF_QUIET;

WSNPROF_INLINE uint16_t wsntrace_units(void)
{
	wsnprof_mask mask = wsnprof_lock();	/* handlers read it, too */
	uint16_t t = WSNPROF_T;

	wsnprof_unlock(mask);
	return t;
}

WSNPROF_INLINE struct wsntrace_hash wsntrace_hash(const struct wsntrace_lane *l)
{
	(void)l;
	return (struct wsntrace_hash){ {
		GPIOR0, GPIOR1, GPIOR2,
#if WSNTRACE_HASH_BYTES > 3
		wsntrace_live.hash[0], wsntrace_live.hash[1],
#endif
	} };
}

WSNPROF_INLINE void wsntrace_hash_set(const struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	(void)l;
	GPIOR0 = hash.byte[0];
	GPIOR1 = hash.byte[1];
	GPIOR2 = hash.byte[2];
#if WSNTRACE_HASH_BYTES > 3
	wsntrace_live.hash[0] = hash.byte[3];
	wsntrace_live.hash[1] = hash.byte[4];
#endif
}

#define wsntrace_hash_own(lane) wsntrace_hash(lane)
#define wsntrace_hash_byte(hash, n) ((hash).byte[n])

WSNPROF_INLINE uint8_t wsntrace_page(struct wsntrace_lane *l)
{
	return WSNTRACE_PAGE(l);
}

WSNPROF_INLINE struct wsntrace_lane *wsntrace_lane_at(uint8_t page)
{
	return WSNTRACE_AT(page);
}

WSNPROF_INLINE struct wsntrace_lane *wsntrace_lane_live(void)
{
	return wsntrace_lane_at(wsntrace_live.page);
}

WSNPROF_INLINE void wsntrace_live_save(void)
{
	struct wsnprof_trace_lane *out = &wsntrace_lane_live()->is;

	out->hash[0] = GPIOR0;
	out->hash[1] = GPIOR1;
	out->hash[2] = GPIOR2;
#if WSNTRACE_HASH_BYTES > 3
	out->hash[3] = wsntrace_live.hash[0];
	out->hash[4] = wsntrace_live.hash[1];
#endif
	out->w = wsntrace_live.w;
	out->sp = wsntrace_live.sp;
	out->limit = wsntrace_live.limit;
}

WSNPROF_INLINE void wsntrace_live_load(uint8_t page)
{
	struct wsnprof_trace_lane *in = &wsntrace_lane_at(page)->is;

	GPIOR0 = in->hash[0];
	GPIOR1 = in->hash[1];
	GPIOR2 = in->hash[2];
#if WSNTRACE_HASH_BYTES > 3
	wsntrace_live.hash[0] = in->hash[3];
	wsntrace_live.hash[1] = in->hash[4];
#endif
	wsntrace_live.w = in->w;
	wsntrace_live.sp = in->sp;
	wsntrace_live.limit = in->limit;
	wsntrace_live.page = page;
}

WSNPROF_INLINE void wsntrace_live_set(uint8_t page)
{
	wsntrace_live_save();
	wsntrace_live_load(page);
}

/* --- a call, a token ------------------------------------------------------------------------ */

/* The same, and the table stays as it is. */
WSNPROF_INLINE bool wsntrace_was_told(const struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	uint8_t n = hash.byte[0] & (WSNTRACE_SLOTS - 1);
	const uint8_t *slot = l->table[WSNTRACE_TABLES - 1][n];

#if WSNTRACE_HASH_BYTES > 3
	if (l->table[0][n][0] != hash.byte[3] || l->table[0][n][1] != hash.byte[4])
		return false;
#endif
	return slot[0] == hash.byte[1] && slot[1] == hash.byte[2];
}

WSNPROF_INLINE bool wsntrace_is_known(struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	uint8_t n = hash.byte[0] & (WSNTRACE_SLOTS - 1);
	uint8_t *slot = l->table[WSNTRACE_TABLES - 1][n];

	if (wsntrace_was_told(l, hash))
		return true;
	slot[0] = hash.byte[1];
	slot[1] = hash.byte[2];
#if WSNTRACE_HASH_BYTES > 3
	l->table[0][n][0] = hash.byte[3];
	l->table[0][n][1] = hash.byte[4];
#endif
	return false;
}

#if WSNPROF_TRACE_ALIKE
/* What the call took, in units, that has the slot. */
WSNPROF_INLINE uint16_t wsntrace_took(const struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	const uint8_t *slot = l->table[0][hash.byte[0] & (WSNTRACE_SLOTS - 1)];

	return (uint16_t)(slot[0] | slot[1] << 8);
}

WSNPROF_INLINE void wsntrace_took_keep(struct wsntrace_lane *l, struct wsntrace_hash hash,
				       uint16_t took)
{
	uint8_t *slot = l->table[0][hash.byte[0] & (WSNTRACE_SLOTS - 1)];

	slot[0] = (uint8_t)took;
	slot[1] = (uint8_t)(took >> 8);
}
#endif

WSNPROF_INLINE struct wsntrace_call *wsntrace_call_at(struct wsntrace_lane *l, wsntrace_sp sp)
{
	return (struct wsntrace_call *)((uint8_t *)&l->is + sp) - 1;
}

/* As the hooks need them, the last one first. */
WSNPROF_INLINE void wsntrace_call_keep(struct wsntrace_call *call, struct wsntrace_hash hash)
{
	uint8_t *p = call->hash;

#if WSNTRACE_HASH_BYTES > 3
	*p++ = hash.byte[3];
	*p++ = hash.byte[0];
	*p++ = hash.byte[4];
#else
	*p++ = hash.byte[0];
#endif
	*p++ = hash.byte[1];
	*p = hash.byte[2];
}

WSNPROF_INLINE struct wsntrace_hash wsntrace_call_kept(const struct wsntrace_call *call)
{
	const uint8_t *p = call->hash;

#if WSNTRACE_HASH_BYTES > 3
	return (struct wsntrace_hash){ { p[1], p[3], p[4], p[0], p[2] } };
#else
	return (struct wsntrace_hash){ { p[0], p[1], p[2] } };
#endif
}

/* In wsntrace_hooks.S. The live lane's hash goes on with two bytes; with the call that returns. */
void wsntrace_hash_pair(uint8_t a, uint8_t b) WSNPROF_QUIET;
void wsntrace_hash_return(void) WSNPROF_QUIET;

WSNPROF_INLINE void wsntrace_call_return(struct wsntrace_lane *l)
{
	(void)l;
	wsntrace_hash_return();
}

#define wsntrace_place(lane, index) (index)
#define wsntrace_index(lane, place) (place)

/* --- a lane --------------------------------------------------------------------------------- */

#define wsntrace_w(lane) (wsntrace_live.w)
#define wsntrace_w_show(lane) (wsntrace_live.w = (lane)->is.w_true)
#define wsntrace_w_hide(lane) (wsntrace_live.w = WSNTRACE_SLOW)
#define wsntrace_lane_hide(lane) ((lane)->is.w = WSNTRACE_SLOW)

WSNPROF_INLINE void wsntrace_live_begin(struct wsntrace_lane *l)
{
#if WSNPROF_TRACE_HANDLERS > 0
	wsntrace_inner_calls = 0;
#endif
	wsntrace_live = (struct wsnprof_trace_live){
		.w = WSNTRACE_SLOW,
		.sp = WSNTRACE_BASE,
		.page = wsntrace_page(l),
		.limit = l->is.limit,
	};
}

/* The hooks look themselves at what a handler was interrupted by. */
WSNPROF_INLINE struct wsntrace_lane *wsntrace_lane_take(uint8_t calls)
{
	struct wsntrace_lane *l = wsntrace_lane_live();

	(void)calls;
	return l->is.mode & WSNTRACE_OFF || wsntrace_live.nesting > 1 ? NULL : l;
}

#define wsntrace_is_live(lane) \
	(wsntrace_live.page == wsntrace_page(lane) && wsntrace_live.nesting < 2)

#define wsntrace_others_count(on) ((void)(on))
#define wsntrace_lane_leave(lane) ((void)(lane))
#if WSNPROF_TRACE_HANDLERS > 0
#define wsntrace_nested(l) ((l) == &wsntrace_handlers.lane ? wsntrace_inner_calls : 0)
#else
#define wsntrace_nested(l) 0
#endif

#endif
