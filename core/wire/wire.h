/*
 * wire: bytes -> events. One push decoder a packet format (wsn.c, gprof.c, prof.c), and auto.c
 * which finds out which one it is.
 *
 * Any split of the bytes gives the same events. Bad bytes are no errors: they are counted, the
 * decoder gets back in step, and the count is shown. Bytes that belong to no packet but are text go
 * to sink->text: the firmware's own console. Events are raw: addresses as the node means them, as
 * byte addresses, not yet names.
 *
 * Addresses on the wire have at most 32 bits.
 *
 * A decoder may have messages for the other end (wire_ask): a user's commands, or requests whose
 * answers are the data. It never writes by itself: the owner of the link asks for it after
 * each read and when wire_timeout is over, and sends it.
 */
#ifndef WSNTOP_WIRE_WIRE_H
#define WSNTOP_WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/err.h"
#include "core/wire/codemap.h"

/* A call (gprof thesis, 4.3.2): `from` is the return address in the caller, `to` in the callee. */
struct wire_arc {
	uint32_t from;
	uint32_t to;
};

/*
 * Flags of a row, a running total and a call site; or-ed over the sites of an edge and a function.
 * 16 bits wide everywhere.
 */
enum wire_row_flag {
	ROW_MAX_AT_LEAST = 0x001,	/* max saturated on the node: it was that or longer */
	ROW_MIN_AT_LEAST = 0x002,	/* min likewise: every call was that long or longer */
	ROW_TOTAL_NEGATIVE = 0x004,	/* total below 0 on the node (its clock raced): 0 here */
	ROW_WRAPPED = 0x008,		/* calls or total passed 2^32, as the row's other figures
					 * show: corrected */
	ROW_BIT16 = 0x010,		/* bit 16 of an address was lost on the node and put back
					 * from the image */
	ROW_REJOINED = 0x020,		/* put together from pieces that other output tore apart */
	ROW_AMBIGUOUS = 0x040,		/* bit 16 could not be told: as printed */
	ROW_HANDLER = 0x080,		/* an interrupt handler's: called from no place */
	ROW_DECODED = 0x0ff,		/* mask: those above, which a call site keeps */
	ROW_GONE = 0x100,		/* a total: earlier totals of this address are void,
					 * all figures are 0; a site: profile_compute removes it */
	/* a profile's own: */
	ROW_STALE = 0x200,		/* not in the newest report, which was cut short */
	ROW_NO_CALL = 0x400,		/* `from` follows no call instruction of the image */
	ROW_TWICE = 0x800,		/* an arc whose calls are a site's too: counted there */
	ROW_LOST = 0x1000,		/* calls of it found no room on the node. A total: it is
					 * none, `calls` are of those, at least */
	ROW_BOUNDS = 0x2000,		/* of a window: min and max are bounds of its calls, which
					 * no call of it need have reached */
};

_Static_assert(ROW_DECODED == ROW_GONE - 1 && ROW_BOUNDS <= UINT16_MAX, "flags have 16 bits");

/*
 * What LR holds on a Cortex-M while an interrupt's handler runs is no return address but EXC_RETURN
 * (Armv8-M Architecture Reference Manual, B3.14: bits 31 to 7 are ones): no code lies there, on any
 * chip.
 */
static inline bool wire_is_exc_return(uint32_t from)
{
	return from >= 0xffffff80;
}

/* One call site of a PROF report (INGA's profiler, figure 5b), times in ticks. */
struct wire_row {
	uint32_t from, to;	/* byte addresses: return address in the caller, callee's entry */
	uint64_t calls;
	uint64_t total;
	uint32_t min, max;	/* meaningless when calls is 0 (entered, not yet left) */
	uint16_t flags;		/* ROW_* */
};

/* One address of an SPROF report: `count` samples at byte address `pc`. */
struct wire_sampled {
	uint32_t pc;
	uint64_t count;
};

enum wire_report_kind { REPORT_PROF, REPORT_SPROF };

