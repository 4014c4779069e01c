/*
 * exceptions: what a Cortex-M's trace port tells of handlers, as events of the call trace.
 *
 * A handler is told when it begins, when it ends, and when what it had interrupted goes on; packets
 * may be missing, with an overflow packet or without. Handlers have priorities: what is open is a
 * stack, and a number is on it once. What contradicts that shows that something is missing. Then
 * nothing is said of the calls that were open but that they were.
 */
#include "core/node/parts.h"

#include <stdio.h>

#include "core/base/clock.h"
#include "core/image/vectors.h"
#include "core/profile/raw/feed.h"

/* A rate that nobody told is measured, again each time that twice as much was seen. */
#define MEASURE_FIRST_NS CLOCK_SECOND

static uint32_t handler_address(const struct node *n, unsigned number)
{
	const uint32_t *vectors;
	size_t known = n->binding.image ? image_vectors(n->binding.image, &vectors) : 0;

	return number < known && vectors[number] ? vectors[number] : vectors_place(number);
}

/* --- its time --------------------------------------------------------------------------------- */

void exceptions_clock(struct node *n)
{
	struct node_ported *p = &n->seen.ported;
	struct wire_seeing seeing = { .ticks_per_second = p->hz, .some = true };

	if (p->told && p->told_hz == p->hz)
		return;
	p->told = true;
	p->told_hz = p->hz;
	seen_setup(n, &seeing);
}

/* Ticks by the host's clock; a recording has the arrivals, a plain file none. */
static void clock_measure(struct node *n, uint64_t ticks)
{
	struct node_ported *p = &n->seen.ported;
	uint64_t ns = n->arrival_ns - p->first_ns;

	if (!p->stamped) {
		p->first_ns = n->arrival_ns;
		p->first_ticks = ticks;
		p->measure_ns = MEASURE_FIRST_NS;
	} else if (ns >= p->measure_ns) {
		p->measure_ns = 2 * ns;
		p->hz = (double)(ticks - p->first_ticks) * (double)CLOCK_SECOND / (double)ns;
	}
	p->stamped = true;
}

bool exceptions_time(struct input *in, uint64_t *ticks)
{
	const struct wire_when *when = wire_when(in->wire);

	if (!when->clock)
		return false;
	*ticks = when->ticks;
	clock_measure(in->node, *ticks);
	if (in->node->seen.swo.setup.clock_hz > 0)
		in->node->seen.ported.hz = in->node->seen.swo.setup.clock_hz;
	if (when->clock->ticks_per_second)
		in->node->seen.ported.hz = (double)when->clock->ticks_per_second;
	axis_reach(in->node, *ticks);
	return true;
}

/* --- without time stamps: counts alone -------------------------------------------------------- */

static void count_give(struct node *n, unsigned number, uint32_t calls, unsigned gone)
{
	struct wire_total t = {
		.kind = TOTAL_SITE, .to = handler_address(n, number), .calls = calls,
		.flags = (uint16_t)(ROW_HANDLER | gone),
	};

	if (profile_take_totals(node_stream_profile(n), &t, 1) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
	n->changes |= NODE_DATA;
}

/* Handlers of one function are counted as one. */
static void entry_count(struct node *n, unsigned number)
{
	struct node_ported *p = &n->seen.ported;
	uint32_t address = handler_address(n, number), calls = 0;

	p->counts[number % VECTORS_MAX]++;
	for (unsigned i = 0; i < VECTORS_MAX; i++) {
		if (p->counts[i] && handler_address(n, i) == address)
			calls += p->counts[i];
	}
	count_give(n, number, calls, 0);
}

/* From here on the trace counts them. */
static void counts_end(struct node *n)
{
	struct node_ported *p = &n->seen.ported;

	for (unsigned i = 0; i < VECTORS_MAX; i++) {
		if (p->counts[i])
			count_give(n, i, 0, ROW_GONE);
		p->counts[i] = 0;
	}
}

/* --- with them: the call trace ---------------------------------------------------------------- */

static void event_give(struct node *n, enum wire_event_kind kind, uint32_t address, uint64_t ticks)
{
	struct wire_event e = {
		.kind = kind, .lane = TRACE_LANE_HANDLERS, .handler = kind == EVENT_CALL,
		.address = address, .ticks = ticks,
	};

	seen_events(n, &e, 1);
}

/* What was open is open no more, as far as is known. */
static void open_lose(struct node *n, uint64_t ticks)
{
	if (n->seen.ported.depth)
		event_give(n, EVENT_LOST, 0, ticks);
	n->seen.ported.depth = 0;
}

static unsigned open_find(const struct node_ported *p, unsigned number)
{
	unsigned i = p->depth;

	while (i && p->open[i - 1] != number)
		i--;
	return i;			/* 0: it is not open, else its depth */
}

static void open_close(struct node *n, uint64_t ticks)
{
	n->seen.ported.depth--;
	event_give(n, EVENT_RETURN, 0, ticks);
}

static void handler_enter(struct node *n, unsigned number, uint64_t ticks)
{
	struct node_ported *p = &n->seen.ported;

	if (open_find(p, number) || p->depth == PORTED_DEPTH)
		open_lose(n, ticks);
	p->open[p->depth++] = (uint16_t)number;
	event_give(n, EVENT_CALL, handler_address(n, number), ticks);
}

/* One that began before anything was heard is in no call. */
static void handler_exit(struct node *n, unsigned number, uint64_t ticks)
{
	struct node_ported *p = &n->seen.ported;
	unsigned at = open_find(p, number);

	if (at && at == p->depth)
		open_close(n, ticks);
	else if (p->depth)
		open_lose(n, ticks);
}

/*
 * Some chips tell no ends (an STM32F105's capture has none): the innermost ends here. With more
 * than one to end it is not known when those around it did: they may have been followed by it
 * instead of interrupted.
 */
static void handler_resume(struct node *n, unsigned number, uint64_t ticks)
{
	struct node_ported *p = &n->seen.ported;
	unsigned at = open_find(p, number);

	if (p->depth == at)
		return;
	if (!p->exits)
		open_close(n, ticks);
	if (p->depth != at)
		open_lose(n, ticks);
}

static void exception_tell(struct node *n, const struct wire_exception *e, uint64_t ticks)
{
	static void (*const tell[])(struct node *n, unsigned number, uint64_t ticks) = {
		[EXCEPTION_ENTERED] = handler_enter,
		[EXCEPTION_EXITED] = handler_exit,
		[EXCEPTION_RETURNED] = handler_resume,
	};

	if (!n->seen.ported.timed)
		counts_end(n);
	exceptions_clock(n);
	n->seen.ported.timed = true;
	tell[e->kind](n, e->number, ticks);
}

static void on_exception(void *ctx, const struct wire_exception *e)
{
	struct node *n = input_batch(ctx);
	struct node_ported *p = &n->seen.ported;
	uint64_t ticks;

	p->exits |= e->kind == EXCEPTION_EXITED;
	if (exceptions_time(ctx, &ticks))
		exception_tell(n, e, ticks);
	else if (e->kind == EXCEPTION_ENTERED && !p->timed)
		entry_count(n, e->number);
}

static void on_missing(void *ctx)
{
	struct node *n = input_batch(ctx);
	uint64_t ticks;

	matches_lose(n);
	if (!exceptions_time(ctx, &ticks))
		return;
	if (n->seen.ported.timed || n->log.count)
		event_give(n, EVENT_LOST, 0, ticks);
	n->seen.ported.depth = 0;
}

void exceptions_sink(struct wire_sink *sink)
{
	sink->exception = on_exception;
	sink->missing = on_missing;
}
