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

/* A call that may be one of a gap begins. */
static WSNPROF_QUIET void gap_begin(struct wsntrace_lane *l)
{
	if (l->is.mode & WSNTRACE_GAP)
		return;
	l->is.gap_at = wsntrace_units();
	l->is.gap_timed = true;
}

/*
 * Behind calls that found no room all waits until there is much of it: a gap takes more bytes than
 * a known call, so that one a poll would take the room of all calls, for good.
 */
static WSNPROF_QUIET uint8_t room_end(const struct wsntrace_lane *l)
{
	return l->is.mode & WSNTRACE_GAP ? WSNTRACE_RESUME : WSNTRACE_FULL;
}

/* Room for a call, and what is due before it. */
static WSNPROF_QUIET bool call_fits(struct wsntrace_lane *l)
{
	return !(l->is.mode & WSNTRACE_BROKEN) &&
	       wsntrace_has_room(l, WSNTRACE_CALL_MAX, room_end(l)) &&
	       wsntrace_gap_tell(l, WSNTRACE_FULL, true);
}

static WSNPROF_QUIET void call_push(struct wsntrace_lane *l, uint16_t id, uint8_t at)
{
	struct wsntrace_call *call;

	WSNTRACE_LIVE(l).sp += WSNTRACE_CALL_BYTES;
	call = wsntrace_call_at(l, WSNTRACE_LIVE(l).sp);
	wsntrace_call_keep(call, wsntrace_hash(l));
	call->at = wsntrace_place(l, at);
	wsntrace_hash_begin(l, id);
}

/* The innermost call is over; its caller's hash is the one again. */
static WSNPROF_QUIET void call_pop(struct wsntrace_lane *l)
{
	wsntrace_hash_set(l, wsntrace_call_kept(wsntrace_call_at(l, WSNTRACE_LIVE(l).sp)));
	WSNTRACE_LIVE(l).sp -= WSNTRACE_CALL_BYTES;
}

/* Without room for tokens its hash is of no use. */
static WSNPROF_QUIET void box_begin(struct wsntrace_lane *l, uint16_t id, bool fits)
{
	gap_begin(l);
	l->is.mode |= fits ? WSNTRACE_BOX : WSNTRACE_BOX | WSNTRACE_DEAF;
	l->is.nest = 1;
	l->is.boxed = 1;
	l->is.box_id = id;
	call_push(l, id, 0);
#ifdef WSNTRACE_BOX_HASH
	l->is.box_sp = WSNTRACE_LIVE(l).sp;
#endif
}

void wsntrace_call_enter(struct wsntrace_lane *l, uint16_t id)
{
	bool at_top = l->is.mode & WSNTRACE_TOP;
	bool fits = call_fits(l);
	bool stamped = WSNPROF_TRACE_LONG && l->is.w_true < WSNTRACE_UNSTAMPED;
	uint8_t at;

	if (fits && stamped)
		wsntrace_put_stamp_own(l, wsntrace_units());
	else if (fits && at_top)
		wsntrace_put_stamp(l, false);
	if (!fits || WSNTRACE_LIVE(l).sp >= WSNTRACE_LIVE(l).limit) {
		box_begin(l, id, fits);
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
		gap_begin(l);
		calls_drop(l, 1);
		return;
	}
	if (l->is.mode & WSNTRACE_TOP)
		wsntrace_put_stamp(l, false);
	if (id > WSNTRACE_NARROW) {
		wsntrace_put(l, WSNTRACE_WIDE);
		wsntrace_put_16(l, id | 0x8000);
	} else {
		wsntrace_put(l, (uint8_t)(id | 0x80));
	}
	wsntrace_hash_leaf(l, id);
}

static WSNPROF_QUIET void ref_put(struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	for (uint8_t i = 0; i < WSNTRACE_REF_BYTES; i++)
		wsntrace_put(l, wsntrace_hash_byte(hash, i));
}