/* A whole report, or what arrived of one. */
struct wire_report {
	enum wire_report_kind kind;
	const char *name;		/* as sent, made visible; borrowed for the call */
	unsigned index;			/* from 1 over the stream, PROF and SPROF together */
	uint64_t num_sites;		/* as announced */
	uint64_t max_sites;		/* capacity of the node's table; num == max: sites may be
					 * missing */
	uint64_t ticks_run;		/* profiled time; 0: unknown (taken while running) */
	uint64_t ticks_per_second;	/* 0: not said */
	uint64_t samples;		/* SPROF: as announced */
	bool complete;			/* as many rows as announced */
	unsigned torn;			/* lines that must have been rows and could not be read */
	bool after_boot;		/* the node restarted since its last report */
	const struct wire_row *rows;	/* PROF */
	const struct wire_sampled *sampled;	/* SPROF */
	size_t count;			/* entries of rows or sampled */
};

/*
 * "Stacktrace: N frames": the call stack that survives a reset (code of INGA's profiler).
 * Outermost first.
 */
struct wire_frame {
	uint32_t from, to;
	uint64_t ticks;
};

struct wire_stack {
	uint64_t announced;
	uint64_t ticks_per_second;
	bool corrupted;			/* "Stack corrupted or not recorded." */
	const struct wire_frame *frames;
	size_t count;
};

/* --- streams that identify their node (wsn) --------------------------------------------------- */

enum { WIRE_BUCKETS = 8 };

enum wire_identity_kind {
	WIRE_IDENTITY_NONE, WIRE_IDENTITY_SUM, WIRE_IDENTITY_BUILD_ID,
	WIRE_IDENTITY_BLOCKS,		/* parts of its memory that a probe read */
};

enum { WIRE_BLOCKS = 64, WIRE_BLOCK_BYTES = 64 };

/* The sum of docs/PROTOCOL.md, 4, over WIRE_BLOCK_BYTES. */
struct wire_block {
	uint32_t address;
	uint16_t a, b;
};

/* Identifies the ELF of the firmware (docs/PROTOCOL.md, 4). */
struct wire_identity {
	enum wire_identity_kind kind;
	uint32_t start, length;		/* SUM: of flash, bytes */
	uint16_t a, b;
	uint8_t build_id[12];
	uint16_t block_count;		/* BLOCKS */
	struct wire_block blocks[WIRE_BLOCKS];
};

struct wire_hello {
	const char *name;		/* made visible; "" while it is not known */
	uint8_t version;
	uint8_t arch;			/* enum wsn_arch */
	uint16_t features;		/* enum wsn_feature */
	uint32_t ticks_per_second;
	uint16_t hz;			/* 0: no PC samples */
	double cost, skew, spread;	/* ticks a call; skew is taken off already */
	uint16_t max_sites, max_stack, max_arcs, max_pcs;
	uint32_t id;
	uint16_t epoch;
	uint64_t bucket_below[WIRE_BUCKETS - 1];	/* ticks; the last one has none */
	struct wire_identity identity;
	bool together;			/* a simulator's: all rows are of one time */
};

/* STATUS: running totals of the epoch. */
struct wire_status {
	uint64_t run, isr;		/* ticks */
	uint64_t poll;			/* ticks in wsnprof_poll(): not in run */
	double searched;		/* ticks a call besides HELLO's cost, so far */
	uint64_t run_before;		/* of the STATUS before; the same at the first */
	bool late;			/* the line is too slow: rows wait for several refreshes */
	uint64_t stack_full, table_full, cut, text_lost, carries_lost;
	uint64_t no_stack;		/* open calls of tasks without a stack, at a switch */
	uint64_t arcs_lost, pcs_lost;	/* counted in no arc, no PC */
	uint64_t arcs_unheard, pcs_unheard;	/* closed by the node in frames that never came */
	uint64_t arcs_before, pcs_before;	/* of these, before the first frame that came */
	/* of a call trace, which the node of core/node fills in: */
	uint64_t untold;		/* calls counted, not told */
	uint64_t unheard;		/* calls that frames told that never came */
	/* of any stream, likewise: */
	uint64_t unplaced;		/* counts of more addresses than a profile keeps */
	uint64_t clock_missed;		/* 1: rounds of the clock may be missing in all times */
	uint64_t command;		/* seq of the last one carried out + 1; 0 none */
};

