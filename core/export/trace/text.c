/*
 * One line an event, for grep:
 *
 *	    0.001236  main      call       1  adc_read
 *	~   0.001251  main      return     1  adc_read
 *
 * Seconds of the node's clock from the trace's beginning; ~ a time between two that the node told,
 * ? one that is known only to be no later, or tells the order alone; the lane; what happened;
 * how many calls are open around it. A value is followed by who wrote it ("by FUNCTION"), where
 * that was told.
 */
#include "core/export/trace/traced.h"

#include <inttypes.h>

#include "core/base/err.h"

static const char *const event_names[] = {
	[TRACE_CALL] = "call", [TRACE_RETURN] = "return", [TRACE_WHOLE] = "calls",
	[TRACE_BOX] = "box", [TRACE_UNKNOWN] = "unknown", [TRACE_GAP] = "gap",
	[TRACE_LOST] = "lost", [TRACE_HELD] = "open", [TRACE_MARK] = "mark",
	[TRACE_VALUE] = "value", [TRACE_STATE] = "state", [TRACE_AWAY] = "away",
};

static const char time_signs[] = {
	[TRACE_TIME_UNKNOWN] = '?', [TRACE_TIME_BETWEEN] = '~', [TRACE_TIME_STAMPED] = ' ',
};

static void what_write(const struct traced_source *s, struct out *out, const struct trace_event *e)
{
	char name[TRACED_NAME], number[TRACE_NUMBER];

	switch (e->kind) {
	case TRACE_CALL:
	case TRACE_RETURN:
	case TRACE_HELD:
		out_text(out, traced_name(s, e->id, name), NULL);
		break;
	case TRACE_WHOLE:
	case TRACE_BOX:
		out_text(out, traced_name(s, e->id, name), NULL);
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
		out_text(out, traced_note(s, e, name), NULL);
		break;
	case TRACE_AWAY:
		out_text(out, traced_lane(s, e->id, name), NULL);
		out_addf(out, " runs, until %.6f", traced_seconds(s, e->until));
		break;
	case TRACE_VALUE:
	case TRACE_STATE:
		out_text(out, traced_note(s, e, name), NULL);
		out_addf(out, " = %s", trace_value_text(s->trace, e->id, e->value, number));
		if (e->by)
			out_addf(out, "  by %s", traced_name(s, e->by, name));
		break;
	}
}

int traced_text(const struct traced_source *s, struct out *out)
{
	struct trace_merge *m = trace_merge_new(s->trace);
	struct trace_event e;

	if (!m)
		return ERR_NOMEM;
	for (uint64_t i = 0; (!s->limit || i < s->limit) && trace_merge_next(m, &e); i++) {
		char lane[TRACED_NAME];

		out_addf(out, "%c%13.6f  %-8s  %-7s %4" PRIu32 "  ",
			 trace_is_order_only(s->trace) ? '?' : time_signs[e.time],
			 traced_seconds(s, e.ticks), traced_lane(s, e.lane, lane),
			 event_names[e.kind], e.depth);
		what_write(s, out, &e);
		out_addc(out, '\n');
		if (out_failed(out))
			break;
	}
	trace_merge_free(m);
	return 0;
}
