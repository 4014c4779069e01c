/*
 * wsn/age: at which run of the node a row was read. Rows come one after the other, and a caller's
 * row may be many seconds older than its callee's; who compares them has to know.
 *
 * A refresh begins with STATUS, which has the run. A row's is that and what the bytes since took:
 * where the line has no time to spare (`late`) bytes flow evenly, and the refresh before tells how
 * fast. Else the line is idle after a refresh. But each refresh has some rows twice, in turn and
 * because they changed: what they counted in between, at their usual pace, is the time. That the
 * line has none to spare is told by this, too, and by rows that count all the time and yet do not
 * come in each refresh.
 */
#include "core/wire/wsn/state.h"

enum {
	STEADY = 16,		/* calls in a refresh: such a row surely changes in each */
	REMEMBERED = 64,	/* rows that decide */
	FORGOTTEN = 8,		/* this part of what is counted is, each refresh */
};

/* Bytes that took this part of the mean went over a line that was hardly ever idle. */
#define FULL 0.7

/* Ticks a byte, over a whole refresh, and while bytes flow: 0: not known yet. */
static double mean_ticks(const struct wsn_age *a)
{
	return a->bytes ? (double)a->ticks / (double)a->bytes : 0;
}

static double flow_ticks(const struct wsn_age *a)
{
	return a->over > 0 ? a->spent / a->over : 0;
}

/* The line is hardly ever idle. */
static bool is_late(const struct wsn_age *a)
{
	return (4 * a->late > a->prompt && 4 * a->bytes >= 3 * a->most) ||
	       flow_ticks(a) > FULL * mean_ticks(a);
}

void wsn_age_status(struct wsn *w, struct wire_status *s)
{
	struct wsn_age *a = &w->age;

	s->run_before = s->run;
	if (a->refresh && s->run >= w->status.run) {
		s->run_before = w->status.run;
		a->ticks = s->run - w->status.run;
		a->bytes = a->place - a->begin;
		a->most -= a->most / FORGOTTEN;
		if (a->bytes > a->most && a->refresh > 1)	/* the first has all rows twice */
			a->most = a->bytes;
	}
	a->spent -= a->spent / FORGOTTEN;
	a->over -= a->over / FORGOTTEN;
	a->refresh++;
	a->begin = a->place;
	s->late = is_late(a);
}

static double ticks_per_byte(const struct wsn *w)
{
	const struct wsn_age *a = &w->age;

	if (!(w->hello.wire.features & WSN_F_RUNNING))
		return 0;		/* its clock stands still */
	return w->status.late ? mean_ticks(a) : flow_ticks(a);
}

uint64_t wsn_age_run(const struct wsn *w)
{
	double passed = ticks_per_byte(w) * (double)(w->age.place - w->age.begin);
	double most = (double)w->age.ticks;

	return w->status.run + (uint64_t)(passed < most ? passed : most);
}

/* It came twice in this refresh: what it counted in between tells how fast the line is. */
static void line_measure(struct wsn_age *a, const struct wsn_slot *s, uint64_t calls)
{
	if (!(s->pace > 0) || a->place <= s->place)
		return;
	a->spent += (double)calls;
	a->over += (double)s->pace * (double)(a->place - s->place);
}

static void lateness_measure(struct wsn_age *a, uint32_t refreshes, uint64_t calls)
{
	if (calls / STEADY < refreshes)
		return;
	*(refreshes > 1 ? &a->late : &a->prompt) += 1;
	if (a->late + a->prompt < REMEMBERED)
		return;
	a->late /= 2;
	a->prompt /= 2;
}

void wsn_age_row(struct wsn *w, struct wsn_slot *s, uint64_t calls)
{
	struct wsn_age *a = &w->age;
	uint64_t run = wsn_age_run(w);

	if (s->refresh == a->refresh) {
		line_measure(a, s, calls);
	} else {
		lateness_measure(a, a->refresh - s->refresh, calls);
		s->pace = run > s->run ? (float)calls / (float)(run - s->run) : 0;
	}
	wsn_age_first(w, s);
}

void wsn_age_first(struct wsn *w, struct wsn_slot *s)
{
	s->refresh = w->age.refresh;
	s->place = w->age.place;
	s->run = wsn_age_run(w);
}
