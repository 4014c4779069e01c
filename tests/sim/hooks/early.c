/*
 * early: hooks that run before wsnprof_init(): in .init code, in constructors, in a handler that
 * interrupts one, and in main, which is instrumented itself. None of them is counted, and none
 * harms the program.
 */
#include "hooks.h"
#include "wsnprof_uart.h"

static volatile uint8_t ticks;

static NOINLINE uint8_t early(uint8_t a, uint8_t b)
{
	uint8_t c = a ^ b;

	hooks_sink = c;
	return (uint8_t)(c + hooks_sink);
}

static NOINLINE uint8_t twice(uint8_t a)
{
	return (uint8_t)(early(a, 1) + early(a, 2));
}

ISR(TIMER0_COMPA_vect)
{
	ticks = (uint8_t)(ticks + (early(ticks, 0) == (uint8_t)(2 * ticks)));
}

/* Not instrumented themselves: gcc would look for their return address beyond the RAM. */
#define INIT(n) __attribute__((naked, used, section(".init" #n))) QUIET

void init3(void) INIT(3);
void init5(void) INIT(5);
void init7(void) INIT(7);

void init3(void)
{
	twice(3);
}

void init5(void)
{
	twice(5);
}

void init7(void)
{
	twice(7);
}

static __attribute__((constructor, used)) void built(void)
{
	if (twice(9) != (uint8_t)(2 * (9 ^ 1) + 2 * (9 ^ 2)))
		for (;;)
			;
	TCCR0A = _BV(WGM01);
	OCR0A = 250;
	TCCR0B = _BV(CS01);
	TIMSK0 = _BV(OCIE0A);
	sei();
	while (ticks < 5)
		;
	cli();
	TIMSK0 = 0;
}

int main(void)
{
	uint8_t i, sum = 0;

	wsnprof_uart_init();
	wsnprof_init();
	hooks_timer_begin();
	sei();
	wsnprof_start();
	for (i = 0; i < 100; i++)
		sum = (uint8_t)(sum + twice(i));
	hooks_watch();
	hooks_say("ticks", ticks);
	hooks_say("sum", sum);
	hooks_end();
}
