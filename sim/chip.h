/*
 * chip: an AVR on libsimavr with its UART 0 led out, and what simavr leaves undone put right:
 * the cycles of an interrupt's response, compare registers of 0, and a sleep that does not sleep
 * the host.
 */
#ifndef WSNTOP_SIM_CHIP_H
#define WSNTOP_SIM_CHIP_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "sim/strike.h"
#include "sim/truth.h"

struct chip {
	avr_t *avr;
	struct truth *truth;		/* NULL: not counting */
	/* An interrupt was taken, its response took so many cycles; NULL: nobody wants to know. */
	void (*struck)(void *ctx, uint64_t cycles);
	void *struck_ctx;
	struct strike *strike;		/* with it; NULL: none */
	void (*sent)(void *ctx, uint8_t byte);
	void *ctx;
	avr_irq_t *input;
};

/* `sent` is called for every byte that leaves UART 0. *c must not move: simavr points to it. */
int chip_init(struct chip *c, const char *mcu, uint32_t hz, const char *elf,
	      void (*sent)(void *ctx, uint8_t byte), void *ctx, struct err *err);
void chip_release(struct chip *c);

/* Run until `cycle` is reached, or passed by a sleep. Returns the processor's state. */
int chip_run(struct chip *c, uint64_t cycle);

/* Stops the line of UART 0: its data register never becomes empty again. */
void chip_stop_uart(struct chip *c);

/* The reset pin. The RAM stays as it is. */
void chip_reset(struct chip *c);

void chip_receive(struct chip *c, uint8_t byte);

#endif
