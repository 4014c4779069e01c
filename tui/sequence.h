/*
 * sequence: keys as most terminals send them, for those that TERM's description does not name.
 *
 * TERM is often not quite the terminal at hand: vt100 has no PgUp, screen has another Home than the
 * xterm around it. What is said there is curses' to read; this is for the rest.
 */
#ifndef WSNTOP_TUI_SEQUENCE_H
#define WSNTOP_TUI_SEQUENCE_H

#include <stdint.h>

/* What stands behind the ESC: "[5~", "OH". An enum key of action.h, 0: none that is known. */
uint32_t sequence_key(const char *sequence);

#endif
