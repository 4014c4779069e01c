/*
 * Thumb: ARM DDI 0403 (ARMv7-M), A5.2 and A5.3; ARM code: DDI 0406, A5. Only what compilers put
 * around a call of the hooks is understood; of the rest, lengths and jumps.
 */
#include <stddef.h>

#include "core/base/bits.h"
#include "core/doctor/insn.h"

enum { REG_LINK = 14, REG_PC = 15 };

struct words {
	const struct call_site *site;
	uint16_t op, low;		/* low: a wide instruction's second call_half */
};

static uint32_t bit_of(unsigned r)
{
	return UINT32_C(1) << (r & 15);
}

/* --- 16 bits ---------------------------------------------------------------------------------- */

static void take_branch(const struct words *w, struct insn *in)
{
	in->jump = (w->site->at + 4 + (uint64_t)(2 * bits_extend(w->op & 0x7ff, 11))) & UINT32_MAX;
	in->traits = INSN_ENDS;
}

static void take_bx(const struct words *w, struct insn *in)
{
	(void)w;
	in->traits = INSN_RETURN | INSN_ENDS;
}

static void take_push(const struct words *w, struct insn *in)
{
	in->traits = w->op & 0x100 ? INSN_SAVES_LINK : 0;
}

static void take_pop(const struct words *w, struct insn *in)
{
	in->traits = w->op & 0x100 ? INSN_RETURN | INSN_ENDS : 0;
}

/* MOV of any two registers */
static void take_mov(const struct words *w, struct insn *in)
{
	unsigned to = (w->op & 7) | (w->op >> 4 & 8), from = w->op >> 3 & 15;

	in->writes = bit_of(to);
	in->reads = bit_of(from);
	in->traits = to == REG_LINK ? INSN_WRITES_LINK : 0;
	if (to == REG_PC)
		in->traits = INSN_ENDS | (from == REG_LINK ? INSN_RETURN : 0);
}

/* LSLS #0: that is how Thumb-1 writes MOVS Rd, Rm */
static void take_movs(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->op & 7);
	in->reads = bit_of(w->op >> 3 & 7);
}

static void take_literal(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->op >> 8 & 7);
	in->traits = INSN_LITERAL;
	in->literal = ((w->site->at + 4) & ~UINT64_C(3)) + (w->op & 0xff) * 4u;
}

/* LDR Rd, [SP, #]; ADR; MOVS Rd, #: nothing more to look for */
static void take_rd8(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->op >> 8 & 7);
}

/* LDR Rt, [Rn, #] */
static void take_load(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->op & 7);
	in->reads = bit_of(w->op >> 3 & 7);
}

/* --- 32 bits ---------------------------------------------------------------------------------- */

static void take_wide_branch(const struct words *w, struct insn *in)
{
	if ((w->low & 0xd000) != 0x9000)
		return;				/* conditional, or no branch at all */
	in->jump = call_thumb_relative(w->site, w->op, w->low) & UINT32_MAX;
	in->traits = INSN_ENDS;
}

static void take_wide_push(const struct words *w, struct insn *in)
{
	in->traits = w->low & 0x4000 ? INSN_SAVES_LINK : 0;
}

static void take_wide_pop(const struct words *w, struct insn *in)
{
	in->traits = w->low & 0x8000 ? INSN_RETURN | INSN_ENDS : 0;
}

/* STR LR, [SP, #-4]! and LDR PC, [SP], #4 */
static void take_wide_store(const struct words *w, struct insn *in)
{
	in->traits = w->low == 0xed04 ? INSN_SAVES_LINK : 0;
}

static void take_wide_load(const struct words *w, struct insn *in)
{
	in->traits = w->low == 0xfb04 ? INSN_RETURN | INSN_ENDS : 0;
}

static void take_wide_literal(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->low >> 12);
	in->traits = INSN_LITERAL;
	in->literal = ((w->site->at + 4) & ~UINT64_C(3)) + (w->low & 0xfff);
}

static void take_movw(const struct words *w, struct insn *in)
{
	in->writes = bit_of(w->low >> 8);
}

static void take_movt(const struct words *w, struct insn *in)
{
	in->writes = in->reads = bit_of(w->low >> 8);
	in->traits = INSN_UPDATES;
}

static void take_float(const struct words *w, struct insn *in)
{
	if ((w->low & 0x0e00) == 0x0a00)	/* coprocessors 10 and 11 */
		in->traits = INSN_FLOAT;
}

struct form {
	uint16_t mask, match;
	void (*take)(const struct words *w, struct insn *in);
};

static const struct form narrow[] = {
	{ 0xf800, 0xe000, take_branch },
	{ 0xff87, 0x4700, take_bx },
	{ 0xfe00, 0xb400, take_push },
	{ 0xfe00, 0xbc00, take_pop },
	{ 0xff00, 0x4600, take_mov },
	{ 0xffc0, 0x0000, take_movs },
	{ 0xf800, 0x4800, take_literal },
	{ 0xf800, 0x9800, take_rd8 },
	{ 0xf800, 0xa000, take_rd8 },
	{ 0xf800, 0x2000, take_rd8 },
	{ 0xf800, 0x6800, take_load },
	{ 0, 0, NULL },
};

static const struct form wide[] = {
	{ 0xffff, 0xe92d, take_wide_push },
	{ 0xffff, 0xe8bd, take_wide_pop },
	{ 0xffff, 0xf84d, take_wide_store },
	{ 0xffff, 0xf85d, take_wide_load },
	{ 0xffff, 0xf8df, take_wide_literal },
	{ 0xfbf0, 0xf240, take_movw },
	{ 0xfbf0, 0xf2c0, take_movt },
	{ 0xef00, 0xec00, take_float },
	{ 0xef00, 0xed00, take_float },
	{ 0xef00, 0xee00, take_float },
	{ 0xf800, 0xf000, take_wide_branch },
	{ 0, 0, NULL },
};

static void form_take(const struct form *f, const struct words *w, struct insn *in)
{
	for (; f->take; f++) {
		if ((w->op & f->mask) == f->match) {
			f->take(w, in);
			return;
		}
	}
}

static void thumb_decode(const struct call_site *s, struct insn *in)
{
	struct words w = { .site = s, .op = call_half(s, 0) };

	if (w.op < 0xe800) {
		form_take(narrow, &w, in);
		return;
	}
	in->size = 4;
	if (s->left < 4)
		return;
	w.low = call_half(s, 2);
	form_take(wide, &w, in);
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