enum wire_total_kind { TOTAL_SITE, TOTAL_ARC, TOTAL_PC };

enum { TOTAL_TIMED = 1, TOTAL_MINMAX = 2, TOTAL_HISTOGRAM = 4 };

/*
 * A running total by address: replaces the one before of the same kind, from and to. It is given
 * each time that its row comes, changed or not.
 */
struct wire_total {
	enum wire_total_kind kind;
	uint32_t from, to;		/* byte addresses; from 0 with ROW_HANDLER: an interrupt's.
					 * PC: to is 0 */
	uint64_t calls;			/* or samples */
	uint64_t total;			/* ticks */
	uint64_t min, max;		/* ticks; meaningless when calls is 0 */
	uint64_t run;			/* STATUS's run when the row was read, about */
	uint64_t bucket[WIRE_BUCKETS];
	uint8_t has;			/* TOTAL_* */
	uint16_t flags;			/* ROW_*; GONE when an arc left its slot or the image
					 * resolves it otherwise */
};

/* --- call traces (docs/PROTOCOL.md, 9) --- */

/* How a node's TRACE frames are written. */
struct wire_tracing {
	uint8_t encoding;		/* 1, 8: bytes, hashes of 24 bits */
	uint8_t stamp_shift;		/* a unit of a stamp is 1 << stamp_shift ticks */
	uint32_t slots;			/* of a lane's table */
	uint32_t lanes;
};

/* Tokens of one lane; core/trace reads them. Pointers are borrowed for the call. */
struct wire_trace {
	uint8_t lane;			/* below 16 */
	uint8_t number;			/* of the lane's frames, modulo 256 */
	bool resync;			/* the node dropped tokens before it */
	bool packed;
	uint32_t time;			/* ticks of the node's clock, modulo 2^32 */
	uint32_t untold;		/* calls counted and not told, modulo 2^32 */
	uint32_t depth;			/* open calls at its beginning, */
	const uint32_t *stack;		/* and their ids, outermost first; NULL: not told */
	const uint8_t *tokens;
	size_t count;
};

/* --- what a Cortex-M's debug module tells (itm) --- */

enum wire_exception_kind { EXCEPTION_ENTERED, EXCEPTION_EXITED, EXCEPTION_RETURNED };

/* A handler began, ended, or what it had interrupted goes on: `number` runs from there on. */
struct wire_exception {
	enum wire_exception_kind kind;
	uint16_t number;		/* ARM's exception number: 0 the program itself, 15
					 * SysTick, 16 the first interrupt of the chip */
};

/* What keeps PCs from being sampled; the sentence is the screen's. */
enum wire_probe_trouble {
	PROBE_FINE,
	PROBE_NO_ANSWER,		/* nothing answers, or not as it should */
	PROBE_NO_CORE,			/* no Cortex-M with a DWT is there */
	PROBE_TRACE_OFF,		/* DEMCR.TRCENA does not stay set */
	PROBE_NO_PCSR,			/* this core samples no PC */
	PROBE_HALTED,			/* the processor stands */
	PROBE_NOT_PERMITTED,		/* debugging is not authenticated, or locked */
	PROBE_MUST_STOP,		/* no PC while it runs, and it may not be stopped */
};

/* Of a debug server that is asked for PCs: how it goes, about once a second. */
struct wire_probe {
	enum wire_probe_trouble trouble;
	const char *core;		/* "Cortex-M3 r2p1"; "" not known */
	double asked_hz, reached_hz;	/* samples a second */
	double halted;			/* share of the time that it stood for it, 0 to 1 */
	uint64_t samples, asleep, refused;	/* so far; refused: no PC though awake */
	double asleep_now;		/* share of the samples since it was told before */
	double cycles_hz;		/* CYCCNT by the host's clock; 0: not known */
	double round_s;			/* median time of an answer */
};

