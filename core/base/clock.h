/*
 * clock: nanoseconds that never go back (CLOCK_MONOTONIC), and the wall clock.
 */
#ifndef WSNTOP_BASE_CLOCK_H
#define WSNTOP_BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

uint64_t clock_now(void);		/* monotonic, ns */
uint64_t clock_wall(void);		/* since 1970, ns */

#endif
