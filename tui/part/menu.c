#include "tui/part/menu.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/config/action.h"

enum {
	WIDE = 100,
	ROOM = 12,			/* lines: a box that has so many hides no header */
};

/* --- items ------------------------------------------------------------------------------------ */

/* Text 0 is the empty one, whatever fails. */
static size_t text_keep(struct menu *m, const char *s)
{
	size_t at = m->text.len;

	if (!s || !*s)
		return 0;
	buf_add(&m->text, s, strlen(s) + 1);
	return m->text.failed ? 0 : at;
}

static const char *text_at(const struct menu *m, size_t at)
{
	return m->text.failed || !m->text.len ? "" : buf_str(&m->text) + at;
}

void menu_open(struct menu *m, const char *title)
{
	struct menu fresh = { .items = m->items, .cap = m->cap, .text = m->text };

	*m = fresh;
	buf_reset(&m->text);
	buf_addc(&m->text, 0);
	m->title = text_keep(m, title);
}

void menu_release(struct menu *m)
{
	buf_release(&m->text);
	mem_free(m->items);
	*m = (struct menu){ .cap = 0 };
}

static void item_add(struct menu *m, const char *label, const char *help, const char *right,
		     bool heading)
{
	if (mem_grow(&m->items, &m->cap, m->list.count + 1, sizeof(*m->items)) < 0)
		return;
	m->items[m->list.count++] = (struct menu_item){
		.label = text_keep(m, label), .help = text_keep(m, help),
		.right = text_keep(m, right), .heading = heading,
	};
	if (m->list.count > 1 && m->items[m->list.cursor].heading)
		menu_go(m, m->list.cursor);
}

void menu_add(struct menu *m, const char *label, const char *help)
{
	item_add(m, label, help, NULL, false);
}

void menu_add_right(struct menu *m, const char *label, const char *help, const char *right)
{
	item_add(m, label, help, right, false);
}

void menu_heading(struct menu *m, const char *text)
{
	item_add(m, text, NULL, NULL, true);
}

static const char *label_of(const struct menu *m, size_t i)
{
	return i < m->list.count ? text_at(m, m->items[i].label) : "";
}

/* --- moving ----------------------------------------------------------------------------------- */

/* Off a heading: onward in the direction of the move, back where that is the end. */
static void off_heading(struct menu *m, bool down)
{
	struct list *l = &m->list;

	for (int tries = 0; tries < 2; tries++, down = !down) {
		size_t at = l->cursor;

		while (at < l->count && m->items[at].heading)
			at = down ? at + 1 : at - 1;	/* below 0 is past the end, too */
		if (at < l->count) {
			l->cursor = at;
			return;
		}
	}
}

void menu_go(struct menu *m, size_t i)
{
	if (i < m->list.count)
		m->list.cursor = i;
	off_heading(m, true);
}

static bool label_begins(const char *text, const char *typed)
{
	return !strncasecmp(text, typed, strlen(typed));
}

static bool label_has(const char *text, const char *typed)
{
	return strcasestr(text, typed) != NULL;
}

/*
 * To the next item from the cursor on, round the end, that begins with what is typed; `within`: or
 * else contains it.
 */
static bool item_find(struct menu *m, const char *typed, bool stay, bool within)
{
	bool (*const fits[])(const char *, const char *) = { label_begins, label_has };
	size_t first = stay ? 0 : 1;

	for (int f = 0; f < 1 + within; f++) {
		for (size_t i = first; i < m->list.count + first; i++) {
			size_t at = (m->list.cursor + i) % m->list.count;

			if (m->items[at].heading || !fits[f](label_of(m, at), typed))
				continue;
			m->list.cursor = at;
			return true;
		}
	}
	return false;
}

static bool is_move(enum action a)
{
	return (a >= ACTION_UP && a <= ACTION_BOTTOM) || a == ACTION_BACK || a == ACTION_QUIT;
}

/*
 * A letter continues what was typed; where no item matches that, it begins another word. A letter
 * that moves in lists (j, g, q) does so unless an item begins with it.
 */
static bool type_ahead(struct menu *m, uint32_t key, bool moves)
{
	size_t n = strlen(m->typed);

	if (m->searched || key <= 0x20 || key >= 0x7f || (!isalnum((int)key) && !n))
		return false;
	if (n + 1 < sizeof(m->typed)) {
		m->typed[n] = (char)key;
		m->typed[n + 1] = 0;
		if (item_find(m, m->typed, n > 0, n > 0 || !moves))
			return true;
	}
	m->typed[0] = (char)key;
	m->typed[1] = 0;
	if (n && item_find(m, m->typed, false, !moves))
		return true;
	m->typed[0] = 0;
	return false;
}

enum menu_answer menu_key(struct menu *m, const struct keymap *keys, uint32_t key)
{
	enum action a = keymap_of_key(keys, key);
	size_t before = m->list.cursor;

	if (key == '\r' || (key == ' ' && !m->searched))
		return !m->list.count || m->items[m->list.cursor].heading ? MENU_NOTHING :
									    MENU_CHOSEN;
	if (key == 27)
		return MENU_CANCELLED;
	if (m->list.count && type_ahead(m, key, is_move(a)))
		return MENU_MOVED;
	/* Beside a prompt only those keys move that write nothing. */
	if (m->searched && key < KEY_UP_)
		return MENU_NOTHING;
	m->typed[0] = 0;
	if (a == ACTION_CANCEL || a == ACTION_BACK || a == ACTION_QUIT)
		return MENU_CANCELLED;
	if (!list_act(&m->list, a, m->height - 2))
		return MENU_NOTHING;
	off_heading(m, m->list.cursor >= before);
	return MENU_MOVED;
}

