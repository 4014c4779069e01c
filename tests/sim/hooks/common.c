/* common: what all cases need. */
#include "hooks.h"

#include <avr/sleep.h>

volatile uint8_t hooks_sink;

static uint32_t last[2], went_back;

void hooks_watch(void)
{
	uint32_t run[2];

	wsnprof_port_run(run);
	if (run[1] < last[1] || (run[1] == last[1] && run[0] < last[0]))
		went_back++;
	last[0] = run[0];
	last[1] = run[1];
}

#if WSNPROF_TIMER_READ

void hooks_timer_begin(void)
{
	static const uint8_t selects[] = { _BV(CS10), _BV(CS11), _BV(CS11) | _BV(CS10) };

	WSNPROF_T_SELECT = selects[WSNPROF_PRESCALE == 1 ? 0 : WSNPROF_PRESCALE == 8 ? 1 : 2];
#if WSNPROF_TIMER_READ == 2
	WSNPROF_T_INTERRUPTS |= _BV(WSNPROF_T_OVERFLOW_ENABLE);
#endif
}

#if WSNPROF_TIMER_READ == 2
ISR(WSNPROF_T_OVERFLOW_VECT, QUIET)
{
	wsnprof_clock_tick();
}
#endif

#else

void hooks_timer_begin(void)
{
}

#endif

static QUIET void poll_for(uint16_t milliseconds)
{
	while (milliseconds--) {
		wsnprof_poll();
		BURN(F_CPU / 1000);
	}
}

static QUIET void drain(void)
{
	while (!wsnprof_idle())
		poll_for(1);
}

#if WSNPROF_RING > 0
void hooks_say(const char *name, uint32_t value)
{
	uint8_t i;

	while (*name)
		wsnprof_putchar(*name++);
	wsnprof_putchar(' ');
	for (i = 8; i--; )
		wsnprof_putchar("0123456789abcdef"[value >> 4 * i & 15]);
	wsnprof_putchar('\n');
	drain();
}
#else
void hooks_say(const char *name, uint32_t value)
{
	(void)name;
	(void)value;
}
#endif

void hooks_end(void)
{
	wsnprof_stop();
	hooks_watch();
	hooks_say("back", went_back);
	poll_for(2 * WSNPROF_PERIOD_MS + 1);
	drain();
	BURN(F_CPU / 50);		/* two bytes are in the UART */
	cli();
	sleep_enable();
	for (;;)
		sleep_cpu();
}

uint8_t *hooks_row(void (*function)(void))
{
	uint16_t to = (uint16_t)function;
	uint8_t *row;

	for (row = wsnprof_table; row < wsnprof_table + WSNPROF_SITES * WSNPROF_SITE_BYTES; row += WSNPROF_SITE_BYTES)
		if ((uint16_t)(row[WSNPROF_OFFSET(site, to)] | row[WSNPROF_OFFSET(site, to) + 1] << 8) == to)
			return row;
	return 0;
}
