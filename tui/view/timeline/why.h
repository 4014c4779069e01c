/*
 * why: where the time of a call went, beside that of the usual calls of its function: in each of
 * its callees, in itself, in handlers and tasks that ran meanwhile, each without the others: their
 * sum is the call's duration. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_WHY_H
#define WSNTOP_TUI_VIEW_TIMELINE_WHY_H

#include "tui/view/timeline/find.h"

enum {
	WHY_PARTS = 24,
	WHY_CALLS = 128,		/* usual ones that are looked at, at most */
	WHY_EVENTS = 900,		/* ... and events of a walk */
};

enum why_kind { WHY_SELF, WHY_CALLEE, WHY_OTHER };

/* Of this call, and on average of a usual one. */
struct why_part {
	enum why_kind kind;
	uint8_t lane;			/* OTHER: where it ran */
	uint32_t id;
	double calls, ticks;
	double usual_calls, usual_ticks;
};

struct why {
	struct why_part parts[WHY_PARTS];	/* by difference, largest first */
	size_t count;
	size_t usual_calls;		/* that it is compared with */
	bool found;
};

/* Usual ones are those of `usual_of` that take less than `most` ticks. */
void why_find(const struct trace *t, const struct scene_call *c,
	      const struct find_window *usual_of, double most, struct why *w);

/* How often a call that returned was interrupted by handlers and other tasks; the ticks of that. */
uint64_t why_struck(const struct trace *t, const struct scene_call *c, uint64_t *ticks);

#endif
