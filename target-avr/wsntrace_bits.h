/*
 * wsntrace_bits: what the hooks of a call trace without a table and its sender share
 * (WSNPROF_TRACE 3 to 6; docs/PROTOCOL.md, 9). For C and assembly. For the runtime's own files.
 *
 * A lane's tokens are a string of bits in a ring of 256 bytes, the lowest bit of a byte first. Of
 * the live lane the hooks keep in registers that an interrupt leaves as they were:
 *
 *	position	1 << (bits in the byte that fills); 0: nothing is told
 *	byte		the byte that fills
 *	depth		calls open; counted also when nothing is told
 *
 * A handler's hook makes the handlers' lane live, and its end the other again: no hook is locked.
 * Of a trace by control flow they are:
 *
 *	position	the byte that fills, its bits at the top; below them a 1, then 0
 *	base		`place` when the lane became live
 *	place		where in wsntrace_places the return address of the next call out goes: of a
 *			call of what is not followed
 *
 * and `told` stands for position 0. When the ring is full, position is kept in `held`: what was
 * told is whole, and what follows is counted until the sender has sent it all.
 */
#ifndef WSNTRACE_BITS_H
#define WSNTRACE_BITS_H

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

#define WSNTRACE_BITS (WSNPROF_TRACE >= 3)
#define WSNTRACE_FLOW (WSNPROF_TRACE == 6)
#define WSNTRACE_BITS_LANES (1 + (WSNPROF_TRACE_HANDLERS > 0))

/* Of a lane; places are in its ring. The main lane's first four are in bits_live and registers. */
WSNPROF_STRUCT(bits_lane)
	WSNPROF_MEMBER(bits_lane, uint8_t, w)		/* of the byte that fills */
	WSNPROF_MEMBER(bits_lane, uint8_t, limit)	/* w comes there: the ring is full */
	WSNPROF_MEMBER(bits_lane, uint8_t, position)
#if WSNTRACE_FLOW
	WSNPROF_MEMBER(bits_lane, uint8_t, told)
	WSNPROF_MEMBER(bits_lane, uint8_t, held)	/* position, when it was told no more */
#else
	WSNPROF_MEMBER(bits_lane, uint8_t, byte)
	WSNPROF_MEMBER(bits_lane, uint8_t, held)	/* position, while it is 0 */
	WSNPROF_MEMBER(bits_lane, uint8_t, floor)	/* least depth since then */
#endif
	WSNPROF_ARRAY(bits_lane, uint8_t, untold, 4)	/* calls counted alone */
WSNPROF_STRUCT_END(bits_lane)

/* Of the live lane; while handlers run, the main lane's are in `under`. */
WSNPROF_STRUCT(bits_live)
	WSNPROF_MEMBER(bits_live, uint8_t, w)
	WSNPROF_MEMBER(bits_live, uint8_t, limit)
	WSNPROF_MEMBER(bits_live, uint8_t, page)	/* of the ring's address */
	WSNPROF_MEMBER(bits_live, uint8_t, on)
	WSNPROF_MEMBER(bits_live, uint8_t, nesting)	/* of interrupt handlers */
	WSNPROF_ARRAY(bits_live, uint8_t, under, 5)	/* w, limit, position, byte, depth */
	WSNPROF_ARRAY(bits_live, uint8_t, inner, 3)	/* of the handler that was interrupted */
WSNPROF_STRUCT_END(bits_live)

/* `position` of a byte without bits, of a trace by control flow. */
#define WSNTRACE_NO_BITS 0x80

/*
 * Calls out that are open at once, in all lanes: the return address, low byte first, and the stack
 * pointer behind the return. That tells those from which a longjmp() came back.
 */
#define WSNTRACE_PLACES 15
#ifdef __AVR_3_BYTE_PC__
#define WSNTRACE_PLACE_ADDRESS 3
#else
#define WSNTRACE_PLACE_ADDRESS 2
#endif
#define WSNTRACE_PLACE_BYTES (WSNTRACE_PLACE_ADDRESS + 2)

#ifndef __ASSEMBLER__

#include "wsnprof.h"

extern struct wsnprof_bits_live wsntrace_bits;
extern struct wsnprof_bits_lane wsntrace_bits_lanes[WSNTRACE_BITS_LANES];

#if WSNTRACE_FLOW
extern uint8_t wsntrace_places[WSNTRACE_PLACES * WSNTRACE_PLACE_BYTES];
#endif

/* The hook of a return; longjmp() calls it for calls that it skips. */
void wsntrace_exit(void);

#endif

#endif
