/*
 * views: the members of the family; the table is in view.c. Private to tui/view.
 */
#ifndef WSNTOP_TUI_VIEW_VIEWS_H
#define WSNTOP_TUI_VIEW_VIEWS_H

#include "tui/view/view.h"

extern const struct view_ops view_flat_ops, view_callers_ops, view_tree_ops, view_flame_ops,
	view_histogram_ops, view_source_ops, view_console_ops, view_compare_ops, view_node_ops,
	view_timeline_ops, view_log_ops, view_help_ops;

#endif
