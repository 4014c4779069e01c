/* wsntrace_handlers: interrupt handlers in a call trace: what their hooks leave to C. */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_put.h"

#if WSNPROF_TRACE_ALIKE
uint16_t wsntrace_struck;
#define struck_set() (wsntrace_struck = wsntrace_units())
#else
#define struck_set() ((void)0)
#endif

#if WSNPROF_TRACE_HANDLERS
uint8_t wsntrace_under;			/* page of the lane that was interrupted */
uint32_t wsntrace_inner_calls;
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
		wsntrace_inner_calls++;
}

void wsntrace_handler_begin(uint16_t id)
{
	struck_set();
	if (++wsntrace_live.nesting > 1) {
		handler_nest();
		return;
	}
	wsntrace_under = wsntrace_live.page;
	wsntrace_live_set(wsntrace_page(&wsntrace_handlers.lane));
	if (!(wsntrace_handlers.lane.is.mode & WSNTRACE_OFF)) {
		wsntrace_call_enter(&wsntrace_handlers.lane, id);
		wsntrace_release(&wsntrace_handlers.lane);
	}
}

void wsntrace_handler_end(void)
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
			wsntrace_call_exit(l);
		else if (--l->is.nest == 0)
			wsntrace_box_end(l);
		wsntrace_release(l);
	}
	wsntrace_live.nesting = 0;
	wsntrace_live_set(wsntrace_under);
}
#else
/* What they call is not told: for the hooks, each interrupts another. */
static struct wsnprof_trace_live under;

void wsntrace_handler_begin(uint16_t id)
{
	(void)id;
	struck_set();
	if (wsntrace_live.nesting) {
		wsntrace_live.nesting++;
		return;
	}
	under = wsntrace_live;
	wsntrace_live.w = WSNTRACE_SLOW;
	wsntrace_live.sp = WSNTRACE_BASE;
	wsntrace_live.nesting = 2;
}

void wsntrace_handler_end(void)
{
	if (--wsntrace_live.nesting == 1)
		wsntrace_live = under;
}
#endif

#endif
