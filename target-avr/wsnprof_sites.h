/*
 * wsnprof_sites: between wsnprof_hooks.S and wsnprof_sites.c. For the AVR half's own files; the layouts are in
 * wsnprof_arch.h.
 */
#ifndef WSNPROF_SITES_H
#define WSNPROF_SITES_H

#include "wsnprof_send.h"

struct wsnprof_site {
	uint16_t from;
	uint16_t to;
	uint8_t fresh;
	uint8_t calls[3];
#if WSNPROF_LEVEL > 0
	uint32_t total;
	uint16_t min;
	uint16_t max;
#endif
};

struct wsnprof_level {
	uint8_t wraps_high;
	uint16_t sp;
	uint8_t wraps_low;
	uint8_t t[2];			/* big-endian */
	void *site;
};

extern struct wsnprof_site wsnprof_table[WSNPROF_SITES];

/* Behind the table: see wsnprof_hooks.S. */
extern uint8_t wsnprof_table_end[4];

#if WSNPROF_LEVEL > 2
extern uint8_t wsnprof_buckets[24 * WSNPROF_SITES];
#endif

/* The run: wraps here, those of the open levels, and T; when stopped, only these. */
struct wsnprof_run {
	uint32_t wraps;
	uint16_t t;
};
extern struct wsnprof_run wsnprof_run;

#if WSNPROF_LEVEL > 0
extern struct wsnprof_level wsnprof_stack[WSNPROF_STACK];
extern uint16_t wsnprof_deep;
extern void *wsnprof_deep_site;
#endif

/* What the compiler calls, with addresses in words. */
void __cyg_profile_func_enter(void *callee, void *call_site) WSNPROF_QUIET;
void __cyg_profile_func_exit(void *callee, void *call_site) WSNPROF_QUIET;

/* The site's `calls` went over 24 bits: count it in its extension. Interrupts are off. */
void wsnprof_carry(struct wsnprof_site *site) WSNPROF_QUIET;

/* T, an overflow that is pending counted. Interrupts are off. */
uint16_t wsnprof_clock(void) WSNPROF_QUIET;

#endif
