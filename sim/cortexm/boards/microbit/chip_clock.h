/*
 * chip_clock: nRF51's TIMER0, 32 bits up at 16 MHz; its count is read by capture. Also for
 * assembly.
 */
#ifndef CHIP_CLOCK_H
#define CHIP_CLOCK_H

#define BOARD_HZ 16000000
#define NRF_TIMER0 0x40008000
#define NRF_TIMER1 0x40009000
#define NRF_TIMER2 0x4000a000
#define NRF_UART 0x40002000

#define CHIP_IRQ_RECEIVE 2
#define CHIP_IRQ_SAMPLE 9
#define CHIP_IRQ_PACE 10
#define CHIP_IRQS 32
#define CHIP_TICKER_IS_SYSTICK 1

#define WSNPROF_CLOCK_HZ BOARD_HZ
#define WSNPROF_CLOCK_CAPTURE (NRF_TIMER0 + 0x040)
#define WSNPROF_CLOCK_ADDRESS (NRF_TIMER0 + 0x540)

#endif
