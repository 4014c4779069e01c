/*
 * columns: the list from which the user chooses the flat view's columns. Private to tui/.
 */
#ifndef WSNTOP_TUI_APP_DIALOG_COLUMNS_H
#define WSNTOP_TUI_APP_DIALOG_COLUMNS_H

#include "tui/config/settings.h"
#include "tui/part/list.h"
#include "tui/view/view.h"

struct columns_dialog {
	struct settings_column items[SETTINGS_CELLS];	/* all, in the order of the table */
	bool on[SETTINGS_CELLS];
	struct list list;
	int x, y, width, height;		/* where the box was drawn last */
};

#endif
