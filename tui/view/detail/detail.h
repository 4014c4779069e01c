/*
 * detail: the selected function beside a list: its full name, figures, callers and callees, how
 * long its calls took, the longest of them, its hottest lines.
 *
 *	+------------------------------------+
 *	| contiki::net::Link<Radio>::poll(   |	the whole name, in as many lines as it needs
 *	| unsigned)                          |
 *	| link.cc:88  ISR                    |
 *	| SELF  2.52 ms     TOTAL  99.8 ms   |	what the view's columns have, as far as it is known
 *	| CALLERS  2            SHARE% CALLS |
 *	|   bundle_task           93.1   318 |	the cursor goes through callers and callees
 *	| CALLEES  3            SHARE% CALLS |
 *	| DURATIONS                          |
 *	| LONGEST CALL                       |
 *	| HOTTEST LINES                      |
 *	+------------------------------------+
 *
 * Parts share the height: each gets its least, the first ones first, then what it can use. It is
 * made again for each frame, so that nothing in it outlives a profile or an image.
 */
#ifndef WSNTOP_TUI_VIEW_DETAIL_DETAIL_H
#define WSNTOP_TUI_VIEW_DETAIL_DETAIL_H

#include "core/profile/look/durations.h"
#include "core/source/cost.h"
#include "tui/part/naming.h"
#include "tui/view/callers/butterfly.h"
#include "tui/view/view.h"

enum {
	DETAIL_SCREEN = 120,		/* columns of a screen from which there is room for one */
	DETAIL_HISTORY = 32,
};

/* All zero: of no function. */
struct detail {
	struct butterfly b;
	struct cost cost;
	struct naming naming;		/* its names differ from each other, not from the list's */
	struct duration line;
	uint32_t function;		/* in the profile; PROFILE_NONE: none is selected */
	struct list list;		/* over callers and callees, without the function itself */
	bool held;			/* its cursor is on: */
	enum butterfly_kind kind;
	uint64_t address;
	uint64_t of;			/* the function's address */
	bool walked;			/* {enter} here was the last to go to a function: */
	uint64_t went;
	uint64_t history[DETAIL_HISTORY];	/* functions to go back to; a ring */
	size_t depth;
	int caller_y, callee_y;		/* where these lines begin, as drawn last */
	int longest_y, longest_lines;	/* a click there goes to the time line */
	size_t caller_top, callee_top, caller_lines, callee_lines;
};

void detail_release(struct detail *d);

/* Columns that it takes of a screen's; 0: there is no room for it. */
int detail_width(int width);

/* Into all of g. Its cursor is shown where it has the focus. */
void detail_draw(struct detail *d, struct view *v, const struct view_shared *s,
		 struct grid *g, bool focus);

/*
 * `v` is the view beside it. As a view's: moving, {enter} selects the caller or callee, {parent}
 * the function before.
 */
struct view_reply detail_act(struct detail *d, struct view *v, struct view_shared *s,
			     enum action a);
struct view_reply detail_mouse(struct detail *d, struct view *v, struct view_shared *s,
			       int y, int button);

/* The lines of callers and callees: [0, middle) and behind. For draw.c. */
const struct butterfly_line *detail_line(const struct detail *d, size_t i);

/* Find the function in the profile as it stands. For draw.c. */
void detail_update(struct detail *d, struct view *v, const struct view_shared *s);

#endif
