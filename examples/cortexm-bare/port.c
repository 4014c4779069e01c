/*
 * port: what wsnprof asks of the application: a transmit function, and a timer for the samples.
 * Not instrumented.
 */
#include "mps2.h"
#include "port.h"
#include "wsnprof.h"
#include "wsnprof_cortexm.h"

void port_init(void)
{
	UART_DIVIDER = CORE_HZ / BAUD;
	UART_CONTROL = 1 | 4;
	NVIC_PRIORITY(IRQ_UART_TX) = LOWEST;
	NVIC_PRIORITY(IRQ_TIMER) = HIGHEST;	/* above all that is to be seen: README */
	NVIC_ENABLE = 1ul << IRQ_UART_TX | 1ul << IRQ_TIMER;
}

/* Bytes wait: have the UART's interrupt look. It does nothing while the UART has no room. */
void wsnprof_kick(void)
{
	NVIC_PEND = 1ul << IRQ_UART_TX;
}

void uart_irq(void)
{
	int16_t byte;

	UART_CLEAR = 1;
	if (UART_STATE & 1)
		return;				/* there will be another interrupt when it has */
	byte = wsnprof_take();
	if (byte >= 0)
		UART_DATA = (uint8_t)byte;
}

/* With WSNPROF_PCS: a timer of its own. */
void wsnprof_sample_ack(void)
{
	TIMER_CLEAR = 1;
}

void wsnprof_sample_period(uint32_t ticks)
{
	TIMER_CONTROL = 0;
	TIMER_RELOAD = ticks - 1;
	TIMER_VALUE = ticks - 1;
	TIMER_CONTROL = ticks ? 1 | 8 : 0;
}
