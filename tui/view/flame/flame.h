/*
 * flame: what the files of the flame graph share: flame.c holds and acts, walk.c moves, draw.c
 * draws. Private to these.
 */
#ifndef WSNTOP_TUI_VIEW_FLAME_FLAME_H
#define WSNTOP_TUI_VIEW_FLAME_FLAME_H

#include "tui/view/flame/icicle.h"
#include "tui/part/table.h"
#include "tui/view/view.h"

enum flame_colour { FLAME_HEAT, FLAME_FILE, FLAME_DELTA, FLAME_COLOURS };

/* Where one is, in each direction. */
struct flame_place {
	struct icicle_chain zoom, at;	/* as asked for: it comes back when it is there again */
	size_t deep;			/* `at` is valid to here: the way the user came up */
	size_t top;			/* first level shown */
};

struct flame {
	struct view view;
	struct icicle icicle;
	struct flame_place places[2];
	bool inverted;
	enum flame_colour colour;
	const struct profile *profile;
	int laid;			/* width that the boxes are laid out for; 0: not yet */
	uint32_t box;			/* selected */
	uint64_t seen;			/* address that was selected last */
	bool files;			/* some function's file is known */
	double through;			/* share of time in what the search finds; NaN: no search */
	int crumbs[ICICLE_LEVELS];	/* where on the title line each function of the zoom ends */
	size_t first_crumb;
};

static inline struct flame_place *flame_place(struct flame *f)
{
	return &f->places[f->inverted];
}

static inline const struct icicle_box *flame_box(const struct flame *f)
{
	return f->box < f->icicle.count ? &f->icicle.boxes[f->box] : NULL;
}

static inline bool flame_matches(const struct flame *f, const struct view_shared *s,
				 const struct icicle_box *b)
{
	return b->n.function != PROFILE_NONE &&
	       part_matches(s, f->profile->functions[b->n.function].name);
}

/* Levels that there is room for; lines below them. */
int flame_rows(const struct view *v);

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

#endif
