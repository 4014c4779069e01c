/*
 * write: the file that is being asked for, to be written.
 */
#ifndef WSNTOP_TUI_APP_DIALOG_WRITE_H
#define WSNTOP_TUI_APP_DIALOG_WRITE_H

#include "tui/part/prompt.h"

struct ui;

struct writes {
	void (*write)(struct ui *u, const char *path);
	char name[PROMPT_TEXT];		/* of a file that is there, while that is asked */
	char label[128];
};

/*
 * Ask for a name and write. Proposed is one with the node and the time, for what is else called
 * `file` (core/export/name.h). `write` gets a path that it may replace, ~ expanded.
 */
void ui_ask_file(struct ui *u, const char *label, const char *file,
		 void (*write)(struct ui *u, const char *path));

#endif
