#include "core/image/call.h"

#define NO_CALL ((struct call){ 0, CODE_NO_TARGET })
#define INDIRECT(n) ((struct call){ (n), CODE_NO_TARGET })

static uint32_t word_at(const struct call_site *s)
{
	return bits_load32(s->bytes, s->elf->big_code);
}

static struct call direct_call(const struct call_site *s, unsigned size, uint64_t target)
{
	if (s->elf->bits == 32)
		target &= UINT32_MAX;
	return (struct call){ (uint8_t)size, target };
}

/* --- AVR: AVR Instruction Set Manual (0856) --------------------------------------------------- */

static uint64_t avr_absolute(uint16_t op, uint16_t low)
{
	return ((uint64_t)(op >> 4 & 0x1f) << 17 | (uint64_t)(op & 1) << 16 | low) * 2;
}

uint64_t call_avr_relative(const struct call_site *s, uint16_t op)
{
	uint64_t target = s->at + 2 + (uint64_t)(2 * bits_extend(op, 12));

	if (elf_code_at(s->elf, target))
		return target;
	return target & 0x1fff;
}

static struct call avr_call(const struct call_site *s)
{
	uint16_t op = call_half(s, 0);

	if ((op & 0xfe0e) == 0x940e)					/* CALL */
		return s->left < 4 ? NO_CALL : direct_call(s, 4, avr_absolute(op, call_half(s, 2)));
	if ((op & 0xf000) == 0xd000)					/* RCALL */
		return direct_call(s, 2, call_avr_relative(s, op));
	if (op == 0x9509 || op == 0x9519)				/* ICALL, EICALL */
		return INDIRECT(2);
	return NO_CALL;
}

uint64_t call_avr_jump(const struct elf *e, uint64_t at)
{
	uint16_t op, low;

	if (!elf_code16(e, at, &op) || (op & 0xfe0e) != 0x940c || !elf_code16(e, at + 2, &low))
		return CODE_NO_TARGET;
	return avr_absolute(op, low);
}

/* --- ARM: ARM DDI 0403, A7.7.18 and A7.7.19; DDI 0406, A8.8.25 -------------------------------- */

uint64_t call_thumb_relative(const struct call_site *s, uint16_t op, uint16_t low)
{
	uint32_t sign = op >> 10 & 1, i1 = !((low >> 13 & 1) ^ sign),
		 i2 = !((low >> 11 & 1) ^ sign);
	uint32_t imm = sign << 24 | i1 << 23 | i2 << 22 | (uint32_t)(op & 0x3ff) << 12 |
		       (low & 0x7ffu) << 1;

	return s->at + 4 + (uint64_t)bits_extend(imm, 25);
}

static struct call thumb_branch(const struct call_site *s, uint16_t op, uint16_t low)
{
	uint64_t target = call_thumb_relative(s, op, low);

	if (!(low & 0x1000)) /* BLX: to ARM code, aligned */
		target &= ~UINT64_C(3);
	return direct_call(s, 4, target & ~UINT64_C(1));
}

static struct call thumb_call(const struct call_site *s)
{
	uint16_t op = call_half(s, 0), low;

	if ((op & 0xff80) == 0x4780)					/* BLX Rm; BLXNS */
		return INDIRECT(2);
	if ((op & 0xf800) != 0xf000 || s->left < 4)
		return NO_CALL;
	low = call_half(s, 2);
	if ((low & 0xd000) == 0xd000 || (low & 0xd001) == 0xc000)	/* BL; BLX */
		return thumb_branch(s, op, low);
	return NO_CALL;
}

static uint64_t arm_relative(const struct call_site *s, uint32_t op)
{
	return s->at + 8 + (uint64_t)bits_extend((uint64_t)op << 2, 26);
}

static struct call arm_call(const struct call_site *s)
{
	uint32_t op;

