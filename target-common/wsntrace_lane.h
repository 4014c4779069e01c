/*
 * wsntrace_lane: what the hooks of a call trace and its sender share (WSNPROF_TRACE;
 * docs/PROTOCOL.md, 9). For C and assembly. For the runtime's own files.
 *
 * A lane is what no other part of the program interrupts but to come back: the main program, the
 * interrupt handlers. Its hooks therefore need no lock. A handler's hook makes the handlers' lane
 * the live one, and its end makes the other live again.
 *
 * With WSNPROF_TASKS a task goes on where another was interrupted, and its lane is live then. The
 * sender, which runs in one of them, meets the others' with calls open, but none in the midst of a
 * hook: there, interrupts are off.
 *
 * The chip's wsntrace_arch.h has its layout: a table of the calls that returned last, the tokens,
 * and the open calls: hash of the caller, place of OPEN; place 0: it was sent, or the hook's slow
 * part has to look. While a `mode` is set every hook comes to its slow part, and w_true is where
 * the next token comes; else that is only where the hooks keep it (wsntrace_hold()).
 */
#ifndef WSNTRACE_LANE_H
#define WSNTRACE_LANE_H

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

/* wsntrace_lane.mode: bits. */
#define WSNTRACE_OFF 1		/* nothing is told or counted */
#define WSNTRACE_BOX 2		/* in a call that is counted alone, with all calls in it */
#define WSNTRACE_TOP 4		/* at the top level or above: the next call gets a stamp */
#define WSNTRACE_GAP 8		/* calls found no room: `gap` of them are still to be told */
#define WSNTRACE_BROKEN 16	/* a return found no room: nothing is told until all is sent */
#define WSNTRACE_DEAF 32	/* the hash does not go on in the box: no room */
#define WSNTRACE_OFF_BIT 0
#define WSNTRACE_BOX_BIT 1
#define WSNTRACE_DEAF_BIT 5

/* Why the slow part is called. */
#define WSNTRACE_ENTER 0
#define WSNTRACE_LEAF 1
#define WSNTRACE_EXIT 2
#define WSNTRACE_BOX_END 3
#define WSNTRACE_HANDLER_ENTER 4
#define WSNTRACE_HANDLER_EXIT 5

#define WSNTRACE_FULL 232	/* no call from here on: ends of calls have the rest */
#define WSNTRACE_RESUME 100	/* nor behind calls that found no room, until fewer wait */
#define WSNTRACE_LEAVE 250	/* nor a CLOSE, but for the slow part's */

/* Units: a call that takes so long is told each time; a reference to one that did has a stamp. */
#if WSNPROF_TRACE_LONG
#define WSNTRACE_LONG wsntrace_bounds.longer
#define WSNTRACE_MEDIUM wsntrace_bounds.medium
#else
#define WSNTRACE_LONG 2
#define WSNTRACE_MEDIUM 1
#endif

/*
 * Stamps of calls below the top level leave room for tokens: there are none where more wait. The
 * place of an OPEN tells whether a stamp is before it: of those that come up to 3 bytes behind the
 * bound, a reference keeps the stamp.
 */
#define WSNTRACE_STAMPED 128
#define WSNTRACE_UNSTAMPED (WSNTRACE_STAMPED + 3)

/* WSNPROF_TRACE_ALIKE: how far two times are alike: 1 of 1 << SHIFT, and so many units. */
#if WSNPROF_TRACE_ALIKE == 4
#define WSNTRACE_ALIKE_SHIFT 2
#elif WSNPROF_TRACE_ALIKE == 8
#define WSNTRACE_ALIKE_SHIFT 3
#elif WSNPROF_TRACE_ALIKE == 16
#define WSNTRACE_ALIKE_SHIFT 4
#elif WSNPROF_TRACE_ALIKE == 32
#define WSNTRACE_ALIKE_SHIFT 5
#elif WSNPROF_TRACE_ALIKE
#error "WSNPROF_TRACE_ALIKE: 4, 8, 16 or 32"
#endif
#define WSNTRACE_ALIKE_SLACK 3

#define WSNTRACE_NARROW 0x7c	/* the greatest id of one byte */
#define WSNTRACE_SLOTS 128

#include "wsntrace_arch.h"

#if WSNPROF_TRACE_LONG && !defined(WSNTRACE_LONG_HOOKS)
#error "WSNPROF_TRACE_LONG: this chip's hooks have no stamps below the top level"
#endif
#if WSNPROF_TRACE_EVERY && !defined(WSNTRACE_EVERY_HOOKS)
#error "WSNPROF_TRACE_EVERY: this chip's hooks have no stamps of calls that call nothing"
#endif
#if WSNPROF_TRACE_ALIKE && !defined(WSNTRACE_ALIKE_HOOKS)
#error "WSNPROF_TRACE_ALIKE: this chip's table does not keep how long calls took"
#endif

#ifndef __ASSEMBLER__

#include "wsnprof.h"

#if WSNPROF_TRACE_LONG
extern struct wsntrace_bounds {
	uint16_t longer, medium;
} wsntrace_bounds;
#endif

/* WSNPROF_TRACE_SAMPLE: wsntrace_top() was before it. */
void wsntrace_sample(void) WSNPROF_QUIET;

/* What the hooks leave to it. `id`: the function's, where one is entered. */
void wsntrace_slow(uint16_t id, uint8_t why) WSNPROF_QUIET;

/* All lanes empty and off. Then on; off again: what was told stays. */
void wsntrace_init(void) WSNPROF_QUIET;
void wsntrace_start(void) WSNPROF_QUIET;
void wsntrace_stop(void) WSNPROF_QUIET;

/* w_true is right. */
void wsntrace_hold(struct wsntrace_lane *l) WSNPROF_QUIET;
/* The hooks go on from there. */
void wsntrace_release(struct wsntrace_lane *l) WSNPROF_QUIET;

/*
 * Whoever calls wsnprof_poll() is at the top level. The open calls, whose frames end at sp, are not
 * taken back any more.
 */
void wsntrace_pin(struct wsntrace_lane *l, wsntrace_sp sp) WSNPROF_QUIET;
void wsntrace_top(void) WSNPROF_QUIET;

/*
 * Calls that found no room are told where there is room now. Of the held lane. `now`: it ends with
 * what is told next; else some time ago.
 */
bool wsntrace_gap_tell(struct wsntrace_lane *l, uint8_t end, bool now) WSNPROF_QUIET;

/* No other task goes on before it is unlocked. */
#define wsntrace_lock() (WSNPROF_TASKS ? wsnprof_lock() : (wsnprof_mask)0)
#define wsntrace_unlock(mask) (WSNPROF_TASKS ? wsnprof_unlock(mask) : (void)(mask))

#endif

#endif
