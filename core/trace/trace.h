/*
 * trace: every call and return of a node, in order, as its TRACE frames tell them
 * (docs/PROTOCOL.md, 9). After Shea, Cho, Regehr: Optimizing the bandwidth of call traces for
 * wireless embedded systems; the dictionary of subtrees is this project's own.
 *
 * What is kept are items, 4 bytes each: a token, its reference resolved. A call that was told
 * before is one item, whatever is in it; its content is where it was told first, and is expanded
 * only when somebody walks there. Times are ticks of the node's clock, from the first frame on,
 * 64 bits.
 *
 *	token.c		bytes -> tokens, one row an encoding
 *	unpack.c	packed frames -> tokens
 *	store.c		a lane's items, in chunks, with what is open at each chunk's beginning
 *	tree.c		calls that were told whole, and the node's table of them
 *	bits.c		the encodings without a table: bits -> tokens
 *	lane.c		frames -> items
 *	pace.c		how long what lies between two events takes, learned
 *	habit.c		when the events in a known call are, learned
 *	telling.c	events -> habits
 *	walk.c		items -> events, with their times
 *	account.c	events -> the profile
 *	load.c		the same -> how much of the time a lane ran
 *	forget.c	the oldest parts are let go
 *	merge.c		events of all lanes
 *	tell.c		events that are seen from outside -> items; names of notes
 *	log.c		events -> a list to page through (log.h)
 *	trace.c		the lanes of a node
 *
 * Bad bytes are no errors: they are counted, and what they hid is an event of its own.
 */
#ifndef WSNTOP_TRACE_TRACE_H
#define WSNTOP_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/wire.h"

enum { TRACE_LANES = 16, TRACE_LANE_MAIN = 0, TRACE_LANE_HANDLERS = 1 };

/* A state that nobody logs: the function in which PC samples fell, one after the other. */
#define TRACE_SAMPLES UINT32_C(0xfffffe00)

/* Of one lane, or of all. Each is a sum since the trace began. */
struct trace_stats {
	uint64_t frames;
	uint64_t bytes;			/* of tokens */
	uint64_t calls;			/* told, those inside of references, too, and counted */
	uint64_t counted;		/* of these, not told: boxes, gaps */
	uint64_t untold;		/* the same, and those counted without a place */
	uint64_t frames_lost;
	uint64_t unknown;		/* references to calls that a lost frame told */
	uint64_t bad;			/* frames whose tokens contradicted themselves */
	uint64_t dropped;		/* frames that found no memory */
};

struct trace;
struct traced;

struct trace *trace_new(void);			/* NULL: out of memory */
void trace_free(struct trace *t);

/* How frames are to be read: with each TRACING. One of an unknown encoding makes frames bad. */
void trace_setup(struct trace *t, const struct wire_tracing *setup, uint32_t ticks_per_second);

/*
 * The ELF's tables, or NULL, which encodings 3 to 5 cannot be read without. Borrowed until the next
 * call of this.
 */
void trace_traced(struct trace *t, const struct traced *traced);

void trace_frame(struct trace *t, const struct wire_trace *frame);

/*
 * The node's counters reset, or it restarted: what is open ends, tables are empty, its profile
 * begins again.
 */
void trace_epoch(struct trace *t);

/* The id of a task's own function: a lane's outermost call if that never returns, else 0. */
uint32_t trace_lane_root(const struct trace *t, unsigned lane);

/* Several tasks have that function: it alone does not tell them apart. */
bool trace_lane_is_shared(const struct trace *t, unsigned lane);

/*
 * Ticks up to which a lane's calls are told: what it did since may still come, in its next frame.
 * No frame waits for half a second.
 */
uint64_t trace_lane_told(const struct trace *t, unsigned lane);

bool trace_is_empty(const struct trace *t);

/* seen[id] of each mark, value and state that it holds, of ids below `count`. */
void trace_marks_seen(const struct trace *t, bool *seen, size_t count);
uint32_t trace_last_id(const struct trace *t);	/* the highest id of a function so far */

/* From the first frame to the newest; false: there is none. */
bool trace_span(const struct trace *t, uint64_t *begin, uint64_t *end);

/* Calls of a lane from the beginning up to a time: exact where a walk can begin, about between. */
uint64_t trace_calls_until(const struct trace *t, unsigned lane, uint64_t ticks);
/*
 * Ticks of the same that the lane ran itself: a call of it was open, less what others ran. Behind
 * what is accounted for, and without an account, others' time is in it.
 */
uint64_t trace_busy_until(const struct trace *t, unsigned lane, uint64_t ticks);
/* Frames lost up to the last place before a time where a walk can begin. */
uint64_t trace_lost_until(const struct trace *t, unsigned lane, uint64_t ticks);

