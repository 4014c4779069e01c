/*
 * wsnprof_tasks: a call stack for each task (WSNPROF_TASKS). The hooks know one stack; a switch
 * copies the open levels of the task that goes out of it and those of the one that comes into it:
 * 16 cycles a byte. The lowest level stays.
 *
 * Time away: every level's T moves on by what the clock did meanwhile, in rounds that begin at
 * WSNPROF_REST. Where T + away carries, the wrap lies elsewhere than before; time between two
 * levels stays what it was, and so do all wraps together.
 */
#include "wsnprof_send.h"

#if WSNPROF_TASKS && !WSNPROF_TRACE	/* else wsntrace_tasks.c */

#if WSNPROF_LEVEL == 0
#error "WSNPROF_TASKS: level 0 has no call stacks to switch"
#endif

/* A task that is away. */
struct wsnprof_task {
	uint8_t room;			/* levels that fit */
	uint8_t open;
	uint16_t t;			/* when it went */
	uint16_t deep;
	void *deep_site;
	struct wsnprof_level level[];
};

_Static_assert(sizeof(struct wsnprof_task) == WSNPROF_TASK_BYTES(0), "WSNPROF_TASK_BYTES");

extern struct wsnprof_level wsnprof_stack[WSNPROF_STACK];
extern uint32_t wsnprof_run;		/* wraps in no open level */
extern uint16_t wsnprof_deep;
extern void *wsnprof_deep_site;

/*
 * T, a wrap that is pending counted; T again as it was then; drop the innermost level. Interrupts
 * are off.
 */
uint16_t wsnprof_clock(void) WSNPROF_QUIET;
void wsnprof_clock_back(uint16_t t) WSNPROF_QUIET;
void wsnprof_drop(void) WSNPROF_QUIET;

#if WSNPROF_ASIDE
/* wsnprof_poll() begins, ends; between them it is under way. Interrupts are off. */
void wsnprof_poll_begin(void) WSNPROF_QUIET;
void wsnprof_poll_end(void) WSNPROF_QUIET;
extern uint8_t wsnprof_polling;

static struct wsnprof_task *poller;	/* it is away, in wsnprof_poll() */
#endif

struct wsnprof_task wsnprof_no_stack;	/* no level of it is kept */

static uint8_t main_memory[WSNPROF_TASK_BYTES(WSNPROF_STACK - 1)];
static struct wsnprof_task *current;

struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes)
{
	struct wsnprof_task *task = memory;
	uint16_t room = (bytes - sizeof(*task)) / sizeof(struct wsnprof_level);

	task->open = 0;			/* not memset(): see wsnprof_copy() */
	task->t = 0;
	task->deep = 0;
	task->deep_site = NULL;
	task->room = (uint8_t)(room < WSNPROF_STACK ? room : WSNPROF_STACK - 1);
	return task;
}

/* NULL, the main stack. */
static WSNPROF_QUIET struct wsnprof_task *task_or_main(struct wsnprof_task *task)
{
	struct wsnprof_task *main_task = (struct wsnprof_task *)main_memory;

	if (!main_task->room)
		wsnprof_task_init(main_memory, sizeof(main_memory));
	return task ? task : main_task;
}

static WSNPROF_QUIET uint8_t levels_open(void)
{
	return (uint8_t)((struct wsnprof_level *)(GPIOR1 << 8 | GPIOR0) - wsnprof_stack - 1);
}

static WSNPROF_QUIET void task_leave(struct wsnprof_task *task)
{
	uint8_t i, open = levels_open();

	task->t = wsnprof_clock();
	while (levels_open() > task->room) {
		wsnprof_drop();
		wsnprof_deep = 0;	/* so the stack was full, or had room for more */
	}
	task->open = levels_open();
	if (task == &wsnprof_no_stack) {	/* and not cut */
		wsnprof_counts.no_stack += open;
		wsnprof_counts.cut -= open;
	}
	task->deep = wsnprof_deep;
	task->deep_site = wsnprof_deep_site;
	for (i = 0; i < task->open; i++) {
		task->level[i] = wsnprof_stack[1 + i];
		wsnprof_run += task->level[i].wraps;
		wsnprof_stack[1 + i].wraps = 0;	/* as the hooks expect it */
	}
}

static WSNPROF_QUIET void task_enter(struct wsnprof_task *task, uint16_t now)
{
	uint16_t away = now - task->t - (now < task->t ? WSNPROF_REST : 0);
	/* T + away of the level above carries */
	uint8_t above = (uint16_t)(task->t + away) < away;
	uint8_t i = task->open;

	GPIOR0 = (uint8_t)(uint16_t)(wsnprof_stack + 1 + i);
	GPIOR1 = (uint8_t)((uint16_t)(wsnprof_stack + 1 + i) >> 8);
	wsnprof_deep = task->deep;
	wsnprof_deep_site = task->deep_site;
	while (i--) {
		struct wsnprof_level *l = &wsnprof_stack[1 + i];
		uint16_t t;
		uint8_t carries;

		*l = task->level[i];
		t = (uint16_t)(l->t_high << 8 | l->t_low) + away;
		carries = t < away;
		if (carries)
			t += WSNPROF_REST;
		l->t_high = (uint8_t)(t >> 8);
		l->t_low = (uint8_t)t;
		l->wraps += (uint16_t)(above - carries);
		wsnprof_run -= l->wraps;
		above = carries;
	}
}

void wsnprof_switch(struct wsnprof_task *task)
{
	wsnprof_mask mask = wsnprof_lock();
	struct wsnprof_task *from = task_or_main(current);
	struct wsnprof_task *to = task_or_main(task);

	if ((from != to || to == &wsnprof_no_stack) && wsnprof_running) {
#if WSNPROF_ASIDE
		if (wsnprof_polling) {
			wsnprof_poll_end();
			poller = from;
		}
#endif
		task_leave(from);
		task_enter(to, from->t);
		wsnprof_clock_back(from->t);	/* the copying is no task's time */
#if WSNPROF_ASIDE
		if (to == poller) {
			poller = NULL;
			wsnprof_poll_begin();
		}
#endif
	}
	current = task;
	wsnprof_unlock(mask);
}

#endif
