/*
 * tabs: the header's last line: the views.
 */
#include "tui/app/header/parts.h"

#include <stdio.h>

#include "core/base/text.h"
#include "tui/config/settings.h"

/*
 * How much of the tabs is spelt out where there is little room. A blank is before each name and one
 * after the last; those of the tab shown are lit with it.
 */
enum spelling {
	SPELT_WIDE,		/* "  1 flat  2 callers  " */
	SPELT_CLOSE,		/* " 1 flat 2 callers " */
	SPELT_TIGHT,		/* " 1flat 2callers " */
	SPELT_BRIEF,		/* " 1flat 5hist " */
	SPELT_SHOWN,		/* " 1  2 callers  3 ": only the one shown */
	SPELLINGS,
};

struct tab {
	int x, width;		/* with the blanks around it */
	int key;		/* columns of its key */
	char text[48];
};

enum { TABS = 16 };

static void tab_text(const struct header *h, const struct view_ops *v, enum spelling how,
		     struct tab *t)
{
	bool tight = how == SPELT_TIGHT || how == SPELT_BRIEF;
	const char *name = how >= SPELT_BRIEF && v->brief ? v->brief : v->name;
	char key[16];

	keymap_first(&h->shared->settings->keys, v->action, key, sizeof(key));
	if (how == SPELT_SHOWN && v != h->view)
		snprintf(t->text, sizeof(t->text), " %s ", key);
	else
		snprintf(t->text, sizeof(t->text), " %s%s%s ", key, *key && !tight ? " " : "",
			 how == SPELT_SHOWN ? v->name : name);
	t->key = text_columns(key);
}

/* All of them from the left; returns the columns they take. */
static int lay_tabs(const struct header *h, enum spelling how, struct tab *tabs)
{
	/* Where they stand close two share the blank between them. */
	int shared = how >= SPELT_CLOSE && how <= SPELT_BRIEF, x = 0;

	for (int i = 0; i < TABS && views[i]; i++) {
		tab_text(h, views[i], how, &tabs[i]);
		tabs[i].x = x;
		tabs[i].width = text_columns(tabs[i].text);
		x += tabs[i].width - shared;
	}
	return x + shared;
}

/* The widest spelling that there is room for. */
static void fit_tabs(const struct header *h, int width, struct tab *tabs)
{
	for (int how = SPELT_WIDE; how < SPELLINGS; how++)
		if (lay_tabs(h, (enum spelling)how, tabs) <= width)
			break;
}

const struct view_ops *header_tab(const struct header *h, int width, int x)
{
	struct tab tabs[TABS];

	fit_tabs(h, width, tabs);
	for (int i = 0; i < TABS && views[i]; i++)
		if (x >= tabs[i].x && x < tabs[i].x + tabs[i].width)
			return views[i];
	return NULL;
}

void header_draw_tabs(struct grid *g, int y, const struct header *h)
{
	struct tab tabs[TABS];

	fit_tabs(h, g->width, tabs);
	grid_fill(g, 0, y, -1, ROLE_TAB, ' ');
	for (int i = 0; i < TABS && views[i]; i++) {
		grid_text(g, tabs[i].x, y, -1, ROLE_TAB, tabs[i].text);
		grid_role(g, tabs[i].x + 1, y, tabs[i].key, ROLE_KEY);
	}
	for (int i = 0; i < TABS && views[i]; i++)
		if (views[i] == h->view)
			grid_text(g, tabs[i].x, y, -1, ROLE_TAB_ACTIVE, tabs[i].text);
}
