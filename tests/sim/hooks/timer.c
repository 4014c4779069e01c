/*
 * timer: an OS that uses the timer's capture unit, and sets the timer up before wsnprof_init() and
 * between that and wsnprof_start(): its bits stay, and the clock runs.
 */
#include "hooks.h"
#include "wsnprof_uart.h"

static NOINLINE void leaf(void)
{
	BURN(1000);
}

static QUIET void os_init(void)
{
	TCCR1A = _BV(WGM11) | _BV(COM1A0);
	TCCR1B = _BV(ICES1) | _BV(CS12);
	TIMSK1 = _BV(ICIE1);
}

static QUIET uint32_t bits(void)
{
	return (uint32_t)TCCR1A << 16 | (uint16_t)(TCCR1B << 8) | TIMSK1;
}

QUIET int main(void)
{
	uint32_t after_init;
	uint8_t i;

	os_init();
	wsnprof_uart_init();
	wsnprof_init();
	after_init = bits();
	os_init();
	wsnprof_start();
	sei();
	for (i = 0; i < 200; i++)
		leaf();
	hooks_say("init", after_init);
	hooks_say("start", bits());
	hooks_end();
}
