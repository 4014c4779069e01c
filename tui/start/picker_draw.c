/*
 * picker_draw: the start page.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/start/picker_parts.h"

enum {
	LABEL_LEAST = 12, CURE_LINES = 4,
	HEARING = 5,			/* seconds in which a node sends its HELLO */
};

/* The columns of labels: the longest, or the room that there is; two fifths at least. */
static int label_width(const struct picker *p, int width)
{
	int widest = LABEL_LEAST, beside = 0, room = 2 * width / 5;

	for (size_t i = 0; i < p->list.count; i++) {
		enum item_kind kind = p->items[i].kind;
		bool words = kind < ITEM_SOURCE || kind == ITEM_TYPE || kind == ITEM_NONE;
		int label = words ? 0 : text_columns(p->items[i].label);
		int what = words ? 0 : text_columns(p->items[i].what);

		widest = label > widest ? label : widest;
		beside = what > beside ? what : beside;
	}
	room = room > width - beside - 6 ? room : width - beside - 6;
	return widest < room ? widest : room;
}

/* Where a path is too long its end is shown: that tells more than its beginning. */
static void label_draw(struct grid *g, int y, int width, enum role role, const char *s)
{
	const char *end = s;

	while (text_columns(end) > (end == s ? width : width - 1)) {
		uint32_t cp;
		size_t n = text_utf8(end, strlen(end), &cp);

		end += n ? n : 1;
	}
	grid_textf(g, 3, y, width, role, "%s%s", end == s ? "" : "…", end);
}

static void item_draw(const struct picker *p, struct grid *g, int y, size_t at)
{
	const struct item *i = &p->items[at];
	int width = label_width(p, g->width);

	if (i->kind == ITEM_HEADING) {
		grid_text(g, 1, y, -1, ROLE_LABEL, i->label);
		return;
	}
	if (*i->what) {
		label_draw(g, y, width, i->doubtful ? ROLE_DIM : ROLE_NAME, i->label);
		grid_text(g, 3 + width + 2, y, -1, i->doubtful ? ROLE_WARNING : ROLE_LABEL,
			  i->what);
	} else {
		grid_text(g, 3, y, -1, i->kind == ITEM_NOTE ? ROLE_DIM : ROLE_NAME, i->label);
	}
	if (at == p->list.cursor && picker_choosable(i))
		grid_select_row(g, y);
}

/* --- help for the selected entry -------------------------------------------------------------- */

/* How much of s fits in a line: up to a blank where there is one. */
static size_t line_length(const char *s, int width)
{
	size_t at = 0, blank = 0;
	int used = 0;

	while (s[at]) {
		uint32_t cp = '?';
		size_t n = text_utf8(s + at, strlen(s + at), &cp);

		used += text_width(cp);
		if (used > width)
			return blank ? blank : at ? at : 1;
		if (s[at] == ' ')
			blank = at;
		at += n ? n : 1;
	}
	return at;
}

/* Returns the lines that it takes; NULL: nothing is drawn. */
static int cure_draw(struct grid *g, int y, int width, const char *s)
{
	int lines = 0;

	for (; *s && lines < CURE_LINES; lines++) {
		size_t n = line_length(s, width);

		if (g)
			grid_textf(g, 1, y + lines, -1, ROLE_WARNING, "%.*s", (int)n, s);
		s += n;
		s += *s == ' ';
	}
	return lines;
}

/* --- the page --------------------------------------------------------------------------------- */

static void question_draw(const struct picker *p, struct grid *g)
{
	const char *elf = text_basename(p->elf);
	bool early = clock_now() - p->seek.since < HEARING * CLOCK_SECOND;
	char whole[160], brief[160];

	switch (p->stage) {
	case STAGE_SOURCE:
		strcpy(whole, "Choose a node: a port, a recording or a demo");
		strcpy(brief, "Choose a node");
		break;
	case STAGE_IMAGE:
		strcpy(whole, "Choose the firmware that runs on it: its ELF file has the names of "
			      "functions");
		strcpy(brief, "Choose its firmware (ELF)");
		break;
	case STAGE_SEEK:
		snprintf(whole, sizeof(whole), early ? "Looking for the node that runs %s" :
			 "No node that runs %s found yet. Choose a port, or wait.", elf);
		snprintf(brief, sizeof(brief), early ? "Looking for %s" : "Not found yet: %s", elf);
	}
	grid_text(g, 1, 1, -1, ROLE_DEFAULT, text_columns(whole) > g->width - 1 ? brief : whole);
}

static int hint_draw(const struct picker *p, struct grid *g, int x, enum action a, const char *word)
{
	char key[16];

	if (!*keymap_first(p->keys, a, key, sizeof(key)))
		return x;
	x += grid_text(g, x, g->height - 1, -1, ROLE_KEY, key);
	return x + grid_textf(g, x, g->height - 1, -1, ROLE_LABEL, " %s  ", word);
}

static int bottom_draw(const struct picker *p, struct grid *g)
{
	int y = g->height - 1, x;

	if (p->asking)
		return prompt_draw(&p->prompt, g, y);
	if (*p->trouble) {
		grid_text(g, 0, y, -1, ROLE_BAD, p->trouble);
		return -1;
	}
	x = hint_draw(p, g, 0, ACTION_ENTER, "choose");
	x = hint_draw(p, g, x, ACTION_SEARCH, *p->filter ? "change filter" : "filter");
	if (*p->filter)
		x = hint_draw(p, g, x, ACTION_CANCEL, "show all");
	hint_draw(p, g, x, ACTION_BACK,
		  p->stage == STAGE_SOURCE || p->options->seek ? "quit" : "back");
	return -1;
}

int picker_draw(struct picker *p, struct grid *g)
{
	const struct item *at = p->list.count ? &p->items[p->list.cursor] : NULL;
	const char *cure = at && picker_choosable(at) ? at->cure : "";
	int rows = g->height - PICKER_TOP - 1, lines = cure_draw(NULL, 0, g->width - 2, cure);

	if (rows - lines < 2)
		lines = 0;
	rows -= lines;
	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	grid_textf(g, 1, 0, -1, ROLE_TAB, "wsntop %s", WSNTOP_VERSION);
	question_draw(p, g);
	p->page = rows;
	list_show(&p->list, rows);
	/* the heading above the first choice comes into view with it */
	if (p->list.top == 1)
		p->list.top = 0;
	for (int row = 0; row < rows && p->list.top + (size_t)row < p->list.count; row++)
		item_draw(p, g, PICKER_TOP + row, p->list.top + (size_t)row);
	if (lines)
		cure_draw(g, PICKER_TOP + rows, g->width - 2, cure);
	return bottom_draw(p, g);
}
