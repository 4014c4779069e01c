/*
 * axis: the events of the second way (across.c) on the time axis of the first.
 *
 * Both tell cycles of the core. Where both read CYCCNT, they are the same cycles. SWO's time stamps
 * count from another zero, and it depends on the chip whether they go on while it is halted. What
 * is known: a stamp that came before a hit was told is of before the hit's stop, and the greatest
 * distance of all of these is the nearest one. It only grows, be it that the stamps go on during
 * stops. A stamp that comes LATE_NS after the hit was told is of behind the stop: the truth is
 * between the two, and how far they are apart is told with how it goes.
 *
 * Events wait until the first way's have come to their time: a trace's times only grow.
 */
#include "core/node/parts.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"

#define LATE_NS (CLOCK_SECOND / 50)	/* a USB adapter keeps bytes for 16 ms */
#define HOLD_NS (CLOCK_SECOND / 10)	/* while the target stands nothing comes */
#define NONE_NS (2 * CLOCK_SECOND)	/* the first way tells nothing: no pin, a dead line */
#define RATES_ALIKE 0.05		/* measured rates of one clock */
#define TWO_32 4294967296.0

enum { HANDLERS_OWN = 2 };		/* lane of calls in handlers that a trace port tells */

/* --- where a tick of the second one is ------------------------------------------------------- */

static double axis_hz(const struct node *n)
{
	return n->across.first_seeing.ticks_per_second > 0 ?
	       n->across.first_seeing.ticks_per_second : n->seen.ported.hz;
}

static bool cycles_shared(const struct node_axis *x, const struct wire_seeing *first)
{
	return x->seeing.cycles && first->cycles;
}

/* Ticks of the axis since the second one's tick 0. */
static double axis_ticks(const struct node *n, uint64_t ticks)
{
	double hz = axis_hz(n), own = n->across.axis.seeing.ticks_per_second;
	double ratio = hz > 0 && own > 0 ? hz / own : 1;

	return (double)ticks * (fabs(ratio - 1) < RATES_ALIKE ? 1 : ratio);
}

/* By the same counter: of all that are alike modulo 2^32, the nearest to what was reached. */
static uint64_t cycles_place(const struct node *n, uint64_t ticks)
{
	const struct node_axis *x = &n->across.axis;
	uint64_t at = ticks + x->seeing.cycle - n->across.first_seeing.cycle;
	double since = n->arrival_ns > x->reached_ns ? (double)(n->arrival_ns - x->reached_ns) : 0;
	double expected = (double)x->reached + since / 1e9 * axis_hz(n);
	double rounds = floor((expected - (double)(at & UINT32_MAX)) / TWO_32 + 0.5);

	return (at & UINT32_MAX) + (rounds > 0 ? (uint64_t)rounds << 32 : 0);
}

static uint64_t axis_place(const struct node *n, const struct wire_event *e)
{
	const struct node_axis *x = &n->across.axis;
	double at;

	if (x->own)
		return e->ticks;
	if (cycles_shared(x, &n->across.first_seeing))
		return cycles_place(n, e->ticks);
	at = axis_ticks(n, e->ticks) + x->low;
	return at > 0 ? (uint64_t)at : 0;
}

/* The first one is placed the worst: `low` only grows. */
static void placed_note(struct node_axis *x)
{
	if (x->placed || !x->low_known)
		return;
	x->placed = true;
	x->placed_low = x->low;
}

static void distances_forget(struct node_axis *x)
{
	x->low_known = x->high_known = x->placed = x->awaits = false;
}

static void low_take(struct node_axis *x, double distance)
{
	if (x->low_known && distance <= x->low)
		return;
	x->low = distance;
	x->low_known = true;
	if (x->high_known && x->low > x->high)
		x->high_known = x->placed = false;	/* the stamps went on while it stood */
}

static void high_take(struct node_axis *x, double distance)
{
	if (distance < x->low || (x->high_known && distance >= x->high))
		return;
	x->high = distance;
	x->high_known = true;
}

double axis_apart(const struct node *n)
{
	const struct node_axis *x = &n->across.axis;
	double hz = axis_hz(n);

	if (cycles_shared(x, &n->across.first_seeing))
		return 0;
	if (!x->placed || !x->high_known || !(hz > 0) || x->own)
		return NAN;
	return (x->high - x->placed_low) / hz;
}

/* --- the events that wait -------------------------------------------------------------------- */