/* How it goes to set a chip up for SWO, when that changed. */
struct wire_setup {
	bool over;			/* all registers were written and read back */
	unsigned refused;		/* that did not take */
	const char *wrong;		/* the first of these, as a sentence; "" none */
	double clock_hz;		/* of the core: given, or measured; 0: not known (yet) */
	double baud, pc_hz;		/* as set */
};

enum { ACCESS_PC = 1, ACCESS_ADDRESS = 2, ACCESS_VALUE = 4, ACCESS_WRITE = 8, ACCESS_MATCH = 16 };

/* A comparator matched. */
struct wire_access {
	uint8_t comparator;
	uint8_t has;			/* ACCESS_*; WRITE: of the value; MATCH: it did, no more */
	uint8_t size;			/* bytes of the value */
	uint16_t address;		/* its low 16 bits */
	uint32_t pc, value;
};

/* --- what is seen of a program from outside: by a simulator, a debugger, a trace port --- */

enum wire_event_kind {
	EVENT_CALL, EVENT_RETURN,	/* a function began; the innermost open one ended */
	EVENT_VALUE, EVENT_STATE,	/* a figure, a state that holds from here on */
	EVENT_MARK,
	EVENT_AWAY,			/* lane `note` goes on until this one's next event */
	EVENT_LOST,			/* some are missing here: what is open is not known */
};

/* In the order of their times: one that is earlier than the one before it has that one's time. */
struct wire_event {
	enum wire_event_kind kind;
	uint8_t lane;			/* below 16: 0 the program, 1 its handlers, 2.. tasks */
	bool handler;			/* CALL: of an interrupt's handler, by nobody */
	uint32_t address;		/* CALL: in the function; VALUE, STATE, MARK: the PC that
					 * did it, 0: not known */
	uint32_t note;			/* VALUE, STATE, MARK: which one, as wire_naming names it */
	int64_t value;			/* VALUE, STATE; wire_naming.is_real: a double's bits.
					 * MARK of a WATCH_MARK: its number */
	uint64_t ticks;			/* of wire_seeing's clock; they do not wrap */
};

/*
 * Bytes of stack that a function took at most since the source began, as measured: a frame of its
 * own (return address and what the processor pushes for a handler included), a call with its
 * callees (handlers that struck meanwhile left out), and from where its context begins (the stack,
 * or the handler it runs in) to its frame's end. Running maxima: each replaces the one before.
 */
struct wire_depth {
	uint32_t address;		/* the function's */
	uint32_t frame, use;
	int64_t depth;			/* -1: not known */
};

/* Ticks that an instruction took since the source began, all runs of it. A running total. */
struct wire_spent {
	uint32_t address;
	uint64_t ticks;
};

enum { WIRE_PATH = 32 };

/* A stack that grows down: its deepest point since the source began, handlers included. */
struct wire_watermark {
	uint32_t stack;			/* 0: the program's; others: tasks, in the order seen */
	uint32_t base, low;		/* behind its first byte; the lowest byte that was taken */
	uint32_t open;			/* calls that were open there, */
	uint32_t count;			/* the innermost of them, outermost first: */
	uint32_t path[WIRE_PATH];	/* the functions' addresses */
};

/* Before the first event, and when it changes. */
struct wire_seeing {
	double ticks_per_second;
	bool counted;			/* the calls are in running totals too (sink->totals): no
					 * profile is made of the events */
	bool some;			/* calls: those that are watched, handlers; of others
					 * nothing is told */
	bool ordered;			/* its clock is the host's: it tells the order, and no
					 * durations of the target */
	bool cycles;			/* they are CYCCNT's cycles, */
	uint32_t cycle;			/* which was so at tick 0, modulo 2^32 */
};

struct wire_naming {
	uint32_t note;
	const char *name;
	bool of_state;			/* of this state of it, else of the note itself */
	int64_t state;
	bool is_real;			/* its values are the bits of doubles */
};