/*
 * Marks, values, states, AWAYs and LOSTs of a lane, in order: how many there are up to the newest
 * stamp at or before a time, and the i-th, at the time of the stamp before it. Nothing is walked.
 */
size_t trace_notes_until(const struct trace *t, unsigned lane, uint64_t ticks);
struct trace_event trace_note(const struct trace *t, unsigned lane, size_t i);

double trace_ticks_per_second(const struct trace *t);
void trace_stats(const struct trace *t, struct trace_stats *stats);
void trace_lane_stats(const struct trace *t, unsigned lane, struct trace_stats *stats);
size_t trace_memory(const struct trace *t);

/*
 * So many bytes at most, about, beside the profile: the oldest parts are let go, whole, a quarter
 * at a time. Counts and the profile stay. 0: no limit. trace_was_cut: trace_span begins behind the
 * first frame.
 */
void trace_limit(struct trace *t, size_t bytes);
bool trace_was_cut(const struct trace *t);

/* --- the profile of it ------------------------------------------------------------------------ */

/*
 * All calls from one function to another that returned so far. Times are of the node's clock from
 * call to return, less those of handlers and tasks that ran meanwhile. In a call that was told
 * before they are that part of its time that the weights of its gaps say.
 */
struct trace_edge {
	uint32_t from, to;		/* ids; from 0: none that is followed, or not known */
	uint32_t places[2];		/* the caller's of trace_edges to use; 0 at first */
	bool handler;			/* `to` is a handler */
	bool changed;			/* since the caller last cleared it */
	uint64_t calls;
	uint64_t timed;			/* calls whose time is known, */
	double total;			/* ticks */
	uint64_t min, max;
	uint32_t *spread;		/* calls by duration (lengths.h); NULL: none is known */
	/* One that took the longest is inside of this, right to a tick. */
	uint64_t max_begin, max_end;
	uint8_t max_lane;
};

/* A way of calls from outside of all that is followed. The first two are its two beginnings. */
struct trace_path {
	uint32_t parent;		/* an earlier one */
	uint32_t id;
	uint64_t calls, timed;
	double total;			/* ticks of the timed ones */
};

enum { TRACE_PATH_MAIN, TRACE_PATH_HANDLERS, TRACE_PATH_FIRST };

/*
 * Accounts for what is complete, up to the newest stamp of each lane. 0 or ERR_NOMEM. While frames
 * come: as far as all lanes have told what ran, which may be half a second before the newest frame.
 */
int trace_account(struct trace *t);
int trace_account_live(struct trace *t);

/*
 * Each way once; a function that is on its own way is not told again. NULL: there are too many.
 * Borrowed until the next trace_account. trace_paths_epoch changes when they begin again.
 */
const struct trace_path *trace_paths(const struct trace *t, size_t *count);
uint32_t trace_paths_epoch(const struct trace *t);

/* Borrowed until the next trace_account; the caller may clear `changed`. */
struct trace_edge *trace_edges(const struct trace *t, size_t *count);

/* The edge to a function with the longest call of it; false: none was timed. */
bool trace_longest(const struct trace *t, uint32_t id, struct trace_edge *longest);

/* --- events ----------------------------------------------------------------------------------- */

enum trace_event_kind {
	TRACE_CALL, TRACE_RETURN,
	TRACE_WHOLE,		/* a call with `count` calls in all, known, not looked into */
	TRACE_BOX,		/* a call with `count` calls in all that were not told */
	TRACE_UNKNOWN,		/* a call that a lost frame told first: closed */
	TRACE_GAP,		/* `count` calls that the node counted and did not tell */
	TRACE_LOST,		/* `count` frames; what was open is open no more */
	TRACE_HELD,		/* a call that was open behind a loss already: it began before */
	TRACE_MARK, TRACE_VALUE, TRACE_STATE,
	TRACE_AWAY,		/* another task went on, of lane `id`, until `until` */
};

/* How its time is known. */
enum trace_time {
	TRACE_TIME_UNKNOWN,	/* a stamp before it or behind it is missing: not after `ticks` */
	TRACE_TIME_BETWEEN,	/* interpolated between two stamps */
	TRACE_TIME_STAMPED,
};

struct trace_event {
	enum trace_event_kind kind;
	enum trace_time time;
	uint8_t lane;
	uint32_t depth;			/* calls open around it */
	uint32_t id;			/* function; of a mark: its own. 0: unknown */
	uint64_t ticks;
	uint64_t until;			/* WHOLE, BOX, UNKNOWN: when it returned; AWAY: came back */
	uint64_t since;			/* HELD: when it was called, as far as is known */
	uint64_t count;
	uint32_t tree;			/* WHOLE, RETURN: of core/trace alone */
	int64_t value;			/* VALUE, STATE */
	uint32_t by;			/* VALUE, STATE, MARK: the function that did it, where */
					/* that was told apart from the calls; 0: it was not */
};

