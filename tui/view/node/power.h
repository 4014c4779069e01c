/* power: see power.c. Private to tui/view/node. */
#ifndef WSNTOP_TUI_VIEW_NODE_POWER_H
#define WSNTOP_TUI_VIEW_NODE_POWER_H

#include "core/node/node.h"
#include "tui/part/board.h"

/* Nothing where there is neither a meter nor a model. `shown`: of the time shown, or NULL. */
void section_power(struct board *b, const struct node *n, const struct energy_report *shown);

#endif
