/*
 * state: what the files of gdb: share. Private to core/wire/gdb.
 *
 * gdb.c	packets, the greeting, what is due when
 * ask.c	the question of each step; how the conversation ends
 * stops.c	PCs by stops; what a stop is of, and what is asked while the target stands
 * points.c	breakpoints and watchpoints: which are wanted, which are set
 * hits.c	a breakpoint or watchpoint was met: events
 * calls.c	calls that are open, by their return addresses
 * arch.c	registers and stacks of architectures
 * watch.c	what is watched, and how it goes
 * told.c	all of that, told to the node and for a recording
 */
#ifndef WSNTOP_WIRE_GDB_STATE_H
#define WSNTOP_WIRE_GDB_STATE_H

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/wire/gdb/points.h"
#include "core/wire/probe/rsp.h"
#include "core/wire/probe/sampler.h"

enum step {
	STEP_DOWN,
	STEP_SUPPORTED, STEP_FEATURES, STEP_NOACK,
	STEP_SCAN, STEP_ATTACH,		/* a Black Magic Probe looks for its target */
	STEP_STATE,
	/* the target stands: */
	STEP_FPB, STEP_DEMCR, STEP_DEMCR_SET, STEP_DWT, STEP_DWT_SET, STEP_DWT_BACK,
	STEP_REGISTERS, STEP_TIME, STEP_VALUE, STEP_STACK, STEP_POINT,
	STEP_OVER,			/* one instruction, without what is set on it */
	STEP_GO,
	/* it runs: */
	STEP_READS,			/* what the sampler asks for */
	STEP_QUIET,			/* it may not be stopped, or nothing is to be had by that */
	STEP_PAUSE,			/* until the next stop */
	STEP_STOP,
	STEP_PC, STEP_ALL,		/* of a sample by a stop, or all registers, which have it */
	STEPS
};

struct gdb_registers {
	uint32_t pc, sp, link;
	bool in_handler;
	bool known;
};

/* Where registers are among those that "g" tells, in hex digits; sizes in bytes. */
struct gdb_arch {
	uint8_t number;			/* the PC's, for "p" */
	uint16_t pc_at, sp_at, link_at, psr_at;	/* 0: is told elsewhere, or nowhere (but the PC) */
	uint8_t pc_bytes, sp_bytes;
	uint8_t code_bytes;		/* of a breakpoint */
	uint32_t data;			/* what gdb adds to addresses of data */
	int8_t above;			/* of the stack pointer: the return address */
};

enum { CALLS = 64, SITES = 256, STACK_BYTES = 8 };

struct gdb_site {
	uint32_t from, to;		/* from 0: a handler's */
	uint64_t calls;
};

struct gdb_call {
	uint32_t function, from, sp;	/* sp: once it has returned */
	uint32_t note;
	uint8_t lane;
	bool handler;
};

/* By the order of the points. */
struct gdb_watched {
	uint32_t note;
	uint64_t lost;
	uint8_t value[8];
	bool known;			/* its value */
	bool due;			/* it was written, or read: its value is to be told */
	bool after;			/* once the instruction at the PC was run */
	bool full;			/* it takes more points than there is room for */
	uint32_t pc;			/* that wrote, or read, about; 0: not known */
};

struct gdb_watch {
	const struct wire_watchpoint *points;
	size_t count;
	bool allowed;			/* to stop the target */
	bool changed;			/* other points are wanted */
	bool units_known;		/* what the chip has, and whether it counts cycles */
	int comparators, breakpoints;	/* of the chip; -1: not known */
	struct gdb_watched of[WIRE_WATCHES];
	uint64_t stops, stood_ns;	/* by hits */
	bool news;			/* another way, or refusal, is to be told */

	struct gdb_registers at;	/* of the stop */
	bool told;			/* it said "watch", */
	uint32_t told_address;		/* of this place */
	bool knows;			/* the server says "watch" at all */
	bool trap;			/* SIGTRAP */
	bool ours;			/* we asked for the stop, */
	bool late;			/* or did so a little before (OpenOCD's second stop) */
	bool hit;			/* it was one, or more */
	bool over;			/* a step is to be taken, or was */
	bool blind;			/* what was written is found by its value, */
	bool weak;			/* if it was: the stop may be of something else */
	bool handled;			/* what is set at the PC was told already */
	bool looks;			/* values are read for a hit */
	bool stale;			/* what is asked for was of watches before these */
	unsigned blind_found;
	size_t index;			/* of the value, or the call, that is asked for */
	struct point *point;		/* that is asked for */

	struct gdb_call calls[CALLS];
	size_t call_count;
	struct gdb_site sites[SITES];
	size_t site_count;

	bool cycles;			/* CYCCNT counts */
	bool seeing;			/* sink->seeing was told, with CYCCNT's value at */
	uint32_t seeing_cycle;		/* tick 0 */
	bool clocked;			/* `cycle` was read; the target runs since cycle_ns, */
	uint32_t cycle;
	uint64_t cycle_ns, ran_ns;	/* and so long altogether */
	uint64_t ticks, begun_ns;
	double hz;			/* 0: not known yet */
};

