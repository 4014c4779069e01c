/*
 * sequence: the bytes of keys as most terminals send them, for the keys that the description of
 * TERM lacks; and the mouse.
 *
 * TERM often differs from the terminal: vt100 has no PgUp, screen has another Home than the xterm
 * around it. curses decodes the keys of the description; this module decodes the others.
 */
#ifndef WSNTOP_TUI_TERM_SEQUENCE_H
#define WSNTOP_TUI_TERM_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/term/screen.h"

/* From the bytes behind the ESC ("[5~", "OH"): an enum key of action.h; 0: an unknown key. */
uint32_t sequence_key(const char *sequence);

/*
 * A mouse report, in the form of SGR ("[<0;12;3M") or X10 ("[M" and three bytes). True for a press,
 * the wheel, and what follows a press of the left button: buttons as in screen.h. False for moves
 * and releases of other buttons (X10 does not tell which button was released).
 */
bool sequence_mouse(const char *sequence, struct screen_mouse *mouse);

#endif
