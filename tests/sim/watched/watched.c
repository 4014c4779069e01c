/*
 * What test_watched.sh watches: variables of all kinds whose values follow from a generator that
 * the test has, too; a function, an interrupt, marks. AVR (ends asleep) and Cortex-M (goes on).
 */
#include <stdint.h>

#include "wsnprof_mark.h"

#ifndef ROUNDS
#define ROUNDS 200
#endif

enum mode { MODE_IDLE, MODE_LISTEN = 7, MODE_LOST = -2 };

struct pair {
	uint8_t low : 3;
	int8_t high : 5;
};

volatile uint8_t byte;
volatile int16_t wide;
volatile uint32_t word;
volatile int64_t longer;
volatile float real;
volatile enum mode mode;
volatile struct pair pair;
volatile int16_t row[4];
volatile uint16_t ticks, stamp;

/* By hand: compilers know other ways. */
#define NOPS4 __asm__ volatile("nop\n\tnop\n\tnop\n\tnop")

#define ON_TICK (ticks++)
#define CHIP_TIMERS (TCCR1B = _BV(CS10), TCCR0B = _BV(CS01))
#define TICK_RELOAD 25000
#include "../chip.h"

static void stamp_take(void)
{
#ifdef __AVR__
	cli();
	stamp = TCNT1;
#endif
	wsnprof_mark(9);
#ifdef __AVR__
	sei();
#endif
}

__attribute__((noinline)) static void values_set(uint32_t x)
{
	static volatile uint16_t times;
	static const int8_t modes[3] = { MODE_IDLE, MODE_LISTEN, MODE_LOST };

	times++;
	byte = (uint8_t)(x >> 24);
	wide = (int16_t)(x >> 8);
	word = x;
	longer = (int64_t)x * -3;
	real = (float)(int16_t)(x >> 16) * 0.25f;
	mode = (enum mode)modes[x % 3];
	pair.low = x >> 5 & 7;
	pair.high = (int8_t)((int32_t)(x << 10) >> 27);
	row[x >> 3 & 3] = (int16_t)x;
}

__attribute__((noinline)) static void value_use(void)
{
	wide = (int16_t)(wide + (int16_t)byte);
}

int main(void)
{
	uint32_t x = 1;

	chip_begin();
	for (uint32_t i = 0; i < ROUNDS; i++) {
		x = x * 1103515245u + 12345u;
		values_set(x);
		value_use();
		wsnprof_mark(3);
		NOPS4;
		wsnprof_mark(4);
		if (x & 1)
			wsnprof_mark(65535);
		stamp_take();
	}
	chip_end();
	return 0;
}
