#include "core/source/step.h"

#include <string.h>

struct step step_read(enum step_core core, const struct listing *l, size_t i, unsigned *state)
{
	const char *text = listing_text(l, i);
	size_t length = strcspn(text, " \t");
	struct step s = { STEP_ON, 0 };
	char name[STEP_NAME];

	if (text[0] == '.')
		return (struct step){ STEP_DATA, 0 };
	if (length && length < sizeof(name)) {
		memcpy(name, text, length);
		name[length] = '\0';
		if (core == STEP_AVR || core == STEP_AVR_WIDE)
			s = step_avr(core, name, text + length);
		else if (core == STEP_MSP430)
			s = step_msp430(name, text + length);
		else if (core != STEP_NONE)
			s = step_arm(core, name, text + length, state);
	}
	/* It goes to a place that is not told, or out. */
	if (l->v[i].branch != BRANCH_JUMP && (s.kind == STEP_JUMP || s.kind == STEP_BRANCH))
		s.kind = STEP_ANYWHERE;
	return s;
}
