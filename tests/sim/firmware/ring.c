/*
 * A line goes into the transmit ring while an interrupt, 8 cycles later each time, puts text there and
 * takes out what is ready. Whatever the moment, the line comes out whole, and so does the text.
 */
#include <string.h>

#include "scenario.h"
#include "wsnprof_ring.h"

static const char line[] = "0x1fffe:0x1fffe:4294967295:1234\r\n";
static const char text[] = "b\n";
static char out[64];
static volatile uint8_t taken;
static volatile uint16_t inside;
static volatile bool fired;

static QUIET void take_all(void)
{
	int16_t byte;

	while ((byte = wsnprof_ring_take()) >= 0 && taken < sizeof(out) - 1)
		out[taken++] = (char)byte;
}

ISR(TIMER0_COMPA_vect)
{
	TCCR0B = 0;
	if (fired)		/* simavr raises it again when its clock has stopped */
		return;
	fired = true;
	if (wsnprof_ring.writers)
		inside++;
	wsnprof_putchar(text[0]);
	wsnprof_putchar(text[1]);
	take_all();
}

static QUIET bool is_whole(const char *first, const char *second)
{
	uint8_t n = (uint8_t)strlen(first);

	return taken == n + strlen(second) && !memcmp(out, first, n) &&
	       !strcmp(out + n, second);
}

static QUIET bool attempt(uint8_t after)
{
	memset(out, 0, sizeof(out));
	memset(wsnprof_ring.data, '?', sizeof(wsnprof_ring.data));
	taken = 0;
	fired = false;
	OCR0A = after;
	TCNT0 = 0;
	TIFR0 = _BV(OCF0A);
	TCCR0B = _BV(CS01);
	wsnprof_ring_put_line(line, sizeof(line) - 1);
	while (!fired)
		;
	cli();
	take_all();
	sei();
	return is_whole(line, text) || is_whole(text, line);
}

static QUIET void send(const char *what, uint16_t n)
{
	say_number(what, n);
	cli();
	taken = 0;
	memset(out, 0, sizeof(out));
	take_all();
	sei();
	for (taken = 0; out[taken]; taken++) {
		while (!(UCSR0A & _BV(UDRE0)))
			;
		UDR0 = (uint8_t)out[taken];
	}
}

void scenario(void)
{
	uint16_t torn = 0;
	uint8_t after;

	TCCR0A = _BV(WGM01);
	TIMSK0 = _BV(OCIE0A);
	for (after = 1; after < 200; after++)
		if (!attempt(after))
			torn++;
	UCSR0B = _BV(TXEN0);
	UBRR0 = 8;
	send("inside ", inside);
	send("torn ", torn);
}
