/*
 * Is anything instrumented, which hooks are linked, and can they work?
 */
#include <stdio.h>
#include <string.h>

#include "core/doctor/check.h"
#include "core/base/text.h"
#include "core/image/runtime.h"
#include "core/image/traced.h"

/* --- instrumented at all? --------------------------------------------------------------------- */

static const char *flag_cure(const struct survey *s)
{
	if (s->elf.machine->isa == ELF_ISA_ARM)
		return "compile the modules of interest with -finstrument-functions (times) or -pg "
		       "(arcs; with -fno-lto)";
	return "compile the modules of interest with -finstrument-functions";
}

/* Functions that `wsntop as` gave hooks. */
static size_t traced_count(const struct survey *s)
{
	struct traced t;
	size_t n = 0;

	traced_read(&t, &s->elf);
	for (size_t id = 0; id < t.count; id++)
		n += t.addresses[id] != TRACED_NONE;
	traced_release(&t);
	return n;
}

/* The sampler's entry: the linker keeps it when a vector has it. */
static bool has_sampler(const struct survey *s)
{
	return survey_symbol(s, "wsnprof_sample_irq") != CODE_NO_TARGET;
}

static void say_nothing(struct doctor *d, const struct survey *s)
{
	bool hooks = s->hooks[HOOK_ENTER] != CODE_NO_TARGET || s->hooks[HOOK_ARC] != CODE_NO_TARGET;

	if (s->filtered)
		doctor_say(d, DOCTOR_FAULT, "compile the modules of interest with -B DIR, which "
			   "`wsntop as --install DIR CROSS --timed` writes (--count: WSNPROF_LEVEL "
			   "0)", "nothing is timed: no function has hooks, and WSNPROF_AS is 1");
	else if (survey_symbol(s, "wsntrace_init") != CODE_NO_TARGET)
		doctor_say(d, DOCTOR_FAULT, "compile the modules of interest with -B DIR, which "
			   "`wsntop as --install DIR CROSS` writes",
			   "nothing is traced: no function has hooks, and WSNPROF_TRACE is 1");
	else if (has_sampler(s))
		doctor_say(d, DOCTOR_NOTE, flag_cure(s),
			   "nothing is instrumented: there will be PC samples, but no calls");
	else if (s->runtime && !hooks)
		doctor_say(d, DOCTOR_FAULT, flag_cure(s),
			   "nothing is instrumented: no function calls the hooks, so the linker "
			   "left them out (--gc-sections)");
	else
		doctor_say(d, DOCTOR_FAULT, flag_cure(s),
			   "nothing is instrumented: no function calls __cyg_profile_func_enter, "
			   "__gnu_mcount_nc or mcount");
}

void check_instrumented(struct doctor *d, struct survey *s)
{
	static const struct check_pick own = { .with = FUNCTION_RUNTIME },
		timed_ones = { .hooks = CHECK_TIMED, .without = FUNCTION_RUNTIME },
		arc_ones = { .hooks = CHECK_ARCS, .without = FUNCTION_RUNTIME };
	bool timed = check_list_of(s, &timed_ones).count, arcs = check_list_of(s, &arc_ones).count;
	size_t traced = traced_count(s);

	if (!s->elf.has_symbols)
		return;
	if (s->objects.lost_arcs && !arcs)
		doctor_say(d, DOCTOR_FAULT, "-fno-lto for the files that have -pg",
			   "files compiled with -pg and -flto do not call the hook: link-time "
			   "optimization drops -pg");
	if (traced) {
		doctor_say(d, DOCTOR_OK, NULL, "calls of %s functions are traced (wsntop as)",
			   TEXT_WHOLE(traced));
		return;
	}
	if (!s->instrumented) {
		say_nothing(d, s);
		return;
	}
	doctor_say(d, DOCTOR_OK, NULL, "%s of %s functions are instrumented (%s%s%s)",
		   TEXT_WHOLE(s->instrumented),
		   TEXT_WHOLE(s->count - check_list_of(s, &own).count),
		   !timed ? "" : s->filtered ? "wsntop as" : "-finstrument-functions",
		   timed && arcs ? ", " : "", arcs ? "-pg" : "");
	if (s->indirect)
		doctor_say(d, DOCTOR_NOTE, NULL,
			   "hooks are called through a register (-mlong-calls): those in "
			   "functions that share a literal may be missing here");
}

