/*
 * list: the cursor and scroll position that every view of lines shares.
 */
#ifndef WSNTOP_TUI_PART_LIST_H
#define WSNTOP_TUI_PART_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/config/action.h"

struct list {
	size_t count;			/* lines there are */
	size_t cursor;
	size_t top;			/* first line shown */
};

/*
 * Moves for ACTION_UP ... ACTION_BOTTOM over `page` visible lines; true when it was one of those.
 */
bool list_act(struct list *l, enum action a, int page);
void list_show(struct list *l, int page);	/* scroll so that the cursor is visible */
bool list_wheel(struct list *l, int button, int page);

/* The next (or previous) line that matches, round the end; false: none, the cursor stays. */
bool list_search(struct list *l, bool backwards, bool (*matches)(void *ctx, size_t line),
		 void *ctx);

#endif
