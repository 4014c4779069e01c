/*
 * ARMv7-M Architecture Reference Manual (DDI 0403), A5: the encodings; cycles from the Technical
 * Reference Manuals of Cortex-M0 (DDI 0432, 3.3), M0+ (DDI 0484, 3.3) and M3 (DDI 0337, 3.3).
 *
 * Floating point and DSP instructions that no prologue has are the program's own.
 */
#include <stddef.h>

#include "core/base/bits.h"
#include "core/image/calib/insn.h"

enum { SP = 13, LR = 14, PC = 15 };

#define BIT(n) (UINT64_C(1) << (n))
#define LOW_BITS 0xffu

/* --- what instructions cost ------------------------------------------------------------------- */

enum kind {
	ALU, LOAD, STORE, MULTIPLE, MULTIPLY, MULTIPLY_LONG, DIVIDE, STATUS, BRANCH, JUMP, TABLE,
	CALL, RETURN,
};

static const struct core {
	uint8_t kind[RETURN + 1];
	uint8_t each;			/* of MULTIPLE, besides: a register */
	uint8_t taken;			/* a branch, besides */
	uint8_t popped;			/* the program counter, besides */
} cores[] = {
	[CALIB_INSNS] = { .kind = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
	[CALIB_M0] = { .kind = { 1, 2, 2, 1, 1, 1, 1, 4, 1, 3, 3, 4, 3 },
		       .each = 1, .taken = 2, .popped = 3 },
	[CALIB_M3] = { .kind = { 1, 2, 2, 1, 1, 4, 6, 2, 1, 3, 4, 3, 3 },
		       .each = 1, .taken = 2, .popped = 2 },
};

static const struct core *core_of(const struct calib_code *c)
{
	return &cores[c->core <= CALIB_M3 ? c->core : CALIB_INSNS];
}

/* --- registers and flags ---------------------------------------------------------------------- */

/* Registers that an instruction names; of 32 bits, the second halfword's are the lower ones. */
enum field {
	NONE, RD0, RN3, RD0_RN3, RN3_RM6, RD0_RN3_RM6, RD8, RDH, RMH, RDH_RMH, LIST8, LIST8_RD8,
	PUSHED, POPPED,
	W_RN, W_RD, W_RT, W_RM, W_RN_RM, W_RD_RN, W_RN_RT, W_RN_RM_RT, W_RT_RD, W_RN_RT_RD,
	W_RN_RM_RT_RD, W_LIST, W_LIST_RN,
};

static uint64_t narrow_bits(enum field field, uint32_t op)
{
	uint64_t rd = BIT(op & 7), rn = BIT(op >> 3 & 7), rm = BIT(op >> 6 & 7);
	uint64_t high = BIT((op & 7) | (op >> 4 & 8)), from = BIT(op >> 3 & 15);

	switch (field) {
	case RD0: return rd;
	case RN3: return rn;
	case RD0_RN3: return rd | rn;
	case RN3_RM6: return rn | rm;
	case RD0_RN3_RM6: return rd | rn | rm;
	case RD8: return BIT(op >> 8 & 7);
	case RDH: return high;
	case RMH: return from;
	case RDH_RMH: return high | from;
	case LIST8: return op & LOW_BITS;
	case LIST8_RD8: return (op & LOW_BITS) | BIT(op >> 8 & 7);
	case PUSHED: return (op & LOW_BITS) | (op & 0x100 ? BIT(LR) : 0);
	case POPPED: return (op & LOW_BITS) | (op & 0x100 ? BIT(PC) : 0);
	default: return 0;
	}
}

/* op: the first halfword in the upper bits. Register 15 stands for none. */
static uint64_t wide_bits(enum field field, uint32_t op)
{
	uint64_t rn = BIT(op >> 16 & 15), rt = BIT(op >> 12 & 15), rd = BIT(op >> 8 & 15);
	uint64_t rm = BIT(op & 15), list = op & 0xffff, bits;

	switch (field) {
	case W_RN: bits = rn; break;
	case W_RD: bits = rd; break;
	case W_RT: bits = rt; break;
	case W_RM: bits = rm; break;
	case W_RN_RM: bits = rn | rm; break;
	case W_RD_RN: bits = rd | rn; break;
	case W_RN_RT: bits = rn | rt; break;
	case W_RN_RM_RT: bits = rn | rm | rt; break;
	case W_RT_RD: bits = rt | rd; break;
	case W_RN_RT_RD: bits = rn | rt | rd; break;
	case W_RN_RM_RT_RD: bits = rn | rm | rt | rd; break;
	case W_LIST: return list;
	case W_LIST_RN: return list | rn;
	default: return 0;
	}
	return bits & ~BIT(PC);
}

struct thumb_form {
	uint32_t mask, match;
	uint8_t writes, reads;		/* enum field */
	uint8_t flags;			/* enum calib_flags */
	uint8_t kind;			/* enum kind */
	uint16_t traits;
};

/* --- 16 bits ---------------------------------------------------------------------------------- */

static const struct thumb_form narrow[] = {
	{ 0xffc0, 0x0000, RD0, RN3, FLAGS_SOME, ALU, CALIB_COPY },		/* MOVS */
	{ 0xffc0, 0x1c00, RD0, RN3, FLAGS_SETS, ALU, CALIB_COPY },		/* ADDS #0 */
	{ 0xfc00, 0x1800, RD0, RN3_RM6, FLAGS_SETS, ALU, 0 },		/* ADD, SUB */
	{ 0xe000, 0x0000, RD0, RN3, FLAGS_SETS, ALU, 0 },			/* LSL .. SUB #3 */
	{ 0xf800, 0x2000, RD8, NONE, FLAGS_SOME, ALU, CALIB_CONSTANT },	/* MOV */
	{ 0xf800, 0x2800, NONE, RD8, FLAGS_SETS, ALU, 0 },			/* CMP */
	{ 0xf000, 0x3000, RD8, RD8, FLAGS_SETS, ALU, 0 },			/* ADD, SUB */
	{ 0xffc0, 0x4200, NONE, RD0_RN3, FLAGS_SOME, ALU, 0 },		/* TST */
	{ 0xff80, 0x4280, NONE, RD0_RN3, FLAGS_SETS, ALU, 0 },		/* CMP, CMN */
	{ 0xffc0, 0x4240, RD0, RN3, FLAGS_SETS, ALU, 0 },			/* RSB */
	{ 0xffc0, 0x43c0, RD0, RN3, FLAGS_SOME, ALU, 0 },			/* MVN */
	{ 0xffc0, 0x4140, RD0, RD0_RN3, FLAGS_BOTH, ALU, 0 },		/* ADC */
	{ 0xffc0, 0x4180, RD0, RD0_RN3, FLAGS_BOTH, ALU, 0 },		/* SBC */
	{ 0xfc00, 0x4000, RD0, RD0_RN3, FLAGS_SOME, ALU, 0 },		/* AND .. BIC */
	{ 0xff87, 0x4687, NONE, RMH, FLAGS_NONE, JUMP, CALIB_JUMP },	/* MOV pc */
	{ 0xff00, 0x4400, RDH, RDH_RMH, FLAGS_NONE, ALU, 0 },		/* ADD */
	{ 0xff00, 0x4500, NONE, RDH_RMH, FLAGS_SETS, ALU, 0 },		/* CMP */
	{ 0xff00, 0x4600, RDH, RMH, FLAGS_NONE, ALU, CALIB_COPY },		/* MOV */
	{ 0xff80, 0x4700, NONE, RMH, FLAGS_NONE, RETURN, CALIB_RETURN },	/* BX */
	{ 0xff80, 0x4780, NONE, RMH, FLAGS_NONE, CALL, CALIB_CALL },	/* BLX */
	{ 0xf800, 0x4800, RD8, NONE, FLAGS_NONE, LOAD, CALIB_CONSTANT },	/* LDR literal */
	{ 0xfc00, 0x5000, NONE, RD0_RN3_RM6, FLAGS_NONE, STORE, CALIB_KEPT },	/* STR, STRH */
	{ 0xfe00, 0x5400, NONE, RD0_RN3_RM6, FLAGS_NONE, STORE, CALIB_KEPT },	/* STRB */
	{ 0xf000, 0x5000, RD0, RN3_RM6, FLAGS_NONE, LOAD, CALIB_POINTER },	/* LDR .. */
	{ 0xe800, 0x6000, NONE, RD0_RN3, FLAGS_NONE, STORE, CALIB_KEPT },	/* STR, STRB */
	{ 0xe800, 0x6800, RD0, RN3, FLAGS_NONE, LOAD, CALIB_POINTER },	/* LDR, LDRB */
	{ 0xf800, 0x8000, NONE, RD0_RN3, FLAGS_NONE, STORE, CALIB_KEPT },	/* STRH */
	{ 0xf800, 0x8800, RD0, RN3, FLAGS_NONE, LOAD, CALIB_POINTER },	/* LDRH */
	{ 0xf800, 0x9000, NONE, RD8, FLAGS_NONE, STORE, CALIB_KEPT },	/* STR sp */
	{ 0xf800, 0x9800, RD8, NONE, FLAGS_NONE, LOAD, 0 },			/* LDR sp */
	{ 0xf800, 0xa000, RD8, NONE, FLAGS_NONE, ALU, 0 },			/* ADR */
	{ 0xf800, 0xa800, RD8, NONE, FLAGS_NONE, ALU, CALIB_FRAME },	/* ADD sp */
	{ 0xff00, 0xb000, NONE, NONE, FLAGS_NONE, ALU, CALIB_KEPT },	/* ADD, SUB sp */
	{ 0xf500, 0xb100, NONE, RD0, FLAGS_NONE, BRANCH, CALIB_BRANCH },	/* CBZ, CBNZ */
	{ 0xff00, 0xb200, RD0, RN3, FLAGS_NONE, ALU, 0 },			/* SXTH .. UXTB */
	{ 0xfe00, 0xb400, NONE, PUSHED, FLAGS_NONE, MULTIPLE, CALIB_SAVE },	/* PUSH */
	{ 0xff00, 0xba00, RD0, RN3, FLAGS_NONE, ALU, 0 },			/* REV .. */
	{ 0xfe00, 0xbc00, POPPED, NONE, FLAGS_NONE, MULTIPLE, CALIB_RESTORE },	/* POP */
	{ 0xf800, 0xc000, RD8, LIST8_RD8, FLAGS_NONE, MULTIPLE, CALIB_KEPT },	/* STM */
	{ 0xf800, 0xc800, LIST8_RD8, RD8, FLAGS_NONE, MULTIPLE, 0 },	/* LDM */
	{ 0xfe00, 0xde00, NONE, NONE, FLAGS_NONE, ALU, CALIB_KEPT },	/* UDF, SVC */
	{ 0xf000, 0xd000, NONE, NONE, FLAGS_READS, BRANCH, CALIB_BRANCH },	/* B cond */
	{ 0xf800, 0xe000, NONE, NONE, FLAGS_NONE, JUMP, CALIB_JUMP },	/* B */
};

/* --- 32 bits ---------------------------------------------------------------------------------- */

/* The most special first. */
static const struct thumb_form wide[] = {
	{ 0xfff0d000, 0xf3e08000, W_RD, NONE, FLAGS_READS, STATUS, CALIB_KEPT },	/* MRS */
	{ 0xff80d000, 0xf3808000, NONE, W_RN, FLAGS_SOME, STATUS, CALIB_KEPT },	/* MSR .. DMB */
	{ 0xf800d000, 0xf0008000, NONE, NONE, FLAGS_READS, BRANCH, CALIB_BRANCH },	/* B cond */
	{ 0xf800d000, 0xf0009000, NONE, NONE, FLAGS_NONE, JUMP, CALIB_JUMP },	/* B */
	{ 0xf800d000, 0xf000d000, NONE, NONE, FLAGS_NONE, CALL, CALIB_CALL },	/* BL */
	{ 0xffff0000, 0xe92d0000, NONE, W_LIST, FLAGS_NONE, MULTIPLE, CALIB_SAVE },	/* PUSH */
	{ 0xffff0000, 0xe8bd0000, W_LIST, NONE, FLAGS_NONE, MULTIPLE, CALIB_RESTORE }, /* POP */
	{ 0xffff0fff, 0xf84d0d04, NONE, W_RT, FLAGS_NONE, STORE, CALIB_SAVE },	/* PUSH of one */
	{ 0xffff0fff, 0xf85d0b04, W_RT, NONE, FLAGS_NONE, LOAD, CALIB_RESTORE }, /* POP of one */
	{ 0xffd00000, 0xe8800000, W_RN, W_LIST_RN, FLAGS_NONE, MULTIPLE, CALIB_KEPT },	/* STM */
	{ 0xffd00000, 0xe9000000, W_RN, W_LIST_RN, FLAGS_NONE, MULTIPLE, CALIB_KEPT },	/* STMDB */
	{ 0xffd00000, 0xe8900000, W_LIST_RN, W_RN, FLAGS_NONE, MULTIPLE, 0 },	/* LDM */
	{ 0xffd00000, 0xe9100000, W_LIST_RN, W_RN, FLAGS_NONE, MULTIPLE, 0 },	/* LDMDB */
	{ 0xfff0ffe0, 0xe8d0f000, NONE, W_RN_RM, FLAGS_NONE, TABLE, CALIB_JUMP }, /* TBB, TBH */
	{ 0xfff00000, 0xe8400000, W_RD, W_RN_RT, FLAGS_NONE, STORE, CALIB_KEPT },	/* STREX */
	{ 0xfff00fc0, 0xe8c00f40, W_RM, W_RN_RT, FLAGS_NONE, STORE, CALIB_KEPT }, /* STREXB, H */
	{ 0xfff00000, 0xe8500000, W_RT, W_RN, FLAGS_NONE, LOAD, CALIB_KEPT },	/* LDREX */
	{ 0xfff00fc0, 0xe8d00f40, W_RT, W_RN, FLAGS_NONE, LOAD, CALIB_KEPT },	/* LDREXB, H */
	{ 0xfe500000, 0xe8400000, W_RN, W_RN_RT_RD, FLAGS_NONE, MULTIPLE, CALIB_KEPT },	/* STRD */
	{ 0xfe500000, 0xe8500000, W_RT_RD, W_RN, FLAGS_NONE, MULTIPLE, 0 },		/* LDRD */
	{ 0xffff70f0, 0xea4f0000, W_RD, W_RM, FLAGS_NONE, ALU, CALIB_COPY },	/* MOV */
	{ 0xfff00f00, 0xea100f00, NONE, W_RN_RM, FLAGS_SOME, ALU, 0 },		/* TST */
	{ 0xfff00f00, 0xea900f00, NONE, W_RN_RM, FLAGS_SOME, ALU, 0 },		/* TEQ */
	{ 0xfff00f00, 0xeb100f00, NONE, W_RN_RM, FLAGS_SETS, ALU, 0 },		/* CMN */
	{ 0xfff00f00, 0xebb00f00, NONE, W_RN_RM, FLAGS_SETS, ALU, 0 },		/* CMP */
	{ 0xffc00000, 0xeb400000, W_RD, W_RN_RM, FLAGS_BOTH, ALU, 0 },		/* ADC, SBC */
	{ 0xfe000000, 0xea000000, W_RD, W_RN_RM, FLAGS_SOME, ALU, 0 },		/* AND .. RSB */
	{ 0xfbf08000, 0xf2400000, W_RD, NONE, FLAGS_NONE, ALU, CALIB_CONSTANT },	/* MOVW */
	{ 0xfbf08000, 0xf2c00000, W_RD, W_RD, FLAGS_NONE, ALU, CALIB_UPPER },	/* MOVT */
	{ 0xfbf08000, 0xf3600000, W_RD, W_RD_RN, FLAGS_NONE, ALU, 0 },		/* BFI, BFC */
	{ 0xfa008000, 0xf2000000, W_RD, W_RN, FLAGS_NONE, ALU, 0 }, /* ADDW .. UBFX */
	{ 0xfbf08f00, 0xf0100f00, NONE, W_RN, FLAGS_SOME, ALU, 0 },			/* TST */
	{ 0xfbf08f00, 0xf0900f00, NONE, W_RN, FLAGS_SOME, ALU, 0 },			/* TEQ */
	{ 0xfbf08f00, 0xf1100f00, NONE, W_RN, FLAGS_SETS, ALU, 0 },			/* CMN */
	{ 0xfbf08f00, 0xf1b00f00, NONE, W_RN, FLAGS_SETS, ALU, 0 },			/* CMP */
	{ 0xfbc08000, 0xf1400000, W_RD, W_RN, FLAGS_BOTH, ALU, 0 }, /* ADC, SBC */
	{ 0xfa008000, 0xf0000000, W_RD, W_RN, FLAGS_SOME, ALU, 0 }, /* AND .. RSB */
	{ 0xff7ff000, 0xf85ff000, NONE, NONE, FLAGS_NONE, JUMP, CALIB_JUMP },	/* LDR pc */
	{ 0xff7f0000, 0xf85f0000, W_RT, NONE, FLAGS_NONE, LOAD, CALIB_CONSTANT }, /* LDR literal */
	{ 0xfff0f000, 0xf8d0f000, NONE, W_RN, FLAGS_NONE, JUMP, CALIB_JUMP },	/* LDR pc */
	{ 0xfff0f000, 0xf850f000, NONE, W_RN_RM, FLAGS_NONE, JUMP, CALIB_JUMP },	/* LDR pc */
	{ 0xfe90f000, 0xf890f000, NONE, W_RN, FLAGS_NONE, ALU, CALIB_KEPT },	/* PLD */
	{ 0xfe90f000, 0xf810f000, NONE, W_RN_RM, FLAGS_NONE, ALU, CALIB_KEPT },	/* PLD */
	{ 0xfe900000, 0xf8800000, NONE, W_RN_RT, FLAGS_NONE, STORE, CALIB_KEPT }, /* STR #12 */
	{ 0xfe900800, 0xf8000800, W_RN, W_RN_RT, FLAGS_NONE, STORE, CALIB_KEPT },	/* STR #8 */
	{ 0xfe900000, 0xf8000000, NONE, W_RN_RM_RT, FLAGS_NONE, STORE, CALIB_KEPT },	/* STR */
	{ 0xfe900000, 0xf8900000, W_RT, W_RN, FLAGS_NONE, LOAD, CALIB_POINTER }, /* LDR #12 */
	{ 0xfe900900, 0xf8100900, W_RN_RT, W_RN, FLAGS_NONE, LOAD, CALIB_POINTER }, /* LDR #8! */
	{ 0xfe900800, 0xf8100800, W_RT, W_RN, FLAGS_NONE, LOAD, CALIB_POINTER },	/* LDR #8 */
	{ 0xfe900000, 0xf8100000, W_RT, W_RN_RM, FLAGS_NONE, LOAD, CALIB_POINTER },	/* LDR */
	{ 0xff000000, 0xfa000000, W_RD, W_RN_RM, FLAGS_SOME, ALU, 0 },		/* LSL .. CLZ */
	{ 0xffe000f0, 0xfb9000f0, W_RD, W_RN_RM, FLAGS_NONE, DIVIDE, 0 },		/* SDIV */
	{ 0xfff000f0, 0xfbb000f0, W_RD, W_RN_RM, FLAGS_NONE, DIVIDE, 0 },		/* UDIV */
	{ 0xffd00000, 0xfb800000, W_RT_RD, W_RN_RM, FLAGS_NONE, MULTIPLY_LONG, 0 },	/* SMULL */
	{ 0xff800000, 0xfb800000, W_RT_RD, W_RN_RM_RT_RD, FLAGS_NONE, MULTIPLY_LONG, 0 }, /* MLAL */
	{ 0xff800000, 0xfb000000, W_RD, W_RN_RM_RT, FLAGS_NONE, MULTIPLY, 0 },	/* MUL .. MLS */
};

static const struct thumb_form *form_find(const struct thumb_form *forms, size_t count, uint32_t op)
{
	for (size_t i = 0; i < count; i++) {
		if ((op & forms[i].mask) == forms[i].match)
			return &forms[i];
	}
	return NULL;
}

/* --- targets and constants -------------------------------------------------------------------- */

static uint64_t narrow_target(uint32_t op, uint64_t at)
{
	if ((op & 0xf800) == 0xe000)
		return at + 4 + 2 * (uint64_t)bits_extend(op, 11);
	if ((op & 0xf000) == 0xd000)
		return at + 4 + 2 * (uint64_t)bits_extend(op, 8);
	if ((op & 0xf500) == 0xb100)
		return at + 4 + (op >> 2 & 0x3e) + (op >> 3 & 0x40);
	return CALIB_NOWHERE;
}

/* B.W, BL: S I1 I2 imm10 imm11; B cond: S J2 J1 imm6 imm11. */
static uint64_t wide_target(uint32_t op, uint64_t at)
{
	uint32_t s = op >> 26 & 1, j1 = op >> 13 & 1, j2 = op >> 11 & 1, low = op & 0x7ff;

	if ((op & 0xf800d000) == 0xf0008000)
		return at + 4 + 2 * (uint64_t)bits_extend(s << 19 | j2 << 18 | j1 << 17 |
							  (op >> 16 & 0x3f) << 11 | low, 20);
	if ((op & 0xf8009000) == 0xf0009000)
		return at + 4 + 2 * (uint64_t)bits_extend(s << 23 | (uint32_t)(j1 == s) << 22 |
							  (uint32_t)(j2 == s) << 21 |
							  (op >> 16 & 0x3ff) << 11 | low, 24);
	return CALIB_NOWHERE;
}

/* The word at a literal's address: a constant, or nothing that is known. */
static void literal_load(const struct calib_code *c, uint64_t address, struct calib_insn *in)
{
	uint64_t at = address - c->address;

	if (c->size >= 4 && at <= c->size - 4)
		in->value = bits_load32(c->bytes + at, false);
	else
		in->traits = 0;
}

static void narrow_special(const struct calib_code *c, uint32_t op, uint64_t at,
			   struct calib_insn *in)
{
	if ((op & 0xf800) == 0x4800)
		literal_load(c, ((at + 4) & ~UINT64_C(3)) + (op & LOW_BITS) * 4, in);
	else
		in->value = op & LOW_BITS;
	if ((op & 0xff78) == 0x4668 && in->traits == CALIB_COPY)
		in->traits = CALIB_FRAME;				/* MOV rd, sp */
	if ((op & 0xff00) == 0xbf00 && op & 15) {			/* IT */
		in->traits = CALIB_IT;
		in->value = 4 - (uint32_t)__builtin_ctz(op & 15);
		in->reads = CALIB_FLAGS;
	}
}

static void wide_special(const struct calib_code *c, uint32_t op, uint64_t at,
			 struct calib_insn *in)
{
	uint64_t literal = (at + 4) & ~UINT64_C(3);

	if ((op & 0xff7f0000) == 0xf85f0000 && in->traits & CALIB_CONSTANT)
		literal_load(c, op & 0x00800000 ? literal + (op & 0xfff) :
						  literal - (op & 0xfff), in);
	else
		in->value = (op >> 4 & 0xf000) | (op >> 15 & 0x800) | (op >> 4 & 0x700) |
			    (op & LOW_BITS);
	if (((op & 0xfbe08000) == 0xf1000000 || (op & 0xfbf08000) == 0xf2000000) &&
	    (op >> 16 & 15) == SP && in->traits == 0)
		in->traits = CALIB_FRAME;				/* ADD rd, sp */
	if (op == 0xf85dfb04) {						/* POP {pc} */
		in->traits |= CALIB_RETURN;
		in->cycles = (uint8_t)(in->cycles + core_of(c)->popped);
	}
}

/* --- an instruction --------------------------------------------------------------------------- */

/* Which of a form's fields has the registers that are stored or loaded at once. */
static enum field list_of(const struct thumb_form *f)
{
	bool stores = f->traits & (CALIB_SAVE | CALIB_KEPT);

	return stores ? f->reads : f->writes;
}

static void form_apply(const struct calib_code *c, const struct thumb_form *f, uint32_t op,
		       struct calib_insn *in)
{
	uint64_t (*bits_of)(enum field, uint32_t) = in->size == 4 ? wide_bits : narrow_bits;
	const struct core *core = core_of(c);
	enum calib_flags flags = f->flags;
	uint64_t writes = bits_of(f->writes, op), list = bits_of(list_of(f), op);
	bool sets_none = in->size == 4 && f->kind == ALU && f->writes == W_RD &&
			 !(op & 1u << 20);

	in->traits = f->traits;
	in->cycles = core->kind[f->kind];
	in->more = f->traits & CALIB_BRANCH ? core->taken : 0;
	in->writes = in->kills = writes & ~(BIT(SP) | BIT(PC));
	in->reads = bits_of(f->reads, op) & ~(BIT(SP) | BIT(PC));
	if (f->kind == MULTIPLE) {
		in->each = core->each;
		in->cycles = (uint8_t)(in->cycles + core->each * __builtin_popcountll(list));
	}
	if (writes & BIT(SP)) {
		in->traits = CALIB_KEPT;
	} else if (writes & BIT(PC) && f->traits & CALIB_RESTORE) {
		in->traits |= CALIB_RETURN;
		in->cycles = (uint8_t)(in->cycles + core->popped);
	} else if (writes & BIT(PC)) {
		in->traits = CALIB_JUMP;
	}
	if (sets_none)
		flags = flags == FLAGS_BOTH ? FLAGS_READS : FLAGS_NONE;
	calib_flags_use(flags, in);
}

static void thumb_decode(const struct calib_code *c, uint64_t at, uint64_t left,
			 struct calib_insn *in)
{
	const uint8_t *bytes = c->bytes + (at - c->address);
	uint32_t op = bits_load16(bytes, false);
	const struct thumb_form *f;

	*in = (struct calib_insn){ .size = 2, .cycles = 1, .target = CALIB_NOWHERE,
				   .traits = CALIB_KEPT, .reads = BIT(SP) - 1 };
	if (op >= 0xe800) {
		if (left < 4)
			return;
		in->size = 4;
		op = op << 16 | bits_load16(bytes + 2, false);
		f = form_find(wide, sizeof(wide) / sizeof(wide[0]), op);
		if (!f)
			return;
		form_apply(c, f, op, in);
		if (in->traits & (CALIB_BRANCH | CALIB_JUMP | CALIB_CALL))
			in->target = wide_target(op, at);
		wide_special(c, op, at, in);
		return;
	}
	f = form_find(narrow, sizeof(narrow) / sizeof(narrow[0]), op);
	if (!f)
		in->reads = 0;					/* NOP, BKPT, CPS */
	else
		form_apply(c, f, op, in);
	in->target = narrow_target(op, at);
	narrow_special(c, op, at, in);
}

/* What a return takes that is left of a function whose exit hook was jumped to. */
static double thumb_return(const struct calib_code *c, bool saved)
{
	const struct core *core = core_of(c);

	return saved ? core->popped : core->kind[RETURN];
}

const struct calib_machine calib_thumb = {
	.decode = thumb_decode, .return_cycles = thumb_return,
	.saved = 0xff0,			/* r4 to r11 */
	.scratch = 0x100f,		/* r0 to r3, r12 */
	.arguments = 0xf,
	.results = 0x3,
	.hooks = 0x3,
	.callee = 0x1,
	.link = BIT(LR),
};

double calib_thumb_call(enum calib_core core)
{
	return 2 + cores[core].kind[CALL];
}

double calib_thumb_loop(enum calib_core core)
{
	return 2 * calib_thumb_call(core) + 2 + cores[core].taken;
}
