/*
 * itm/registers: what is written to a Cortex-M, and compared when read back, until PCs, exceptions
 * and text come out of its SWO pin. A table of facts; who carries it out is setup.c.
 *
 * Sources: ARMv7-M Architecture Reference Manual (DDI 0403E.e), C1.6.5 DEMCR, C1.7 ITM, C1.8 DWT,
 * C1.10 TPIU; of the pins the chips' own manuals: RM0008 31.16 and its like for STM32, RM0433 60.5
 * for the STM32H7, whose trace port runs at a PLL's clock (its trace_hz is the user's to say); the
 * nRF52832 product specification, CLOCK.TRACECONFIG, and the pins by Nordic's start code.
 */
#ifndef WSNTOP_WIRE_ITM_REGISTERS_H
#define WSNTOP_WIRE_ITM_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { SWO_ROWS = 24 };

#define SWO_BAUD 2000000.0		/* where nobody named one and nothing is set */
#define SWO_DEMCR 0xe000edfcu
#define SWO_DWT_CTRL 0xe0001000u
#define SWO_CYCCNT 0xe0001004u
#define SWO_SPPR 0xe00400f0u
#define SWO_ACPR 0xe0040010u
#define SWO_DEMCR_TRCENA (1u << 24)
#define SWO_CTRL_CYCCNTENA 1u
#define SWO_CTRL_EXCTRCENA (1u << 16)
#define SWO_SPPR_NRZ 2u

/* The bits of `mask` become those of `value`, the others stay. */
struct swo_register {
	const char *name;
	uint32_t address, value, mask;
	uint32_t check;			/* bits that must be there when it is read back */
	const char *wrong;		/* the sentence if they are not */
};

struct swo_terms {
	double clock_hz;		/* of the core; 0: only what needs none */
	double baud;
	const char *chip;		/* a name of swo_chips, or "" */
	double trace_hz;		/* the trace port's own clock; 0: as the chip's row says */
};

struct swo_plan {
	struct swo_register rows[SWO_ROWS];
	size_t count;
	double baud;			/* as the divider makes it */
	double pc_hz;			/* PC samples a second: half of what the line carries; 0:
					 * it is too slow for any */
};

/* What comes first, for any chip: the trace units have power, cycles are counted. */
void swo_plan_begin(struct swo_plan *plan);

/* All else. 0, or ERR_USAGE with the sentence: no such chip, no divider of the clock for baud. */
int swo_plan_make(struct swo_plan *plan, const struct swo_terms *terms, struct err *err);

/* The trace port's own clock, where it is not the core's; 0: it is. */
double swo_chip_clock(const char *chip);

/* That of the divider: named, the chip's own, or the core's. */
double swo_trace_clock(const struct swo_terms *terms);

/* "stm32, stm32l5, stm32h7, nrf52, nrf52832, nrf52840" */
const char *swo_chip_names(char *dst, size_t size);

#endif
