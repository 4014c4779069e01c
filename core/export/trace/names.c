#include "core/export/trace/traced.h"

#include "core/image/traced.h"
#include "core/image/vectors.h"

#include <inttypes.h>
#include <stdio.h>

const char *traced_times(const struct traced_source *s)
{
	return trace_is_order_only(s->trace) ?
	       "TIMES: the host's clock, while the target stood: they tell the order alone" : NULL;
}

const char *traced_name(const struct traced_source *s, uint32_t id, char dst[TRACED_NAME])
{
	uint32_t function = s->image ? image_traced(s->image, id) : IMAGE_NONE;

	if (id == 0)
		return "?";
	if (function != IMAGE_NONE)
		return image_function(s->image, function)->name;
	if (trace_note_name(s->trace, id))
		return trace_note_name(s->trace, id);
	snprintf(dst, TRACED_NAME, "function %" PRIu32, id);
	return dst;
}

const char *traced_note(const struct traced_source *s, const struct trace_event *e,
			char dst[TRACED_NAME])
{
	const struct traced *t = s->image ? image_traced_all(s->image) : NULL;
	const char *name = trace_note_name(s->trace, e->id), *kind = "mark";

	name = name ? name : traced_mark(t, e->id);
	if (name)
		return name;
	if (e->kind != TRACE_MARK)
		kind = e->kind == TRACE_VALUE ? "value" : "state";
	snprintf(dst, TRACED_NAME, "%s %" PRIu32, kind, e->id);
	return dst;
}

const char *traced_lane(const struct traced_source *s, unsigned lane, char dst[TRACED_NAME])
{
	uint32_t root = lane > TRACE_LANE_HANDLERS ? trace_lane_root(s->trace, lane) : 0;
	unsigned task = lane - TRACE_LANE_HANDLERS;
	char made[TRACED_NAME];

	if (lane == TRACE_LANE_MAIN)
		return "main";
	if (lane == TRACE_LANE_HANDLERS)
		return "handlers";
	if (lane >= TRACE_LANES)
		return "a task that is not told";
	if (root && !trace_lane_is_shared(s->trace, lane))
		return traced_name(s, root, dst);
	if (root)
		snprintf(dst, TRACED_NAME, "%.*s/%u", TRACED_NAME - 4, traced_name(s, root, made),
			 task);
	else
		snprintf(dst, TRACED_NAME, "task %u", task);
	return dst;
}

bool traced_is_handler(const struct traced_source *s, uint32_t id, uint32_t around)
{
	return trace_is_told(s->trace) && id >= IMAGE_TOLD ? id & IMAGE_TOLD_HANDLER : !around;
}

/* AVRs' vectors have numbers alone. */
int traced_vector(const struct traced_source *s, uint32_t id, char dst[TRACED_NAME])
{
	int number = s->terms.number ? s->terms.number(s->terms.ctx, id) : -1;
	const struct codemap *map = s->image ? image_codemap(s->image) : NULL;

	dst[0] = '\0';
	if (number >= 0 && (!map || map->arch != CODE_AVR))
		vectors_place_name(vectors_place((unsigned)number), dst, TRACED_NAME);
	return number;
}

const char *traced_value(const struct traced_source *s, enum trace_event_kind kind, uint32_t id,
			 int64_t value, char dst[TRACED_NAME])
{
	const char *state = kind == TRACE_STATE ? trace_state_name(s->trace, id, value) : NULL;
	double number = trace_note_number(s->trace, id, value);

	if (state)
		snprintf(dst, TRACED_NAME, "%.60s (%" PRId64 ")", state, value);
	else if (number == (double)value)
		snprintf(dst, TRACED_NAME, "%" PRId64, value);
	else
		snprintf(dst, TRACED_NAME, "%.7g", number);
	return dst;
}

double traced_seconds(const struct traced_source *s, uint64_t ticks)
{
	double rate = trace_ticks_per_second(s->trace);
	uint64_t begin, end;

	trace_span(s->trace, &begin, &end);
	return ticks > begin ? (double)(ticks - begin) / (rate > 0 ? rate : 1) : 0;
}
