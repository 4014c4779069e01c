/*
 * wsnprof_table: the call sites and the call stack. For the runtime's own files; the hooks of a
 * chip inline the fast paths from here.
 *
 *	buckets[]   hash of (from, to) -> site, open addressing, at most 2/3 full
 *	sites[]     dense, in order of first use: a report walks it, and row 0..count-1 never move
 *	stack[]     one frame an open call: when it began, and its site, so that leaving needs no search.
 *		    A frame below the first and one above the last hold the spill site, whose key no
 *		    call has: a stack that is empty or over-full fails the comparison made anyway
 *
 * Touch it with interrupts off (wsnprof_lock) or while wsnprof_running is false.
 */
#ifndef WSNPROF_TABLE_H
#define WSNPROF_TABLE_H

#include "wsnprof.h"
#include "wsnprof_defaults.h"
#include "wsnprof_port.h"

/* Paper 1, figure 5b: 16 bytes where an address is 16 bits. */
struct wsnprof_site {
	wsnprof_address from;
	wsnprof_address to;
	uint32_t calls;
	uint32_t total;
	uint16_t min;
	uint16_t max;
};

struct wsnprof_frame {
	uint32_t since;
	struct wsnprof_site *site;
};

/* A power of two that leaves a third of the buckets free. */
#define WSNPROF_BUCKETS \
	(WSNPROF_SITES <= 10 ? 16 : WSNPROF_SITES <= 21 ? 32 : WSNPROF_SITES <= 42 ? 64 : \
	 WSNPROF_SITES <= 85 ? 128 : WSNPROF_SITES <= 170 ? 256 : WSNPROF_SITES <= 341 ? 512 : 1024)

struct wsnprof_table {
	struct wsnprof_frame *top;	/* first free frame; WSNPROF_STACK_END + 1 while deep > 0 */
	uint16_t deep;			/* open calls beyond the full stack */
	uint32_t lost_deep;		/* calls that the full stack lost */
	uint32_t cut;			/* frames dropped unfinished: longjmp, noreturn */
	uint16_t count;			/* sites in use */
	uint32_t ran;			/* ticks profiled, up to `started` */
	uint32_t started;
	struct wsnprof_site spill;	/* stands in for sites that do not fit; key 0, 0 */
	struct wsnprof_frame stack[WSNPROF_STACK + 2];
	struct wsnprof_site sites[WSNPROF_SITES];
	struct wsnprof_site *buckets[WSNPROF_BUCKETS];	/* free: &spill, so a look-up compares only */
};

#define WSNPROF_STACK_BASE (wsnprof_table.stack + 1)
#define WSNPROF_STACK_END (WSNPROF_STACK_BASE + WSNPROF_STACK)

/* The one instance: the compiler's hooks have no argument to pass it in. */
extern struct wsnprof_table wsnprof_table;
extern volatile uint8_t wsnprof_running;

/* The slow paths of the hooks, entered with interrupts off; they do it all, wsnprof_unlock too. */
void wsnprof_enter_slowly(wsnprof_address from, wsnprof_address to, uint8_t lock) WSNPROF_QUIET;
void wsnprof_leave_slowly(wsnprof_address from, wsnprof_address to, uint32_t now,
			  uint8_t lock) WSNPROF_QUIET;

/* Ticks profiled so far. */
uint32_t wsnprof_ran(void) WSNPROF_QUIET;

WSNPROF_INLINE uint16_t wsnprof_bucket(wsnprof_address from, wsnprof_address to)
{
	return (uint16_t)(from + (from >> 8) + to) & (WSNPROF_BUCKETS - 1);
}

WSNPROF_INLINE void wsnprof_site_add(struct wsnprof_site *site, uint32_t took)
{
	uint16_t took16 = took >> 16 ? UINT16_MAX : (uint16_t)took;

	site->calls++;
	site->total += took;
	if (took16 < site->min)
		site->min = took16;
	if (took16 > site->max)
		site->max = took16;
}

/*
 * A call begins. The clock is read last, so that the search is not in the measured time. Whatever
 * is not plain ends in a tail call: nothing has to be saved for it.
 */
WSNPROF_INLINE void wsnprof_enter(wsnprof_address from, wsnprof_address to)
{
	uint8_t lock = wsnprof_lock();
	struct wsnprof_table *t = &wsnprof_table;
	struct wsnprof_frame *frame = t->top;
	struct wsnprof_site *site = t->buckets[wsnprof_bucket(from, to)];

	if (frame >= WSNPROF_STACK_END || site->from != from || site->to != to) {
		wsnprof_enter_slowly(from, to, lock);
		return;
	}
	frame->site = site;
	t->top = frame + 1;
	frame->since = wsnprof_now();
	wsnprof_unlock(lock);
}

/* A call ends. The clock is read first. */
WSNPROF_INLINE void wsnprof_leave(wsnprof_address from, wsnprof_address to)
{
	uint8_t lock = wsnprof_lock();
	uint32_t now = wsnprof_now();
	struct wsnprof_frame *frame = wsnprof_table.top - 1;
	struct wsnprof_site *site = frame->site;

	if (site->from != from || site->to != to) {
		wsnprof_leave_slowly(from, to, now, lock);
		return;
	}
	wsnprof_table.top = frame;
	wsnprof_site_add(site, now - frame->since);
	wsnprof_unlock(lock);
}

#endif
