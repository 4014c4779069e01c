/* start: the vector table, and what has to be done before main. */
#include <stddef.h>

#include "board.h"
#include "chip_clock.h"
#include "wsnprof_cortexm.h"

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

void Reset_Handler(void) __attribute__((noreturn));
void PendSV_Handler(void) __attribute__((weak));
void SysTick_Handler(void) __attribute__((weak));
int main(void);

static void unexpected_handler(void)
{
	static const char text[] = "unexpected exception\n";
	size_t i;

	for (i = 0; text[i]; i++)
		board_uart_put((uint8_t)text[i]);
	board_exit();
}

typedef void (*vector)(void);

const vector vectors[16 + CHIP_IRQS] __attribute__((section(".vectors"), used)) = {
	(vector)(uintptr_t)stack_top,
	Reset_Handler,
	[2 ... 13] = unexpected_handler,
	[EXCEPTION_PENDSV] = PendSV_Handler,
#ifdef CHIP_TICKER_IS_SYSTICK
	[EXCEPTION_SYSTICK] = board_ticker_irq,
#else
	[16 + CHIP_IRQ_TICKER] = board_ticker_irq,
	[EXCEPTION_SYSTICK] = SysTick_Handler,
#endif
	[16 + CHIP_IRQ_SAMPLE] = wsnprof_sample_irq,
	[16 + CHIP_IRQ_PACE] = board_pace_irq,
	[16 + CHIP_IRQ_RECEIVE] = board_receive_irq,
};

void Reset_Handler(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

#ifdef __ARM_FP
	CPACR |= 0xful << 20;
	__asm__ volatile("dsb\n\tisb");
#endif
	for (to = data_start; to < data_end; to++)
		*to = *from++;
	for (to = bss_start; to < bss_end; to++)
		*to = 0;
	main();
	board_exit();
}
