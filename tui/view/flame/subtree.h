/*
 * subtree: the functions below one node of the graph, each with what it takes there in all, however
 * many ways lead to it. Private to tui/view.
 *
 * A function below itself is not added again. Branches of less than a thousandth of the node are
 * left out, and what is deep in a graph of many ways: at most SUBTREE_NODES are looked at.
 */
#ifndef WSNTOP_TUI_VIEW_FLAME_SUBTREE_H
#define WSNTOP_TUI_VIEW_FLAME_SUBTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile/tree/graph.h"

#define SUBTREE_NODES 20000

struct subtree_row {
	uint32_t function;
	double value;			/* seconds, or calls where there are no times */
	double self, calls;		/* NaN: not known */
	bool about;			/* an estimate */
};

struct subtree {
	struct subtree_row *rows;	/* most expensive first */
	size_t count, cap;
	/* private */
	uint32_t *at;			/* by function: its row */
	size_t at_cap;
	uint32_t *way;			/* functions from the node down */
	size_t way_cap;
	size_t looked;
};

void subtree_release(struct subtree *t);	/* one that is all zero holds nothing */

/*
 * Of a node, a function's or of all (PROFILE_NONE); `above` functions lead to it. 0 or ERR_NOMEM
 * (then it is empty).
 */
int subtree_find(struct subtree *t, const struct graph *g, const struct graph_node *top,
		 const uint32_t *above, size_t n);

#endif
