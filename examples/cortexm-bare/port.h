/* port: the board's part of the examples. */
#ifndef PORT_H
#define PORT_H

/* UART and interrupt priorities. */
void port_init(void);

/* The UART's transmit interrupt. */
void uart_irq(void);

#endif
