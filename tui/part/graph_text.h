/*
 * graph_text: what the tree and the flame graph say of a node, and of the function at it. Private to
 * tui/view.
 */
#ifndef WSNTOP_TUI_PART_GRAPH_TEXT_H
#define WSNTOP_TUI_PART_GRAPH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/profile/tree/graph.h"
#include "tui/view/view.h"

/* The filter leaves it out: it is drawn dim, because the way to what matches must be seen. */
bool graph_filtered(const struct view_shared *s, uint32_t function);

/* Its total and calls are apportioned. Bottom-up those of a root's own callers are told by the node. */
static inline bool graph_about(const struct graph *g, const struct graph_node *n)
{
	return n->shared && !(g->inverted && n->depth <= 1);
}

/* "573 ms", "~573 ms" for what is apportioned, "~0 s" for less than nothing, "" for NaN. Of 20 bytes. */
const char *graph_seconds(char *dst, size_t size, double seconds, bool about);

/* For the clipboard: "main;send  66.7 %  total 1.00 s  self 573 ms  calls 50"; `way` from the root down. */
void graph_copy(const struct graph *g, const struct graph_node *n, const uint32_t *way,
		size_t count, struct buf *out);

/* Where the function at a node is declared; false: not known. */
bool graph_place(const struct graph *g, uint32_t function, struct view_place *at);

#endif
