/* switch: the task switcher's assembly, and its calls of the profiler. */
#ifndef SWITCH_H
#define SWITCH_H

#include <stdint.h>

/*
 * From the main stack to the process stack, which goes on where that was; handlers get `top`. And
 * back.
 */
void switch_begin(uint32_t *top);
void switch_end(void);

/* tasks.c: PendSV keeps a stack pointer and asks for the next. */
uint32_t *switch_stacks(uint32_t *stack);

/* The profiler's stacks of tasks 1 to count - 1; and now this task goes on. */
void switch_init(uint32_t count);
void switch_told(uint32_t task);

#endif
