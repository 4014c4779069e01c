#include "core/doctor/walk.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/doctor/insn.h"

#define WINDOW 32			/* instructions before a call that may make its arguments */

/* State of the walk. */
struct walk {
	struct survey *survey;
	const struct elf_code *code;
	size_t mode;			/* index of the mapping symbol in force, + 1 */
	uint32_t id;
	struct survey_function *function;
	bool begun;			/* the function's first hook is behind us */
	struct insn last[WINDOW];	/* ring of the instructions before; `seen` counts all */
	size_t seen;
	size_t straight;		/* of them, since the last call or jump */
	uint8_t constant[32];		/* AVR: what LDI left in r16 to r31 */
	uint32_t known;			/* bits of the registers that still hold it */
};

/* --- decoding --------------------------------------------------------------------------------- */

/* ARM's mapping symbols; without any, Cortex-M is assumed. */
static char mode_at(struct walk *w, uint64_t at)
{
	const struct elf *e = &w->survey->elf;

	while (w->mode < e->mode_count && e->modes[w->mode].address <= at)
		w->mode++;
	return w->mode ? e->modes[w->mode - 1].state : 't';
}

static struct insn insn_at(struct walk *w, uint64_t at, uint64_t end, char mode)
{
	uint64_t offset = at - w->code->address;

	return insn_decode(&(struct call_site){
		.elf = &w->survey->elf,
		.bytes = w->code->bytes + offset,
		.at = at,
		.left = end - at,
		.mode = mode,
	});
}

/* --- hooks ------------------------------------------------------------------------------------ */

static int hook_of(const struct survey *s, uint64_t target)
{
	for (int i = 0; target != CODE_NO_TARGET && i < HOOKS; i++) {
		if (s->hooks[i] == target)
			return i;
	}
	for (int i = 0; target != CODE_NO_TARGET && i < RUNTIME_OTHER_HOOKS; i++) {
		if (s->other_hooks[i] == target)
			return i < RUNTIME_OTHER_ENTERS ? HOOK_ENTER : HOOK_EXIT;
	}
	return -1;
}

/*
 * Bytes that made the arguments of the call just met: backwards from it, whatever wrote a register
 * that is still wanted, as far as the last call or jump. Saving and restoring those registers is
 * not included.
 */
static uint32_t argument_bytes(const struct walk *w)
{
	uint32_t wanted = insn_arguments(&w->survey->elf), bytes = 0;
	size_t n = w->straight < WINDOW ? w->straight : WINDOW;

	for (size_t i = 1; i <= n && wanted; i++) {
		const struct insn *in = &w->last[(w->seen - i) % WINDOW];

		if (!(in->writes & wanted))
			continue;
		bytes += in->size + (in->traits & INSN_LITERAL ? 4u : 0);
		if (!(in->traits & INSN_UPDATES))
			wanted &= ~in->writes;
		wanted |= in->reads;
	}
	return bytes;
}

/* -pg: the word that gcc pushes before the call. */
static uint32_t push_bytes(const struct walk *w)
{
	const struct insn *in = &w->last[(w->seen - 1) % WINDOW];

	return w->straight && (in->traits & INSN_SAVES_LINK) ? in->size : 0;
}

/* What `wsntop as` puts before the enter hook (filter.h); nothing before the exit hook. */
static uint32_t filter_bytes(const struct walk *w, const struct insn *in, int hook)
{
	if (hook != HOOK_ENTER)
		return 0;
	if (w->survey->elf.machine->isa == ELF_ISA_AVR)
		return (uint32_t)(w->last[(w->seen - 1) % WINDOW].size * 2u) * (w->straight == 2);
	return in->is_call ? 2 : 4;		/* mov ip, lr; adr.w ip */
}

static uint32_t before_bytes(const struct walk *w, const struct insn *in, int hook)
{
	if (hook == HOOK_ARC)
		return push_bytes(w);
	return w->survey->filtered ? filter_bytes(w, in, hook) : argument_bytes(w);
}

