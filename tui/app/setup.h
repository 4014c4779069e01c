/*
 * setup: the options screen. Private to its files:
 *
 *	setup.c		the list; theme, switches, columns
 *	setup_typed.c	what is typed: interval, editor, folders and maps of sources
 *	setup_keys.c	keys
 *
 * `say` puts what is set as text; `ask` asks for another, and comes back to the list.
 */
#ifndef WSNTOP_TUI_APP_SETUP_H
#define WSNTOP_TUI_APP_SETUP_H

#include <stddef.h>

#include "tui/term/theme.h"
#include "tui/app/ui.h"

enum { SETUP_THEMES = 48 };

struct setup {
	size_t line;			/* of the options: to come back to */
	size_t key_line;		/* of the list of keys */
	struct theme_name themes[SETUP_THEMES];
	size_t theme_count;
	char theme[256];		/* before one tried others */
};

void setup_open(struct ui *u);		/* the list */
void setup_changed(struct ui *u);	/* something was set: to be saved, and to be drawn by */

void setup_say_interval(struct ui *u, char *dst, size_t size);
void setup_ask_interval(struct ui *u);
void setup_say_editor(struct ui *u, char *dst, size_t size);
void setup_ask_editor(struct ui *u);
void setup_say_dirs(struct ui *u, char *dst, size_t size);
void setup_ask_dirs(struct ui *u);
void setup_say_maps(struct ui *u, char *dst, size_t size);
void setup_ask_maps(struct ui *u);
void setup_say_keys(struct ui *u, char *dst, size_t size);
void setup_ask_keys(struct ui *u);

#endif
