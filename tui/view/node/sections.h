/*
 * sections: the facts of the node view, in sections of a board. Private to the node view.
 */
#ifndef WSNTOP_TUI_VIEW_NODE_SECTIONS_H
#define WSNTOP_TUI_VIEW_NODE_SECTIONS_H

#include "tui/part/board.h"
#include "tui/part/shared.h"

void section_stack(struct board *b, const struct node *n);		/* stack.c */
void section_executions(struct board *b, const struct view_shared *s);	/* executions.c */

void section_port(struct board *b, const struct node *n);	/* of SWO: port.c */

/* Identity, time, link, cost, tables, losses, image and past of s->node. */
void sections_add(struct board *b, const struct view_shared *s, bool since_start);

/* What is logged: how, hits, cost (watching.c). */
void sections_add_watching(struct board *b, const struct view_shared *s);

#endif
