/* wsnprof_tasks: a shadow stack and a time of its own for each task of an RTOS. */
#include <stddef.h>

#include "wsnprof_clock.h"
#include "wsnprof_cortexm.h"

#if WSNPROF_TASKS && WSNPROF_TIMED

/* WSNPROF_TASK_BYTES knows its size. */
struct wsnprof_task {
	uint32_t stamp;			/* its time when it was left */
	/* `starts` when it was left: older frames are void; SHARED: they always are */
	uint32_t start;
	struct wsnprof_frame *top;
	struct wsnprof_frame *limit;
	struct wsnprof_frame *frame;
};

static struct wsnprof_task main_task = {
	.limit = wsnprof_frames + 1 + WSNPROF_STACK,
	.frame = wsnprof_frames,
};
static struct wsnprof_task *current = &main_task;
static uint32_t starts;			/* even: twice as many as wsnprof_start()s */

/* Tasks that have no stack take turns on this one. */
#define SHARED 1u
#define SHARED_LEVELS 16
static struct wsnprof_frame shared_frames[WSNPROF_FRAMES(SHARED_LEVELS)];
struct wsnprof_task wsnprof_no_stack = {
	.start = SHARED,
	.limit = shared_frames + 1 + SHARED_LEVELS,
	.frame = shared_frames,
};

struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes)
{
	struct wsnprof_task *task = memory;

	if (bytes < WSNPROF_TASK_BYTES(1))
		return NULL;
	task->frame = (struct wsnprof_frame *)(task + 1);
	task->limit = task->frame + (bytes - sizeof(*task)) / sizeof(*task->frame) - 1;
	task->start = starts - 2;
	return task;
}

void wsnprof_tasks_start(void)
{
	starts += 2;
	wsnprof_hook.limit = current->limit;
	wsnprof_hook.top = wsnprof_stack_empty(current->frame);
}

/*
 * A handler that switches is under way on behalf of both: its frames, and those above, go along.
 * The task that is left has run until the first handler came, and the other one goes on when the
 * last has gone: shift is from the one's time to the other's.
 */
static WSNPROF_QUIET void handlers_move(struct wsnprof_frame *f, struct wsnprof_frame *end,
				     uint32_t shift)
{
	for (; f < end; f++) {
		if (wsnprof_hook.top == wsnprof_hook.limit) {
			wsnprof_counts.cut++;
			continue;
		}
		*wsnprof_hook.top = *f;
		wsnprof_hook.top++->start += shift;
	}
}

static WSNPROF_QUIET void task_change(struct wsnprof_task *from, struct wsnprof_task *to)
{
	wsnprof_run_step();
	if (wsnprof_hook.top > wsnprof_hook.limit)
		wsnprof_hook.top = wsnprof_hook.limit;

	uint32_t now = wsnprof_stamp();
	struct wsnprof_frame *end = wsnprof_hook.top;
	struct wsnprof_frame *first = wsnprof_first_handler();

	if (from->start & SHARED)
		wsnprof_counts.no_stack += (uint32_t)(first - from->frame - 1);
	else
		from->start = starts;
	from->top = first;
	from->stamp = first < end ? first->start : now;
	if (to->start != starts) {
		to->top = wsnprof_stack_empty(to->frame);
		to->stamp = from->stamp;
	}
	uint32_t shift = to->stamp - from->stamp;

	wsnprof_hook.top = to->top;
	wsnprof_hook.limit = to->limit;
	handlers_move(first, end, shift);
	/* The stamp that is now goes on shifted. */
	wsnprof_hook.taken += WSNPROF_COUNTS_DOWN ? shift : -shift;
	wsnprof_run_from(now + shift);
}

void wsnprof_switch(struct wsnprof_task *task)
{
	wsnprof_mask mask = wsnprof_lock();
	struct wsnprof_task *to = task ? task : &main_task;

	if ((to != current || to->start & SHARED) && wsnprof_on)
		task_change(current, to);
	current = to;
	wsnprof_unlock(mask);
}

#elif WSNPROF_TASKS && !WSNPROF_TRACE	/* else wsntrace_tasks.c */

struct wsnprof_task {
	char nothing;
};
struct wsnprof_task wsnprof_no_stack;

struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes)
{
	(void)bytes;
	return memory;
}

void wsnprof_switch(struct wsnprof_task *task)
{
	(void)task;
}
#endif
