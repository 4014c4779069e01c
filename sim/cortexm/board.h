/*
 * board: what the firmware needs of the machine that QEMU simulates. boards/NAME/chip.c gives it:
 *
 *	boards/mps2	mps2-an385 (Cortex-M3), -an386 (M4F), -an500 (M7): ARM's CMSDK peripherals,
 *			25 MHz
 *	boards/an505	mps2-an505 (M33): the same elsewhere, 20 MHz
 *	boards/microbit	nRF51822 (M0), 16 MHz
 *
 * and boards/NAME/chip_clock.h, numbers for the runtime's configuration.
 *
 * Five timers' worth of things:
 *
 *	sample		the profiler's sampling timer	highest priority: wsnprof_sample_irq
 *	ticker		the workloads'			low: board_ticker_irq
 *	pace		the wire: a byte every ten bits	lowest: board_pace_irq
 *	clock		32 bits, free-running
 *
 * QEMU's UARTs take a byte at once, whatever the baud rate. So transmission is driven by a timer
 * at baud / 10, which interrupts exactly as a UART's "transmit register empty" does.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "cortexm.h"

/* UART on with its receive interrupt, timers off, clock running, priorities. */
void board_init(void);

/* The UART takes a byte, when it has room. */
bool board_uart_ready(void);
void board_uart_put(uint8_t byte);

/* A byte that came in, or -1. */
int16_t board_uart_take(void);

/* The pace: interrupt every `ticks` of BOARD_HZ; 0: off. */
void board_pace(uint32_t ticks);
void board_pace_ack(void);

/* The ticker, likewise. */
void board_ticker(uint32_t ticks);
void board_ticker_ack(void);

uint32_t board_clock(void);

/* The microbit alone: the clock goes round after so many bits, 24. */
void board_clock_bits(uint32_t bits) __attribute__((weak));

/* The vector table's, in uart.c and port.c. */
void board_pace_irq(void);
void board_receive_irq(void);
void board_ticker_irq(void);

/* The end of the simulation. */
void board_exit(void) __attribute__((noreturn));

/* On QEMU's own output, beside the UART. */
void board_say(const char *text);

/* QEMU's command line: the image's path, then -append's text. NULL: too long. */
const char *board_command_line(void);

#endif
