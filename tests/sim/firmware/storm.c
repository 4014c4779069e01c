/*
 * An interrupt every 3200 cycles that makes instrumented calls and now and then prints, over a main
 * program that does the same; reports run all the while.
 */
#include "scenario.h"

#define UNITS 6000

volatile uint16_t sink;
static volatile uint32_t interrupts, steps, units;

static void step(uint8_t v) { sink += v; steps++; }

static void serve(void)
{
	step(1);
	step(2);
	if (++interrupts % 500 == 0)
		say("interrupt\r\n");
}

ISR(TIMER0_COMPA_vect)
{
	serve();
}

static uint8_t twice(uint8_t v) { return v * 2; }

static void unit(uint16_t i)
{
	sink = twice((uint8_t)i);
	sink = twice((uint8_t)(i >> 8));
	units++;
}

void scenario(void)
{
	uint16_t i;

	OCR0A = 3200 / 64 - 1;
	TCCR0A = _BV(WGM01);
	TCCR0B = _BV(CS01) | _BV(CS00);
	TIMSK0 = _BV(OCIE0A);
	for (i = 0; i < UNITS; i++) {
		unit(i);
		if (i % 500 == 0)
			say("main\r\n");
		wsnprof_poll();
	}
	TIMSK0 = 0;
	wsnprof_stop();
	drain();
	say_number("interrupts ", interrupts);
	say_number("steps ", steps);
	say_number("units ", units);
}