/*
 * --- what the user wants to be told of: watchpoints ---
 *
 * The owner resolves what the user wrote by the ELF; a decoder that can chooses how (comparators
 * without a halt, with stops, breakpoints, reads), and tells what it sees as wire_event:
 * EVENT_VALUE or EVENT_STATE with the point's note and wire_value(), EVENT_MARK, EVENT_CALL and
 * EVENT_RETURN of the function. How that goes comes as wire_watching.
 */
enum wire_watchpoint_kind {
	WATCH_VALUE,			/* bytes of memory: a variable, a register, a range */
	WATCH_CALL,			/* a function, from its entry to its end */
	WATCH_HANDLER,			/* one interrupt handler, or all */
	WATCH_MARK,			/* wsnprof_mark(n) in the firmware: codemap.marks */
};

enum { WATCH_READS = 1, WATCH_WRITES = 2 };
enum { WIRE_WATCHES = 16, WATCH_ALL_HANDLERS = 0xffff };

/* How the bytes of a variable are to be read. */
struct wire_reading {
	uint8_t bytes;			/* 1, 2, 4, 8; 0: a range, whose value is the address */
	bool is_signed, is_real, is_state, big_endian;
	uint8_t shift, bits;		/* of a bit-field; bits 0: all */
};

struct wire_watchpoint {
	enum wire_watchpoint_kind kind;
	uint32_t note;			/* what its events have; the owner names it */
	uint32_t address, size;		/* VALUE: of the bytes; CALL: of the function's code */
	uint8_t access;			/* VALUE: WATCH_READS, WATCH_WRITES */
	uint16_t number;		/* HANDLER: of the vector table's word, on ARM the
					 * exception's; or WATCH_ALL_HANDLERS */
	struct wire_reading reading;
	const char *name;		/* as the user wrote it; borrowed as the points are */
};

/* Bytes of a variable as they stand in memory, least address first -> the value of an event. */
int64_t wire_value(const struct wire_reading *r, const uint8_t *bytes);

enum wire_watch_way {
	WATCHED_NOT,			/* refused, see `refusal` */
	WATCHED_WAITS,			/* not begun yet */
	WATCHED_COMPARATOR,		/* by a comparator, without a halt */
	WATCHED_TRACED,			/* by the exception trace, or a simulator */
	WATCHED_READS,			/* read with each sample: short changes may be missed */
	WATCHED_STOPS,			/* by a comparator, with a stop each time */
	WATCHED_BREAKPOINT,		/* by breakpoints, with a stop each time */
};

enum wire_watch_refusal {
	REFUSED_NOT,
	REFUSED_KIND,			/* this source cannot tell such a thing */
	REFUSED_FULL,			/* the chip has no comparator or breakpoint left */
	REFUSED_STOPS,			/* it would have to stop the target, which is not allowed */
	REFUSED_SIZE,			/* no comparator covers these bytes */
	REFUSED_SERVER,			/* the server refused it, or it never fires there */
	REFUSED_ALONE,			/* it takes a gdb server, which the user did not name */
	/* the ELF lacks it: */
	REFUSED_VECTORS,		/* there is none, or it has no vector table */
	REFUSED_NUMBER,			/* its vector table has no handler of that number */
	REFUSED_MARKS,			/* it has no mark */
	REFUSED_MOST = REFUSED_MARKS
};

/* How watching goes: told when it changed, at most about once a second. */
struct wire_watching {
	size_t count;
	struct wire_watched {
		uint32_t note;
		enum wire_watch_way way;
		enum wire_watch_refusal refusal;
		uint8_t comparator;	/* COMPARATOR: whose matches (wire_access) are its */
		uint64_t lost;		/* events known to be missing */
	} of[WIRE_WATCHES];
	int comparators, comparators_used;	/* of the chip; -1: not known */
	int breakpoints, breakpoints_used;
	double stop_s;			/* a stop, on average; 0: there are none */
	double stop_about_s;		/* before the first one: by the server's answers; 0: not
					 * known, or nothing is to stop it */
	double halted;			/* share of the time that it stands for them, 0 to 1 */
	/* By the owner: */
	double apart_s;			/* two ways' times, at most; 0: one way, or exact; NaN: not
					 * known */
	double packets_s, pin_share;	/* of SWO: packets a second, of what the pin carries */
};

