/* core: memory, debug registers and DWT of a Cortex-M3 (DDI 0403E.e, C1.6, C1.8). */
#include "tests/probe/m3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SLEEP_S 0.010			/* it sleeps at the beginning of each */

#define CPUID_M3 0x412fc231u
#define DEMCR_TRCENA (1u << 24)
#define DWT_NOCYCCNT (1u << 25)
#define DWT_CYCCNTENA 1u
#define DHCSR_KEY 0xa05fu
#define DHCSR_C_DEBUGEN 1u
#define DHCSR_C_HALT 2u
#define DFSR_HALTED 1u
#define DFSR_BKPT 2u
#define DFSR_DWTTRAP 4u
#define DWT_MATCHED (1u << 24)

enum {
	DHCSR_REGRDY = 1 << 16, DHCSR_HALT = 1 << 17, DHCSR_SLEEP = 1 << 18,
	DHCSR_RETIRED = 1 << 24,
};

/* --- its time --------------------------------------------------------------------------------- */

static double host_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double m3_own(const struct m3 *m)
{
	return m->halted ? m->ran : m->ran + host_time() - m->since;
}

bool m3_sleeps(const struct m3 *m, double own)
{
	double in = own / SLEEP_S;

	return in - (double)(uint64_t)in < m->asleep;
}

/* The same at the same time: a hash of it draws. */
uint32_t m3_pc(const struct m3 *m, double own)
{
	uint64_t x = (uint64_t)(own * M3_PC_HZ) + 1;
	size_t low = 0, high = m->pc_count - 1;

	for (int i = 0; i < 3; i++) {
		x ^= x >> 31;
		x *= UINT64_C(0x9e3779b97f4a7c15);
	}
	x = (x >> 20) % m->pcs[high].below;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (x < m->pcs[middle].below)
			high = middle;
		else
			low = middle + 1;
	}
	return m->pcs[low].address;
}

/* A little later than it was written, so that rounding does not matter. */
uint64_t m3_value(const struct m3_write *w, double own)
{
	return (uint64_t)(own / w->period + 1e-6) % w->below;
}

/* --- breakpoints (C1.11), watchpoints (C1.8) -------------------------------------------------- */

/* Each is of a word's lower halfword, its upper one, or both. */
static bool break_is_at(const struct m3 *m, uint32_t pc)
{
	for (unsigned i = 0; m->fpb[0] & 1 && i < M3_BREAKS; i++) {
		uint32_t c = m->fpb[2 + i];

		if (c & 1 && (c & 0x1ffffffc) == (pc & ~3u) && c >> 30 & (pc & 2 ? 2 : 1))
			return true;
	}
	return false;
}

static void event_halt(struct m3 *m, uint32_t dfsr)
{
	if (!m->halted)
		m->halted_at = host_time();
	m->halted = true;
	m->dfsr |= dfsr;
	m->dhcsr |= DHCSR_C_HALT;		/* C1.6.2: by a debug event, too */
}

static double call_next(const struct m3_call *c)
{
	return (double)(c->done / 2 + 1) * c->period + (c->done % 2 ? c->takes : 0);
}

static bool call_stops(struct m3 *m, struct m3_call *c)
{
	double at = call_next(c);
	uint32_t pc = c->done++ % 2 ? c->back : c->entry;

	if (!(m->dhcsr & DHCSR_C_DEBUGEN) || !break_is_at(m, pc))
		return false;
	m->ran = fmax(at, m->counted);
	event_halt(m, DFSR_BKPT);
	m->registers[13] = M3_RAM_AT + 0x1000;
	m->registers[14] = c->back | 1;
	m->registers[15] = pc;
	printf("break %08x %.9f\n", pc, at);
	fflush(stdout);
	return true;
}

static double write_next(const struct m3_write *w)
{
	return (double)(w->done + 1) * w->period;
}

