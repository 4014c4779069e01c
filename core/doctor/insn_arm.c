/*
 * Thumb: ARM DDI 0403 (ARMv7-M), A5.2 and A5.3; ARM code: DDI 0406, A5. Only what compilers put
 * around a call of the hooks is understood; of the rest, lengths and jumps.
 */
#include <stddef.h>

#include "core/base/bits.h"
#include "core/doctor/insn.h"

enum { REG_LINK = 14, REG_PC = 15 };

/* Registers that a Thumb instruction names; LOW: in its second half. */
enum field { NONE, OP_0, OP_3, OP_8, MOV_TO, MOV_FROM, LOW_8, LOW_12 };

static unsigned field_register(enum field field, uint16_t op, uint16_t low)
{
	switch (field) {
	case OP_0: return op & 7;
	case OP_3: return op >> 3 & 7;
	case OP_8: return op >> 8 & 7;
	case MOV_TO: return (op & 7) | (op >> 4 & 8);
	case MOV_FROM: return op >> 3 & 15;
	case LOW_8: return low >> 8 & 15;
	case LOW_12: return low >> 12;
	case NONE: break;
	}
	return 0;
}

static uint32_t field_bit(enum field field, uint16_t op, uint16_t low)
{
	return field == NONE ? 0 : UINT32_C(1) << field_register(field, op, low);
}

enum jump { NO_JUMP, NARROW_JUMP, WIDE_JUMP };

/* Instructions of 16 bits are below 0xe800; their low half is 0. */
static const struct thumb_form {
	uint16_t mask, match, low_mask, low_match;
	uint8_t writes, reads;		/* enum field */
	uint16_t traits;
	enum jump jump;
} forms[] = {
	{ 0xf800, 0xe000, 0, 0, NONE, NONE, INSN_ENDS, NARROW_JUMP },			/* B */
	{ 0xff87, 0x4700, 0, 0, NONE, NONE, INSN_RETURN | INSN_ENDS, NO_JUMP },		/* BX */
	{ 0xff00, 0xb500, 0, 0, NONE, NONE, INSN_SAVES_LINK, NO_JUMP },		/* PUSH {.. LR} */
	{ 0xff00, 0xbd00, 0, 0, NONE, NONE, INSN_RETURN | INSN_ENDS, NO_JUMP },	/* POP {.. PC} */
	{ 0xff00, 0x4600, 0, 0, MOV_TO, MOV_FROM, 0, NO_JUMP },		/* MOV of any two */
	{ 0xffc0, 0x0000, 0, 0, OP_0, OP_3, 0, NO_JUMP },	/* LSLS #0: MOVS of Thumb-1 */
	{ 0xf800, 0x4800, 0, 0, OP_8, NONE, INSN_LITERAL, NO_JUMP },	/* LDR Rd, [PC, #] */
	{ 0xf800, 0x9800, 0, 0, OP_8, NONE, 0, NO_JUMP },		/* LDR Rd, [SP, #] */
	{ 0xf800, 0xa000, 0, 0, OP_8, NONE, 0, NO_JUMP },		/* ADR */
	{ 0xf800, 0x2000, 0, 0, OP_8, NONE, 0, NO_JUMP },		/* MOVS Rd, # */
	{ 0xf800, 0x6800, 0, 0, OP_0, OP_3, 0, NO_JUMP },		/* LDR Rt, [Rn, #] */
	{ 0xffff, 0xe92d, 0x4000, 0x4000, NONE, NONE, INSN_SAVES_LINK, NO_JUMP },
	{ 0xffff, 0xe8bd, 0x8000, 0x8000, NONE, NONE, INSN_RETURN | INSN_ENDS, NO_JUMP },
	/* STR LR, [SP, #-4]! and LDR PC, [SP], #4 */
	{ 0xffff, 0xf84d, 0xffff, 0xed04, NONE, NONE, INSN_SAVES_LINK, NO_JUMP },
	{ 0xffff, 0xf85d, 0xffff, 0xfb04, NONE, NONE, INSN_RETURN | INSN_ENDS, NO_JUMP },
	{ 0xffff, 0xf8df, 0, 0, LOW_12, NONE, INSN_LITERAL, NO_JUMP },	/* LDR.W Rt, [PC, #] */
	{ 0xfbf0, 0xf240, 0, 0, LOW_8, NONE, 0, NO_JUMP },		/* MOVW */
	{ 0xfbf0, 0xf2c0, 0, 0, LOW_8, LOW_8, INSN_UPDATES, NO_JUMP },	/* MOVT */
	/* Coprocessors 10 and 11 */
	{ 0xef00, 0xec00, 0x0e00, 0x0a00, NONE, NONE, INSN_FLOAT, NO_JUMP },
	{ 0xef00, 0xed00, 0x0e00, 0x0a00, NONE, NONE, INSN_FLOAT, NO_JUMP },
	{ 0xef00, 0xee00, 0x0e00, 0x0a00, NONE, NONE, INSN_FLOAT, NO_JUMP },
	{ 0xf800, 0xf000, 0xd000, 0x9000, NONE, NONE, INSN_ENDS, WIDE_JUMP },	/* B.W */
};