/* --- of a power meter --- */

/*
 * Samples in the order in which they were taken. Sample i was taken i / hz seconds after sample 0
 * by the meter's clock; those between the batch before and `first` are lost. wire_when has no ticks
 * of them: core/power maps them.
 */
struct wire_current {
	uint64_t first;			/* index of the first one; indices only grow */
	double hz;			/* samples a second, nominal; one rate a stream */
	unsigned ppm;			/* how far that may be off; 0: as an RC oscillator */
	bool again;			/* the meter was away: how long its clock does not tell */
	const float *amps;
	const uint8_t *logic;		/* inputs D0 (bit 0) to D7 at each; NULL: it has none */
	size_t count;
	uint64_t newest;		/* index of the newest that came with these bytes: some
					 * are told with the next ones */
};

/* Of the meter itself: when it changed. Strings hold until the next one. */
struct wire_meter {
	const char *model;		/* "PPK2"; made visible */
	bool calibrated;		/* its own figures were read; false: it needs some, and
					 * typical ones are used */
	const char *trouble;		/* why no samples come, and the cure; "" nothing is wrong */
};

/* --- messages to the other end --- */

struct wire_command {
	unsigned type;			/* the format's own: enum wsn_type */
	unsigned arg;			/* 0 where the type takes none */
	bool quiet;			/* not the user's: nobody waits for its outcome */
};

enum wire_told_code {
	WIRE_TOLD_DONE,			/* the node confirmed it */
	WIRE_TOLD_SILENCE,		/* sent, not confirmed in time */
	WIRE_TOLD_BLOCKED,		/* the line took nothing in that time */
	WIRE_TOLD_DOWN,			/* not confirmed before the line went down */
};

/* How a command ended. */
struct wire_told {
	enum wire_told_code code;
	struct wire_command command;
	unsigned seconds;		/* that an answer is waited for */
};

enum { WIRE_OUT_MAX = 4096 };

/* Whole messages for the other end, as many as there is room for. */
struct wire_out {
	size_t room;			/* at most so many bytes, WIRE_OUT_MAX at most */
	size_t count;
	uint8_t bytes[WIRE_OUT_MAX];
};

/* All of a message, or false: there is no room for it. */
static inline bool wire_out_add(struct wire_out *out, const void *message, size_t n)
{
	if (n > out->room - out->count)
		return false;
	memcpy(out->bytes + out->count, message, n);
	out->count += n;
	return true;
}

/*
 * When a batch happened, on the source's own clock. What the formats know:
 *
 *	gprof	nothing: arrival only
 *	prof	nothing: a report's run is how long was profiled, not when it was printed; a frame's
 *		ticks are of before the reset
 *	wsn	STATUS has the profile's clock, which stands still (clock_terms.stands): it
 *		dates the status on the node's own axis, and has no map to the host's. Rows, HELLO,
 *		text: arrival only
 *	itm	local time stamps: all that came since the one before happened until then
 *	meters	each sample's index, in wire_current
 *	sim	the simulated chip's time, exactly
 */
struct wire_when {
	const struct clock_terms *clock;	/* NULL: arrival only */
	uint64_t ticks;				/* as sent: it wraps */
	double sample_cycles;			/* of the processor, for each PC sample so far, by
						 * its cycle counter; 0: not known */
	bool simulated;				/* the data's time, however fast it passes */
	bool counted;				/* all counts are of this time */
};

/*
 * The output of a decoder. Every member may be NULL. Pointers are borrowed for the call; within it
 * wire_when() is when that happened.
 */
