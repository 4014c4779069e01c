/*
 * prompt: one line of input at the bottom of the screen, edited as in readline.
 */
#ifndef WSNTOP_TUI_PART_PROMPT_H
#define WSNTOP_TUI_PART_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/term/grid.h"

enum prompt_answer {
	PROMPT_NOTHING,		/* the key means nothing here */
	PROMPT_MOVED,		/* the cursor moved */
	PROMPT_EDITED,		/* the text changed */
	PROMPT_DONE,
	PROMPT_CANCELLED,
};

#define PROMPT_TEXT 512
#define PROMPT_LINES 20		/* of the past, at most */

/* Earlier answers, each once, the newest last. Zeroed memory is an empty history. */
struct prompt_history {
	char lines[PROMPT_LINES][PROMPT_TEXT];
	size_t count;
};

struct prompt {
	const char *label;	/* borrowed */
	char text[PROMPT_TEXT];	/* valid UTF-8 */
	size_t len, cursor;	/* bytes */
	bool proposed;		/* the text is a proposal: typing replaces it */
	const struct prompt_history *history;	/* borrowed; for Up and Down; NULL: none */
	size_t at;		/* in history; its count: at what is being typed */
	char typed[PROMPT_TEXT];	/* that text, while an earlier answer is shown */
	char trouble[320];	/* shown beside the text; the caller sets and clears it */
};

void prompt_open(struct prompt *p, const char *label, const char *text,
		 const struct prompt_history *history);
/*
 * The text is a proposal, shown as selected: what is typed, and what deletes, takes its place; a
 * key that moves the cursor, or a click, keeps it to be edited.
 */
void prompt_propose(struct prompt *p);

enum prompt_answer prompt_key(struct prompt *p, uint32_t key);

/* A click in its line, `width` columns wide: the cursor goes there. */
void prompt_click(struct prompt *p, int width, int x);

/* Add an answer to the history. */
void prompt_remember(struct prompt_history *h, const char *text);

/* Draw on line y; the column of the cursor. */
int prompt_draw(const struct prompt *p, struct grid *g, int y);

#endif
