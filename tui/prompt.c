#include "tui/prompt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/action.h"

#define CTRL(c) ((c) & 0x1f)

static void set_text(struct prompt *p, const char *text)
{
	p->len = text_visible(p->text, sizeof(p->text), text, strlen(text));
	p->cursor = p->len;
}

void prompt_open(struct prompt *p, const char *label, const char *text, const char *before)
{
	*p = (struct prompt){ .label = label };
	snprintf(p->before, sizeof(p->before), "%s", before ? before : "");
	set_text(p, text ? text : "");
}

/* Start of the character before byte `at`; 0 at the start. */
static size_t char_before(const struct prompt *p, size_t at)
{
	while (at > 0 && ((unsigned char)p->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t char_after(const struct prompt *p, size_t at)
{
	uint32_t cp;
	size_t n = text_utf8(p->text + at, p->len - at, &cp);

	return at + (at < p->len ? (n ? n : 1) : 0);
}

static size_t word_before(const struct prompt *p, size_t at)
{
	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_answer cut(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_NOTHING;
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->cursor = from;
	return PROMPT_EDITED;
}

static enum prompt_answer insert(struct prompt *p, uint32_t key)
{
	char bytes[4], shown[16];
	size_t n;
	uint32_t back;

	if (key < 0x20 || key >= KEY_UP_)
		return PROMPT_NOTHING;
	n = text_encode(key, bytes);
	/* What would not be shown as itself (a control, a text direction) is not taken either. */
	if (text_utf8(bytes, n, &back) != n || text_visible(shown, sizeof(shown), bytes, n) != n)
		return PROMPT_NOTHING;
	if (p->len + n >= sizeof(p->text))
		return PROMPT_NOTHING;
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->len - p->cursor + 1);
	memcpy(p->text + p->cursor, bytes, n);
	p->len += n;
	p->cursor += n;
	return PROMPT_EDITED;
}

static enum prompt_answer move(struct prompt *p, size_t to)
{
	p->cursor = to;
	return PROMPT_MOVED;
}

enum prompt_answer prompt_key(struct prompt *p, uint32_t key)
{
	switch (key) {
	case '\r':
		return PROMPT_DONE;
	case 27:
	case CTRL('C'):
	case CTRL('G'):
		return PROMPT_CANCELLED;
	case KEY_LEFT_:
		return move(p, char_before(p, p->cursor));
	case KEY_RIGHT_:
		return move(p, char_after(p, p->cursor));
	case KEY_HOME_:
	case CTRL('A'):
		return move(p, 0);
	case KEY_END_:
	case CTRL('E'):
		return move(p, p->len);
	case KEY_BACKSPACE_:
		return p->len ? cut(p, char_before(p, p->cursor), p->cursor) : PROMPT_CANCELLED;
	case KEY_DELETE_:
	case CTRL('D'):
		return cut(p, p->cursor, char_after(p, p->cursor));
	case CTRL('U'):
		return cut(p, 0, p->cursor);
	case CTRL('K'):
		return cut(p, p->cursor, p->len);
	case CTRL('W'):
		return cut(p, word_before(p, p->cursor), p->cursor);
	case KEY_UP_:
		set_text(p, p->before);
		return PROMPT_EDITED;
	default:
		return insert(p, key);
	}
}

/* First byte to show so that the cursor stays within `width` columns. */
static size_t scroll_to(const struct prompt *p, int width)
{
	char part[sizeof(p->text)];
	size_t from = 0;

	for (;;) {
		snprintf(part, sizeof(part), "%.*s", (int)(p->cursor - from), p->text + from);
		if (text_columns(part) < width || from >= p->cursor)
			return from;
		from = char_after(p, from);
	}
}

int prompt_draw(const struct prompt *p, struct grid *g, int y)
{
	int trouble = p->trouble[0] ? text_columns(p->trouble) + 2 : 0;
	int label = grid_textf(g, 0, y, -1, ROLE_KEY, "%s ", p->label), room;
	char part[sizeof(p->text)];
	size_t from;

	if (trouble > g->width / 2)
		trouble = g->width / 2;
	room = g->width - label - trouble;
	if (room < 4)
		room = 4;
	from = scroll_to(p, room);
	grid_text(g, label, y, room, ROLE_PROMPT, p->text + from);
	if (trouble)
		grid_right(g, g->width - trouble + 1, y, trouble - 1, ROLE_BAD, p->trouble);
	snprintf(part, sizeof(part), "%.*s", (int)(p->cursor - from), p->text + from);
	return label + text_columns(part);
}
