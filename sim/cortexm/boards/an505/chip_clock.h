/* chip_clock: as boards/mps2, in the secure world of the IoT kit. Also for assembly. */
#ifndef CHIP_CLOCK_H
#define CHIP_CLOCK_H

#define CMSDK_HZ 20000000
#define CMSDK_TIMERS 0x50000000
#define CMSDK_UART 0x50200000

#define CMSDK_IRQ_RECEIVE 32
#define CMSDK_IRQ_TIMER0 3
#define CMSDK_IRQ_TIMER1 4
#define CMSDK_IRQ_DUAL 5
#define CHIP_IRQS 64

#define WSNPROF_FLASH_START 0x10000000u

#include "boards/cmsdk_clock.h"

#endif
