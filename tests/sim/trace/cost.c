/* What a traced call costs: COST_CALLS calls of COST_OF, of which no token is sent meanwhile. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"

volatile uint8_t sink;

void leaf(void);
void caller(void);
void swap(void);
void calls(void);

void __attribute__((noinline)) leaf(void)
{
	sink++;
}

void __attribute__((noinline)) caller(void)
{
	leaf();
	__asm__ volatile("");			/* no tail call */
}

#if WSNPROF_TASKS
static struct wsnprof_task *task;

/* Away and back. */
void __attribute__((noinline)) swap(void)
{
	wsnprof_switch(task);
	wsnprof_switch(0);
}
#endif

void __attribute__((noinline)) calls(void)
{
	for (uint8_t i = 0; i < COST_CALLS; i++)
		COST_OF();
}

void wsnprof_kick(void)
{
}

int main(void)
{
	wsnprof_init();
#if WSNPROF_TASKS
	task = wsnprof_task_init(&task, sizeof(task));
#endif
	wsnprof_start();
#if WSNPROF_TASKS
	sei();				/* which the hooks turn off, and on */
#endif
	calls();
	wsnprof_stop();
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}