/* Functions 6 and 7 are debug events of writes, and of both accesses. */
static bool write_stops(struct m3 *m, struct m3_write *w)
{
	double at = write_next(w);
	bool stops = false;

	w->done++;
	for (unsigned i = 0; i < 4; i++) {
		uint32_t *c = &m->dwt[(0x20 + 16 * i) / 4], mask = (1u << (c[1] & 31)) - 1;

		if ((c[2] & 15) != 6 && (c[2] & 15) != 7)
			continue;
		if ((c[0] & ~mask) != (w->address & ~mask))
			continue;
		c[2] |= DWT_MATCHED;
		stops = true;
	}
	if (!stops || !(m->dhcsr & DHCSR_C_DEBUGEN))
		return false;
	m->ran = fmax(at, m->counted);
	event_halt(m, DFSR_DWTTRAP);
	m->registers[15] = w->pc ? w->pc + 2 : m3_pc(m, at);
	return true;
}

static struct m3_call *call_due(struct m3 *m)
{
	struct m3_call *due = NULL;

	for (size_t i = 0; i < m->call_count; i++)
		if (!due || call_next(&m->calls[i]) < call_next(due))
			due = &m->calls[i];
	return due;
}

static struct m3_write *write_due(struct m3 *m)
{
	struct m3_write *due = NULL;

	for (size_t i = 0; i < m->write_count; i++)
		if (!due || write_next(&m->writes[i]) < write_next(due))
			due = &m->writes[i];
	return due;
}

void m3_run(struct m3 *m)
{
	double own = m3_own(m);

	while (!m->halted) {
		struct m3_call *call = call_due(m);
		struct m3_write *write = write_due(m);

		if (call && (!write || call_next(call) <= write_next(write))) {
			if (call_next(call) > own || call_stops(m, call))
				return;
		} else if (!write || write_next(write) > own || write_stops(m, write)) {
			return;
		}
	}
}

void m3_halt(struct m3 *m, bool on)
{
	if (on && !m->halted) {
		m->ran = m3_own(m);
		event_halt(m, DFSR_HALTED);
		m->registers[15] = m3_pc(m, m->ran);
	} else if (!on && m->halted && break_is_at(m, m->registers[15])) {
		event_halt(m, DFSR_BKPT);	/* at once */
	} else if (!on && m->halted) {
		m->halted = false;
		m->since = host_time();
		m->stood += m->since - m->halted_at;
	}
}

void m3_reset(struct m3 *m)
{
	m->since = host_time();
	m->dwt_ctrl = 0x40000000 | (m->faults & M3_NO_CYCCNT ? DWT_NOCYCCNT : 0);
	m->fpb[0] = 0x260;			/* 6 breakpoints */
}

/* --- what is read ----------------------------------------------------------------------------- */

static bool trace_is_on(const struct m3 *m)
{
	return m->demcr & DEMCR_TRCENA;
}

static uint32_t cycles_read(struct m3 *m)
{
	if (m->dwt_ctrl & DWT_NOCYCCNT || !(m->dwt_ctrl & DWT_CYCCNTENA) || !trace_is_on(m))
		return 0;
	m->counted = fmax(m->counted, m3_own(m));
	return (uint32_t)(int64_t)((m->counted - m->cycles_from) * M3_CLOCK);
}

static uint32_t pcsr_read(const struct m3 *m)
{
	if (m->faults & M3_NO_PCSR)
		return 0;
	if (m->halted || !trace_is_on(m) || m->faults & M3_LOCKED || m3_sleeps(m, m3_own(m)))
		return UINT32_MAX;
	return m3_pc(m, m3_own(m));
}

static uint32_t dhcsr_read(const struct m3 *m)
{
	uint32_t value = (m->dhcsr & 0xf) | DHCSR_REGRDY;

	if (m->halted)
		return value | DHCSR_HALT;
	return value | DHCSR_RETIRED | (m3_sleeps(m, m3_own(m)) ? DHCSR_SLEEP : 0);
}

static uint32_t ppb_read(struct m3 *m, uint32_t address)
{
	uint32_t value;

	switch (address) {
	case 0xe0001000: return m->dwt_ctrl;
	case 0xe0001004: return cycles_read(m);
	case 0xe000101c: return pcsr_read(m);
	case 0xe000ed00: return CPUID_M3;
	case 0xe000ed30: return m->dfsr;
	case 0xe000edf0: return dhcsr_read(m);
	case 0xe000edf8: return m->dcrdr;
	case 0xe000edfc: return m->demcr;
	case 0xe0040000: return 0xf;		/* TPIU_SSPSR */
	case 0xe0040fc8: return 0xca1;		/* TPIU_DEVID: NRZ and Manchester */
	case 0xe0042004: return m->dbgmcu;
	}
	switch (address >> 12) {
	case 0xe0000: return m->itm[(address & 0xfff) / 4];
	case 0xe0001:
		value = m->dwt[(address & 0xfff) / 4];
		m->dwt[(address & 0xfff) / 4] &= ~DWT_MATCHED;
		return value;
	case 0xe0002: return m->fpb[(address & 0x3f) / 4];
	case 0xe0040: return m->tpiu[(address & 0xfff) / 4];
	}
	return 0;
}