static void mov_decode(uint16_t op, struct insn *in)
{
	unsigned to = field_register(MOV_TO, op, 0), from = field_register(MOV_FROM, op, 0);

	if (to == REG_LINK)
		in->traits = INSN_WRITES_LINK;
	else if (to == REG_PC)
		in->traits = INSN_ENDS | (from == REG_LINK ? INSN_RETURN : 0);
}

static void thumb_decode(const struct call_site *s, struct insn *in)
{
	uint16_t op = call_half(s, 0), low = 0;
	const struct thumb_form *f = NULL;

	if (op >= 0xe800) {
		in->size = 4;
		if (s->left < 4)
			return;
		low = call_half(s, 2);
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !f; i++)
		f = (op & forms[i].mask) == forms[i].match &&
		    (low & forms[i].low_mask) == forms[i].low_match ? &forms[i] : NULL;
	if (!f)
		return;
	in->writes = field_bit(f->writes, op, low);
	in->reads = field_bit(f->reads, op, low);
	in->traits = f->traits;
	if (f->traits & INSN_LITERAL)
		in->literal = ((s->at + 4) & ~UINT64_C(3)) +
			      (in->size == 4 ? low & 0xfffu : (op & 0xffu) * 4);
	if (f->writes == MOV_TO)
		mov_decode(op, in);
	if (f->jump == NARROW_JUMP)
		in->jump = (s->at + 4 + (uint64_t)(2 * bits_extend(op, 11))) & UINT32_MAX;
	else if (f->jump == WIDE_JUMP)
		in->jump = call_thumb_relative(s, op, low) & UINT32_MAX;
}

/* --- ARM code --------------------------------------------------------------------------------- */

static void arm_decode(const struct call_site *s, struct insn *in)
{
	uint32_t op;

	in->size = 4;
	if (s->left < 4)
		return;
	op = bits_load32(s->bytes, s->elf->big_code);
	if ((op & 0xff000000) == 0xea000000) {				/* B */
		in->jump = (s->at + 8 + (uint64_t)bits_extend((uint64_t)op << 2, 26)) & UINT32_MAX;
		in->traits = INSN_ENDS;
	} else if ((op & 0xffff4000) == 0xe92d4000 || op == 0xe52de004) {
		in->traits = INSN_SAVES_LINK;				/* PUSH, STR LR */
	} else if ((op & 0xffff8000) == 0xe8bd8000 || op == 0xe49df004 || op == 0xe12fff1e) {
		in->traits = INSN_RETURN | INSN_ENDS;			/* POP, LDR PC, BX LR */
	}
}

void insn_arm(const struct call_site *s, struct insn *in)
{
	if (s->mode == 'a')
		arm_decode(s, in);
	else
		thumb_decode(s, in);
}
