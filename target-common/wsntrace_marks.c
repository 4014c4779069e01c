/* wsntrace_marks: events of the application in a call trace (wsnprof.h). */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_put.h"

volatile uint16_t wsntrace_notes_lost;

/* Also in a handler that interrupts another one, and in a task that has no lane. */
static WSNPROF_QUIET void note_lose(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsntrace_notes_lost += wsnprof_node.running;
	wsnprof_unlock(mask);
}

/* A token that no call holds back: all that are open are sent as they are. */
static WSNPROF_QUIET void note_put(uint8_t kind, uint16_t id, const uint32_t *v)
{
	wsnprof_mask mask = wsntrace_lock();
	struct wsntrace_lane *l = wsntrace_lane_take(0);

	if (!l) {
		note_lose();
		wsntrace_unlock(mask);
		return;
	}
	wsntrace_hold(l);
	if (!(l->is.mode & WSNTRACE_BROKEN) && wsntrace_gap_tell(l, WSNTRACE_FULL, false) &&
	    wsntrace_has_room(l, WSNTRACE_STAMP_BYTES + WSNTRACE_NOTE_BYTES, WSNTRACE_FULL)) {
		wsntrace_put_stamp(l, false);
		wsntrace_put(l, WSNTRACE_MORE);
		wsntrace_put(l, kind);
		wsntrace_put_varint(l, id);
		if (v)
			wsntrace_put_varint(l, *v);
		wsntrace_pin(l, WSNTRACE_LIVE(l).sp);
	} else {
		note_lose();
	}
	wsntrace_release(l);
	wsntrace_lane_leave(l);
	wsntrace_unlock(mask);
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

#endif
