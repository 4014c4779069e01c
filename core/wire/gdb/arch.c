/* arch: where the protocol has registers, and stacks have return addresses. */
#include "core/wire/gdb/state.h"

#include <string.h>

/* An exception's frame (DDI 0403E.e, B1.5.6): the return address and xPSR are its last words. */
enum { FRAME_PC = 24, FRAME_READ = 8, FRAME = 32, FRAME_FLOAT = 104 };

#define EXC_RETURN_PSP 4u
#define EXC_RETURN_PLAIN 0x10u
#define PSR_PADDED (1u << 9)
#define PSR_HANDLER 0x1ffu

/*
 * ARM has r0 to r15 and xPSR; AVR 32 bytes, SREG, SP and PC (a byte address), its data from
 * 0x800000 on and the return address in words, its high byte first; MSP430 16 registers of 16 bits,
 * PC and SP first.
 */
static const struct gdb_arch archs[] = {
	[CODE_UNKNOWN] = { .number = 15, .pc_at = 15 * 8, .pc_bytes = 4, .code_bytes = 2 },
	[CODE_ARM] = { .number = 15, .pc_at = 15 * 8, .sp_at = 13 * 8, .link_at = 14 * 8,
		       .psr_at = 16 * 8, .pc_bytes = 4, .sp_bytes = 4, .code_bytes = 2 },
	[CODE_AVR] = { .number = 0x22, .pc_at = 32 * 2 + 2 + 4, .sp_at = 32 * 2 + 2, .pc_bytes = 4,
		       .sp_bytes = 2, .code_bytes = 2, .data = 0x800000, .above = 1 },
	[CODE_MSP430] = { .number = 0, .pc_at = 0, .sp_at = 4, .pc_bytes = 2, .sp_bytes = 2,
			  .code_bytes = 2 },
	[CODE_RISCV] = { .number = 0x20, .pc_at = 32 * 8, .sp_at = 2 * 8, .link_at = 8,
			 .pc_bytes = 4, .sp_bytes = 4, .code_bytes = 2 },
	[CODE_HOST] = { .number = 15, .pc_at = 15 * 8, .pc_bytes = 4, .code_bytes = 2 },
};

static enum code_arch arch_of(const struct gdb *g)
{
	return g->wire.code ? g->wire.code->arch : CODE_UNKNOWN;
}

const struct gdb_arch *gdb_arch(const struct gdb *g)
{
	return &archs[arch_of(g)];
}

uint32_t gdb_pc(const struct gdb *g, uint32_t pc)
{
	return arch_of(g) == CODE_ARM ? pc & ~1u : pc;
}

static bool register_read(const char *hex, size_t length, uint16_t at, uint8_t bytes,
			  uint32_t *value)
{
	*value = 0;
	return at + 2u * bytes <= length && rsp_word(hex + at, bytes, value);
}

bool gdb_registers(const struct gdb *g, const char *hex, struct gdb_registers *r)
{
	const struct gdb_arch *a = gdb_arch(g);
	size_t length = strlen(hex);
	uint32_t psr = 0;

	*r = (struct gdb_registers){ .known = false };
	if (!a->sp_bytes || !register_read(hex, length, a->pc_at, a->pc_bytes, &r->pc) ||
	    !register_read(hex, length, a->sp_at, a->sp_bytes, &r->sp))
		return false;
	if (a->link_at && !register_read(hex, length, a->link_at, 4, &r->link))
		return false;
	r->known = true;
	if (a->psr_at && register_read(hex, length, a->psr_at, 4, &psr))
		r->in_handler = psr & PSR_HANDLER;
	r->pc = gdb_pc(g, r->pc);
	return true;
}

bool gdb_is_exception(const struct gdb *g, uint32_t link)
{
	return arch_of(g) == CODE_ARM && wire_is_exc_return(link);
}

bool gdb_stack(const struct gdb *g, bool handler, uint32_t *address, unsigned *bytes)
{
	const struct gdb_arch *a = gdb_arch(g);

	*address = a->data + g->watch.at.sp + (uint32_t)a->above;
	switch (arch_of(g)) {
	case CODE_AVR:
		*bytes = 3;
		return true;
	case CODE_MSP430:
		*bytes = 4;
		return true;
	default:
		*address += FRAME_PC;
		*bytes = FRAME_READ;
		return handler;
	}
}

static uint32_t word_get(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* An exception's frame. Whose stack is the other one is not told by the protocol. */
static bool frame_return(const struct gdb *g, const uint8_t *stack, struct gdb_call *call)
{
	uint32_t link = g->watch.at.link, psr = word_get(stack + 4);

	if (link & EXC_RETURN_PSP)
		return false;
	call->from = word_get(stack) & ~1u;
	call->sp = g->watch.at.sp + (link & EXC_RETURN_PLAIN ? FRAME : FRAME_FLOAT) +
		   (psr & PSR_PADDED ? 4 : 0);
	return true;
}

/* Two bytes, or three where the chip has more than 128 KiB: then two make no return address. */
static bool avr_return(const struct gdb *g, bool handler, const uint8_t *stack,
		       struct gdb_call *call)
{
	uint32_t two = ((uint32_t)stack[0] << 8 | stack[1]) * 2;
	uint32_t three = ((uint32_t)stack[0] << 16 | (uint32_t)stack[1] << 8 | stack[2]) * 2;
	unsigned flag = handler ? CODE_TEXT : CODE_RETURN;
	bool is_wide = !(code_flags(g->wire.code, two) & flag) &&
		       code_flags(g->wire.code, three) & flag;

	call->from = is_wide ? three : two;
	call->sp = (g->watch.at.sp + (is_wide ? 3 : 2)) & 0xffff;
	return true;
}

static bool msp430_return(const struct gdb *g, bool handler, const uint8_t *stack,
			  struct gdb_call *call)
{
	const uint8_t *p = handler ? stack + 2 : stack;	/* below it, an interrupt's SR */

	call->from = p[0] | (uint32_t)p[1] << 8;
	call->sp = (g->watch.at.sp + (handler ? 4 : 2)) & 0xffff;
	return true;
}

bool gdb_return(const struct gdb *g, bool handler, const uint8_t *stack, struct gdb_call *call)
{
	switch (arch_of(g)) {
	case CODE_ARM:
		if (handler)
			return frame_return(g, stack, call);
		break;
	case CODE_AVR:
		return avr_return(g, handler, stack, call);
	case CODE_MSP430:
		return msp430_return(g, handler, stack, call);
	case CODE_RISCV:
		if (handler)
			return false;
		break;
	default:
		return false;
	}
	call->from = gdb_pc(g, g->watch.at.link);
	call->sp = g->watch.at.sp;
	return true;
}
