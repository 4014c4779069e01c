/* port: what the workloads need of the chip. */
#include "board.h"
#include "chip_clock.h"
#include "settings.h"
#include "uart.h"
#include "workload_port.h"
#include "wsnprof.h"

static void (*volatile ticker)(void);

static WORKLOAD_QUIET __attribute__((noinline)) void workload_breathe_on(uint32_t ms)
{
	uint32_t begun = board_clock();

	do {
		wsnprof_poll();
		if (settings.doze && settings.baud)
			uart_doze();
	} while (board_clock() - begun < ms * (BOARD_HZ / 1000));
}

/* One poll costs what it takes and no more: tests count it. */
WORKLOAD_QUIET void workload_breathe(void)
{
	if (settings.breathe == 1)
		wsnprof_poll();
	else if (settings.breathe)
		workload_breathe_on(settings.breathe - 1);
}

WORKLOAD_QUIET void workload_ticker_start(uint16_t microseconds, void (*tick)(void))
{
	ticker = tick;
	board_ticker((uint32_t)microseconds * (BOARD_HZ / 1000000));
}

WORKLOAD_QUIET void workload_ticker_stop(void)
{
	board_ticker(0);
}

/*
 * The flags that instrument the workloads are this file's too: a handler with a row of its own, but
 * where TICKER_QUIET leaves it out.
 */
#ifdef TICKER_QUIET
WORKLOAD_QUIET
#endif
void board_ticker_irq(void)
{
	board_ticker_ack();
	ticker();
}

WORKLOAD_QUIET void workload_sleep(void)
{
	__asm__ volatile("wfi");
}

WORKLOAD_QUIET void workload_say(const char *text)
{
	while (*text)
		wsnprof_putchar(*text++);
}
