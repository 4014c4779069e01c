#include "core/wire/itm/registers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define ALL UINT32_MAX
#define ACPR_MOST 0x1fffu		/* v7-M's has 13 bits */
#define TPIU 0xe0040000u
#define BAUD_OFF 0.025			/* that a UART bears */

enum {
	BITS_BYTE = 10,
	SAMPLE_BYTES = 8,		/* a PC and the stamp behind it */
	LINE_SHARE = 2,			/* of the line's bytes, one in so many is a PC's */
	TAP_SHORT = 64, TAP_LONG = 1024, POST_MOST = 16,
};

#define CTRL_POSTPRESET(n) ((uint32_t)(n) << 1)
#define CTRL_POSTINIT(n) ((uint32_t)(n) << 5)
#define CTRL_CYCTAP (1u << 9)
#define CTRL_SYNCTAP (1u << 10)
#define CTRL_PCSAMPLENA (1u << 12)
#define CTRL_MASK 0x00011fffu		/* and no counters' packets */

/* --- chips ------------------------------------------------------------------------------------ */

enum { CHIP_ROWS = 6 };

static const char pin_wrong[] =
	"the chip's register for the SWO pin does not take it: is it this chip=?";

/* DIR output, INPUT connected, DRIVE H0H1: as Nordic's start code has it (system_nrf52*.c). */
#define NORDIC_PIN 0x301u

/* Tried with none of them but what the simulated STM32 has: no hardware was at hand. */
static const struct swo_chip {
	const char *name;
	double trace_hz;		/* 0: the core's clock */
	uint32_t base;			/* of its own unit for SWO; 0: the TPIU */
	struct swo_register rows[CHIP_ROWS];
} chips[] = {
	{ .name = "stm32", .rows = {
		/* TRACE_IOEN, TRACE_MODE 0: asynchronous */
		{ "DBGMCU_CR", 0xe0042004, 0x20, 0xe0, 0x20, pin_wrong },
	} },
	{ .name = "stm32l5", .rows = {	/* and U5: as OpenOCD's stm32x5x_common.cfg */
		/* TRACE_IOEN, TRACE_EN; TRACE_MODE 0 */
		{ "DBGMCU_CR", 0xe0044004, 0x30, 0xf0, 0x30, pin_wrong },
	} },
	{ .name = "stm32h7", .base = 0x5c003000, .rows = {
		/* TRACECLKEN, D1DBGCKEN, D3DBGCKEN; its SWO and its funnel are their own units */
		{ "DBGMCU_CR", 0x5c001004, 0x700000, 0x700000, 0x700000, pin_wrong },
		{ "SWTF_LAR", 0x5c004fb0, 0xc5acce55, ALL, 0, "" },
		{ "SWTF_CTRL", 0x5c004000, 1, 1, 1, pin_wrong },
		{ "SWO_LAR", 0x5c003fb0, 0xc5acce55, ALL, 0, "" },
	} },
	{ .name = "nrf52", .trace_hz = 32e6, .rows = {
		/* TRACEMUX serial, TRACEPORTSPEED 32 MHz */
		{ "TRACECONFIG", 0x4000055c, 0x10000, 0x30003, 0x10000, pin_wrong },
	} },
	{ .name = "nrf52832", .trace_hz = 32e6, .rows = {
		{ "TRACECONFIG", 0x4000055c, 0x10000, 0x30003, 0x10000, pin_wrong },
		{ "P0.PIN_CNF[18]", 0x50000748, NORDIC_PIN, ALL, NORDIC_PIN, pin_wrong },
	} },
	{ .name = "nrf52840", .trace_hz = 32e6, .rows = {
		{ "TRACECONFIG", 0x4000055c, 0x10000, 0x30003, 0x10000, pin_wrong },
		{ "P1.PIN_CNF[0]", 0x50000a00, NORDIC_PIN, ALL, NORDIC_PIN, pin_wrong },
	} },
};

static const struct swo_chip *chip_find(const char *name)
{
	for (size_t i = 0; name && i < sizeof(chips) / sizeof(*chips); i++) {
		if (strcmp(chips[i].name, name) == 0)
			return &chips[i];
	}
	return NULL;
}

double swo_chip_clock(const char *chip)
{
	const struct swo_chip *c = chip_find(chip);

	return c ? c->trace_hz : 0;
}

const char *swo_chip_names(char *dst, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < sizeof(chips) / sizeof(*chips) && used < size; i++)
		used += (size_t)snprintf(dst + used, size - used, "%s%s", i ? ", " : "",
					 chips[i].name);
	return dst;
}

/* --- rows that are alike on all of them ------------------------------------------------------- */

static void row_add(struct swo_plan *p, const struct swo_register *r)
{
	if (p->count < SWO_ROWS)
		p->rows[p->count++] = *r;
}

void swo_plan_begin(struct swo_plan *p)
{
	static const struct swo_register rows[] = {
		{ "DEMCR", SWO_DEMCR, SWO_DEMCR_TRCENA, SWO_DEMCR_TRCENA, SWO_DEMCR_TRCENA,
		  "DEMCR.TRCENA does not stay set: power the board off and on, or unlock its "
		  "debug port" },
		{ "DWT_CTRL", SWO_DWT_CTRL, SWO_CTRL_CYCCNTENA, SWO_CTRL_CYCCNTENA,
		  SWO_CTRL_CYCCNTENA,
		  "the DWT counts no cycles: this core has no SWO (a Cortex-M0, M0+ or M23)" },
	};

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		row_add(p, &rows[i]);
}

