/* 300 calls, all that was counted sent, and the end. NUMBERED: the node's number is in its EEPROM. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wsnprof.h"
#include "wsnprof_uart.h"

volatile uint8_t out;
#ifdef NUMBERED
uint32_t number EEMEM;
#else
extern const uint8_t pad[];		/* in front of the runtime */
const uint8_t *volatile keep = pad;
#endif

static void sum_grow(void)
{
	out++;
}

WSNPROF_QUIET int main(void)
{
	uint16_t i;

#ifdef NUMBERED
	wsnprof_id = eeprom_read_dword(&number);
#endif
	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	for (i = 0; i < 300; i++) {
		sum_grow();
		wsnprof_poll();
	}
	wsnprof_stop();
	while (!wsnprof_idle())
		wsnprof_poll();
	for (i = 0; i < 20000; i++)
		out++;
	cli();
	sleep_mode();
	return 0;
}
