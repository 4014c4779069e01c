/*
 * trace/walk: a walk's state. Private to core/trace.
 *
 *	walk.c		items -> events
 *	segment.c	from one stamp to the next: when each of its events was
 *	opened.c	what is open, and how long what is in it takes
 *	strikes.c	when others ran meanwhile
 */
#ifndef WSNTOP_TRACE_WALK_H
#define WSNTOP_TRACE_WALK_H

#include "core/trace/state.h"

/* Items of a tree that is being expanded; the first range is the lane itself. */
struct range {
	uint64_t at, end;
	uint32_t tree;
};

/* A call that is open. Within a tree it has its share of the tree's time. */
struct opened {
	uint32_t id;
	const float *parts;		/* its habit's; NULL: weights of gaps */
	uint32_t part, part_count;	/* the one under way */
	unsigned forgotten;		/* the habits' when it was found */
	double scale;			/* of both: of the segment's weight */
	double limit;			/* segment.passed when it returns; else infinite */
};

/* From one stamp to the next. */
struct segment {
	uint64_t begin, end;		/* ticks */
	uint64_t steps;			/* from one event to another */
	uint64_t step;			/* passed */
	double weight, passed;		/* the same, weighed */
	double outside;			/* weight of each gap in which nothing is open, */
	uint32_t outsides;		/* and how many there are */
	bool begun;			/* `begin` is a stamp */
	bool own;			/* `end` is one of what follows it alone */
	bool ended;			/* `end` is one, else a time when all of it was over */
	bool free;			/* its first event is at its begin */
	bool away;			/* that is AWAY, its only one: others ran */
	bool struck_known;		/* the walk's spans are those in it */
	unsigned strikes;		/* handlers' among them, */
	uint64_t widened;		/* and ticks that these took beyond their stamps */
	uint64_t struck;		/* ticks of all of them, */
	size_t span;			/* those passed, */
	uint64_t out;			/* and their ticks */
};

struct span {
	uint64_t begin, end;		/* ticks */
};

/* From then on this task runs. */
struct change {
	uint64_t ticks;
	uint32_t lane;
};

/* Outermost calls of other lanes, in order: read as far as the walk came. */
struct strikes {
	struct trace_walk *walks[TRACE_LANES];
	struct span next[TRACE_LANES];
	bool has[TRACE_LANES];
	bool open[TRACE_LANES];		/* next.begin is known, its end not yet */
	struct trace_event ahead[TRACE_LANES];	/* of a task: read, behind the segment */
	bool has_ahead[TRACE_LANES];
	uint64_t back[TRACE_LANES];	/* when its AWAY ends, behind the segment; 0: none does */
	struct change *changes;		/* in the segment, as other tasks tell */
	size_t change_count, change_cap;
	struct span *spans;		/* in the walk's segment; none overlaps another */
	size_t count, cap;
};

struct trace_walk {
	const struct trace *trace;
	const struct lane *lane;
	struct trace *grows;		/* of an account: may learn; else NULL */
	unsigned shift;
	uint8_t number;			/* the lane's */
	bool alone;			/* of strikes: times of others are not left out */
	struct range *ranges;
	size_t count, cap;
	struct mark mark;		/* a copy: what was open there is told first, */
	uint32_t held;			/* of that, so many were */
	struct mark_call *near_open;	/* `mark` may have these */
	size_t near_cap;
	uint64_t noted, notes_end;	/* positions: what is in between was skipped, but notes */
	uint64_t whole;			/* ticks: shorter trees are not looked into */
	uint64_t sought;		/* ticks */
	uint64_t ids;			/* if not 0: nor those without one of these, or that end */
					/* before the ticks sought */
	uint64_t until;			/* ticks: an account's segments end here or before */
	struct segment segment;
	struct strikes *strikes;	/* NULL: none were needed */
	double clock, clock_until;	/* of the newest event */
	double clock_begin;		/* of the segment */
	struct opened *open;
	uint32_t depth;
	size_t open_cap;
	uint32_t *scratch;		/* the same, of events to come */
	size_t scratch_cap;
	enum pace_from from;		/* the event before */
	bool leaving;			/* the leaf's return is next */
	bool fresh;			/* at the beginning of a segment */
	bool failed;
};

/* From `at` to the next stamp, or to where nothing is known. False: it ends behind `until`. */
bool segment_begin(struct trace_walk *w, uint64_t at);

/* Weights: from the event before to one of the function that is open, and of a tree in it. */
double opened_gap(const struct trace_walk *w, bool to_call);
double opened_tree(const struct trace_walk *w, const struct tree *tree);
/* The same of a call that is not told, which by itself would take so many ticks. */
double opened_share(const struct trace_walk *w, double ticks);
double opened_limit(const struct trace_walk *w);	/* all in it is passed by then */

/* A call begins: one that is told at a position; a leaf; one of which nothing is known. */
void opened_call(struct trace_walk *w, uint32_t id, uint64_t at);
void opened_leaf(struct trace_walk *w, uint32_t id);
void opened_push(struct trace_walk *w, const struct opened *o);
/* The innermost one returns: its id; 0: there is none. */
uint32_t opened_pop(struct trace_walk *w);
/* A call that is not looked into was in it. */
void opened_passed(struct trace_walk *w);

/* The time of an event so much behind the one before; `events` of them pass. */
uint64_t segment_pass(struct trace_walk *w, struct trace_event *e, double gap, uint64_t events);

/* When that much of the segment will have passed. */
uint64_t segment_time(struct trace_walk *w, double passed);

/* Spans in the walk's segment. */
void strikes_find(struct trace_walk *w);
void strikes_free(struct strikes *s);

static inline uint32_t walk_context(const struct trace_walk *w)
{
	return w->depth ? w->open[w->depth - 1].id : 0;
}

#endif
