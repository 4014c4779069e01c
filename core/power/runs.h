/*
 * runs: who ran when, by a call trace: one function at a time, over all its lanes. Handlers are
 * before what they interrupt; of the others the one whose lane was heard last.
 *
 * It is read on as the trace grows: what is told up to a time, from where the last reading ended.
 */
#ifndef WSNTOP_POWER_RUNS_H
#define WSNTOP_POWER_RUNS_H

#include "core/trace/trace.h"

struct runs_span {
	uint64_t begin, end;		/* ticks */
	uint32_t id;			/* function; 0: none was open */
	uint8_t lane;
	bool handler;			/* in an interrupt handler, or what it called */
	bool unknown;			/* frames were lost, or calls not told: it is not known */
};

/* Any may be NULL. */
struct runs_taker {
	void *ctx;
	void (*span)(void *ctx, const struct runs_span *span);
	/*
	 * A call began; a mark, value or state was told: at its ticks, in their order with spans.
	 * States from shortly before r->at come first, again: they may still hold.
	 */
	void (*event)(void *ctx, const struct trace_event *event);
};

struct runs {
	uint64_t at;			/* read up to here; 0: not yet */
	uint8_t lane;			/* the lane that ran then, but for handlers */
};

/* Up to this tick all lanes have told, or the trace is over (`ended`). */
uint64_t runs_told(const struct trace *t, bool ended);

/* From r->at to `until`. 0 or ERR_NOMEM. */
int runs_read(struct runs *r, const struct trace *t, uint64_t until,
	      const struct runs_taker *taker);

#endif
