/* wsntrace_lanes: whose lane it is; what the sender needs of the chip where calls are traced. */
#include "wsnprof_node.h"

#if WSNPROF_TRACE

#include "wsntrace_send.h"

#if WSNPROF_TRACE != 1
#error "WSNPROF_TRACE on Cortex-M: 1, the dictionary of calls"
#endif
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0 || WSNPROF_RAW
#error "WSNPROF_TRACE: without WSNPROF_ARCS, WSNPROF_PCS, WSNPROF_RAW"
#endif

#if WSNPROF_TASKS
struct wsntrace_lane *wsntrace_of_task = &wsntrace_main.lane;
struct wsnprof_trace_lane wsntrace_others;
#endif

#if WSNPROF_TRACE_LONG
uint32_t wsntrace_clock(void)
{
	return wsntrace_ticks();
}
#endif

/* But for handlers. */
static WSNPROF_QUIET struct wsntrace_lane *lane_of_thread(void)
{
#if WSNPROF_TASKS
	return wsntrace_of_task;
#else
	return &wsntrace_main.lane;
#endif
}

uint32_t wsntrace_nested(const struct wsntrace_lane *l)
{
	uint32_t n = l->is.nested;

#if WSNPROF_TASKS
	if (l == &wsntrace_handlers.lane)
		n += wsntrace_others.boxed;
#endif
	return n;
}

struct wsntrace_lane *wsntrace_lane_live(void)
{
#if WSNPROF_TRACE_HANDLERS > 0
	if (wsnprof_exception())
		return &wsntrace_handlers.lane;
#endif
	return lane_of_thread();
}

#if WSNPROF_TRACE_HANDLERS > 0
/* A handler interrupted the one that has the lane. */
static WSNPROF_QUIET void calls_nest(uint32_t calls)
{
	wsnprof_mask mask = wsnprof_lock();

	wsntrace_handlers.lane.is.nested += calls;
	wsnprof_unlock(mask);
}

/* In a handler. One that interrupts us here leaves the lane as it is. */
static WSNPROF_QUIET bool handlers_take(uint32_t exception, uint32_t calls)
{
	struct wsntrace_lane *l = &wsntrace_handlers.lane;

	if (!l->is.exception)
		l->is.exception = exception;
	if (l->is.exception == exception)
		return true;
	calls_nest(calls);
	return false;
}
#endif

struct wsntrace_lane *wsntrace_lane_take(uint32_t calls)
{
	struct wsntrace_lane *l = lane_of_thread();
	uint32_t exception = wsnprof_exception();

#if WSNPROF_TRACE_HANDLERS > 0
	if (exception)
		l = &wsntrace_handlers.lane;
	if (!l->is.sp || l->is.mode & WSNTRACE_OFF ||
	    (exception && !handlers_take(exception, calls)))
		return NULL;
#else
	(void)calls;
	if (exception || !l->is.sp || l->is.mode & WSNTRACE_OFF)
		return NULL;
#endif
	return l;
}

void wsntrace_lane_leave(struct wsntrace_lane *l)
{
	if (l->is.sp == WSNTRACE_LANE_BASE(l))
		l->is.exception = 0;
}

#endif
