/*
 * AVR: AVR Instruction Set Manual (DS40002198), the column AVRe: RAM inside of the chip.
 * A program counter of 22 bits (ATmega2560) takes a cycle more to save
 * and to load.
 */
#include "core/source/step.h"

#include <string.h>

#include "core/base/text.h"

/* PC of 16 bits, of 22. The rest takes one. */
static const struct step_row avr_rows[] = {
	{ "call", { 4, 5 } }, { "rcall", { 3, 4 } }, { "icall", { 3, 4 } }, { "eicall", { 4, 4 } },
	{ "ret", { 4, 5 } }, { "reti", { 4, 5 } }, { "jmp", { 3, 3 } }, { "rjmp", { 2, 2 } },
	{ "ijmp", { 2, 2 } }, { "eijmp", { 2, 2 } }, { "lds", { 2, 2 } }, { "sts", { 2, 2 } },
	{ "ld", { 2, 2 } }, { "ldd", { 2, 2 } }, { "st", { 2, 2 } }, { "std", { 2, 2 } },
	{ "push", { 2, 2 } }, { "pop", { 2, 2 } }, { "lpm", { 3, 3 } }, { "elpm", { 3, 3 } },
	{ "adiw", { 2, 2 } }, { "sbiw", { 2, 2 } }, { "mul", { 2, 2 } }, { "muls", { 2, 2 } },
	{ "mulsu", { 2, 2 } }, { "fmul", { 2, 2 } }, { "fmuls", { 2, 2 } }, { "fmulsu", { 2, 2 } },
	{ "sbi", { 2, 2 } }, { "cbi", { 2, 2 } },
	/* It lasts until an interrupt; the page's length. */
	{ "sleep", { 0, 0 } }, { "spm", { 0, 0 } },
};

static const struct { const char *name; uint8_t kind; } avr_ways[] = {
	{ "ret", STEP_LEAVE }, { "reti", STEP_LEAVE }, { "ijmp", STEP_ANYWHERE },
	{ "eijmp", STEP_ANYWHERE }, { "jmp", STEP_JUMP }, { "rjmp", STEP_JUMP },
	{ "cpse", STEP_SKIP }, { "sbrc", STEP_SKIP }, { "sbrs", STEP_SKIP }, { "sbic", STEP_SKIP },
	{ "sbis", STEP_SKIP },
};

struct step step_avr(enum step_core core, const char *name, const char *rest)
{
	struct step s = { STEP_ON, 1 };

	(void)rest;
	if (text_begins(name, "br") && strcmp(name, "break") != 0)
		return (struct step){ STEP_BRANCH, 0 };
	for (size_t i = 0; i < sizeof(avr_rows) / sizeof(*avr_rows); i++) {
		if (strcmp(name, avr_rows[i].name) == 0)
			s.cycles = avr_rows[i].cycles[core == STEP_AVR_WIDE];
	}
	for (size_t i = 0; i < sizeof(avr_ways) / sizeof(*avr_ways); i++) {
		if (strcmp(name, avr_ways[i].name) == 0)
			s.kind = avr_ways[i].kind;
	}
	if (s.kind == STEP_SKIP)
		s.cycles = 0;
	return s;
}
