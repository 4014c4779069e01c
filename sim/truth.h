/*
 * truth: the simulator's own count of the calls, to hold a profiler's figures against.
 *
 * It watches every instruction: which function was entered, where from (the return address on
 * the stack), and when it returned. The profiler's hooks are watched too, so that their time can be
 * told apart:
 *
 *	f:	call enter-hook ........ ret   body of f   call exit-hook ....... ret   ret
 *		     cli ...... restore                          cli ..... restore
 *		                       <--------- total --------->
 *
 * `total` runs from the end of the enter hook's section with interrupts off to the start of the
 * exit hook's (where they are off anyway: from its return, to its call). That is the interval a
 * perfect clock inside the hooks would see: the body with all that it calls, their hooks and
 * interrupts included. `net` is the same less all cycles spent in hooks.
 *
 * Counted are the calls that entered and left while wsnprof_running was set without a break; the
 * rest are the profiler's to ignore.
 */
#ifndef WSNTOP_SIM_TRUTH_H
#define WSNTOP_SIM_TRUTH_H

#include <simavr/sim_avr.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "sim/symbols.h"

#define TRUTH_DEPTH 512
#define TRUTH_HOOKS 16

struct truth_span {
	uint64_t total;
	uint64_t min;
	uint64_t max;
};

struct truth_site {
	uint32_t from;
	uint32_t function;		/* index in the symbols */
	uint64_t calls;
	struct truth_span total;
	struct truth_span net;
};

/* A call under way. */
struct truth_call {
	uint32_t from;
	uint32_t function;
	uint16_t sp;			/* with the return address on the stack */
	uint32_t era;			/* of the enter hook; 0: profiling was off */
	bool ended;
	uint64_t begun, begun_hooks;
	uint64_t end, end_hooks;
};

enum truth_hook_kind { TRUTH_ENTER, TRUTH_EXIT, TRUTH_HOOK_KINDS };

/* A hook under way. */
struct truth_hook {
	enum truth_hook_kind kind;
	uint16_t sp;
	int nesting;			/* of interrupts, when it was called */
	bool timed;			/* its end of the interval is taken */
	uint64_t cycles;		/* its own so far */
};

struct truth_cost {
	uint64_t calls;
	uint64_t cycles;
	uint64_t max;
};

struct truth {
	avr_t *avr;
	const struct symbols *symbols;
	struct map function_at;		/* address -> index */
	struct map site_at;		/* from, function -> index */
	struct truth_site *site;
	size_t sites, sites_cap;
	struct truth_call call[TRUTH_DEPTH];
	size_t calls;
	struct truth_hook hook[TRUTH_HOOKS];
	size_t hooks;
	int nesting;			/* of interrupts, now */
	uint64_t entry_cycles;		/* of an interrupt taken in this step */
	uint64_t hook_cycles;		/* all so far */
	uint64_t last_cost;		/* of the instruction before */
	uint32_t era;			/* profiling periods begun */
	bool running;
	struct truth_cost cost[TRUTH_HOOK_KINDS];
	uint64_t masked_since, masked_max;	/* interrupts off */
	uint32_t masked_pc;
	bool unmasked_once;
	uint64_t *report;		/* cycles at which a report's header was complete */
	size_t reports, reports_cap;
	bool failed;			/* out of memory, or deeper than TRUTH_DEPTH */
};

int truth_init(struct truth *t, avr_t *avr, const struct symbols *symbols, struct err *err);
void truth_release(struct truth *t);

/* Run one instruction (or sleep) and see what it did. Returns the processor's state. */
int truth_step(struct truth *t);

/* An interrupt was taken; it cost `cycles` to enter. */
void truth_interrupt(struct truth *t, uint64_t cycles);

/* A line came out of the UART. */
void truth_line(struct truth *t, const char *line);

/*
 * Write it as text, tab-separated, one fact a line:
 *	hz HZ			cycles CYCLES
 *	hook enter|exit CALLS CYCLES LONGEST	of calls made while profiling; call and return included
 *	masked CYCLES PC			longest time with interrupts off, and where it ended
 *	report NUMBER CYCLE			when its first line had been sent
 *	function ADDRESS NAME			every instrumented one
 *	site FROM TO CALLS TOTAL MIN MAX NET_TOTAL NET_MIN NET_MAX
 */
int truth_write(const struct truth *t, const char *path, struct err *err);

#endif
