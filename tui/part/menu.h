/*
 * menu: a box with a list to choose from, over what is shown. It scrolls where there are more items
 * than lines; letters go to the item that begins with them, or else has them.
 *
 * A menu in zeroed memory may be opened; one that was opened is to be released. Texts are copied.
 */
#ifndef WSNTOP_TUI_PART_MENU_H
#define WSNTOP_TUI_PART_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "tui/term/grid.h"
#include "tui/config/keymap.h"
#include "tui/term/screen.h"
#include "tui/part/list.h"

enum menu_answer { MENU_NOTHING, MENU_MOVED, MENU_CHOSEN, MENU_CANCELLED };

struct menu_item {
	size_t label, help, right;		/* in `text` */
	bool heading;				/* cannot be chosen */
};

struct menu {
	struct list list;			/* count, and what is chosen: cursor */
	struct menu_item *items;
	size_t cap;
	struct buf text;
	size_t title;
	char typed[32];				/* what letters have spelt so far */
	int at_least;				/* items it has room for, were there fewer */
	bool wide;				/* as wide as there is room, within reason */
	bool searched;				/* a prompt has the letters: none of them go here */
	int x, y, width, height;		/* where the box was drawn last */
};

void menu_open(struct menu *m, const char *title);	/* empty */
void menu_release(struct menu *m);

/* Items are numbered as they are added, headings too. */
void menu_add(struct menu *m, const char *label, const char *help);
void menu_add_right(struct menu *m, const char *label, const char *help, const char *right);
void menu_heading(struct menu *m, const char *text);

/* The cursor to item i, or to the next one that can be chosen. */
void menu_go(struct menu *m, size_t i);

enum menu_answer menu_key(struct menu *m, const struct keymap *keys, uint32_t key);
enum menu_answer menu_mouse(struct menu *m, const struct screen_mouse *mouse);

/* Over the screen, where there is room below its first `top` lines. */
void menu_draw(struct menu *m, struct grid *g, int top);

#endif
