/*
 * pace: the part of a late row's increment that belongs to a moment.
 *
 * On a slow line a wsn node's rows come in turn (docs/PROTOCOL.md, 7), each every few seconds, with
 * the counts of several moments. So an increment is spread over its time: since the row came
 * before. The increment divided by that time is the row's pace. Each moment gets the pace times its
 * length, also moments in which the row does not come, until it is due again. Sums of moments stay
 * exact: only the time and calls of functions in a moment (trends, peaks, load) are made of paces.
 *
 * A row comes with or without a change (profile_site.heard). But a row without a change is left out
 * of all passes of a refresh except that of the rows in turn: then it is not late. The stream does
 * not show whether a refresh was complete, and a row that is left out proves nothing: the pass for
 * rows that changed much leaves out other changed rows, and its frames look like those of the pass
 * for all changed rows. Only time shows it. A node that has sent everything sends no row until its
 * next refresh; one on a line that is too slow begins the next refresh at once (core/node/past.c).
 * So a row that was left out of a refresh with time to spare and without a lost frame had not
 * changed by then (profile.told_ns): its next increment is all from after that time. A burst of one
 * second keeps its height that way.
 *
 * Arcs and PCs: between two refreshes with HELLO a node leaves out small changes, up to a sixteenth
 * of an arc's count, an eighth of a PC's and twelve. Up to that many may be from before that time.
 *
 * Where every row came, in this moment and the one before, nothing is spread: so it is on fast
 * lines, with reports, and with streams of single events. Limits: the first increment of a new row
 * is spread since the counters' reset or the last complete refresh, whichever is later; a node that
 * is cut off in the middle of a refresh looks as if it had sent everything; the total of a sampled
 * function, which gprof's propagation gives, is not spread.
 */
#include <math.h>

#include "core/history/take.h"

/* From then to now, in units of profile_stamp(), which wrap. */
static double stamps_between(uint32_t then, uint32_t now)
{
	return (double)(int32_t)(now - then);
}

static void paces_clear(struct history *h)
{
	for (size_t i = 0; i < h->site_count; i++)
		h->sites[i].pace.calls = h->sites[i].pace.total = 0;
}

void history_paces_begin(struct take *t)
{
	const struct profile *p = t->p;
	struct history *h = t->h;
	bool told = h->all_told && p->told_ns >= p->heard_ns;

	if (!p->heard_ns || !t->kept.m.length_ns)
		return;
	t->now = profile_stamp(t->kept.m.time_ns);
	t->length = ldexp((double)t->kept.m.length_ns, -20);
	if (!h->number || t->kept.m.began)
		h->told = profile_stamp(t->kept.m.time_ns - t->kept.m.length_ns);
	t->counts_late = true;
	t->late = !told;
	if (t->late && !h->late)
		paces_clear(h);
}

void history_paces_end(struct take *t)
{
	t->h->late = t->late;
	t->h->all_told = t->p->told_ns >= t->p->heard_ns;
	if (t->p->told_ns)
		t->h->told = profile_stamp(t->p->told_ns);
}

static bool told_since(const struct take *t, uint32_t stamp)
{
	return t->p->told_ns && stamps_between(stamp, profile_stamp(t->p->told_ns)) > 0;
}

/* 1 / the time of an increment: at least the moment's, as a shorter time gives no rate. */
static double pace_of(const struct take *t, const struct history_pace *k, uint32_t heard,
		      double calls, double unsaid)
{
	double age = fmax(t->length, stamps_between(k->heard, heard));
	double told = fmax(t->length, stamps_between(t->h->told, heard));

	return fmax(1 / age, (1 - fmin(1, unsaid / fmax(calls, 1))) / told);
}

/* Rounded down, except for a float's error; hostile counters may be any number. */
static int64_t count_floor(double n)
{
	return (int64_t)floor(fmax(-9e18, fmin(n + fabs(n) * 1e-6 + 1e-3, 9e18)));
}

struct paced history_pace_take(const struct take *t, struct history_pace *k, uint32_t heard,
			       struct paced increment, double unsaid)
{
	double calls;

	/* A count shrank (a lost frame, a hostile node): a correction, which is no pace. */
	if (increment.calls < 0 || increment.total < 0) {
		*k = (struct history_pace){ .heard = heard, .until = heard };
		return increment;
	}
	if (heard != k->heard || increment.calls || increment.total) {
		double pace = pace_of(t, k, heard, (double)increment.calls, unsaid);

		k->calls = (float)((double)increment.calls * pace);
		k->total = (float)((double)increment.total * pace);
		k->heard = heard;
		k->until = heard + (uint32_t)fmin(1 / pace + t->length, INT32_MAX);
	} else if (k->calls || k->total) {
		/*
		 * It was left out: the most that it may have counted nevertheless. Or it is
		 * overdue.
		 */
		double most = told_since(t, t->h->told) ? unsaid / t->length : INFINITY;

		if (stamps_between(k->until, t->now) > 0)
			most = 0;
		if ((double)k->calls > most || (most == 0 && k->total)) {
			k->total *= (float)(k->calls ? most / (double)k->calls : 0);
			k->calls = (float)most;
		}
	}
	calls = (double)k->calls * t->length + (double)k->part;
	k->part = (float)(calls - (double)count_floor(calls));
	return (struct paced){ count_floor(calls), count_floor((double)k->total * t->length) };
}
