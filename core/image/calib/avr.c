/* AVR Instruction Set Manual (0856): cycles of the AVRe+ core; `wide`: a 22-bit program counter. */
#include <stddef.h>

#include "core/base/bits.h"
#include "core/image/calib/insn.h"

enum { SPL = 0x3d, SREG = 0x3f, REG_X = 26, REG_Y = 28, REG_Z = 30 };

/* Registers that an instruction names. */
enum field { NONE, RD, RR, RD_RR, RD_PAIR, RR_PAIR, RD_UPPER, RD_WORD, X, Y, Z, R1_R0, R0 };

static uint64_t pair_bits(unsigned r)
{
	return UINT64_C(3) << r;
}

static uint64_t field_bits(enum field field, uint16_t op)
{
	uint64_t rd = UINT64_C(1) << (op >> 4 & 31);
	uint64_t rr = UINT64_C(1) << ((op & 15) | (op >> 5 & 16));

	switch (field) {
	case RD: return rd;
	case RR: return rr;
	case RD_RR: return rd | rr;
	case RD_PAIR: return pair_bits((op >> 4 & 15) * 2u);
	case RR_PAIR: return pair_bits((op & 15) * 2u);
	case RD_UPPER: return UINT64_C(1) << (16 + (op >> 4 & 15));
	case RD_WORD: return pair_bits(24 + (op >> 4 & 3) * 2u);
	case X: return pair_bits(REG_X);
	case Y: return pair_bits(REG_Y);
	case Z: return pair_bits(REG_Z);
	case R1_R0: return 3;
	case R0: return 1;
	case NONE: break;
	}
	return 0;
}

