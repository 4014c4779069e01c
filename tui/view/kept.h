/*
 * kept: what is kept of a node's past, and how much room that has, as a section of a board. Private
 * to tui/view.
 */
#ifndef WSNTOP_TUI_VIEW_KEPT_H
#define WSNTOP_TUI_VIEW_KEPT_H

#include "core/node.h"
#include "tui/view/board.h"

/* Nothing where nothing is kept. */
void kept_add(struct board *b, const struct node *n);

#endif
