/* Comparators, breakpoints, ITM and the SWO pin. */
#include <string.h>

#include "core/base/text.h"
#include "core/probe/parts.h"
#include "core/wire/probe/cores.h"

#define ITM_KEY 0xc5acce55u
#define TCR_ON 1u
#define SPPR_NRZ 2u
#define DEVID_NRZ (1u << 11)
#define ACPR_MASK 0x1fffu
#define USUAL_BAUD 2000000.0

#define ST_DBGMCU_IDCODE 0xe0042000u	/* STM32 but H7: RM0008, 31.6 */
#define ST_DBGMCU_CR 0xe0042004u
#define ST_TRACE_IOEN 0x20u
#define NORDIC_TRACECONFIG 0x4000055cu	/* nRF52: nRF52832 product specification, CLOCK */
#define NORDIC_TRACEMUX (3u << 16)

/* --- comparators and breakpoints -------------------------------------------------------------- */

/* Is its address register there? Only one that nobody uses is tried. */
static bool comparator_holds(struct chain *c, uint32_t at, uint32_t address)
{
	const uint32_t other = address ^ 0x20000000u;
	uint32_t back;

	return chain_try(c, at, address, other, &back) && back == other;
}

static void comparators_say(struct chain *c)
{
	unsigned count = c->dwt >> 28, used = 0;
	bool tried = false, holds = false;

	for (unsigned i = 0; i < count; i++) {
		uint32_t words[3];

		if (!chain_read(c, "watch", "a comparator", REG_DWT_COMP0 + 16 * i, words, 3, true))
			return;
		used += (words[2] & 15) != 0;
		if (!(words[2] & 15) && !tried)
			holds = comparator_holds(c, REG_DWT_COMP0 + 16 * i, words[0]);
		tried |= !(words[2] & 15);
	}
	c->facts->comparators = count;
	c->facts->comparators_used = used;
	if (!count)
		chain_say(c, "watch", DOCTOR_NOTE, NULL, "no comparators: nothing can be watched");
	else if (tried && !holds)
		chain_say(c, "watch", DOCTOR_WARNING, NULL,
			  "%u comparators are announced, but do not keep an address", count);
	else
		chain_say(c, "watch", DOCTOR_OK, NULL, "%u comparators for watches, %u in use",
			  count, used);
}

void chain_units(struct chain *c)
{
	uint32_t fp;

	if (c->trace)
		comparators_say(c);
	if (c->broken || !chain_read(c, "breakpoints", "FP_CTRL", REG_FP_CTRL, &fp, 1, true))
		return;
	c->facts->breakpoints = (fp >> 4 & 15) | (fp >> 12 & 7) << 4;
	chain_say(c, "breakpoints", DOCTOR_OK, NULL, "%u breakpoints in hardware",
		  c->facts->breakpoints);
}

/* --- ITM -------------------------------------------------------------------------------------- */

/* Stimulus ports send nothing as long as TCR.ITMENA is off. */
static bool itm_holds(struct chain *c)
{
	uint32_t ter, back;

	if (target_write(c->target, REG_ITM_LAR, ITM_KEY, NULL) < 0 ||
	    target_read(c->target, REG_ITM_TER, &ter, 1, NULL) < 0)
		return false;
	return chain_try(c, REG_ITM_TER, ter, ter ^ 1, &back) && (back ^ ter) & 1;
}

void chain_itm(struct chain *c)
{
	uint32_t tcr;

	if (c->core && !c->core->itm) {
		chain_say(c, "itm", DOCTOR_NOTE, NULL, "no ITM in a %s: no SWO", c->core->name);
		return;
	}
	if (!c->trace || !chain_read(c, "itm", "ITM_TCR", REG_ITM_TCR, &tcr, 1, true))
		return;
	c->facts->itm = tcr & TCR_ON || itm_holds(c);
	if (!c->facts->itm)
		chain_say(c, "itm", DOCTOR_NOTE, NULL, "this chip has no ITM: no SWO");
	else if (c->dwt & DWT_NOTRCPKT)
		chain_say(c, "itm", DOCTOR_WARNING, NULL,
			  "the ITM is there, but the DWT sends no packets: text only");
	else
		chain_say(c, "itm", DOCTOR_OK, NULL, "the ITM is there, and %s now",
			  tcr & TCR_ON ? "on" : "off");
}

/* --- SWO -------------------------------------------------------------------------------------- */

/* Only of chips whose register is known; nothing is written. */
static void pin_say(struct chain *c)
{
	uint32_t id, word;
	bool st = !strcmp(c->facts->maker, "STMicroelectronics");
	bool nordic = !strcmp(c->facts->maker, "Nordic Semiconductor"), on;

	if (st && (target_read(c->target, ST_DBGMCU_IDCODE, &id, 1, NULL) < 0 || !id))
		return;
	if (st ? target_read(c->target, ST_DBGMCU_CR, &word, 1, NULL) < 0 :
	    !nordic || target_read(c->target, NORDIC_TRACECONFIG, &word, 1, NULL) < 0)
		return;
	on = st ? word & ST_TRACE_IOEN : word & NORDIC_TRACEMUX;
	chain_say(c, "pin", on ? DOCTOR_OK : DOCTOR_NOTE,
		  on ? NULL : st ? "set bit 5 (TRACE_IOEN) of 0xe0042004: mww in OpenOCD"
				 : "set bit 16 of 0x4000055c: mww in OpenOCD",
		  "the SWO pin is %s", on ? "assigned" : "not assigned");
}

static void baud_say(struct chain *c, uint32_t acpr, bool on)
{
	double hz = c->facts->cycles_hz, divided = (acpr & ACPR_MASK) + 1;

	if (on && hz > 0) {
		c->facts->swo_baud = hz / divided;
		chain_say(c, "swo", DOCTOR_OK, NULL,
			  "SWO is set up as a UART of %.3f Mbaud, if the trace clock is the core's",
			  c->facts->swo_baud / 1e6);
	} else if (on) {
		chain_say(c, "swo", DOCTOR_OK, NULL,
			  "SWO is set up as a UART, of the trace clock divided by %.0f", divided);
	} else if (hz > USUAL_BAUD) {
		chain_say(c, "swo", DOCTOR_OK, NULL,
			  "SWO can be a UART, and is off; ACPR %.0f makes 2,000,000 baud, if the "
			  "trace clock is the core's", (double)(int)(hz / USUAL_BAUD + 0.5) - 1);
	} else {
		chain_say(c, "swo", DOCTOR_OK, NULL, "SWO can be a UART, and is off");
	}
}

void chain_swo(struct chain *c)
{
	uint32_t devid, sppr, acpr, tcr;

	if (!c->facts->itm ||
	    !chain_read(c, "swo", "TPIU_DEVID", REG_TPIU_DEVID, &devid, 1, true) ||
	    !chain_read(c, "swo", "TPIU_SPPR", REG_TPIU_SPPR, &sppr, 1, true) ||
	    !chain_read(c, "swo", "TPIU_ACPR", REG_TPIU_ACPR, &acpr, 1, true) ||
	    !chain_read(c, "swo", "ITM_TCR", REG_ITM_TCR, &tcr, 1, true))
		return;
	c->facts->nrz = devid & DEVID_NRZ;
	if (!c->facts->nrz) {
		chain_say(c, "swo", DOCTOR_WARNING, NULL,
			  "SWO cannot be a UART (TPIU_DEVID 0x%" PRIx32 ")", devid);
		return;
	}
	baud_say(c, acpr, sppr == SPPR_NRZ && tcr & TCR_ON);
	pin_say(c);
}
