/*
 * strike: an interrupt behind each instruction of a program, in turn: wherever interrupts are on,
 * about the first, second, fourth, eighth ... time that the instruction runs. An AVR takes
 * interrupts between instructions alone, hence these are all cycles of which one can differ from
 * another.
 */
#ifndef WSNTOP_SIM_STRIKE_H
#define WSNTOP_SIM_STRIKE_H

#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* Of an instruction, by word address; while the firmware has the interrupt turned on. */
struct strike_place {
	uint32_t on;			/* runs with interrupts on, */
	uint32_t off;			/* off, or turned on by the instruction before */
	uint32_t struck;		/* interrupts taken behind it */
	uint32_t late;			/* further behind: it turned them off */
};

struct strike {
	avr_t *avr;
	avr_int_vector_t *vector;
	struct strike_place *place;
	uint32_t places;
	uint32_t at;			/* where it was raised last */
	uint64_t apart, next;		/* none before that cycle */
	bool was_on;			/* interrupts, before the last instruction */
	unsigned since;			/* instructions since; 0: it was taken */
};

/*
 * `vector`: the interrupt's number. The firmware turns it on. `apart`: cycles between two, at
 * least. *s must not move.
 */
int strike_init(struct strike *s, avr_t *avr, uint64_t vector, uint64_t apart, struct err *err);
void strike_release(struct strike *s);

/* Before each instruction. */
void strike_step(struct strike *s);

/* Every place, as u32s in the order above, low byte first. */
int strike_write(const struct strike *s, const char *path, struct err *err);

#endif
