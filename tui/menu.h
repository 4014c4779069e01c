/*
 * menu: a box with a list to choose from, over what is shown.
 */
#ifndef WSNTOP_TUI_MENU_H
#define WSNTOP_TUI_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"
#include "tui/screen.h"
#include "tui/view/view.h"

#define MENU_ITEMS 32

enum menu_answer { MENU_NOTHING, MENU_MOVED, MENU_CHOSEN, MENU_CANCELLED };

struct menu {
	const char *title;			/* strings borrowed */
	struct { const char *label, *help; } items[MENU_ITEMS];
	struct list list;			/* count, and what is chosen: cursor */
	int x, y, width, height;		/* where the box was drawn last */
};

void menu_open(struct menu *m, const char *title);
void menu_add(struct menu *m, const char *label, const char *help);
enum menu_answer menu_key(struct menu *m, uint32_t key);
enum menu_answer menu_mouse(struct menu *m, const struct screen_mouse *mouse);
void menu_draw(struct menu *m, struct grid *g);

#endif
