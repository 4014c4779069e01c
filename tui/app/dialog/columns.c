/*
 * columns: which columns the flat view has, in which order, how wide. Each key changes the
 * settings, and the table above the list shows it at once.
 *
 * While nothing is chosen the list shows what there is room for; the first change makes that the
 * user's choice.
 */
#include <stdio.h>

#include "tui/app/ui/ui.h"
#include "tui/view/flat/shown.h"

enum { LEAST_WIDTH = 3, MOST_WIDTH = 99, NAME = 10, ABOVE = 9 };

static const struct view *flat_view(struct ui *u)
{
	return ui_pane(u)->views[ui_view_of(ACTION_VIEW_FLAT)];
}

/* --- the list --------------------------------------------------------------------------------- */

static bool column_is_listed(const struct columns_dialog *d, unsigned cell)
{
	for (size_t i = 0; i < d->list.count; i++) {
		if (d->items[i].cell == cell)
			return true;
	}
	return false;
}

static void column_add(struct columns_dialog *d, struct settings_column c, bool on)
{
	if (column_is_listed(d, c.cell) || d->list.count == SETTINGS_CELLS)
		return;
	d->on[d->list.count] = on;
	d->items[d->list.count++] = c;
}

/* First the chosen columns, then the rest in the built-in order. */
static void list_fill(struct ui *u)
{
	struct columns_dialog *d = &u->columns;
	const struct settings *s = &u->settings;
	struct settings_column all[SETTINGS_CELLS];
	size_t n = flat_built_in(all, SETTINGS_CELLS);

	d->list.count = 0;
	for (size_t i = 0; i < s->column_count; i++)
		column_add(d, s->columns[i], true);
	for (size_t i = 0; i < n; i++)
		column_add(d, all[i], all[i].cell == COLUMN_FUNCTION);
}

/* Nothing chosen yet: mark the columns that the table has room for. */
static void columns_look(struct ui *u)
{
	struct columns_dialog *d = &u->columns;

	for (size_t i = 0; !u->settings.column_count && i < d->list.count; i++)
		d->on[i] = d->items[i].cell == COLUMN_FUNCTION ||
			   flat_shows(flat_view(u), d->items[i].cell);
}

/* The marked columns become the user's choice. */
static void columns_take(struct ui *u)
{
	struct columns_dialog *d = &u->columns;
	struct settings *s = &u->settings;

	s->column_count = 0;
	for (size_t i = 0; i < d->list.count; i++) {
		if (d->on[i])
			s->columns[s->column_count++] = d->items[i];
	}
	s->changed = true;
}

/* --- what keys do ----------------------------------------------------------------------------- */

static void column_toggle(struct ui *u, size_t i)
{
	struct columns_dialog *d = &u->columns;

	if (d->items[i].cell == COLUMN_FUNCTION) {
		ui_say(u, false, "the name is always shown");
		return;
	}
	d->on[i] = !d->on[i];
	columns_take(u);
}

static void column_widen(struct ui *u, int by)
{
	struct settings_column *c = &u->columns.items[u->columns.list.cursor];
	int width = c->width ? c->width : flat_width(flat_view(u), c->cell);

	if (!width && c->cell < COLUMN_COUNT)
		width = columns[c->cell].width;
	width += by;
	width = width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
	c->width = (int16_t)width;
	columns_take(u);
}

static void column_move(struct ui *u, int by)
{
	struct columns_dialog *d = &u->columns;
	size_t from = d->list.cursor, to = from + (size_t)by;
	struct settings_column item = d->items[from];
	bool on = d->on[from];

	if (to >= d->list.count)
		return;
	d->items[from] = d->items[to];
	d->on[from] = d->on[to];
	d->items[to] = item;
	d->on[to] = on;
	d->list.cursor = to;
	columns_take(u);
}

static void columns_reset(struct ui *u)
{
	u->settings.column_count = 0;
	u->settings.changed = true;
	list_fill(u);
}

