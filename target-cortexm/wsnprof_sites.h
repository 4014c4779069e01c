/*
 * wsnprof_sites: timed call sites: the table, the shadow stack, and what the hooks' short way
 * leaves to C. For the runtime's own files. Layouts: wsnprof_arch.h.
 */
#ifndef WSNPROF_SITES_H
#define WSNPROF_SITES_H

#include <stdint.h>

#include "wsnprof_send.h"

/* A row is wsnprof_arch.h's words. */
#define WSNPROF_SITE_WORDS (1 << (WSNPROF_SITE_SHIFT - 2))

/*
 * Frames of one task: the first fits no function, the last is there when calls were too many, and
 * marks the first of those that are not counted; the assembly takes it for any other that does
 * not fit.
 */
#define WSNPROF_FRAMES(levels) ((levels) + 2)

/* A handler's frame, or below the first: sp's bit 0. Addresses are multiples of 4. */
#define WSNPROF_EDGE 1u

#if WSNPROF_SITES > 0
extern struct wsnprof_hook wsnprof_hook;
extern uint32_t wsnprof_sites[WSNPROF_SITES * WSNPROF_SITE_WORDS];
#if WSNPROF_AS_V7M
/* While profiling is off: the exit hook reads it as the last call's frame, which fits none. */
extern const struct wsnprof_frame wsnprof_no_frame[1];
#endif
#endif

#if WSNPROF_TIMED
/*
 * The main program's stack; the exception whose handler's frame is the topmost of its kind, 0
 * none.
 */
extern struct wsnprof_frame wsnprof_frames[];
extern uint16_t wsnprof_level;

/* Make the first frame that fits no function; where the next one goes. */
struct wsnprof_frame *wsnprof_stack_empty(struct wsnprof_frame *frame) WSNPROF_QUIET;

/* The lowest handler's frame on the stack; top, if there is none. The stack holds no marker. */
struct wsnprof_frame *wsnprof_first_handler(void) WSNPROF_QUIET;

/*
 * In SysTick's handler: so many ticks of the clock, counted now, passed before it began. No frame
 * of an instrumented handler includes them. Interrupts are off.
 */
void wsnprof_handler_delay(uint32_t late) WSNPROF_QUIET;

#if WSNPROF_TASKS
/* wsnprof_sites_start(): all tasks' frames are void. */
void wsnprof_tasks_start(void) WSNPROF_QUIET;
#endif
#endif

/*
 * The hooks' long way; interrupts are off (level 0: as they were). sp: below it r4 to lr are
 * saved. Those that return a stamp: at which the application's time goes on.
 */
#if WSNPROF_AS && WSNPROF_LEVEL > 0
uint32_t wsnprof_enter_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
	WSNPROF_QUIET;
/* sp: no more than that of the call's frame, and more than those of calls that it made. */
uint32_t wsnprof_exit_slow(uint32_t stamp, uint32_t sp) WSNPROF_QUIET;
#else
void wsnprof_enter_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
	WSNPROF_QUIET;
uint32_t wsnprof_exit_slow(uint32_t function, uint32_t site, uint32_t stamp, uint32_t sp)
	WSNPROF_QUIET;
#endif

/* The row of a call site (0: a handler), made if need be; NULL: no room. Interrupts are off. */
uint32_t *wsnprof_site_row(uint32_t site, uint32_t function) WSNPROF_QUIET;

/* A call has returned. Interrupts are off. */
void wsnprof_site_add(uint32_t *row, uint32_t duration) WSNPROF_QUIET;

/* wsnprof_port_start(), _stop(), wsnprof_rows_clear(), wsnprof_row_put() for this table. */
void wsnprof_sites_start(void) WSNPROF_QUIET;
void wsnprof_sites_stop(void) WSNPROF_QUIET;
void wsnprof_sites_clear(void) WSNPROF_QUIET;
uint8_t *wsnprof_site_put(uint16_t slot, uint8_t want, uint8_t *p) WSNPROF_QUIET;

#endif
