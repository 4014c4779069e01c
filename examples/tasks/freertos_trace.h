/*
 * freertos_trace: FreeRTOS' tasks, each with a shadow stack of wsnprof's. Include it at the end of
 * FreeRTOSConfig.h and compile freertos_trace.c with the kernel's flags; build wsnprof with
 * WSNPROF_TASKS 1. Without timed call sites it is empty: arcs and PC samples need no shadow stacks.
 *
 * A task's shadow stack is remembered in its thread local storage, slot WSNPROF_TLS. The kernel
 * clears the slots in prvInitialiseNewTask() and calls traceTASK_CREATE() after that, in a
 * critical section; traceTASK_SWITCHED_IN() in vTaskSwitchContext(), when pxCurrentTCB is the new
 * one, and before the first task starts. Both macros are expanded in tasks.c, where a TCB's
 * members can be seen.
 *
 * Keep port.c and tasks.c out of -finstrument-functions: the context switch is naked, and changes
 * stacks under the hooks' feet.
 */
#ifndef FREERTOS_TRACE_H
#define FREERTOS_TRACE_H

#include "wsnprof_defaults.h"

#if WSNPROF_TASKS && (WSNPROF_TRACE || (WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0))
/* In FreeRTOSConfig.h, before this file is included, if another slot is free. */
#ifndef WSNPROF_TLS
#define WSNPROF_TLS 0
#endif

/*
 * In wsnprof_config.h: tasks at a time, those of the kernel (idle, timers) too, 20 + 12 * (levels +
 * 2) bytes each. Tasks beyond them lose the calls that are open when another task goes on; the host
 * is told how many.
 */
#ifndef WSNPROF_TASKS_MAX
#if WSNPROF_TRACE
#define WSNPROF_TASKS_MAX WSNPROF_TASKS	/* lanes */
#else
#define WSNPROF_TASKS_MAX 16
#endif
#endif

/* There, too: instrumented calls that may be open in one. */
#ifndef WSNPROF_TASK_LEVELS
#define WSNPROF_TASK_LEVELS 16
#endif

#ifndef configNUM_THREAD_LOCAL_STORAGE_POINTERS
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS (WSNPROF_TLS + 1)
#endif

#ifndef __ASSEMBLER__
struct wsnprof_task;
void wsnprof_switch(struct wsnprof_task *task);
struct wsnprof_task *wsnprof_freertos_create(void);
void wsnprof_freertos_delete(struct wsnprof_task *task);

#define WSNPROF_OF(tcb) ((tcb)->pvThreadLocalStoragePointers[WSNPROF_TLS])
#define traceTASK_CREATE(tcb) (WSNPROF_OF(tcb) = wsnprof_freertos_create())
#define traceTASK_DELETE(tcb) wsnprof_freertos_delete(WSNPROF_OF(tcb))
#define traceTASK_SWITCHED_IN() wsnprof_switch(WSNPROF_OF(pxCurrentTCB))
#endif
#endif

#endif
