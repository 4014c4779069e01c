#include "tui/term/sequence.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tui/config/action.h"

/* xterm's (cursor and application mode), VT220's, rxvt's and the Linux console's. */
static const struct { const char *sequence; uint32_t key; } sequences[] = {
	{ "[A", KEY_UP_ }, { "OA", KEY_UP_ }, { "[B", KEY_DOWN_ }, { "OB", KEY_DOWN_ },
	{ "[C", KEY_RIGHT_ }, { "OC", KEY_RIGHT_ }, { "[D", KEY_LEFT_ }, { "OD", KEY_LEFT_ },
	{ "[H", KEY_HOME_ }, { "OH", KEY_HOME_ }, { "[1~", KEY_HOME_ }, { "[7~", KEY_HOME_ },
	{ "[F", KEY_END_ }, { "OF", KEY_END_ }, { "[4~", KEY_END_ }, { "[8~", KEY_END_ },
	{ "[5~", KEY_PAGE_UP_ }, { "[6~", KEY_PAGE_DOWN_ }, { "[3~", KEY_DELETE_ },
	{ "[Z", KEY_SHIFT_TAB_ }, { "OM", '\r' },
	{ "OP", KEY_F_ + 1 }, { "OQ", KEY_F_ + 2 }, { "OR", KEY_F_ + 3 }, { "OS", KEY_F_ + 4 },
	{ "[11~", KEY_F_ + 1 }, { "[12~", KEY_F_ + 2 }, { "[13~", KEY_F_ + 3 },
	{ "[14~", KEY_F_ + 4 }, { "[15~", KEY_F_ + 5 }, { "[17~", KEY_F_ + 6 },
	{ "[18~", KEY_F_ + 7 }, { "[19~", KEY_F_ + 8 }, { "[20~", KEY_F_ + 9 },
	{ "[21~", KEY_F_ + 10 }, { "[23~", KEY_F_ + 11 }, { "[24~", KEY_F_ + 12 },
};

uint32_t sequence_key(const char *sequence)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		if (strcmp(sequences[i].sequence, sequence) == 0)
			return sequences[i].key;
	return 0;
}

/* --- the mouse -------------------------------------------------------------------------------- */

enum {
	CODE_BUTTON = 3,		/* 3: a release, in X10's form */
	CODE_MODIFIERS = 4 | 8 | 16,	/* Shift, Meta, Control */
	CODE_MOVE = 32,			/* and the button that is held */
	CODE_WHEEL = 64,
};

/* 0: a move without the left button, a button without a function here. */
static int button_of(int code)
{
	static const int buttons[] = { 1, 0, 3, SCREEN_RELEASE };

	code &= ~CODE_MODIFIERS;
	if (code == CODE_WHEEL || code == CODE_WHEEL + 1)
		return 4 + code - CODE_WHEEL;
	if (code == CODE_MOVE)
		return SCREEN_DRAG;
	return code >= 0 && code <= CODE_BUTTON ? buttons[code] : 0;
}

static bool mouse_report(struct screen_mouse *mouse, int button, int x, int y)
{
	*mouse = (struct screen_mouse){ .x = x - 1, .y = y - 1, .button = button };
	return button && x > 0 && y > 0;
}

bool sequence_mouse(const char *sequence, struct screen_mouse *mouse)
{
	const unsigned char *x10 = (const unsigned char *)sequence + 2;
	int code, x, y, button;
	char end;

	if (!strncmp(sequence, "[M", 2) && strlen(sequence) == 5)
		return mouse_report(mouse, button_of(x10[0] - 32), x10[1] - 32, x10[2] - 32);
	if (sscanf(sequence, "[<%5d;%5d;%5d%c", &code, &x, &y, &end) != 4)
		return false;
	button = button_of(code);
	if (end == 'm')
		button = button == 1 ? SCREEN_RELEASE : 0;
	return (end == 'm' || end == 'M') && mouse_report(mouse, button, x, y);
}
