/* What every test firmware does: come up, run its scenario, report, end the simulation. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <util/delay.h>

#include "wsnprof.h"

#define QUIET WSNPROF_QUIET

/* The scenario; profiling is on when it begins and is stopped when it returns. */
void scenario(void) QUIET;

static inline QUIET void say(const char *text)
{
	while (*text)
		wsnprof_putchar(*text++);
}

static inline QUIET void say_number(const char *what, uint32_t n)
{
	char digits[11];
	uint8_t i = 10;

	digits[10] = '\0';
	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	say(what);
	say(digits + i);
	say("\r\n");
}

static inline QUIET void drain(void)
{
	while (!wsnprof_idle())
		wsnprof_poll();
}

static inline QUIET void end(void)
{
	_delay_ms(2);
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}

#endif
