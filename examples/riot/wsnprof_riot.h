/*
 * wsnprof_riot: RIOT's threads have shadow stacks, and a thread sends.
 *
 *	#include "wsnprof_riot.h"
 *	wsnprof_riot_start();			main: first
 *
 * Settings, by wsnprof_config.h or CFLAGS: WSNPROF_RIOT_THREADS, so many have a shadow stack of
 * WSNPROF_RIOT_LEVELS calls; the calls of others are counted as lost. WSNPROF_RIOT_UART: UART_DEV(1)
 * where the board has two, else the one of stdio. WSNPROF_RIOT_PRIORITY: 1, of the sender, which
 * takes an eighth of the time at most. docs/integration/riot.md
 */
#ifndef WSNPROF_RIOT_H
#define WSNPROF_RIOT_H

#include "wsnprof.h"

#ifdef __cplusplus
extern "C" {
#endif

void wsnprof_riot_start(void) WSNPROF_QUIET;

#ifdef __cplusplus
}
#endif

#endif
