/*
 * own: a leaf of 5 cycles, called all the time under the runtime's own interrupts: the UART sends
 * without a pause, the timer goes over. With OTHER a handler that is not instrumented strikes, too;
 * with HELD one that is taken out (WSNPROF_ISR).
 */
#include "hooks.h"

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

static NOINLINE void work(void)
{
	uint8_t i;

	for (i = 0; i < 100; i++)
		leaf();
}

#if defined(OTHER) || defined(HELD)

static volatile uint8_t struck;

#ifdef OTHER
ISR(TIMER0_COMPA_vect, QUIET)
#else
WSNPROF_ISR(TIMER0_COMPA_vect)
#endif
{
	struck++;
	BURN(50);
	if (struck == 0)		/* longer than the timer's low byte */
		BURN(3000);
}

static QUIET void other_begin(void)
{
	TCCR0A = _BV(WGM01);
	OCR0A = 124;
	TCCR0B = _BV(CS01);		/* 1,000 cycles: no timer's and no byte's */
	TIMSK0 = _BV(OCIE0A);
}

#else

static QUIET void other_begin(void)
{
}

#endif

void hooks_run(void)
{
	uint16_t i;

	other_begin();
	for (i = 0; i < 1500; i++) {
		work();
		wsnprof_poll();
		wsnprof_putchar('.');
	}
	TIMSK0 = 0;
}
