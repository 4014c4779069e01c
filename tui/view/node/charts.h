/*
 * charts: the node over time, where the node view's facts leave room: where the time went, calls,
 * the line, losses. All of the time that is known, stretched over the width.
 */
#ifndef WSNTOP_TUI_VIEW_NODE_CHARTS_H
#define WSNTOP_TUI_VIEW_NODE_CHARTS_H

#include "core/node/node.h"
#include "tui/term/grid.h"

enum { CHARTS_LEAST = 6 };		/* lines */

/* Into all of the rectangle; nothing where there is no time yet. */
void charts_draw(const struct node *n, struct grid *g);

#endif
