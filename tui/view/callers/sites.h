/*
 * sites: the call sites of one edge with their source lines, one of them chosen. Private to
 * tui/view.
 *
 * An edge may have a million of them: the most expensive are kept, the others counted.
 */
#ifndef WSNTOP_TUI_VIEW_CALLERS_SITES_H
#define WSNTOP_TUI_VIEW_CALLERS_SITES_H

#include "core/image/image.h"
#include "core/profile/profile.h"
#include "tui/term/grid.h"
#include "tui/view/view.h"

#define SITES_MAX 1000

struct sites {
	uint32_t top[SITES_MAX];	/* in profile->sites, most expensive first */
	size_t count;
	size_t all;			/* of the edge */
	struct list list;		/* its cursor is the chosen one */
	bool plain;			/* drawn with the edge in the title, none chosen */
	/* private */
	uint64_t caller, callee;	/* the edge's addresses: what survives a recompute */
	uint32_t chosen;		/* likewise the chosen site's */
};

/*
 * Of an edge; PROFILE_NONE: no edge, no sites. Linear in the edge's sites. The chosen one stays
 * where the edge is the same as before.
 */
void sites_find(struct sites *s, const struct profile *p, uint32_t edge);

/* The chosen one: its index in p->sites, or PROFILE_NONE. */
uint32_t sites_chosen(const struct sites *s);

/* Another site was chosen: remember it by its address. */
void sites_moved(struct sites *s, const struct profile *p);

/* Draw into all of g: a title, then as many sites as there is room for. */
void sites_draw(struct sites *s, const struct profile *p, const struct image *im, struct grid *g,
		uint32_t edge);

/* "util.h:12 in clamp, inlined at main.c:80"; false: why there is no line instead. */
bool sites_place(const struct image *im, const struct profile_site *s, bool paths, char *dst,
		 size_t size);

/* The source line of the call, for the editor. */
bool sites_line(const struct image *im, const struct profile_site *s, struct image_line *line);

#endif
