/* uart: see uart.c; board.h has its interrupts, wsnprof.h its kick. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>

/* Every byte has gone out. */
bool uart_is_quiet(void);

/*
 * Sleeps until the next byte has gone out, or another interrupt came; with a quiet line for a
 * millisecond.
 */
void uart_doze(void);

#endif
