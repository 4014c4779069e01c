/*
 * take: the state shared by the steps that take a moment. Private to core/history.
 *
 * take.c		the moment: boundaries, times, terms
 * take_raw.c		changes of call sites and PCs since the last moment
 * pace.c		the part of a late row's increment that belongs to this moment
 * take_function.c	each function's time and calls in it, and whether it is its worst
 */
#ifndef WSNTOP_HISTORY_TAKE_H
#define WSNTOP_HISTORY_TAKE_H

#include "core/history/parts.h"

/* Time and calls of a function of the profile in the moment. */
struct history_work {
	int64_t self, total;		/* ticks */
	int64_t calls, samples;
};

struct take {
	struct history *h;
	const struct profile *p;
	struct buf out;
	uint64_t site, pc;		/* the last one's number in it */
	uint32_t sites, pcs;		/* seen by now */
	bool starved;			/* some record had no room */
	bool paced;			/* call sites, arcs and PCs have paces (pace.c) */
	uint32_t now;			/* profile_stamp: its end */
	double length;			/* in its units */
	struct history_kept kept;
};

enum { ENDS = 3 };			/* of the runs of records: there is always room for them */

/* False: out of memory, and nothing was added. */
bool history_record_put(struct buf *out, const uint8_t *record, size_t n);

/* `joined`: new rows were counted before the stream was connected. */
void history_take_sites(struct take *t, bool joined);
void history_take_pcs(struct take *t, bool joined);
void history_take_functions(struct take *t);

/* pace.c: called once the moment's time is known, and after the moment is taken. */
void history_paces_begin(struct take *t);
void history_paces_end(struct take *t);

/*
 * Calls and ticks of a row that belong to this moment. heard: profile_site.heard; unsaid: calls
 * that the node may have left out even of a complete refresh.
 */
struct paced {
	int64_t calls, total;
};

struct paced history_pace_take(const struct take *t, struct history_pace *k, uint32_t heard,
			       struct paced increment, double unsaid);

#endif
