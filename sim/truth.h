/*
 * truth: the simulator's own count of the calls, to hold a profiler's figures against.
 *
 * It watches every instruction: which function was called, where from (the return address on the
 * stack), and when it returned. The profiler's and the interrupts' part is separate:
 *
 *	f:	call enter-hook .... ret   body of f   call exit-hook .... ret   ret
 *	                              <------------>
 *		interrupt, struck in the body:	response ... reti
 *
 * A call's time runs from the end of its enter hook to the call of its exit hook, less all cycles
 * spent in hooks in between, and less all interrupts, from response to reti. In a plain build
 * (symbols.h) it runs from the function's first instruction to its `ret`: the time that an ideal
 * profiler of the instrumented build would report.
 *
 * Beside it `own` is from the first instruction to the end of `ret`, hooks included, less the calls
 * made within and all interrupts: what instrumenting a function costs is the difference of two
 * builds.
 *
 * A handler is a call from 0. Counted are the calls that entered and left between wsnprof_start()
 * and wsnprof_stop() without a break, since the last wsnprof_reset(); the rest are the profiler's
 * to ignore. A call that did not return because of a longjmp is counted as cut.
 *
 * Of a traced program (symbols.h) truth_events() writes every call and return, 16 bytes each, low
 * byte first:
 *	u8 type			enum truth_event
 *	u8 lane			interrupt handlers under way, this one included
 *	u16 id			the function's; of a switch: the next task
 *	u8 running		between wsnprof_start() and wsnprof_stop()
 *	u8 depth		calls open around it, modulo 256
 *	u16 task		as wsnprof_switch() was given it; 0: the main program
 *	u64 cycle		of a call: before its first instruction; of a return: before its
 *				exit hook, or behind the `ret` of a function that has none
 *
 * Tasks have a stack each: behind wsnprof_switch() the second instruction that writes half of the
 * stack pointer changes to the other's calls.
 */
#ifndef WSNTOP_SIM_TRUTH_H
#define WSNTOP_SIM_TRUTH_H

#include <simavr/sim_avr.h>
#include <stdio.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "sim/symbols.h"

#define TRUTH_DEPTH 512

/* Cut: by a longjmp. */
enum truth_event { TRUTH_CALL = 1, TRUTH_RETURN, TRUTH_CUT, TRUTH_SWITCH };
#define TRUTH_HOOKS 16
#define TRUTH_HANDLERS 16
#define TRUTH_TASKS 16

struct truth_site {
	uint32_t from;
	uint32_t function;		/* index in the symbols */
	uint64_t calls;
	uint64_t cut;			/* skipped by a longjmp */
	uint64_t total, min, max;	/* cycles */
	uint64_t inner;			/* calls made from within, at any depth */
	uint64_t struck;		/* followed handlers in its time */
	uint64_t own;			/* cycles of its own instructions, hooks and all */
};

/* What has passed, summed up: a call keeps it as of its beginning. */
struct truth_past {
	uint64_t cycle;
	uint64_t out;			/* cycles that are not the program's */
	uint64_t calls;			/* ended */
	uint64_t handlers;		/* ended */
};

/* A call under way. */
struct truth_call {
	uint32_t from;
	uint32_t function;
	uint16_t sp;			/* with the return address on the stack */
	uint32_t era;			/* of its beginning; 0: profiling was off */
	bool ended;
	bool left;			/* its exit hook was called: the return was written */
	struct truth_past begin, end;
	uint64_t since;			/* cycle of its first instruction */
	uint64_t within;		/* cycles of calls made and of interrupts since */
};

enum truth_hook_kind { TRUTH_ENTER, TRUTH_EXIT, TRUTH_HOOK_KINDS };

/* A hook under way. */
struct truth_hook {
	enum truth_hook_kind kind;
	uint16_t sp;
	int nesting;			/* of interrupts, when it was called */
	uint64_t cycles;		/* its own so far */
};

/* On the way to a function. */
enum truth_calling { CALLING_NONE, CALLING_JUMP, CALLING_CALL };

/* An interrupt under way. */
struct truth_handler {
	bool followed;
	enum truth_calling calling;	/* it struck between a call and its function */
	uint64_t last_cost;		/* of the instruction behind which it struck */
	uint64_t cycle, out, within;	/* when it struck */
};

