/* The board, a Cortex-M in QEMU: characters and the end by semihosting; handlers; naked functions. */
#include <stdint.h>

#include "features.h"

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
extern void (*init_start[])(void), (*init_end[])(void);

static volatile int ticks;

static NOINLINE long semihosting(long op, const void *arg)
{
	register long r0 __asm__("r0") = op;
	register const void *r1 __asm__("r1") = arg;

	__asm__ volatile("bkpt 0xab /* wsntrace quiet */" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

__attribute__((noinline)) void put(char c)
{
	__asm__ volatile("/* wsntrace quiet */");
	semihosting(3, &c);
}

NOINLINE int tick_count(int n)
{
	return n + (zero == 0);
}

void SysTick_Handler(void)
{
	if (ticks < 30)
		ticks = tick_count(ticks);
}

/* It strikes once, a leaf. */
static volatile int pended;
__attribute__((interrupt)) void PendSV_Handler(void)
{
	pended += 1;
}

__attribute__((naked)) NOINLINE void bare(void)
{
	__asm__ volatile("bx lr");
}

static void (*volatile hook)(void) = bare;

/* A function inside gets its frame in ip, which the hook needs: refused. */
NOINLINE int with_inner(int x)
{
	NOINLINE int inner(int y)
	{
		return x + y + zero;
	}
	return inner(3) + inner(4);
}

int conditional_return(int x), conditional_tail(int x);		/* conditional.s; Thumb-2 */
#pragma weak conditional_return
#pragma weak conditional_tail

static void conditional_say(void)
{
	for (int i = 0; i < 9 && conditional_return; i++)
		say("conditional", conditional_return(i) + 1000 * conditional_tail(i));
}

void features_board(void)
{
	volatile uint32_t *systick = (volatile uint32_t *)0xe000e010;

	systick[1] = 2000;
	systick[2] = 0;
	systick[0] = 7;
	while (ticks < 30)
		bare();
	systick[0] = 0;
	*(volatile uint32_t *)0xe000ed04 = 1u << 28;
	while (!pended)
		hook();
	say("ticks", ticks + pended);
	say("inner", with_inner(5));
	conditional_say();
}

int main(void)
{
	features_c();
	features_cc();
	features_board();
	record_print();
	return 0;
}

__attribute__((noreturn)) void Reset_Handler(void)
{
	uint32_t *to = data_start;

#ifdef __ARM_FP
	*(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
	__asm__ volatile("dsb\n\tisb");
#endif
	for (uint32_t *from = data_load; to < data_end; from++)
		*to++ = *from;
	for (to = bss_start; to < bss_end; to++)
		*(volatile uint32_t *)to = 0;
	for (void (**f)(void) = init_start; f < init_end; f++)
		(*f)();
	main();
	semihosting(0x18, (const void *)0x20026);
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	stack_top, (void *)Reset_Handler, [14] = (void *)PendSV_Handler,
	[15] = (void *)SysTick_Handler,
};
