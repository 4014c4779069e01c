#include "tui/menu.h"

#include <ctype.h>

#include "core/base/text.h"
#include "tui/action.h"

void menu_open(struct menu *m, const char *title)
{
	*m = (struct menu){ .title = title };
}

void menu_add(struct menu *m, const char *label, const char *help)
{
	if (m->list.count == MENU_ITEMS)
		return;
	m->items[m->list.count].label = label;
	m->items[m->list.count++].help = help;
}

/* A letter goes to the next item that begins with it. */
static enum menu_answer go_to_letter(struct menu *m, uint32_t key)
{
	for (size_t i = 1; i <= m->list.count; i++) {
		size_t at = (m->list.cursor + i) % m->list.count;
		unsigned char first = (unsigned char)m->items[at].label[0];

		if (key < 0x7f && tolower((int)key) == tolower(first)) {
			m->list.cursor = at;
			return MENU_MOVED;
		}
	}
	return MENU_NOTHING;
}

enum menu_answer menu_key(struct menu *m, uint32_t key)
{
	enum action a = action_of_key(key);

	if (key == '\r' || key == ' ')
		return MENU_CHOSEN;
	if (a == ACTION_CANCEL || a == ACTION_BACK || a == ACTION_QUIT)
		return MENU_CANCELLED;
	if (isalpha((int)(key < 0x7f ? key : 0)) && go_to_letter(m, key) == MENU_MOVED)
		return MENU_MOVED;
	return list_act(&m->list, a, m->height - 2) ? MENU_MOVED : MENU_NOTHING;
}

enum menu_answer menu_mouse(struct menu *m, const struct screen_mouse *mouse)
{
	int row = mouse->y - m->y - 1;
	bool inside = mouse->x > m->x && mouse->x < m->x + m->width - 1 && row >= 0 &&
		      row < m->height - 2;

	if (mouse->button >= 4)
		return list_wheel(&m->list, mouse->button, m->height - 2) ? MENU_MOVED :
		       MENU_NOTHING;
	if (!inside)
		return MENU_CANCELLED;
	if (m->list.top + (size_t)row >= m->list.count)
		return MENU_NOTHING;
	m->list.cursor = m->list.top + (size_t)row;
	return MENU_CHOSEN;
}

static void measure(struct menu *m, const struct grid *g, int *label_width)
{
	int help = 0, label = 0;

	for (size_t i = 0; i < m->list.count; i++) {
		int l = text_columns(m->items[i].label), h = text_columns(m->items[i].help);

		label = l > label ? l : label;
		help = h > help ? h : help;
	}
	*label_width = label;
	m->width = label + help + 7;
	if (m->width < text_columns(m->title) + 6)
		m->width = text_columns(m->title) + 6;
	if (m->width > g->width)
		m->width = g->width;
	m->height = (int)m->list.count + 2;
	if (m->height > g->height - 2)
		m->height = g->height - 2;
	m->x = (g->width - m->width) / 2;
	m->y = (g->height - m->height) / 3;
}

static void draw_frame(const struct menu *m, struct grid *g)
{
	int right = m->x + m->width - 1, bottom = m->y + m->height - 1;

	for (int y = m->y; y <= bottom; y++) {
		grid_fill(g, m->x, y, m->width, ROLE_MENU, ' ');
		grid_fill(g, m->x, y, 1, ROLE_MENU, 0x2502);
		grid_fill(g, right, y, 1, ROLE_MENU, 0x2502);
	}
	grid_fill(g, m->x, m->y, m->width, ROLE_MENU, 0x2500);
	grid_fill(g, m->x, bottom, m->width, ROLE_MENU, 0x2500);
	grid_fill(g, m->x, m->y, 1, ROLE_MENU, 0x250c);
	grid_fill(g, right, m->y, 1, ROLE_MENU, 0x2510);
	grid_fill(g, m->x, bottom, 1, ROLE_MENU, 0x2514);
	grid_fill(g, right, bottom, 1, ROLE_MENU, 0x2518);
	grid_textf(g, m->x + 2, m->y, m->width - 4, ROLE_MENU, " %s ", m->title);
}

void menu_draw(struct menu *m, struct grid *g)
{
	int label;

	measure(m, g, &label);
	list_show(&m->list, m->height - 2);
	draw_frame(m, g);
	for (int row = 0; row < m->height - 2; row++) {
		size_t i = m->list.top + (size_t)row;
		int y = m->y + 1 + row;
		enum role role = i == m->list.cursor ? ROLE_MENU_SELECTED : ROLE_MENU;

		if (i >= m->list.count)
			break;
		grid_fill(g, m->x + 1, y, m->width - 2, role, ' ');
		grid_text(g, m->x + 2, y, label, role, m->items[i].label);
		grid_text(g, m->x + 4 + label, y, m->width - label - 6, role, m->items[i].help);
	}
}