/* --- told from outside ------------------------------------------------------------------------ */

/*
 * A trace that no frames tell but events, each with its time: what a simulator or a debug probe
 * saw. Ticks of a clock that does not wrap, and that all lanes share. Ids of functions are from
 * IMAGE_TOLD on, so that no weights are learned for them: each event has its time.
 */
void trace_setup_told(struct trace *t, double ticks_per_second);
bool trace_is_told(const struct trace *t);

/*
 * Its clock is the host's, though the target stood meanwhile: times tell the order alone. How long
 * something took is not known then.
 */
void trace_order_only(struct trace *t, bool ordered);
bool trace_is_order_only(const struct trace *t);

struct trace_told {
	enum trace_event_kind kind;	/* CALL, RETURN, MARK, VALUE, STATE, AWAY, LOST */
	uint8_t lane;
	uint32_t id;
	int64_t value;
	uint64_t ticks;			/* one before the newest counts as that */
	uint32_t by;			/* MARK, VALUE, STATE: a function's id, or 0 */
};

/* Returns of nothing are left out, and calls deeper than 1,024. 0 or ERR_NOMEM. */
int trace_tell(struct trace *t, const struct trace_told *told);

/* What a mark, value or state is called, or one state of it; later names replace earlier ones. */
void trace_name(struct trace *t, const struct wire_naming *naming);
const char *trace_note_name(const struct trace *t, uint32_t id);	/* NULL: it has none */
/* A value as a number: those of a real variable are told as the bits of a double. */
bool trace_note_is_real(const struct trace *t, uint32_t id);
double trace_note_number(const struct trace *t, uint32_t id, int64_t value);
const char *trace_state_name(const struct trace *t, uint32_t id, int64_t state);

enum { TRACE_NUMBER = 32 };
const char *trace_value_text(const struct trace *t, uint32_t id, int64_t value,
			      char dst[TRACE_NUMBER]);

/* --- walks ------------------------------------------------------------------------------------ */

struct trace_walk;

/* From the lane's beginning. NULL: out of memory. The trace must not change while it walks. */
struct trace_walk *trace_walk_new(const struct trace *t, unsigned lane);
void trace_walk_free(struct trace_walk *w);

/*
 * Begin anew, at or before `ticks`: what is open there comes first, as HELD. A call that was told
 * before and that is shorter than `whole` ticks becomes one event, WHOLE.
 */
void trace_walk_seek(struct trace_walk *w, uint64_t ticks, uint64_t whole);

/*
 * Behind a seek: on to the last stamp before the ticks sought at which so many calls are open at
 * most. They come as HELD, since a time before their begin; of what is skipped only states and
 * values are told. What is told behind it is the same as without this, for less work.
 */
void trace_walk_near(struct trace_walk *w, uint32_t depth);

/* On to the newest stamp, for a walk that goes on while frames come: all before it is complete. */
void trace_walk_extend(struct trace_walk *w);

/*
 * Until the next seek: of trees those alone are looked into that may hold a call of one of these
 * ids (an OR of trace_id_bit; UINT64_MAX: any), and that end at or behind the ticks sought. The
 * others are WHOLE.
 */
void trace_walk_only(struct trace_walk *w, uint64_t ids);

static inline uint64_t trace_id_bit(uint32_t id)
{
	return UINT64_C(1) << id % 64;
}

/* The next event, or false: there is none. */
bool trace_walk_next(struct trace_walk *w, struct trace_event *e);

/*
 * Where walks of a lane can begin, in the order of time: the first is its beginning. From one to
 * the next there are at least 1,024 items.
 */
struct trace_place {
	uint64_t ticks;
	uint64_t items;			/* of the lane before it */
	uint64_t ids;			/* of calls from here to the next: an OR of trace_id_bit */
};

size_t trace_places(const struct trace *t, unsigned lane);
struct trace_place trace_place(const struct trace *t, unsigned lane, size_t i);
/* The last one at or before a time. */
size_t trace_place_before(const struct trace *t, unsigned lane, uint64_t ticks);

/* The same of all lanes, in the order of their times. */
struct trace_merge;

struct trace_merge *trace_merge_new(const struct trace *t);
void trace_merge_free(struct trace_merge *m);
bool trace_merge_next(struct trace_merge *m, struct trace_event *e);

#endif
