/*
 * observer: follows the flow of control of the processor and knows, at every instruction, which
 * calls are open.
 *
 * It receives the first instruction of every straight run (observer_arrive) and the last one,
 * which branches (observer_leave). From both it sees calls, returns, jumps to other functions
 * (tail calls), longjmp, interrupts and the return from them. It keeps a shadow stack a task:
 *
 *	base	function .. function	handler	function .. function	handler ..
 *		 called at level 0	 level 1  called by it		 level 2
 *
 * Time is counted in instructions, by level: those that ran at the level of a call while it was
 * open, the compiler's hooks left out, are the call's own (`own`). Handlers that are not
 * instrumented cannot be told from what they interrupt by a profiler in the firmware: what they
 * took is in `other`.
 *
 * An instrumented call's time begins where the enter hook has returned and ends where the exit
 * hook is entered. Handlers that strike in these two hooks are in its `other` all the same: what
 * they took may lie between the hooks' readings of the clock.
 */
#ifndef TRUTH_OBSERVER_H
#define TRUTH_OBSERVER_H

#include <stdio.h>

#include "insn.h"
#include "tally.h"

/* As sim/truth.h has them. */
enum truth_event { TRUTH_CALL = 1, TRUTH_RETURN, TRUTH_CUT, TRUTH_SWITCH };

#define OBSERVER_DEPTH 1024
#define OBSERVER_LEVELS 8
#define OBSERVER_TASKS 8

struct frame {
	struct function *function;
	uint32_t from;			/* the return address; 0: a handler's, or none */
	uint8_t level;
	bool handler;
	bool switches;			/* a handler that told which task is next */
	bool in_hook;			/* a hook, or called by one */
	bool enters;			/* the enter hook, or what that jumped to */
	bool instrumented;		/* it called the enter hook */
	uint16_t traced;		/* the call's id; its return is an event */

	uint64_t called;		/* own, when it was called */

	/* Of an instrumented call: at the return of the enter hook, `other` at its beginning. */
	uint32_t era;			/* of profiling; 0: it was off */
	uint64_t own, other, ended;

	/*
	 * Of an exit hook: the call that it ends, if it is counted; own, other and ended are that
	 * call's.
	 */
	uint32_t ends, ends_from;

	/* Of a handler. */
	const struct insn *left;	/* the branch under way when it came, or NULL */
	uint64_t begun;
	uint32_t samples;		/* taken here; their PC is not known yet */
};

struct task {
	struct frame stack[OBSERVER_DEPTH];
	size_t depth;
	const struct insn *left;	/* when it was switched away */
	uint32_t samples;		/* likewise: taken where it will go on */
	uint64_t own[OBSERVER_LEVELS], other[OBSERVER_LEVELS];
	uint64_t ended[OBSERVER_LEVELS];	/* instrumented calls */
};

struct observer {
	struct image image;
	uint64_t clock;			/* instructions that began */
	uint64_t settled;		/* up to here they are in own[] or hooks */
	uint64_t hooks;			/* instructions in hooks */
	uint64_t ran;			/* instructions while profiling was on, up to `ran_since` */
	uint64_t ran_since;
	bool running;
	uint32_t era;
	uint32_t strays;		/* jumps that nothing explains */
	uint32_t cut;			/* instrumented calls left by longjmp */

	struct task task[OBSERVER_TASKS];
	size_t current, next;		/* tasks */
	uint64_t struck;		/* when a task was interrupted last */
	const struct insn *left;	/* the branch that ended the last run, or NULL */

	/* return address, function: every call, from its first instruction to its last */
	struct tallies calls;
	/* return address, address behind the call of mcount: while profiling */
	struct tallies arcs;
	/* return address, function: the instrumented ones, while profiling */
	struct tallies sites;
	/* number of the site, its call's instructions; inner: the most */
	struct tallies took;
	struct tallies samples;		/* 0, PC: where the sampler interrupted, while profiling */
	struct tallies interrupts;	/* 0, handler */
	/*
	 * Of functions with an id: each call and return; of a SWITCH the id is the next task. `f`:
	 * the call's frame. NULL: nobody wants them.
	 */
	void (*event)(struct observer *o, enum truth_event type, const struct frame *f,
		      uint16_t id, uint64_t clock);
	FILE *events;			/* the listener's */
};

/* The interrupt handlers under way that have followed calls open; this one, if it is one. */
uint8_t observer_lane(const struct observer *o);

/* A run begins at this instruction; o->clock does not count it yet. */
void observer_arrive(struct observer *o, const struct insn *insn);

/* A run ends with this one. */
void observer_leave(struct observer *o, const struct insn *insn);

/* This task goes on at a return from an exception: of the handler that runs, or of the next. */
void observer_next(struct observer *o, size_t task);

/* Profiling goes on or off. */
void observer_run(struct observer *o, bool running);

#endif
