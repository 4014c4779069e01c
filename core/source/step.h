/*
 * step: where an instruction of a listing goes on, and how many cycles it takes, by its text.
 *
 * One file a machine. The text is input like any other: an instruction that is not understood
 * goes on behind itself, and its cycles are not known.
 */
#ifndef WSNTOP_SOURCE_STEP_H
#define WSNTOP_SOURCE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/source/objdump.h"

enum step_core {
	STEP_NONE,			/* a machine whose cycles are not known */
	STEP_M0, STEP_M0PLUS, STEP_M3, STEP_M7, STEP_AVR, STEP_AVR_WIDE, STEP_MSP430,
};

enum step_kind {
	STEP_ON,			/* behind itself */
	STEP_BRANCH,			/* there, or to its target */
	STEP_JUMP,			/* to its target */
	STEP_SKIP,			/* behind itself, or one instruction further */
	STEP_MAY_LEAVE,			/* behind itself, or out */
	STEP_LEAVE,			/* out of the function */
	STEP_ANYWHERE,			/* to a place that its text does not tell */
	STEP_DATA,			/* no instruction */
};

struct step {
	uint8_t kind;
	uint16_t cycles;		/* 0: not known, or not always the same */
};

/* A mnemonic, and what it takes. */
struct step_row {
	const char *name;
	uint8_t cycles[4];
};

/*
 * Of instruction i; in the order of their addresses, as *state goes from one to the next (ARM's
 * IT); 0 at the beginning.
 */
struct step step_read(enum step_core core, const struct listing *l, size_t i, unsigned *state);

/* The machines'. `name`: the mnemonic, at most STEP_NAME - 1 characters; `rest`: behind it. */
enum { STEP_NAME = 16 };
struct step step_arm(enum step_core core, const char *name, const char *rest, unsigned *state);
struct step step_avr(enum step_core core, const char *name, const char *rest);
struct step step_msp430(const char *name, const char *rest);

#endif
