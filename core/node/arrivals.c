/* arrivals: when the frames of a call trace arrived: the node's clock beside the data's. */
#include "core/node/parts.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

/*
 * A second of the trace, or two, four and so on of a long one: how much its frames' times and their
 * arrivals are apart, at least. A line that drifts and is sometimes late has a near one that was
 * not.
 */
struct trace_anchor {
	uint64_t ticks;			/* where it begins; they ascend */
	double apart_ns;
};

enum { ANCHORS_NEAR = 4, ANCHORS_MAX = 1 << 14, STEPS = 4 };

/* Half of them are left, each for twice as long. */
static void anchors_join(struct node_arrivals *a)
{
	a->count /= 2;
	for (size_t i = 0; i < a->count; i++)
		a->anchors[i] = (struct trace_anchor){
			.ticks = a->anchors[2 * i].ticks,
			.apart_ns = fmin(a->anchors[2 * i].apart_ns,
					 a->anchors[2 * i + 1].apart_ns),
		};
	a->joined++;
}

static double trace_ns(const struct trace *t, uint64_t ticks)
{
	double rate = trace_ticks_per_second(t);

	return rate > 0 ? (double)ticks / rate * (double)CLOCK_SECOND : NAN;
}

/* Without memory one is not kept: others are near. */
void arrivals_note(struct node *n)
{
	struct node_arrivals *a = &n->arrivals;
	struct trace_anchor *last = a->count ? &a->anchors[a->count - 1] : NULL;
	const struct trace *t = node_trace(n);
	uint64_t begin, end, simulated = n->inputs[0].simulated_ns;
	double apart;

	if (!trace_span(t, &begin, &end))
		return;
	apart = (double)(simulated ? simulated : n->arrival_ns) - trace_ns(t, end);
	if (isnan(apart))
		return;
	if (last && (double)(end - last->ticks) <
		    trace_ticks_per_second(t) * (double)(UINT64_C(1) << a->joined)) {
		last->apart_ns = apart < last->apart_ns ? apart : last->apart_ns;
		return;
	}
	if (a->count == ANCHORS_MAX)
		anchors_join(a);
	if (mem_grow(&a->anchors, &a->cap, a->count + 1, sizeof(*a->anchors)) == 0)
		a->anchors[a->count++] = (struct trace_anchor){ end, apart };
}

void arrivals_forget(struct node *n)
{
	mem_free(n->arrivals.anchors);
	n->arrivals = (struct node_arrivals){ 0 };
}

bool node_trace_arrival(const struct node *n, uint64_t ticks, uint64_t *time_ns)
{
	const struct node_arrivals *a = &n->arrivals;
	size_t at = SORTED_ABOVE(a->anchors, a->count, ticks, ticks);
	double apart = INFINITY, ns;

	if (!node_trace(n))
		return false;
	for (size_t i = at > ANCHORS_NEAR ? at - ANCHORS_NEAR : 0;
	     i < a->count && i < at + ANCHORS_NEAR; i++)
		apart = a->anchors[i].apart_ns < apart ? a->anchors[i].apart_ns : apart;
	ns = trace_ns(node_trace(n), ticks) + apart;
	if (!(ns >= 0 && ns < 1e19))
		return false;
	*time_ns = (uint64_t)ns;
	return true;
}

/* What is apart differs by little from one time to another: a few steps find it. */
bool node_trace_ticks(const struct node *n, uint64_t time_ns, uint64_t *ticks)
{
	double rate = node_trace(n) ? trace_ticks_per_second(node_trace(n)) : 0, at;
	const struct node_arrivals *a = &n->arrivals;
	uint64_t arrival;

	if (!(rate > 0) || !a->count)
		return false;
	at = ((double)time_ns - a->anchors[a->count - 1].apart_ns) / CLOCK_SECOND * rate;
	for (int i = 0; i < STEPS && at > 0 && at < 1e18; i++) {
		if (!node_trace_arrival(n, (uint64_t)at, &arrival))
			break;
		at += ((double)time_ns - (double)arrival) / CLOCK_SECOND * rate;
	}
	if (!(at < 1e18))
		return false;
	*ticks = at > 0 ? (uint64_t)at : 0;
	return true;
}