static void take_hook(struct walk *w, const struct insn *in, int hook)
{
	struct survey_function *f = w->function;

	f->hooks[hook]++;
	f->hook_bytes += in->size + before_bytes(w, in, hook);
	if (w->survey->elf.machine->isa == ELF_ISA_AVR && in->is_call &&
	    !(f->traits & FUNCTION_RUNTIME))
		*(in->size == 2 ? &w->survey->near_calls : &w->survey->far_calls) += 1;
	w->begun = true;
}

/*
 * -mlong-calls: the hook's address is a literal, called through a register. The enter hook's
 * literal is met once a function, the exit hook's once or more. SysTick's registers are at
 * 0xe000e010 to 0xe000e01c.
 */
static void take_literal(struct walk *w, const struct insn *in)
{
	struct survey *s = w->survey;
	uint32_t value;
	int hook;

	if (!(in->traits & INSN_LITERAL) || !elf_code32(&s->elf, in->literal, &value))
		return;
	if ((value & ~UINT32_C(0x1f)) == 0xe000e000)
		w->function->traits |= FUNCTION_SYSTICK;
	hook = hook_of(s, value & ~UINT32_C(1));
	if (hook < 0)
		return;
	w->function->hooks[hook]++;
	w->function->hook_bytes += in->size + 4u;
	s->indirect = true;
}

/* --- devices ---------------------------------------------------------------------------------- */

/*
 * Where all ATmegas since the 48 have them: timers' registers and their TIMSK; USART 0's data
 * register.
 */
static const struct {
	uint16_t low, high, mask;
} devices[] = {
	[0] = { 0x44, 0x48, 0x6e }, [1] = { 0x80, 0x8d, 0x6f }, [2] = { 0xb0, 0xb4, 0x70 },
	[3] = { 0x90, 0x9d, 0x71 }, [4] = { 0xa0, 0xad, 0x72 }, [5] = { 0x120, 0x12d, 0x73 },
	[SURVEY_USART] = { 0xc6, 0xc6, 0xc6 },
};

static uint8_t devices_of(unsigned address)
{
	uint8_t bits = 0;

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if ((address >= devices[i].low && address <= devices[i].high) ||
		    address == devices[i].mask)
			bits |= (uint8_t)(1u << i);
	}
	return bits;
}

/*
 * Compilers store to a register directly, or change it through a pointer, which LDI made shortly
 * before.
 */
static void take_store(struct walk *w, const struct insn *in)
{
	unsigned pointer = in->pointer, address = in->address;

	if (in->traits & INSN_CONSTANT) {
		unsigned r = (unsigned)__builtin_ctz(in->writes);

		w->constant[r] = (uint8_t)in->address;
		w->known |= in->writes;
		return;
	}
	if ((in->traits & INSN_STORES) && (!pointer || (w->known >> pointer & 3) == 3)) {
		if (pointer)
			address += w->constant[pointer] + w->constant[pointer + 1] * 256u;
		w->function->devices |= devices_of(address);
	}
	w->known &= in->is_call || (in->traits & INSN_ENDS) ? 0 : ~in->writes;
}

/* --- one instruction -------------------------------------------------------------------------- */

static int call_add(struct walk *w, uint64_t target, bool jump)
{
	struct survey *s = w->survey;
	uint32_t to = spans_find(&s->symbols.spans, target);

	if (to == SPAN_NONE || to == w->id)
		return 0;
	if (mem_grow(&s->calls, &s->call_cap, s->call_count + 1, sizeof(*s->calls)) < 0)
		return ERR_NOMEM;
	s->calls[s->call_count++] = (struct survey_call){
		.from = w->id,
		.to = to,
		.jump = jump && s->functions[to].address == target,
	};
	return 0;
}