enum menu_answer menu_mouse(struct menu *m, const struct screen_mouse *mouse)
{
	int row = mouse->y - m->y - 1;
	bool inside = mouse->x > m->x && mouse->x < m->x + m->width - 1 && row >= 0 &&
		      row < m->height - 2;
	size_t at = m->list.top + (size_t)(row > 0 ? row : 0);

	if (mouse->button >= 4) {
		if (!list_wheel(&m->list, mouse->button, m->height - 2))
			return MENU_NOTHING;
		off_heading(m, mouse->button == 5);
		return MENU_MOVED;
	}
	if (!inside)
		return MENU_CANCELLED;
	if (at >= m->list.count || m->items[at].heading)
		return MENU_NOTHING;
	m->list.cursor = at;
	return MENU_CHOSEN;
}

/* --- drawing ---------------------------------------------------------------------------------- */

struct widths {
	int label, help, right;
};

static void columns_widen(int *width, const char *text)
{
	int n = text_columns(text);

	*width = n > *width ? n : *width;
}

/* Below the first `top` lines, where that leaves room for some items. */
static void box_place(struct menu *m, const struct grid *g, int lines, int top)
{
	int most = g->height - 1 - top;

	if (most < ROOM && most < lines + 2) {
		most = g->height - 2;
		top = 0;
	}
	m->height = lines + 2 > most ? most : lines + 2;
	m->y = (g->height - m->height) / 3;
	m->y = m->y < top ? top : m->y;
	m->x = (g->width - m->width) / 2;
}

static void box_measure(struct menu *m, const struct grid *g, int top, struct widths *w)
{
	int lines = (int)m->list.count > m->at_least ? (int)m->list.count : m->at_least;
	int title = text_columns(text_at(m, m->title)) + 6;

	*w = (struct widths){ 0, 0, 0 };
	for (size_t i = 0; i < m->list.count; i++) {
		/* A heading's is not among the labels: long ones would push the help away. */
		if (!m->items[i].heading)
			columns_widen(&w->label, label_of(m, i));
		columns_widen(&w->help, text_at(m, m->items[i].help));
		columns_widen(&w->right, text_at(m, m->items[i].right));
	}
	if (w->label > g->width / 2)
		w->label = g->width / 2;
	m->width = w->label + (w->help ? w->help + 2 : 0) + (w->right ? w->right + 2 : 0) + 4;
	m->width = m->width < title ? title : m->width;
	m->width = m->wide && m->width < WIDE ? WIDE : m->width;
	m->width = m->width > g->width ? g->width : m->width;
	box_place(m, g, lines, top);
}

/* Returns the columns that it takes of the bottom line, at its end. */
static int draw_frame(const struct menu *m, struct grid *g)
{
	int bottom = m->y + m->height - 1, page = m->height - 2;
	size_t below = m->list.count > m->list.top + (size_t)page ?
		       m->list.count - m->list.top - (size_t)page : 0;

	grid_box(g, m->x, m->y, m->width, m->height, ROLE_MENU, text_at(m, m->title));
	if (m->typed[0])
		grid_textf(g, m->x + 2, bottom, m->width - 4, ROLE_MENU, " %s ", m->typed);
	if (below || m->list.top) {
		char more[48];

		snprintf(more, sizeof(more), below ? " %zu more " : " the end ", below);
		grid_right(g, m->x + 2, bottom, m->width - 4, ROLE_MENU, more);
		return text_columns(more);
	}
	return 0;
}

static int help_width(const struct menu *m, const struct widths *w)
{
	return m->width - 4 - w->label - 2 - (w->right ? w->right + 1 : 0);
}

/* The help of the item under the cursor, where its line cuts it; `right`: what is there already. */
static void draw_cut_help(const struct menu *m, struct grid *g, const struct widths *w, int right)
{
	int bottom = m->y + m->height - 1, room = m->width - 4 - right;
	const char *help;

	if (m->list.cursor >= m->list.count || m->typed[0])
		return;
	help = text_at(m, m->items[m->list.cursor].help);
	if (text_columns(help) > help_width(m, w))
		grid_textf(g, m->x + 1, bottom, room, ROLE_MENU, " %s ", help);
}

static void draw_menu_item(const struct menu *m, struct grid *g, size_t i, int y,
			   const struct widths *w)
{
	const struct menu_item *item = &m->items[i];
	enum role role = i == m->list.cursor ? ROLE_MENU_SELECTED : ROLE_MENU;
	int right = w->right ? m->x + m->width - 2 - w->right : m->x + m->width - 1;
	int help = m->x + 4 + w->label, width = help_width(m, w);

	if (item->heading) {
		grid_textf(g, m->x + 2, y, m->width - 4, ROLE_MENU, "%s", label_of(m, i));
		return;
	}
	grid_fill(g, m->x + 1, y, m->width - 2, role, ' ');
	grid_text(g, m->x + 2, y, w->label, role, label_of(m, i));
	if (width > 1)
		grid_text(g, help, y, width, role, text_at(m, item->help));
	grid_text(g, right, y, w->right, role, text_at(m, item->right));
}

void menu_draw(struct menu *m, struct grid *g, int top)
{
	struct widths w;

	box_measure(m, g, top, &w);
	list_show(&m->list, m->height - 2);
	/* The heading of the first item is seen with it. */
	if (m->list.top == 1 && m->items[0].heading && m->list.cursor < (size_t)m->height - 2)
		m->list.top = 0;
	draw_cut_help(m, g, &w, draw_frame(m, g));
	for (int row = 0; row < m->height - 2; row++) {
		size_t i = m->list.top + (size_t)row;

		if (i >= m->list.count)
			break;
		draw_menu_item(m, g, i, m->y + 1 + row, &w);
	}
}
