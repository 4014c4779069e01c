/*
 * chip: what the small programs of tests/sim/stack and watched run on, an AVR (which ends asleep) or
 * a Cortex-M (which goes on): a timer whose interrupt runs ON_TICK, and the end. The includer
 * defines ON_TICK, CHIP_TIMERS (AVR: how they are started) and TICK_RELOAD (Cortex-M) before.
 */
#ifndef WSNTOP_TESTS_SIM_CHIP_H
#define WSNTOP_TESTS_SIM_CHIP_H

#include <stdint.h>

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

ISR(TIMER0_OVF_vect)
{
	ON_TICK;
}

static void chip_begin(void)
{
	CHIP_TIMERS;
	TIMSK0 = _BV(TOIE0);
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
	ON_TICK;
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
	SYST_RVR = TICK_RELOAD;
	SYST_CSR = 7;
}

static void chip_end(void)
{
	SYST_CSR = 0;
	for (;;)		/* ?for= counts instructions */
		;
}
#endif

#endif
