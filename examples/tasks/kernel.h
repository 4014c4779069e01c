/*
 * kernel: an RTOS in a hundred lines, to show where wsnprof_switch() belongs.
 *
 * Tasks run on the process stack, preempted round robin at each SysTick; they may sleep. PendSV
 * switches. Each task has a shadow stack of the profiler's, so that its open calls wait with it.
 * Not instrumented.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#include "wsnprof_config.h"
#include "wsnprof_cortexm.h"

enum { KERNEL_HZ = 1000, TASK_STACK = 256, TASK_LEVELS = 20 };

struct task {
	uint32_t *sp;				/* first: the handler's assembly knows */
	struct wsnprof_task *profile;
	uint32_t wake;
	struct task *next;
	uint32_t stack[TASK_STACK] __attribute__((aligned(8)));
	uint32_t shadow[(WSNPROF_TASK_BYTES(TASK_LEVELS) + 3) / 4];
};

/* From main, before kernel_start. */
void task_create(struct task *task, void (*run)(void));

/* Does not return: goes on as the idle task, which runs `idle` again and again. */
void kernel_start(void (*idle)(void)) __attribute__((noreturn));

/* From a task. */
void task_sleep(uint32_t ticks);
void task_yield(void);

#endif
