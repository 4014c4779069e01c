/*
 * flame: what the files of the flame graph share. Private to these.
 *
 *	flame.c		what there is, and what keys and clicks do
 *	walk.c		moving among boxes, zooming
 *	sandwich.c	callers above and callees below one function: two icicles back to back
 *	draw.c		the boxes and the line above
 *	selected.c	what is selected: lines at the bottom, tables where there is room
 */
#ifndef WSNTOP_TUI_VIEW_FLAME_FLAME_H
#define WSNTOP_TUI_VIEW_FLAME_FLAME_H

#include "tui/view/flame/icicle.h"
#include "tui/view/flame/subtree.h"
#include "tui/part/table.h"
#include "tui/view/view.h"

enum flame_colour { FLAME_HEAT, FLAME_FILE, FLAME_DELTA, FLAME_COLOURS };

/* Where one is, in each direction. */
struct flame_place {
	struct icicle_chain zoom, at;	/* as asked for: it comes back when it is there again */
	size_t deep;			/* `at` is valid to here: the way the user came up */
	size_t top;			/* first level shown */
};

/*
 * The rows of the sandwich, as laid out: `up` of them for callers, the nearest at the bottom, then
 * `down` from the function on. Without it all are `down`.
 */
struct flame_rows {
	int up, down;
};

struct flame {
	struct view view;
	/* What is drawn from the top down; in the sandwich, from its function upwards. */
	struct icicle halves[2];
	struct flame_place places[4];	/* top-down, bottom-up; the sandwich's callees, callers */
	bool inverted;
	bool sandwich;
	bool callers;			/* the selected box is in the upper half */
	uint64_t focus;			/* address of the sandwich's function */
	enum flame_colour colour;
	const struct profile *profile;
	int laid;			/* width that the boxes are laid out for; 0: not yet */
	uint32_t box;			/* selected */
	uint64_t seen;			/* address that was selected last */
	bool files;			/* some function's file is known */
	/* Share of time in what the search finds, else the filter; NaN: there is neither. */
	double through;
	size_t passing;			/* functions that pass the filter */
	int crumbs[ICICLE_LEVELS];	/* where on the title line each function of the zoom ends */
	int crumb_all;			/* and what stands before them */
	size_t first_crumb;
	struct subtree subtree;		/* as drawn: of the selected box, or of all */
	const struct icicle *table;	/* where it is from */
	const struct icicle_box *table_box;
};

/* The icicle that the selected box is in, and where one is in it. */
static inline const struct icicle *flame_icicle(const struct flame *f)
{
	return &f->halves[f->callers];
}

static inline struct flame_place *flame_place_of(struct flame *f, bool callers)
{
	return &f->places[f->sandwich ? 2 + callers : f->inverted];
}

static inline struct flame_place *flame_place(struct flame *f)
{
	return flame_place_of(f, f->callers);
}

static inline const struct icicle_box *flame_box(const struct flame *f)
{
	const struct icicle *c = flame_icicle(f);

	return f->box < c->count ? &c->boxes[f->box] : NULL;
}

static inline bool flame_matches(const struct flame *f, const struct view_shared *s,
				 const struct icicle_box *b)
{
	return b->n.function != PROFILE_NONE &&
	       part_matches(s, f->profile->functions[b->n.function].name);
}

/* Lines that there are for levels. */
int flame_room(const struct view *v);

/* sandwich.c */
struct flame_rows flame_rows(const struct flame *f);
/* The level of a half's first line, next to the other half; one that is not zoomed has its own. */
size_t flame_first(const struct flame *f, bool callers);
struct view_reply flame_sandwich(struct flame *f, struct view_shared *s);
void flame_refocus(struct flame *f);		/* another function is in the middle */
bool flame_halves(struct flame *f);		/* build both; false: its function is gone */
void flame_leave(struct flame *f, const struct view_shared *s);	/* flame.c: the whole again */
/* Into the other half, at the line where they meet. False: there is nothing. */
bool flame_cross(struct flame *f);
/* The box at a cell of the view, and its half; ICICLE_NONE. */
uint32_t flame_at(const struct flame *f, int x, int y, bool *callers);

/* walk.c */
void flame_lay_out(struct flame *f);
void flame_show(struct flame *f);		/* scroll so that the selected box is seen */
void flame_reveal(struct flame *f, const struct view_shared *s);
struct view_reply flame_go(struct flame *f, struct view_shared *s, uint32_t box);
struct view_reply flame_go_chain(struct flame *f, struct view_shared *s,
				 const struct icicle_chain *chain);
struct view_reply flame_up(struct flame *f, struct view_shared *s);
struct view_reply flame_down(struct flame *f, struct view_shared *s);
struct view_reply flame_aside(struct flame *f, struct view_shared *s, bool right);
struct view_reply flame_levels(struct flame *f, struct view_shared *s, bool down, size_t n);
struct view_reply flame_parent(struct flame *f, struct view_shared *s);
struct view_reply flame_hottest(struct flame *f, struct view_shared *s);
struct view_reply flame_zoom_to(struct flame *f, struct view_shared *s,
				const struct icicle_chain *zoom);
struct view_reply flame_zoom_in(struct flame *f, struct view_shared *s, uint32_t box);
struct view_reply flame_zoom_at(struct flame *f, struct view_shared *s, int x);
struct view_reply flame_zoom_out(struct flame *f, struct view_shared *s, size_t levels);

/* draw.c */
void flame_draw_boxes(struct flame *f, const struct view_shared *s, struct grid *g);
const struct compare_value *flame_change(const struct flame *f, const struct view_shared *s,
					 const struct icicle_box *b);

/* selected.c; y: the first line that no box is in, end: the first of those at the bottom */
void flame_draw_selected(const struct flame *f, const struct view_shared *s, struct grid *g, int y);
void flame_draw_tables(struct flame *f, const struct view_shared *s, struct grid *g, int y,
		       int end);

#endif