static void writes_catch_up(struct m3 *m)
{
	double own = m3_own(m);

	for (size_t i = 0; i < m->write_count; i++) {
		const struct m3_write *w = &m->writes[i];
		uint64_t value = m3_value(w, own);

		memcpy(m->ram + (w->address - M3_RAM_AT), &value, w->size);
	}
}

uint32_t m3_load(struct m3 *m, uint32_t address)
{
	uint32_t value = 0;

	m3_run(m);
	if (address <= M3_FLASH - 4) {
		memcpy(&value, m->flash + address, 4);
	} else if (address >= M3_RAM_AT && address <= M3_RAM_AT + M3_RAM - 4) {
		m3_rtt(m);
		writes_catch_up(m);
		memcpy(&value, m->ram + (address - M3_RAM_AT), 4);
	} else if (address >= 0xe0000000) {
		value = ppb_read(m, address);
	}
	return value;
}

/* --- what is written -------------------------------------------------------------------------- */

static void dwt_ctrl_write(struct m3 *m, uint32_t value)
{
	if (value & ~m->dwt_ctrl & DWT_CYCCNTENA)
		m->cycles_from = m3_own(m);
	m->dwt_ctrl = (m->dwt_ctrl & 0xf2000000) | (value & 0x0dffffff);
}

static void dhcsr_write(struct m3 *m, uint32_t value)
{
	enum { C_DEBUGEN = 1, C_HALT = 2, C_STEP = 4 };

	if (value >> 16 != DHCSR_KEY)
		return;
	m->dhcsr = value & 0xf;
	if ((value & (C_DEBUGEN | C_HALT | C_STEP)) == (C_DEBUGEN | C_STEP) && m->halted) {
		m->ran += 1.0 / M3_PC_HZ;		/* one step: another PC */
		m->registers[15] = m3_pc(m, m->ran);
		return;
	}
	m3_halt(m, (value & (C_DEBUGEN | C_HALT)) == (C_DEBUGEN | C_HALT));
}

static void register_transfer(struct m3 *m, uint32_t value)
{
	if (value >> 16 & 1)
		m->registers[value & 31] = m->dcrdr;
	else
		m->dcrdr = m->registers[value & 31];
}

static void ppb_write(struct m3 *m, uint32_t address, uint32_t value)
{
	switch (address) {
	case 0xe0001000: dwt_ctrl_write(m, value); return;
	case 0xe000ed30: m->dfsr &= ~value; return;
	case 0xe000edf0: dhcsr_write(m, value); return;
	case 0xe000edf4: register_transfer(m, value); return;
	case 0xe000edf8: m->dcrdr = value; return;
	case 0xe000edfc: m->demcr = m->faults & M3_NO_TRACE ? value & ~DEMCR_TRCENA : value; return;
	case 0xe0002000: m->fpb[0] = (m->fpb[0] & ~3u) | (value & 1); return;
	case 0xe0042004: m->dbgmcu = value; return;
	}
	switch (address >> 12) {
	case 0xe0000: m->itm[(address & 0xfff) / 4] = value; return;
	case 0xe0001: m->dwt[(address & 0xfff) / 4] = value; return;
	case 0xe0002: m->fpb[(address & 0x3f) / 4] = value; return;
	case 0xe0040: m->tpiu[(address & 0xfff) / 4] = value; return;
	}
}

/* What a debugger sets up is told, so that a test can compare it. */
void m3_store(struct m3 *m, uint32_t address, uint32_t value)
{
	m3_run(m);
	if (address >= M3_RAM_AT && address <= M3_RAM_AT + M3_RAM - 4)
		memcpy(m->ram + (address - M3_RAM_AT), &value, 4);
	if (address < 0xe0000000)
		return;
	fprintf(stderr, "write %08x %08x\n", address, value);
	ppb_write(m, address, value);
}