	if ((s->at & 3) || s->left < 4)
		return NO_CALL;
	op = word_at(s);
	if ((op & 0xfe000000) == 0xfa000000)				/* BLX: to Thumb code */
		return direct_call(s, 4, arm_relative(s, op) + (op >> 23 & 2));
	if ((op & 0x0f000000) == 0x0b000000 && op >> 28 != 15)		/* BL */
		return direct_call(s, 4, arm_relative(s, op));
	if ((op & 0x0ffffff0) == 0x012fff30)				/* BLX Rm */
		return INDIRECT(4);
	if (op == 0xe1a0e00f) /* MOV LR, PC and a branch: before v5 */
		return INDIRECT(8);
	return NO_CALL;
}

static struct call any_arm_call(const struct call_site *s)
{
	return s->mode == 'a' ? arm_call(s) : s->mode == 't' ? thumb_call(s) : NO_CALL;
}

/* --- MSP430: TI SLAU208, 6.5.2 and 6.6.2 ------------------------------------------------------ */

static struct call msp430x_calla(const struct call_site *s, uint16_t op)
{
	switch (op & 0x00f0) {
	case 0x40: case 0x60: case 0x70:				/* Rdst, @Rdst, @Rdst+ */
		return INDIRECT(2);
	case 0x50: case 0x80: case 0x90:				/* z16(Rdst), &abs20, EDE */
		return s->left < 4 ? NO_CALL : INDIRECT(4);
	case 0xb0:							/* #imm20 */
		return s->left < 4 ? NO_CALL :
		       direct_call(s, 4, (uint64_t)(op & 15) << 16 | call_half(s, 2));
	default:
		return NO_CALL;
	}
}

static struct call msp430_call(const struct call_site *s)
{
	uint16_t op = call_half(s, 0);
	unsigned mode = op >> 4 & 3, reg = op & 15;

	if ((op & 0xff00) == 0x1300 && op != 0x1300)			/* 0x1300 is RETI */
		return msp430x_calla(s, op);
	if ((op & 0xffc0) != 0x1280)
		return NO_CALL;
	if (op == 0x12b0) /* CALL #imm, that is @PC+ */
		return s->left < 4 ? NO_CALL : direct_call(s, 4, call_half(s, 2));
	if (mode == 1 && reg != 3)					/* X(Rn), EDE, &EDE */
		return s->left < 4 ? NO_CALL : INDIRECT(4);
	return INDIRECT(2);
}

/* --- RISC-V: unprivileged ISA 2.5 and 16.4; x1 and x5 are link registers ---------------------- */

static bool link_register(uint32_t op)
{
	uint32_t rd = op >> 7 & 31;

	return rd == 1 || rd == 5;
}

static uint64_t riscv_jal(uint32_t op)
{
	uint32_t imm = (op >> 31 & 1) << 20 | (op >> 12 & 0xff) << 12 | (op >> 20 & 1) << 11 |
		       (op >> 21 & 0x3ff) << 1;

	return (uint64_t)bits_extend(imm, 21);
}

static uint64_t riscv_cjal(uint16_t op)
{
	uint32_t imm = (op >> 12 & 1u) << 11 | (op >> 11 & 1u) << 4 | (op >> 9 & 3u) << 8 |
		       (op >> 8 & 1u) << 10 | (op >> 7 & 1u) << 6 | (op >> 6 & 1u) << 7 |
		       (op >> 3 & 7u) << 1 | (op >> 2 & 1u) << 5;

	return (uint64_t)bits_extend(imm, 12);
}

/* JALR: with the AUIPC before it on the same register it is a direct call of any distance. */
static struct call riscv_jalr(const struct call_site *s, uint32_t op)
{
	uint32_t before, rs = op >> 15 & 31;

	if (elf_code32(s->elf, s->at - 4, &before) && (before & 0xfff) == (rs << 7 | 0x17))
		return direct_call(s, 4,
				   s->at - 4 + (uint64_t)bits_extend(before & 0xfffff000u, 32) +
				   (uint64_t)bits_extend(op >> 20, 12));
	return INDIRECT(4);
}

