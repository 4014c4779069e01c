/*
 * The simulated nodes' settings: the board's clock (boards/NAME/chip_clock.h) and what the build
 * defines on the command line (sim/cortexm/build.mk).
 */
#include "chip_clock.h"

#ifdef NODE_SYSTICK
#undef WSNPROF_CLOCK_ADDRESS
#undef WSNPROF_CLOCK_DOWN
#define WSNPROF_CLOCK_SYSTICK 1
#endif

#ifndef WSNPROF_NAME
#define WSNPROF_NAME "cortexm"
#endif
