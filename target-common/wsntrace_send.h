/*
 * wsntrace_send: the lanes of a call trace, and their tokens on their way (docs/PROTOCOL.md, 9).
 * For the runtime's own files. The chip gives, in wsnprof_port.h:
 *
 *	wsntrace_units()		uint16_t: the clock's low bits, as stamps count
 *	wsntrace_ticks()		uint32_t: the clock; a unit is 1 << WSNTRACE_SHIFT of them
 *	wsntrace_hash(lane), _hash_set(lane, h), _hash_byte(h, n)
 *					of the live lane's innermost open call
 *	wsntrace_hash_own(lane)		the same, without what its callers did before it
 *	wsntrace_is_known(lane, h)	its table holds that hash; else, from now on
 *	wsntrace_call_at(lane, sp)	the open call whose frame ends there
 *	wsntrace_call_keep(call, h), _kept(call)
 *					its caller's hash
 *	wsntrace_call_return(lane)	the innermost is over; its hash is added to its caller's
 *	wsntrace_place(lane, index), _index(lane, place)
 *					of a token, as its frame keeps it; 0 stays 0
 *	wsntrace_w(lane), _w_show(lane)	where the hooks put the next token: an index; it is w_true
 *	wsntrace_w_hide(lane)		all hooks go to the slow part
 *	wsntrace_lane_hide(lane), wsntrace_live_begin(lane)
 *					the same of any lane; this one is live, and empty
 *	wsntrace_lane_live()		the live lane
 *	wsntrace_is_live(lane)		it is; not so where there is none: what calls is counted
 *	wsntrace_lane_take(calls), _leave(lane)
 *					the same, or NULL: it is off, or not to be touched
 *					here, where so many calls are counted
 *	wsntrace_nested(lane)		calls that were counted there
 *	wsntrace_others_count(on)	calls in tasks that have no lane are counted there, too
 *	wsntrace_page(lane)		names it
 *	WSNTRACE_PLACE, _PLACE_EACH	attribute of the lanes; of those in an array
 */
#ifndef WSNTRACE_SEND_H
#define WSNTRACE_SEND_H

#include "wsnprof_send.h"
#include "wsntrace_lane.h"

/* Bits of a TRACE frame's first byte; TRACING's first. */
#define WSNTRACE_STACK 0x10
#define WSNTRACE_RESYNC 0x20
#define WSNTRACE_PACKED 0x40

/* Tokens of encodings 1, 7 and 8. */
#define WSNTRACE_STAMP 0x00
#define WSNTRACE_STAMP_SHORT 0x7d
#define WSNTRACE_STAMP_OWN 0x80
#define WSNTRACE_CLOSE 0x7e
#define WSNTRACE_REF 0x7f
#define WSNTRACE_AWAY 0xfd
#define WSNTRACE_WIDE 0xfe
#define WSNTRACE_MORE 0xff
#define WSNTRACE_MORE_FORGET 1
#define WSNTRACE_MORE_BOX 2
#define WSNTRACE_MORE_BOX_REF 3
#define WSNTRACE_MORE_MARK 4
#define WSNTRACE_MORE_VALUE 5
#define WSNTRACE_MORE_STATE 6
#define WSNTRACE_MORE_GAP 7

#define WSNTRACE_FIRST_TASK (1 + (WSNPROF_TRACE_HANDLERS > 0))
#define WSNTRACE_LANES (WSNTRACE_FIRST_TASK + (WSNPROF_TASKS))

/* The main program's, or a task's. The last level is a box's. */
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
#endif

#if WSNPROF_TASKS
struct wsntrace_task {
	struct wsntrace_main is;
} WSNTRACE_PLACE_EACH;
extern struct wsntrace_task wsntrace_tasks[WSNPROF_TASKS];

/* Another task has this lane from here on. */
void wsntrace_task_begin(uint8_t task) WSNPROF_QUIET;
#endif

#if WSNPROF_TRACE_JUMPS > 0
/* Before setjmp(), before longjmp(). */
void wsntrace_jump_set(const void *buf) WSNPROF_QUIET;
void wsntrace_jump(const void *buf) WSNPROF_QUIET;
#endif

/* The next frame; false: none is due. */
bool wsntrace_send(void) WSNPROF_QUIET;

/* With each poll: some of the tokens that wait go into the lanes' frames. */
void wsntrace_pack(void) WSNPROF_QUIET;

/* With the next HELLO: TRACING. All tables are forgotten. */
void wsntrace_announce(void) WSNPROF_QUIET;
void wsntrace_forget(void) WSNPROF_QUIET;

/* Nothing waits to be sent. */
bool wsntrace_idle(void) WSNPROF_QUIET;

#endif
