/*
 * itm/packet: packets of ARM's ITM and DWT, a byte at a time.
 *
 * Source: ARMv7-M Architecture Reference Manual (DDI 0403E.e), appendix D4, "Debug ITM and DWT
 * packet protocol"; ARMv8-M (DDI 0553) has the same packets.
 *
 *	0000 0000 x5, 1000 0000		synchronization: 47 zero bits, a one
 *	0111 0000			overflow: packets are missing before it
 *	0ttt 0000			local time stamp, ttt 1 to 6
 *	11cc 0000, 1..4 bytes of 7 bits	local time stamp, cc: how late
 *	1001 0100, 1..4 bytes of 7 bits	global time stamp, low part
 *	1011 0100, 4..6 bytes of 7 bits	global time stamp, high part
 *	ceee 1s00, 0..4 bytes of 7 bits	extension
 *	pppp p0ss, 1, 2 or 4 bytes	stimulus port p
 *	dddd d1ss, 1, 2 or 4 bytes	DWT: counters, exceptions, PC samples, data trace
 *
 * Bytes may be anything: a header that is none is told as ITM_RESERVED, and the next byte is one.
 */
#ifndef WSNTOP_WIRE_ITM_PACKET_H
#define WSNTOP_WIRE_ITM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum itm_kind {
	ITM_STIMULUS,			/* id: the port */
	ITM_COUNTERS,			/* value: which of DWT's counters wrapped */
	ITM_EXCEPTION,			/* value: the number; id: enum itm_exception */
	ITM_PC,				/* value: the PC */
	ITM_SLEEP,			/* a PC sample: asleep, or PCs are not permitted */
	ITM_DATA_PC,			/* id: the comparator, of all ITM_DATA_* */
	ITM_DATA_ADDRESS,		/* value: bits 15 to 0 of the address */
	ITM_DATA_READ, ITM_DATA_WRITE,	/* value: what was read or written */
	ITM_DATA_MATCH,			/* v8-M: it matched */
	ITM_LOCAL_TIME,			/* value: ticks since the last one; id: enum itm_late */
	ITM_GLOBAL_TIME,		/* id: 0 the low part, whose bits 26 and 27 are "the clock
					 * changed", "it wrapped"; 1 the high one */
	ITM_EXTENSION,
	ITM_OVERFLOW,
	ITM_SYNC,
	ITM_RESERVED,
	ITM_KINDS
};

enum itm_exception { ITM_ENTERED = 1, ITM_EXITED, ITM_RETURNED };

/* How a local time stamp relates to the packets before it. */
enum itm_late { ITM_TIME_LATE = 1, ITM_EVENT_LATE = 2 };	/* or-ed */

struct itm_packet {
	enum itm_kind kind;
	uint8_t id;
	uint8_t size;			/* bytes of value, as sent */
	uint8_t bytes;			/* of the whole packet */
	uint64_t value;
};

/* Zeroed at the beginning of a stream. */
struct itm_parser {
	uint8_t head;
	uint8_t need, have;		/* bytes behind the header: at most, so far */
	bool groups;			/* 7 bits a byte, bit 7: another follows */
	uint64_t value;
	uint64_t zeros;			/* before a header */
	uint64_t run;			/* of zeros, those of a packet included */
	uint64_t skipped;		/* zeros that were no synchronization, and those of one that
					 * a packet cut short has for its own */
};

/* True: *packet is complete. */
bool itm_parse(struct itm_parser *p, uint8_t byte, struct itm_packet *packet);

#endif
