/*
 * energy: whose charge it was: what a meter measured (or a model says), by function, by state of
 * what the firmware tells, in sleep and in handlers.
 *
 *	a call trace	the charge of each interval in which a function ran by itself
 *	PC samples	the current at the time of each sample
 *
 * Nothing is told of a function for which fewer than ENERGY_LEAST samples were seen, or that runs
 * for a shorter time than the clocks are known to each other (align.h): the current of others would
 * be in it. Of one that runs now shortly, now long, two thirds of the time may be of that kind.
 *
 * Amperes, seconds, coulombs, volts; energy is charge at a voltage that is assumed not to change.
 */
#ifndef WSNTOP_POWER_ENERGY_H
#define WSNTOP_POWER_ENERGY_H

#include "core/base/map.h"
#include "core/power/align.h"

#define ENERGY_LEAST 30			/* samples of the meter, or of PCs */
#define ENERGY_VAGUE (2. / 3)		/* of its time may be vague, at most */
#define ENERGY_VOLTS 3.0		/* where none are given */

enum energy_kind { ENERGY_FUNCTION, ENERGY_STATE, ENERGY_KINDS };

struct energy_sum {
	double seconds, charge;		/* s, C */
	double squares;			/* A^2 s: of the means of spans */
	double samples;			/* of the meter; of PCs */
	double vague;			/* s: at its ends, where it may be another's current */
	uint64_t spans, calls;
};

struct energy_entry {
	enum energy_kind kind;
	uint32_t id;			/* a function's in the trace, or entry; a note's */
	int64_t value;			/* of a state */
	struct energy_sum sum;
};

struct energy {
	struct energy_entry *entries;
	size_t count, cap;
	struct map map;			/* by kind, id and value; of entries that share a key the */
	bool begun;			/* first */
	struct energy_sum all, idle, handlers, unknown;	/* idle: asleep, too */
};

void energy_init(struct energy *e);
void energy_release(struct energy *e);
void energy_forget(struct energy *e);		/* all sums begin again */

/* Made if it is not there. NULL: out of memory. Borrowed until the next call. */
struct energy_sum *energy_of(struct energy *e, enum energy_kind kind, uint32_t id, int64_t value);

/* `amps` for so long, of which so many samples are known; the clocks are known to `unsure` s. */
void energy_add(struct energy_sum *sum, double seconds, double amps, double samples, double unsure);

/* Mean current; NaN: it is not to be told. */
double energy_current(const struct energy_sum *sum);
/* By how much the means of its spans differ: a standard deviation, A; NaN likewise. */
double energy_spread(const struct energy_sum *sum);

/* --- what is told of a node ------------------------------------------------------------------- */

/* Why nothing is attributed. */
enum energy_trouble {
	ENERGY_FINE,
	ENERGY_NO_CURRENT,		/* no sample of the meter came (yet) */
	ENERGY_NO_RUNS,			/* the node tells neither calls nor PCs with times */
	ENERGY_NOT_ALIGNED,		/* it is not known which sample belongs to what ran */
	ENERGY_TOO_FAR,			/* their clocks are too far apart for any function */
	ENERGY_GONE,			/* of that time not all is kept that it takes */
	ENERGY_ADDING,			/* a window of the past: it is being added up */
};

enum { ENERGY_STATES = 32 };

struct energy_state {
	char what[32], state[32];	/* "radio_state", "S_TRANSMITTING" */
	struct energy_sum sum;
};

/* NaN: not known. */
struct energy_report {
	bool estimate;			/* by a model: nothing was measured */
	bool windowed;			/* of a window of the past */
	enum energy_trouble trouble;
	enum align_method method;
	double uncertainty_s;
	double volts;
	bool volts_given;
	double seconds, charge;		/* of all that the meter told */
	double min, mean, max;		/* A */
	double known_s, known_charge;	/* of that, the part in which it is known who ran */
	struct energy_sum sleep, handlers, unknown;
	struct energy_state states[ENERGY_STATES];
	size_t state_count;
	double day_j;			/* energy a day, at the mean */
	double battery_c;		/* its capacity; NaN: none was given */
	double life_s;			/* of that */
};

#endif
