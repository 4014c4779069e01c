/* wsntrace_lane: the state of a lane of a call trace, and the tokens that it tells. */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_put.h"

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

void wsntrace_pin(struct wsntrace_lane *l, wsntrace_sp sp)
{
	for (; sp != WSNTRACE_LANE_BASE(l); sp -= WSNTRACE_CALL_BYTES)
		wsntrace_call_at(l, sp)->at = 0;
	l->is.top_at = 0;
}

enum { GAP_SHORT = 4 };			/* units: without stamps */

/* --- hashes and tokens ---------------------------------------------------------------------- */

#ifdef WSNTRACE_HASH_BYTES
static WSNPROF_QUIET void number_add(uint32_t n)
{
	wsntrace_hash_pair((uint8_t)n, (uint8_t)(n >> 8));
	wsntrace_hash_pair((uint8_t)(n >> 16), (uint8_t)(n >> 24));
}

void wsntrace_hash_begin(struct wsntrace_lane *l, uint16_t id)
{
	wsntrace_hash_set(l, (struct wsntrace_hash){ {
		(uint8_t)id, (uint8_t)(id >> 8), 0,
#if WSNTRACE_HASH_BYTES > 3
		(uint8_t)id, 0,
#endif
	} });
}

void wsntrace_hash_leaf(struct wsntrace_lane *l, uint16_t id)
{
	(void)l;
	if (id > WSNTRACE_NARROW)
		wsntrace_hash_pair((uint8_t)id, (uint8_t)(id >> 8 | 0x80));
	else
		wsntrace_hash_pair((uint8_t)(id | 0x80), 0);
}

void wsntrace_hash_call(struct wsntrace_lane *l, struct wsntrace_hash call)
{
	struct wsntrace_hash h;

	wsntrace_hash_pair(call.byte[WSNTRACE_HASH_BYTES > 3 ? 3 : 0], call.byte[2]);
	h = wsntrace_hash(l);
#if WSNTRACE_HASH_BYTES > 3
	h.byte[1] += call.byte[4];
	h.byte[2] += call.byte[1];
	h.byte[3] += call.byte[0];
#else
	h.byte[1] += call.byte[1];
#endif
	wsntrace_hash_set(l, h);
}

void wsntrace_hash_known(struct wsntrace_lane *l, struct wsntrace_hash call)
{
	wsntrace_hash_pair(WSNTRACE_MARK_KNOWN, 1);
	wsntrace_hash_call(l, call);
}

void wsntrace_hash_box(struct wsntrace_lane *l, uint16_t id, uint32_t n)
{
	(void)l;
	wsntrace_hash_pair(WSNTRACE_MARK_BOX, 1);
	wsntrace_hash_pair((uint8_t)id, (uint8_t)(id >> 8));
	number_add(n);
}

static WSNPROF_QUIET void gap_hash_add(struct wsntrace_lane *l, uint32_t n)
{
	(void)l;
	wsntrace_hash_pair(WSNTRACE_MARK_GAP, 1);
	number_add(n);
}
#else
enum { NO_LEAF = 0x100 };		/* what came is none */

static WSNPROF_QUIET void sum_add(struct wsntrace_lane *l, uint32_t child)
{
	l->is.hash = l->is.hash * WSNTRACE_K + child;
	l->is.side += l->is.hash;
}

/* Its side goes on. */
void wsntrace_hash_begin(struct wsntrace_lane *l, uint16_t id)
{
	l->is.hash = id;
}

void wsntrace_hash_leaf(struct wsntrace_lane *l, uint16_t id)
{
	sum_add(l, id > WSNTRACE_NARROW ? 0x8000 + (uint32_t)id : id | 0x80u);
}

void wsntrace_hash_call(struct wsntrace_lane *l, struct wsntrace_hash call)
{
	uint32_t turned = call.bits >> WSNTRACE_TURN | call.bits << (32 - WSNTRACE_TURN);

	l->is.hash = (l->is.hash + turned) * WSNTRACE_K;
	l->is.side = call.side + call.bits;
}

