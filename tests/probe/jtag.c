/* jtag: a TAP with a JTAG-DP and one MEM-AP (ADIv5.2, ARM IHI 0031, B3, C2). */
#include "tests/probe/m3.h"

enum {
	RESET, IDLE, SELECT_DR, CAPTURE_DR, SHIFT_DR, EXIT1_DR, PAUSE_DR, EXIT2_DR, UPDATE_DR,
	SELECT_IR, CAPTURE_IR, SHIFT_IR, EXIT1_IR, PAUSE_IR, EXIT2_IR, UPDATE_IR,
};

/* By TMS (IEEE 1149.1). */
static const uint8_t next_states[16][2] = {
	[RESET] = { IDLE, RESET }, [IDLE] = { IDLE, SELECT_DR },
	[SELECT_DR] = { CAPTURE_DR, SELECT_IR }, [CAPTURE_DR] = { SHIFT_DR, EXIT1_DR },
	[SHIFT_DR] = { SHIFT_DR, EXIT1_DR }, [EXIT1_DR] = { PAUSE_DR, UPDATE_DR },
	[PAUSE_DR] = { PAUSE_DR, EXIT2_DR }, [EXIT2_DR] = { SHIFT_DR, UPDATE_DR },
	[UPDATE_DR] = { IDLE, SELECT_DR },
	[SELECT_IR] = { CAPTURE_IR, RESET }, [CAPTURE_IR] = { SHIFT_IR, EXIT1_IR },
	[SHIFT_IR] = { SHIFT_IR, EXIT1_IR }, [EXIT1_IR] = { PAUSE_IR, UPDATE_IR },
	[PAUSE_IR] = { PAUSE_IR, EXIT2_IR }, [EXIT2_IR] = { SHIFT_IR, UPDATE_IR },
	[UPDATE_IR] = { IDLE, SELECT_DR },
};

enum { IR_ABORT = 8, IR_DPACC = 10, IR_APACC = 11, IR_IDCODE = 14 };
enum { DP_CTRL = 4, DP_SELECT = 8 };
enum { AP_CSW = 0, AP_TAR = 4, AP_DRW = 0xc, AP_BANKED = 0x10, AP_BASE = 0xf8, AP_IDR = 0xfc };

#define IDCODE 0x4ba00477u
#define DPIDR 0x2ba01477u
#define POWER_REQUESTS 0x50000000u

static void address_step(struct m3_jtag *j)
{
	if (j->csw >> 4 & 3)
		j->tar += 1u << (j->csw & 7);
}

static uint32_t ap_read(struct m3 *m, unsigned reg)
{
	struct m3_jtag *j = &m->jtag;
	uint32_t value;

	if (j->select >> 24)
		return 0;		/* no such AP */
	switch (reg) {
	case AP_CSW: return j->csw | 0x40;
	case AP_TAR: return j->tar;
	case AP_DRW:
		value = m3_load(m, j->tar & ~3u);
		address_step(j);
		return value;
	case AP_BASE: return 0xe00ff003;
	case AP_IDR: return 0x24770011;
	}
	return reg >> 4 == AP_BANKED >> 4 ? m3_load(m, (j->tar & ~0xfu) + (reg & 0xc)) : 0;
}

/* A byte, a halfword or a word, in its lane. */
static void memory_write(struct m3 *m, uint32_t value)
{
	static const uint32_t masks[] = { 0xff, 0xffff, UINT32_MAX };
	struct m3_jtag *j = &m->jtag;
	unsigned size = j->csw & 7, lane = size < 2 ? 8 * (j->tar & 3) : 0;
	uint32_t mask = masks[size > 2 ? 2 : size] << lane;

	if (mask != UINT32_MAX)
		value = (m3_load(m, j->tar & ~3u) & ~mask) | (value & mask);
	m3_store(m, j->tar & ~3u, value);
	address_step(j);
}

static void ap_write(struct m3 *m, unsigned reg, uint32_t value)
{
	struct m3_jtag *j = &m->jtag;

	if (j->select >> 24)
		return;
	if (reg == AP_CSW)
		j->csw = (value & 0x23000017);
	else if (reg == AP_TAR)
		j->tar = value;
	else if (reg == AP_DRW)
		memory_write(m, value);
	else if (reg >> 4 == AP_BANKED >> 4)
		m3_store(m, (j->tar & ~0xfu) + (reg & 0xc), value);
}

static uint32_t dp_read(const struct m3_jtag *j, unsigned reg)
{
	if (reg == DP_CTRL)		/* powered up as soon as it was asked for */
		return (j->ctrl_stat & 0x50000f0f) | (j->ctrl_stat & POWER_REQUESTS) << 1;
	if (reg == DP_SELECT)
		return j->select;
	return reg == 0 ? DPIDR : j->answer;
}

static void dp_write(struct m3_jtag *j, unsigned reg, uint32_t value)
{
	if (reg == DP_CTRL)
		j->ctrl_stat = value;
	else if (reg == DP_SELECT)
		j->select = value;
}

static void dr_update(struct m3 *m)
{
	struct m3_jtag *j = &m->jtag;
	unsigned reg = (unsigned)(j->dr >> 1 & 3) << 2;
	bool read = j->dr & 1;
	uint32_t value = (uint32_t)(j->dr >> 3);

	if (j->ir == IR_DPACC && read)
		j->answer = dp_read(j, reg);
	else if (j->ir == IR_DPACC)
		dp_write(j, reg, value);
	else if (j->ir == IR_APACC && read)
		j->answer = ap_read(m, reg | (j->select & 0xf0));
	else if (j->ir == IR_APACC)
		ap_write(m, reg | (j->select & 0xf0), value);
}

static void dr_capture(struct m3_jtag *j)
{
	enum { ACK_OK = 2 };
	bool access = j->ir == IR_DPACC || j->ir == IR_APACC || j->ir == IR_ABORT;

	j->dr_bits = j->ir == IR_IDCODE ? 32 : access ? 35 : 1;
	j->dr = j->ir == IR_IDCODE ? IDCODE : access ? (uint64_t)j->answer << 3 | ACK_OK : 0;
}

static void clock_rises(struct m3 *m, bool tms, bool tdi)
{
	struct m3_jtag *j = &m->jtag;

	if (j->state == CAPTURE_DR)
		dr_capture(j);
	else if (j->state == SHIFT_DR)
		j->dr = j->dr >> 1 | (uint64_t)tdi << (j->dr_bits - 1);
	else if (j->state == CAPTURE_IR)
		j->ir_shift = 1;
	else if (j->state == SHIFT_IR)
		j->ir_shift = j->ir_shift >> 1 | (uint32_t)tdi << 3;
	j->state = next_states[j->state][tms];
	if (j->state == RESET)
		j->ir = IR_IDCODE;
	else if (j->state == UPDATE_DR)
		dr_update(m);
	else if (j->state == UPDATE_IR)
		j->ir = j->ir_shift & 15;
}

char m3_bitbang(struct m3 *m, char c)
{
	struct m3_jtag *j = &m->jtag;
	bool tck = (c - '0') & 4;

	if (c == 'R')
		return j->tdo ? '1' : '0';
	if (c < '0' || c > '7')
		return 0;
	if (tck && !j->tck)
		clock_rises(m, (c - '0') & 2, (c - '0') & 1);
	else if (!tck && j->tck)
		j->tdo = j->state == SHIFT_DR ? j->dr & 1 :
			 j->state == SHIFT_IR ? j->ir_shift & 1 : 1;
	j->tck = tck;
	return 0;
}
