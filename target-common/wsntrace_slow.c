/*
 * wsntrace_slow: what the hooks of a call trace do seldom: calls at the top level, with their time;
 * calls that find no room, or are deeper than a slow line allows.
 *
 * It runs in the hooks' place, in whatever interrupted what: it touches the live lane alone.
 */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_put.h"

/* --- calls ---------------------------------------------------------------------------------- */

/* n calls that are told neither here nor as a box. */
static WSNPROF_QUIET void calls_drop(struct wsntrace_lane *l, uint32_t n)
{
	l->is.untold += n;
	if (l->is.mode & WSNTRACE_BROKEN)
		return;
	l->is.gap += n;
	l->is.mode |= WSNTRACE_GAP;
	if (WSNTRACE_LIVE(l).sp == l->is.top + WSNTRACE_CALL_BYTES)
		l->is.top_at = 0;	/* the gap is in it */
}

/* Room for a call, and what is due before it. */
static WSNPROF_QUIET bool call_fits(struct wsntrace_lane *l)
{
	return !(l->is.mode & WSNTRACE_BROKEN) &&
	       wsntrace_has_room(l, WSNTRACE_CALL_MAX, WSNTRACE_FULL) &&
	       wsntrace_gap_tell(l, WSNTRACE_FULL);
}

static WSNPROF_QUIET void call_push(struct wsntrace_lane *l, uint16_t id, uint8_t at)
{
	struct wsntrace_call *call;

	WSNTRACE_LIVE(l).sp += WSNTRACE_CALL_BYTES;
	call = wsntrace_call_at(l, WSNTRACE_LIVE(l).sp);
	wsntrace_call_keep(call, wsntrace_hash(l));
	call->at = wsntrace_place(l, at);
	wsntrace_hash_set(l, id);
}

/* The innermost call is over; its caller's hash is the one again. */
static WSNPROF_QUIET void call_pop(struct wsntrace_lane *l)
{
	wsntrace_hash_set(l, wsntrace_call_kept(wsntrace_call_at(l, WSNTRACE_LIVE(l).sp)));
	WSNTRACE_LIVE(l).sp -= WSNTRACE_CALL_BYTES;
}

static WSNPROF_QUIET void box_begin(struct wsntrace_lane *l, uint16_t id)
{
	l->is.mode |= WSNTRACE_BOX;
	l->is.nest = 1;
	l->is.boxed = 1;
	l->is.box_id = id;
	call_push(l, id, 0);
}

void wsntrace_call_enter(struct wsntrace_lane *l, uint16_t id)
{
	bool at_top = l->is.mode & WSNTRACE_TOP;
	bool fits = call_fits(l);
	uint8_t at;

	if (fits && at_top)
		wsntrace_put_stamp(l, false);
	if (!fits || WSNTRACE_LIVE(l).sp >= WSNTRACE_LIVE(l).limit) {
		box_begin(l, id);
		return;
	}
	at = l->is.w_true;
	if (id > WSNTRACE_NARROW) {
		wsntrace_put(l, WSNTRACE_WIDE);
		wsntrace_put_16(l, id);
	} else {
		wsntrace_put(l, (uint8_t)id);
	}
	if (at_top && WSNTRACE_LIVE(l).sp == l->is.top) {	/* what it calls is below it */
		l->is.mode &= (uint8_t)~WSNTRACE_TOP;
		l->is.top_at = at;
		at = 0;
	}
	call_push(l, id, at);
}

static WSNPROF_QUIET void leaf_enter(struct wsntrace_lane *l, uint16_t id)
{
	if (!call_fits(l)) {
		calls_drop(l, 1);
		return;
	}
	if (l->is.mode & WSNTRACE_TOP)
		wsntrace_put_stamp(l, false);
	if (id > WSNTRACE_NARROW) {
		wsntrace_put(l, WSNTRACE_WIDE);
		wsntrace_put_16(l, id | 0x8000);
		wsntrace_hash_add(l, 0x8000 + (uint32_t)id);
	} else {
		wsntrace_put(l, (uint8_t)(id | 0x80));
		wsntrace_hash_add(l, id | 0x80);
	}
}

