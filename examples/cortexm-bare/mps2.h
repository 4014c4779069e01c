/*
 * mps2: the little of ARM's MPS2 board (AN385, Cortex-M3, 25 MHz) that the examples use: a UART, a
 * timer, the core's own registers. QEMU simulates it: qemu-system-arm -M mps2-an385.
 */
#ifndef MPS2_H
#define MPS2_H

#include <stdint.h>

#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define CORE_HZ 25000000

/* ARMv7-M ARM, B3.2 to B3.4 */
#define SYST_CSR REG32(0xe000e010)
#define SYST_RVR REG32(0xe000e014)
#define SYST_CVR REG32(0xe000e018)
#define NVIC_ENABLE REG32(0xe000e100)
#define NVIC_PEND REG32(0xe000e200)
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(uintptr_t)(0xe000e400 + (irq)))
#define ICSR REG32(0xe000ed04)
#define ICSR_PENDSV (1ul << 28)
#define PRIORITY_PENDSV (*(volatile uint8_t *)0xe000ed22)
#define PRIORITY_SYSTICK (*(volatile uint8_t *)0xe000ed23)

enum { HIGHEST = 0x00, LOW = 0x80, LOWEST = 0xe0 };

/* Cortex-M System Design Kit TRM (DDI 0479), 4.2 and 4.3 */
#define UART_DATA REG32(0x40004000)
#define UART_STATE REG32(0x40004004)		/* bit 0: no room */
#define UART_CONTROL REG32(0x40004008)		/* bits 0, 2: transmit, its interrupt */
#define UART_CLEAR REG32(0x4000400c)
#define UART_DIVIDER REG32(0x40004010)
#define TIMER_CONTROL REG32(0x40000000)		/* bits 0, 3: on, interrupt */
#define TIMER_VALUE REG32(0x40000004)
#define TIMER_RELOAD REG32(0x40000008)
#define TIMER_CLEAR REG32(0x4000000c)
enum { IRQ_UART_TX = 1, IRQ_TIMER = 8, IRQS = 32 };

#define BAUD 115200

#endif
