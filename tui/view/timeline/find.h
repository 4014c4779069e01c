/*
 * find: a call of a trace by where it is, the longest one of a function, and how long they usually
 * take. Each walks over a part of the trace. Private to tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_FIND_H
#define WSNTOP_TUI_VIEW_TIMELINE_FIND_H

#include "tui/view/timeline/scene.h"

enum {
	FIND_LONGEST = 3000000,		/* events that a walk meets, at most */
	FIND_LOOK = 6000,
	FIND_USUAL = 1300,
	FIND_SAMPLES = 2048,		/* durations that a median is of, at most */
};

struct found_call {
	struct scene_call call;
	uint64_t inner;			/* calls in it, as far as it was walked */
	bool cut;			/* ... which was not up to its return: it is still open */
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

/* How long calls of a function take, and how far apart they begin; all whole in [begin, end). */
struct find_usual {
	double ticks;			/* the durations' median; 0: there are none */
	size_t calls;			/* it is of so many */
	bool cut;			/* ... the first ones: the window has more */
	uint64_t before;		/* ticks from the call before to `at`; 0: not known */
	size_t interval_count;
	uint64_t durations[FIND_SAMPLES], intervals[FIND_SAMPLES];	/* ascending */
};

struct find_window {
	unsigned lane;
	uint64_t begin, end;
	uint64_t at;			/* where a call begins */
};

void find_usual(const struct trace *t, uint32_t id, const struct find_window *w,
		struct find_usual *u);

struct find_times {
	double least, median, mean, p95, p99, most;	/* ticks */
};

struct find_times find_times(const uint64_t *ascending, size_t count);

#endif
