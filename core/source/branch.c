#include "core/source/branch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

enum { WORD = 32 };			/* the longest mnemonic or operand looked at, and NUL */

/* Mnemonics without a suffix such as ".n"; of those with a condition, what stands before it. */
static const char *const calls[] = { "call", "callq", "rcall", "calla", "bl", "blx", "jal", NULL };
static const char *const jumps[] = {
	"rjmp", "cbz", "cbnz", "loop", "loope", "loopne", "b", "beq", "bne", "bcs", "bcc", "bhs",
	"blo", "bmi", "bpl", "bvs", "bvc", "bhi", "bls", "bge", "blt", "bgt", "ble", "bal", "bltu",
	"bgeu", "bgtu", "bleu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz", NULL,
};
/* Conditions of AVR's "br" and of what begins with j. */
static const char *const avr[] = {
	"eq", "ne", "cs", "cc", "sh", "lo", "mi", "pl", "ge", "lt", "hs", "hc", "ts", "tc", "vs",
	"vc", "ie", "id", "bs", "bc", NULL,
};

static bool word_among(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list;
}

/* Of the mnemonic; "bne.n" is "bne". */
static enum branch_kind kind_of(const char *word)
{
	if (word_among(word, calls))
		return BRANCH_CALL;
	if (word_among(word, jumps) || (text_begins(word, "br") && word_among(word + 2, avr)))
		return BRANCH_JUMP;
	/* x86, AVR, MSP430, RISC-V: all that begin with j, but RISC-V's calls. */
	return word[0] == 'j' && !text_begins(word, "jal") ? BRANCH_JUMP : BRANCH_NONE;
}

/* Up to a character of `stop`: copied without blanks around it; false: empty or too long. */
static bool word_copy(char *word, const char *s, size_t n)
{
	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	if (!n || n >= WORD)
		return false;
	memcpy(word, s, n);
	word[n] = '\0';
	return true;
}

/* Hex digits alone, with 0x or without. */
static bool hex_read(const char *s, uint64_t *value)
{
	char *end;

	if (text_begins(s, "0x"))
		s += 2;
	if (!*s || strlen(s) > 16 || strspn(s, "0123456789abcdefABCDEF") != strlen(s))
		return false;
	*value = strtoull(s, &end, 16);
	return true;
}

/* "+12", "-8" from `base`. */
static bool distance_read(const char *s, uint64_t base, uint64_t *value)
{
	size_t digits = (*s == '+' || *s == '-') ? strspn(s + 1, "0123456789") : 0;
	uint64_t by;

	if (!digits || digits > 9 || s[1 + digits])
		return false;
	by = strtoull(s + 1, NULL, 10);
	*value = *s == '-' ? base - by : base + by;
	return true;
}

static bool target_read(const char *word, enum branch_kind kind, uint64_t address, unsigned size,
			uint64_t *target)
{
	if (*word == '.')
		return distance_read(word + 1, address + size, target);
	if (*word == '$')
		return distance_read(word + 1, address, target);
	/* A bare number behind # may be a distance: only MSP430's calls are sure. */
	if (*word == '#')
		return kind == BRANCH_CALL && text_begins(word, "#0x") &&
		       hex_read(word + 1, target);
	return hex_read(word, target);
}

enum branch_kind branch_read(const char *text, uint64_t address, unsigned size, uint64_t *target)
{
	size_t name = strcspn(text, " \t"), end;
	const char *operands = text + name, *last = operands;
	enum branch_kind kind;
	char word[WORD];

	*target = 0;
	if (!word_copy(word, text, strcspn(text, " \t.")))
		return BRANCH_NONE;
	kind = kind_of(word);
	if (kind == BRANCH_NONE)
		return BRANCH_NONE;
	/* The last operand, before a symbol or a comment. */
	end = strcspn(operands, ";<@/");
	for (size_t i = 0; i < end; i++) {
		if (operands[i] == ',')
			last = operands + i + 1;
	}
	if (!word_copy(word, last, end - (size_t)(last - operands)) ||
	    !target_read(word, kind, address, size, target))
		return BRANCH_NONE;
	return kind;
}
