/*
 * take: what the steps of taking a moment share. Private to core/history.
 *
 * take.c		the moment: boundaries, times, terms
 * take_raw.c		call sites and PCs: how they differ from what was last seen
 * pace.c		what of a row that comes late is this moment's
 * take_function.c	what each function did in it, and whether it was its worst
 */
#ifndef WSNTOP_HISTORY_TAKE_H
#define WSNTOP_HISTORY_TAKE_H

#include "core/history/parts.h"

/* What a function of the profile did in the moment. */
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
	bool late, counts_late;		/* call sites, arcs and PCs have paces (pace.c) */
	uint32_t now;			/* profile_stamp: its end */
	double length;			/* in its units */
	struct history_kept kept;
};

enum { ENDS = 3 };			/* of the runs of records: there is always room for them */

/* False: out of memory, and nothing was added. */
bool take_out(struct buf *out, const uint8_t *record, size_t n);

/* `joined`: what is new was counted before the stream was joined. */
void take_sites(struct take *t, bool joined);
void take_pcs(struct take *t, bool joined);
void take_functions(struct take *t);

/* pace.c. Which rows have paces in this moment: once its time is known. And when it is taken. */
void paces_begin(struct take *t);
void paces_end(struct take *t);

/*
 * How many calls and ticks of a row fall into this moment. heard: profile_site.heard; unsaid: calls
 * that even a refresh which came through may have left unsaid.
 */
struct paced {
	int64_t calls, total;
};

struct paced pace_take(const struct take *t, struct history_pace *k, uint32_t heard,
		       struct paced increment, double unsaid);

#endif