static const struct avr_form {
	uint16_t mask, match;
	uint8_t writes, reads, also;	/* enum field; `also` is read */
	uint8_t flags;			/* enum calib_flags */
	uint8_t cycles;
	uint16_t traits;
} forms[] = {
	{ 0xfc00, 0x0c00, RD, RD_RR, NONE, FLAGS_SETS, 1, 0 },			/* ADD */
	{ 0xfc00, 0x1c00, RD, RD_RR, NONE, FLAGS_BOTH, 1, 0 },			/* ADC */
	{ 0xfc00, 0x1800, RD, RD_RR, NONE, FLAGS_SETS, 1, 0 },			/* SUB */
	{ 0xfc00, 0x0800, RD, RD_RR, NONE, FLAGS_BOTH, 1, 0 },			/* SBC */
	{ 0xfc00, 0x2000, RD, RD_RR, NONE, FLAGS_SOME, 1, 0 },			/* AND */
	{ 0xfc00, 0x2400, RD, RD_RR, NONE, FLAGS_SOME, 1, 0 },			/* EOR */
	{ 0xfc00, 0x2800, RD, RD_RR, NONE, FLAGS_SOME, 1, 0 },			/* OR */
	{ 0xfc00, 0x2c00, RD, RR, NONE, FLAGS_NONE, 1, CALIB_COPY },		/* MOV */
	{ 0xfc00, 0x1400, NONE, RD_RR, NONE, FLAGS_SETS, 1, 0 },			/* CP */
	{ 0xfc00, 0x0400, NONE, RD_RR, NONE, FLAGS_BOTH, 1, 0 },			/* CPC */
	{ 0xfc00, 0x1000, NONE, RD_RR, NONE, FLAGS_NONE, 1, CALIB_SKIP },		/* CPSE */
	{ 0xfc00, 0x9c00, R1_R0, RD_RR, NONE, FLAGS_SETS, 2, 0 },			/* MUL */
	{ 0xff00, 0x0100, RD_PAIR, RR_PAIR, NONE, FLAGS_NONE, 1, CALIB_COPY },	/* MOVW */
	{ 0xfe00, 0x0200, R1_R0, NONE, NONE, FLAGS_SETS, 2, CALIB_KEPT },	/* MULS .. FMUL */
	{ 0xf000, 0x3000, NONE, RD_UPPER, NONE, FLAGS_SETS, 1, 0 },			/* CPI */
	{ 0xf000, 0x4000, RD_UPPER, RD_UPPER, NONE, FLAGS_BOTH, 1, 0 },		/* SBCI */
	{ 0xf000, 0x5000, RD_UPPER, RD_UPPER, NONE, FLAGS_SETS, 1, 0 },		/* SUBI */
	{ 0xe000, 0x6000, RD_UPPER, RD_UPPER, NONE, FLAGS_SOME, 1, 0 },		/* ORI, ANDI */
	{ 0xf000, 0xe000, RD_UPPER, NONE, NONE, FLAGS_NONE, 1, CALIB_CONSTANT },	/* LDI */
	{ 0xfe0f, 0x9402, RD, RD, NONE, FLAGS_NONE, 1, 0 },				/* SWAP */
	{ 0xfe0f, 0x9403, RD, RD, NONE, FLAGS_SOME, 1, 0 },				/* INC */
	{ 0xfe0f, 0x940a, RD, RD, NONE, FLAGS_SOME, 1, 0 },				/* DEC */
	{ 0xfe0f, 0x9407, RD, RD, NONE, FLAGS_BOTH, 1, 0 },				/* ROR */
	{ 0xfe0e, 0x9400, RD, RD, NONE, FLAGS_SETS, 1, 0 },			/* COM, NEG */
	{ 0xfe0f, 0x9405, RD, RD, NONE, FLAGS_SETS, 1, 0 },				/* ASR */
	{ 0xfe0f, 0x9406, RD, RD, NONE, FLAGS_SETS, 1, 0 },				/* LSR */
	{ 0xfe00, 0x9600, RD_WORD, RD_WORD, NONE, FLAGS_SETS, 2, 0 },		/* ADIW, SBIW */
	{ 0xd208, 0x8000, RD, Z, NONE, FLAGS_NONE, 2, 0 },			/* LDD Z+q */
	{ 0xd208, 0x8008, RD, Y, NONE, FLAGS_NONE, 2, 0 },			/* LDD Y+q */
	{ 0xd208, 0x8200, NONE, Z, RD, FLAGS_NONE, 2, CALIB_KEPT },		/* STD Z+q */
	{ 0xd208, 0x8208, NONE, Y, RD, FLAGS_NONE, 2, CALIB_KEPT },		/* STD Y+q */
	{ 0xfe0f, 0x900c, RD, X, NONE, FLAGS_NONE, 2, 0 },				/* LD X */
	{ 0xfe0f, 0x9004, RD, Z, NONE, FLAGS_NONE, 3, 0 },				/* LPM */
	{ 0xfe0f, 0x900f, RD, NONE, NONE, FLAGS_NONE, 2, CALIB_RESTORE },		/* POP */
	{ 0xfe0f, 0x920f, NONE, RD, NONE, FLAGS_NONE, 2, CALIB_SAVE },		/* PUSH */
	{ 0xfe0f, 0x9000, RD, NONE, NONE, FLAGS_NONE, 2, CALIB_KEPT },		/* LDS */
	{ 0xfe0f, 0x9200, NONE, RD, NONE, FLAGS_NONE, 2, CALIB_KEPT },		/* STS */
	{ 0xfe0c, 0x9004, RD, Z, Z, FLAGS_NONE, 3, CALIB_KEPT },		/* LPM Z+, ELPM */
	{ 0xfe0c, 0x9000, RD, Z, Z, FLAGS_NONE, 2, CALIB_KEPT },		/* LD Z+, -Z */
	{ 0xfe0c, 0x9008, RD, Y, Y, FLAGS_NONE, 2, CALIB_KEPT },		/* LD Y+, -Y */
	{ 0xfe0c, 0x900c, RD, X, X, FLAGS_NONE, 2, CALIB_KEPT },		/* LD X+, -X */
	{ 0xfe0c, 0x9200, NONE, RD, Z, FLAGS_NONE, 2, CALIB_KEPT },		/* ST Z+, -Z */
	{ 0xfe0c, 0x9208, NONE, RD, Y, FLAGS_NONE, 2, CALIB_KEPT },		/* ST Y+, -Y */
	{ 0xfe0c, 0x920c, NONE, RD, X, FLAGS_NONE, 2, CALIB_KEPT },			/* ST X */
	{ 0xf800, 0xb000, RD, NONE, NONE, FLAGS_NONE, 1, CALIB_KEPT },		/* IN */
	{ 0xf800, 0xb800, NONE, RD, NONE, FLAGS_NONE, 1, CALIB_KEPT },		/* OUT */
	{ 0xfe08, 0xf800, RD, RD, NONE, FLAGS_READS, 1, 0 },			/* BLD */
	{ 0xfe08, 0xfa00, NONE, RD, NONE, FLAGS_SOME, 1, 0 },			/* BST */
	{ 0xfc08, 0xfc00, NONE, RD, NONE, FLAGS_NONE, 1, CALIB_SKIP },		/* SBRC, SBRS */
	{ 0xfd00, 0x9900, NONE, NONE, NONE, FLAGS_NONE, 1, CALIB_SKIP },	/* SBIC, SBIS */
	{ 0xfd00, 0x9800, NONE, NONE, NONE, FLAGS_NONE, 2, CALIB_KEPT },	/* CBI, SBI */
	{ 0xf800, 0xf000, NONE, NONE, NONE, FLAGS_READS, 1, CALIB_BRANCH },		/* BRBS */
	{ 0xf800, 0xf400, NONE, NONE, NONE, FLAGS_READS, 1, CALIB_BRANCH },		/* BRBC */
	{ 0xf000, 0xc000, NONE, NONE, NONE, FLAGS_NONE, 2, CALIB_JUMP },		/* RJMP */
	{ 0xf000, 0xd000, NONE, NONE, NONE, FLAGS_NONE, 3, CALIB_CALL },		/* RCALL */
	{ 0xfe0e, 0x940c, NONE, NONE, NONE, FLAGS_NONE, 3, CALIB_JUMP },		/* JMP */
	{ 0xfe0e, 0x940e, NONE, NONE, NONE, FLAGS_NONE, 4, CALIB_CALL },		/* CALL */
	{ 0xffef, 0x9409, NONE, Z, NONE, FLAGS_NONE, 2, CALIB_JUMP },		/* IJMP, EIJMP */
	{ 0xffef, 0x9509, NONE, Z, NONE, FLAGS_NONE, 3, CALIB_CALL },		/* ICALL, EICALL */
	{ 0xffef, 0x9508, NONE, NONE, NONE, FLAGS_NONE, 4, CALIB_RETURN },	/* RET, RETI */
	{ 0xff0f, 0x9408, NONE, NONE, NONE, FLAGS_SOME, 1, CALIB_KEPT },	/* BSET, BCLR */
	{ 0xffff, 0x0000, NONE, NONE, NONE, FLAGS_NONE, 1, CALIB_KEPT },		/* NOP */
};

