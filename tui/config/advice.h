/*
 * advice: core's codes for what a user could do (core/base/advice.h), in words: with the user's keys on
 * the screen, with options elsewhere.
 */
#ifndef WSNTOP_TUI_CONFIG_ADVICE_H
#define WSNTOP_TUI_CONFIG_ADVICE_H

#include <stddef.h>

#include "core/base/advice.h"

/* On the screen, with {action} (keymap.h); on the command line. NULL: nothing can be done there. */
struct advice_row {
	const char *screen, *shell;
};
extern const struct advice_row advice_rows[ADVICE_COUNT];

/* "FACT; what to do" for the command line. */
const char *advice_text(enum advice a, const char *fact, char *dst, size_t size);

#endif
