/*
 * Thumb on Cortex-M. M0: Cortex-M0 Technical Reference Manual (DDI 0432), table 3-1. M0+: its own
 * (DDI 0484), table 3-1; the pipeline is a stage shorter. M3: Cortex-M3 Technical Reference Manual
 * (DDI 0337), table 3-1, also of M4 and M33; a load next to another may take one less there, and a
 * jump takes 2 to 4: 3 here. No manual gives the cycles of the M7, which issues two at a time: one
 * each here, which is not right (blocks_core says by how much). No wait states of a flash.
 */
#include "core/source/step.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

enum { M0, M0PLUS, M3, M7 };

/* By the mnemonic's beginning, the first row that fits; the rest takes one. 0: it varies. */
static const struct step_row arm_rows[] = {
	{ "blx", { 3, 2, 3, 1 } }, { "bl", { 4, 3, 3, 1 } },
	{ "bx", { 3, 2, 3, 1 } },
	{ "udiv", { 0 } }, { "sdiv", { 0 } },
	{ "ldrd", { 0, 0, 3, 1 } }, { "strd", { 0, 0, 3, 1 } },
	{ "ldr", { 2, 2, 2, 1 } }, { "str", { 2, 2, 2, 1 } },
	{ "mla", { 0, 0, 2, 1 } }, { "mls", { 0, 0, 2, 1 } },
	{ "umull", { 0, 0, 0, 1 } }, { "smull", { 0, 0, 0, 1 } },
	{ "umlal", { 0, 0, 0, 1 } }, { "smlal", { 0, 0, 0, 1 } },
	{ "mrs", { 4, 3, 0, 0 } }, { "msr", { 4, 3, 0, 0 } },
	{ "dmb", { 4, 3, 0, 0 } }, { "dsb", { 4, 3, 0, 0 } }, { "isb", { 4, 3, 0, 0 } },
	{ "wf", { 0 } }, { "bkpt", { 0 } }, { "svc", { 0 } },
	{ "v", { 0 } },			/* the floating point unit's */
};

static const char arm_conditions[][3] = { "eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs",
					  "vc", "hi", "ls", "ge", "lt", "gt", "le" };

static bool arm_is_condition(const char *s)
{
	for (size_t i = 0; i < sizeof(arm_conditions) / sizeof(*arm_conditions); i++) {
		if (strcmp(s, arm_conditions[i]) == 0)
			return true;
	}
	return false;
}

/* "{r4-r7, lr}": how many; *pc: one of them is the PC. */
static unsigned arm_registers(const char *rest, bool *pc)
{
	const char *s = strchr(rest, '{');
	unsigned n = 0;

	for (*pc = false; s && *s && *s != '}'; s += strcspn(s, ",}")) {
		char *end;

		s += 1 + strspn(s + 1, " ");
		*pc |= text_begins(s, "pc");
		n++;
		if (*s == 'r' && s[1] >= '0' && s[1] <= '9') {
			unsigned long low = strtoul(s + 1, &end, 10), high;

			high = end[0] == '-' && end[1] == 'r' ? strtoul(end + 2, NULL, 10) : low;
			n += high > low && high < 16 ? (unsigned)(high - low) : 0;
		}
	}
	return n;
}

static bool arm_to_pc(const char *rest)
{
	rest += strspn(rest, " \t");
	return text_begins(rest, "pc");
}

static struct step arm_multiple(int core, const char *rest)
{
	bool pc;
	unsigned n = arm_registers(rest, &pc);

	return (struct step){ pc ? STEP_LEAVE : STEP_ON,
			      (uint16_t)(core == M7 ? (n + 1) / 2 + pc :
					 1 + n + (core == M0PLUS ? 2 : 3) * pc) };
}

static struct step arm_plain(int core, const char *name, const char *rest)
{
	struct step s = { STEP_ON, 1 };

	if (text_begins(name, "push") || text_begins(name, "pop") || text_begins(name, "ldm") ||
	    text_begins(name, "stm"))
		return arm_multiple(core, rest);
	if (strcmp(name, "b") == 0)
		return (struct step){ STEP_JUMP,
				      (uint16_t)(core == M7 ? 1 : core == M0PLUS ? 2 : 3) };
	if (strcmp(name, "cbz") == 0 || strcmp(name, "cbnz") == 0 ||
	    (name[0] == 'b' && arm_is_condition(name + 1)))
		return (struct step){ STEP_BRANCH, 0 };
	if (strcmp(name, "tbb") == 0 || strcmp(name, "tbh") == 0)
		return (struct step){ STEP_ANYWHERE, 0 };
	for (size_t i = 0; i < sizeof(arm_rows) / sizeof(*arm_rows); i++) {
		if (text_begins(name, arm_rows[i].name)) {
			s.cycles = arm_rows[i].cycles[core];
			break;
		}
	}
	if (strcmp(name, "bx") == 0)
		s.kind = strstr(rest, "lr") ? STEP_LEAVE : STEP_ANYWHERE;
	else if ((text_begins(name, "ldr") || text_begins(name, "mov") ||
		  text_begins(name, "add")) && arm_to_pc(rest))
		s = (struct step){ strstr(rest, "[sp]") ? STEP_LEAVE : STEP_ANYWHERE, 0 };
	return s;
}

/* "it", "itte": of so many instructions behind it. */
static unsigned arm_it(const char *name)
{
	size_t n = strlen(name);

	return text_begins(name, "it") && n <= 5 && strspn(name + 1, "te") == n - 1 ?
	       (unsigned)n - 1 : 0;
}

/* A skipped instruction takes one. */
static struct step arm_conditional(int core, char *name, const char *rest)
{
	size_t n = strlen(name);
	struct step s;

	if (n > 2)
		name[n - 2] = '\0';
	s = arm_plain(core, name, rest);
	if (s.cycles != 1)
		s.cycles = 0;
	if (s.kind == STEP_LEAVE)
		s.kind = STEP_MAY_LEAVE;
	else if (s.kind != STEP_ON)
		s.kind = STEP_ANYWHERE;
	return s;
}

struct step step_arm(enum step_core core, const char *name, const char *rest, unsigned *state)
{
	int column = core == STEP_M0 ? M0 : core == STEP_M0PLUS ? M0PLUS :
		     core == STEP_M7 ? M7 : M3;
	char word[STEP_NAME];
	size_t n = strcspn(name, ".");

	memcpy(word, name, n);
	word[n] = '\0';
	if (*state) {
		--*state;
		return arm_conditional(column, word, rest);
	}
	*state = arm_it(word);
	return arm_plain(column, word, rest);
}
