/*
 * naming: functions' names on the screen. A name is shortened so that it differs from those beside
 * it (core/profile/look/names.h), which are known when all is drawn: until then only its place is
 * kept, in the grid's `naming`, and naming_end draws. For tui/view.
 */
#ifndef WSNTOP_TUI_PART_NAMING_H
#define WSNTOP_TUI_PART_NAMING_H

#include "core/base/regex.h"
#include "core/profile/look/names.h"
#include "tui/term/grid.h"

#define NAMING_SELECTED 2		/* caller > callee */

struct naming_item {
	struct grid grid;
	int x, y;
	enum role role;
	const struct regex *search;
};

struct naming {
	struct names names;
	struct naming_item *items;	/* as many as names has rows */
	size_t cap;
	int most;			/* columns that names can be scrolled by */
	bool told;			/* the title says which namespace is not shown */
	/* By naming_end: the names on the selected row, as they are; on the screen's line y. */
	const char *selected[NAMING_SELECTED];
	size_t selected_count;
	int selected_y;
	const char *whole;		/* naming_whole */
	bool selected_cut;		/* ... and one of them is whole nowhere on the screen */
};

void naming_release(struct naming *n);	/* one that is all zero holds nothing */

/* `left`: columns that names are scrolled by; `scope`: the namespace that is not shown, "" none. */
void naming_begin(struct naming *n, const char *scope, int left);
void naming_end(struct naming *n);

/*
 * A function's name in at most `width` columns; returns those that it uses at most. `name` lives
 * until the frame is shown. Without a grid->naming it is drawn at once, by itself.
 */
int naming_put(struct grid *g, int x, int y, int width, enum role role, const char *name,
	       const struct regex *search);

/* In a sentence, by itself. */
const char *naming_short(const char *name, int width, char *dst, size_t size);

/* The name stands somewhere in full: the selected row's need not stand below the view. */
void naming_whole(const struct grid *g, const char *name);

/* The column's title, with the namespace that is not shown where there is room. */
const char *naming_title(struct grid *g, const char *title, int width, char *dst, size_t size);

#endif
