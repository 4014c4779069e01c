/*
 * Checks for ARM firmware.
 */
#include "core/doctor/check.h"

static void check_naked(struct doctor *d, struct survey *s)
{
	static const struct check_pick naked = {
		.with = FUNCTION_RETURNS,
		.without = FUNCTION_LINK_SAVED | FUNCTION_RUNTIME,
		.hooks = CHECK_TIMED,
	};
	struct check_list l = check_list_of(s, &naked);

	if (l.count)
		doctor_say(d, DOCTOR_FAULT,
			   "__attribute__((no_instrument_function)) on each, or "
			   "-finstrument-functions-exclude-file-list=port.c",
			   "functions that save nothing (naked) are instrumented: the hooks "
			   "destroy LR, r4 and r5: %s", check_list_names(&l));
}

/*
 * Thumb-1 has no PUSH of r8 to r11; gcc moves them through lower registers, LR among them, and
 * only then calls the hook, which takes the value in LR for the caller.
 */
static void check_link(struct doctor *d, struct survey *s)
{
	static const struct check_pick lost = { .with = FUNCTION_LINK_LOST, .hooks = CHECK_ARCS };
	struct check_list l = check_list_of(s, &lost);

	if (l.count)
		doctor_say(d, DOCTOR_WARNING,
			   "-ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11 with -pg",
			   "%u function%s LR before __gnu_mcount_nc reads it: calls are counted, "
			   "callers lost: %s", l.count,
			   l.count == 1 ? " overwrites" : "s overwrite", check_list_names(&l));
}

static bool has_arcs(const struct survey *s, uint32_t id)
{
	return s->functions[id].hooks[HOOK_ARC] && !(s->functions[id].traits & FUNCTION_RUNTIME);
}

/* `a` jumps to `b` in the end: b's caller seems to be a's. */
static void check_siblings(struct doctor *d, struct survey *s)
{
	struct check_list l = { .count = 0 };
	uint32_t last = SURVEY_NONE;

	for (size_t i = 0; i < s->call_count; i++) {
		const struct survey_call *c = &s->calls[i];

		if (!c->jump || c->from == last || !has_arcs(s, c->from) || !has_arcs(s, c->to))
			continue;
		last = c->from;
		check_list_add(&l, s->functions[c->from].name);
	}
	if (l.count)
		doctor_say(d, DOCTOR_NOTE, "-fno-optimize-sibling-calls with -pg",
			   "%u function%s by a jump to another (sibling call): that arc is shown "
			   "from the caller's caller: %s", l.count,
			   l.count == 1 ? " ends" : "s end", check_list_names(&l));
}

/* Hooks of -pg must preserve s0 to s15: they hold arguments. */
static void check_float(struct doctor *d, struct survey *s)
{
	uint32_t reached = survey_reach(s, survey_hook_function(s, HOOK_ARC));
	struct check_list l = { .count = 0 };

	for (uint32_t i = 0; i < reached; i++) {
		const struct survey_function *f = &s->functions[s->reach[i]];

		if (f->traits & FUNCTION_FLOAT)
			check_list_add(&l, f->name);
	}
	if (l.count)
		doctor_say(d, DOCTOR_FAULT,
			   "compile target-common and target-cortexm with -mgeneral-regs-only",
			   "__gnu_mcount_nc reaches code that uses floating point registers, "
			   "which hold arguments: %s", check_list_names(&l));
}

/* The sampler's entry, in no vector of the table in flash; another may be made at run time. */
static void check_sampler(struct doctor *d, struct survey *s)
{
	uint64_t at = survey_symbol(s, "wsnprof_sample_irq");
	uint32_t id = at == CODE_NO_TARGET ? SURVEY_NONE : spans_find(&s->symbols.spans, at);

	if (id != SURVEY_NONE && s->vectors && !(s->functions[id].traits & FUNCTION_ISR))
		doctor_say(d, DOCTOR_WARNING,
			   "[16 + TIMER_IRQ] = wsnprof_sample_irq, with the highest priority",
			   "wsnprof_sample_irq is in no vector: there will be no PC samples");
}

void check_arm(struct doctor *d, struct survey *s)
{
	if (s->elf.machine->isa != ELF_ISA_ARM)
		return;
	check_naked(d, s);
	check_link(d, s);
	check_siblings(d, s);
	check_float(d, s);
	check_sampler(d, s);
}
