/*
 * The call trace as text, one line an event, for grep:
 *
 *	    0.001236  main       call     1  adc_read
 *	   ~0.001251  main       return   1  adc_read
 *
 * Seconds of the node's clock from the first event on; ~ a time between two that the node told, ?
 * one that is known only to be no later; the lane; what happened; how many calls are open around
 * it.
 */
#include "core/export/format.h"

#include <inttypes.h>

#include "core/image/image.h"
#include "core/trace/trace.h"

static const char *const event_names[] = {
	[TRACE_CALL] = "call", [TRACE_RETURN] = "return", [TRACE_WHOLE] = "calls",
	[TRACE_BOX] = "box",
	[TRACE_UNKNOWN] = "unknown", [TRACE_GAP] = "gap", [TRACE_LOST] = "lost",
	[TRACE_HELD] = "open", [TRACE_MARK] = "mark", [TRACE_VALUE] = "value",
	[TRACE_STATE] = "state",
};

static const char *const time_signs[] = {
	[TRACE_TIME_UNKNOWN] = "?", [TRACE_TIME_BETWEEN] = "~", [TRACE_TIME_STAMPED] = " ",
};

static void lane_write(struct out *out, unsigned lane)
{
	if (lane == TRACE_LANE_MAIN)
		out_adds(out, "main    ");
	else if (lane == TRACE_LANE_HANDLERS)
		out_adds(out, "handlers");
	else
		out_addf(out, "task %-3u", lane - TRACE_LANE_HANDLERS);
}

static void traced_write(const struct export_source *s, struct out *out, uint32_t id)
{
	uint32_t function = s->image ? image_traced(s->image, id) : IMAGE_NONE;

	if (id == 0)
		out_addc(out, '?');
	else if (function != IMAGE_NONE)
		out_adds(out, image_function(s->image, function)->name);
	else
		out_addf(out, "function %" PRIu32, id);
}

static void what_write(const struct export_source *s, struct out *out, const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_RETURN:
	case TRACE_HELD:
		traced_write(s, out, e->id);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
		traced_write(s, out, e->id);
		out_addf(out, "  %" PRIu64 " calls, counted", e->count);
		break;
	case TRACE_UNKNOWN:
		out_adds(out, "a call that a lost frame told");
		break;
	case TRACE_GAP:
		out_addf(out, "%" PRIu64 " calls, counted", e->count);
		break;
	case TRACE_LOST:
		out_addf(out, "%" PRIu64 " frames", e->count);
		break;
	case TRACE_MARK:
		out_addf(out, "%" PRIu32, e->id);
		break;
	case TRACE_VALUE:
	case TRACE_STATE:
		out_addf(out, "%" PRIu32 " = %" PRId64, e->id, e->value);
		break;
	}
}

static void event_write(const struct export_source *s, struct out *out,
			const struct trace_event *e, uint64_t start)
{
	double rate = trace_ticks_per_second(s->trace);
	double at = e->ticks > start ? (double)(e->ticks - start) / (rate > 0 ? rate : 1) : 0;

	out_addf(out, "%s%13.6f  ", time_signs[e->time], at);
	lane_write(out, e->lane);
	out_addf(out, "  %-7s %4" PRIu32 "  ", event_names[e->kind], e->depth);
	what_write(s, out, e);
	out_addc(out, '\n');
}

int export_trace(const struct export_source *s, struct out *out, struct err *err)
{
	struct trace_merge *m;
	struct trace_event e;
	uint64_t start = 0, limit = export_number(s, &export_limit);
	bool begun = false;

	if (!s->trace)
		return err_set(err, ERR_FORMAT, "no call trace: the node sends none; build its "
			       "firmware with WSNPROF_TRACE and `wsntop as --trace`");
	m = trace_merge_new(s->trace);
	if (!m)
		return err_set(err, ERR_NOMEM, "out of memory");
	for (uint64_t i = 0; (!limit || i < limit) && trace_merge_next(m, &e); i++) {
		if (!begun)
			start = e.ticks;
		begun = true;
		event_write(s, out, &e, start);
		if (out_failed(out))
			break;
	}
	trace_merge_free(m);
	return 0;
}
