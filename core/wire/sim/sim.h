/*
 * sim: what a simulator tells of the firmware that it runs, exactly. wsntop's own format between it
 * and the helper processes that simavr: and qemu: start; also a recording of them.
 *
 * The stream begins with SIM_MAGIC, then records: u8 type, varint length, so many bytes. Numbers
 * are varints (core/base/varint.h), texts a varint length and the bytes. A record of an unknown
 * type is skipped.
 *
 *	HELLO	ticks a second, u8 arch (enum wsn_arch), text name, text unit ("cycles")
 *	STATUS	ticks now, ticks asleep, ticks in handlers, simulated seconds a second x 1000
 *	ROWS	count, then each: u8 1 for a handler, from, to, calls, total, min, max, then
 *		SIM_BUCKETS counts of calls by duration. Running totals of a call site; byte
 *		addresses, of a handler from 0
 *	TEXT	the firmware's UART, raw: to the end of the record
 *	EVENTS	ticks of before the first, then each: u8 kind and lane (SIM_LANE), ticks since the
 *		event before; of a CALL and HANDLER its address, of an AWAY u8 the lane that goes
 *		on, of a STATE, VALUE and MARK its note, the value (a mark's number) in zigzag
 *	NAME	note, u8 1: of one state of it, then that in zigzag; 2: its values are the bits of
 *		doubles; text: what it is called
 *	UNTOLD	calls that were not told as events: counted in ROWS
 *	WATCHED	of a WATCH: count, then each: note, u8 way, u8 refusal (enum wire_watch_...)
 *	DEPTHS	to its end, each: a function's address, and the bytes of stack that it took at most
 *		since the beginning: its own frame (return address, and what the processor pushes
 *		for a handler, included); a call with its callees, handlers left out; from where its
 *		context begins (the stack, or the handler it runs in) down to its frame's end,
 *		plus 1, or 0: not known
 *	STACK	number (0 the program's, 1.. tasks'), the address behind its first byte, that of
 *		the lowest byte that was taken, calls open then, count, then that many functions'
 *		addresses: the innermost of these calls, outermost first, SIM_PATH at most
 *	SPENT	to its end, each: an instruction's address, ticks that it took since the beginning.
 *		Running totals; one that did not run since it was told is left out
 *
 * A helper reads records of the same form from its standard input:
 *
 *	WATCH	what is to be watched from now on, in place of what was before. Count, then each:
 *		u8 kind (enum wire_watchpoint_kind), note, address, size, u8 access, number, u8
 *		bytes, u8 SIM_READ_*, u8 shift, u8 bits, text. It comes first: nothing runs before
 *	INPUT	bytes for the firmware's UART
 *
 * ROWS follow a STATUS and are of its time. Buckets have the bounds of sim_bucket().
 */
#ifndef WSNTOP_WIRE_SIM_H
#define WSNTOP_WIRE_SIM_H

#include <stdint.h>

#define SIM_MAGIC "wsntop-sim 1\n"

enum sim_record {
	SIM_HELLO = 1, SIM_STATUS, SIM_ROWS, SIM_TEXT, SIM_EVENTS, SIM_UNTOLD, SIM_NAME,
	SIM_WATCHED, SIM_DEPTHS, SIM_STACK, SIM_SPENT,
	SIM_WATCH = 32, SIM_INPUT,	/* to the helper */
};

enum sim_event {
	SIM_CALL, SIM_RETURN, SIM_HANDLER, SIM_AWAY, SIM_LOST, SIM_STATE, SIM_VALUE, SIM_MARK,
};

enum { SIM_NAME_STATE = 1, SIM_NAME_REAL = 2 };
enum { SIM_READ_SIGNED = 1, SIM_READ_REAL = 2, SIM_READ_STATE = 4, SIM_READ_BIG = 8 };

enum {
	SIM_RECORD_MAX = 1 << 16,	/* bytes of a record's body */
	SIM_BUCKETS = 8,
	SIM_LANE = 3,			/* of the byte: the lane above, the kind below */
	SIM_PATH = 32,			/* calls told of the way to a stack's deepest point */
	SIM_BUCKETS_A_SECOND = 131072,	/* the first bucket ends at about a second / this * 2 */
};

/* Ticks below which a call is in bucket i; the last has no bound. */
static inline uint64_t sim_bound(uint64_t ticks_per_second, unsigned i)
{
	uint64_t below = 1;

	while (below < ticks_per_second / SIM_BUCKETS_A_SECOND)
		below <<= 1;
	return below << (2 * i + 1);
}

static inline unsigned sim_bucket(uint64_t ticks_per_second, uint64_t ticks)
{
	unsigned i = 0;

	while (i < SIM_BUCKETS - 1 && ticks >= sim_bound(ticks_per_second, i))
		i++;
	return i;
}

#endif
