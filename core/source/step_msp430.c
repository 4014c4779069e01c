/*
 * MSP430: MSP430x2xx Family User's Guide (SLAU144), tables 3-15 and 3-16. The MSP430X's own
 * instructions (those that end in a or x) are not known. tests/sim/test_msp430_cycles.sh holds it
 * against a simulator's counter.
 */
#include "core/source/step.h"

#include <string.h>

#include "core/base/text.h"

enum msp_mode { MSP_REGISTER, MSP_INDIRECT, MSP_AUTO, MSP_IMMEDIATE, MSP_INDEXED };

static const char *const msp_two[] = { "mov", "add", "addc", "sub", "subc", "cmp", "dadd", "bit",
				       "bic", "bis", "xor", "and", NULL };
static const char *const msp_one[] = { "rra", "rrc", "swpb", "sxt", NULL };
/* As two operands, the first a constant that its generator gives. */
static const char *const msp_emulated[] = { "clr", "tst", "inc", "incd", "dec", "decd", "inv",
					    "adc", "sbc", "dadc", NULL };
static const char *const msp_plain[] = { "nop", "dint", "eint", "clrc", "setc", "clrz", "setz",
					 "clrn", "setn", NULL };

static bool msp_among(const char *name, const char *const *list)
{
	while (*list && strcmp(*list, name) != 0)
		list++;
	return *list;
}

static bool msp_constant(const char *s)
{
	static const char *const values[] = { "0", "1", "2", "4", "8", "-1", "0x0", "0x1", "0x2",
					      "0x4", "0x8", "0xffff", NULL };
	size_t n = strcspn(s, " \t,;");
	char word[8];

	if (n >= sizeof(word))
		return false;
	memcpy(word, s, n);
	word[n] = '\0';
	return msp_among(word, values);
}

static enum msp_mode msp_mode_of(const char *s)
{
	size_t n = strcspn(s, " \t,;");

	if (*s == '#')
		return msp_constant(s + 1) ? MSP_REGISTER : MSP_IMMEDIATE;
	if (*s == '@')
		return n && s[n - 1] == '+' ? MSP_AUTO : MSP_INDIRECT;
	if ((*s == 'r' && n <= 3) || (n == 2 && (text_begins(s, "sp") || text_begins(s, "pc") ||
						 text_begins(s, "sr"))))
		return MSP_REGISTER;
	return MSP_INDEXED;
}

static bool msp_is_pc(const char *s)
{
	return (text_begins(s, "r0") || text_begins(s, "pc")) && strcspn(s, " \t;") == 2;
}

static uint16_t msp_source(enum msp_mode mode)
{
	return mode == MSP_REGISTER ? 0 : mode == MSP_INDEXED ? 2 : 1;
}

static struct step msp_double(const char *first, const char *second)
{
	enum msp_mode from = msp_mode_of(first);
	uint16_t cycles = (uint16_t)(msp_source(from) + 1);

	if (msp_is_pc(second))
		return (struct step){ from == MSP_AUTO ? STEP_LEAVE : STEP_ANYWHERE,
				      from <= MSP_INDIRECT ? 2 : 3 };
	if (msp_mode_of(second) == MSP_INDEXED)
		cycles = (uint16_t)(cycles + 3);
	return (struct step){ STEP_ON, cycles };
}

static struct step msp_single(const char *name, const char *operand)
{
	static const uint8_t calls[] = { 4, 4, 5, 5, 5 }, pushes[] = { 3, 4, 5, 4, 5 };
	static const uint8_t others[] = { 1, 3, 3, 0, 4 };
	enum msp_mode mode = msp_mode_of(operand);

	if (strcmp(name, "call") == 0)
		return (struct step){ STEP_ON, calls[mode] };
	if (strcmp(name, "push") == 0)
		return (struct step){ STEP_ON, pushes[mode] };
	return (struct step){ STEP_ON, msp_among(name, msp_one) ? others[mode] : 0 };
}

struct step step_msp430(const char *name, const char *rest)
{
	const char *first = rest + strspn(rest, " \t"), *second;
	char word[STEP_NAME];
	size_t n = strcspn(name, ".");

	memcpy(word, name, n);
	word[n] = '\0';
	second = first + strcspn(first, ",");
	second += *second == ',';
	second += strspn(second, " \t");
	if (word[0] == 'j')
		return (struct step){ strcmp(word, "jmp") == 0 ? STEP_JUMP : STEP_BRANCH, 2 };
	if (strcmp(word, "ret") == 0 || strcmp(word, "reti") == 0)
		return (struct step){ STEP_LEAVE, word[3] ? 5 : 3 };
	if (strcmp(word, "br") == 0)
		return msp_double(first, "pc");
	if (strcmp(word, "pop") == 0)
		return msp_double("@r1+", first);
	if (msp_among(word, msp_two) && *second)
		return msp_double(first, second);
	if (msp_among(word, msp_emulated))
		return msp_double("#0", first);
	if (strcmp(word, "rla") == 0 || strcmp(word, "rlc") == 0)
		return msp_double(first, first);
	if (msp_among(word, msp_plain))
		return (struct step){ STEP_ON, 1 };
	return msp_single(word, first);
}