/* Of a call whose OPEN waits. */
static WSNPROF_QUIET bool call_is_stamped(uint8_t at)
{
	return WSNPROF_TRACE_LONG && at < WSNTRACE_UNSTAMPED;
}

static WSNPROF_QUIET uint16_t call_took(const struct wsntrace_lane *l, uint8_t at, uint16_t now)
{
	return now - (uint16_t)(l->tokens[at - 2] | l->tokens[at - 1] << 8);
}

#if WSNPROF_TRACE_ALIKE
enum { TOOK_UNKNOWN = 0xffff };

/* A call that a handler interrupted takes what it takes. */
static WSNPROF_QUIET bool took_is_alike(const struct wsntrace_lane *l, uint8_t at,
					struct wsntrace_hash hash, uint16_t took, uint16_t now)
{
	uint16_t was = wsntrace_took(l, hash);
	uint16_t off = took > was ? took - was : was - took;

	return !call_is_stamped(at) ||
	       off <= was / WSNPROF_TRACE_ALIKE + WSNTRACE_ALIKE_SLACK ||
	       (uint16_t)(now - wsntrace_struck) < took;
}

static WSNPROF_QUIET void took_keep(struct wsntrace_lane *l, uint8_t at, struct wsntrace_hash hash,
				    uint16_t took)
{
	wsntrace_took_keep(l, hash, at && call_is_stamped(at) ? took : TOOK_UNKNOWN);
}
#else
#define took_is_alike(lane, at, hash, took, now) true
#define took_keep(lane, at, hash, took) ((void)0)
#endif

static WSNPROF_QUIET void call_refer(struct wsntrace_lane *l, uint8_t at, struct wsntrace_hash hash)
{
	l->is.w_true = at;
	wsntrace_put(l, WSNTRACE_REF);
	ref_put(l, hash);
}

static WSNPROF_QUIET void close_put(struct wsntrace_lane *l, bool stamped, uint16_t now)
{
	if (WSNPROF_TRACE_LONG && stamped &&
	    l->is.w_true < WSNTRACE_STAMPED)
		wsntrace_put_stamp_own(l, now);
	wsntrace_put(l, WSNTRACE_CLOSE);
}

/* A return: known, new, or without room. */
static WSNPROF_QUIET void return_put(struct wsntrace_lane *l, uint8_t at, bool is_top)
{
	uint8_t need = 1 + (is_top ? WSNTRACE_STAMP_BYTES : 0);
	uint16_t now = wsntrace_units(), took = 0;
	struct wsntrace_hash hash;

	if (l->is.mode & WSNTRACE_BROKEN)
		return;
	if (!wsntrace_gap_tell(l, (uint8_t)(UINT8_MAX - need), true) ||
	    !wsntrace_has_room(l, need, UINT8_MAX)) {
		l->is.mode |= WSNTRACE_BROKEN;
		l->is.mode &= (uint8_t)~WSNTRACE_GAP;
		l->is.gap = 0;	/* they are in `untold` */
		return;
	}
	hash = wsntrace_hash_own(l);
	if (at && call_is_stamped(at))
		took = call_took(l, at, now);
	if (wsntrace_is_known(l, hash) && at && took < WSNTRACE_LONG &&
	    took_is_alike(l, at, hash, took, now)) {
		call_refer(l, is_top || !call_is_stamped(at) || took >= WSNTRACE_MEDIUM ? at :
			      (uint8_t)(at - WSNTRACE_STAMP_BYTES), hash);
	} else {
		took_keep(l, at, hash, took);
		close_put(l, !is_top, now);
	}
	if (is_top)
		wsntrace_put_stamp_of(l, now, true);
}

#ifdef wsntrace_call_return
static WSNPROF_QUIET void wsntrace_call_over(struct wsntrace_lane *l)
{
	struct wsntrace_hash hash = wsntrace_hash(l);

	call_pop(l);
	wsntrace_hash_call(l, hash);
}
#endif

