/*
 * graph_text: a node of the call tree (core/profile/tree/graph.h) as text, the same in all views
 * that draw it.
 */
#ifndef WSNTOP_TUI_PART_GRAPH_TEXT_H
#define WSNTOP_TUI_PART_GRAPH_TEXT_H

#include "core/base/buf.h"
#include "core/profile/tree/graph.h"

/* "573 ms", "~573 ms" if it is an estimate, "" for NaN. dst has at least 20 bytes. */
const char *graph_text_seconds(char *dst, size_t size, double seconds, bool about);

/*
 * For the clipboard: "main;send  66.7 %  total 1.00 s  self 573 ms  calls 50". `way`: functions
 * from the root to the node.
 */
void graph_text_copy(const struct graph *g, const struct graph_node *n, const uint32_t *way,
		     size_t count, struct buf *out);

#endif
