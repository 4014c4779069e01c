/*
 * histogram: the state of the view of durations, shared by its files. Private to tui/view.
 *
 *	histogram.c		its lines, and what keys and clicks do
 *	histogram_draw.c	the table, and the panel below it
 */
#ifndef WSNTOP_TUI_VIEW_HISTOGRAM_HISTOGRAM_H
#define WSNTOP_TUI_VIEW_HISTOGRAM_HISTOGRAM_H

#include "core/base/map.h"
#include "core/profile/look/durations.h"
#include "tui/part/table.h"
#include "tui/part/recent.h"
#include "tui/view/view.h"

#define WORST_LINES 12

enum lines { LINES_FUNCTIONS, LINES_CALLERS, LINES_EDGES, LINES_COUNT };

enum {
	CELL_FUNCTION, CELL_CALLS, CELL_MIN, CELL_AVERAGE, CELL_DELTA, CELL_P50, CELL_P90, CELL_P99,
	CELL_MAX, CELL_WORST, CELL_AGO, CELL_PLOT, CELL_COUNT,
};

struct histogram_column {
	const char *title;
	bool left;
	enum column_id sort;		/* what a click on it sorts by; COLUMN_COUNT: nothing */
	double percentile;		/* 0: none */
	struct table_column column;
};

extern const struct histogram_column histogram_columns[CELL_COUNT];

struct histogram {
	struct view view;
	struct rows rows;
	struct rows_order order;	/* that rows are in */
	struct durations lines;
	size_t without;			/* functions of which no duration is known */
	struct list list;
	enum lines mode;
	struct map open;		/* a function's address -> its callers are shown: 1, or not: 0 */
	const struct profile *profile;
	uint64_t seen, at_caller;	/* what the cursor is on, by address; an edge's caller */
	bool at_edge;
	uint32_t worst[WORST_LINES + 1];	/* edges of the cursor's line, by their longest call */
	size_t worst_count;
	struct recent recent;
	struct table_span spans[CELL_COUNT];	/* as drawn last, for clicks */
};

static inline const struct duration *histogram_cursor(const struct histogram *h)
{
	return h->list.cursor < h->lines.count ? &h->lines.items[h->list.cursor] : NULL;
}

bool histogram_is_open(const struct histogram *h, uint64_t address);

/* histogram_draw.c: lines that scroll; all of it, when there are lines; what a line is called */
int histogram_page(const struct view *v);
void histogram_draw_all(struct histogram *h, const struct view_shared *s, struct grid *g);
const char *histogram_title(const struct histogram *h, const struct duration *d, char *dst,
			    size_t size);

#endif
