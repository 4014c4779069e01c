/* wsntrace_jumps: longjmp() in a call trace. */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3 && WSNPROF_TRACE_JUMPS > 0

#include "wsntrace_put.h"

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
	wsnprof_mask mask = wsntrace_lock();
	struct wsntrace_lane *l = wsntrace_lane_live();
	struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS) {
		j = &jumps[next];
		next = (uint8_t)(next + 1) % WSNPROF_TRACE_JUMPS;
	}
	*j = (struct jump){ buf, wsntrace_page(l), WSNTRACE_LIVE(l).sp, l->is.nest };
	wsntrace_unlock(mask);
}

/* All calls that it skips return now. */
static WSNPROF_QUIET void jump_end(const void *buf)
{
	struct wsntrace_lane *l = wsntrace_lane_live();
	const struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS || j->lane != wsntrace_page(l) ||
	    l->is.mode & WSNTRACE_OFF || !wsntrace_is_live(l))
		return;
	wsntrace_hold(l);
	while (WSNTRACE_LIVE(l).sp > j->sp) {
		if (l->is.mode & WSNTRACE_BOX)
			wsntrace_box_leave(l);
		else
			wsntrace_call_exit(l);
	}
	if (l->is.mode & WSNTRACE_BOX)
		l->is.nest = j->nest;
	wsntrace_release(l);
}

void wsntrace_jump(const void *buf)
{
	wsnprof_mask mask = wsntrace_lock();

	jump_end(buf);
	wsntrace_unlock(mask);
}

#endif