static void take_prologue(struct walk *w, const struct insn *in)
{
	struct survey_function *f = w->function;

	if (w->begun)
		return;
	if (in->traits & INSN_SAVES_LINK)
		f->traits |= FUNCTION_LINK_SAVED;
	if (in->traits & INSN_WRITES_LINK)
		f->traits |= FUNCTION_LINK_LOST;	/* dropped where no mcount follows */
	if (in->traits & INSN_SAVES_FLAGS)
		f->traits |= FUNCTION_FLAGS_SAVED;
}

static int take_jump(struct walk *w, const struct insn *in)
{
	struct survey *s = w->survey;
	uint64_t to = code_normal(&s->code, in->jump);
	int hook = hook_of(s, to);
	uint32_t other = spans_find(&s->symbols.spans, to);

	if (hook >= 0) {
		take_hook(w, in, hook);
		w->function->traits |= FUNCTION_RETURNS;
		return 0;
	}
	if (other == SPAN_NONE || other == w->id)
		return 0;
	if (strcmp(s->functions[other].name, "__prologue_saves__") == 0)
		w->function->traits |= FUNCTION_PROLOGUE;
	else if (s->functions[other].address == to)
		w->function->traits |= FUNCTION_RETURNS;
	return call_add(w, to, true);
}

static int insn_take(struct walk *w, uint64_t at, const struct insn *in)
{
	struct survey *s = w->survey;
	int hook = in->is_call ? hook_of(s, code_normal(&s->code, in->call)) : -1;
	int ret = 0;

	take_prologue(w, in);
	if (s->elf.machine->isa == ELF_ISA_AVR)
		take_store(w, in);
	if (in->traits & INSN_FLOAT)
		w->function->traits |= FUNCTION_FLOAT;
	if (in->traits & INSN_RETURN)
		w->function->traits |= FUNCTION_RETURNS |
				       (at == w->function->address ? FUNCTION_EMPTY : 0u);
	if (hook >= 0)
		take_hook(w, in, hook);
	else if (in->is_call && in->call != CODE_NO_TARGET)
		ret = call_add(w, code_normal(&s->code, in->call), false);
	else if (in->jump != CODE_NO_TARGET)
		ret = take_jump(w, in);
	else
		take_literal(w, in);
	w->last[w->seen++ % WINDOW] = *in;
	w->straight = in->is_call || (in->traits & INSN_ENDS) ? 0 : w->straight + 1;
	return ret;
}

/* --- functions -------------------------------------------------------------------------------- */

static int walk_span(struct walk *w, const struct span *span)
{
	bool aligned = call_step(&w->survey->elf) > 1;
	uint64_t end;

	/* Trampolines, which bear the name of what the first of them leads to. */
	if (code_normal(&w->survey->code, span->low) != span->low)
		return 0;
	w->code = elf_code_at(&w->survey->elf, span->low);
	if (!w->code)
		return 0;
	end = w->code->address + w->code->size;
	if (span->high < end)
		end = span->high;
	w->id = span->id;
	w->function = &w->survey->functions[span->id];
	w->begun = survey_has_hooks(w->function) || span->low != w->function->address;
	w->straight = 0;
	w->known = 0;
	for (uint64_t at = span->low; at < end && end - at >= 2; ) {
		char mode = mode_at(w, at);
		struct insn in = { .size = 2 };

		if (mode != 'd') {
			in = insn_at(w, at, end, mode);
			if (insn_take(w, at, &in) < 0)
				return ERR_NOMEM;
		}
		at += aligned ? in.size : 1u;	/* lengths not known: every offset is looked at */
	}
	if (!w->function->hooks[HOOK_ARC])
		w->function->traits &= ~(uint32_t)FUNCTION_LINK_LOST;
	return 0;
}

static int by_caller(const void *a, const void *b)
{
	const struct survey_call *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

int walk_functions(struct survey *s)
{
	struct walk w = { .survey = s };

	for (size_t i = 0; i < s->symbols.spans.count; i++) {
		if (walk_span(&w, &s->symbols.spans.v[i]) < 0)
			return ERR_NOMEM;
	}
	if (s->call_count)
		qsort(s->calls, s->call_count, sizeof(*s->calls), by_caller);
	return 0;
}
