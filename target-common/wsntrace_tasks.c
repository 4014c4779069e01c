/*
 * wsntrace_tasks: a lane for each task (WSNPROF_TASKS with WSNPROF_TRACE). A switch makes another
 * lane the live one, and tells both.
 */
#include "wsnprof_send.h"

#if WSNPROF_TRACE && WSNPROF_TASKS

#include "wsntrace_put.h"

struct wsnprof_task {
	const void *memory;		/* the caller's: its name; NULL: none has the lane */
};

enum { AWAY_MAX = 2 + 2 * WSNTRACE_STAMP_BYTES };

struct wsnprof_task wsnprof_no_stack;
static struct wsnprof_task tasks[WSNPROF_TASKS];

struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes)
{
	uint8_t i = 0;

	(void)bytes;
	while (i < WSNPROF_TASKS && tasks[i].memory && tasks[i].memory != memory)
		i++;
	if (i == WSNPROF_TASKS)
		return WSNPROF_NO_STACK;
	tasks[i].memory = memory;
	wsntrace_task_begin(i);
	return &tasks[i];
}

/* NULL, the main program's. */
static WSNPROF_QUIET uint8_t lane_number(const struct wsnprof_task *task)
{
	if (task == WSNPROF_NO_STACK)
		return UINT8_MAX;
	return task ? (uint8_t)(WSNTRACE_FIRST_TASK + (task - tasks)) : 0;
}

static WSNPROF_QUIET struct wsntrace_lane *lane_of(const struct wsnprof_task *task)
{
	return task ? &wsntrace_tasks[task - tasks].is.lane : &wsntrace_main.lane;
}

/* Another is about to be the live lane. What happens in a box, told at its end, has no place. */
static WSNPROF_QUIET void lane_leave(struct wsntrace_lane *l, uint8_t next)
{
	wsntrace_hold(l);
	l->is.away = 0;
	if (l->is.mode & (WSNTRACE_OFF | WSNTRACE_BOX))
		return;
	if (l->is.mode & WSNTRACE_BROKEN || !wsntrace_gap_tell(l, WSNTRACE_FULL, false) ||
	    !wsntrace_has_room(l, AWAY_MAX, WSNTRACE_FULL)) {
		wsntrace_notes_lost++;
		return;
	}
	wsntrace_put_stamp(l, true);
	wsntrace_put(l, WSNTRACE_AWAY);
	wsntrace_put(l, next);
	l->is.away = 1;
	wsntrace_pin(l, WSNTRACE_LIVE(l).sp);
}

/* It is live again. */
static WSNPROF_QUIET void lane_come(struct wsntrace_lane *l)
{
	if (l->is.away && !(l->is.mode & WSNTRACE_OFF))
		wsntrace_put_stamp(l, true);
	wsntrace_release(l);
}

#ifdef __AVR__
/*
 * `nesting` is 0, or 1 in a handler that switches, which ends in the other task; 2 and 3 in a task
 * that has no lane: for its hooks, it is a handler that interrupted another.
 */
static WSNPROF_QUIET void task_switch(struct wsnprof_task *task)
{
	uint8_t nesting = wsntrace_live.nesting;
	bool in_handler = nesting & 1;

	if (nesting < 2) {
		if (in_handler)
			wsntrace_live_set(wsntrace_under);
		lane_leave(wsntrace_lane_live(), lane_number(task));
		wsntrace_live_save();
	}
	if (task == WSNPROF_NO_STACK) {
		wsntrace_live.w = WSNTRACE_SLOW;
		wsntrace_live.sp = WSNTRACE_BASE;
		wsntrace_live.nesting = (uint8_t)(2 + in_handler);
		return;
	}
	wsntrace_live_load(wsntrace_page(lane_of(task)));
	lane_come(lane_of(task));
	wsntrace_live.nesting = in_handler;
	if (in_handler) {
		wsntrace_under = wsntrace_live.page;
		wsntrace_live_set(wsntrace_page(&wsntrace_handlers.lane));
	}
}
#else
static WSNPROF_QUIET void task_switch(struct wsnprof_task *task)
{
	struct wsntrace_lane *l = wsntrace_of_task;

	if (l->is.sp)
		lane_leave(l, lane_number(task));
	if (task == WSNPROF_NO_STACK) {
		wsntrace_of_task = (struct wsntrace_lane *)&wsntrace_others;
		return;
	}
	l = wsntrace_of_task = lane_of(task);
	if (l->is.sp)
		lane_come(l);
}
#endif

void wsnprof_switch(struct wsnprof_task *task)
{
	static struct wsnprof_task *current;
	wsnprof_mask mask = wsnprof_lock();

	if (task != current)
		task_switch(task);
	current = task;
	wsnprof_unlock(mask);
}

#endif
