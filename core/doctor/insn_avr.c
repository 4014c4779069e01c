/*
 * AVR Instruction Set Manual (0856). Only what compilers put around a call of the hooks is
 * understood in full; of the rest, lengths and jumps.
 */
#include <stddef.h>

#include "core/doctor/insn.h"

enum { SREG = 0x3f, REG_Y = 28, REG_Z = 30 };
enum { TCCR1A = 0x80, TCCR1B = 0x81 };	/* where timer 1 has them in all ATmegas since the 48 */

static uint32_t bit_of(unsigned r)
{
	return UINT32_C(1) << (r & 31);
}

static uint32_t pair_of(unsigned r)
{
	return bit_of(r) | bit_of(r + 1);
}

static unsigned field_rd(uint16_t op)
{
	return op >> 4 & 31;
}

static unsigned field_rr(uint16_t op)
{
	return (op & 15) | (op >> 5 & 16);
}

struct form {
	uint16_t mask, match;
	void (*take)(const struct call_site *s, uint16_t op, struct insn *in);
};

static void take_rjmp(const struct call_site *s, uint16_t op, struct insn *in)
{
	in->jump = call_avr_relative(s, op);
	in->traits = INSN_ENDS;
}

static void take_jmp(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)op;
	in->size = 4;
	in->jump = call_avr_jump(s->elf, s->at);
	in->traits = INSN_ENDS;
}

static void take_ret(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s, (void)op;
	in->traits = INSN_RETURN | INSN_ENDS;
}

static void take_in(const struct call_site *s, uint16_t op, struct insn *in)
{
	unsigned port = (op & 15) | (op >> 5 & 0x30);

	(void)s;
	in->writes = bit_of(field_rd(op));
	if (port == SREG)
		in->traits = INSN_SAVES_FLAGS;
}

static void take_mov(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = bit_of(field_rd(op));
	in->reads = bit_of(field_rr(op));
}

static void take_movw(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = pair_of((op >> 4 & 15) * 2u);
	in->reads = pair_of((op & 15) * 2u);
}

static void take_ldi(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = bit_of(16 + (op >> 4 & 15));
}

/* SUBI, SBCI, ANDI, ORI */
static void take_immediate(const struct call_site *s, uint16_t op, struct insn *in)
{
	take_ldi(s, op, in);
	in->reads = in->writes;
	in->traits = INSN_UPDATES;
}

/* ADD, ADC, SUB, SBC, EOR, AND, OR */
static void take_two(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = bit_of(field_rd(op));
	in->reads = bit_of(field_rd(op)) | bit_of(field_rr(op));
	in->traits = INSN_UPDATES;
}

/* ADIW, SBIW */
static void take_wide(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = in->reads = pair_of(24 + (op >> 4 & 3) * 2u);
	in->traits = INSN_UPDATES;
}

/* LD and LDD by Y or Z with a displacement */
static void take_ldd(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->writes = bit_of(field_rd(op));
	in->reads = pair_of(op & 8 ? REG_Y : REG_Z);
}

static void take_lds(const struct call_site *s, uint16_t op, struct insn *in)
{
	(void)s;
	in->size = 4;
	in->writes = bit_of(field_rd(op));
}

static void take_sts(const struct call_site *s, uint16_t op, struct insn *in)
{
	unsigned to = s->left < 4 ? 0 : s->bytes[2] | s->bytes[3] << 8;

	(void)op;
	in->size = 4;
	in->traits = to == TCCR1A || to == TCCR1B ? INSN_TIMER : 0;
}

static const struct form forms[] = {
	{ 0xf000, 0xc000, take_rjmp },
	{ 0xfe0e, 0x940c, take_jmp },
	{ 0xffef, 0x9508, take_ret },		/* RET, RETI */
	{ 0xf800, 0xb000, take_in },
	{ 0xfc00, 0x2c00, take_mov },
	{ 0xff00, 0x0100, take_movw },
	{ 0xf000, 0xe000, take_ldi },
	{ 0xf000, 0x4000, take_immediate },
	{ 0xf000, 0x5000, take_immediate },
	{ 0xe000, 0x6000, take_immediate },
	{ 0xfc00, 0x0c00, take_two },		/* ADD */
	{ 0xfc00, 0x1c00, take_two },		/* ADC */
	{ 0xfc00, 0x1800, take_two },		/* SUB */
	{ 0xfc00, 0x0800, take_two },		/* SBC */
	{ 0xfc00, 0x2000, take_two },		/* AND */
	{ 0xfc00, 0x2400, take_two },		/* EOR */
	{ 0xfc00, 0x2800, take_two },		/* OR */
	{ 0xfe00, 0x9600, take_wide },
	{ 0xd200, 0x8000, take_ldd },
	{ 0xfe0f, 0x9000, take_lds },
	{ 0xfe0f, 0x9200, take_sts },
};

void insn_avr(const struct call_site *s, struct insn *in)
{
	uint16_t op = (uint16_t)(s->bytes[0] | s->bytes[1] << 8);

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if ((op & forms[i].mask) == forms[i].match) {
			forms[i].take(s, op, in);
			return;
		}
	}
}
