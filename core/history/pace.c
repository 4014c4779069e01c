/*
 * pace: what of a row that comes late is this moment's.
 *
 * On a slow line a wsn node's rows come in turn (docs/PROTOCOL.md, 7), each every few seconds, and
 * bring what several moments counted. So an increment is spread over the time that it is of: since
 * the row was told before. That is its pace, and each moment has as much of it as it is long, those
 * too in which the row is not told, until it should have been told again. Sums of moments stay
 * exact: only what functions did in a moment (trends, peaks, load) is made of paces.
 *
 * When was a row told? Each time that it comes, changed or not (profile_site.heard). But a row that
 * does not change is left out by all passes of a refresh but the rows in turn; it is not late. The
 * stream does not say whether a refresh came through, and a row that is left out proves nothing: the
 * pass for rows that changed much leaves others out, and cannot be told from the one for all that
 * changed. What tells is time. A node that has sent all is silent until its next refresh, one whose
 * line is too slow begins the next one at once (node_past.c). So what was left out by a refresh that
 * left time to spare, and lost no frame, had not changed by then (profile.told_ns): of the next
 * increment all is from after that, which is what keeps a burst of a second what it was.
 *
 * Arcs and PCs: between two refreshes with HELLO a node leaves out what counted little, a sixteenth
 * of an arc's count, an eighth of a PC's and twelve. So much may be from before, the rest is not.
 *
 * Where every row was told, in this moment and the one before, there is nothing to spread: that is
 * all of what comes of fast lines, of reports, and of streams of single events. Limits: a row that
 * is new is taken for as old as the counters or the last refresh that came through, whichever is
 * younger; a line that is cut while it had much to say looks as if it had said all.
 */
#include <math.h>

#include "core/history/take.h"

/* From then to now, in units of profile_stamp(); it goes round. */
static double stamps_between(uint32_t then, uint32_t now)
{
	return (double)(int32_t)(now - then);
}

static void paces_clear(struct history *h)
{
	for (size_t i = 0; i < h->site_count; i++)
		h->sites[i].pace.calls = h->sites[i].pace.total = 0;
}

void paces_begin(struct take *t)
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

void paces_end(struct take *t)
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

/* One over the time that an increment is of. A moment's own length at least: bursts have no rate. */
static double pace_of(const struct take *t, const struct history_pace *k, uint32_t heard,
		      double calls, double unsaid)
{
	double age = fmax(t->length, stamps_between(k->heard, heard));
	double told = fmax(t->length, stamps_between(t->h->told, heard));

	return fmax(1 / age, (1 - fmin(1, unsaid / fmax(calls, 1))) / told);
}

/* Rounded down, but for what a float lacks; hostile counters may say anything. */
static int64_t whole(double n)
{
	return (int64_t)floor(fmax(-9e18, fmin(n + fabs(n) * 1e-6 + 1e-3, 9e18)));
}

struct paced pace_take(const struct take *t, struct history_pace *k, uint32_t heard,
		       struct paced increment, double unsaid)
{
	double calls;

	if (heard != k->heard || increment.calls || increment.total) {
		double pace = pace_of(t, k, heard, (double)increment.calls, unsaid);

		k->calls = (float)((double)increment.calls * pace);
		k->total = (float)((double)increment.total * pace);
		k->heard = heard;
		k->until = heard + (uint32_t)fmin(1 / pace + t->length, INT32_MAX);
	} else if (k->calls || k->total) {
		/* It was left out: what may it have counted all the same? Or it is overdue. */
		double most = told_since(t, t->h->told) ? unsaid / t->length : INFINITY;

		if (stamps_between(k->until, t->now) > 0)
			most = 0;
		if ((double)k->calls > most || (most == 0 && k->total)) {
			k->total *= (float)(k->calls ? most / (double)k->calls : 0);
			k->calls = (float)most;
		}
	}
	calls = (double)k->calls * t->length + (double)k->part;
	if (k->calls > 0)
		k->part = (float)(calls - (double)whole(calls));
	return (struct paced){ whole(calls), whole((double)k->total * t->length) };
}
