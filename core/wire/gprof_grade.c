/* gprof_grade: how plausible one packet is, by the image, by what was seen before, or by its form. */
#include "core/wire/gprof_state.h"

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

void gprof_learn_arc(struct gprof_known *k, uint32_t from, uint32_t to)
{
	uint64_t key = gprof_arc_key(from, to);

	k->arc[gprof_arc_slot(key)] = key;
	learn_page(k, from);
	learn_page(k, to);
}

void gprof_learn_pc(struct gprof_known *k, uint32_t pc)
{
	gprof_pc_learn(k, pc);
	learn_page(k, pc);
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

/* Console text: 'P' and two printable bytes are a sample in the flash of many a small controller. */
static bool printable(uint32_t address, unsigned width)
{
	for (unsigned i = 0; i < width; i++, address >>= 8) {
		uint8_t c = (uint8_t)address;

		if ((c < 0x20 || c > 0x7e) && c != '\n' && c != '\r')
			return false;
	}
	return true;
}

static enum gprof_grade least(enum gprof_grade a, enum gprof_grade b)
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
 * `from` follows a call and `to` is in a prologue. Where both are so and the call is a direct one to that
 * very prologue, it needs no more proof; where it goes elsewhere, a tail call may be why. On ARM `to`
 * itself follows a call, the one to mcount. A `from` that ends in 'P' may be a torn arc with a whole
 * sample behind it, which has the length of an arc: A f f P pc pc pc.
 */
static enum gprof_grade arc_in_code(const struct codemap *m, uint32_t from, uint32_t to)
{
	uint64_t mask = m->arch == CODE_ARM ? ~UINT64_C(1) : ~UINT64_C(0);
	bool call = code_flags(m, from) & CODE_RETURN;
	uint64_t target = call && m->target ? m->target(m->ctx, from & mask) : CODE_NO_TARGET;
	bool early;
	int grade = GRADE_FAIR;

	if (!(code_flags(m, to) & CODE_TEXT))
		return GRADE_NONE;
	if (target != CODE_NO_TARGET && (to & mask) - (target & mask) <= PROLOGUE_MAX)
		return GRADE_KNOWN;
	early = in_prologue(m, to & mask);
	if (!call || !early)
		return call || early ? GRADE_WEAK : GRADE_NONE;
	grade += code_flags(m, to) & CODE_RETURN ? 1 : 0;
	grade -= target != CODE_NO_TARGET ? 1 : 0;
	grade -= (from & 0xff) == 'P' ? 1 : 0;
	return (enum gprof_grade)grade;
}

enum gprof_grade gprof_grade_arc(const struct gprof_lens *l, uint32_t from, uint32_t to)
{
	bool plain = printable(from, l->width) && printable(to, l->width);
	bool mixed = (from ^ to) & 1;	/* one with the Thumb bit, the other without */
	enum gprof_grade grade;

	if (arc_known(l, from, to))
		return plain ? GRADE_LIKELY : GRADE_KNOWN;
	if (!l->code) {
		grade = l->known && gprof_page_known(l->known, from) && gprof_page_known(l->known, to) ?
			GRADE_FAIR : GRADE_LIKELY;
	} else {
		if (gprof_parity(l->code) && l->code->arch != CODE_ARM && ((from | to) & 1))
			return GRADE_NONE;
		grade = arc_in_code(l->code, from, to);
	}
	if (plain || (mixed && gprof_parity(l->code)))
		grade = least(grade, GRADE_WEAK);
	return grade;
}

enum gprof_grade gprof_grade_pc(const struct gprof_lens *l, uint32_t pc)
{
	bool plain = printable(pc, l->width);
	bool odd = pc & gprof_parity(l->code);
	enum gprof_grade grade = GRADE_FAIR;

	if (l->code && (!(code_flags(l->code, pc) & CODE_TEXT) || (odd && l->code->arch != CODE_ARM)))
		return GRADE_NONE;
	if (pc_known(l, pc))
		return plain ? GRADE_LIKELY : GRADE_KNOWN;
	if (!l->code && !(l->known && gprof_page_known(l->known, pc)))
		grade = GRADE_LIKELY;
	/* The core stacks a PC without the Thumb bit: an odd one is mostly a torn packet. */
	return plain || odd ? least(grade, GRADE_WEAK) : grade;
}
