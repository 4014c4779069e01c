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
#ifdef NODE_CLOCK_BITS
#define WSNPROF_CLOCK_BITS NODE_CLOCK_BITS
#endif
#ifdef NODE_SYSTICK
#define WSNPROF_CLOCK_SYSTICK 1
#endif

/* Where the image ends, by firmware.ld's name. */
#ifdef NODE_FLASH_END
#ifndef __ASSEMBLER__
extern const char flash_end[];
#endif
#define WSNPROF_FLASH_END ((uintptr_t)flash_end)
#endif

/* An instruction takes always the same time (run). */
#define WSNPROF_CLOCK_INSNS 1

#ifndef WSNPROF_NAME
#define WSNPROF_NAME "cortexm"
#endif
