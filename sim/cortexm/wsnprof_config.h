/*
 * The simulated nodes' settings: the board's clock (boards/NAME/chip_clock.h) and what the build
 * defines on the command line (sim/cortexm/build.mk).
 */
#include "chip_clock.h"

/* SysTick; or the clock that wsnprof_init() finds: QEMU has no CYCCNT. */
#if defined(NODE_SYSTICK) || defined(NODE_CLOCK_FOUND)
#undef WSNPROF_CLOCK_ADDRESS
#undef WSNPROF_CLOCK_CAPTURE
#undef WSNPROF_CLOCK_DOWN
#endif
#ifdef NODE_SYSTICK
#define WSNPROF_CLOCK_SYSTICK 1
#endif

#ifndef WSNPROF_NAME
#define WSNPROF_NAME "cortexm"
#endif