struct wire_sink {
	void *ctx;
	void (*arcs)(void *ctx, const struct wire_arc *arcs, size_t n);
	void (*samples)(void *ctx, const uint32_t *pcs, size_t n);
	void (*report)(void *ctx, const struct wire_report *report);
	void (*stack)(void *ctx, const struct wire_stack *stack);
	void (*text)(void *ctx, const char *text, size_t n);	/* raw, with its newlines */
	void (*boot)(void *ctx);				/* a boot banner: counters reset */
	void (*hello)(void *ctx, const struct wire_hello *hello);	/* when it changed */
	/* what the hello will say of the firmware, for who joined between two of them */
	void (*identity)(void *ctx, const struct wire_identity *identity);
	void (*status)(void *ctx, const struct wire_status *status);
	void (*totals)(void *ctx, const struct wire_total *totals, size_t n);
	void (*tracing)(void *ctx, const struct wire_tracing *tracing);
	void (*trace)(void *ctx, const struct wire_trace *trace);
	void (*epoch)(void *ctx);	/* a wsn node's counters reset: boot or command */
	void (*ends)(void *ctx);	/* they are about to: wire_resume tells them a last time */
	void (*told)(void *ctx, const struct wire_told *told);	/* a command ended */
	void (*asleep)(void *ctx, size_t n);	/* PC samples that met the processor asleep */
	void (*exception)(void *ctx, const struct wire_exception *exception);
	void (*access)(void *ctx, const struct wire_access *access);
	void (*probe)(void *ctx, const struct wire_probe *probe);
	void (*setup)(void *ctx, const struct wire_setup *setup);
	void (*seeing)(void *ctx, const struct wire_seeing *seeing);
	void (*events)(void *ctx, const struct wire_event *events, size_t n);
	void (*naming)(void *ctx, const struct wire_naming *naming);
	void (*depths)(void *ctx, const struct wire_depth *depths, size_t n);
	void (*spent)(void *ctx, const struct wire_spent *spent, size_t n);
	void (*watermark)(void *ctx, const struct wire_watermark *mark);
	void (*missing)(void *ctx);	/* packets are: what was under way is not known */
	void (*watching)(void *ctx, const struct wire_watching *watching);
	void (*current)(void *ctx, const struct wire_current *current);
	void (*meter)(void *ctx, const struct wire_meter *meter);
};

struct wire_stats {
	uint64_t bytes;		/* fed */
	uint64_t events;	/* arcs, samples, rows, frames */
	uint64_t bad_bytes;	/* in no packet and no text */
	uint64_t text_bytes;
	uint64_t lost;		/* packets or rows known to be missing: announced and not had, torn;
				 * wsn: frames */
	uint64_t resyncs;	/* times out of step */
	uint64_t damaged;	/* wsn: frames whose COBS, CRC or contents were wrong */
	uint64_t replaced;	/* meters: samples that were spikes; a mean stands for each */
};

void wire_stats_add(struct wire_stats *sum, const struct wire_stats *stats);

/* Of a power meter's format; 0: not said. */
struct wire_meter_options {
	bool supplies;			/* ppk2: it is the node's supply; else it is in its way */
	double volts;			/* of that supply; ppk2, lpm01a */
	double hz;			/* samples a second; lpm01a, text */
	/* text: */
	double amps, seconds;		/* of one unit of its columns */
	unsigned column, time;		/* of current and time, from 1 */
	bool untimed;			/* there is no column of times */
	char separator;			/* ' ': any white space */
};

struct wire_options {
	struct wire_meter_options meter;
	const struct codemap *code;	/* NULL: no image; may change by wire_set_code */
	unsigned width;			/* gprof: bytes an address, 2..4; 0: find out */
	uint64_t clock_hz;		/* itm: of its time stamps; 0: not known */
	double baud;			/* SWO's set-up; 0: what is set, or 2,000,000 */
	double trace_hz;		/* likewise: its trace port's clock; 0: the chip's */
	const char *chip;		/* likewise: a name of core/wire/itm/registers.h, or NULL */
	bool shares;			/* likewise: a gdb server takes comparators, too */
	double hz;			/* openocd, gdb: PCs a second to ask for; 0: 1000 */
	double stop_hz;			/* gdb: the target may be stopped so often a second */
	bool stop_to_watch;		/* gdb: and whenever what is watched happens */
	bool watch_alone;		/* gdb: no PCs: another input brings them */
	bool recorded;			/* nobody is asked: the answers are of then */
	bool attach;			/* gdb: a Black Magic Probe finds its target when asked */
};

