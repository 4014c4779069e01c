/*
 * search: the next call, or the one before, of one of several functions, over all lanes. In steps,
 * as a trace may be long: search_step goes on until something is found or there is nothing left.
 * It walks only from those places whose ids say that such a call may be there, and looks only into
 * trees that may hold one. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_SEARCH_H
#define WSNTOP_TUI_VIEW_TIMELINE_SEARCH_H

#include "tui/view/timeline/scene.h"

enum {
	SEARCH_STEP = 60000,		/* events that a step meets, about */
	SEARCH_WALK = 3000000,		/* ... and the walk from one place, at most */
};

struct search_wanted {
	const uint8_t *ids;		/* by id: not 0: wanted. Borrowed */
	size_t id_count;
	uint64_t least;			/* ticks that it takes */
	bool backwards;
	/* Behind this call, or before it: */
	uint64_t ticks;
	unsigned lane;
	uint32_t depth;
};

enum search_state { SEARCH_MORE, SEARCH_FOUND, SEARCH_NONE };

struct search {
	struct search_wanted wanted;
	struct scene_call found;
	bool has_found;
	bool skipped;			/* a place was too long to look into all of it */
	/* private */
	uint64_t bits;			/* trace_id_bit of all that are wanted */
	unsigned lane;			/* where the next step goes on */
	size_t place;
	bool begun;			/* in that lane */
};

void search_begin(struct search *k, const struct search_wanted *wanted);
enum search_state search_step(struct search *k, const struct trace *t);
double search_share(const struct search *k, const struct trace *t);	/* that is done, 0 to 1 */

#endif
