/*
 * trace/load: how much of the time a lane ran itself: time in which a call of it was open, less
 * what others ran meanwhile. The sums of all lanes are the time at most.
 *
 * The account tells it, as far as it came: the clock of its walk leaves out what others ran, and
 * the time outside of all calls. Behind that, and where there is no account, it is the time between
 * stamps in which a call was open, others' included.
 */
#include "core/trace/state.h"

#include <math.h>

#include "core/base/sorted.h"

static size_t marks_until(const struct lane *l, uint64_t units)
{
	return SORTED_ABOVE(l->marks, l->mark_count, units, units);
}

/* Between two places it grows evenly. */
static double evenly_between(double from, double to, double at, double low, double high)
{
	if (at <= from || to <= from)
		return low;
	return at >= to ? high : low + (high - low) * (at - from) / (to - from);
}

/* --- from stamps alone: ticks ----------------------------------------------------------------- */

static double open_until(const struct trace *t, const struct lane *l, double units)
{
	double shift = (double)(UINT64_C(1) << t->shift);
	size_t n = marks_until(l, (uint64_t)units), first = l->store.gone != 0;
	double low = n ? (double)l->marks[n - 1].busy
		       : first && l->mark_count ? (double)l->marks[0].busy : 0;
	double from = n ? (double)l->marks[n - 1].units : units;

	if (n < l->mark_count)
		return shift * evenly_between(from, (double)l->marks[n].units, units, low,
					      (double)l->marks[n].busy);
	return shift * evenly_between(from, (double)(t->now >> t->shift), units, low,
				      (double)l->busy);
}

/* --- from the account ------------------------------------------------------------------------- */

/* Another account begins: at the lane's beginning, or at a new epoch. */
void load_begin(const struct trace *t, struct lane *l)
{
	struct load *d = &l->load;
	double open = 0;

	*d = (struct load){ .begun = true };
	while (d->marks < l->mark_count && l->marks[d->marks].at < l->epoch_at) {
		struct mark *m = &l->marks[d->marks++];
		double before = open;

		open = open_until(t, l, (double)m->units);
		m->own = m->has_own ? m->own : d->busy + open - before;
		m->has_own = true;
		d->busy = m->own;
		d->until = m->units << t->shift;
	}
}

/* The walk came to a segment that began at this time of the lane's own. */
static void marks_pass(struct lane *l, uint64_t position, double busy)
{
	struct load *d = &l->load;

	for (; d->marks < l->mark_count && l->marks[d->marks].at < position; d->marks++) {
		l->marks[d->marks].own = busy;
		l->marks[d->marks].has_own = true;
	}
}

void load_event(const struct trace *t, struct lane *l, const struct trace_walk *w,
		const struct trace_event *e, bool open)
{
	struct load *d = &l->load;
	double clock = walk_clock(w), begin = walk_clock_begin(w);
	double passed = fmax(clock - d->clock, 0);

	open |= d->gap > 0;
	if (begin > d->clock)
		marks_pass(l, walk_position(w), d->busy + (open ? begin - d->clock : 0));
	else
		marks_pass(l, walk_position(w), d->busy);
	d->busy += !open ? 0 : d->gap > 0 ? fmin(passed, d->gap) : passed;
	d->gap = e->kind == TRACE_GAP && !e->depth ? pace_closed_weight(&t->pace, e->count) : 0;
	d->clock = clock;
	d->until = e->ticks > d->until ? e->ticks : d->until;
	if (e->kind != TRACE_WHOLE && e->kind != TRACE_BOX && e->kind != TRACE_UNKNOWN)
		return;
	d->busy += fmax(walk_clock_until(w) - clock, 0);
	d->clock = fmax(walk_clock_until(w), clock);
	d->until = e->until > d->until ? e->until : d->until;
}

void load_cut(struct lane *l, size_t marks)
{
	l->load.marks -= l->load.marks < marks ? l->load.marks : marks;
}

uint64_t trace_busy_until(const struct trace *t, unsigned lane, uint64_t ticks)
{
	const struct lane *l = &t->lanes[lane];
	const struct load *d = &l->load;
	size_t n = marks_until(l, ticks >> t->shift);
	double units = (double)ticks / (double)(UINT64_C(1) << t->shift), low = 0, from = units;

	if (!d->begun)
		return (uint64_t)open_until(t, l, floor(units));
	if (ticks > d->until && l->account && account_position(l->account) >= l->stamp_end)
		return (uint64_t)d->busy;
	if (ticks > d->until)
		return (uint64_t)(d->busy + open_until(t, l, units) -
				  open_until(t, l, (double)(d->until >> t->shift)));
	if (n || (l->store.gone && l->mark_count))
		low = l->marks[n ? n - 1 : 0].own;
	if (n)
		from = (double)l->marks[n - 1].units;
	if (n < d->marks)
		return (uint64_t)evenly_between(from, (double)l->marks[n].units, units, low,
						l->marks[n].own);
	return (uint64_t)evenly_between(from, (double)(d->until >> t->shift), units, low,
					d->busy);
}
