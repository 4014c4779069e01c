/* wsntrace_start: the lanes of a call trace, and when it is on. */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_put.h"
#include "wsntrace_sender.h"

#define SAMPLE_TICKS ((uint32_t)WSNPROF_TRACE_SAMPLE * (WSNPROF_TICKS_PER_SECOND / 1000))

struct wsntrace_main wsntrace_main WSNTRACE_PLACE;
#if WSNPROF_TRACE_HANDLERS > 0
struct wsntrace_handlers wsntrace_handlers WSNTRACE_PLACE;
#endif
#if WSNPROF_TASKS
struct wsntrace_task wsntrace_tasks[WSNPROF_TASKS] WSNTRACE_PLACE;
#endif

struct wsntrace_sender wsntrace_senders[WSNTRACE_LANES];
bool wsntrace_announced;

/* Not memset(), see wsnprof_copy(). */
void wsntrace_table_clear(struct wsntrace_lane *l)
{
	uint8_t *p = (uint8_t *)l->table;

	do {
		*p++ = 0xff;
		__asm__ volatile("");
	} while (p != (uint8_t *)l->table + sizeof(l->table));
}

static WSNPROF_QUIET void lane_clear(struct wsntrace_lane *l, uint8_t levels)
{
	struct wsnprof_trace_lane *is = &l->is;

	for (uint8_t *p = (uint8_t *)is; p != (uint8_t *)(is + 1); p++) {
		*p = 0;
		__asm__ volatile("");
	}
	is->mode = WSNTRACE_OFF;
	is->w_true = 1;
	is->last = (wsntrace_sp)(WSNTRACE_LANE_BASE(l) + WSNTRACE_CALL_BYTES * (levels - 1));
	is->limit = is->last;
	is->sp = is->top = WSNTRACE_LANE_BASE(l);
	wsntrace_lane_hide(l);
	wsntrace_table_clear(l);
}

/* Nothing is open, nothing waits; what it told is forgotten. */
static WSNPROF_QUIET void sender_clear(struct wsntrace_sender *s)
{
	s->untold = 0;
	s->depth = s->peak = s->age = 0;
	s->fresh = true;
#if WSNPROF_TRACE_PACK
	s->begun = false;
#endif
	s->since = s->age_begins = s->age_ends = wsntrace_ticks();
}

void wsntrace_init(void)
{
	wsnprof_mask mask;

	wsntrace_senders[0].lane = &wsntrace_main.lane;
	lane_clear(&wsntrace_main.lane, WSNPROF_STACK);
#if WSNPROF_TRACE_HANDLERS > 0
	wsntrace_senders[1].lane = &wsntrace_handlers.lane;
	lane_clear(&wsntrace_handlers.lane, WSNPROF_TRACE_HANDLERS);
#endif
	for (uint8_t i = WSNTRACE_FIRST_TASK; i < WSNTRACE_LANES; i++)
		if (wsntrace_senders[i].lane)
			lane_clear(wsntrace_senders[i].lane, WSNPROF_STACK);
	mask = wsnprof_lock();
	wsntrace_live_begin(WSNPROF_TASKS ? wsntrace_lane_live() : &wsntrace_main.lane);
	wsnprof_unlock(mask);
	for WSNTRACE_EACH(s) {
		sender_clear(s);
		s->number = 0;
	}
}

/* What was open at the stop is not known any more: the first frame has no open calls. */
static WSNPROF_QUIET void lane_start(struct wsntrace_sender *s)
{
	wsnprof_mask mask = wsntrace_lock();

	WSNTRACE_KEPT(s, sp) = s->lane->is.top = WSNTRACE_LANE_BASE(s->lane);
	if (wsntrace_is_own(s))
		wsntrace_hash_begin(s->lane, 0);
	s->lane->is.stamped = false;
	s->lane->is.w_true = 1;
	wsntrace_table_clear(s->lane);
	s->resync = true;
	sender_clear(s);
	s->lane->is.mode = WSNTRACE_TOP;	/* now it is on */
	wsntrace_unlock(mask);
}

void wsntrace_start(void)
{
	for WSNTRACE_EACH(s)
		lane_start(s);
#if WSNPROF_TASKS
	wsntrace_others_count(true);
#endif
}

