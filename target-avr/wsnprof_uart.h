/*
 * wsnprof_uart: USART 0 drains the transmit ring from its data-register-empty interrupt, 8N1.
 *
 * An application with a driver of its own leaves wsnprof_uart.c out, defines wsnprof_port_kick()
 * and takes bytes with wsnprof_ring_take() (wsnprof_ring.h) in its interrupt.
 */
#ifndef WSNPROF_UART_H
#define WSNPROF_UART_H

#include "wsnprof.h"
#include "wsnprof_defaults.h"

/* Baud rate; the divider is rounded to the nearest one of double-speed mode. */
#ifndef WSNPROF_BAUD
#define WSNPROF_BAUD 57600UL
#endif

/* Turns the transmitter on; the receiver stays as it is. */
void wsnprof_uart_init(void) WSNPROF_QUIET;

#endif
