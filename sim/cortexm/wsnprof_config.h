/*
 * The simulated nodes' settings: the board's clock (boards/NAME/chip_clock.h) and what the build says on the command line
 * (sim/cortexm/build.mk).
 */
#include "chip_clock.h"

#ifndef WSNPROF_NAME
#define WSNPROF_NAME "cortexm"
#endif