struct gdb {
	struct wire wire;
	struct rsp rsp;
	struct sampler sampler;		/* its times and `asked` are of every question */
	enum step step;
	bool acks;			/* packets are acknowledged: "+" is owed for each */
	bool noack_offered, many;	/* qSupported: QStartNoAckMode+; multiprocess+ (QEMU) */
	bool simavr;			/* its watchpoints never fire */
	bool alone;			/* nothing but what is watched is asked for */
	bool deaf;			/* it reads no memory while the target runs */
	bool tried;			/* whether it is deaf is known */
	bool begun;			/* of a recording: the state at its beginning was told */
	bool interrupted, holds;	/* of a recording: the stop was told as SIGINT; its PC is */
	uint32_t held;			/* held until it is known that nothing was watched */
	bool taken;			/* the server acknowledged what was sent last */
	bool stands;			/* the target: nothing runs */
	bool stop_waits;		/* it stopped while memory was asked for */
	bool leaves;			/* nobody listens any more */
	bool nak_owed, attach;
	unsigned owed;			/* acknowledgements to send */
	uint64_t interrupt_ns;		/* when a stop was asked for last */
	double stop_hz;
	uint64_t stopped_ns, halted_ns, halted_before;
	bool awaited;			/* an answer, when it was asked last */
	uint64_t slowest_ns;		/* answer to a greeting */
	uint64_t answers, answers_ns;	/* of a target that stands; how long they took */
	struct points points;
	struct gdb_watch watch;
	bool recorded;			/* nobody asks: wire_options */
	struct wire_seeing seen;	/* as sink->seeing was told */
	struct buf told;		/* packets for a recording, */
	size_t told_at;			/* of which so much was taken */
};

void gdb_step(struct gdb *g, enum step step);	/* gdb.c */
void gdb_went(struct gdb *g);			/* it goes on: what comes next */
bool gdb_is_console(const char *text);
void gdb_acks(struct gdb *g, struct wire_out *out);

/* ask.c */
bool question_send(const struct gdb *g, struct wire_out *out);
bool gdb_leave(struct wire *w, bool last, struct wire_out *out);
void gdb_leaving(struct gdb *g, const char *text);	/* what comes behind it */

/* arch.c */
const struct gdb_arch *gdb_arch(const struct gdb *g);
bool gdb_registers(const struct gdb *g, const char *hex, struct gdb_registers *r);
uint32_t gdb_pc(const struct gdb *g, uint32_t pc);	/* without what is no address in it */
bool gdb_is_exception(const struct gdb *g, uint32_t link);
/* What of the stack tells where a call returns to; false: its registers do. */
bool gdb_stack(const struct gdb *g, bool handler, uint32_t *address, unsigned *bytes);
/* From these bytes; false: it cannot be known. */
bool gdb_return(const struct gdb *g, bool handler, const uint8_t *stack, struct gdb_call *call);

/* stops.c */
bool stop_is(const char *text);
void stop_take(struct gdb *g, const char *text);
void stop_begin(struct gdb *g);			/* stop_take, once memory's answer is here */
void stop_registers(struct gdb *g, const char *hex);	/* PC, ALL */
void stop_recorded(struct gdb *g, const char *text);	/* a recording's packet behind a stop */
void stop_give_held(struct gdb *g);
void stop_next(struct gdb *g);			/* it stands: what else is to be asked */
bool stop_wanted(const struct gdb *g);		/* for what is to be set while it stands */

/* hits.c */
void hit_registers(struct gdb *g, const char *hex);
void hit_time(struct gdb *g, const char *hex);
void hit_memory(struct gdb *g, const char *hex);	/* VALUE, STACK */
bool hit_question(const struct gdb *g, char *dst, size_t size);	/* VALUE, STACK */

/* calls.c */
void calls_begin(struct gdb *g, const struct gdb_call *call);	/* its end will not be told */
void calls_enter(struct gdb *g, const struct gdb_call *call);
void calls_return(struct gdb *g, uint32_t pc, uint32_t sp);
void calls_check(struct gdb *g);		/* those whose end cannot be seen */

/* told.c */
void told_seeing(struct gdb *g, const struct wire_seeing *seeing);
void told_event(struct gdb *g, const struct wire_event *e);
void told_total(struct gdb *g, const struct wire_total *t);
void told_watching(struct gdb *g, const struct wire_watching *w);
void told_probe(struct gdb *g);			/* of the last second */
void told_keep(struct wire *w, struct wire_out *out);
bool told_is(const char *text);			/* a packet of ours */
void told_read(struct gdb *g, const char *text);	/* of a recording */

/* watch.c */
void watch_points(struct gdb *g);		/* what is wanted, by what is watched and open */
void watch_unit(struct gdb *g, const char *text);	/* an answer of FPB to DWT_BACK */
void watch_event(struct gdb *g, struct wire_event e);
void watch_cycle(struct gdb *g, uint32_t cycle);	/* CYCCNT, of now */
void watch_tell(struct gdb *g);
void watch_report(struct gdb *g);
void watch_down(struct gdb *g);
bool watch_is_clocked(const struct gdb *g);	/* points may be set */
bool watch_clock_due(const struct gdb *g);	/* CYCCNT can be compared with the host's clock */

#endif
