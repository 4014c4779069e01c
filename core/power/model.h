/*
 * model: the current by what the node does, where no meter is at hand: an estimate.
 *
 * A file of lines "NAME = VALUE" (libinih: comments with ; or #, [sections] are ignored):
 *
 *	active = 4.4 mA			a function runs
 *	idle = 1.2 mA			none runs; without it: sleep
 *	sleep = 3 uA			a function that halts the processor; without it: idle
 *	volts = 3.0			optional
 *	radio_state = S_TRANSMITTING 17.4 mA
 *	radio_state = S_LISTENING 18.8 mA
 *
 * The last two: while the watched variable is in that state (its name, or its number) so much is
 * added. Units: A, mA, uA, nA; none: mA.
 */
#ifndef WSNTOP_POWER_MODEL_H
#define WSNTOP_POWER_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

enum { POWER_STATES = 64 };

struct power_state {
	char what[32], state[32];	/* "radio_state", "S_TRANSMITTING" or "2" */
	double amps;
};

struct power_model {
	double active, idle, sleep;	/* A */
	double volts;			/* NaN: not told */
	struct power_state states[POWER_STATES];
	size_t count;
};

/* A text; `name` for messages. 0, or ERR_FORMAT with the sentence. */
int power_model_parse(struct power_model *m, const char *text, const char *name, struct err *err);
int power_model_read(struct power_model *m, const char *path, struct err *err);

/* "17.4 mA", "3uA", "220 mAh" with `unit` "Ah": the value of the unit; NaN: it is none. */
double power_quantity(const char *text, const char *unit);

/* What a state adds; 0: nothing is told of it. `state`: its name or NULL. */
double power_model_state(const struct power_model *m, const char *what, const char *state,
			 long long value);

#endif
