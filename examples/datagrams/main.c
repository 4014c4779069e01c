/*
 * datagrams: a node that sends its profile itself, in packets of whole frames. Here a packet goes
 * over the UART as SLIP (RFC 1055), as Contiki's border routers have it, so that it runs in the
 * simulator; with lwIP or uIP packet_send() is one call of udp_sendto(). What that needs is marked
 * (1) to (4).
 *
 * It works for ROUNDS ticks of 10 ms, sends what is left, and ends.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <stdint.h>

#include "wsnprof.h"
#include "wsnprof_datagram.h"

enum { HZ = 100, ROUNDS = 400 };
enum { SLIP_END = 0xc0, SLIP_ESC = 0xdb, SLIP_ESC_END = 0xdc, SLIP_ESC_ESC = 0xdd };

static volatile uint16_t ticks;
static uint8_t packet[300];
static uint16_t filled;

/* --- packets ---------------------------------------------------------------------------------- */

/* (2) Nobody is woken: the main loop asks. */
void wsnprof_kick(void)
{
}

static WSNPROF_QUIET void line_put(uint8_t byte)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = byte;
}

static WSNPROF_QUIET void packet_send(void)
{
	for (uint16_t i = 0; i < filled; i++) {
		uint8_t byte = packet[i];

		if (byte == SLIP_END || byte == SLIP_ESC) {
			line_put(SLIP_ESC);
			byte = byte == SLIP_END ? SLIP_ESC_END : SLIP_ESC_ESC;
		}
		line_put(byte);
	}
	if (filled)
		line_put(SLIP_END);
	filled = 0;
}

/* (3) When the network may be used. A packet goes when no other frame is sure to fit. */
static WSNPROF_QUIET void packets_make(void)
{
	uint16_t got;

	do {
		wsnprof_poll();
		got = wsnprof_take_frame(packet + filled, (uint16_t)(sizeof(packet) - filled));
		filled = (uint16_t)(filled + got);
		if (filled + WSNPROF_FRAME > sizeof(packet))
			packet_send();
	} while (got);
}

/* --- the application -------------------------------------------------------------------------- */

ISR(TIMER0_COMPA_vect)
{
	ticks++;
}

static void line_init(void)
{
	UCSR0A = _BV(U2X0);
	UBRR0 = F_CPU / 8 / 38400 - 1;
	UCSR0B = _BV(TXEN0);
	TCCR0A = _BV(WGM01);
	TCCR0B = _BV(CS02) | _BV(CS00);			/* clk / 1024 */
	OCR0A = (uint8_t)(F_CPU / 1024 / HZ - 1);
	TIMSK0 = _BV(OCIE0A);
}

static uint16_t noise_step(uint16_t noise)
{
	return (uint16_t)(noise >> 1 ^ (-(noise & 1) & 0xb400));
}

static uint16_t sample(uint8_t n)
{
	static uint16_t noise = 0xace1;

	while (n--)
		noise = noise_step(noise);
	return noise;
}

static void round_do(uint16_t n)
{
	if (sample((uint8_t)(n % 7)) > 0x8000)
		sample(3);
}

WSNPROF_QUIET int main(void)
{
	uint16_t done = 0;

	line_init();
	wsnprof_init();
	wsnprof_start();
	sei();
	while (done < ROUNDS) {
		uint16_t now;

		cli();
		now = ticks;
		sei();
		while (done < now)
			round_do(++done);
		packets_make();
	}
	wsnprof_stop();
	while (!wsnprof_idle())
		packets_make();
	packet_send();					/* (4) what waits, before a sleep */
	while (!(UCSR0A & _BV(TXC0)))
		;
	cli();
	sleep_mode();
	for (;;)
		;
}
