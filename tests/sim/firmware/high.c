/* Callers and callees beyond 64 KB of flash: addresses of 17 bits. */
#include "scenario.h"

volatile uint8_t sink;

/* 66,000 bytes that the linker puts in between. */
__asm__(".section .text.scenario_fill,\"ax\",@progbits\n\t.space 66000\n\t.section .text\n");

__attribute__((section(".text.scenario_high"))) static void up(uint8_t n)
{
	if (n)
		up(n - 1);
	sink = n;
}

static void down(void)
{
	up(3);
}

void scenario(void)
{
	down();
	up(1);
}
