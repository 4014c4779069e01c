/*
 * find: a call of a trace by where it is, the longest one of a function, and how long they usually
 * take. Each walks over a part of the trace. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_FIND_H
#define WSNTOP_TUI_VIEW_TIMELINE_FIND_H

#include "tui/view/timeline/scene.h"

enum {
	FIND_LONGEST = 3000000,		/* events that a walk meets, at most */
	FIND_LOOK = 20000,
	FIND_USUAL = 6000,
	FIND_SAMPLES = 2048,		/* durations that a median is of, at most */
};

struct found_call {
	struct scene_call call;
	uint64_t inner;			/* calls in it, as far as it was walked */
	uint32_t path[SCENE_DEPTHS];	/* ids of the calls around it, outermost first */
};

/*
 * The call of this lane and depth at `at`; else the nearest that is in [from, to). Trees shorter
 * than `whole` stay closed. False: there is none.
 */
struct find_place {
	unsigned lane;
	uint32_t depth;
	uint64_t from, at, to, whole;
};

bool find_call(const struct trace *t, const struct find_place *at, struct found_call *found);

/* The longest call of the edge's function, which trace_longest found. */
bool find_longest(const struct trace *t, const struct trace_edge *longest,
		  struct scene_call *call);

/* Durations of a function's calls that are whole in a window. */
struct find_usual {
	double ticks;			/* their median; 0: there are none */
	size_t calls;			/* it is of so many */
	bool cut;			/* ... the first ones: the window has more */
};

struct find_usual find_usual(const struct trace *t, unsigned lane, uint32_t id, uint64_t begin,
			     uint64_t end);

#endif
