/*
 * Checks for AVR firmware.
 */
#include <stdio.h>

#include "core/base/text.h"
#include "core/doctor/check.h"

enum { MACHINE = 0x7f, AVR6 = 6 };	/* e_flags: binutils, include/elf/avr.h */

static void check_naked(struct doctor *d, struct survey *s)
{
	static const struct check_pick naked = {
		.with = FUNCTION_ISR,
		.without = FUNCTION_RUNTIME | FUNCTION_FLAGS_SAVED,
		.hooks = CHECK_TIMED,
	};
	struct check_list l = check_list_of(s, &naked);

	if (l.count && !s->filtered)	/* `wsntop as` leaves them alone; its hooks keep all */
		doctor_say(d, DOCTOR_FAULT, "__attribute__((no_instrument_function)) on each",
			   "handlers that save no registers (naked) are instrumented: the hooks "
			   "destroy those of the interrupted code: %s", check_list_names(&l));
}

/*
 * The hooks find their stack by GPIOR0 and GPIOR1. The runtime's code in .init2 lets them find
 * profiling off; before that, or without it (older copies, others' hooks), they mean nothing.
 */
static bool too_early(const struct survey *s, const struct survey_function *f)
{
	uint64_t off = survey_symbol(s, "wsnprof_off");

	return off == CODE_NO_TARGET || f->address < off;
}

/* Start-up code that calls the hooks too early, or else in time. */
static struct check_list early_list(const struct survey *s, bool too)
{
	static const struct check_pick init = { .with = FUNCTION_INIT, .hooks = CHECK_TIMED };
	struct check_list l = { .count = 0 };

	for (uint32_t i = 0; i < s->count; i++) {
		const struct survey_function *f = &s->functions[i];

		if (check_picks(&init, f) && too_early(s, f) == too)
			check_list_add(&l, f->name);
	}
	return l;
}

/*
 * Nobody called it: there is no return address, and above the stack no RAM. What the chip reads
 * there nobody promises; simavr stops. Attributes of such a function do not reach what is inlined
 * into it: <avr/wdt.h>'s wdt_disable() brings hooks of its own.
 */
static void check_init(struct doctor *d, struct survey *s)
{
	static const char cure[] =
		"__attribute__((no_instrument_function)) on each and on what is inlined into it; "
		"for avr-libc's headers -finstrument-functions-exclude-file-list=avr/include";
	struct check_list early = early_list(s, true), late = early_list(s, false);

	if (early.count)
		doctor_say(d, DOCTOR_FAULT, cure,
			   "instrumented code in .init0 to .init8 calls the hooks before they are "
			   "ready%s: %s", s->runtime ? " (they are from .init3 on)" : "",
			   check_list_names(&early));
	if (late.count)
		doctor_say(d, DOCTOR_FAULT, cure,
			   "instrumented start-up code in .init3 to .init8 reads its return "
			   "address beyond the RAM, where a simulator stops: %s",
			   check_list_names(&late));
}

static void check_main(struct doctor *d, struct survey *s)
{
	uint32_t id = survey_named(s, "main");

	if (!s->runtime || id == SURVEY_NONE || !s->functions[id].hooks[HOOK_ENTER])
		return;
	if (survey_symbol(s, "wsnprof_off") == CODE_NO_TARGET)
		doctor_say(d, DOCTOR_FAULT,
			   "WSNPROF_QUIET int main(void), and wsnprof_init() first of all",
			   "main is instrumented: its hook runs before wsnprof_init() and destroys "
			   "registers");
	else
		doctor_say(d, DOCTOR_NOTE, "not needed; WSNPROF_QUIET saves its hooks' flash",
			   "main is instrumented, but begins before wsnprof_init(): it is not "
			   "counted");
}

static void check_prologues(struct doctor *d, struct survey *s)
{
	static const struct check_pick called = { .with = FUNCTION_PROLOGUE, .hooks = CHECK_TIMED };
	uint32_t n = check_list_of(s, &called).count;

	if (n)
		doctor_say(d, DOCTOR_NOTE, "-mno-call-prologues for exact durations",
			   "-mcall-prologues: %u instrumented functions save their registers by a "
			   "call; calls are right, durations some cycles off", n);
	if (s->near_calls && s->far_calls)
		doctor_say(d, DOCTOR_NOTE, NULL,
			   "-mrelax: %u calls of the hooks are RCALL, %u are CALL: the cost "
			   "subtracted for a call is off by a cycle for each",
			   s->near_calls, s->far_calls);
}

static void check_wide(struct doctor *d, struct survey *s)
{
	if ((s->objects.flags & MACHINE) != AVR6)
		return;
	doctor_say(d, DOCTOR_NOTE, NULL,
		   "return addresses have 22 bits, of which the compiler passes 16: wsntop finds "
		   "the rest from the code");
	if (s->code.veneer_count)
		doctor_say(d, DOCTOR_OK, NULL,
			   "%zu trampolines lead to functions beyond 128 KB: wsntop follows them",
			   s->code.veneer_count);
}

