/* main: bring everything up, then one round of tasks every 40 ms and sleep between. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <util/delay.h>

#include "app.h"
#include "wsnprof.h"
#include "wsnprof_uart.h"

/* Rounds until the firmware stops, reports once more and ends; 0: never. */
#ifndef DEMO_ROUNDS
#define DEMO_ROUNDS 0
#endif

static void (*const tasks[])(void) = {
	sample_task,
	bundle_task,
	link_poll,
	fib_task,
	report_task,
};

static WSNPROF_QUIET void sleep_unless_due(void)
{
	cli();
	if (!clock_round_due) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
	}
	sei();
}

static WSNPROF_QUIET void wait_for_round(void)
{
	while (!clock_round_due)
		if (!wsnprof_poll())
			sleep_unless_due();
	clock_round_due = false;
}

/*
 * Nothing counts from here on. What was counted goes out, in two refreshes for a host that loses a
 * frame of one, then the processor stops for good.
 */
static WSNPROF_QUIET void finish(void)
{
	uint8_t i;

	wsnprof_stop();
	for (i = 0; i < 60; i++)
		wait_for_round();
	while (!wsnprof_idle())
		if (!wsnprof_poll())
			sleep_unless_due();
	_delay_ms(2);			/* the last two bytes are in the UART */
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}

WSNPROF_QUIET int main(void)
{
	uint16_t round = 0;
	uint8_t i;

	set_sleep_mode(SLEEP_MODE_IDLE);
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	log_init();
	pool_init();
	phase_init();
	sample_init();
	bundle_init();
	clock_init();
	sei();
	for (;;) {
		wait_for_round();
		for (i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
			tasks[i]();
		if (DEMO_ROUNDS && ++round == DEMO_ROUNDS)
			finish();
	}
}
