/*
 * traced: the selected function in the node's call trace.
 */
#ifndef WSNTOP_TUI_PART_TRACED_H
#define WSNTOP_TUI_PART_TRACED_H

#include "tui/part/shared.h"

/* Its id there; 0: none. */
uint32_t traced_selected(const struct view_shared *s);

/* Where its longest call is; false: no call of it was timed, or there is no trace. */
bool traced_longest(const struct view_shared *s, struct trace_edge *longest);

/* Does {enter} in a list go there? It does where the list is sorted by the maximum. */
bool traced_enters(const struct view_shared *s);

#endif
