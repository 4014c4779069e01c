/*
 * A main loop that never returns and is entered while the buffer is full; marks, values and states in
 * it, from a handler, too.
 */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

volatile uint8_t sink;
static volatile uint8_t ticks;

void flood(void);
void step(int16_t i);
void loop(void);
void application(void);

ISR(TIMER0_COMPA_vect)
{
	if (!++ticks)
		wsnprof_mark(WSNPROF_MARK("round"));
}

void __attribute__((noinline)) flood(void)
{
	sink++;
}

void __attribute__((noinline)) step(int16_t i)
{
	flood();
	wsnprof_value(WSNPROF_MARK("step"), (i - 50) * 1000L);
	wsnprof_state(WSNPROF_MARK("odd"), i & 1);
}

void __attribute__((noinline)) loop(void)
{
	for (int16_t i = 0;; i++) {
		if (i < 100)
			step(i);
		if (i == 400) {
			wsnprof_stop();
			TIMSK0 = 0;
		}
		if (i == 500) {
			cli();
			sleep_enable();
			sleep_cpu();
		}
		for (uint8_t ms = 0; ms < 10; ms++) {
			wsnprof_poll();
			__builtin_avr_delay_cycles(F_CPU / 1000);
		}
	}
}

void __attribute__((noinline)) application(void)
{
	for (uint16_t i = 0; i < 400; i++)
		flood();
	loop();
}

int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	TCCR0A = _BV(WGM01);
	OCR0A = 124;
	TCCR0B = _BV(CS01) | _BV(CS00);	/* 1 kHz */
	TIMSK0 = _BV(OCIE0A);
	sei();
	application();
}