/* The formats of OpenOCD's, or a gdb server's, answers while SWO is set up; for no user. */
#define WIRE_SETUP "swo-setup"
#define WIRE_SETUP_GDB "swo-setup-gdb"

/* Of a file that core/import has read: its bytes tell nothing more. For no user. */
#define WIRE_IMPORT "import"

struct wire;

/* One row a packet format: the name for -f, and what it is. The table ends with a NULL name. */
struct wire_format {
	const char *name;
	const char *help;
	const struct wire_ops *ops;
};
extern const struct wire_format wire_formats[];

/*
 * `format`: a name of wire_formats ("auto", "wsn", "prof", "gprof", "gprof-hex"). The sink is
 * copied.
 */
struct wire *wire_new(const char *format, const struct wire_options *o,
		      const struct wire_sink *sink, struct err *err);
void wire_free(struct wire *w);

/* The image came, changed or went (NULL). Borrowed until the next call. */
void wire_set_code(struct wire *w, const struct codemap *code);

void wire_feed(struct wire *w, const uint8_t *data, size_t n);

/*
 * The line fell silent (about a tenth of a second) or the stream ended: give out all that waits for
 * more bytes. `end`: nothing follows, incomplete packets are lost.
 */
void wire_flush(struct wire *w, bool end);

/* Within a call of the sink: when its batch happened. */
const struct wire_when *wire_when(const struct wire *w);

/*
 * Adds the messages that the decoder wants to send now to `out`; a message that finds no room is
 * offered again in a later call. Only for a line that is up; the first call since wire_new or
 * wire_down means that it came up. wire_timeout: milliseconds until it wants to be asked though
 * nothing arrived; 0 at once, -1 never.
 */
void wire_ask(struct wire *w, uint64_t now, struct wire_out *out);
int wire_timeout(const struct wire *w, uint64_t now);

/*
 * A user's command: queued, sent by wire_ask, its outcome told to the sink. 0, or negative with the
 * sentence: the format has no such command, a number out of its bounds, a full queue.
 */
int wire_command(struct wire *w, const struct wire_command *command, struct err *err);

/*
 * What leaves the other end as it is to be when nobody asks any more. False: an answer is awaited
 * first; it is fed, and this called again. `last`: there is no time for that. From the first call
 * on, nothing is told to the sink.
 */
bool wire_leave(struct wire *w, bool last, struct wire_out *out);

/*
 * What is to be watched from now on: all of it, in place of what was before. Borrowed until the
 * next call, which comes before they change. wire_can_watch: whether the format, as it was opened,
 * can do that at all.
 */
bool wire_can_watch(const struct wire *w);
void wire_watch(struct wire *w, const struct wire_watchpoint *points, size_t count);

/* The user allows that the target is stopped so often a second, from now on; false: it never is. */
bool wire_allow_stops(struct wire *w, double hz);

/*
 * What a recording is to have besides the bytes that came, as bytes of the same stream: what the
 * decoder saw and they do not tell when they are read again. To be called after each wire_feed,
 * wire_ask, wire_down, and wire_leave, as long as it adds something; a decoder that is `recorded`
 * has none.
 */
void wire_keep(struct wire *w, struct wire_out *out);

/*
 * Bytes of the stream that bring a new decoder of this format to where this one stands, so that
 * somebody can read on from here who has not read what was before: appended to *bytes. True: it
 * will tell the same totals as this one from here on. False: what is known helps him, but not all
 * that was counted is in it (or the format has no such bytes, and none were appended).
 */
bool wire_resume(const struct wire *w, struct buf *bytes);

/* The line went down: forget all requests. Each command that waited ends: WIRE_TOLD_DOWN. */
void wire_down(struct wire *w);

void wire_stats(const struct wire *w, struct wire_stats *stats);

/* The format at work: for auto, the one decided on, or "auto" while it is not decided. */
const char *wire_name(const struct wire *w);

/*
 * One line: the decision and its reason ("gprof-hex: 120 packets in step, 3-byte addresses, 100 %
 * in code").
 */
const char *wire_note(const struct wire *w);

#endif
