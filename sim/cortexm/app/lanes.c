/*
 * lanes: in place of tasks.c where tasks have lanes of a call trace. The main program, which polls,
 * and four tasks take turns with it: PendSV switches at each `switch`th tick wherever they are, and
 * where a task goes by itself in the middle of a call. The tick's handler makes calls, too.
 */
#include <stddef.h>

#include "app.h"
#include "board.h"
#include "settings.h"
#include "switch.h"
#include "workload_port.h"
#include "wsnprof.h"

enum { TASKS = 5, STACK_WORDS = 320, FRAME_WORDS = 17 };

#define NOINLINE __attribute__((noinline))

static uint32_t stacks[TASKS][STACK_WORDS] __attribute__((aligned(8)));
static uint32_t handler_stack[STACK_WORDS] __attribute__((aligned(8)));
static uint32_t *saved[TASKS];
static volatile uint32_t ticks, work, told;
static volatile uint8_t over;
static uint8_t now;

/* For the truth plugin: a store to [i] announces that task i is next. */
volatile uint8_t truth_task[TASKS];

/* --- what the tasks do ------------------------------------------------------------------------ */

/* As much as other programs do from one call to the next. */
static inline __attribute__((always_inline)) void work_spin(uint32_t n)
{
	for (n = 16 + (n & 15); n; n--)
		work++;
}

static NOINLINE void work_leaf(uint32_t n)
{
	work_spin(n);
}

static NOINLINE uint32_t work_fib(uint32_t n)
{
	work_spin(n);
	return n < 2 ? n : work_fib(n - 1) + work_fib(n - 2);
}

static NOINLINE void work_burst(uint32_t n)
{
	while (n--)
		work_leaf(n);
}

static NOINLINE void work_wait(void)
{
	work_leaf(7);
	ICSR = ICSR_PENDSVSET;
	work_leaf(8);
}

static NOINLINE void work_deep(uint32_t n)
{
	work_spin(n);
	if (n)
		work_deep(n - 1);
	__asm__ volatile("");
}

static void task_fib(uint32_t n)
{
	work += work_fib(n & 7);
}

static void task_burst(uint32_t n)
{
	work_burst(n & 255);
}

static WORKLOAD_QUIET void turn_tell(uint32_t n)
{
	uint16_t lost;

	__asm__ volatile("cpsid i" ::: "memory");
	lost = wsntrace_notes_lost;
	wsnprof_value(WSNPROF_MARK("turn"), (int32_t)n);
	told += lost == wsntrace_notes_lost;
	__asm__ volatile("cpsie i" ::: "memory");
}

static void task_wait(uint32_t n)
{
	work_wait();
	turn_tell(n);
	work_burst(n & 15);
}

static void task_deep(uint32_t n)
{
	work_deep(n & 15);
}

static void (*const does[TASKS])(uint32_t n) = {
	NULL, task_fib, task_burst, task_wait, task_deep,
};

static WORKLOAD_QUIET void task_body(void)
{
	uint32_t i = now, n;

	for (n = 0;; n++)
		does[i](n);
}

/* --- switching -------------------------------------------------------------------------------- */

static void task_tick(void)
{
	work_leaf(ticks & 3);
	ticks++;
	if (ticks % settings.every == 0)
		ICSR = ICSR_PENDSVSET;
}

/* PendSV's: keep this stack pointer, give the next. Interrupts are off. */
WORKLOAD_QUIET uint32_t *switch_stacks(uint32_t *stack)
{
	static uint8_t last;

	saved[now] = stack;
	if (now || over)
		now = 0;
	else
		now = last = last == TASKS - 1 ? 1 : (uint8_t)(last + 1);
	truth_task[now] = 0;
	switch_told(now);
	return saved[now];
}

/* A stack as PendSV left it: r4-r11, EXC_RETURN, then what the exception saved. */
static WORKLOAD_QUIET void task_make(uint32_t i)
{
	uint32_t *stack = stacks[i] + STACK_WORDS - FRAME_WORDS;

	stack[8] = 0xfffffffd;			/* to a thread, on the process stack */
	stack[15] = (uint32_t)task_body & ~1u;
	stack[16] = 1u << 24;			/* Thumb */
	saved[i] = stack;
}

/* Of the turns: how many were told. */
WORKLOAD_QUIET uint32_t workload_tasks(void)
{
	uint32_t i;

	for (i = 1; i < TASKS; i++)
		task_make(i);
	switch_init(TASKS);
	system_priority(EXCEPTION_PENDSV, PRIORITY_LOWEST);
	switch_begin(handler_stack + STACK_WORDS);
	workload_ticker_start((uint16_t)settings.tick, task_tick);
	while (ticks < settings.ticks)
		workload_breathe();
	over = 1;
	workload_ticker_stop();
	switch_end();
	return told;
}