/* A task that is away; the first is the main program. */
struct truth_task {
	uint16_t name;			/* of wsnprof_switch() */
	struct truth_call *call;
	size_t calls, cap;
	struct truth_hook hook[TRUTH_HOOKS];
	size_t hooks;
	struct truth_handler handler[TRUTH_HANDLERS];
	int nesting;
	unsigned handlers;
	enum truth_calling calling;
	uint64_t last_cost;
};

struct truth_cost {
	uint64_t calls;
	uint64_t cycles;
	uint64_t max;
};

struct truth {
	avr_t *avr;
	const struct symbols *symbols;
	uint16_t *at;			/* by word address: what begins there */
	struct map site_at;		/* from, function -> index */
	struct truth_site *site;
	size_t sites, sites_cap;
	struct truth_call call[TRUTH_DEPTH];
	size_t calls;
	struct truth_hook hook[TRUTH_HOOKS];
	size_t hooks;
	struct truth_handler handler[TRUTH_HANDLERS];
	int nesting;			/* of interrupts, now */
	uint64_t now;			/* the cycle at which the last instruction ended */
	uint64_t entry_cycles;		/* of an interrupt taken in this step; 0: none */
	enum truth_calling calling;
	uint64_t last_cost;		/* of the instruction before */
	struct truth_past past;
	uint64_t handler_cycles;	/* in followed handlers, hooks out */
	uint32_t era;			/* profiling periods begun */
	bool running;
	uint16_t starting_sp;		/* wsnprof_start() runs, called with this; 0: it does not */
	uint64_t run_since, run_out_since;
	uint64_t run, run_net;		/* profiled cycles: all, and the program's */
	struct truth_cost cost[TRUTH_HOOK_KINDS];
	uint64_t masked_since, masked_max;	/* interrupts off */
	uint32_t masked_pc;
	uint64_t masked_hook;			/* the longest in a hook, by the hook */
	uint32_t masked_hook_pc;
	bool masked_by_hook;
	bool unmasked_once;
	FILE *events;			/* NULL: nobody wants them */
	uint32_t *counts;		/* by word address: runs of an instruction; NULL likewise */
	unsigned handlers;		/* followed ones under way */
	struct truth_task task[TRUTH_TASKS];
	size_t tasks, current;
	uint16_t next;			/* the task that wsnprof_switch() was given, */
	uint16_t switching_sp;		/* called with this; 0: it does not run */
	bool fresh;			/* the next `ret` calls a task's function */
	int switching;			/* instructions that write the stack pointer to come */
	bool failed;			/* out of memory, or deeper than TRUTH_DEPTH */
};

int truth_init(struct truth *t, avr_t *avr, const struct symbols *symbols, struct err *err);
void truth_release(struct truth *t);

/* Write every call and return to it; NULL: no more. */
void truth_events(struct truth *t, FILE *to);

/*
 * How often each instruction ran while profiling was on, u32 for each word of the flash, low byte
 * first. Begin before the first step.
 */
int truth_counts_begin(struct truth *t, struct err *err);
int truth_counts_write(const struct truth *t, const char *path, struct err *err);

/* Run one instruction (or sleep) and see what it did. Returns the processor's state. */
int truth_step(struct truth *t);

/* An interrupt was taken in this step; it cost `cycles` to enter. */
void truth_interrupt(struct truth *t, uint64_t cycles);

/* The chip was reset: nothing is under way, nothing counted. */
void truth_restart(struct truth *t);

/*
 * Write it as text, tab-separated, one fact a line:
 *	hz HZ			cycles CYCLES
 *	run CYCLES NET		while profiling; NET: without hooks and interrupts
 *	isr CYCLES		in followed handlers, hooks out
 *	hook enter|exit CALLS CYCLES LONGEST	of calls while profiling, call and return included
 *	masked CYCLES PC			longest time with interrupts off, and where it ended
 *	masked_hook CYCLES PC			the same, of those that a hook turned off
 *	function ADDRESS NAME			every followed one
 *	site FROM TO CALLS CUT TOTAL MIN MAX INNER STRUCK OWN	of calls since the last reset;
 *							open ones are in none
 */
int truth_write(const struct truth *t, const char *path, struct err *err);

#endif
