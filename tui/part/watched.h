/*
 * watched: which rows and cells are beyond a bound that the user set (look/watch.h), at the time
 * that is shown.
 */
#ifndef WSNTOP_TUI_PART_WATCHED_H
#define WSNTOP_TUI_PART_WATCHED_H

#include "tui/part/shared.h"

/* The image that a node's watches are stored under: its file's name, "" none. */
const char *watched_image(const struct node *n);

/* Whether the function is beyond a bound on this column; COLUMN_COUNT: on any. */
bool watched_passed(const struct view_shared *s, const struct profile_function *f,
		    enum column_id column);

#endif
