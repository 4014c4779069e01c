/*
 * sites: the call sites of one edge with their source lines. Private to tui/view.
 *
 * An edge may have a million of them: the dearest are kept, the others counted.
 */
#ifndef WSNTOP_TUI_VIEW_SITES_H
#define WSNTOP_TUI_VIEW_SITES_H

#include "core/image/image.h"
#include "core/profile/profile.h"
#include "tui/grid.h"

#define SITES_MAX 24

struct sites {
	uint32_t top[SITES_MAX];	/* indices in profile->sites, the dearest first */
	size_t count;
	size_t all;			/* of the edge */
};

/* Linear in the edge's sites. PROFILE_NONE: no edge, no sites. */
void sites_find(struct sites *s, const struct profile *p, uint32_t edge);

/* Draw in the lines from y to the bottom: a title, then as many sites as there is room for. */
void sites_draw(const struct sites *s, const struct profile *p, const struct image *im,
		struct grid *g, int y, uint32_t edge);

#endif
