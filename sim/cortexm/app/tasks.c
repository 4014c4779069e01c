/*
 * tasks: a task switcher as RTOSes for Cortex-M have it: tasks on the process stack, handlers on
 * the main one, a tick of 1 kHz that asks for PendSV, PendSV that switches. Three tasks and the
 * main program take turns, a tick each.
 */
#include <stddef.h>

#include "app.h"
#include "board.h"
#include "switch.h"
#include "workload_port.h"

enum { TASKS = 4, STACK_WORDS = 96, FRAME_WORDS = 17 };

#ifndef TASKS_TICKS
#define TASKS_TICKS 1000
#endif

static uint32_t stacks[TASKS][STACK_WORDS] __attribute__((aligned(8)));
static uint32_t handler_stack[STACK_WORDS] __attribute__((aligned(8)));
static uint32_t *saved[TASKS];
static volatile uint32_t ticks, work[TASKS];
static volatile uint8_t over, stopped;
static uint8_t now;

/* For the truth plugin: a store to [i] announces that task i is next. */
volatile uint8_t truth_task[TASKS];

/* --- what the tasks do: of different lengths, out of step with the tick ----------------------- */

static uint32_t task_spin(uint32_t turns)
{
	uint32_t sum = 0;

	while (turns--)
		sum = workload_mix(sum, turns);
	return sum;
}

static uint32_t task_short(uint32_t n)
{
	return task_spin(20 + n % 7);
}

static uint32_t task_middle(uint32_t n)
{
	return task_spin(200 + n % 31) + task_short(n);
}

static uint32_t task_long(uint32_t n)
{
	return task_spin(2000 + n % 101) + task_short(n);
}

static uint32_t (*const does[TASKS])(uint32_t n) = {
	task_short, task_short, task_middle, task_long,
};

static WORKLOAD_QUIET void task_body(void)
{
	uint32_t i = now;

	while (!over)
		work[i] += does[i](work[i]) != 0;
	stopped++;
	for (;;)
		;
}

/* --- switching -------------------------------------------------------------------------------- */

static void task_tick(void)
{
	ticks += ticks < TASKS_TICKS;
	ICSR = ICSR_PENDSVSET;
}

/* PendSV's: keep this stack pointer, give the next. Interrupts are off. */
WORKLOAD_QUIET uint32_t *switch_stacks(uint32_t *stack)
{
	saved[now] = stack;
	now = (uint8_t)((now + 1) % TASKS);
	truth_task[now] = 0;
	switch_told(now);
	return saved[now];
}

/* A stack as PendSV left it: r4-r11, EXC_RETURN, then what the exception saved. */
static WORKLOAD_QUIET void task_make(uint32_t i)
{
	uint32_t *stack = stacks[i] + STACK_WORDS - FRAME_WORDS;
	uint32_t w;

	for (w = 0; w < FRAME_WORDS; w++)
		stack[w] = 0;
	stack[8] = 0xfffffffd;			/* to a thread, on the process stack */
	stack[15] = (uint32_t)task_body & ~1u;
	stack[16] = 1u << 24;			/* Thumb */
	saved[i] = stack;
}

WORKLOAD_QUIET uint32_t workload_tasks(void)
{
	uint32_t i, done = 0;

	ticks = 0;
	now = over = stopped = 0;
	for (i = 1; i < TASKS; i++)
		task_make(i);
	switch_init(TASKS);
	system_priority(EXCEPTION_PENDSV, PRIORITY_LOWEST);
	switch_begin(handler_stack + STACK_WORDS);
	workload_ticker_start(1000, task_tick);
	while (stopped < TASKS - 1) {
		over = ticks == TASKS_TICKS;
		done = workload_mix(done, task_short(ticks));
		workload_breathe();
	}
	workload_ticker_stop();
	switch_end();
	return ticks;
}
