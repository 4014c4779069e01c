#include "tests/tools/screen/keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

static const struct { const char *name, *bytes; } key_bytes[] = {
	{ "Enter", "\r" }, { "Esc", "\033" }, { "Tab", "\t" }, { "S-Tab", "\033[Z" },
	{ "Up", "\033OA" }, { "Down", "\033OB" }, { "Right", "\033OC" }, { "Left", "\033OD" },
	{ "Home", "\033OH" }, { "End", "\033OF" }, { "PgUp", "\033[5~" }, { "PgDn", "\033[6~" },
	{ "Del", "\033[3~" }, { "BS", "\177" }, { "Space", " " }, { "lt", "<" },
	{ "F1", "\033OP" }, { "F2", "\033OQ" }, { "F3", "\033OR" }, { "F4", "\033OS" },
	{ "F5", "\033[15~" }, { "F6", "\033[17~" }, { "F7", "\033[18~" }, { "F8", "\033[19~" },
	{ "F9", "\033[20~" }, { "F10", "\033[21~" },
};

void keys_type(const char *bytes, size_t n)
{
	if (write(terminal.fd, bytes, n) != (ssize_t)n)
		script_fail("cannot type: %s", strerror(errno));
	if (n == 1 && *bytes == 033)
		settle_escape();
}

static void type_named(const char *name, size_t n)
{
	char control;

	if (n == 3 && name[0] == 'C' && name[1] == '-') {
		control = (char)(name[2] & 0x1f);
		keys_type(&control, 1);
		return;
	}
	for (size_t i = 0; i < sizeof(key_bytes) / sizeof(key_bytes[0]); i++) {
		if (strlen(key_bytes[i].name) == n && !memcmp(key_bytes[i].name, name, n)) {
			keys_type(key_bytes[i].bytes, strlen(key_bytes[i].bytes));
			return;
		}
	}
	script_fail("no key <%.*s>", (int)n, name);
}

void step_keys(const char *s)
{
	while (*s) {
		const char *end = *s == '<' ? strchr(s, '>') : NULL;

		if (end && end > s + 1) {
			type_named(s + 1, (size_t)(end - s - 1));
			s = end + 1;
		} else {
			keys_type(s++, 1);
		}
	}
}

/* In one piece, as a terminal sends a key. */
void step_send(const char *s)
{
	char bytes[SCRIPT_LINE];
	size_t n = 0;

	for (; *s; s++) {
		char c = *s;

		if (c == '\\' && s[1]) {
			c = *++s;
			if (c == 'x') {
				c = (char)strtol((char[]){ s[1], s[2], 0 }, NULL, 16);
				s += 2;
			} else {
				c = c == 'e' ? 033 : c == 'r' ? '\r' : c == 'n' ? '\n' : c;
			}
		}
		bytes[n++] = c;
	}
	keys_type(bytes, n);
}

/* --- the mouse -------------------------------------------------------------------------------- */

/*
 * The emulator says it as the program asked for it; who did not ask hears nothing. (libvterm does
 * not understand how xterm's description asks: use send there.)
 */
void keys_click(int x, int y, int button)
{
	if (!terminal.mouse)
		return;
	vterm_mouse_move(terminal.vt, y, x, VTERM_MOD_NONE);
	vterm_mouse_button(terminal.vt, button, true, VTERM_MOD_NONE);
	vterm_mouse_button(terminal.vt, button, false, VTERM_MOD_NONE);
}

void step_click(const char *arguments)
{
	int x = 0, y = 0, button = 1;

	if (sscanf(arguments, "%d %d %d", &x, &y, &button) < 2)
		script_fail("click X Y [BUTTON]");
	if (!terminal.mouse)
		script_fail("the program has not asked for a mouse");
	keys_click(x - 1, y - 1, button);
}

/* By way of a cell between. */
void step_drag(const char *arguments)
{
	int x, y, to_x, to_y;

	if (sscanf(arguments, "%d %d %d %d", &x, &y, &to_x, &to_y) != 4)
		script_fail("drag X Y X Y");
	if (terminal.mouse != VTERM_PROP_MOUSE_DRAG)
		script_fail("the program has not asked for moves of the mouse");
	vterm_mouse_move(terminal.vt, y - 1, x - 1, VTERM_MOD_NONE);
	vterm_mouse_button(terminal.vt, 1, true, VTERM_MOD_NONE);
	vterm_mouse_move(terminal.vt, (y + to_y) / 2 - 1, (x + to_x) / 2 - 1, VTERM_MOD_NONE);
	vterm_mouse_move(terminal.vt, to_y - 1, to_x - 1, VTERM_MOD_NONE);
	vterm_mouse_button(terminal.vt, 1, false, VTERM_MOD_NONE);
}
