/*
 * name: the selected row's function in full, on the lines above the time bar and the hints, where
 * the list shows less of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/app/ui/ui.h"

enum { NAME_LINES = 3, NAME_TEXT = 2200, LEAST_HEIGHT = 16 };

/* The line stays for as long as view and size do, or the list would jump with the cursor. */
bool ui_name_reserve(struct ui *u, const struct grid *g)
{
	if (u->name_line || !u->naming.selected_cut || g->height < LEAST_HEIGHT)
		return false;
	u->name_line = true;
	return true;
}

void ui_name_prepare(struct ui *u, const struct grid *g)
{
	bool same = u->name_view == u->view && u->width == g->width && u->height == g->height;

	u->name_line = u->name_line && same;
	u->name_view = u->view;
}

bool ui_name_scroll(struct ui *u, int by)
{
	int most = u->naming.most, left = u->name_left + by;

	left = left < 0 ? 0 : left > most ? most : left;
	if (left == u->name_left)
		return false;
	u->name_left = left;
	u->draw_now = true;
	return true;
}

/* Bytes for a line of `width`: up to a place where a name may be broken, else as many as fit. */
static size_t line_bytes(const char *s, int width)
{
	size_t n = strlen(s), i = 0, fits = 0, step;
	int used = 0, least = width / 2;
	uint32_t cp;

	for (; i < n; i += step) {
		step = text_utf8(s + i, n - i, &cp);
		if (!step || used + text_width(cp) > width)
			break;
		used += text_width(cp);
		if (used > least && strchr(" ,:<(", s[i]) && s[i + 1] != ':')
			fits = i + step;
	}
	return i == n ? n : fits ? fits : i ? i : n;
}

static const struct profile_function *function_of(const struct profile *p, const char *name)
{
	for (size_t i = 0; p && i < p->function_count; i++)
		if (p->functions[i].name == name)
			return &p->functions[i];
	return NULL;
}

static void names_join(const struct naming *n, char *dst, size_t size)
{
	char joined[NAME_TEXT];

	snprintf(joined, sizeof(joined), "%s%s%s", n->selected[0],
		 n->selected_count > 1 ? " > " : "", n->selected_count > 1 ? n->selected[1] : "");
	text_visible(dst, size, joined, strlen(joined));
}

/* Behind the name, if it fits whole. */
static void place_draw(const struct ui *u, struct grid *g, int x, int y)
{
	const struct profile_function *f = u->naming.selected_count != 1 ? NULL :
		function_of(u->panes[u->current]->shared.model.profile, u->naming.selected[0]);
	char text[300];

	if (!f || !f->file)
		return;
	if (f->line)
		snprintf(text, sizeof(text), "%s:%" PRIu32, f->file, f->line);
	else
		snprintf(text, sizeof(text), "%s", f->file);
	if (x + 2 + text_columns(text) <= g->width)
		grid_text(g, x + 2, y, -1, ROLE_DIM, text);
}

void ui_name_draw(const struct ui *u, struct grid *g, int y)
{
	const struct naming *n = &u->naming;
	char text[NAME_TEXT];
	const char *line[NAME_LINES + 1] = { text };
	int lines = 0, x = 0;

	if (!u->name_line || !n->selected_count)
		return;
	names_join(n, text, sizeof(text));
	while (lines < NAME_LINES && *line[lines]) {
		line[lines + 1] = line[lines] + line_bytes(line[lines], g->width);
		lines++;
	}
	/* More than one line covers the view's last lines, but not the selected one. */
	y -= lines - 1;
	if (lines > 1 && y <= n->selected_y && n->selected_y >= lines)
		y = n->selected_y - lines;
	for (int i = 0; i < lines; i++) {
		const char *end = i + 1 == lines ? line[i] + strlen(line[i]) : line[i + 1];
		char part[NAME_TEXT];

		snprintf(part, sizeof(part), "%.*s", (int)(end - line[i]), line[i]);
		grid_fill(g, 0, y + i, -1, ROLE_VALUE, ' ');
		x = grid_text(g, 0, y + i, -1, ROLE_VALUE, part);
	}
	place_draw(u, g, x, y + lines - 1);
}