void wsntrace_stop(void)
{
	wsnprof_mask mask = wsnprof_lock();

#if WSNPROF_TASKS
	wsntrace_others_count(false);
#endif
	for WSNTRACE_EACH(s) {
		if (wsntrace_is_own(s))
			wsntrace_hold(s->lane);
		s->lane->is.untold += s->lane->is.boxed;
		s->lane->is.boxed = 0;
		s->lane->is.mode = WSNTRACE_OFF;
		wsntrace_w_hide(s->lane);
		wsntrace_pin(s->lane, WSNTRACE_KEPT(s, sp));
	}
	wsnprof_unlock(mask);
}

#if WSNPROF_TASKS
/* What the task told that had it before is sent first. */
void wsntrace_task_begin(uint8_t task)
{
	struct wsntrace_sender *s = &wsntrace_senders[WSNTRACE_FIRST_TASK + task];
	wsnprof_mask mask = wsnprof_lock();

	if (!s->lane) {
		s->lane = &wsntrace_tasks[task].is.lane;
		lane_clear(s->lane, WSNPROF_STACK);
		sender_clear(s);
		if (wsnprof_node.running)
			lane_start(s);
	} else if (!(s->lane->is.mode & WSNTRACE_OFF)) {
		s->lane->is.untold += s->lane->is.boxed;
		s->lane->is.boxed = s->lane->is.gap = 0;
		s->lane->is.sp = s->lane->is.top = WSNTRACE_LANE_BASE(s->lane);
		s->lane->is.mode = WSNTRACE_TOP | WSNTRACE_BROKEN;
	}
	wsnprof_unlock(mask);
}
#endif

void wsntrace_announce(void)
{
	wsntrace_announced = true;
}

void wsntrace_forget(void)
{
	for WSNTRACE_EACH(s)
		s->forget = true;
}

bool wsntrace_idle(void)
{
	if (wsntrace_announced)
		return false;
	for WSNTRACE_EACH(s)
		if (s->lane->is.w_true != 1 || wsntrace_is_begun(s))
			return wsnprof_node.running;
	return true;
}

#if WSNPROF_TRACE_LONG
struct wsntrace_bounds wsntrace_bounds = { WSNPROF_TRACE_LONG, WSNPROF_TRACE_LONG / 4 };
#endif

#if WSNPROF_TRACE_SAMPLE
/* A handler's hook that reads it meanwhile tells a call, or does not. */
static WSNPROF_QUIET void bounds_set(uint16_t longer)
{
	wsntrace_bounds.longer = longer;
	wsntrace_bounds.medium = longer / 4;
}

/* Tokens of the main program or a task. */
static WSNPROF_QUIET bool some_wait(void)
{
	bool wait = wsntrace_main.lane.is.w_true != 1;

	for (uint8_t i = WSNTRACE_FIRST_TASK; i < WSNTRACE_LANES; i++)
		wait |= wsntrace_senders[i].lane && wsntrace_senders[i].lane->is.w_true != 1;
	return wait;
}

/* Short calls are known best from the one time, long ones from the other. */
void wsntrace_sample(void)
{
	static uint32_t since;
	static uint8_t shift;
	static bool on;

	if (some_wait()) {
		if (on)
			bounds_set(WSNPROF_TRACE_LONG);
		on = false;
	} else if (!on && wsntrace_ticks() - since >= SAMPLE_TICKS) {
		since = wsntrace_ticks();
		shift = shift < 4 ? shift + 2 : 0;
		bounds_set(16U << shift);
		on = true;
	}
}
#endif

void wsntrace_top(void)
{
	wsnprof_mask mask = wsntrace_lock();
	struct wsntrace_lane *l = WSNPROF_TASKS ? wsntrace_lane_live() : &wsntrace_main.lane;

	if (!(l->is.mode & WSNTRACE_OFF) && (!WSNPROF_TASKS || wsntrace_is_live(l))) {
		wsntrace_hold(l);
		l->is.top = WSNTRACE_TOLD_SP(l, WSNTRACE_LIVE(l).sp);
		wsntrace_pin(l, WSNTRACE_LIVE(l).sp);
		wsntrace_gap_tell(l, WSNTRACE_RESUME, false);
		/* the time may pass from here on: it is not that of the call before */
		if (!(l->is.mode & (WSNTRACE_TOP | WSNTRACE_BOX | WSNTRACE_BROKEN)) &&
		    wsntrace_has_room(l, WSNTRACE_STAMP_BYTES, WSNTRACE_LEAVE))
			wsntrace_put_stamp(l, true);
		l->is.mode |= WSNTRACE_TOP;
		wsntrace_release(l);
	}
	wsntrace_unlock(mask);
}

#endif
