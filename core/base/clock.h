/*
 * clock: nanoseconds that never go back (CLOCK_MONOTONIC), and the wall clock.
 */
#ifndef WSNTOP_BASE_CLOCK_H
#define WSNTOP_BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

uint64_t clock_now(void);		/* monotonic, ns */
uint64_t clock_wall(void);		/* since 1970, ns */

/* For poll(2): ms from `now` until `then`, rounded up, an hour at most; 0: it is past. */
int clock_ms_until(uint64_t then, uint64_t now);

/* The shorter of two waits in ms, of which -1 is the endless one. */
int clock_sooner(int a, int b);

#endif
