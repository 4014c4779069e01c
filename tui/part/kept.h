/*
 * kept: what is kept of a node's past, and how much room that has, as a section of a board. Private
 * to tui/view.
 */
#ifndef WSNTOP_TUI_PART_KEPT_H
#define WSNTOP_TUI_PART_KEPT_H

#include "core/node/node.h"
#include "tui/part/board.h"

/* Nothing where nothing is kept. */
void kept_add(struct board *b, const struct node *n);

#endif
