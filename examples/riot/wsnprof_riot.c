/* wsnprof_riot: what RIOT's scheduler tells, and the thread that sends. */
#include <stddef.h>
#include <stdint.h>

#include "wsnprof_defaults.h"

#include "wsnprof_riot.h"

#ifdef __AVR__
#include "wsnprof_port.h"
#else
#include "wsnprof_cortexm.h"
#endif

#include "periph/uart.h"
#include "sched.h"
#include "stdio_uart.h"
#include "thread.h"
#include "ztimer.h"

#ifndef WSNPROF_RIOT_THREADS
#define WSNPROF_RIOT_THREADS 6
#endif
#ifndef WSNPROF_RIOT_LEVELS
#define WSNPROF_RIOT_LEVELS 16
#endif
#ifndef WSNPROF_RIOT_UART
#define WSNPROF_RIOT_UART UART_DEV(UART_NUMOF > 1)
#endif
#ifndef WSNPROF_RIOT_PRIORITY
#define WSNPROF_RIOT_PRIORITY 1
#endif
#ifndef WSNPROF_BAUD
#define WSNPROF_BAUD 115200
#endif

enum { PAUSE_US = 10000, SHARE = 8 };

static unsigned used;
static struct wsnprof_task *tasks[KERNEL_PID_LAST + 1];
static uint32_t shadows[WSNPROF_RIOT_THREADS][(WSNPROF_TASK_BYTES(WSNPROF_RIOT_LEVELS) + 3) / 4];
static char sender_stack[THREAD_STACKSIZE_DEFAULT];

/* In the scheduler, before another thread runs; KERNEL_PID_UNDEF: none will. */
static WSNPROF_QUIET void thread_switched(kernel_pid_t active, kernel_pid_t next)
{
	(void)active;
	if (next != KERNEL_PID_UNDEF && !tasks[next] && used < WSNPROF_RIOT_THREADS) {
		tasks[next] = wsnprof_task_init(shadows[used], sizeof(shadows[used]));
		used++;
	}
	wsnprof_switch(tasks[next] || next == KERNEL_PID_UNDEF ? tasks[next] : WSNPROF_NO_STACK);
}

/* uart_write() waits in the thread that sends: no interrupt takes bytes. */
void wsnprof_kick(void)
{
}

static WSNPROF_QUIET void frame_send(void)
{
	for (int16_t byte = wsnprof_take(); byte >= 0; byte = wsnprof_take()) {
		uint8_t b = (uint8_t)byte;

		uart_write(WSNPROF_RIOT_UART, &b, 1);
	}
}

/*
 * Before nearly all threads: those that never wait would leave it no time, and none may print between
 * the bytes of a frame. So it takes one part in SHARE of the time at most.
 */
static WSNPROF_QUIET void *sender_run(void *unused)
{
	(void)unused;
	for (;;) {
		uint32_t begin = ztimer_now(ZTIMER_USEC), took;

		wsnprof_poll();
		frame_send();
		took = ztimer_now(ZTIMER_USEC) - begin;
		ztimer_sleep(ZTIMER_USEC, PAUSE_US + (SHARE - 1) * took);
	}
	return NULL;
}

void wsnprof_riot_start(void)
{
	if (WSNPROF_RIOT_UART != STDIO_UART_DEV)
		uart_init(WSNPROF_RIOT_UART, WSNPROF_BAUD, NULL, NULL);
	wsnprof_init();
	sched_register_cb(thread_switched);
	wsnprof_start();
	thread_create(sender_stack, sizeof(sender_stack), WSNPROF_RIOT_PRIORITY, 0, sender_run, NULL,
		      "wsnprof");
}