static bool is_pointer(enum field field)
{
	return field == X || field == Y || field == Z;
}

static bool is_long(uint16_t op)
{
	return (op & 0xfe0c) == 0x940c || (op & 0xfc0f) == 0x9000;
}

/* Where RJMP, RCALL, JMP, CALL and the branches lead. */
static uint64_t target_of(uint16_t op, uint16_t next, uint64_t at)
{
	if ((op & 0xe000) == 0xc000)
		return at + 2 + 2 * (uint64_t)bits_extend(op, 12);
	if ((op & 0xf800) == 0xf000)
		return at + 2 + 2 * (uint64_t)bits_extend(op >> 3, 7);
	if ((op & 0xfe0c) == 0x940c)
		return ((uint64_t)((op >> 3 & 0x3e) | (op & 1)) << 16 | next) * 2;
	return CALIB_NOWHERE;
}

static void special_forms(uint16_t op, struct calib_insn *in)
{
	unsigned port = (op & 15) | (op >> 5 & 0x30);

	if ((op & 0xf800) == 0xb000 && port >= SPL && port < SREG)
		in->traits = CALIB_FRAME;
	if ((op & 0xfc00) == 0x2400 && (op >> 4 & 31) == ((op & 15) | (op >> 5 & 16)))
		in->reads = 0;					/* CLR */
	if ((op & 0xfe00) == 0x0200)
		in->reads = 0xffff0000;				/* MULS .. FMULSU: of r16 to r31 */
	in->value = (op >> 4 & 0xf0) | (op & 15);		/* LDI's */
}

static void avr_decode(const struct calib_code *c, uint64_t at, uint64_t left,
		       struct calib_insn *in)
{
	const uint8_t *bytes = c->bytes + (at - c->address);
	uint16_t op = bits_load16(bytes, false);
	const struct avr_form *f = NULL;

	*in = (struct calib_insn){ .size = 2, .cycles = 1, .target = CALIB_NOWHERE,
				   .traits = CALIB_KEPT };
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !f; i++)
		f = (op & forms[i].mask) == forms[i].match ? &forms[i] : NULL;
	if (is_long(op) && left < 4)
		return;
	in->size = is_long(op) ? 4 : 2;
	if (!f)
		return;
	in->traits = f->traits;
	in->cycles = f->cycles;
	in->writes = in->kills = field_bits(f->writes, op);
	in->reads = field_bits(f->reads, op) | field_bits(f->also, op);
	if (f->traits == CALIB_KEPT && f->also == f->reads && f->also != NONE) {
		in->writes |= in->reads;			/* a pointer that moves */
		in->traits = 0;
	}
	if (is_pointer(f->reads) || is_pointer(f->also))
		in->traits |= CALIB_POINTER;
	calib_flags_use(f->flags, in);
	special_forms(op, in);
	in->more = f->traits & CALIB_BRANCH ? 1 : 0;
	in->target = target_of(op, in->size == 4 ? bits_load16(bytes + 2, false) : 0, at);
	if (f->traits & (CALIB_CALL | CALIB_RETURN))
		in->cycles = (uint8_t)(f->cycles + c->wide);
	if (in->target == at + in->size && f->traits == CALIB_CALL)
		in->traits = CALIB_KEPT;			/* room on the stack */
}

static double avr_return(const struct calib_code *c, bool saved)
{
	(void)saved;
	return 4 + c->wide;
}

const struct calib_machine calib_avr = {
	.decode = avr_decode, .return_cycles = avr_return,
	.saved = 0x3003fffc,		/* r2 to r17, r29:28 */
	.scratch = 0xcffc0000,		/* r18 to r27, r31:30 */
	.arguments = 0x03ffff00,	/* r25 down to r8 */
	.results = 0x03fc0000,		/* r25 down to r18 */
	.hooks = 0x03c00000,		/* r25:24, r23:22 */
	.callee = 0x03000000,		/* r25:24 */
	.pointers = 0x30000000,		/* Y */
};