/* --- which runtime? --------------------------------------------------------------------------- */

static bool any_used(const struct survey *s, enum survey_hook hook)
{
	return check_list_of(s, &(struct check_pick){ .hooks = 1u << hook }).count > 0;
}

static const struct survey_function *hook_function(const struct survey *s, enum survey_hook hook)
{
	uint32_t id = survey_hook_function(s, hook);

	return id == SURVEY_NONE ? NULL : &s->functions[id];
}

/*
 * A hook that only returns. For -pg on ARM that is worse than nothing: gcc pushed a word. The exit
 * hook alone may be empty: calls are counted without times then.
 */
static void check_empty(struct doctor *d, const struct survey *s)
{
	for (int h = 0; h < HOOKS; h++) {
		const struct survey_function *f = hook_function(s, (enum survey_hook)h);
		bool broken = h == HOOK_ARC && s->elf.machine->isa == ELF_ISA_ARM;

		if (h == HOOK_EXIT || !f || !(f->traits & FUNCTION_EMPTY) ||
		    !any_used(s, (enum survey_hook)h))
			continue;
		doctor_say(d, DOCTOR_FAULT, "link wsnprof's own hooks; remove this one",
			   "%s is empty: it %s", s->hook_names[h],
			   broken ? "leaves the word on the stack that gcc pushed for it"
				  : "records nothing");
	}
}

void check_runtime(struct doctor *d, struct survey *s)
{
	bool hooks = s->hooks[HOOK_ENTER] != CODE_NO_TARGET || s->hooks[HOOK_ARC] != CODE_NO_TARGET;

	if (!s->elf.has_symbols)
		return;
	check_empty(d, s);
	if (s->runtime)
		doctor_say(d, DOCTOR_OK, NULL, "the wsnprof runtime is linked in");
	else if (hooks)
		doctor_say(d, DOCTOR_WARNING,
			   "to use wsnprof, link target-common and the chip's folder instead",
			   "the hooks are another profiler's: wsntop shows what they send if it "
			   "is one of its packet formats");
	else if (s->instrumented)
		doctor_say(d, DOCTOR_FAULT, "link target-common and the chip's folder",
			   "functions are instrumented, but no hooks are linked in");
	else
		doctor_say(d, DOCTOR_NOTE, "docs: target-avr/README.md, target-cortexm/README.md",
			   "no profiling runtime is linked in");
}

/* --- do the hooks call themselves? ------------------------------------------------------------ */

static bool check_hook(struct doctor *d, struct survey *s, enum survey_hook hook)
{
	uint32_t reached = survey_reach(s, survey_hook_function(s, hook));
	struct check_list l = { .count = 0 };

	for (uint32_t i = 0; i < reached; i++) {
		const struct survey_function *f = &s->functions[s->reach[i]];

		if (survey_has_hooks(f))
			check_list_add(&l, f->name);
	}
	if (l.count)
		doctor_say(d, s->runtime ? DOCTOR_FAULT : DOCTOR_WARNING,
			   s->filtered ? "keep them out: " CHECK_EXCEPT :
			   "keep them out: __attribute__((no_instrument_function)), or no "
			   "-finstrument-functions for their files",
			   "%s reaches instrumented functions: %s: %s", s->hook_names[hook],
			   s->runtime ? "endless recursion" :
			   "endless recursion unless it guards itself", check_list_names(&l));
	return l.count > 0;
}

/* They call the hooks to measure their cost; which of them does depends on inlining. */
static bool is_calibration(const struct survey_function *f)
{
	static const char *const names[] = {
		"wsnprof_port_init", "calibrate", "least_of_nothing", "calls_of_nothing",
		"calls_make",
		"arc_measure", "leaf_measure",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(f->name, names[i]) == 0)
			return true;
	}
	return false;
}

