/*
 * text: before interrupts are on, under them, and lost: the test knows what has to come out.
 */
#include "hooks.h"
#include "wsnprof_uart.h"

static const char line[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";

static NOINLINE void leaf(void)
{
	hooks_sink++;
}

ISR(TIMER0_COMPA_vect)
{
	TIMSK0 = 0;
	wsnprof_write("<in a handler>", 14);
}

static QUIET void lines_write(uint8_t n)
{
	while (n--)
		wsnprof_write(line, sizeof(line) - 1);
}

QUIET int main(void)
{
	uint8_t i, room;

	wsnprof_uart_init();
	wsnprof_init();
	wsnprof_start();
	lines_write(5);			/* interrupts are off */
	sei();
	for (i = 0; i < 100; i++) {
		leaf();
		while (wsnprof_poll())
			;
		lines_write(1);
		if (i == 50) {
			TIMSK0 = _BV(OCIE0A);
			TCCR0B = _BV(CS00);
		}
	}
	for (i = 0; i < 200; i++)
		while (!wsnprof_try('+'))
			;
	while (wsnprof_room() < 20)
		;
	cli();
	room = wsnprof_room();
	for (i = 0; i < 250; i++)
		wsnprof_putchar('-');
	sei();
	while (!wsnprof_write("\n", 1))
		;
	while (!wsnprof_idle())
		wsnprof_poll();
	hooks_say("room", room);
	hooks_end();
}
