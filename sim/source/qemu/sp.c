/* sp: see sp.h. Encodings: ARMv7-M Architecture Reference Manual, A5.2, A5.3 and A7.7. */
#include "sim/source/qemu/sp.h"

#include "sim/cortexm/truth/qemu_plugin.h"

enum { SP = 13, LR = 14, WORD = 4 };

/* What an exception pushes (B1.5.7), and what LR and the pushed xPSR say of it (B1.5.8). */
enum { PUSHED = 32, PUSHED_FLOATS = 104, PUSHED_XPSR = 28 };
enum { LR_PROCESS_STACK = 1 << 2, LR_NO_FLOATS = 1 << 4, XPSR_ALIGNED = 1 << 9 };

struct sp_array {			/* glib's GByteArray */
	uint8_t *data;
	unsigned len;
};

void *qemu_get_cpu(int index) __attribute__((weak));
int arm_cpu_gdb_read_register(void *cpu, struct sp_array *to, int number) __attribute__((weak));
struct sp_array *g_byte_array_new(void) __attribute__((weak));
struct sp_array *g_byte_array_set_size(struct sp_array *array, unsigned n) __attribute__((weak));

bool sp_readable(void)
{
	return qemu_get_cpu && arm_cpu_gdb_read_register && g_byte_array_new &&
	       g_byte_array_set_size && cpu_physical_memory_rw;
}

static uint32_t register_read(int number)
{
	static struct sp_array *array;

	if (!array)
		array = g_byte_array_new();
	g_byte_array_set_size(array, 0);
	if (arm_cpu_gdb_read_register(qemu_get_cpu(0), array, number) != WORD || array->len != WORD)
		return 0;
	return array->data[0] | (uint32_t)array->data[1] << 8 | (uint32_t)array->data[2] << 16 |
	       (uint32_t)array->data[3] << 24;
}

uint32_t sp_read(void)
{
	return register_read(SP);
}

bool sp_exception(uint32_t sp, uint32_t *before)
{
	uint32_t lr = register_read(LR);
	uint8_t xpsr[WORD] = { 0 };

	*before = sp;
	if (lr & LR_PROCESS_STACK)
		return false;
	cpu_physical_memory_rw(sp + PUSHED_XPSR, xpsr, sizeof(xpsr), false);
	*before += lr & LR_NO_FLOATS ? PUSHED : PUSHED_FLOATS;
	*before += (xpsr[0] | xpsr[1] << 8) & XPSR_ALIGNED ? WORD : 0;
	return true;
}

/* --- 16 bits ---------------------------------------------------------------------------------- */

static enum sp_move short_move(uint32_t op, int32_t *delta)
{
	int32_t words = __builtin_popcount(op & 0x1ff);

	if ((op & 0xfe00) == 0xb400)			/* push */
		*delta = -WORD * words;
	else if ((op & 0xfe00) == 0xbc00)		/* pop */
		*delta = WORD * words;
	else if ((op & 0xff80) == 0xb000)		/* add sp, #n */
		*delta = WORD * (int32_t)(op & 0x7f);
	else if ((op & 0xff80) == 0xb080)		/* sub sp, #n */
		*delta = -WORD * (int32_t)(op & 0x7f);
	else						/* mov sp, rN; add sp, rN */
		return (op & 0xff87) == 0x4685 || (op & 0xff87) == 0x4485 ? SP_CHANGES : SP_STAYS;
	return SP_MOVES;
}

/* --- 32 bits ---------------------------------------------------------------------------------- */

/* ThumbExpandImm, A5.3.2. */
static uint32_t immediate_expand(uint32_t imm12)
{
	uint32_t byte = imm12 & 0xff, rotated = byte | 0x80, by = imm12 >> 7;

	switch (imm12 >> 8) {
	case 0: return byte;
	case 1: return byte | byte << 16;
	case 2: return byte << 8 | byte << 24;
	case 3: return byte * 0x01010101;
	default: return rotated >> by | rotated << (32 - by);
	}
}

static uint32_t immediate_of(uint32_t op)
{
	return (op >> 26 & 1) << 11 | (op >> 12 & 7) << 8 | (op & 0xff);
}

/* A load or store whose base is sp and is written back. */
static bool indexed_move(uint32_t op, int32_t *delta)
{
	int32_t list = WORD * __builtin_popcount(op & 0xffff);
	int32_t one = (int32_t)(op & 0xff), up = op & 1u << 9 ? 1 : -1;
	int32_t two = WORD * (int32_t)(op & 0xff), up_two = op & 1u << 23 ? 1 : -1;

	if ((op & 0xffef0000) == 0xe92d0000)		/* stmdb sp!, ldmdb sp! */
		*delta = -list;
	else if ((op & 0xffef0000) == 0xe8ad0000)	/* stmia sp!, ldmia sp! */
		*delta = list;
	else if ((op & 0xff8f0900) == 0xf80d0900)	/* str, ldr: [sp, #n]!, [sp], #n */
		*delta = up * one;
	else if ((op & 0xfe6f0000) == 0xe86d0000 && op & (1u << 24 | 1u << 23))	/* strd, ldrd */
		*delta = up_two * two;
	else if ((op & 0xfe2f0e00) == 0xec2d0a00)	/* vpush, vpop, vstm, vldm */
		*delta = up_two * two;
	else
		return false;
	return true;
}

static enum sp_move long_move(uint32_t op, int32_t *delta)
{
	uint32_t imm12 = immediate_of(op);

	if ((op & 0xfbef8f00) == 0xf10d0d00) {		/* add.w sp, sp, #n */
		*delta = (int32_t)immediate_expand(imm12);
		return SP_MOVES;
	}
	if ((op & 0xfbef8f00) == 0xf1ad0d00) {		/* sub.w sp, sp, #n */
		*delta = -(int32_t)immediate_expand(imm12);
		return SP_MOVES;
	}
	if ((op & 0xfbff8f00) == 0xf20d0d00) {		/* addw */
		*delta = (int32_t)imm12;
		return SP_MOVES;
	}
	if ((op & 0xfbff8f00) == 0xf2ad0d00) {		/* subw */
		*delta = -(int32_t)imm12;
		return SP_MOVES;
	}
	if (indexed_move(op, delta))
		return SP_MOVES;
	/* Others with sp for a destination: data processing, loads of a word, msr. */
	if ((op & 0xf8008f00) == 0xf0000d00 || (op & 0xfe000f00) == 0xea000d00 ||
	    (op & 0xff70f000) == 0xf850d000 || (op & 0xffe0ff00) == 0xf3808800)
		return SP_CHANGES;
	return SP_STAYS;
}

enum sp_move sp_move_of(const uint8_t *code, size_t size, int32_t *delta)
{
	uint32_t op = code[0] | (uint32_t)code[1] << 8;

	*delta = 0;
	if (size == 2)
		return short_move(op, delta);
	return long_move(op << 16 | code[2] | (uint32_t)code[3] << 8, delta);
}

unsigned sp_conditional(const uint8_t *code, size_t size)
{
	if (size != 2 || code[1] != 0xbf || !(code[0] & 15))
		return 0;
	return 4 - (unsigned)__builtin_ctz(code[0]);
}