static void tpiu_plan(struct swo_plan *p, uint32_t divider, uint32_t base)
{
	const uint32_t at = base ? base : TPIU;
	const struct swo_register rows[] = {
		{ "TPIU_SPPR", at + 0xf0, SWO_SPPR_NRZ, ALL, SWO_SPPR_NRZ,
		  "the TPIU takes no NRZ: this chip's SWO is no UART" },
		{ "TPIU_ACPR", at + 0x10, divider - 1, ALL, ACPR_MOST,
		  "TPIU_ACPR does not keep the divider: another debugger sets the baud rate" },
		{ "TPIU_CSPSR", TPIU + 0x04, 1, ALL, 0, "" },
		/* the formatter off: one stream needs no frames */
		{ "TPIU_FFCR", TPIU + 0x304, 0x100, ALL, 0, "" },
	};

	for (size_t i = 0; i < (base ? 2 : sizeof(rows) / sizeof(*rows)); i++)
		row_add(p, &rows[i]);
}

static void itm_plan(struct swo_plan *p)
{
	static const struct swo_register rows[] = {
		{ "ITM_LAR", 0xe0000fb0, 0xc5acce55, ALL, 0, "" },
		/* ID 1; packets of the DWT, synchronization, time stamps by the core's clock */
		{ "ITM_TCR", 0xe0000e80, 0x1000f, 0x7f0f1f, 0x1000f,
		  "the ITM does not stay on: the firmware, or another debugger, sets it too" },
		{ "ITM_TER", 0xe0000e00, ALL, ALL, 1,
		  "the ITM's port 0 does not stay on: no console" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		row_add(p, &rows[i]);
}

/* The fastest rate of which half the line is enough. */
static void dwt_plan(struct swo_plan *p, double clock_hz)
{
	double most = p->baud / BITS_BYTE / LINE_SHARE / SAMPLE_BYTES;
	double cycles = ceil(clock_hz / most);
	bool tap = cycles > TAP_SHORT * POST_MOST;
	unsigned period = tap ? TAP_LONG : TAP_SHORT;
	unsigned post = (unsigned)fmin(POST_MOST, fmax(1, ceil(cycles / period)));
	struct swo_register r = {
		"DWT_CTRL", SWO_DWT_CTRL, 0, CTRL_MASK, 0,
		"the DWT sends no PCs or exceptions: the firmware, or another debugger, sets it "
		"too",
	};

	p->pc_hz = clock_hz / period / post;
	if (p->pc_hz * SAMPLE_BYTES > p->baud / BITS_BYTE)
		p->pc_hz = 0;			/* the slowest are too many */
	r.value = SWO_CTRL_EXCTRCENA | (p->pc_hz > 0 ? CTRL_PCSAMPLENA : 0) | CTRL_SYNCTAP |
		  SWO_CTRL_CYCCNTENA | CTRL_POSTPRESET(post - 1) | CTRL_POSTINIT(post - 1) |
		  (tap ? CTRL_CYCTAP : 0);
	r.check = r.value & ~CTRL_POSTINIT(15);	/* it counts */
	row_add(p, &r);
}

double swo_trace_clock(const struct swo_terms *t)
{
	double own = swo_chip_clock(t->chip);

	return t->trace_hz > 0 ? t->trace_hz : own > 0 ? own : t->clock_hz;
}

static int divider_find(const struct swo_terms *t, double *divider, struct err *err)
{
	double hz = swo_trace_clock(t), off;

	*divider = fmax(1, floor(hz / t->baud + 0.5));
	off = fabs(hz / *divider / t->baud - 1);
	if (off <= BAUD_OFF && *divider <= ACPR_MOST + 1)
		return 0;
	return err_set(err, ERR_USAGE, "a trace clock of %s Hz cannot make %s baud: the nearest "
		       "is ?baud=%.0f", TEXT_WHOLE(hz), TEXT_WHOLE(t->baud),
		       hz / fmin(*divider, ACPR_MOST + 1));
}

int swo_plan_make(struct swo_plan *p, const struct swo_terms *t, struct err *err)
{
	const struct swo_chip *chip = chip_find(t->chip);
	double divider;
	char names[80];

	memset(p, 0, sizeof(*p));
	if (t->chip && *t->chip && !chip)
		return err_set(err, ERR_USAGE, "chip=%s is not known: %s", t->chip,
			       swo_chip_names(names, sizeof(names)));
	if (!(t->clock_hz > 0 && t->baud > 0))
		return err_set(err, ERR_USAGE, "clock and baud must be above 0");
	if (divider_find(t, &divider, err) < 0)
		return ERR_USAGE;
	p->baud = swo_trace_clock(t) / divider;
	for (size_t i = 0; chip && i < CHIP_ROWS && chip->rows[i].name; i++)
		row_add(p, &chip->rows[i]);
	tpiu_plan(p, (uint32_t)divider, chip ? chip->base : 0);
	itm_plan(p);
	dwt_plan(p, t->clock_hz);
	return 0;
}
