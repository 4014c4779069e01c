/*
 * speedscope's file format, evented profiles: one a lane. A call that begins and ends at one time
 * is drawn as nothing there: its end is a nanosecond later. Where times tell the order alone,
 * events have numbers.
 */
#include "core/export/trace/traced.h"

#include "core/base/err.h"
#include "core/base/json_out.h"
#include "core/base/mem.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
	const struct traced_source *source;
	struct json_out j;
	uint32_t *open;			/* ids */
	size_t depth, cap;
	double last;			/* microseconds: no event is earlier */
	bool failed;
};

static double event_at(struct speedscope *s, uint64_t ticks, double least)
{
	double at = traced_times(s->source) ? s->last + 1 :
		    traced_seconds(s->source, ticks) * 1e6;

	s->last = at > s->last + least ? at : s->last + least;
	return s->last;
}

static void event_write(struct speedscope *s, const char *type, uint32_t id, double at)
{
	json_begin_object(&s->j, NULL);
	json_text(&s->j, "type", type);
	json_number(&s->j, "at", at);
	json_count(&s->j, "frame", true, id);
	json_end_object(&s->j);
}

static void frame_open(struct speedscope *s, uint32_t id, uint64_t ticks)
{
	if (mem_grow(&s->open, &s->cap, s->depth + 1, sizeof(*s->open)) < 0) {
		s->failed = true;
		return;
	}
	s->open[s->depth++] = id;
	event_write(s, "O", id, event_at(s, ticks, 0));
}

static void frame_close(struct speedscope *s, uint64_t ticks)
{
	if (s->depth)
		event_write(s, "C", s->open[--s->depth], event_at(s, ticks, 0.001));
}

static void event_take(struct speedscope *s, const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_HELD:
		frame_open(s, e->id, e->ticks);
		break;
	case TRACE_RETURN:
		frame_close(s, e->ticks);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
	case TRACE_UNKNOWN:
		frame_open(s, e->id, e->ticks);
		frame_close(s, e->until);
		break;
	case TRACE_LOST:
		while (s->depth)
			frame_close(s, e->ticks);
		break;
	case TRACE_GAP:
	case TRACE_MARK:
	case TRACE_VALUE:
	case TRACE_STATE:
	case TRACE_AWAY:
		break;			/* the format has no instants */
	}
}

static int lane_write(struct speedscope *s, unsigned lane)
{
	struct trace_walk *w = trace_walk_new(s->source->trace, lane);
	uint64_t begin, end;
	struct trace_event e;
	char name[TRACED_NAME];

	if (!w)
		return ERR_NOMEM;
	trace_span(s->source->trace, &begin, &end);
	s->last = 0;
	json_begin_object(&s->j, NULL);
	json_text(&s->j, "type", "evented");
	json_text(&s->j, "name", traced_lane(s->source, lane, name));
	json_text(&s->j, "unit", traced_times(s->source) ? "none" : "microseconds");
	json_number(&s->j, "startValue", 0);
	json_begin_array(&s->j, "events");
	while (trace_walk_next(w, &e) && !out_failed(s->j.out) && !s->failed)
		event_take(s, &e);
	while (s->depth)
		frame_close(s, end);
	json_end_array(&s->j);
	json_number(&s->j, "endValue", event_at(s, end, 0));
	json_end_object(&s->j);
	trace_walk_free(w);
	return s->failed ? ERR_NOMEM : 0;
}

/* A frame an id, from 0 on: the highest that was called. */
static void frames_write(struct speedscope *s)
{
	uint32_t last = trace_last_id(s->source->trace);
	char name[TRACED_NAME];

	json_begin_array(&s->j, "frames");
	for (uint32_t id = 0; id <= last; id++) {
		json_begin_object(&s->j, NULL);
		json_text(&s->j, "name", traced_name(s->source, id, name));
		json_end_object(&s->j);
	}
	json_end_array(&s->j);
}

/* The profile that is shown first: where tasks do the work, main may have no call. */
static uint64_t profile_first(const struct trace *t)
{
	uint64_t most = 0, first = 0, index = 0;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		struct trace_stats stats;

		trace_lane_stats(t, i, &stats);
		if (i != TRACE_LANE_HANDLERS && stats.calls > most) {
			most = stats.calls;
			first = index;
		}
		index += stats.frames > 0;
	}
	return first;
}

int traced_speedscope(const struct traced_source *source, struct out *out)
{
	struct speedscope s = { .source = source, .j = { .out = out } };
	int ret = 0;

	json_begin_object(&s.j, NULL);
	json_text(&s.j, "$schema", SCHEMA);
	json_text(&s.j, "name", source->node);
	json_count(&s.j, "activeProfileIndex", true, profile_first(source->trace));
	json_begin_object(&s.j, "shared");
	frames_write(&s);
	json_end_object(&s.j);
	json_begin_array(&s.j, "profiles");
	for (unsigned i = 0; ret == 0 && i < TRACE_LANES; i++) {
		struct trace_stats stats;

		trace_lane_stats(source->trace, i, &stats);
		if (stats.frames)
			ret = lane_write(&s, i);
	}
	json_end_array(&s.j);
	json_end_object(&s.j);
	out_addc(out, '\n');
	mem_free(s.open);
	return ret;
}
