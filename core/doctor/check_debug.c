/*
 * Names and lines of the image.
 */
#include "core/base/text.h"
#include "core/doctor/check.h"
#include "core/image/stabs.h"

void check_symbols(struct doctor *d, struct survey *s)
{
	if (s->elf.relocatable)
		doctor_say(d, DOCTOR_FAULT, "give the ELF that the linker makes",
			   "an object file, not linked: its addresses are not the firmware's");
	if (!s->elf.has_symbols)
		doctor_say(d, DOCTOR_FAULT,
			   "give the ELF as the linker makes it; strip a copy for the programmer",
			   "no symbols: functions have no names, and little can be examined");
}

static const char *debug_cure(const struct survey *s)
{
	return s->elf.machine->isa == ELF_ISA_AVR ? "compile and link with -ggdb or -gdwarf-2"
						  : "compile and link with -g";
}

static void say_described(struct doctor *d, const struct survey *s, uint32_t described)
{
	static const struct check_pick hooked = {
		.without = FUNCTION_RUNTIME, .hooks = CHECK_ANY,
	}, undescribed = {
		.without = FUNCTION_RUNTIME | FUNCTION_DEBUG, .hooks = CHECK_ANY,
	};
	uint32_t count = check_list_of(s, &hooked).count;
	struct check_list blind = check_list_of(s, &undescribed);

	if (blind.count)
		doctor_say(d, DOCTOR_WARNING, debug_cure(s),
			   "DWARF describes %s of %s functions; %s instrumented functions are "
			   "missing: %s", TEXT_WHOLE(described),
			   TEXT_WHOLE(s->count), TEXT_WHOLE(blind.count),
			   check_list_names(&blind));
	else if (count)
		doctor_say(d, DOCTOR_OK, NULL,
			   "DWARF describes %s of %s functions, including all %s that are "
			   "instrumented", TEXT_WHOLE(described),
			   TEXT_WHOLE(s->count), TEXT_WHOLE(count));
	else
		doctor_say(d, DOCTOR_OK, NULL, "DWARF describes %s of %s functions",
			   TEXT_WHOLE(described), TEXT_WHOLE(s->count));
}

void check_debug(struct doctor *d, struct survey *s)
{
	uint32_t described = check_list_of(s, &(struct check_pick){ .with = FUNCTION_DEBUG }).count;

	if (!s->elf.has_symbols)
		return;
	if (stabs_has_functions(&s->elf))
		doctor_say(d, DOCTOR_WARNING, debug_cure(s),
			   "the debug information is STABS, as avr-gcc -g writes it: no lines, no "
			   "files, no inlined functions");
	else if (!described)
		doctor_say(d, DOCTOR_WARNING, debug_cure(s),
			   "no debug information%s: no lines, no files, no inlined functions",
			   s->dwarf.units ? " but the start-up code's" : "");
	else
		say_described(d, s, described);
	if (s->dwarf.incomplete)
		doctor_say(d, DOCTOR_WARNING, "rebuild the firmware",
			   "parts of the debug information are broken or too large");
}
