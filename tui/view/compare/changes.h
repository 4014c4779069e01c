/*
 * changes: a comparison's rows as lines to show: filtered, sorted by a cell of the table. Private
 * to the compare view.
 */
#ifndef WSNTOP_TUI_VIEW_COMPARE_CHANGES_H
#define WSNTOP_TUI_VIEW_COMPARE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/regex.h"
#include "core/profile/look/compare.h"
#include "tui/term/grid.h"

enum change_kind {
	CHANGE_NAME,
	CHANGE_NOW,
	CHANGE_THEN,
	CHANGE_DELTA,
	CHANGE_VERDICT,
	CHANGE_FILE
};

/* The table, left to right. Widths are a title's with the mark of the order beside it, or more. */
struct change_cell {
	enum change_kind kind;
	enum compare_measure m;
	const char *title, *ascii;	/* ascii: where there is no UTF-8; NULL: the same */
	int width, rank;
	const char *name, *help;	/* to sort by; NULL: not */
};

enum { CHANGE_CELLS = 15 };
extern const struct change_cell changes_cells[CHANGE_CELLS];

struct changes {
	const struct compare *compare;	/* that lines are of; NULL: of nothing */
	uint32_t *lines;		/* rows of it, in order */
	size_t count, cap;
	size_t hidden;			/* filtered away */
	size_t sort;			/* cell */
	bool inverted;
	bool known[COMPARE_MEASURES];	/* of some line */
	bool files;			/* some line's file is known */
	int longest;			/* columns of the longest name */
};

void changes_release(struct changes *c);	/* one that is all zero holds nothing */

/* Replaces all lines; out of memory there are none. */
void changes_fill(struct changes *c, const struct compare *compare, const struct regex *filter);

/* NULL beyond the last. */
const struct compare_row *changes_row(const struct changes *c, size_t line);
const struct profile_function *changes_subject(const struct changes *c, size_t line);

/* By this cell, or reversed if it already is; by the next cell that has figures. */
void changes_sort(struct changes *c, size_t cell);
void changes_sort_step(struct changes *c, size_t step);

/* changes_draw.c: the totals in a line; one row, with its noise, in up to `lines` lines. */
void changes_draw_totals(const struct changes *c, struct grid *g, int y);
void changes_draw_line(const struct changes *c, size_t line, struct grid *g, int y, int lines);

/* Worse, better, new or gone. */
bool changes_differs(enum compare_verdict v);

#endif