void wsntrace_call_exit(struct wsntrace_lane *l)
{
	wsntrace_sp sp = WSNTRACE_LIVE(l).sp - WSNTRACE_CALL_BYTES;
	bool is_top = sp <= l->is.top;
	uint8_t at;

	if (WSNTRACE_LIVE(l).sp == WSNTRACE_LANE_BASE(l))
		return;			/* it began before the start */
	at = wsntrace_index(l, wsntrace_call_at(l, WSNTRACE_LIVE(l).sp)->at);
	if (!at && sp == l->is.top)
		at = l->is.top_at;
	return_put(l, at, is_top);
	if (sp == l->is.top)
		l->is.top_at = 0;
	wsntrace_call_return(l);
	if (is_top)
		l->is.mode |= WSNTRACE_TOP;
}

/* The call in the box was told before: that tells all that was counted. */
static WSNPROF_QUIET bool box_is_known(const struct wsntrace_lane *l,
				       struct wsntrace_hash hash)
{
#ifdef WSNTRACE_BOX_HASH
	return !(l->is.mode & WSNTRACE_DEAF) && wsntrace_was_told(l, hash);
#else
	(void)l;
	(void)hash;
	return false;
#endif
}

static WSNPROF_QUIET void box_refer(struct wsntrace_lane *l, struct wsntrace_hash hash)
{
	wsntrace_put(l, WSNTRACE_MORE);
	wsntrace_put(l, WSNTRACE_MORE_BOX_REF);
	ref_put(l, hash);
	/* not as if it had run: what is in it is not in the table */
	wsntrace_hash_known(l, hash);
}

static WSNPROF_QUIET void box_put(struct wsntrace_lane *l, uint16_t id, uint32_t n)
{
	wsntrace_put(l, WSNTRACE_MORE);
	wsntrace_put(l, WSNTRACE_MORE_BOX);
	if (id > UINT8_MAX) {
		wsntrace_put(l, 0);
		wsntrace_put_16(l, id);
	} else {
		wsntrace_put(l, (uint8_t)id);
	}
	wsntrace_put_varint(l, n);
	wsntrace_hash_box(l, id, n);
	l->is.untold += n;
}

void wsntrace_box_end(struct wsntrace_lane *l)
{
	struct wsntrace_hash hash;
	uint32_t n = l->is.boxed;
	uint8_t need;
	bool known, is_top;

#ifdef WSNTRACE_BOX_HASH
	WSNTRACE_LIVE(l).sp = l->is.box_sp;
#endif
	hash = wsntrace_hash(l);
	known = box_is_known(l, hash);
	call_pop(l);
	l->is.mode &= (uint8_t)~(WSNTRACE_BOX | WSNTRACE_DEAF);
	l->is.boxed = 0;
	is_top = WSNTRACE_LIVE(l).sp <= l->is.top;
	need = known ? WSNTRACE_BOX_REF_BYTES : WSNTRACE_BOX_BYTES;
	if (is_top)
		need += WSNTRACE_STAMP_BYTES;
	if (l->is.mode & WSNTRACE_BROKEN || !wsntrace_has_room(l, need, room_end(l)) ||
	    !wsntrace_gap_tell(l, (uint8_t)(WSNTRACE_FULL - need), false)) {
		calls_drop(l, n);
		return;
	}
	if (known)
		box_refer(l, hash);
	else
		box_put(l, l->is.box_id, n);
	if (is_top)
		wsntrace_put_stamp(l, true);
}

void wsntrace_box_leave(struct wsntrace_lane *l)
{
#ifdef WSNTRACE_BOX_HASH
	if (WSNTRACE_LIVE(l).sp != l->is.box_sp) {
		l->is.mode |= WSNTRACE_DEAF;
		call_pop(l);
		return;
	}
#endif
	wsntrace_box_end(l);
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
