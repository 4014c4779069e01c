/*
 * gprof/grade: how plausible one packet is, by the image, by what was seen before, or by its form.
 */
#include "core/wire/gprof/state.h"

#include <string.h>

/* A profiling prologue may stand behind pushes of the high registers: 20 bytes in Thumb-1, -O2. */
#define PROLOGUE_MAX 64

void gprof_known_init(struct gprof_known *k)
{
	memset(k, 0, sizeof(*k));
	/* An empty slot reads as packet 0: no matter, save where 0 itself belongs. */
	k->arc[gprof_arc_slot(0)] = UINT64_MAX;
	k->pc[gprof_pc_slot(0)] = UINT32_MAX;
}

static void learn_page(struct gprof_known *k, uint32_t address)
{
	unsigned page = gprof_page(address);

	k->page[page / 32] |= 1u << page % 32;
}

void gprof_learn(struct gprof_known *k, const struct gprof_packet *packet)
{
	uint64_t key = gprof_arc_key(packet->a, packet->to);

	learn_page(k, packet->a);
	if (packet->kind == KIND_PC) {
		gprof_pc_learn(k, packet->a);
		return;
	}
	k->arc[gprof_arc_slot(key)] = key;
	learn_page(k, packet->to);
}

static bool arc_known(const struct gprof_lens *l, uint32_t from, uint32_t to)
{
	uint64_t key = gprof_arc_key(from, to);

	return l->known && l->known->arc[gprof_arc_slot(key)] == key;
}

static bool pc_known(const struct gprof_lens *l, uint32_t pc)
{
	return l->known && l->known->pc[gprof_pc_slot(pc)] == pc;
}

unsigned gprof_parity(const struct codemap *code)
{
	return !code || (code->arch != CODE_HOST && code->arch != CODE_UNKNOWN);
}

static enum gprof_grade grade_least(enum gprof_grade a, enum gprof_grade b)
{
	return a < b ? a : b;
}

static bool in_prologue(const struct codemap *m, uint64_t to)
{
	if (code_flags(m, to) & CODE_EARLY)
		return true;
	for (unsigned back = 0; back <= PROLOGUE_MAX && back <= to; back += 2) {
		unsigned flags = code_flags(m, to - back);

		if (flags & CODE_ENTRY)
			return true;
		if (!(flags & CODE_TEXT))
			return false;
	}
	return false;
}

/*
 * `from` follows a call and `to` is in a prologue: behind the call of mcount, or the entry itself,
 * where it is exact. A direct call to that very function leaves no doubt; one that goes elsewhere
 * may be a tail call, or two torn packets. Compilers that use LR in the prologue (Thumb-1, -O2)
 * send a `from` that follows no call at all. An interrupt's handler has EXC_RETURN there.
 */
static enum gprof_grade arc_in_code(const struct codemap *m, uint32_t from, uint32_t to)
{
	const uint32_t mask = gprof_address_mask(m);
	unsigned to_flags = code_flags(m, to);
	bool handler = m->arch == CODE_ARM && wire_is_exc_return(from);
	bool call = handler || code_flags(m, from) & CODE_RETURN;
	bool exact = to_flags & (CODE_RETURN | CODE_ENTRY);
	uint64_t target = CODE_NO_TARGET;
	bool prologue;

	if (call && !handler && m->target)
		target = m->target(m->ctx, from & mask);
	if (!(to_flags & CODE_TEXT))
		return GRADE_NONE;
	if (target != CODE_NO_TARGET && (to & mask) - (target & ~UINT64_C(1)) <= PROLOGUE_MAX)
		return exact ? GRADE_KNOWN : GRADE_FAIR;
	prologue = in_prologue(m, to & mask);
	if (!call || !prologue)
		return call || prologue ? GRADE_WEAK : GRADE_NONE;
	if (target != CODE_NO_TARGET)
		return exact ? GRADE_DOUBT : GRADE_WEAK;
	return exact ? GRADE_GOOD : GRADE_FAIR;
}

enum gprof_grade gprof_grade_arc(const struct gprof_lens *l, uint32_t from, uint32_t to)
{
	bool mixed = (from ^ to) & 1;	/* one with the Thumb bit, the other without */
	enum gprof_grade grade;

	if (arc_known(l, from, to))
		return GRADE_KNOWN;
	if (!l->code) {
		bool seen = l->known && gprof_page_known(l->known, from) &&
			    gprof_page_known(l->known, to);

		grade = seen ? GRADE_FAIR : GRADE_LIKELY;
	} else {
		if (gprof_parity(l->code) && l->code->arch != CODE_ARM && ((from | to) & 1))
			return GRADE_NONE;
		grade = arc_in_code(l->code, from, to);
	}
	return mixed && gprof_parity(l->code) ? grade_least(grade, GRADE_WEAK) : grade;
}

enum gprof_grade gprof_grade_pc(const struct gprof_lens *l, uint32_t pc)
{
	bool odd = pc & gprof_parity(l->code);
	enum gprof_grade grade = GRADE_FAIR;

	if (l->code && (!(code_flags(l->code, pc) & CODE_TEXT) || (odd &&
								   l->code->arch != CODE_ARM)))
		return GRADE_NONE;
	if (pc_known(l, pc))
		return GRADE_KNOWN;
	if (!l->code && !(l->known && gprof_page_known(l->known, pc)))
		grade = GRADE_LIKELY;
	/* The core stacks a PC without the Thumb bit: an odd one is mostly a torn packet. */
	return odd ? grade_least(grade, GRADE_WEAK) : grade;
}
