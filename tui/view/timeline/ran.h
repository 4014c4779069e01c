/*
 * ran: what ran in a time: functions by their own time, how long each lane ran, and which calls
 * were interrupted by which handler or task. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_RAN_H
#define WSNTOP_TUI_VIEW_TIMELINE_RAN_H

#include "tui/view/timeline/scene.h"

enum {
	RAN_PARTS = 64, RAN_STRIKES = 32,
	RAN_EVENTS = 1400,		/* of all lanes; with more, functions are estimated, */
	RAN_SAMPLES = 8,		/* from so many places of each lane, at most */
	RAN_OUTER = 512,		/* outermost calls that may interrupt others, at most */
};

struct ran_part {
	uint32_t id;
	uint8_t lane;
	uint64_t calls;
	/* Without its callees, unless they are too short to tell; without what interrupted it. */
	uint64_t ticks;
};

struct ran_strike {
	uint32_t id, by;		/* functions */
	uint8_t lane, by_lane;
	uint64_t count, ticks;
};

struct ran {
	uint64_t begin, end;		/* ticks */
	uint64_t calls;
	uint64_t busy[TRACE_LANES];	/* ticks */
	bool used[TRACE_LANES];
	bool cut;			/* too many calls: parts are estimated */
	uint64_t sampled;		/* from so many; strikes are not known then */
	struct ran_part parts[RAN_PARTS];	/* by time, longest first */
	size_t count;
	struct ran_strike strikes[RAN_STRIKES];	/* by count */
	size_t strike_count;
};

void ran_find(const struct trace *t, uint64_t begin, uint64_t end, struct ran *r);

#endif
