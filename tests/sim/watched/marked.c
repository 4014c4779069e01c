/* Marks of a program with the runtime and its call trace: seen from outside, and sent. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_mark.h"
#include "wsnprof_uart.h"

static void marks_pass(void)
{
	wsnprof_mark(5);
	wsnprof_mark(6);
}

int main(void)
{
	wsnprof_init();
	wsnprof_uart_init();
	sei();
	wsnprof_start();
	for (uint16_t i = 0; i < 2000; i++) {
		if (i % 100 == 50)
			marks_pass();
		wsnprof_poll();
		__builtin_avr_delay_cycles(F_CPU / 1000);
	}
	cli();
	sleep_enable();
	sleep_cpu();
	return 0;
}