static struct call riscv_call(const struct call_site *s)
{
	uint16_t low = call_half(s, 0);
	uint32_t op;

	if ((low & 3) != 3) {
		if (s->elf->bits == 32 && (low & 0xe003) == 0x2001)	/* C.JAL */
			return direct_call(s, 2, s->at + riscv_cjal(low));
		if ((low & 0xf07f) == 0x9002 && (low & 0x0f80))		/* C.JALR */
			return INDIRECT(2);
		return NO_CALL;
	}
	if (s->left < 4)
		return NO_CALL;
	op = word_at(s);
	if ((op & 0x7f) == 0x6f && link_register(op))			/* JAL */
		return direct_call(s, 4, s->at + riscv_jal(op));
	if ((op & 0x707f) == 0x67 && link_register(op))			/* JALR */
		return riscv_jalr(s, op);
	return NO_CALL;
}

/* --- hosts: roughly, for tests ---------------------------------------------------------------- */

/* FF /2 with its ModRM byte at `at`: how long it is. */
static unsigned x86_indirect(const struct call_site *s, unsigned at)
{
	unsigned modrm, mod, rm, size = at + 1;

	if (s->left <= at || ((modrm = s->bytes[at]) >> 3 & 7) != 2)
		return 0;
	mod = modrm >> 6;
	rm = modrm & 7;
	if (mod != 3 && rm == 4)
		size++;							/* SIB */
	if (mod == 1)
		size += 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		size += 4;
	return size <= s->left ? size : 0;
}

static struct call x86_call(const struct call_site *s)
{
	unsigned prefix = s->bytes[0] == 0x41, n; /* REX.B: registers 8 to 15 */

	if (s->bytes[0] == 0xe8 && s->left >= 5) {
		int64_t offset = bits_extend(bits_load32(s->bytes + 1, false), 32);
		struct call c = direct_call(s, 5, s->at + 5 + (uint64_t)offset);

		return elf_code_at(s->elf, c.target) ? c : NO_CALL;
	}
	if (s->left > prefix && s->bytes[prefix] == 0xff && (n = x86_indirect(s, prefix + 1)) != 0)
		return INDIRECT((uint8_t)n);
	return NO_CALL;
}

static struct call aarch64_call(const struct call_site *s)
{
	uint32_t op;

	if ((s->at & 3) || s->left < 4)
		return NO_CALL;
	op = word_at(s);
	if ((op & 0xfc000000) == 0x94000000)				/* BL */
		return direct_call(s, 4, s->at + (uint64_t)bits_extend((uint64_t)op << 2, 28));
	if ((op & 0xfffffc1f) == 0xd63f0000)				/* BLR */
		return INDIRECT(4);
	return NO_CALL;
}

/* --- all of them ------------------------------------------------------------------------------ */

static const struct {
	struct call (*decode)(const struct call_site *s);
	unsigned longest, step;
} decoders[] = {
	[ELF_ISA_AVR] = { .decode = avr_call, .longest = 4, .step = 2 },
	[ELF_ISA_ARM] = { .decode = any_arm_call, .longest = 8, .step = 2 },
	[ELF_ISA_MSP430] = { .decode = msp430_call, .longest = 4, .step = 2 },
	[ELF_ISA_RISCV] = { .decode = riscv_call, .longest = 4, .step = 2 },
	[ELF_ISA_X86] = { .decode = x86_call, .longest = 8, .step = 1 },
	[ELF_ISA_X86_64] = { .decode = x86_call, .longest = 8, .step = 1 },
	[ELF_ISA_AARCH64] = { .decode = aarch64_call, .longest = 4, .step = 4 },
};

struct call call_decode(const struct call_site *site)
{
	return site->left < 2 ? NO_CALL : decoders[site->elf->machine->isa].decode(site);
}

unsigned call_longest(const struct elf *e)
{
	return decoders[e->machine->isa].longest;
}

unsigned call_step(const struct elf *e)
{
	return decoders[e->machine->isa].step;
}
