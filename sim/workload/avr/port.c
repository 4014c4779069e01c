/*
 * port: the workloads' ticker on timer 0; text through the runtime. Timer 1 is the runtime's.
 *
 *	-DWORKLOAD_PAUSE_MS=N	workload_breathe() sends for N ms: a traced program's tokens come
 *				faster than the line takes them
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "workload_port.h"
#include "wsnprof.h"

#define LONGEST_64 (256UL * 64 * 1000 / (F_CPU / 1000))		/* us that clk/64 reaches */

static void (*volatile ticker)(void);

WORKLOAD_QUIET void workload_ticker_start(uint16_t microseconds, void (*tick)(void))
{
	uint16_t prescale = microseconds < LONGEST_64 ? 64 : 1024;

	ticker = tick;
	TCCR0A = _BV(WGM01);
	OCR0A = (uint8_t)(microseconds * (F_CPU / 1000000) / prescale - 1);
	TCNT0 = 0;
	TCCR0B = prescale == 64 ? _BV(CS01) | _BV(CS00) : _BV(CS02) | _BV(CS00);
	TIFR0 = _BV(OCF0A);
	TIMSK0 = _BV(OCIE0A);
}

WORKLOAD_QUIET void workload_ticker_stop(void)
{
	TIMSK0 = 0;
}

/* Instrumented: a handler with a row of its own. */
ISR(TIMER0_COMPA_vect)
{
	ticker();
}

WORKLOAD_QUIET void workload_sleep(void)
{
	set_sleep_mode(SLEEP_MODE_IDLE);
	sleep_mode();
}

WORKLOAD_QUIET void workload_say(const char *text)
{
	while (*text)
		wsnprof_putchar(*text++);
}

WORKLOAD_QUIET void workload_breathe(void)
{
#ifndef WORKLOAD_MUTE
	wsnprof_poll();
#ifdef WORKLOAD_PAUSE_MS
	for (uint8_t ms = 0; ms < WORKLOAD_PAUSE_MS; ms++) {
		__builtin_avr_delay_cycles(F_CPU / 1000);
		wsnprof_poll();
	}
#endif
#endif
}
