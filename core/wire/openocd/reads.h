/*
 * reads: variables and registers that are read together with each PC sample, so that a value has
 * the target's own time, and told when they changed. What changes twice between two reads is
 * missed. Nothing is halted.
 *
 * The command that takes a sample reads them, too, and says in its answer by which clock: CYCCNT at
 * the rate that was measured so far, or, where there is none, the host's in microseconds. So a
 * recording of the answers tells the same.
 *
 *	words of the sample | HZ [COUNTER] | ADDRESS WIDTH VALUE... | ADDRESS WIDTH VALUE...
 */
#ifndef WSNTOP_WIRE_OPENOCD_READS_H
#define WSNTOP_WIRE_OPENOCD_READS_H

#include "core/wire/probe/sampler.h"

enum { READS_TCL = 2048, READS_ANSWER = 1024 };

/* Starts zeroed. */
struct reads {
	const struct wire_watchpoint *points;
	size_t count;
	struct {
		bool known;
		int64_t value;
	} last[WIRE_WATCHES];
	bool untold;			/* how it goes */
	uint64_t ticks;			/* since it began */
	uint32_t counter;
	bool counted;
	double hz;			/* as it was told, */
	uint32_t zero;			/* with the counter's value at tick 0 */
};

void reads_set(struct reads *r, const struct wire_watchpoint *points, size_t count);

/* Commands that append to the variable s what was read; "" nothing is to be read (yet). */
void reads_command(const struct reads *r, const struct sampler *s, char *dst, size_t size);

/* What an answer has behind its words, from the first "|" on. False: something else is there. */
bool reads_take(struct reads *r, const struct wire *w, uint32_t cycles, const char *text);

/* To the sink, when that changed. */
void reads_tell(struct reads *r, const struct sampler *s);

/* The line went down: values are told again. */
void reads_down(struct reads *r);

#endif
