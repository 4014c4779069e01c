/* wsnprof_uart: the ring onto USART 0; its sending interrupt is wsnprof_udre.S. */
#include "wsnprof_ring.h"
#include "wsnprof_uart.h"

#if WSNPROF_UART

#ifndef UDR0
#error "no USART 0: #define WSNPROF_UART 0 and a driver of your own, target-avr/README.md"
#endif

#if defined(USART0_RX_vect)
#define RX_VECT USART0_RX_vect
#else
#define RX_VECT USART_RX_vect
#endif

void wsnprof_uart_init(void)
{
	UCSR0A = _BV(U2X0);		/* before the divider: simavr takes both together then */
	UBRR0 = (uint16_t)(WSNPROF_UART_DIVIDER(WSNPROF_BAUD) - 1);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B |= _BV(TXEN0) | (WSNPROF_RECEIVE ? _BV(RXEN0) | _BV(RXCIE0) : 0);
}

void wsnprof_kick(void)
{
	wsnprof_mask mask = wsnprof_lock();

	UCSR0B |= _BV(UDRIE0);
	wsnprof_unlock(mask);
}

void wsnprof_pump(void)
{
	int16_t byte;

	if (!(UCSR0A & _BV(UDRE0)))
		return;
	byte = wsnprof_take();
	if (byte >= 0)
		UDR0 = (uint8_t)byte;
}

#if WSNPROF_RECEIVE
WSNPROF_ISR(RX_VECT)
{
	uint8_t byte = UDR0;

	if (!wsnprof_receive(byte) && wsnprof_uart_byte)
		wsnprof_uart_byte(byte);
}
#endif

#endif
