/*
 * wsnprof_freertos: a task that sends what the profiler counts.
 *
 *	#include "wsnprof_freertos.h"
 *	wsnprof_freertos_start();		main: before the first task is created
 *
 * Settings, by wsnprof_config.h or CFLAGS: WSNPROF_FREERTOS_PRIORITY, 1 above idle, and
 * WSNPROF_FREERTOS_STACK, as xTaskCreate() takes it. freertos_trace.h gives tasks shadow stacks.
 * docs/integration/freertos.md
 */
#ifndef WSNPROF_FREERTOS_H
#define WSNPROF_FREERTOS_H

#include "wsnprof.h"

#ifdef __cplusplus
extern "C" {
#endif

void wsnprof_freertos_start(void) WSNPROF_QUIET;

#ifdef __cplusplus
}
#endif

#endif
