/*
 * recent: what was counted in the last seconds, beside the total. For tui/view.
 *
 * A window of the node's past is made once a moment, about once a second, and only while somebody
 * looks: linear in call sites. Only live: of the past there is the past.
 */
#ifndef WSNTOP_TUI_PART_RECENT_H
#define WSNTOP_TUI_PART_RECENT_H

#include "core/profile/look/durations.h"
#include "tui/part/shared.h"

struct recent {
	double seconds;			/* that it spans; 0: nothing is known */
	/* private */
	struct profile *window;		/* owned */
	const struct history *history;
	uint64_t serial;		/* of the history when it was made */
};

void recent_release(struct recent *r);		/* one that is all zero holds nothing */
void recent_update(struct recent *r, const struct view_shared *s);

/* Calls by duration of a line of s->model.profile in that time. False: not known. */
bool recent_buckets(const struct recent *r, const struct profile *p, const struct duration *d,
		    struct profile_buckets *sum);

#endif
