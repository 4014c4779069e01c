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
	HEARING = 5,			/* seconds by which a node has said who it is */
};

/* The columns of labels: the longest, or what room there is; two fifths at least. */
static int label_width(const struct picker *p, int width)
{
	int widest = LABEL_LEAST, said = 0, room = 2 * width / 5;

	for (size_t i = 0; i < p->list.count; i++) {
		enum item_kind kind = p->items[i].kind;
		bool words = !picker_choosable(&p->items[i]) || kind == ITEM_TYPE || kind == ITEM_NONE;
		int w = words ? 0 : text_columns(p->items[i].label);
		int s = words ? 0 : text_columns(p->items[i].what);

		widest = w > widest ? w : widest;
		said = s > said ? s : said;
	}
	room = room > width - said - 6 ? room : width - said - 6;
	return widest < room ? widest : room;
}

/* The end of a path tells more than its beginning. */
static const char *tail(const char *s, int width)
{
	while (text_columns(s) > width - 1 && *s) {
		uint32_t cp;
		size_t n = text_utf8(s, strlen(s), &cp);

		s += n ? n : 1;
	}
	return s;
}

static void draw_label(struct grid *g, int y, int width, enum role role, const char *s)
{
	if (text_columns(s) <= width) {
		grid_text(g, 3, y, width, role, s);
		return;
	}
	grid_text(g, 3, y, 1, role, g->utf8 ? "…" : "~");
	grid_text(g, 4, y, width - 1, role, tail(s, width));
}

static void draw_item(const struct picker *p, struct grid *g, int y, size_t at)
{
	const struct item *i = &p->items[at];
	int width = label_width(p, g->width);

	if (i->kind == ITEM_HEADING) {
		grid_text(g, 1, y, -1, ROLE_LABEL, i->label);
		return;
	}
	if (*i->what) {
		draw_label(g, y, width, i->doubtful ? ROLE_DIM : ROLE_NAME, i->label);
		grid_text(g, 3 + width + 2, y, -1, i->doubtful ? ROLE_WARNING : ROLE_LABEL, i->what);
	} else {
		grid_text(g, 3, y, -1, i->kind == ITEM_NOTE ? ROLE_DIM : ROLE_NAME, i->label);
	}
	if (at == p->list.cursor && picker_choosable(i))
		grid_select_row(g, y);
}

/* --- what is the matter with the selected one ------------------------------------------------- */

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

static int cure_lines(const char *s, int width)
{
	int lines = 0;

	for (; *s && lines < CURE_LINES; lines++) {
		s += line_length(s, width);
		s += *s == ' ';
	}
	return lines;
}

static void draw_cure(struct grid *g, int y, int lines, const char *s)
{
	for (int i = 0; i < lines; i++) {
		char line[400];
		size_t n = line_length(s, g->width - 2);

		snprintf(line, sizeof(line), "%.*s", (int)n, s);
		grid_text(g, 1, y + i, -1, ROLE_WARNING, line);
		s += n;
		s += *s == ' ';
	}
}

/* --- the page --------------------------------------------------------------------------------- */

/* The first that fits, or the last. */
static void draw_words(struct grid *g, const char *const *words)
{
	while (words[1] && text_columns(*words) > g->width - 1)
		words++;
	grid_text(g, 1, 1, -1, ROLE_DEFAULT, *words);
}

static void draw_sought(struct grid *g, const char *elf, unsigned long long heard)
{
	char whole[160], brief[160];

	snprintf(whole, sizeof(whole), heard < HEARING ? "Looking for the node that runs %s" :
		 "No node says yet that it runs %s. Choose one, or wait.", elf);
	snprintf(brief, sizeof(brief), heard < HEARING ? "Who runs %s?" : "Nobody says: %s", elf);
	draw_words(g, (const char *const[]){ whole, brief, NULL });
}

static void draw_question(const struct picker *p, struct grid *g)
{
	const char *elf = text_basename(p->seek.elf ? p->seek.elf : "");
	unsigned long long heard = (unsigned long long)((clock_now() - p->seek.since) / CLOCK_SECOND);

	if (p->stage == STAGE_SOURCE)
		draw_words(g, (const char *const[]){ "Which node? Choose where its bytes come from.",
			   "Which node? Where from?", NULL });
	else if (p->stage == STAGE_IMAGE)
		draw_words(g, (const char *const[]){
			"Which firmware runs on it? Its ELF file gives names to addresses.",
			"Which firmware runs on it?", NULL });
	else
		draw_sought(g, elf, heard);
}

static int hint(const struct picker *p, struct grid *g, int x, enum action a, const char *word)
{
	char key[16];

	if (!*keymap_first(p->keys, a, key, sizeof(key)))
		return x;
	x += grid_text(g, x, g->height - 1, -1, ROLE_KEY, key);
	return x + grid_textf(g, x, g->height - 1, -1, ROLE_LABEL, " %s  ", word);
}

static int draw_bottom(const struct picker *p, struct grid *g)
{
	int y = g->height - 1, x = 0;

	if (p->asking)
		return prompt_draw(&p->prompt, g, y);
	if (*p->trouble) {
		grid_text(g, 0, y, -1, ROLE_BAD, p->trouble);
		return -1;
	}
	x = hint(p, g, x, ACTION_ENTER, "choose");
	x = hint(p, g, x, ACTION_SEARCH, *p->filter ? "other letters" : "only some");
	if (*p->filter)
		x = hint(p, g, x, ACTION_CANCEL, "all");
	hint(p, g, x, ACTION_BACK, p->stage == STAGE_SOURCE || p->options->seek ? "quit" : "back");
	return -1;
}

int picker_draw(struct picker *p, struct grid *g)
{
	const struct item *at = p->list.count ? &p->items[p->list.cursor] : NULL;
	const char *cure = at && picker_choosable(at) ? at->cure : "";
	int lines = cure_lines(cure, g->width - 2), rows = g->height - PICKER_TOP - 1;

	if (rows - lines < 2)
		lines = 0;
	rows -= lines;
	grid_fill(g, 0, 0, -1, ROLE_TAB, ' ');
	grid_textf(g, 1, 0, -1, ROLE_TAB, "wsntop %s", WSNTOP_VERSION);
	draw_question(p, g);
	p->page = rows;
	list_show(&p->list, rows);
	/* the heading above the first choice comes into view with it */
	if (p->list.top == 1)
		p->list.top = 0;
	for (int row = 0; row < rows && p->list.top + (size_t)row < p->list.count; row++)
		draw_item(p, g, PICKER_TOP + row, p->list.top + (size_t)row);
	draw_cure(g, PICKER_TOP + rows, lines, cure);
	return draw_bottom(p, g);
}