/* --- timers ----------------------------------------------------------------------------------- */

/* Timers of 16 bits, as bits: the clock may have each. */
static uint8_t timers_of_chip(const char *device)
{
	static const struct {
		const char *begins;
		uint8_t timers;
	} chips[] = {
		{ "atmega1280", 0x3a }, { "atmega1281", 0x3a }, { "atmega128rfa1", 0x3a },
		{ "atmega128rfr2", 0x3a }, { "atmega256", 0x3a }, { "atmega64rfr2", 0x3a },
		{ "atmega640", 0x3a }, { "atmega1284", 0x0a }, { "atmega328pb", 0x1a },
		{ "atmega324pb", 0x1a }, { "atmega16u4", 0x0a }, { "atmega32u4", 0x0a },
		{ "at90usb", 0x0a },
	};

	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		if (text_begins(device, chips[i].begins))
			return chips[i].timers;
	}
	return 0x02;
}

/* Timer 2 is missing on small chips with USB. */
static uint8_t short_timers_of_chip(const char *device)
{
	static const char *const without[] = {
		"atmega8u2", "atmega16u", "atmega32u", "at90usb82", "at90usb162",
	};

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		if (text_begins(device, without[i]))
			return 0x01;
	}
	return 0x05;
}

int check_free_timer(const char *device, uint8_t used)
{
	uint8_t left = timers_of_chip(device) & (uint8_t)~used;

	if (left)
		return __builtin_ctz(left);
	left = short_timers_of_chip(device) & (uint8_t)~used;
	return left & 0x04 ? 2 : left ? 0 : -1;
}

static int free_timer(const struct survey *s)
{
	uint8_t used = 0;

	for (uint32_t i = 0; i < s->count; i++)
		used |= s->functions[i].devices;
	return check_free_timer(s->objects.device, used);
}

/* Devices that the runtime writes, of these. */
static uint8_t own_devices(const struct survey *s, uint8_t of)
{
	uint8_t own = 0;

	for (uint32_t i = 0; i < s->count; i++)
		own |= s->functions[i].traits & FUNCTION_RUNTIME ? s->functions[i].devices : 0;
	return own & of;
}

/* Functions of the application that write them, other than by the runtime's inline functions. */
static struct check_list device_writers(const struct survey *s, uint8_t devices)
{
	struct check_list l = { .count = 0 };

	for (uint32_t i = 0; i < s->count; i++) {
		const struct survey_function *f = &s->functions[i];

		if (!(f->traits & (FUNCTION_RUNTIME | FUNCTION_HOLDS)) && (f->devices & devices))
			check_list_add(&l, f->name);
	}
	return l;
}

/* The application's, which the runtime reads: somebody must have it run. */
static void check_read_timer(struct doctor *d, struct survey *s, uint64_t timer)
{
	if (timer < SURVEY_USART && !device_writers(s, (uint8_t)(1u << timer)).count)
		doctor_say(d, DOCTOR_WARNING, "start it at WSNPROF_PRESCALE, counting to 65,535, "
			   "before wsnprof_start()",
			   "timer %d is the profiler's clock and only read (WSNPROF_TIMER_READ), "
			   "but no function starts it: it does not count", (int)timer);
}

/* The runtime's, to be set. Arduino's init(), analogWrite() and Servo set timer 1 up, too. */
static void check_timer(struct doctor *d, struct survey *s)
{
	char cure[128] = "harmless before wsnprof_init(); later, use another timer there";
	uint8_t own = own_devices(s, SURVEY_TIMERS);
	struct check_list l = device_writers(s, own);
	int other = free_timer(s);
	uint64_t read;

	if (check_setting(s, "wsnprof_timer_read", &read))
		check_read_timer(d, s, read);
	if (!l.count)
		return;
	if (other >= 0)
		snprintf(cure, sizeof(cure), "harmless before wsnprof_init(); later, #define "
			 "WSNPROF_TIMER %d%s: nothing else writes timer %d", other,
			 other == 0 || other == 2 ? " (8 bits)" : "", other);
	doctor_say(d, DOCTOR_WARNING, cure,
		   "timer %d is the profiler's clock, and written elsewhere too: %s",
		   __builtin_ctz(own), check_list_names(&l));
}

static void check_usart(struct doctor *d, struct survey *s)
{
	struct check_list l = device_writers(s, own_devices(s, 1 << SURVEY_USART));

	if (l.count)
		doctor_say(d, DOCTOR_WARNING,
			   "wsnprof_putchar() for text; harmless before wsnprof_start()",
			   "USART 0 sends the profiler's frames, and is written elsewhere too: a "
			   "byte inside a frame damages it: %s", check_list_names(&l));
}

void check_avr(struct doctor *d, struct survey *s)
{
	if (s->elf.machine->isa != ELF_ISA_AVR)
		return;
	check_naked(d, s);
	check_init(d, s);
	check_main(d, s);
	check_prologues(d, s);
	check_wide(d, s);
	check_timer(d, s);
	check_usart(d, s);
}
