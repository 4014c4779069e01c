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
 * does not change is left out by all passes of a refresh except the rows in turn; it is not late.
 * The stream does not say whether a refresh came through, and a row that is left out proves
 * nothing: the pass for rows that changed much leaves out others that changed, too, and its frames
 * look like those of the pass for all that changed. Only time tells. A node that has sent all sends
 * no row until its next refresh; one whose line is too slow begins the next refresh at once
 * (node_past.c). So a row that was left out by a refresh which left time to spare, and lost no
 * frame, had not changed by then (profile.told_ns): all of its next increment is from after that.
 * This keeps a burst of one second as high as it was.
 *
 * Arcs and PCs: between two refreshes with HELLO a node leaves out what counted little, a sixteenth
 * of an arc's count, an eighth of a PC's and twelve. So much may be from before, the rest is not.
 *
 * Where every row was told, in this moment and the one before, there is nothing to spread: so it is
 * on fast lines, with reports, and with streams of single events. Limits: the first increment of a
 * new row is spread since the counters began or the last refresh that came through, whichever is
 * later; a node that is cut off in the middle of a refresh looks as if it had said all; the total
 * of a sampled function, which gprof's propagation gives, is not spread.
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

/* The run is a row, too: a moment of a slow line may have two of its STATUS, or none. */
static void run_pace(struct take *t)
{
	const struct profile *p = t->p;
	struct history *h = t->h;

	if (p->run_ns > h->run_ns) {
		h->run_pace = NAN;
		if (h->run_ns && t->kept.run)
			h->run_pace = profile_seconds(p, (double)t->kept.run) * 1e9 /
				      (double)(p->run_ns - h->run_ns);
		h->run_ns = p->run_ns;
	}
	if (t->late && h->run_pace > 0)
		t->kept.seconds = fmin(1, h->run_pace) * (double)t->kept.m.length_ns / 1e9;
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
	run_pace(t);
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

/* One over the time that an increment is of: at least the moment's, a shorter one tells no rate. */
static double pace_of(const struct take *t, const struct history_pace *k, uint32_t heard,
		      double calls, double unsaid)
{
	double age = fmax(t->length, stamps_between(k->heard, heard));
	double told = fmax(t->length, stamps_between(t->h->told, heard));

	return fmax(1 / age, (1 - fmin(1, unsaid / fmax(calls, 1))) / told);
}

/* Rounded down, but for what a float lacks; hostile counters may say anything. */
static int64_t count_floor(double n)
{
	return (int64_t)floor(fmax(-9e18, fmin(n + fabs(n) * 1e-6 + 1e-3, 9e18)));
}

struct paced history_pace_take(const struct take *t, struct history_pace *k, uint32_t heard,
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
		k->part = (float)(calls - (double)count_floor(calls));
	return (struct paced){ count_floor(calls), count_floor((double)k->total * t->length) };
}
