/*
 * flat: the state of the flat view, shared by the files that make it up. Private to tui/view.
 *
 *	flat.c		its lines: update, draw, as text
 *	act.c		keys and clicks
 *	columns.c	which columns there are, where they stand
 *	cells.c		what is in them
 *	groups.c	functions by file or by task: lines with sums, folded or not
 *	totals.c	the line at the bottom
 */
#ifndef WSNTOP_TUI_VIEW_FLAT_FLAT_H
#define WSNTOP_TUI_VIEW_FLAT_FLAT_H

#include "core/base/map.h"
#include "core/history/history.h"
#include "core/profile/look/rows.h"
#include "tui/config/settings.h"
#include "tui/part/table.h"
#include "tui/view/view.h"

/* Beside the settings' cells: differences to the baseline, there while there is one. */
enum { FLAT_DELTA_LOAD = SETTINGS_CELLS, FLAT_DELTA_CALL, FLAT_KINDS };

enum { FLAT_CELLS = SETTINGS_COLUMNS + 4 };

enum flat_grouping { FLAT_UNGROUPED, FLAT_BY_FILE, FLAT_BY_TASK, FLAT_GROUPINGS };

struct flat_cell {
	uint8_t cell;			/* of the settings, or one of the above */
	uint8_t rank;
	int16_t width;			/* the user's; 0: its own */
};

struct flat_line {
	uint32_t function;		/* PROFILE_NONE: a group's own line */
	uint32_t group;			/* PROFILE_NONE: there are no groups */
};

/* Functions of one file or one task. Strings are the profile's. */
struct flat_group {
	uint64_t key;			/* what it is known by when the profile is another one */
	const char *name, *path;
	size_t first, count;		/* its functions among f->grouped, in their order */
	bool folded;
	struct profile_function sum;	/* what adds up */
	size_t points;			/* of its trend, as history_trend's */
	float trend[HISTORY_TREND];
};

struct flat {
	struct view view;
	struct rows rows;
	struct list list;			/* over lines */
	struct flat_line *lines;
	size_t line_cap;
	struct column_data data;		/* that rows are of */
	struct rows_order order;		/* that they are in */
	uint64_t seen;				/* address that the cursor was last put on */

	enum flat_grouping grouping;
	struct flat_group *groups;		/* as they came up in the rows */
	size_t group_count, group_cap;
	uint32_t *ranked;			/* groups in order */
	size_t ranked_cap;
	uint32_t *of;				/* by row: its group */
	size_t of_cap;
	uint32_t *grouped;			/* functions by group */
	size_t grouped_cap;
	struct map by_key;			/* groups */
	struct map folded;		/* key -> 0 or 1, of all groups that were ever folded */
	bool on_group;			/* the cursor is on the line of the group at_key */
	uint64_t at_key;

	bool present[FLAT_KINDS];		/* holds something in this profile */
	double hottest;				/* the largest share of self time */
	bool negative;				/* some total went below zero on the node */
	bool marks;				/* some name has a mark behind it */
	int longest, longest_context;		/* columns of names */
	int digits;				/* of the largest count */

	struct flat_cell cells[FLAT_CELLS];	/* as laid out last */
	size_t cell_count;
	struct table_span spans[FLAT_CELLS];
};

/* flat.c: for the profile, order and grouping of now */
void flat_update(struct view *v, const struct view_shared *s);

/* act.c */
struct view_reply flat_act(struct view *v, struct view_shared *s, enum action a);
struct view_reply flat_mouse(struct view *v, struct view_shared *s, int x, int y, int button);

/* Lines that scroll: all but titles and totals. */
static inline int flat_page(const struct view *v)
{
	return v->height - 1 - (v->height >= 6);
}

/* columns.c */
void flat_measure(struct flat *f, const struct view_shared *s);
void flat_lay_out(struct flat *f, const struct view_shared *s, int width);
void flat_draw_titles(const struct flat *f, struct grid *g);
/* The function's share of all self time. */
double flat_share(const struct flat *f, const struct profile_function *fn);
/* No function calls it, as a task's entry; main and handlers are marked otherwise. */
bool flat_is_root(const struct flat *f, const struct profile_function *fn);

/* The column that a click at x of the titles sorts by; COLUMN_COUNT: none. */
enum column_id flat_column_at(const struct flat *f, int x);

bool flat_is_change_at(const struct flat *f, int x);	/* ... by what got worse */

/* The last moment that is shown, SIZE_MAX: there is none; points of a trend up to there. */
static inline size_t flat_last_moment(const struct view_shared *s)
{
	size_t end = s->window_to == SIZE_MAX ? history_count(s->model.history) : s->window_to;

	return end ? end - 1 : SIZE_MAX;
}

/* cells.c */
void flat_draw_function(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
			const struct profile_function *fn);
void flat_draw_group(const struct flat *f, const struct view_shared *s, struct grid *g, int y,
		     const struct flat_group *group);

/* groups.c */
void flat_groups_release(struct flat *f);
int flat_group_rows(struct flat *f);	/* rows -> lines. 0 or ERR_NOMEM: there are no lines */
void flat_group_trends(struct flat *f, const struct view_shared *s);
int flat_fold(struct flat *f, struct flat_group *group, bool folded);
void flat_fold_all(struct flat *f);	/* or unfold them, if all are folded */
/* The line of a function, or of the group it is folded away in; of a group. SIZE_MAX: none. */
size_t flat_line_of(const struct flat *f, uint32_t function);
size_t flat_line_of_group(const struct flat *f, uint64_t key);

/* totals.c */
void flat_draw_totals(const struct flat *f, const struct view_shared *s, struct grid *g, int y);

/* The group whose own line this is, or NULL; the group that a line is in, or NULL. */
static inline struct flat_group *flat_group_at(const struct flat *f, size_t line)
{
	if (line >= f->list.count || f->lines[line].function != PROFILE_NONE)
		return NULL;
	return &f->groups[f->lines[line].group];
}

static inline const struct profile_function *flat_function_at(const struct flat *f, size_t line)
{
	if (line >= f->list.count || f->lines[line].function >= f->data.profile->function_count)
		return NULL;
	return &f->data.profile->functions[f->lines[line].function];
}

#endif
