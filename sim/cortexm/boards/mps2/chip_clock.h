/*
 * chip_clock: the dual timer's first counter, down from 2^32 - 1 at the core's clock. Also for
 * assembly.
 */
#ifndef CHIP_CLOCK_H
#define CHIP_CLOCK_H

#define CMSDK_HZ 25000000
#define CMSDK_TIMERS 0x40000000
#define CMSDK_UART 0x40004000

#define CMSDK_IRQ_RECEIVE 0
#define CMSDK_IRQ_TIMER0 8
#define CMSDK_IRQ_TIMER1 9
#define CMSDK_IRQ_DUAL 10
#define CHIP_IRQS 32

#include "boards/cmsdk_clock.h"

#endif
