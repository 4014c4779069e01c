/*
 * sampler: PCs of a running Cortex-M, by reads and writes of its memory that somebody else carries
 * (OpenOCD's Tcl server, gdb's remote protocol). Nothing is halted.
 *
 * First, tracing is switched on and read back (DEMCR.TRCENA, DWT_CTRL.CYCCNTENA; ARMv7-M ARM, DDI
 * 0403E.e, C1.6.5 and C1.8). Then eight words from DWT_CTRL on are read for each sample, of which
 * the second is CYCCNT and the eighth PCSR: a PC with the target's own time in one answer. Where
 * PCSR is all ones a ninth word, DHCSR, tells why: asleep, halted, or not permitted. Now and then a
 * block of code is read instead of a sample (blocks.h).
 *
 * One question is under way at a time. The pauses between samples vary, else a program of the same
 * period would be met at the same place.
 *
 *	sampler_tick(&s, now);
 *	if (s.asked || now < s.due_ns)
 *		... later: sampler_timeout() ...
 *	q = sampler_question(&s); ... send it ...; sampler_asked(&s);
 *	... its answer came: ...
 *	if (!sampler_take(&s, words, count))
 *		... that is no answer to s.step ...
 */
#ifndef WSNTOP_WIRE_PROBE_SAMPLER_H
#define WSNTOP_WIRE_PROBE_SAMPLER_H

#include "core/wire/decoder.h"
#include "core/wire/probe/blocks.h"
#include "core/wire/probe/cycles.h"

/* OpenOCD's recordings have their numbers. NONE: the line is down, or it is not our turn. */
enum sampler_step {
	SAMPLER_NONE,
	SAMPLER_CPUID,
	SAMPLER_TRACE, SAMPLER_TRACE_SET, SAMPLER_TRACE_BACK,
	SAMPLER_CYCLES, SAMPLER_CYCLES_SET,
	SAMPLER_SAMPLE,
	SAMPLER_BLOCK,
	SAMPLER_WHY,			/* DHCSR alone, where `why_apart` */
	SAMPLER_STEPS
};

enum {
	SAMPLER_WORDS = 8,		/* of a sample, */
	SAMPLER_WORDS_WHY,		/* with DHCSR behind them */
	SAMPLER_ROUNDS = 64,		/* of which the median is told */
};

#define SAMPLER_DWT_CTRL 0xe0001000u
#define SAMPLER_DHCSR 0xe000edf0u
#define SAMPLER_ANSWER_NS CLOCK_SECOND	/* after which it is asked again */

struct sampler {
	struct wire *wire;		/* whose sink and stats these are */
	double hz;
	bool why_apart;			/* the answer to a sample never has DHCSR */
	bool live;			/* somebody asks; else it is a recording */

	enum sampler_step step;
	bool asked;			/* its answer is awaited */
	bool answered;			/* it came since the last tick */
	bool planned;			/* due_ns is known */
	uint64_t now_ns, sent_ns, due_ns;
	uint64_t sample_ns;		/* when the last one was asked for */
	uint32_t value;			/* that a step writes */
	uint32_t random;

	struct wire_probe probe;
	char core[32];
	bool trace_off;			/* it did not stay on */
	unsigned refusals;		/* in a row */
	uint32_t cycles;		/* of the last sample */
	uint64_t cycles_sum, cycles_since_ns;	/* since a look that took so long: */
	uint64_t cycles_width_ns;
	bool cycles_known;
	bool look;			/* it was read, and when is not known yet */
	double cycles_off;		/* of cycles_hz, at most: a share */
	struct cycles period;		/* of a sample */
	uint64_t reported_ns, reported, reported_asleep;	/* samples then */
	double rounds[SAMPLER_ROUNDS];
	size_t round;

	struct blocks blocks;
	uint64_t block_ns;		/* when one was asked for last */
};

struct sampler_question {
	uint32_t address;
	unsigned words;			/* to read; 0: `value` is to be written */
	uint32_t value;
};

/* *s is zeroed. hz 0: the default. */
void sampler_init(struct sampler *s, struct wire *wire, double hz);

/* The line went down. */
void sampler_down(struct sampler *s);

/* wire->code changed. */
void sampler_set_code(struct sampler *s);

/* It is `now`: plans what was not planned, reports once a second. */
void sampler_tick(struct sampler *s, uint64_t now);

/* Milliseconds until sampler_tick() is of use. */
int sampler_timeout(const struct sampler *s, uint64_t now);

struct sampler_question sampler_question(const struct sampler *s);
void sampler_asked(struct sampler *s);

/*
 * The answer to s->step: the words read, or none of what was written. False: it is none. A block's
 * is sampler_block().
 */
bool sampler_take(struct sampler *s, const uint32_t *words, unsigned count);

/* As blocks_take(). */
void sampler_block(struct sampler *s, unsigned index, unsigned count, uint32_t address,
		   const uint32_t *words);

/* It is this step's turn, at once. */
void sampler_enter(struct sampler *s, enum sampler_step step);

/* The next sample's, when it is due. */
void sampler_plan(struct sampler *s);

/* When one of so many a second is due. */
uint64_t sampler_due(struct sampler *s, double hz);

/* From 0 to 1. */
double sampler_random(struct sampler *s);

/* A PC that was had otherwise. */
void sampler_give(struct sampler *s, uint32_t pc);

void sampler_trouble(struct sampler *s, enum wire_probe_trouble trouble);

/* What s->probe holds, to the sink; with the rates of the time since it was reported last. */
void sampler_tell(const struct sampler *s);
void sampler_report(struct sampler *s, double asked_hz);

#endif
