/*
 * What test_watched.sh watches of a Cortex-M's handlers: SysTick, which asks for PendSV each second
 * time and for interrupt 5 each third; a supervisor call; at the end a hard fault.
 */
#include <stdint.h>

#define SYST_CSR (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014)
#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define ICSR (*(volatile uint32_t *)0xe000ed04)
#define SHPR3 (*(volatile uint32_t *)0xe000ed20)

enum { TICKS = 12 };

int main(void);
void reset_handler(void);
void tick_handler(void);
void later_handler(void);
void call_handler(void);
void fault_handler(void);
void five_handler(void);
extern char stack_top[];

volatile uint32_t ticks, later, five, faults;

/* Inlined: a handler that ends in a jump ends there, for who follows the instructions. */
__attribute__((always_inline)) static inline void spend(uint32_t rounds)
{
	while (rounds--)
		__asm__ volatile("nop\n\tnop");
}

void tick_handler(void)
{
	ticks++;
	if (ticks % 2 == 0)
		ICSR = UINT32_C(1) << 28;	/* PendSV, the lowest: behind this one */
	if (ticks % 3 == 0)
		NVIC_ISPR = 1 << 5;		/* the highest: within it */
	spend(50);
}

void later_handler(void)
{
	later++;
	spend(100);
}

void five_handler(void)
{
	five++;
	spend(20);
}

void call_handler(void)
{
	spend(5);
}

void fault_handler(void)
{
#ifndef FAULT_LOOPS			/* one instruction: its entry is where it loops to */
	faults++;
#endif
	for (;;)
		;
}

void reset_handler(void)
{
	main();
}

__attribute__((section(".vectors"), used))
static const void *const vectors[32] = {
	stack_top, (const void *)reset_handler, [3] = (const void *)fault_handler,
	[11] = (const void *)call_handler, [14] = (const void *)later_handler,
	[15] = (const void *)tick_handler, [16 + 5] = (const void *)five_handler,
};

int main(void)
{
	SHPR3 = 0x80c00000;			/* SysTick 0x80, PendSV 0xc0; interrupt 5: 0 */
	NVIC_ISER = 1 << 5;
	__asm__ volatile("svc 0");
	SYST_RVR = 25000;
	SYST_CSR = 7;
	while (ticks < TICKS)
		;
	SYST_CSR = 0;
	spend(2000);
	__asm__ volatile("udf 0");
	for (;;)
		;
}
