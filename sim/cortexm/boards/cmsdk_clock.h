/*
 * cmsdk_clock: what follows for the runtime from where a chip has its CMSDK peripherals. Numbers,
 * for chip_clock.h.
 */
#ifndef CMSDK_CLOCK_H
#define CMSDK_CLOCK_H

#define BOARD_HZ CMSDK_HZ
#define CHIP_IRQ_SAMPLE CMSDK_IRQ_TIMER0
#define CHIP_IRQ_PACE CMSDK_IRQ_TIMER1
#define CHIP_IRQ_TICKER CMSDK_IRQ_DUAL
#define CHIP_IRQ_RECEIVE CMSDK_IRQ_RECEIVE

#define WSNPROF_CLOCK_HZ CMSDK_HZ
#define WSNPROF_CLOCK_ADDRESS (CMSDK_TIMERS + 0x2004)
#define WSNPROF_CLOCK_DOWN 1

#endif
