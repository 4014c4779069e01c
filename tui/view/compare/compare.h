/*
 * compare: the orders of the compare view, for the menu.
 */
#ifndef WSNTOP_TUI_VIEW_COMPARE_COMPARE_H
#define WSNTOP_TUI_VIEW_COMPARE_COMPARE_H

#include "tui/view/view.h"

#include <stdbool.h>
#include <stddef.h>

struct view;

extern const struct view_ops view_compare_ops;

/* Columns to sort by: `name` is NULL behind the last. */
struct compare_order {
	const char *name, *help;
};
struct compare_order compare_order_at(size_t i);

size_t compare_sorted_by(const struct view *v);
void compare_sort_by(struct view *v, size_t i);	/* the view is stale then */

#endif
