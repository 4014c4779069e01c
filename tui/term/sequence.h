/*
 * sequence: keys as most terminals send them, for those that TERM's description does not name; and
 * the mouse.
 *
 * TERM is often not quite the terminal at hand: vt100 has no PgUp, screen has another Home than the
 * xterm around it. What is said there is curses' to read; this is for the rest.
 */
#ifndef WSNTOP_TUI_TERM_SEQUENCE_H
#define WSNTOP_TUI_TERM_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/term/screen.h"

/* What stands behind the ESC: "[5~", "OH". An enum key of action.h, 0: none that is known. */
uint32_t sequence_key(const char *sequence);

/*
 * A mouse's report, as SGR ("[<0;12;3M") or as X10 made it ("[M" and three bytes). True for a press
 * or the wheel, buttons as in screen.h; releases and moves are none.
 */
bool sequence_mouse(const char *sequence, struct screen_mouse *mouse);

#endif
