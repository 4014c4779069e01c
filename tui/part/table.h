/*
 * table: what views draw with. For tui/view.
 *
 * A table's columns share the width of the rectangle: which of them are there is decided by rank,
 * the least important go first, and what is left over widens those that can use it.
 */
#ifndef WSNTOP_TUI_PART_TABLE_H
#define WSNTOP_TUI_PART_TABLE_H

#include "core/profile/profile.h"
#include "tui/term/grid.h"
#include "tui/part/naming.h"
#include "tui/part/shared.h"

struct table_column {
	int width;			/* the least it needs; 0: not there at all */
	int wants;			/* the most it can use; at least width */
	int rank;			/* the lowest go last; equal ones together */
};

struct table_span {
	int x, width;			/* width 0: not shown */
};

void table_layout(const struct table_column *c, size_t n, int width, struct table_span *spans);

/* The column at x: its index, or n. The gap before a column belongs to it. */
size_t table_at(const struct table_span *spans, size_t n, int x);

/* The column of names in a rectangle of this width, for names up to `longest` columns. */
struct table_column table_name(int width, int longest, int rank);

/* A column's title in line y, and ▼ or ▲ when it is what the table is sorted by (0, 1 or -1). */
void part_title(struct grid *g, struct table_span at, int y, const char *title, bool left,
		int sorted);

/* Right-aligned cells. "" and NaN are a dim dash. */
void part_cell(struct grid *g, struct table_span at, int y, enum role role, const char *text);
void part_seconds(struct grid *g, struct table_span at, int y, double s);
void part_at_least(struct grid *g, struct table_span at, int y, double s,
		   bool at_least);		/* rows.h: column_at_least */
void part_call_time(struct grid *g, struct table_span at, int y, const struct profile *p, double s,
		    bool at_least);		/* rows.h: column_call_time */
void part_percentile(struct grid *g, struct table_span at, int y, const struct profile *p,
		     double s);
void part_count(struct grid *g, struct table_span at, int y, double n);
void part_calls(struct grid *g, struct table_span at, int y, enum role role, double n,
		bool at_least);			/* ">=1234", ">=179k" */
void part_percent(struct grid *g, struct table_span at, int y, double share);

/* A heat bar: as long as `share`, as hot as `heat`. NaN and negative: none. */
void part_bar(struct grid *g, struct table_span at, int y, double share, double heat);

/* A name with what the search finds in it marked; returns columns used. */
int part_name(struct grid *g, int x, int y, int width, enum role role, const char *s,
	      const struct regex *search);

/* "file:line" or "file", dim; nothing when file is NULL. */
void part_file(struct grid *g, struct table_span at, int y, const char *file, uint32_t line);

/* Whether any function's file is known: without, a column of files is a waste. */
bool part_has_files(const struct profile *p);

/* How a function's name is drawn: dim when nothing was measured of it. */
enum role part_role(const struct profile_function *f);

/* The caller of an edge that no function makes: "(interrupt)", else "(no function)". */
const char *part_nobody(const struct profile_edge *e);

/* Why there is nothing of the node to show, and what to do. */
void part_unheard(struct grid *g, const struct view_shared *s);

/* True: the model that the view needs is not there; the reason, and what to do, was drawn. */
bool part_lacks(struct grid *g, const struct view_shared *s, enum view_need need);

/*
 * Lines of text in the middle: the first is the fact, the others tell what to do. NULL ends.
 * "{action}" is the action's key.
 */
void part_say(struct grid *g, const struct view_shared *s, const char *const *lines);

/* A line at the bottom: the plain words, then the warnings, which have room first: 3/4 at most. */
void part_footer(struct grid *g, int y, const char *plain, const char *warning);

static inline bool part_matches(const struct view_shared *s, const char *text)
{
	return s->search && regex_match(s->search, text);
}

/* A search wants the next match; true when `a` is one of the search actions. */
static inline bool part_searches(enum action a)
{
	return a == ACTION_SEARCH_NEXT || a == ACTION_SEARCH_PREVIOUS;
}

#endif
