#include "tui/part/prompt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/config/action.h"

#define CTRL(c) ((c) & 0x1f)

static void set_text(struct prompt *p, const char *text)
{
	p->len = text_visible(p->text, sizeof(p->text), text, strlen(text));
	p->cursor = p->len;
}

void prompt_open(struct prompt *p, const char *label, const char *text,
		 const struct prompt_history *history)
{
	*p = (struct prompt){ .label = label, .history = history,
			      .at = history ? history->count : 0 };
	set_text(p, text ? text : "");
}

void prompt_remember(struct prompt_history *h, const char *text)
{
	size_t at = 0;

	if (!*text)
		return;
	while (at < h->count && strcmp(h->lines[at], text) != 0)
		at++;
	if (at == PROMPT_LINES)
		at = 0;			/* the oldest goes */
	else if (at == h->count)
		h->count++;
	memmove(h->lines[at], h->lines[at + 1], (h->count - 1 - at) * sizeof(h->lines[0]));
	snprintf(h->lines[h->count - 1], sizeof(h->lines[0]), "%s", text);
}

/* To an earlier answer; past the newest one, back to the text that was being typed. */
static enum prompt_answer history_walk(struct prompt *p, bool older)
{
	size_t count = p->history ? p->history->count : 0;

	if (older ? p->at == 0 : p->at >= count)
		return PROMPT_NOTHING;
	if (p->at == count)
		memcpy(p->typed, p->text, sizeof(p->typed));
	p->at += older ? -(size_t)1 : 1;
	set_text(p, p->at < count ? p->history->lines[p->at] : p->typed);
	return PROMPT_EDITED;
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

static enum prompt_answer text_cut(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_NOTHING;
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->cursor = from;
	return PROMPT_EDITED;
}

static enum prompt_answer key_insert(struct prompt *p, uint32_t key)
{
	char bytes[4], shown[16];
	size_t n;
	uint32_t back;

	if (key < 0x20 || key >= KEY_UP_)
		return PROMPT_NOTHING;
	n = text_encode(key, bytes);
	/* Characters that are not shown as they are (controls, text direction) are refused. */
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

static enum prompt_answer cursor_move(struct prompt *p, size_t to)
{
	p->cursor = to;
	return PROMPT_MOVED;
}

void prompt_propose(struct prompt *p)
{
	p->proposed = p->len > 0;
}

static bool key_deletes(uint32_t key)
{
	return key == KEY_BACKSPACE_ || key == KEY_DELETE_ || key == CTRL('D') ||
	       key == CTRL('U') || key == CTRL('K') || key == CTRL('W');
}

/* The first key after a proposal. */
static enum prompt_answer proposal_key(struct prompt *p, uint32_t key)
{
	p->proposed = false;
	if (key_deletes(key))
		return text_cut(p, 0, p->len);
	if (key < 0x20 || key >= KEY_UP_) {
		prompt_key(p, key);
		return PROMPT_MOVED;
	}
	text_cut(p, 0, p->len);
	prompt_key(p, key);
	return PROMPT_EDITED;
}

enum prompt_answer prompt_key(struct prompt *p, uint32_t key)
{
	if (p->proposed && key != '\r' && key != 27 && key != CTRL('C') && key != CTRL('G'))
		return proposal_key(p, key);
	switch (key) {
	case '\r':
		return PROMPT_DONE;
	case 27:
	case CTRL('C'):
	case CTRL('G'):
		return PROMPT_CANCELLED;
	case KEY_LEFT_:
	case CTRL('B'):
		return cursor_move(p, char_before(p, p->cursor));
	case KEY_RIGHT_:
	case CTRL('F'):
		return cursor_move(p, char_after(p, p->cursor));
	case KEY_HOME_:
	case CTRL('A'):
		return cursor_move(p, 0);
	case KEY_END_:
	case CTRL('E'):
		return cursor_move(p, p->len);
	case KEY_BACKSPACE_:
		if (!p->len)
			return PROMPT_CANCELLED;
		return text_cut(p, char_before(p, p->cursor), p->cursor);
	case KEY_DELETE_:
	case CTRL('D'):
		return text_cut(p, p->cursor, char_after(p, p->cursor));
	case CTRL('U'):
		return text_cut(p, 0, p->cursor);
	case CTRL('K'):
		return text_cut(p, p->cursor, p->len);
	case CTRL('W'):
		return text_cut(p, word_before(p, p->cursor), p->cursor);
	case KEY_UP_:
	case CTRL('P'):
		return history_walk(p, true);
	case KEY_DOWN_:
	case CTRL('N'):
		return history_walk(p, false);
	default:
		return key_insert(p, key);
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

struct prompt_layout {
	int label, room, trouble;	/* columns */
	size_t from;			/* the first byte shown */
};

static struct prompt_layout prompt_layout(const struct prompt *p, int width)
{
	struct prompt_layout l = { .label = text_columns(p->label) + 1 };

	l.trouble = p->trouble[0] ? text_columns(p->trouble) + 2 : 0;
	if (l.trouble > width / 2)
		l.trouble = width / 2;
	l.room = width - l.label - l.trouble;
	if (l.room < 4)
		l.room = 4;
	l.from = scroll_to(p, l.room);
	return l;
}

int prompt_draw(const struct prompt *p, struct grid *g, int y)
{
	struct prompt_layout l = prompt_layout(p, g->width);
	char part[sizeof(p->text)];

	grid_textf(g, 0, y, -1, ROLE_KEY, "%s ", p->label);
	grid_text(g, l.label, y, l.room, p->proposed ? ROLE_SELECTED : ROLE_PROMPT,
		  p->text + l.from);
	if (l.trouble)
		grid_right(g, g->width - l.trouble + 1, y, l.trouble - 1, ROLE_BAD, p->trouble);
	snprintf(part, sizeof(part), "%.*s", (int)(p->cursor - l.from), p->text + l.from);
	return l.label + text_columns(part);
}

void prompt_click(struct prompt *p, int width, int x)
{
	struct prompt_layout l = prompt_layout(p, width);
	size_t at = l.from;
	uint32_t cp;

	p->proposed = false;
	for (x -= l.label; at < p->len; at = char_after(p, at)) {
		x -= text_utf8(p->text + at, p->len - at, &cp) ? text_width(cp) : 1;
		if (x < 0)
			break;
	}
	p->cursor = at;
}
