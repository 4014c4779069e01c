/*
 * advice: texts for core's codes of advice (core/base/advice.h): with the user's keys on the
 * screen, with options elsewhere.
 */
#ifndef WSNTOP_TUI_CONFIG_ADVICE_H
#define WSNTOP_TUI_CONFIG_ADVICE_H

#include <stddef.h>

#include "core/base/advice.h"

/* For the screen, with {action} (keymap.h); for the command line. NULL: no advice there. */
struct advice_row {
	const char *screen, *shell;
};
extern const struct advice_row advice_rows[ADVICE_COUNT];

/* "FACT; ADVICE" for the command line. */
const char *advice_text(enum advice a, const char *fact, char *dst, size_t size);

#endif
