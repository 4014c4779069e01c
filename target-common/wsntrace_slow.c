/*
 * wsntrace_slow: what the hooks of a call trace do seldom: calls at the top level, with their time;
 * calls that find no room, or are deeper than a slow line allows; interrupt handlers; marks.
 *
 * It runs in the hooks' place, in whatever interrupted what: it touches the live lane alone.
 */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_send.h"

/* --- a lane's state ------------------------------------------------------------------------- */

void wsntrace_hold(struct wsntrace_lane *l)
{
	if (!l->is.mode)
		l->is.w_true = wsntrace_w(l);
}

/* The innermost call's end comes to us while a mode is set. */
void wsntrace_release(struct wsntrace_lane *l)
{
	if (l->is.mode) {
		wsntrace_w_hide(l);
		wsntrace_call_at(l, WSNTRACE_LIVE(l).sp)->at = 0;
	} else {
		wsntrace_w_show(l);
	}
}

void wsntrace_pin(struct wsntrace_lane *l)
{
	wsntrace_sp sp = WSNTRACE_LIVE(l).sp;

	for (; sp != WSNTRACE_LANE_BASE(l); sp -= WSNTRACE_CALL_BYTES)
		wsntrace_call_at(l, sp)->at = 0;
	l->is.top_at = 0;
}

/* --- hashes and tokens ---------------------------------------------------------------------- */

static WSNPROF_QUIET void hash_add(struct wsntrace_lane *l, uint32_t child)
{
	wsntrace_hash_set(l, wsntrace_hash(l) * WSNTRACE_K + child);
}

static WSNPROF_QUIET bool has_room(const struct wsntrace_lane *l, uint8_t n, uint8_t end)
{
	return l->is.w_true + n <= end;
}

static WSNPROF_QUIET void token_put(struct wsntrace_lane *l, uint8_t byte)
{
	l->tokens[l->is.w_true++] = byte;
}

static WSNPROF_QUIET void token_put_16(struct wsntrace_lane *l, uint16_t v)
{
	token_put(l, (uint8_t)v);
	token_put(l, (uint8_t)(v >> 8));
}

static WSNPROF_QUIET void token_put_varint(struct wsntrace_lane *l, uint32_t v)
{
	uint8_t *end = wsnprof_varint(l->tokens + l->is.w_true, v);

	l->is.w_true = (uint8_t)(end - l->tokens);
}

enum { STAMP_BYTES = 3, CALL_BYTES = 3, BOX_BYTES = 10, GAP_BYTES = 7, NOTE_BYTES = 10 };

/* `always`: also where the one before says it. */
static WSNPROF_QUIET void stamp_put(struct wsntrace_lane *l, bool always)
{
	uint16_t now = wsntrace_units();
	uint16_t since = now - l->is.stamp;

	if (l->is.stamped && since <= 1 && !always)
		return;
	if (l->is.stamped && since <= UINT8_MAX) {
		token_put(l, WSNTRACE_STAMP_SHORT);
		token_put(l, (uint8_t)since);
	} else {
		token_put(l, WSNTRACE_STAMP);
		token_put_16(l, now);
	}
	l->is.stamp = now;
	l->is.stamped = true;
}

bool wsntrace_gap_tell(struct wsntrace_lane *l, uint8_t end)
{
	uint32_t n = l->is.gap;

	if (!(l->is.mode & WSNTRACE_GAP))
		return true;
	if (!has_room(l, GAP_BYTES, end))
		return false;
	token_put(l, WSNTRACE_MORE);
	token_put(l, WSNTRACE_MORE_GAP);
	token_put_varint(l, n);
	hash_add(l, n * WSNTRACE_K + 0xa0);
	l->is.mode &= (uint8_t)~WSNTRACE_GAP;
	l->is.gap = 0;
	return true;
}

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
	       has_room(l, STAMP_BYTES + CALL_BYTES + GAP_BYTES, WSNTRACE_FULL) &&
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

