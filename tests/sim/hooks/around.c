/*
 * around: functions of all the shapes that compilers put around the hooks: few and many arguments
 * and results, registers saved or not, frames, several returns, values that live across calls,
 * inlined functions. What the host makes of their times is held against the plain program's.
 */
#include "hooks.h"

#include <string.h>

static volatile uint16_t word;

/* --- leaves ----------------------------------------------------------------------------------- */

static NOINLINE void nothing(void)
{
	__asm__ volatile("");
}

static NOINLINE void bump(void)
{
	hooks_sink++;
}

static NOINLINE uint8_t twice(uint8_t a)
{
	return (uint8_t)(a + a);
}

static NOINLINE uint16_t add(uint16_t a, uint16_t b)
{
	return (uint16_t)(a + b);
}

static NOINLINE uint32_t add_long(uint32_t a, uint32_t b)
{
	return a + b;
}

static NOINLINE void put(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static NOINLINE uint8_t many(uint8_t a, uint16_t b, uint32_t c, uint16_t d, uint8_t e)
{
	return (uint8_t)(a + b + (uint8_t)c + d + e);
}

static NOINLINE uint8_t returns(uint8_t a)
{
	if (a == 1) {
		BURN(40);
		return 5;
	}
	if (a == 2)
		return (uint8_t)(hooks_sink + 1);
	return 0;
}

static NOINLINE void burn(void)
{
	BURN(100);
}

/* --- callers ---------------------------------------------------------------------------------- */

static NOINLINE void seven(void)
{
	nothing();
	bump();
	bump();
	nothing();
	bump();
	bump();
	nothing();
}

static NOINLINE void seven_long(void)
{
	burn();
	burn();
	burn();
	burn();
	burn();
	burn();
	burn();
}

static NOINLINE uint16_t seven_values(uint16_t a)
{
	uint16_t b = add(a, 1), c = add(a, 2);

	b = add(b, c);
	c = add(b, a);
	b = add(c, b);
	put((uint8_t *)&word, b);
	return add(b, c);
}

static NOINLINE uint8_t loop(uint8_t n)
{
	uint8_t sum = 0;

	while (n--)
		sum = (uint8_t)(sum + twice(n));
	return sum;
}

static NOINLINE uint8_t frame(uint8_t a)
{
	volatile uint8_t room[12];
	uint8_t i;

	for (i = 0; i < sizeof(room); i++)
		room[i] = a;
	bump();
	return room[a & 7];
}

static NOINLINE uint32_t wide(uint32_t a)
{
	uint32_t b = add_long(a, 3), c = add_long(a, 5);

	return add_long(b, c) + a;
}

static inline __attribute__((always_inline)) uint8_t inlined(uint8_t a)
{
	BURN(30);
	return (uint8_t)(a ^ 0x55);
}

static NOINLINE uint8_t holds(uint8_t a)
{
	bump();
	return (uint8_t)(inlined(a) + a);
}

static NOINLINE void outer(void)
{
	seven();
	seven();
	hooks_sink = loop(9);
	burn();
}

static NOINLINE uint16_t deep(uint8_t n)
{
	return n ? add(deep((uint8_t)(n - 1)), n) : 0;
}

void hooks_run(void)
{
	uint8_t i;

	for (i = 0; i < 100; i++) {
		nothing();
		bump();
		hooks_sink = twice(i);
		word = add(word, i);
		hooks_sink = (uint8_t)wide(word);
		put((uint8_t *)&word, i);
		hooks_sink = many(i, word, word, 3, hooks_sink);
		hooks_sink = returns(i & 3);
		seven();
		seven_long();
		word = seven_values(word);
		hooks_sink = loop(i & 15);
		hooks_sink = frame(i);
		hooks_sink = holds(i);
		outer();
		word = deep(i & 7);
	}
}
