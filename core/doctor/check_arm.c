/*
 * Checks for ARM firmware.
 */
#include "core/doctor/check.h"
#include "core/image/attributes.h"

static void check_naked(struct doctor *d, struct survey *s)
{
	static const struct check_pick naked = {
		.with = FUNCTION_RETURNS,
		.without = FUNCTION_LINK_SAVED | FUNCTION_RUNTIME,
		.hooks = CHECK_TIMED,
	};
	struct check_list l = check_list_of(s, &naked);

	if (l.count && !s->filtered)	/* `wsntop as` leaves them alone; its hooks keep all */
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
	uint32_t id = survey_named(s, "wsnprof_sample_irq");

	if (id != SURVEY_NONE && s->vectors && !(s->functions[id].traits & FUNCTION_ISR))
		doctor_say(d, DOCTOR_WARNING,
			   "[16 + TIMER_IRQ] = wsnprof_sample_irq, with the highest priority",
			   "wsnprof_sample_irq is in no vector: there will be no PC samples");
}

/* By its handlers' names: Nordic's own, RIOT's. */
static bool is_nrf51(const struct survey *s)
{
	return s->objects.arm_arch == ARM_V6S_M &&
	       (survey_symbol(s, "CCM_AAR_IRQHandler") != CODE_NO_TARGET ||
		survey_symbol(s, "isr_ccm_aar") != CODE_NO_TARGET);
}

/* By what the runtime tells; copies that do not, where a core without CYCCNT reads it. */
static bool is_clock_systick(const struct survey *s)
{
	static const struct check_pick systick = { .with = FUNCTION_SYSTICK | FUNCTION_RUNTIME };
	uint64_t value;

	return check_setting(s, "wsnprof_clock_systick", &value) ||
	       (arm_arch_is_thumb1(s->objects.arm_arch) && check_list_of(s, &systick).count);
}

static void check_clock(struct doctor *d, struct survey *s)
{
	if (!is_clock_systick(s))
		return;
	if (is_nrf51(s))
		doctor_say(d, DOCTOR_FAULT,
			   "a timer of 32 bits, started before wsnprof_init(): TIMER0 with "
			   "WSNPROF_CLOCK_ADDRESS 0x40008540, WSNPROF_CLOCK_CAPTURE 0x40008040, "
			   "WSNPROF_CLOCK_HZ 16000000",
			   "SysTick is the profiler's clock, and the nRF51 has none: all times are "
			   "0 on the chip (QEMU's has one)");
	else if (!check_used(s, "wsnprof_clock_tick"))
		doctor_say(d, DOCTOR_WARNING,
			   "wsnprof_clock_tick() in SysTick's handler; or a timer of 32 bits, "
			   "WSNPROF_CLOCK_ADDRESS",
			   "SysTick is the profiler's clock, and nothing calls "
			   "wsnprof_clock_tick(): a function that makes no instrumented call for "
			   "longer than a round of SysTick is reported too short");
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
	check_clock(d, s);
}
