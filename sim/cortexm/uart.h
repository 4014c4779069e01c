/* uart: see uart.c; board.h has its interrupts, wsnprof.h its kick. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

/* Every byte has gone out. */
bool uart_is_quiet(void);

/* A byte that came in: main.c. */
void uart_receive(uint8_t byte);

#endif
