/*
 * Trace Event Format (Google, 2016): a thread a lane, B and E for calls and returns. Counted
 * calls are one event, X; calls that lost frames cut end there. What is open at the end stays
 * open: viewers show it as such. An E has its B's name, without which speedscope drops it, and is a
 * nanosecond later at least: at one time, readers may take them in any order.
 */
#include "core/export/trace/traced.h"

#include <stdio.h>

#include "core/base/err.h"
#include "core/base/json_out.h"
#include "core/base/mem.h"

struct chrome {
	const struct traced_source *source;
	struct json_out j;
	struct open {
		uint32_t *ids;
		size_t count, cap;
		double last;		/* microseconds: no event of the lane is earlier */
	} open[TRACE_LANES];
	uint64_t events;		/* so far: the time, where times tell the order alone */
	bool failed;
};

static double chrome_time(const struct chrome *c, uint64_t ticks)
{
	if (traced_times(c->source))
		return (double)c->events;
	return traced_seconds(c->source, ticks) * 1e6;
}

static void event_begin(struct chrome *c, const char *phase, unsigned lane)
{
	json_begin_object(&c->j, NULL);
	json_text(&c->j, "ph", phase);
	json_count(&c->j, "pid", true, 1);
	json_count(&c->j, "tid", true, lane + 1);
}

static void event_named(struct chrome *c, const char *phase, const struct trace_event *e,
			const char *name)
{
	double *last = &c->open[e->lane].last, least = *last + (*phase == 'E' ? 0.001 : 0);
	double at = chrome_time(c, e->ticks);

	*last = at > least ? at : least;
	event_begin(c, phase, e->lane);
	json_number(&c->j, "ts", *last);
	json_text(&c->j, "name", name);
}

static void call_begin(struct chrome *c, const struct trace_event *e)
{
	struct open *open = &c->open[e->lane];
	char name[TRACED_NAME];

	if (mem_grow(&open->ids, &open->cap, open->count + 1, sizeof(*open->ids)) < 0) {
		c->failed = true;
		return;
	}
	open->ids[open->count++] = e->id;
	event_named(c, "B", e, traced_name(c->source, e->id, name));
	json_end_object(&c->j);
}

static void call_end(struct chrome *c, const struct trace_event *e)
{
	struct open *open = &c->open[e->lane];
	char name[TRACED_NAME];

	if (!open->count)
		return;
	event_named(c, "E", e, traced_name(c->source, open->ids[--open->count], name));
	json_end_object(&c->j);
}

/* A call with calls in it that were not told. */
static void counted_write(struct chrome *c, const struct trace_event *e, const char *name)
{
	event_named(c, "X", e, name);
	json_number(&c->j, "dur", chrome_time(c, e->until) - chrome_time(c, e->ticks));
	json_begin_object(&c->j, "args");
	json_count(&c->j, "calls counted, not told", true, e->count);
	json_end_object(&c->j);
	json_end_object(&c->j);
}

/* Something at a moment, with a number. */
static void instant_write(struct chrome *c, const struct trace_event *e, const char *name,
			  const char *what, int64_t n)
{
	event_named(c, "i", e, name);
	json_text(&c->j, "s", "t");
	json_begin_object(&c->j, "args");
	json_signed(&c->j, what, true, n);
	json_end_object(&c->j);
	json_end_object(&c->j);
}

static void counter_write(struct chrome *c, const struct trace_event *e)
{
	char name[TRACED_NAME];

	event_named(c, "C", e, traced_note(c->source, e, name));
	json_begin_object(&c->j, "args");
	if (trace_note_is_real(c->source->trace, e->id))
		json_number(&c->j, "value", trace_note_number(c->source->trace, e->id, e->value));
	else
		json_signed(&c->j, "value", true, e->value);
	json_end_object(&c->j);
	json_end_object(&c->j);
}

static void event_write(struct chrome *c, const struct trace_event *e)
{
	char name[TRACED_NAME];

	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		call_begin(c, e);
		break;
	case TRACE_RETURN:
		call_end(c, e);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
		counted_write(c, e, traced_name(c->source, e->id, name));
		break;
	case TRACE_UNKNOWN:
		counted_write(c, e, "told in a lost frame");
		break;
	case TRACE_GAP:
		instant_write(c, e, "calls not told", "calls", (int64_t)e->count);
		break;
	case TRACE_LOST:
		while (c->open[e->lane].count)
			call_end(c, e);
		instant_write(c, e, "frames lost", "frames", (int64_t)e->count);
		break;
	case TRACE_MARK:
		instant_write(c, e, traced_note(c->source, e, name), "id", e->id);
		break;
	case TRACE_VALUE:
		counter_write(c, e);
		break;
	case TRACE_AWAY:
		event_named(c, "X", e, "away");
		json_number(&c->j, "dur", chrome_time(c, e->until) - chrome_time(c, e->ticks));
		json_begin_object(&c->j, "args");
		json_text(&c->j, "runs", traced_lane(c->source, e->id, name));
		json_end_object(&c->j);
		json_end_object(&c->j);
		break;
	case TRACE_STATE:
		instant_write(c, e, traced_note(c->source, e, name), "state", e->value);
		break;
	}
}

static void name_write(struct chrome *c, const char *what, unsigned lane, const char *name)
{
	event_begin(c, "M", lane);
	json_text(&c->j, "name", what);
	json_begin_object(&c->j, "args");
	json_text(&c->j, "name", name);
	json_end_object(&c->j);
	json_end_object(&c->j);
}

static void lanes_write(struct chrome *c)
{
	char node[2 * TRACED_NAME];

	snprintf(node, sizeof(node), "%.60s  %s", c->source->node, traced_times(c->source) ?
		 traced_times(c->source) : "");
	name_write(c, "process_name", 0, traced_times(c->source) ? node : c->source->node);
	for (unsigned i = 0; i < TRACE_LANES; i++) {
		struct trace_stats stats;
		char name[TRACED_NAME];

		trace_lane_stats(c->source->trace, i, &stats);
		if (stats.frames)
			name_write(c, "thread_name", i, traced_lane(c->source, i, name));
	}
}

int traced_chrome(const struct traced_source *s, struct out *out)
{
	struct chrome c = { .source = s, .j = { .out = out } };
	struct trace_merge *m = trace_merge_new(s->trace);
	struct trace_event e;

	if (!m)
		return ERR_NOMEM;
	json_begin_object(&c.j, NULL);
	json_text(&c.j, "displayTimeUnit", "ns");
	json_begin_array(&c.j, "traceEvents");
	lanes_write(&c);
	for (; trace_merge_next(m, &e) && !out_failed(out) && !c.failed; c.events++)
		event_write(&c, &e);
	json_end_array(&c.j);
	json_end_object(&c.j);
	out_addc(out, '\n');
	trace_merge_free(m);
	for (size_t i = 0; i < TRACE_LANES; i++)
		mem_free(c.open[i].ids);
	return c.failed ? ERR_NOMEM : 0;
}
