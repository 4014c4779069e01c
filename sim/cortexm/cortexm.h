/*
 * cortexm: the core's own registers (ARMv6-M and ARMv7-M ARM, B3), as far as the firmware uses
 * them.
 */
#ifndef CORTEXM_H
#define CORTEXM_H

#include <stdint.h>

#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define SYST_CSR REG32(0xe000e010)	/* bits 0, 1, 2: on, interrupt, the core's clock */
#define SYST_RVR REG32(0xe000e014)
#define SYST_CVR REG32(0xe000e018)
#define ICSR REG32(0xe000ed04)
#define ICSR_PENDSVSET (1ul << 28)
#define ICSR_PENDSTSET (1ul << 26)
#define CPACR REG32(0xe000ed88)

enum {
	EXCEPTION_PENDSV = 14,
	EXCEPTION_SYSTICK = 15,
	PRIORITY_HIGHEST = 0x00,	/* v6-M has the two high bits alone */
	PRIORITY_HIGH = 0x40,
	PRIORITY_LOW = 0x80,
	PRIORITY_LOWEST = 0xc0,
};

static inline __attribute__((no_instrument_function)) void irq_enable(unsigned int irq)
{
	REG32(0xe000e100 + 4 * (irq / 32)) = 1ul << irq % 32;
}

/* By words: v6-M knows no others here. */
static inline __attribute__((no_instrument_function))
void priority_set(uint32_t base, unsigned int n, uint32_t priority)
{
	uint32_t shift = 8 * (n % 4), address = base + n / 4 * 4;

	REG32(address) = (REG32(address) & ~(0xfful << shift)) | priority << shift;
}

static inline __attribute__((no_instrument_function))
void irq_priority(unsigned int irq, uint32_t priority)
{
	priority_set(0xe000e400, irq, priority);
}

/* PendSV and SysTick. */
static inline __attribute__((no_instrument_function))
void system_priority(unsigned int exception, uint32_t priority)
{
	priority_set(0xe000ed14, exception, priority);
}

#endif
