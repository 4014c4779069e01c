/* wsnprof_uart: the ring onto USART 0. */
#include "wsnprof_ring.h"
#include "wsnprof_uart.h"

#if defined(USART0_UDRE_vect)
#define UDRE_VECT USART0_UDRE_vect
#else
#define UDRE_VECT USART_UDRE_vect
#endif

void wsnprof_uart_init(void)
{
	UCSR0A = _BV(U2X0);		/* before the divider: simavr takes both together then */
	UBRR0 = (uint16_t)((F_CPU + WSNPROF_BAUD * 4) / (WSNPROF_BAUD * 8) - 1);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B |= _BV(TXEN0);
}

void wsnprof_port_kick(void)
{
	uint8_t lock = wsnprof_lock();

	UCSR0B |= _BV(UDRIE0);
	wsnprof_unlock(lock);
}

ISR(UDRE_VECT, WSNPROF_QUIET)
{
	int16_t byte = wsnprof_ring_take();

	if (byte < 0)
		UCSR0B &= (uint8_t)~_BV(UDRIE0);
	else
		UDR0 = (uint8_t)byte;
}