static WSNPROF_QUIET void call_enter(struct wsntrace_lane *l, uint16_t id)
{
	bool at_top = l->is.mode & WSNTRACE_TOP;
	bool fits = call_fits(l);
	uint8_t at;

	if (fits && at_top)
		stamp_put(l, false);
	if (!fits || WSNTRACE_LIVE(l).sp >= WSNTRACE_LIVE(l).limit) {
		box_begin(l, id);
		return;
	}
	at = l->is.w_true;
	if (id > WSNTRACE_NARROW) {
		token_put(l, WSNTRACE_WIDE);
		token_put_16(l, id);
	} else {
		token_put(l, (uint8_t)id);
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
		stamp_put(l, false);
	if (id > WSNTRACE_NARROW) {
		token_put(l, WSNTRACE_WIDE);
		token_put_16(l, id | 0x8000);
		hash_add(l, 0x8000 + (uint32_t)id);
	} else {
		token_put(l, (uint8_t)(id | 0x80));
		hash_add(l, id | 0x80);
	}
}

/* A return: known, new, or without room. */
static WSNPROF_QUIET void return_put(struct wsntrace_lane *l, uint8_t at, bool is_top)
{
	uint8_t need = 1 + (is_top ? STAMP_BYTES : 0);
	uint32_t hash;

	if (l->is.mode & WSNTRACE_BROKEN)
		return;
	if (!wsntrace_gap_tell(l, (uint8_t)(UINT8_MAX - need)) || !has_room(l, need, UINT8_MAX)) {
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
		token_put(l, WSNTRACE_REF);
		token_put_16(l, (uint16_t)hash);
	} else {
		token_put(l, WSNTRACE_CLOSE);
	}
	if (is_top)
		stamp_put(l, true);
}

static WSNPROF_QUIET void call_exit(struct wsntrace_lane *l)
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
	hash_add(l, (hash >> 8) + ((hash & 0xff) << (WSNTRACE_HASH_BITS - 8)));
	if (is_top)
		l->is.mode |= WSNTRACE_TOP;
}

static WSNPROF_QUIET void box_end(struct wsntrace_lane *l)
{
	uint32_t n = l->is.boxed;
	uint16_t id = l->is.box_id;
	bool is_top;

	call_pop(l);
	l->is.mode &= (uint8_t)~WSNTRACE_BOX;
	l->is.boxed = 0;
	is_top = WSNTRACE_LIVE(l).sp <= l->is.top;
	if (l->is.mode & WSNTRACE_BROKEN ||
	    !has_room(l, BOX_BYTES + GAP_BYTES + STAMP_BYTES, WSNTRACE_LEAVE) ||
	    !wsntrace_gap_tell(l, WSNTRACE_LEAVE)) {
		calls_drop(l, n);
		return;
	}
	l->is.untold += n;
	token_put(l, WSNTRACE_MORE);
	token_put(l, WSNTRACE_MORE_BOX);
	if (id > UINT8_MAX) {
		token_put(l, 0);
		token_put_16(l, id);
	} else {
		token_put(l, (uint8_t)id);
	}
	token_put_varint(l, n);
	hash_add(l, (id * (uint32_t)WSNTRACE_K + n) * WSNTRACE_K + 0xb0);
	if (is_top)
		stamp_put(l, true);
}

/* --- interrupt handlers --------------------------------------------------------------------- */

#ifndef __AVR__				/* elsewhere wsntrace_lane_take() finds their lane */
#elif WSNPROF_TRACE_HANDLERS
uint8_t wsntrace_under;			/* page of the lane that was interrupted */
static struct wsnprof_trace_live inner;	/* of the handler that was */

/* One that interrupts another is counted, and what it calls: nothing of the lane may move. */
static WSNPROF_QUIET void handler_nest(void)
{
	if (wsntrace_live.nesting == 2) {
		inner = wsntrace_live;
		wsntrace_live.w = WSNTRACE_SLOW;
		wsntrace_live.sp = WSNTRACE_BASE;
		wsntrace_live.page = wsntrace_page(&wsntrace_handlers.lane);
	}
	if (!(wsntrace_handlers.lane.is.mode & WSNTRACE_OFF))
		wsntrace_handlers.lane.is.untold++;
}

static WSNPROF_QUIET void handler_enter(uint16_t id)
{
	if (++wsntrace_live.nesting > 1) {
		handler_nest();
		return;
	}
	wsntrace_under = wsntrace_live.page;
	wsntrace_live_set(wsntrace_page(&wsntrace_handlers.lane));
	if (!(wsntrace_handlers.lane.is.mode & WSNTRACE_OFF)) {
		call_enter(&wsntrace_handlers.lane, id);
		wsntrace_release(&wsntrace_handlers.lane);
	}
}

static WSNPROF_QUIET void handler_exit(void)
{
	struct wsntrace_lane *l = &wsntrace_handlers.lane;
	uint8_t nesting = wsntrace_live.nesting;

	if (nesting > 1) {
		if (nesting == 2)
			wsntrace_live = inner;
		wsntrace_live.nesting = (uint8_t)(nesting - 1);
		return;
	}
	if (!(l->is.mode & WSNTRACE_OFF)) {
		wsntrace_hold(l);
		if (!(l->is.mode & WSNTRACE_BOX))
			call_exit(l);
		else if (--l->is.nest == 0)
			box_end(l);
		wsntrace_release(l);
	}
	wsntrace_live.nesting = 0;
	wsntrace_live_set(wsntrace_under);
}
#else
/* What they call is not told: for the hooks, each interrupts another. */
static struct wsnprof_trace_live under;

