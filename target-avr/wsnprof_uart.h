/*
 * wsnprof_uart: USART 0, 8N1, drains the transmit ring from its data-register-empty interrupt and,
 * with WSNPROF_RECEIVE, hands what comes in to wsnprof_receive(). What the interrupts take is not
 * in the profile's times.
 *
 * An application with a driver of its own defines WSNPROF_UART 0 in wsnprof_config.h, which leaves
 * this one out; it provides wsnprof_kick(), and takes bytes with wsnprof_take() (wsnprof.h) in its
 * interrupt.
 */
#ifndef WSNPROF_UART_H
#define WSNPROF_UART_H

#include "wsnprof.h"
#include "wsnprof_arch.h"

/* The divider of double-speed mode, rounded to the nearest. */
#define WSNPROF_UART_DIVIDER(baud) ((F_CPU + (baud) * 4) / ((baud) * 8))

/*
 * Baud rate. 115,200 where the divider comes within 2.5 % of it (16 MHz: 2.1 %; 8 MHz: 3.5 %), else
 * 57,600.
 */
#ifndef WSNPROF_BAUD
#if F_CPU * 5 < WSNPROF_UART_DIVIDER(115200UL) * 115200 * 41 && \
	F_CPU * 5 > WSNPROF_UART_DIVIDER(115200UL) * 115200 * 39
#define WSNPROF_BAUD 115200UL
#else
#define WSNPROF_BAUD 57600UL
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Turns the transmitter on, with WSNPROF_RECEIVE the receiver too; else that stays as it is. */
void wsnprof_uart_init(void) WSNPROF_QUIET;

/*
 * The application's, if it wants the bytes that are not the profiler's: called from the receive
 * interrupt.
 */
void wsnprof_uart_byte(uint8_t byte) WSNPROF_QUIET __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
