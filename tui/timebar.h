/*
 * timebar: a line that is all the time kept: how loaded the node was, and what of it is shown.
 *
 *	12:01:10 ▁▁▂▃▅█▂▁│▃▃▂▁▁▂▃▅▂▁▁▃ 12:03:41  live
 *
 * Heights are of the load, of calls a second where there is none, of bytes a second where there are
 * neither; the highest is the most there was. │ the node started anew, ● another firmware, ▼ the
 * moment shown; a window is marked, and what was lost is drawn as a warning.
 */
#ifndef WSNTOP_TUI_TIMEBAR_H
#define WSNTOP_TUI_TIMEBAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/grid.h"
#include "tui/pane.h"

enum { TIMEBAR_HEIGHT = 14 };		/* of the screen, from which there is one */

/* Whether there is one: the user wants it, and there is something to choose from. */
bool timebar_is_shown(const struct pane *p, int height);

/* In line y. */
void timebar_draw(const struct pane *p, struct grid *g, int y);

/* The time at column x of a screen so wide: true and *time_ns if that is on the bar. */
bool timebar_at(const struct pane *p, int width, int x, uint64_t *time_ns);

#endif
