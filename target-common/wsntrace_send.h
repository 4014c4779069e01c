/*
 * wsntrace_send: the lanes of a call trace, and their tokens on their way (docs/PROTOCOL.md, 9).
 * For the runtime's own files. The chip gives, in wsnprof_port.h:
 *
 *	wsntrace_units()		uint16_t: the clock's low bits, as stamps count
 *	wsntrace_ticks()		uint32_t: the clock
 *	wsntrace_hash(), _hash_set(h)	of the live lane's innermost open call, 24 bits
 *	wsntrace_lane_live()		the live lane
 *	wsntrace_page(lane)		its wsntrace_live.page
 *	wsntrace_live_set(page)		that lane is the live one; the other's state is in itself
 */
#ifndef WSNTRACE_SEND_H
#define WSNTRACE_SEND_H

#include "wsnprof_send.h"
#include "wsntrace_lane.h"

/* Bits of a TRACE frame's first byte; TRACING's first. */
#define WSNTRACE_STACK 0x10
#define WSNTRACE_RESYNC 0x20
#define WSNTRACE_ENCODING 1

/* Tokens of encoding 1. */
#define WSNTRACE_STAMP 0x00
#define WSNTRACE_STAMP_SHORT 0x7d
#define WSNTRACE_CLOSE 0x7e
#define WSNTRACE_REF 0x7f
#define WSNTRACE_WIDE 0xfe
#define WSNTRACE_MORE 0xff
#define WSNTRACE_MORE_FORGET 1
#define WSNTRACE_MORE_BOX 2
#define WSNTRACE_MORE_MARK 4
#define WSNTRACE_MORE_VALUE 5
#define WSNTRACE_MORE_STATE 6
#define WSNTRACE_MORE_GAP 7

#define WSNTRACE_LANES (1 + (WSNPROF_TRACE_HANDLERS > 0))

/* The last level is a box's. */
struct wsntrace_main {
	struct wsntrace_lane lane;
	struct wsntrace_call calls[WSNPROF_STACK];
};
extern struct wsntrace_main wsntrace_main;

#if WSNPROF_TRACE_HANDLERS > 0
struct wsntrace_handlers {
	struct wsntrace_lane lane;
	struct wsntrace_call calls[WSNPROF_TRACE_HANDLERS];
};
extern struct wsntrace_handlers wsntrace_handlers;
extern uint8_t wsntrace_under;
#endif

#if WSNPROF_TRACE_JUMPS > 0
/* Before setjmp(), before longjmp(). */
void wsntrace_jump_set(const void *buf) WSNPROF_QUIET;
void wsntrace_jump(const void *buf) WSNPROF_QUIET;
#endif

/* The next frame; false: none is due. */
bool wsntrace_send(void) WSNPROF_QUIET;

/* With the next HELLO: TRACING. All tables are forgotten. */
void wsntrace_announce(void) WSNPROF_QUIET;
void wsntrace_forget(void) WSNPROF_QUIET;

/* Nothing waits to be sent. */
bool wsntrace_idle(void) WSNPROF_QUIET;

#endif
