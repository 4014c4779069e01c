#include "scenario.h"
#include "wsnprof_port.h"
#include "wsnprof_uart.h"

QUIET int main(void)
{
#ifndef SCENARIO_MUTE
	wsnprof_uart_init();
#endif
	wsnprof_init();
	sei();
	wsnprof_start();
	scenario();
	wsnprof_stop();
#ifndef SCENARIO_MUTE
	wsnprof_report();
	drain();
#endif
	end();
}

#ifdef SCENARIO_MUTE
/* There is no UART: nobody drains the ring. */
void wsnprof_port_kick(void)
{
}
#endif
