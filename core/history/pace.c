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
 * Neither is a proof: a firmware that does not poll for a while in the middle of a refresh falls
 * silent, too. But the next refresh goes on where this one ended. So a row that was left out of
 * HISTORY_TOLD refreshes with time to spare and without a lost frame (profile.told_ns) had not
 * changed by the last of them: its next increment is all from after that time. A burst of one
 * second keeps its height that way. Without that proof a burst is spread over the few moments since
 * its row came: no rate is ever higher than the true one.
 *
 * Arcs and PCs: between two refreshes with HELLO a node leaves out small changes, up to a sixteenth
 * of an arc's count, an eighth of a PC's and twelve. Up to that many may be from before that time.
 *
 * A row that comes once in each moment is spread, too: it may come at the begin of one moment and
 * at the end of the next one, with the counts of nearly two. Streams of single events and reports
 * have no paces: their counts come at once. Limits: the first increment of a new row
 * is spread since the counters' reset or the last complete refresh, whichever is later; the total
 * of a sampled function, which gprof's propagation gives, is not spread.
 */
#include <math.h>
#include <string.h>

#include "core/history/take.h"

/* From then to now, in units of profile_stamp(), which wrap. */
static double stamps_between(uint32_t then, uint32_t now)
{
	return (double)(int32_t)(now - then);
}

static void stamps_begin(uint32_t *stamps, uint32_t stamp)
{
	for (int i = 0; i < HISTORY_TOLD; i++)
		stamps[i] = stamp;
}

void history_paces_begin(struct take *t)
{
	struct history *h = t->h;

	if (!t->p->heard_ns || !t->kept.m.length_ns)
		return;
	t->now = profile_stamp(t->kept.m.time_ns);
	t->length = ldexp((double)t->kept.m.length_ns, -20);
	if (!h->number || t->kept.m.began)
		stamps_begin(h->told, profile_stamp(t->kept.m.time_ns - t->kept.m.length_ns));
	t->paced = true;
}

void history_paces_end(struct take *t)
{
	uint32_t *told = t->h->told, now = profile_stamp(t->p->told_ns);

	if (!t->p->told_ns || now == told[0])
		return;
	memmove(told + 1, told, (HISTORY_TOLD - 1) * sizeof(*told));
	told[0] = now;
}

/* It was left out of so many refreshes that it had not changed. */
static bool pace_is_quiet(const struct take *t, const struct history_pace *k)
{
	return stamps_between(k->heard, t->h->told[HISTORY_TOLD - 1]) > 0;
}

/* At least the moment's, as a shorter time gives no rate; stamps are rounded to their unit. */
static double increment_time(const struct take *t, uint32_t then, uint32_t heard)
{
	double time = stamps_between(then, heard);

	return time < t->length + 1 ? t->length : time;
}

/* 1 / the time of an increment. */
static double pace_of(const struct take *t, const struct history_pace *k, uint32_t heard,
		      double calls, double unsaid)
{
	double age = increment_time(t, k->heard, heard);
	double told = increment_time(t, t->h->told[0], heard);

	if (!pace_is_quiet(t, k))
		return 1 / age;
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
		double most = pace_is_quiet(t, k) ? unsaid / t->length : INFINITY;

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
