/*
 * log: what happened, as a list of lines to page through, in the order of time: marks, values and
 * states of all lanes, calls of functions that somebody asks for, or all calls; where events are
 * missing. 32 bytes an entry, at most so many as the log is made for: then the oldest go.
 *
 * Entries are numbered from the first one that was taken in; a number stays. They are copies: an
 * entry outlives the part of the trace that it was in. A trace is taken in by pieces, so that a
 * long one keeps nobody waiting: of one that is told from outside nothing is walked where no calls
 * are asked for.
 */
#ifndef WSNTOP_TRACE_LOG_H
#define WSNTOP_TRACE_LOG_H

#include "core/trace/trace.h"

enum trace_log_calls {
	TRACE_LOG_NO_CALLS,
	TRACE_LOG_SOME_CALLS,		/* those that `wants`; of a trace told from outside */
	TRACE_LOG_ALL_CALLS,		/* the newest, about as many as there is room for */
};

struct trace_log_terms {
	enum trace_log_calls calls;
	bool (*wants)(const void *ctx, uint32_t id);	/* calls of this function */
	/* The vector table's number of an interrupt handler; below 0: it is none, or not known. */
	int (*number)(const void *ctx, uint32_t id);	/* NULL: none is known */
	const void *ctx;
};

#define TRACE_LOG_OPEN 0			/* `until` of a call that has not returned, */
#define TRACE_LOG_CUT UINT64_MAX		/* and of one whose end is not known */
#define TRACE_LOG_SOMEWHERE UINT32_MAX		/* `within`, where calls are not gone through */

struct trace_log_entry {
	uint64_t ticks;
	union {
		int64_t value;		/* VALUE, STATE */
		uint64_t until;		/* CALL: ticks */
		uint64_t count;		/* BOX, GAP: calls; LOST: frames */
	};
	uint32_t id;
	uint32_t within;		/* the function that was open around it on its lane; */
					/* 0: none is known */
	uint8_t kind;			/* enum trace_event_kind: CALL, BOX, UNKNOWN, GAP, LOST, */
					/* MARK, VALUE, STATE */
	uint8_t lane;
	uint8_t time;			/* enum trace_time */
};

struct trace_log;

struct trace_log *trace_log_new(size_t most);	/* entries; NULL: out of memory */
void trace_log_free(struct trace_log *l);

/* Forget all, and begin again with these terms: another trace, other functions. */
void trace_log_begin(struct trace_log *l, const struct trace_log_terms *terms);

/*
 * Take in what came since, of at most about so many events. `ended`: the trace gets no longer.
 * True: there is more to be taken in. The trace must be the same since trace_log_begin.
 */
bool trace_log_take(struct trace_log *l, const struct trace *t, bool ended, size_t events);

/* Out of memory: entries are missing since trace_log_begin. */
bool trace_log_starved(const struct trace_log *l);

/* The share of the trace's time that was taken in, 0..1. */
double trace_log_share(const struct trace_log *l, const struct trace *t);

/* The number of the oldest entry that is there, and the one behind the newest. */
uint64_t trace_log_first(const struct trace_log *l);
uint64_t trace_log_end(const struct trace_log *l);

/* NULL: it is not there. Borrowed until trace_log_take. */
const struct trace_log_entry *trace_log_entry(const struct trace_log *l, uint64_t number);

/* The number of the first entry at or behind a time; trace_log_end: there is none. */
uint64_t trace_log_at(const struct trace_log *l, uint64_t ticks);

/* `within` of an entry that was taken in without calls: some thousand events are walked for it. */
uint32_t trace_log_within(const struct trace *t, const struct trace_log_entry *e);

#endif
