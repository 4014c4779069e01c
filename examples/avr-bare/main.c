/*
 * avr-bare: a main loop with jobs of different sizes, a timer's interrupt, and wsnprof.
 *
 * Timer 0 ticks a hundred times a second; each tick samples something, every fourth sums up, and
 * there is a checksum to take. What the profiler needs is marked (1) to (4).
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/crc16.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

enum { HZ = 100, SAMPLES = 32 };

static volatile uint8_t ticks;
static uint16_t samples[SAMPLES];
static uint8_t next;

/* --- the application -------------------------------------------------------------------------- */

ISR(TIMER0_COMPA_vect)
{
	ticks++;
}

static void timer_init(void)
{
	TCCR0A = _BV(WGM01);
	TCCR0B = _BV(CS02) | _BV(CS00);			/* clk / 1024 */
	OCR0A = (uint8_t)(F_CPU / 1024 / HZ - 1);
	TIMSK0 = _BV(OCIE0A);
}

static uint16_t sense(void)
{
	static uint16_t noise = 0xace1;

	noise = (uint16_t)(noise >> 1 ^ (-(noise & 1) & 0xb400));
	return noise;
}

static void sample(void)
{
	samples[next] = sense();
	next = (uint8_t)((next + 1) % SAMPLES);
}

static uint16_t median(const uint16_t *v, uint8_t n)
{
	uint16_t sorted[SAMPLES];

	for (uint8_t i = 0; i < n; i++) {
		uint8_t at = i;

		for (; at && sorted[at - 1] > v[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = v[i];
	}
	return sorted[n / 2];
}

static uint16_t checksum(const void *data, uint8_t n)
{
	const uint8_t *p = data;
	uint16_t crc = 0xffff;

	while (n--)
		crc = _crc_xmodem_update(crc, *p++);
	return crc;
}

static void say(const char *text)
{
	while (*text)
		wsnprof_putchar(*text++);		/* (3) text goes through the same ring */
}

static void report(void)
{
	static uint16_t seen;
	uint16_t middle = median(samples, SAMPLES);

	if (checksum(samples, sizeof(samples)) != seen && middle > 0xf000)
		say("a high median\n");
	seen = middle;
}

/* --- main ------------------------------------------------------------------------------------- */

static void tick(uint8_t now)
{
	sample();
	if (now % 4 == 0)
		report();
}

static bool tick_due(uint8_t done)
{
	return ticks != done;
}

/* Never returns: it would only take a level of the call stack. */
WSNPROF_QUIET int main(void)
{
	uint8_t done = 0;

	wsnprof_uart_init();				/* (1) before anything instrumented */
	wsnprof_init();
	wsnprof_start();
	timer_init();
	sei();
	for (;;) {
		while (!tick_due(done) && !wsnprof_poll())	/* (2) when there is time */
			sleep_mode();				/* (4) idle: timer 1 runs on */
		while (tick_due(done))
			tick(++done);
	}
}