void check_recursion(struct doctor *d, struct survey *s)
{
	static const struct check_pick own = { .with = FUNCTION_RUNTIME, .hooks = CHECK_ANY };
	struct check_list l = { .count = 0 };
	bool said = false;

	for (int h = 0; h < HOOKS; h++)
		said |= check_hook(d, s, (enum survey_hook)h);
	for (uint32_t i = 0; i < s->count; i++) {
		if (check_picks(&own, &s->functions[i]) && !is_calibration(&s->functions[i]))
			check_list_add(&l, s->functions[i].name);
	}
	if (l.count && !said)
		doctor_say(d, DOCTOR_WARNING,
			   "compile target-common and the chip's folder without instrumentation",
			   "functions of the runtime itself are instrumented: %s",
			   check_list_names(&l));
}

/* --- supported, with a cost ------------------------------------------------------------------- */

/* What an interrupt takes longer on AVR: prologue and epilogue that save all registers, hooks. */
enum { AVR_HANDLER_CYCLES = 280 };

void check_handlers(struct doctor *d, struct survey *s)
{
	static const struct check_pick isr = {
		.with = FUNCTION_ISR, .without = FUNCTION_RUNTIME, .hooks = CHECK_ANY,
	};
	bool avr = s->elf.machine->isa == ELF_ISA_AVR;
	const char *cure = s->filtered && avr
		? "leave them alone: `wsntop as --install DIR CROSS --timed --no-handlers`"
		: s->filtered ? "to exclude them: " CHECK_EXCEPT
		: avr ? "exclude the frequent ones: -finstrument-functions-exclude-function-list="
		  "__vector_N,... (__vector_ for all)"
		: "to exclude them: __attribute__((no_instrument_function))";
	struct check_list l = check_list_of(s, &isr);
	char takes[80] = "takes longer by the time of the hooks";
	const char *name = "wsnprof_no_handlers";
	uint64_t none;

	if (avr && !s->filtered)
		snprintf(takes, sizeof(takes), "takes about %d cycles more per interrupt (rate "
			 "not known)", AVR_HANDLER_CYCLES);
	objects_values(&s->elf, &name, 1, &none);
	if (l.count && s->runtime && none)
		doctor_say(d, DOCTOR_FAULT, s->filtered ? "#define WSNPROF_HANDLERS 4, or leave "
			   "them alone: `wsntop as --install DIR CROSS --timed --no-handlers`" :
			   "#define WSNPROF_HANDLERS 4, or exclude them: "
			   "-finstrument-functions-exclude-function-list=__vector_",
			   "%u interrupt handler%s instrumented, and WSNPROF_HANDLERS is 0: each "
			   "address that %s becomes a call site: %s", l.count,
			   l.count == 1 ? " is" : "s are",
			   l.count == 1 ? "it interrupts" : "they interrupt", check_list_names(&l));
	else if (l.count && s->runtime)
		doctor_say(d, avr ? DOCTOR_WARNING : DOCTOR_NOTE, cure,
			   "%u interrupt handler%s instrumented: each has its own row, and %s: %s",
			   l.count, l.count == 1 ? " is" : "s are", takes, check_list_names(&l));
	else if (l.count)
		doctor_say(d, DOCTOR_WARNING, cure,
			   "%u interrupt handler%s instrumented: each address that %s becomes a "
			   "call site: %s", l.count, l.count == 1 ? " is" : "s are",
			   l.count == 1 ? "it interrupts" : "they interrupt",
			   check_list_names(&l));
}

void check_inlined(struct doctor *d, struct survey *s)
{
	if (s->dwarf.inlines.count && s->instrumented)
		doctor_say(d, DOCTOR_OK, NULL,
			   "%s inlined calls: wsntop finds their code; -fno-inline is not needed",
			   TEXT_WHOLE(s->dwarf.inlines.count));
}

/* --wrap=memcpy makes calls of memcpy into calls of __wrap_memcpy. */
void check_wrapped(struct doctor *d, struct survey *s)
{
	struct check_list l = { .count = 0 };

	for (uint32_t i = 0; i < s->count; i++) {
		if (strncmp(s->functions[i].name, "__wrap_", 7) == 0)
			check_list_add(&l, s->functions[i].name + 7);
	}
	if (l.count)
		doctor_say(d, DOCTOR_OK, NULL, "%u library function%s wrapped to be seen: %s",
			   l.count, l.count == 1 ? " is" : "s are", check_list_names(&l));
}
