/* bare: the least that profiles (WSNPROF_RING 0): no text, and the rows come out. */
#include "hooks.h"
#include "wsnprof_uart.h"

#include <avr/sleep.h>

volatile uint8_t hooks_sink;

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

QUIET int main(void)
{
	uint16_t i;

	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	for (i = 0; i < 5000; i++) {
		leaf();
		wsnprof_poll();
	}
	wsnprof_stop();
	while (!wsnprof_idle())
		wsnprof_poll();
	BURN(F_CPU / 50);
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}