void wsntrace_hash_known(struct wsntrace_lane *l, struct wsntrace_hash call)
{
	wsntrace_hash_call(l, call);
	sum_add(l, NO_LEAF + WSNTRACE_MARK_KNOWN);
}

void wsntrace_hash_box(struct wsntrace_lane *l, uint16_t id, uint32_t n)
{
	sum_add(l, n);
	sum_add(l, id);
	sum_add(l, NO_LEAF + WSNTRACE_MARK_BOX);
}

static WSNPROF_QUIET void gap_hash_add(struct wsntrace_lane *l, uint32_t n)
{
	sum_add(l, n);
	sum_add(l, NO_LEAF + WSNTRACE_MARK_GAP);
}
#endif

void wsntrace_put_16(struct wsntrace_lane *l, uint16_t v)
{
	wsntrace_put(l, (uint8_t)v);
	wsntrace_put(l, (uint8_t)(v >> 8));
}

void wsntrace_put_varint(struct wsntrace_lane *l, uint32_t v)
{
	uint8_t *end = wsnprof_varint(l->tokens + l->is.w_true, v);

	l->is.w_true = (uint8_t)(end - l->tokens);
}

static WSNPROF_QUIET void stamp_put_whole(struct wsntrace_lane *l, uint16_t units)
{
	wsntrace_put(l, WSNTRACE_STAMP);
	wsntrace_put_16(l, units);
}

void wsntrace_put_stamp_of(struct wsntrace_lane *l, uint16_t now, bool always)
{
	uint16_t since = now - l->is.stamp;

	if (l->is.stamped && since <= 1 && !always)
		return;
	/* with WSNPROF_TRACE_LONG the one that it counts from may be taken back */
	if (!WSNPROF_TRACE_LONG && l->is.stamped && since <= UINT8_MAX) {
		wsntrace_put(l, WSNTRACE_STAMP_SHORT);
		wsntrace_put(l, (uint8_t)since);
	} else {
		stamp_put_whole(l, now);
	}
	l->is.stamp = now;
	l->is.stamped = true;
}

void wsntrace_put_stamp(struct wsntrace_lane *l, bool always)
{
	wsntrace_put_stamp_of(l, wsntrace_units(), always);
}

void wsntrace_put_stamp_own(struct wsntrace_lane *l, uint16_t now)
{
	wsntrace_put(l, WSNTRACE_STAMP_OWN);
	wsntrace_put_16(l, now);
}

bool wsntrace_gap_tell(struct wsntrace_lane *l, uint8_t end, bool now)
{
	uint32_t n = l->is.gap;
	uint16_t units = wsntrace_units();
	bool stamp;

	if (!(l->is.mode & WSNTRACE_GAP))
		return true;
	if (!wsntrace_has_room(l, WSNTRACE_GAP_BYTES, end))
		return false;
	/* they may be taken back with their call: the next stamp does not count from them */
	stamp = l->is.gap_timed && (uint16_t)(units - l->is.gap_at) > GAP_SHORT &&
		wsntrace_has_room(l, 2 * WSNTRACE_STAMP_BYTES + WSNTRACE_CALL_MAX,
				  WSNTRACE_FULL);
	if (stamp) {
		stamp_put_whole(l, l->is.gap_at);
		l->is.stamped = false;
	}
	wsntrace_put(l, WSNTRACE_MORE);
	wsntrace_put(l, WSNTRACE_MORE_GAP);
	wsntrace_put_varint(l, n);
	if (stamp && now)
		stamp_put_whole(l, units);
	gap_hash_add(l, n);
	l->is.mode &= (uint8_t)~WSNTRACE_GAP;
	l->is.gap = 0;
	l->is.gap_at = units;
	l->is.gap_timed = true;
	return true;
}

#endif
