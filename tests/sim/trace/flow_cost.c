/*
 * What hooks of `wsntop as --control-flow` take, in cycles (target-avr/wsntrace_flow.S): the least of
 * CALLS times, and the most, which is where a byte is full. Prints a line each: name, least, most.
 * Timer 3 counts cycles; interrupts are off. The code is what the filter writes, less what stands
 * there without hooks.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>

#include "wsnprof.h"

enum { CALLS = 16 };

void wsnprof_kick(void)
{
}

void __attribute__((noinline, used)) away(void)
{
	__asm__ volatile("");
}

/* Cycles between two looks at the timer. */
#define TOOK(name, code) \
	static uint16_t name(void) \
	{ \
		uint16_t from, to; \
		__asm__ volatile("lds %A0,%2\n\tlds %B0,%2+1\n\t" code "lds %A1,%2\n\tlds %B1,%2+1" \
				 : "=&r"(from), "=&r"(to) : "n"(_SFR_MEM_ADDR(TCNT3)) \
				 : "r0", "r24", "r26", "r27", "r30", "r31", "cc", "memory"); \
		return to - from; \
	}

#define SKIP "rjmp 1f\n\tcall wsntrace_bit_0\n\trjmp 2f\n1:\tcall wsntrace_bit_1\n\tnop\n2:\t"

TOOK(nothing, "")
TOOK(branch_c, "call wsntrace_flag_c\n\t")
TOOK(branch_z, "call wsntrace_flag_z\n\t")
TOOK(branch_s, "call wsntrace_flag_s\n\t")
TOOK(branch_t, "call wsntrace_flag_t\n\t")
TOOK(plain_stays, "ldi r24,1\n\tsbrc r24,0\n\tnop\n\t")
TOOK(stays, "ldi r24,1\n\tsbrc r24,0\n\t" SKIP)
TOOK(plain_skips, "ldi r24,0\n\tsbrc r24,0\n\tnop\n\t")
TOOK(skips, "ldi r24,0\n\tsbrc r24,0\n\t" SKIP)
TOOK(loop, "call wsntrace_bit_0\n\t")
TOOK(table, "call wsntrace_switch\n\t")
TOOK(enter, "ldi r30,3\n\tcall wsntrace_enter\n\t")
TOOK(out, "call 1f\n\trjmp 2f\n1:\tldi r30,lo8(gs(away))\n\tldi r31,hi8(gs(away))\n\tjmp wsntrace_out\n"
	  "2:\t")
TOOK(plain_jump, "call away\n\trjmp 2f\n2:\t")

static const struct {
	char name[12];
	uint16_t (*with)(void), (*without)(void);
} hooks[] = {
	{ "carry", branch_c, nothing },
	{ "zero", branch_z, nothing },
	{ "sign", branch_s, nothing },
	{ "bit", branch_t, nothing },
	{ "not-skipped", stays, plain_stays },
	{ "skipped", skips, plain_skips },
	{ "loop", loop, nothing },
	{ "switch", table, nothing },
	{ "enter", enter, nothing },
	{ "out", out, plain_jump },
};

static void char_say(char c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = (uint8_t)c;
}

static void number_say(uint16_t n)
{
	char digits[5];
	uint8_t i = 0;

	do {
		digits[i++] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	char_say(' ');
	while (i)
		char_say(digits[--i]);
}

static void hook_measure(uint8_t which)
{
	uint16_t without = hooks[which].without(), least = 0xffff, most = 0;

	for (uint8_t i = 0; i < CALLS; i++) {
		uint16_t took = hooks[which].with() - without;

		if (took < least)
			least = took;
		if (took > most)
			most = took;
	}
	for (const char *p = hooks[which].name; *p; p++)
		char_say(*p);
	number_say(least);
	number_say(most);
	char_say('\n');
}

int main(void)
{
	UCSR0B = _BV(TXEN0);
	TCCR3B = _BV(CS30);
	wsnprof_init();
	wsnprof_start();
	cli();
	for (uint8_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		hook_measure(i);
	sleep_enable();
	for (;;)
		sleep_cpu();
}