static bool columns_click(struct ui *u, const struct screen_mouse *m)
{
	struct columns_dialog *d = &u->columns;
	int row = m->y - d->y - 1;
	bool inside = m->x > d->x && m->x < d->x + d->width - 1 && row >= 0 && row < d->height - 2;

	if (m->button >= 4) {
		list_wheel(&d->list, m->button, d->height - 2);
		return true;
	}
	if (!inside)
		return false;
	if (d->list.top + (size_t)row < d->list.count) {
		d->list.cursor = d->list.top + (size_t)row;
		column_toggle(u, d->list.cursor);
	}
	return true;
}

static struct dialog_reply columns_key(struct ui *u, uint32_t key, const struct screen_mouse *mouse)
{
	static const struct dialog_reply stay = { .stay = true };
	struct columns_dialog *d = &u->columns;
	enum action a;

	u->message[0] = '\0';
	switch (key) {
	case KEY_MOUSE_: return (struct dialog_reply){ .stay = columns_click(u, mouse) };
	case ' ': case '\r': column_toggle(u, d->list.cursor); return stay;
	case '+': case '=': case KEY_RIGHT_: column_widen(u, 1); return stay;
	case '-': case KEY_LEFT_: column_widen(u, -1); return stay;
	case 'J': case '>': column_move(u, 1); return stay;
	case 'K': case '<': column_move(u, -1); return stay;
	case 'r': columns_reset(u); return stay;
	case 27: return DIALOG_CLOSED;		/* whatever Esc is bound to */
	default: break;
	}
	a = keymap_of_key(&u->settings.keys, key);
	if (a == ACTION_CANCEL || a == ACTION_BACK || a == ACTION_QUIT || a == ACTION_COLUMNS)
		return DIALOG_CLOSED;
	list_act(&d->list, a, d->height - 2);
	return stay;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Low, so that the table's title and some of its lines are seen. */
static void box_measure(struct columns_dialog *d, const struct grid *g)
{
	int most = g->height - ABOVE;

	d->height = (int)d->list.count + 2;
	if (d->height > most)
		d->height = most < 5 ? 5 : most;
	d->width = g->width < 84 ? g->width : 78;
	d->x = g->width - d->width;
	d->y = g->height - 1 - d->height;
}

static void column_draw(struct ui *u, struct grid *g, size_t i, int y)
{
	const struct columns_dialog *d = &u->columns;
	unsigned cell = d->items[i].cell;
	enum role role = i == d->list.cursor ? ROLE_MENU_SELECTED : ROLE_MENU;
	bool holds = flat_holds(flat_view(u), cell);
	char width[16] = "";
	int x = d->x + 2, left = d->width - 4;

	if (d->items[i].width)
		snprintf(width, sizeof(width), "%d", d->items[i].width);
	grid_fill(g, d->x + 1, y, d->width - 2, role, ' ');
	grid_text(g, x, y, 3, role, d->on[i] ? "[x]" : "[ ]");
	grid_text(g, x + 4, y, NAME, role, settings_cell_name(cell));
	grid_right(g, x + 5 + NAME, y, 3, role, width);
	grid_textf(g, x + 10 + NAME, y, left - 10 - NAME, role, "%s%s",
		   holds ? "" : "(not in this profile) ", flat_help(cell));
}

static void columns_draw(struct ui *u, struct grid *g)
{
	static const struct ui_key_hint keys[] = {
		{ "Space", "on, off" }, { "+ -", "width" }, { "J K", "order" },
		{ "r", "default" }, { "Esc", "done" },
	};
	struct columns_dialog *d = &u->columns;

	columns_look(u);
	box_measure(d, g);
	list_show(&d->list, d->height - 2);
	grid_box(g, d->x, d->y, d->width, d->height, ROLE_MENU, "Columns");
	if (!u->message[0])
		ui_draw_keys(g, keys, sizeof(keys) / sizeof(keys[0]));
	for (int row = 0; row < d->height - 2; row++) {
		size_t i = d->list.top + (size_t)row;

		if (i < d->list.count)
			column_draw(u, g, i, d->y + 1 + row);
	}
}

static const struct dialog columns_dialog = { .draw = columns_draw, .key = columns_key };

void ui_ask_columns(struct ui *u)
{
	ui_show_view(u, ui_view_of(ACTION_VIEW_FLAT), true);
	u->columns.list.cursor = u->columns.list.top = 0;
	list_fill(u);
	ui_open_dialog(u, &columns_dialog);
}
