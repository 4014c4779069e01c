/*
 * app: applications to profile beside the workloads of sim/workload.
 *
 * wsn is a saturated processor: a call every 30 instructions, 60 functions, 110 arcs, more than an
 * arc cache holds at once. blink is the gprof thesis's blinking LED, made of delays: the calls a
 * second and the few arcs of its capture. tasks has what an RTOS has: tasks on the process stack,
 * switched by PendSV. polls calls the profiler from an instrumented function. rounds has SysTick as
 * its tick, and functions longer than its round. dispatch has many handlers behind one call
 * instruction. nested has a handler that interrupts another one. notes puts marks into a call
 * trace.
 */
#ifndef APP_H
#define APP_H

#include "workload.h"

#define APPS(X) \
	X(wsn, "wsn_*.c", 120, 16, \
	  "a sensor node's day: sense, filter, encrypt, send, route, receive") \
	X(blink, "", 12, 6, "the gprof thesis's blinking LED: 1,536 calls a second, 10 arcs") \
	X(tasks, "switch*", 12, 6, \
	  "four tasks on the process stack, switched by PendSV at each tick") \
	X(polls, "", 2, 3, "a function that polls") \
	X(rounds, "", 12, 6, "SysTick is the tick and the clock: functions of many rounds") \
	X(dispatch, "", 64, 4, "48 handlers called by one instruction") \
	X(nested, "", 8, 8, "a handler that interrupts another at every place") \
	X(notes, "", 4, 4, "marks, values and states of a call trace, from a handler, too")

/*
 * What SysTick's handler calls in place of rounds' tick, where SysTick is not the ticker and the build
 * has a call trace: tests count the instructions of rounds' handler in others.
 */
extern void (*app_systick)(void);

#define APP_DECLARE(name, files, sites, levels, what) uint32_t workload_##name(void) WORKLOAD_QUIET;
APPS(APP_DECLARE)
#undef APP_DECLARE

#endif
