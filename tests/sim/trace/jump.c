/*
 * longjmp where it is hardest: over many functions, twice to the same place, out of tail calls and of
 * functions that call nothing else, out of a call that a slow line counts alone, to the outer of two
 * places, in a function that was entered by a longjmp.
 */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <setjmp.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

#define NOINLINE __attribute__((noinline))

static jmp_buf outer, inner, again;
static volatile uint8_t sink, ticks;

void leaf(uint8_t n);
void thrower(uint8_t n);
void tail_last(uint8_t n);
void tail_first(uint8_t n);
void deep(uint8_t n);
void twice(void);
void nested(void);
void across(void);
void tails(void);
void boxed(void);
void served(void);
void tree(uint8_t n);

ISR(TIMER0_COMPA_vect)
{
	leaf(ticks++);
}

NOINLINE void leaf(uint8_t n)
{
	sink += n;
}

NOINLINE void thrower(uint8_t n)	/* calls nothing but longjmp */
{
	sink += n;
	longjmp(inner, 1);
}

NOINLINE void tail_last(uint8_t n)
{
	leaf(n);
	if (n & 1)
		longjmp(inner, 2);
	sink++;
}

NOINLINE void tail_first(uint8_t n)
{
	leaf(n);
	tail_last(n + 1);
}

NOINLINE void deep(uint8_t n)
{
	leaf(n);
	if (n)
		deep(n - 1);
	else
		longjmp(inner, 3);
	sink++;
}

NOINLINE void tree(uint8_t n)
{
	leaf(n);
	if (n) {
		tree(n - 1);
		tree(n - 1);
	}
	sink++;
}

/* setjmp once, longjmp twice to it. */
NOINLINE void twice(void)
{
	uint8_t n = (uint8_t)setjmp(inner);

	leaf(n);
	if (n == 0)
		deep(3);
	if (n == 3)
		thrower(1);
	leaf(7);
}

NOINLINE void across(void)
{
	if (!setjmp(outer)) {
		if (!setjmp(inner)) {
			tree(1);
			deep(9);
		}
		leaf(1);
		longjmp(outer, 1);
	}
	leaf(2);
}

NOINLINE void tails(void)
{
	for (uint8_t i = 0; i < 4; i++)
		if (!setjmp(inner))
			tail_first(i);
	leaf(3);
}

/* From the depth of one place to the other, which was made before it. */
NOINLINE void nested(void)
{
	static volatile uint8_t rounds;

	rounds = 0;
	if (!setjmp(again))
		leaf(1);
	if (++rounds < 4) {
		if (!setjmp(inner))
			deep(rounds);
		tree(2);
		longjmp(again, 1);
	}
	leaf(4);
}

/* More calls than the line takes, and jumps among them. */
NOINLINE void boxed(void)
{
	for (uint8_t i = 0; i < 12; i++) {
		tree(5);
		if (!setjmp(inner)) {
			tree(3);
			deep((uint8_t)(20 + i));
		}
	}
}

/* Never returns but by a longjmp; polls in between. */
NOINLINE void served(void)
{
	static volatile uint8_t n;

	for (n = 0;; ) {
		if (!setjmp(inner))
			deep(n & 3);
		wsnprof_poll();
		if (++n == 20)
			longjmp(again, 1);
	}
}

int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	TCCR0A = _BV(WGM01);
	OCR0A = 124;
	TCCR0B = _BV(CS01) | _BV(CS00);
	TIMSK0 = _BV(OCIE0A);
	sei();
	for (uint8_t i = 0; i < ROUNDS; i++) {
		twice();
		across();
		tails();
		nested();
		if (!setjmp(again))
			served();
		boxed();
		for (uint8_t ms = 0; ms < 20; ms++) {
			wsnprof_poll();
			__builtin_avr_delay_cycles(F_CPU / 1000);
		}
	}
	TIMSK0 = 0;
	wsnprof_stop();
	for (uint16_t ms = 0; ms < 3000; ms++) {
		wsnprof_poll();
		__builtin_avr_delay_cycles(F_CPU / 1000);
	}
	cli();
	sleep_enable();
	sleep_cpu();
}
