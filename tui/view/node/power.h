/* power: see power.c. Private to tui/view/node. */
#ifndef WSNTOP_TUI_VIEW_NODE_POWER_H
#define WSNTOP_TUI_VIEW_NODE_POWER_H

#include "tui/part/board.h"
#include "tui/part/shared.h"

/* Nothing where there is neither a meter nor a model. */
void section_power(struct board *b, const struct view_shared *s);

#endif
