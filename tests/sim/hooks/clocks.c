/*
 * clocks: a clock that is not the runtime's 16-bit timer: an 8-bit one (WSNPROF_TIMER 0 or 2) while
 * the application has timer 1, or timer 1, which the application runs and the runtime only reads.
 * The application sets timer 1 up before wsnprof_init(), or with LATE behind it.
 */
#include "hooks.h"
#include "wsnprof_uart.h"

#if WSNPROF_TIMER == 2
#define VECTOR TIMER0_COMPA_vect
#define COMPARE OCR0A
#define MODE TCCR0A
#define MODE_CTC _BV(WGM01)
#define SELECT TCCR0B
#define INTERRUPTS TIMSK0
#else
#define VECTOR TIMER2_COMPA_vect
#define COMPARE OCR2A
#define MODE TCCR2A
#define MODE_CTC _BV(WGM21)
#define SELECT TCCR2B
#define INTERRUPTS TIMSK2
#endif

static volatile uint8_t struck;

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

/* Some rounds of an 8-bit timer. */
static NOINLINE void thousand(void)
{
	BURN(1000);
	leaf();
}

/* More than 256 of them, and than one of a 16-bit timer. */
static NOINLINE void lengthy(void)
{
	BURN(100000);
}

/* The same where the timer is eight times slower. */
static NOINLINE void longest(void)
{
	BURN(700000);
}

ISR(VECTOR)
{
	leaf();
	struck++;
}

/* Timer 1 for the application: bits of all kinds, that do not disturb a clock that is read. */
static QUIET void os_init(void)
{
#if WSNPROF_TIMER_READ
	TCCR1A = _BV(COM1A0);
	TCCR1B = _BV(ICES1) | (WSNPROF_PRESCALE == 1 ? _BV(CS10) : _BV(CS11));
	TIMSK1 = _BV(ICIE1);
#if WSNPROF_TIMER_READ == 2
	TIMSK1 |= _BV(TOIE1);
#endif
#else
	TCCR1A = _BV(COM1A0) | _BV(WGM11);
	TCCR1B = _BV(ICES1) | _BV(WGM12) | _BV(CS12);
	OCR1A = 4321;
	TIMSK1 = _BV(ICIE1);
#endif
}

static QUIET uint32_t bits(void)
{
	return (uint32_t)TCCR1A << 16 | (uint16_t)(TCCR1B << 8) | TIMSK1;
}

QUIET int main(void)
{
	uint32_t before, after;
	uint16_t i;

	wsnprof_uart_init();
#ifndef LATE
	os_init();
	wsnprof_init();
#else
	wsnprof_init();
	os_init();
#endif
	before = bits();
	wsnprof_start();
	MODE = MODE_CTC;
	COMPARE = 250;
	INTERRUPTS = _BV(1);		/* OCIEnA */
	SELECT = _BV(CS11) | _BV(CS10);
	sei();
	for (i = 0; i < 400; i++) {
		leaf();
		thousand();
		INTERRUPTS = 0;			/* a handler's hooks would read the clock */
		if (i % 20 == 0)
			lengthy();
		if (i % 100 == 0)
			longest();
		INTERRUPTS = _BV(1);
		wsnprof_poll();
	}
	INTERRUPTS = 0;
	after = bits();
	hooks_say("before", before);
	hooks_say("after", after);
	hooks_end();
}
