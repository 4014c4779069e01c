#include "tui/part/naming.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

void naming_release(struct naming *n)
{
	names_release(&n->names);
	mem_free(n->items);
	*n = (struct naming){ 0 };
}

void naming_begin(struct naming *n, const char *scope, int left)
{
	names_begin(&n->names);
	n->names.left = left;
	snprintf(n->names.scope, sizeof(n->names.scope), "%s", scope);
	n->selected_count = 0;
	n->selected_cut = n->told = false;
	n->most = 0;
	n->whole = NULL;
}

static int naming_add(struct naming *n, const struct naming_item *item, const char *name, int width)
{
	size_t i = n->names.count;

	if (mem_grow(&n->items, &n->cap, i + 1, sizeof(*n->items)) < 0)
		return ERR_NOMEM;
	n->items[i] = *item;
	return names_add(&n->names, name, width);
}

/* Columns of a name without the scope. */
static int columns_wanted(const struct naming *n, const char *name)
{
	size_t skip = strlen(n->names.scope);

	return text_columns(text_begins(name, n->names.scope) && name[skip] ? name + skip : name);
}

int naming_put(struct grid *g, int x, int y, int width, enum role role, const char *name,
	       const struct regex *search)
{
	struct naming_item item = { *g, x, y, role, search };
	struct name_text t;
	struct name whole;
	int wanted;

	if (width < 0 || width > g->width - x)
		width = g->width - x;
	if (width <= 0 || y < 0 || y >= g->height)
		return 0;
	if (g->naming && naming_add(g->naming, &item, name, width) == 0) {
		wanted = columns_wanted(g->naming, name);
		return wanted < width ? wanted : width;
	}
	name_init(&whole, name, "");
	name_shorten(&whole, width, &t);
	return grid_text(g, x, y, width, role, t.text);
}

/* What the search finds, as far as it is shown; else the mark of what is left out. */
static void match_mark(struct naming *n, size_t row, struct naming_item *item)
{
	size_t start, end;
	int from, to;

	if (item->search && regex_find(item->search, n->names.rows[row].name, &start, &end) &&
	    start < end && names_find(&n->names, row, start, end, &from, &to))
		grid_role(&item->grid, item->x + from, item->y, to - from, ROLE_MATCH);
}

/* The namespace may be missing where the title has it. */
static bool is_whole(const struct naming *n, const struct names_row *row)
{
	return n->told ? !row->cut : row->columns >= text_columns(row->name);
}

static bool is_whole_somewhere(const struct naming *n, const char *name)
{
	if (n->whole && !strcmp(n->whole, name))
		return true;
	for (size_t i = 0; i < n->names.count; i++)
		if (is_whole(n, &n->names.rows[i]) && !strcmp(n->names.rows[i].name, name))
			return true;
	return false;
}

static void selected_note(struct naming *n, size_t row)
{
	const struct naming_item *item = &n->items[row];
	int y = item->grid.y + item->y;

	if (!grid_is_selected(&item->grid, item->x, item->y) ||
	    (n->selected_count && (y != n->selected_y || n->selected_count == NAMING_SELECTED)))
		return;
	n->selected_y = y;
	n->selected[n->selected_count++] = n->names.rows[row].name;
	n->selected_cut |= !is_whole_somewhere(n, n->names.rows[row].name);
}

void naming_end(struct naming *n)
{
	names_settle(&n->names);
	for (size_t i = 0; i < n->names.count; i++) {
		struct naming_item *item = &n->items[i];
		const struct names_row *row = &n->names.rows[i];
		int over = columns_wanted(n, row->name) - row->width + 1;

		grid_text(&item->grid, item->x, item->y, row->width, item->role,
			  names_text(&n->names, i));
		match_mark(n, i, item);
		selected_note(n, i);
		if (over > 1 && over > n->most)
			n->most = over;
	}
}

const char *naming_short(const char *name, int width, char *dst, size_t size)
{
	struct name_text t;
	struct name n;

	name_init(&n, name, "");
	name_shorten(&n, width, &t);
	snprintf(dst, size, "%s", t.text);
	return dst;
}

void naming_whole(const struct grid *g, const char *name)
{
	if (g->naming)
		g->naming->whole = name;
}

const char *naming_title(struct grid *g, const char *title, int width, char *dst, size_t size)
{
	const char *scope = g->naming ? g->naming->names.scope : "";

	snprintf(dst, size, "%s (%s hidden)", title, scope);
	if (!*scope || text_columns(dst) > width)
		snprintf(dst, size, "%s", title);
	else
		g->naming->told = true;
	return dst;
}
