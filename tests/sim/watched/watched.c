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

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

ISR(TIMER0_OVF_vect)
{
	ticks++;
}

static void chip_begin(void)
{
	TCCR1B = _BV(CS10);
	TCCR0B = _BV(CS01);
	TIMSK0 = _BV(TOIE0);
	sei();
}

static void stamp_take(void)
{
	cli();
	stamp = TCNT1;
	wsnprof_mark(9);
	sei();
}

static void chip_end(void)
{
	cli();
	sleep_enable();
	sleep_cpu();
}
#else
#define SYST_CSR (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014)

int main(void);
void tick_handler(void);
void reset_handler(void);
void fault_handler(void);
extern char stack_top[];

void tick_handler(void)
{
	ticks++;
}

void fault_handler(void)
{
	for (;;)
		;
}

void reset_handler(void)
{
	main();
}

__attribute__((section(".vectors"), used))
static const void *const vectors[16] = {
	stack_top, (const void *)reset_handler, (const void *)fault_handler,
	(const void *)fault_handler, [11] = (const void *)fault_handler,
	[15] = (const void *)tick_handler,
};

static void chip_begin(void)
{
	SYST_RVR = 25000;
	SYST_CSR = 7;
}

static void stamp_take(void)
{
	wsnprof_mark(9);
}

static void chip_end(void)
{
	SYST_CSR = 0;
	for (;;)		/* ?for= counts instructions */
		;
}
#endif

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
