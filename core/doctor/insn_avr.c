/*
 * AVR Instruction Set Manual (0856). Only what compilers put around a call of the hooks is
 * understood in full; of the rest, lengths and jumps.
 */
#include <stddef.h>

#include "core/doctor/insn.h"

enum { SREG = 0x3f, REG_Y = 28, REG_Z = 30 };

/* Registers that an instruction names. */
enum field { NONE, RD, RD_RR, RR, RD_PAIR, RR_PAIR, RD_UPPER, RD_WORD, Y_OR_Z };

static uint32_t pair_of(unsigned r)
{
	return UINT32_C(3) << r;
}

static uint32_t field_registers(enum field field, uint16_t op)
{
	uint32_t rd = UINT32_C(1) << (op >> 4 & 31);
	uint32_t rr = UINT32_C(1) << ((op & 15) | (op >> 5 & 16));

	switch (field) {
	case RD: return rd;
	case RR: return rr;
	case RD_RR: return rd | rr;
	case RD_PAIR: return pair_of((op >> 4 & 15) * 2u);
	case RR_PAIR: return pair_of((op & 15) * 2u);
	case RD_UPPER: return UINT32_C(1) << (16 + (op >> 4 & 15));
	case RD_WORD: return pair_of(24 + (op >> 4 & 3) * 2u);
	case Y_OR_Z: return pair_of(op & 8 ? REG_Y : REG_Z);
	case NONE: break;
	}
	return 0;
}

static const struct avr_form {
	uint16_t mask, match;
	uint8_t writes, reads;		/* enum field */
	uint16_t traits;
	uint8_t size;			/* 0: 2 bytes */
} forms[] = {
	{ 0xf000, 0xc000, NONE, NONE, INSN_ENDS, 0 },			/* RJMP */
	{ 0xfe0e, 0x940c, NONE, NONE, INSN_ENDS, 4 },			/* JMP */
	{ 0xffef, 0x9508, NONE, NONE, INSN_RETURN | INSN_ENDS, 0 },	/* RET, RETI */
	{ 0xf800, 0xb000, RD, NONE, 0, 0 },				/* IN */
	{ 0xfc00, 0x2c00, RD, RR, 0, 0 },				/* MOV */
	{ 0xff00, 0x0100, RD_PAIR, RR_PAIR, 0, 0 },			/* MOVW */
	{ 0xf000, 0xe000, RD_UPPER, NONE, INSN_CONSTANT, 0 },		/* LDI */
	{ 0xf000, 0x4000, RD_UPPER, RD_UPPER, INSN_UPDATES, 0 },	/* SBCI */
	{ 0xf000, 0x5000, RD_UPPER, RD_UPPER, INSN_UPDATES, 0 },	/* SUBI */
	{ 0xe000, 0x6000, RD_UPPER, RD_UPPER, INSN_UPDATES, 0 },	/* ORI, ANDI */
	{ 0xfc00, 0x0c00, RD, RD_RR, INSN_UPDATES, 0 },			/* ADD */
	{ 0xfc00, 0x1c00, RD, RD_RR, INSN_UPDATES, 0 },			/* ADC */
	{ 0xfc00, 0x1800, RD, RD_RR, INSN_UPDATES, 0 },			/* SUB */
	{ 0xfc00, 0x0800, RD, RD_RR, INSN_UPDATES, 0 },			/* SBC */
	{ 0xfc00, 0x2000, RD, RD_RR, INSN_UPDATES, 0 },			/* AND */
	{ 0xfc00, 0x2400, RD, RD_RR, INSN_UPDATES, 0 },			/* EOR */
	{ 0xfc00, 0x2800, RD, RD_RR, INSN_UPDATES, 0 },			/* OR */
	{ 0xfe00, 0x9600, RD_WORD, RD_WORD, INSN_UPDATES, 0 },		/* ADIW, SBIW */
	{ 0xd200, 0x8000, RD, Y_OR_Z, 0, 0 },				/* LD, LDD by Y or Z */
	{ 0xfe0f, 0x9000, RD, NONE, 0, 4 },				/* LDS */
	{ 0xd200, 0x8200, NONE, Y_OR_Z, INSN_STORES, 0 },		/* ST, STD by Y or Z */
	{ 0xf800, 0xb800, NONE, RD, INSN_STORES, 0 },			/* OUT */
	{ 0xfe0f, 0x9200, NONE, NONE, INSN_STORES, 4 },			/* STS */
};

/* Where a store goes, and the constant of LDI. */
static void address_decode(const struct call_site *s, uint16_t op, const struct avr_form *f,
			   struct insn *in)
{
	unsigned port = (op & 15) | (op >> 5 & 0x30);

	if (f->match == 0xe000)
		in->address = (uint16_t)((op & 15) | (op >> 4 & 0xf0));
	else if (f->match == 0x9200)
		in->address = s->left < 4 ? 0 : call_half(s, 2);
	else if (f->match == 0xb800)
		in->address = (uint16_t)(port + 0x20);
	else if (f->match == 0x8200) {
		in->pointer = op & 8 ? REG_Y : REG_Z;
		in->address = (uint16_t)((op & 7) | (op >> 7 & 0x18) | (op >> 8 & 0x20));
	}
}

void insn_avr(const struct call_site *s, struct insn *in)
{
	uint16_t op = call_half(s, 0);
	const struct avr_form *f = NULL;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !f; i++)
		f = (op & forms[i].mask) == forms[i].match ? &forms[i] : NULL;
	if (!f)
		return;
	in->size = f->size ? f->size : in->size;
	in->writes = field_registers(f->writes, op);
	in->reads = field_registers(f->reads, op);
	in->traits = f->traits;
	address_decode(s, op, f, in);
	if (f->match == 0xc000)
		in->jump = call_avr_relative(s, op);
	else if (f->match == 0x940c)
		in->jump = call_avr_jump(s->elf, s->at);
	else if (f->match == 0xb000 && ((op & 15) | (op >> 5 & 0x30)) == SREG)
		in->traits = INSN_SAVES_FLAGS;
}
