/*
 * blink: the gprof thesis's blinking LED (NXP KL25Z, 48 MHz), after its capture: 17.2 s of
 *
 *	main		26 times: control_leds, wait_ms, and a busy loop in between (59 % of the
 *			samples)
 *	wait_ms		calls wait_cycles_long 506 times
 *	wait_long	calls wait_cycles: 19 % of the samples
 *	control_leds	switches two or three of three LEDs on or off: 3 of 6 functions
 *
 * that is 26,440 calls, 1,536 a second, over 10 arcs.
 */
#include "app.h"
#include "board.h"
#include "chip_clock.h"
#include "workload_port.h"

enum { BLINKS = 26, WAITS = 506, BLINKS_PER_KILOSECOND = 1510 };

#ifndef BLINK_BLINKS
#define BLINK_BLINKS BLINKS
#endif

static volatile uint8_t leds;

static void red_on(void) { leds |= 1; }
static void red_off(void) { leds &= (uint8_t)~1; }
static void green_on(void) { leds |= 2; }
static void green_off(void) { leds &= (uint8_t)~2; }
static void blue_on(void) { leds |= 4; }
static void blue_off(void) { leds &= (uint8_t)~4; }

static void control_leds(uint32_t colour)
{
	if (colour & 1)
		red_on();
	else
		red_off();
	if (colour & 2)
		green_on();
	else
		green_off();
	if (colour & 4)
		blue_on();
	else
		blue_off();
}

static void wait_cycles(uint32_t cycles)
{
	uint32_t begun = board_clock();

	while (board_clock() - begun < cycles)
		;
}

static void wait_long(uint32_t cycles)
{
	wait_cycles(cycles);
}

/* 132 ms in all: a fifth of the period. */
static void wait_ms(void)
{
	uint32_t i;

	for (i = 0; i < WAITS; i++)
		wait_long(BOARD_HZ / 1000 * 132 / WAITS);
}

/* The rest of the period, by hundredths; the main loop sees to the profiler in between. */
static WORKLOAD_QUIET void idle_until(uint32_t next)
{
	while ((int32_t)(board_clock() - next) < 0) {
		uint32_t begun = board_clock();

		while (board_clock() - begun < BOARD_HZ / 100)
			;
		workload_breathe();
	}
}

WORKLOAD_QUIET uint32_t workload_blink(void)
{
	uint32_t period = BOARD_HZ / BLINKS_PER_KILOSECOND * 1000, i, next = board_clock();

	for (i = 0; i < BLINK_BLINKS; i++) {
		next += period;
		control_leds(i);
		wait_ms();
		idle_until(next);
	}
	return leds;
}
