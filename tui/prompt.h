/*
 * prompt: one line of input at the bottom of the screen, edited as in readline.
 */
#ifndef WSNTOP_TUI_PROMPT_H
#define WSNTOP_TUI_PROMPT_H

#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"

enum prompt_answer {
	PROMPT_NOTHING,		/* the key means nothing here */
	PROMPT_MOVED,		/* the cursor moved */
	PROMPT_EDITED,		/* the text changed */
	PROMPT_DONE,
	PROMPT_CANCELLED,
};

struct prompt {
	const char *label;	/* borrowed */
	char text[512];		/* valid UTF-8 */
	size_t len, cursor;	/* bytes */
	char before[512];	/* what Up brings back; "" none */
	char trouble[320];	/* shown beside the text; the user of the prompt sets and clears it */
};

void prompt_open(struct prompt *p, const char *label, const char *text, const char *before);
enum prompt_answer prompt_key(struct prompt *p, uint32_t key);

/* Draw on line y; the column of the cursor. */
int prompt_draw(const struct prompt *p, struct grid *g, int y);

#endif
