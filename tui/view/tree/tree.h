/*
 * tree: what the files of the tree view share: tree.c holds and acts, draw.c draws. Private to
 * these.
 */
#ifndef WSNTOP_TUI_VIEW_TREE_TREE_H
#define WSNTOP_TUI_VIEW_TREE_TREE_H

#include "tui/view/tree/forest.h"
#include "tui/part/table.h"
#include "tui/view/view.h"

enum { TREE_CELL_PERCENT, TREE_CELL_BAR, TREE_CELL_DELTA, TREE_CELL_TOTAL, TREE_CELL_SELF,
       TREE_CELL_CALLS, TREE_CELL_PER_CALL, TREE_CELL_MIN, TREE_CELL_P99, TREE_CELL_MAX,
       TREE_CELL_FUNCTION, TREE_CELL_FILE, TREE_CELL_COUNT };

/* Where one is, in each direction. */
struct tree_place {
	struct list list;
	uint64_t path;			/* of the line under the cursor */
	bool folded;			/* the user chose what is open */
};

struct tree {
	struct view view;
	struct forest forest;
	struct tree_place places[2];
	bool inverted;
	const struct profile *profile;
	uint64_t seen;			/* address that the cursor was put on */
	bool files;			/* some function's file is known */
	bool timed, buckets;		/* single calls have times, and are counted by them */
	struct table_span spans[TREE_CELL_COUNT];
};

static inline struct tree_place *tree_place(struct tree *t)
{
	return &t->places[t->inverted];
}

/* The line under the cursor; NULL: there is none. */
static inline const struct forest_line *tree_line(struct tree *t)
{
	size_t cursor = tree_place(t)->list.cursor;

	return cursor < t->forest.count ? &t->forest.lines[cursor] : NULL;
}

int tree_indent(const struct forest_line *l, int width);

/* The lines from the list's top on, their titles, and the footer in what is left. */
void tree_draw_lines(struct tree *t, const struct view_shared *s, struct grid *g, int page);

#endif