/* A return: known, new, or without room. */
static WSNPROF_QUIET void return_put(struct wsntrace_lane *l, uint8_t at, bool is_top)
{
	uint8_t need = 1 + (is_top ? WSNTRACE_STAMP_BYTES : 0);
	uint32_t hash;

	if (l->is.mode & WSNTRACE_BROKEN)
		return;
	if (!wsntrace_gap_tell(l, (uint8_t)(UINT8_MAX - need)) ||
	    !wsntrace_has_room(l, need, UINT8_MAX)) {
		l->is.mode |= WSNTRACE_BROKEN;
		l->is.mode &= (uint8_t)~WSNTRACE_GAP;
		l->is.gap = 0;	/* they are in `untold` */
		return;
	}
	hash = wsntrace_hash(l);
	if (!wsntrace_is_known(l, hash))
		at = 0;
	if (at) {
		l->is.w_true = at;
		wsntrace_put(l, WSNTRACE_REF);
		wsntrace_put_16(l, (uint16_t)hash);
		if (WSNTRACE_REF_BYTES == 3)
			wsntrace_put(l, (uint8_t)(hash >> 16));
	} else {
		wsntrace_put(l, WSNTRACE_CLOSE);
	}
	if (is_top)
		wsntrace_put_stamp(l, true);
}

void wsntrace_call_exit(struct wsntrace_lane *l)
{
	wsntrace_sp sp = WSNTRACE_LIVE(l).sp - WSNTRACE_CALL_BYTES;
	bool is_top = sp <= l->is.top;
	uint8_t at;
	uint32_t hash;

	if (WSNTRACE_LIVE(l).sp == WSNTRACE_LANE_BASE(l))
		return;			/* it began before the start */
	at = wsntrace_index(l, wsntrace_call_at(l, WSNTRACE_LIVE(l).sp)->at);
	if (!at && sp == l->is.top)
		at = l->is.top_at;
	return_put(l, at, is_top);
	if (sp == l->is.top)
		l->is.top_at = 0;
	hash = wsntrace_hash(l);
	call_pop(l);
	wsntrace_hash_add(l, (hash >> 8) + ((hash & 0xff) << (WSNTRACE_HASH_BITS - 8)));
	if (is_top)
		l->is.mode |= WSNTRACE_TOP;
}

void wsntrace_box_end(struct wsntrace_lane *l)
{
	uint32_t n = l->is.boxed;
	uint16_t id = l->is.box_id;
	bool is_top;

	call_pop(l);
	l->is.mode &= (uint8_t)~WSNTRACE_BOX;
	l->is.boxed = 0;
	is_top = WSNTRACE_LIVE(l).sp <= l->is.top;
	if (l->is.mode & WSNTRACE_BROKEN ||
	    !wsntrace_has_room(l, WSNTRACE_BOX_MAX, WSNTRACE_LEAVE) ||
	    !wsntrace_gap_tell(l, WSNTRACE_LEAVE)) {
		calls_drop(l, n);
		return;
	}
	l->is.untold += n;
	wsntrace_put(l, WSNTRACE_MORE);
	wsntrace_put(l, WSNTRACE_MORE_BOX);
	if (id > UINT8_MAX) {
		wsntrace_put(l, 0);
		wsntrace_put_16(l, id);
	} else {
		wsntrace_put(l, (uint8_t)id);
	}
	wsntrace_put_varint(l, n);
	wsntrace_hash_add(l, (id * (uint32_t)WSNTRACE_K + n) * WSNTRACE_K + 0xb0);
	if (is_top)
		wsntrace_put_stamp(l, true);
}

/* --- what the hooks call -------------------------------------------------------------------- */

void wsntrace_slow(uint16_t id, uint8_t why)
{
	struct wsntrace_lane *l;

#ifdef WSNTRACE_HANDLER_HOOKS
	if (why == WSNTRACE_HANDLER_ENTER) {
		wsntrace_handler_begin(id);
		return;
	}
	if (why == WSNTRACE_HANDLER_EXIT) {
		wsntrace_handler_end();
		return;
	}
#endif
	l = wsntrace_lane_take(why <= WSNTRACE_LEAF);
	if (!l)
		return;
	wsntrace_hold(l);
	if (why == WSNTRACE_ENTER)
		wsntrace_call_enter(l, id);
	else if (why == WSNTRACE_LEAF)
		leaf_enter(l, id);
	else if (why == WSNTRACE_EXIT)
		wsntrace_call_exit(l);
	else
		wsntrace_box_end(l);
	wsntrace_release(l);
	wsntrace_lane_leave(l);
}

#endif
