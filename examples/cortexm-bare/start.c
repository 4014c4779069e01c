/* start: the vector table, and what has to be done before main. Not instrumented. */
#include <stddef.h>

#include "mps2.h"
#include "wsnprof_cortexm.h"
#include "wsnprof_defaults.h"

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];

int main(void);
void Reset_Handler(void) __attribute__((noreturn));
void SysTick_Handler(void);
void PendSV_Handler(void) __attribute__((weak));
void uart_irq(void);

static void unexpected_handler(void)
{
	for (;;)
		;
}

typedef void (*vector)(void);

const vector vectors[16 + IRQS] __attribute__((section(".vectors"), used)) = {
	(vector)(uintptr_t)stack_top,
	Reset_Handler,
	[2 ... 13] = unexpected_handler,
	[14] = PendSV_Handler,
	[15] = SysTick_Handler,
	[16 + IRQ_UART_TX] = uart_irq,
#if WSNPROF_PCS > 0
	[16 + IRQ_TIMER] = wsnprof_sample_irq,
#endif
};

void Reset_Handler(void)
{
	const uint32_t *from = data_load;

	for (uint32_t *to = data_start; to < data_end; to++)
		*to = *from++;
	for (uint32_t *to = bss_start; to < bss_end; to++)
		*to = 0;
	main();
	for (;;)
		;
}
