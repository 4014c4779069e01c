/*
 * histogram: the state of the view of durations, shared by its files. Private to tui/view.
 *
 *	histogram.c	its lines: update, draw, as text
 *	act.c		keys and clicks
 *	draw.c		the table, and the panel below it
 *	latched.c	the longest calls in words
 */
#ifndef WSNTOP_TUI_VIEW_HISTOGRAM_HISTOGRAM_H
#define WSNTOP_TUI_VIEW_HISTOGRAM_HISTOGRAM_H

#include "core/base/map.h"
#include "core/profile/look/durations.h"
#include "tui/part/excerpt.h"
#include "tui/part/recent.h"
#include "tui/part/table.h"
#include "tui/view/view.h"

#define WORST_LINES 12

enum histogram_mode {
	HISTOGRAM_MODE_FUNCTIONS, HISTOGRAM_MODE_CALLERS, HISTOGRAM_MODE_EDGES, HISTOGRAM_MODES,
};

enum {
	HISTOGRAM_FUNCTION, HISTOGRAM_CALLS, HISTOGRAM_MIN, HISTOGRAM_AVERAGE, HISTOGRAM_DELTA,
	HISTOGRAM_P50, HISTOGRAM_P90, HISTOGRAM_P99, HISTOGRAM_MAX, HISTOGRAM_WORST, HISTOGRAM_AGO,
	HISTOGRAM_PLOT, HISTOGRAM_CELLS,
};

struct histogram_column {
	const char *title;
	bool left;
	enum column_id sort;		/* what a click on it sorts by; COLUMN_COUNT: nothing */
	double percentile;		/* 0: none */
	struct table_column column;
};

extern const struct histogram_column histogram_columns[HISTOGRAM_CELLS];

struct histogram {
	struct view view;
	struct rows rows;
	struct rows_order order;	/* that rows are in */
	struct durations lines;
	size_t without;			/* functions of which no duration is known */
	struct list list;
	enum histogram_mode mode;
	struct map open;		/* function's address -> 1: callers shown, 0: hidden */
	const struct profile *profile;
	uint64_t seen, at_caller;	/* what the cursor is on, by address; an edge's caller */
	bool at_edge;
	uint32_t worst[WORST_LINES + 1];	/* the cursor line's edges by longest call */
	size_t worst_count;
	struct recent recent;
	struct excerpt excerpt;
	struct table_span spans[HISTOGRAM_CELLS];	/* as drawn last, for clicks */
};

static inline const struct duration *histogram_cursor(const struct histogram *h)
{
	return h->list.cursor < h->lines.count ? &h->lines.items[h->list.cursor] : NULL;
}

bool histogram_is_open(const struct histogram *h, uint64_t address);

/* histogram.c: for the profile, order and mode of now */
void histogram_update(struct view *v, const struct view_shared *s);
/* The cursor goes to a function's line, or to that of its caller if it is shown. */
void histogram_cursor_to(struct histogram *h, uint64_t function, bool at_edge, uint64_t caller);
struct view_reply histogram_select(struct histogram *h, struct view_shared *s);	/* cursor's line */

/* act.c */
struct view_reply histogram_act(struct view *v, struct view_shared *s, enum action a);
struct view_reply histogram_mouse(struct view *v, struct view_shared *s, int x, int y, int button);

/* draw.c: how many lines scroll; the whole view, if it has lines */
int histogram_page(const struct view *v);
void histogram_draw_all(struct histogram *h, const struct view_shared *s, struct grid *g);

#endif