static WSNPROF_QUIET void handler_enter(uint16_t id)
{
	(void)id;
	if (wsntrace_live.nesting) {
		wsntrace_live.nesting++;
		return;
	}
	under = wsntrace_live;
	wsntrace_live.w = WSNTRACE_SLOW;
	wsntrace_live.sp = WSNTRACE_BASE;
	wsntrace_live.nesting = 2;
}

static WSNPROF_QUIET void handler_exit(void)
{
	if (--wsntrace_live.nesting == 1)
		wsntrace_live = under;
}
#endif

/* --- marks ---------------------------------------------------------------------------------- */

volatile uint16_t wsntrace_notes_lost;

/* A token that no call holds back: all that are open are sent as they are. */
static WSNPROF_QUIET void note_put(uint8_t kind, uint16_t id, const uint32_t *v)
{
	struct wsntrace_lane *l = wsntrace_lane_take(0);

	if (!l)
		return;
	wsntrace_hold(l);
	if (!(l->is.mode & WSNTRACE_BROKEN) && wsntrace_gap_tell(l, WSNTRACE_FULL) &&
	    has_room(l, STAMP_BYTES + NOTE_BYTES, WSNTRACE_FULL)) {
		stamp_put(l, false);
		token_put(l, WSNTRACE_MORE);
		token_put(l, kind);
		token_put_varint(l, id);
		if (v)
			token_put_varint(l, *v);
		wsntrace_pin(l);
	} else {
		wsntrace_notes_lost++;
	}
	wsntrace_release(l);
	wsntrace_lane_leave(l);
}

void wsnprof_mark(uint16_t id)
{
	note_put(WSNTRACE_MORE_MARK, id, NULL);
}

void wsnprof_value(uint16_t id, int32_t value)
{
	uint32_t zigzag = (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0);

	note_put(WSNTRACE_MORE_VALUE, id, &zigzag);
}

void wsnprof_state(uint16_t id, uint16_t state)
{
	uint32_t v = state;

	note_put(WSNTRACE_MORE_STATE, id, &v);
}

/* --- longjmp -------------------------------------------------------------------------------- */

#if WSNPROF_TRACE_JUMPS > 0
/* Where setjmp was called last, by its buffer. */
static struct jump {
	const void *buf;
	wsntrace_lane_id lane;
	wsntrace_sp sp;
	uint16_t nest;			/* in a box */
} jumps[WSNPROF_TRACE_JUMPS];

void wsntrace_jump_set(const void *buf)
{
	static uint8_t next;
	struct wsntrace_lane *l = wsntrace_lane_live();
	struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS) {
		j = &jumps[next];
		next = (uint8_t)(next + 1) % WSNPROF_TRACE_JUMPS;
	}
	*j = (struct jump){ buf, wsntrace_page(l), WSNTRACE_LIVE(l).sp, l->is.nest };
}

/* All calls that it skips return now. */
void wsntrace_jump(const void *buf)
{
	struct wsntrace_lane *l = wsntrace_lane_live();
	const struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS || j->lane != wsntrace_page(l) ||
	    l->is.mode & WSNTRACE_OFF)
		return;
	wsntrace_hold(l);
	while (WSNTRACE_LIVE(l).sp > j->sp) {
		if (l->is.mode & WSNTRACE_BOX)
			box_end(l);
		else
			call_exit(l);
	}
	if (l->is.mode & WSNTRACE_BOX)
		l->is.nest = j->nest;
	wsntrace_release(l);
}
#endif

/* --- what the hooks call -------------------------------------------------------------------- */

void wsntrace_slow(uint16_t id, uint8_t why)
{
	struct wsntrace_lane *l;

#ifdef __AVR__
	if (why == WSNTRACE_HANDLER_ENTER) {
		handler_enter(id);
		return;
	}
	if (why == WSNTRACE_HANDLER_EXIT) {
		handler_exit();
		return;
	}
#endif
	l = wsntrace_lane_take(why <= WSNTRACE_LEAF);
	if (!l)
		return;
	wsntrace_hold(l);
	if (why == WSNTRACE_ENTER)
		call_enter(l, id);
	else if (why == WSNTRACE_LEAF)
		leaf_enter(l, id);
	else if (why == WSNTRACE_EXIT)
		call_exit(l);
	else
		box_end(l);
	wsntrace_release(l);
	wsntrace_lane_leave(l);
}

#endif
