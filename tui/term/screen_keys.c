/*
 * screen_keys: keys and the mouse.
 */
#include "tui/term/screen_parts.h"

#include <string.h>

#include "core/base/clock.h"
#include "tui/config/action.h"
#include "tui/term/sequence.h"

enum { DOUBLE_CLICK_MS = 400 };

static const struct { int curses; uint32_t key; } curses_keys[] = {
	{ KEY_UP, KEY_UP_ }, { KEY_DOWN, KEY_DOWN_ }, { KEY_LEFT, KEY_LEFT_ },
	{ KEY_RIGHT, KEY_RIGHT_ }, { KEY_PPAGE, KEY_PAGE_UP_ }, { KEY_NPAGE, KEY_PAGE_DOWN_ },
	{ KEY_HOME, KEY_HOME_ }, { KEY_FIND, KEY_HOME_ }, { KEY_A1, KEY_HOME_ },
	{ KEY_END, KEY_END_ }, { KEY_SELECT, KEY_END_ }, { KEY_C1, KEY_END_ },
	{ KEY_A3, KEY_PAGE_UP_ }, { KEY_C3, KEY_PAGE_DOWN_ }, { KEY_BACKSPACE, KEY_BACKSPACE_ },
	{ KEY_DC, KEY_DELETE_ }, { KEY_BTAB, KEY_SHIFT_TAB_ }, { KEY_ENTER, '\r' },
	{ KEY_RESIZE, KEY_RESIZE_ },
};

static uint32_t key_of_curses(int c)
{
	for (size_t i = 0; i < sizeof(curses_keys) / sizeof(curses_keys[0]); i++)
		if (curses_keys[i].curses == c)
			return curses_keys[i].key;
	return c >= KEY_F(1) && c <= KEY_F(24) ? KEY_F_ + (uint32_t)(c - KEY_F0) : 0;
}

/* A second press at the same place soon after the first is a double click. */
static void clicks_count(struct screen *s, struct screen_mouse *mouse)
{
	uint64_t now = clock_now();
	bool again = s->click.time && s->click.x == mouse->x && s->click.y == mouse->y &&
		     now - s->click.time < DOUBLE_CLICK_MS * (CLOCK_SECOND / 1000);

	if (mouse->button != 1)
		return;
	if (again)
		mouse->button = 2;
	s->click.x = mouse->x;
	s->click.y = mouse->y;
	s->click.time = again ? 0 : now;
}

/* From curses: the mouse of the Linux console (gpm). */
static uint32_t mouse_take(struct screen *s, struct screen_mouse *mouse)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return 0;
	*mouse = (struct screen_mouse){
		.x = e.x, .y = e.y,
		.button = e.bstate & BUTTON1_PRESSED ? 1 : e.bstate & BUTTON3_PRESSED ? 3 :
			  e.bstate & BUTTON4_PRESSED ? 4 : e.bstate & BUTTON5_PRESSED ? 5 : 0,
	};
	clicks_count(s, mouse);
	return mouse->button ? KEY_MOUSE_ : 0;
}

/*
 * Like wget_wch, which loses the first bytes of a character if the others have not arrived yet:
 * here they are kept. Bytes that form no character are dropped.
 */
static int char_read(struct screen *s, wint_t *c)
{
	int key;

	while ((key = wgetch(s->keys)) != ERR && key < KEY_MIN) {
		bool inside = !mbsinit(&s->partial);
		char byte = (char)key;
		wchar_t wide = 0;
		size_t n = mbrtowc(&wide, &byte, 1, &s->partial);

		*c = (wint_t)wide;
		if (n == (size_t)-1) {
			memset(&s->partial, 0, sizeof(s->partial));
			if (inside)
				ungetch(key);	/* the next character begins */
		} else if (n != (size_t)-2) {
			return OK;
		}
	}
	if (key == ERR)
		return ERR;
	*c = (wint_t)key;
	if (key != KEY_RESIZE)
		memset(&s->partial, 0, sizeof(s->partial));
	return KEY_CODE_YES;
}

/*
 * The rest of a sequence, byte by byte, because a slow line may deliver it in pieces. False if it
 * is incomplete. An X10 mouse report ends with three bytes of any value.
 */
static bool bytes_read(struct screen *s, char *bytes, size_t size)
{
	size_t n = 1, behind = 0;
	int c;

	do {
		c = wgetch(s->keys);
		if (c == 27 && !behind)
			ungetch(c);		/* this one is incomplete, the next begins */
		if (c == ERR || (c == 27 && !behind))
			return false;
		if (n < size - 1)
			bytes[n++] = (char)c;
		behind += behind || (n == 2 && bytes[0] == '[' && c == 'M');
	} while (bytes[0] == '[' && (behind ? behind < 4 : c < 0x40 || c > 0x7e));
	bytes[n] = '\0';
	return true;
}

static bool sequence_read(struct screen *s, char *bytes, size_t size)
{
	bool whole;

	keypad(s->keys, FALSE);
	wtimeout(s->keys, SCREEN_ESCAPE_MS);
	whole = bytes_read(s, bytes, size);
	nodelay(s->keys, TRUE);
	keypad(s->keys, TRUE);
	return whole;
}

/*
 * After an ESC that begins no key known to curses. If nothing follows, it is the Esc key. Otherwise
 * it is a mouse report, a key as another terminal sends it, or an unknown sequence or Alt chord,
 * which is dropped: its letters must not act as keys.
 */
static uint32_t escape_take(struct screen *s, struct screen_mouse *mouse)
{
	char bytes[32];
	wint_t c;

	if (char_read(s, &c) == ERR)
		return 27;
	bytes[0] = (char)c;
	if ((c != 'O' && c != '[') || !sequence_read(s, bytes, sizeof(bytes)))
		return 0;
	if (!sequence_mouse(bytes, mouse))
		return sequence_key(bytes);
	clicks_count(s, mouse);
	return KEY_MOUSE_;
}

static uint32_t key_of_char(struct screen *s, wint_t c, struct screen_mouse *mouse)
{
	switch (c) {
	case 27:
		return escape_take(s, mouse);
	case '\n':
		return '\r';
	case 8:
	case 127:
		return KEY_BACKSPACE_;
	default:
		return c;
	}
}

uint32_t screen_key(struct screen *s, struct screen_mouse *mouse)
{
	for (;;) {
		wint_t c;
		int kind = char_read(s, &c);
		uint32_t key;

		if (kind == ERR)
			return 0;
		if (kind != KEY_CODE_YES)
			key = key_of_char(s, c, mouse);
		else if (c == KEY_MOUSE)
			key = mouse_take(s, mouse);
		else
			key = key_of_curses((int)c);
		if (key)
			return key;
	}
}
