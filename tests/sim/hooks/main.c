/* main: of all cases but early. */
#include "hooks.h"
#include "wsnprof_uart.h"

QUIET int main(void)
{
	wsnprof_uart_init();
	wsnprof_init();
	hooks_timer_begin();
	sei();
	wsnprof_start();
	hooks_run();
	hooks_end();
}
