/*
 * find: a call of a trace by where it is, the next one of a function, and how long they usually
 * take. Each walks over the trace, at most FIND_EVENTS events. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_FIND_H
#define WSNTOP_TUI_VIEW_TIMELINE_FIND_H

#include "tui/view/timeline/scene.h"

enum {
	FIND_EVENTS = 3000000,		/* one key's search */
	FIND_LOOK = 400000,		/* one frame's */
	FIND_USUAL = 30000,
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

struct find_wanted {
	bool (*matches)(void *ctx, uint32_t id);
	void *ctx;
	uint64_t least;			/* ticks that it takes */
	/* behind this call, or before it: */
	uint64_t ticks;
	unsigned lane;
	uint32_t depth;
};

enum find_result { FIND_NONE, FIND_FOUND, FIND_STOPPED };

enum find_result find_next(const struct trace *t, const struct find_wanted *w, bool backwards,
			   struct scene_call *call);

#endif