static void event_release(struct node *n)
{
	struct node_axis *x = &n->across.axis;
	struct wire_event e = x->held[0];

	e.ticks = axis_place(n, &e);
	placed_note(x);
	if (e.lane == TRACE_LANE_HANDLERS && n->seen.ported.timed)
		e.lane = HANDLERS_OWN;
	if (x->own)
		seen_setup(n, &x->seeing);
	else if (n->seen.ported.stamped)
		exceptions_clock(n);
	x->held_n--;
	memmove(x->held, x->held + 1, x->held_n * sizeof(x->held[0]));
	memmove(x->held_ns, x->held_ns + 1, x->held_n * sizeof(x->held_ns[0]));
	seen_events(n, &e, 1);
}

static bool axis_known(const struct node_axis *x)
{
	return x->own || x->begun;
}

void axis_release(struct node *n)
{
	while (n->across.axis.held_n)
		event_release(n);
}

static void event_hold(struct node *n, const struct wire_event *e)
{
	struct node_axis *x = &n->across.axis;

	if (x->held_n == AXIS_HELD)
		event_release(n);
	x->held[x->held_n] = *e;
	x->held_ns[x->held_n++] = n->arrival_ns;
	if (!x->begun)
		return;
	low_take(x, (double)x->reached - axis_ticks(n, e->ticks));
	if (x->awaits)
		return;
	x->awaits = true;
	x->awaits_ticks = e->ticks;
	x->awaits_ns = n->arrival_ns;
}

bool axis_events(struct input *in, const struct wire_event *events, size_t count)
{
	struct node *n = in->node;

	if (!n->across.input)
		return false;
	if (across_is(in)) {
		for (size_t i = 0; i < count; i++)
			event_hold(n, &events[i]);
		return true;
	}
	for (size_t i = 0; i < count; i++)
		axis_reach(n, events[i].ticks);
	return false;
}

/* The first way tells a time at last: what was told by the other clock is let go. */
static void own_end(struct node *n)
{
	const struct wire_seeing *first = &n->across.first_seeing;

	stretches_yield_all(n);
	if (first->ticks_per_second > 0)
		seen_setup(n, first);	/* told once, of the trace that is gone */
}

void axis_reach(struct node *n, uint64_t ticks)
{
	struct node_axis *x = &n->across.axis;

	if (!n->across.input)
		return;
	if (x->own)
		own_end(n);
	if (x->begun && ticks < x->reached)
		distances_forget(x);	/* from another zero */
	if (x->awaits && n->arrival_ns - x->awaits_ns > LATE_NS) {
		high_take(x, (double)ticks - axis_ticks(n, x->awaits_ticks));
		x->awaits = false;
	}
	x->own = false;
	x->begun = true;
	x->reached = ticks;
	x->reached_ns = n->arrival_ns;
	while (x->held_n && axis_place(n, &x->held[0]) <= ticks)
		event_release(n);
}

static void first_seeing_take(struct node *n, const struct wire_seeing *seeing)
{
	struct node_axis *x = &n->across.axis;

	n->across.first_seeing = *seeing;
	if (x->begun || !seeing->cycles)
		return;
	x->begun = true;		/* at about its tick 0 */
	x->reached_ns = n->arrival_ns;
}

/*
 * Reads tell how fast CYCCNT counts by the host's clock, stops and all; the second way leaves the
 * stops out, in which it stands.
 */
static void rate_correct(struct node *n)
{
	struct node_across *a = &n->across;
	struct wire_seeing seeing = a->first_seeing;

	if (!cycles_shared(&a->axis, &seeing))
		return;
	seeing.ticks_per_second = a->axis.seeing.ticks_per_second;
	seen_setup(n, &seeing);
}

/* The first way's is the trace's. */
bool axis_seeing(struct input *in, const struct wire_seeing *seeing)
{
	struct node_across *a = &in->node->across;

	if (!a->input)
		return false;
	if (!across_is(in)) {
		first_seeing_take(in->node, seeing);
		rate_correct(in->node);
		return cycles_shared(&a->axis, seeing);
	}
	axis_release(in->node);
	a->axis.seeing = *seeing;
	distances_forget(&a->axis);
	in->node->seen.counted |= seeing->counted;
	rate_correct(in->node);
	return true;
}

void axis_catch_up(struct node *n, uint64_t now)
{
	struct node_axis *x = &n->across.axis;

	if (x->held_n && !axis_known(x) && now - x->held_ns[0] > NONE_NS)
		x->own = true;
	while (x->held_n && axis_known(x) && now - x->held_ns[0] > HOLD_NS)
		event_release(n);
}

/* Of a recording, each time that something comes: nothing waits for the host's clock. */
void axis_service(struct node *n)
{
	if (!n->across.replay)
		axis_catch_up(n, clock_now());
}

int axis_timeout(const struct node *n, uint64_t now)
{
	const struct node_axis *x = &n->across.axis;

	return x->held_n && !n->across.replay ?
	       clock_ms_until(x->held_ns[0] + (axis_known(x) ? HOLD_NS : NONE_NS) + 1, now) : -1;
}
