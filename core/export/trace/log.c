/*
 * The log: marks, values, states, and calls that are watched (with --log-calls all), a line each:
 *
 *	    3.401250  +0.000448  main      state  radio_state     S_STARTED (2)     in radio_start
 *	    3.401262  +0.000012  main      call   start_radio_task  takes 448 us    in task_loop
 *	    3.402000  +0.000738  handlers  irq    tick_handler      takes 2 us      15, SysTick
 *
 * Seconds of the node's clock from the trace's beginning, and since the line before; the lane; what
 * happened; its name; what it became, or how long it took; an interrupt's number, as -w irq:N has
 * it, and what the manuals call that; the function around it. A time that tells the order alone has
 * a ? before it; CSV leaves it out, and all leave out the one since the line before.
 */
#include "core/export/trace/traced.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/json_out.h"
#include "core/base/text.h"

double log_took(const struct traced_source *s, const struct trace_log_entry *e)
{
	double rate = trace_ticks_per_second(s->trace);

	if (e->kind != TRACE_CALL || e->until == TRACE_LOG_OPEN || e->until == TRACE_LOG_CUT ||
	    trace_is_order_only(s->trace))
		return NAN;
	return (double)(e->until - e->ticks) / (rate > 0 ? rate : 1);
}

/* A name of the ELF or of the node, fit to be shown. */
static const char *name_words(const char *name, char dst[TRACED_NAME])
{
	char shown[TRACED_NAME];

	text_visible(shown, sizeof(shown), name, strlen(name));
	return memcpy(dst, shown, sizeof(shown));
}

static const char *took_words(const struct traced_source *s, const struct trace_log_entry *e,
			      char dst[TRACED_NAME])
{
	char took[24];

	if (e->until == TRACE_LOG_OPEN)
		return "not returned";
	if (e->until == TRACE_LOG_CUT)
		return "its end is not known";
	if (trace_is_order_only(s->trace))
		return "returned";
	snprintf(dst, TRACED_NAME, "takes %s", text_seconds(took, sizeof(took), log_took(s, e)));
	return dst;
}

static const char *count_words(uint64_t n, const char *what, char dst[TRACED_NAME])
{
	snprintf(dst, TRACED_NAME, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
	return dst;
}

static void call_words(const struct traced_source *s, const struct trace_log_entry *e,
		       struct log_words *w)
{
	bool irq = e->lane == TRACE_LANE_HANDLERS && traced_is_handler(s, e->id, e->within);

	w->what = irq ? "irq" : "call";
	w->number = irq ? traced_vector(s, e->id, w->made[4]) : -1;
	w->exception = irq ? w->made[4] : "";
	w->name = name_words(traced_name(s, e->id, w->made[1]), w->made[1]);
	w->value = took_words(s, e, w->made[2]);
}

static void note_words(const struct traced_source *s, const struct trace_log_entry *e,
		       struct log_words *w)
{
	struct trace_event note = { .kind = (enum trace_event_kind)e->kind, .id = e->id };

	w->what = note.kind == TRACE_MARK ? "mark" : note.kind == TRACE_VALUE ? "value" : "state";
	w->name = name_words(traced_note(s, &note, w->made[1]), w->made[1]);
	if (note.kind != TRACE_MARK)
		w->value = name_words(traced_value(s, note.kind, e->id, e->value, w->made[2]),
				      w->made[2]);
}

void log_words(const struct traced_source *s, const struct trace_log_entry *e, struct log_words *w)
{
	w->lane = name_words(traced_lane(s, e->lane, w->made[0]), w->made[0]);
	w->name = w->value = w->within = w->exception = "";
	w->number = -1;
	if (e->within && e->within != TRACE_LOG_SOMEWHERE)
		w->within = name_words(traced_name(s, e->within, w->made[3]), w->made[3]);
	switch (e->kind) {
	case TRACE_CALL:
		call_words(s, e, w);
		break;
	case TRACE_BOX:
		w->what = "box";
		w->name = name_words(traced_name(s, e->id, w->made[1]), w->made[1]);
		w->value = count_words(e->count, "call", w->made[2]);
		break;
	case TRACE_UNKNOWN:
		w->what = "unknown";
		w->value = "a call that a lost frame told";
		break;
	case TRACE_GAP:
		w->what = "gap";
		w->value = count_words(e->count, "call", w->made[2]);
		break;
	case TRACE_LOST:
		w->what = "lost";
		/* None: the node begins again, as where its buffer was full. */
		w->value = trace_is_told(s->trace) || !e->count ? "events are missing here" :
			   count_words(e->count, "frame", w->made[2]);
		break;
	default:
		note_words(s, e, w);
		break;
	}
}

/* --- the forms -------------------------------------------------------------------------------- */

struct log_line {
	struct log_words words;
	double at, since;		/* seconds; since the line before, NaN: none is known */
};

typedef void log_write(const struct traced_source *s, struct out *out, struct json_out *j,
		       const struct trace_log_entry *e, const struct log_line *line);

static int log_each(const struct traced_source *s, struct out *out, struct json_out *j,
		    log_write *write)
{
	struct trace_log *l = trace_log_new(SIZE_MAX);
	const struct trace_log_entry *e;
	struct log_line line = { .since = NAN };
	bool starved;

	if (!l)
		return ERR_NOMEM;
	trace_log_begin(l, &s->terms);
	while (trace_log_take(l, s->trace, true, 1 << 20))
		;
	for (uint64_t n = 0; (e = trace_log_entry(l, n)) && !out_failed(out) &&
			     (!s->limit || n < s->limit); n++) {
		double at = traced_seconds(s, e->ticks);

		line.since = n && !trace_is_order_only(s->trace) ? at - line.at : NAN;
		line.at = at;
		log_words(s, e, &line.words);
		write(s, out, j, e, &line);
	}
	starved = trace_log_starved(l);
	trace_log_free(l);
	return starved ? ERR_NOMEM : 0;
}

static void text_write(const struct traced_source *s, struct out *out, struct json_out *j,
		       const struct trace_log_entry *e, const struct log_line *line)
{
	const struct log_words *w = &line->words;
	char at[32];

	(void)j;
	(void)e;
	snprintf(at, sizeof(at), "%s%.6f", trace_is_order_only(s->trace) ? "?" : "", line->at);
	out_addf(out, "%13s  ", at);
	if (isnan(line->since))
		out_addf(out, "%10s  ", "");
	else
		out_addf(out, "%+10.6f  ", line->since);
	out_addf(out, "%-8s  %-7s  ", w->lane, w->what);
	out_addf(out, *w->value ? "%-20s  " : "%s", w->name);
	out_addf(out, *w->within || w->number >= 0 ? "%-18s" : "%s", w->value);
	if (w->number >= 0)
		out_addf(out, "  %d%s%s", w->number, *w->exception ? ", " : "", w->exception);
	if (*w->within)
		out_addf(out, "  in %s", w->within);
	out_addc(out, '\n');
}

int traced_log(const struct traced_source *s, struct out *out)
{
	return log_each(s, out, NULL, text_write);
}

static void csv_number(struct out *out, double v)
{
	if (!isnan(v))
		out_addf(out, "%.9f", v);
}

static bool entry_is_note(const struct trace_log_entry *e)
{
	return e->kind == TRACE_VALUE || e->kind == TRACE_STATE;
}

/* The number, or the name of a state, or nothing. */
static void csv_write(const struct traced_source *s, struct out *out, struct json_out *j,
		      const struct trace_log_entry *e, const struct log_line *line)
{
	const char *state = e->kind == TRACE_STATE ? trace_state_name(s->trace, e->id, e->value) :
						     NULL;

	(void)j;
	csv_number(out, trace_is_order_only(s->trace) ? (double)NAN : line->at);
	out_addc(out, ',');
	csv_number(out, line->since);
	out_addc(out, ',');
	out_csv(out, line->words.lane);
	out_addc(out, ',');
	out_csv(out, line->words.what);
	out_addc(out, ',');
	out_csv(out, line->words.name);
	out_addc(out, ',');
	if (entry_is_note(e))
		out_addf(out, "%.17g", trace_note_number(s->trace, e->id, e->value));
	out_addc(out, ',');
	out_csv(out, state);
	out_addc(out, ',');
	csv_number(out, log_took(s, e));
	out_addc(out, ',');
	out_csv(out, line->words.within);
	out_addc(out, ',');
	if (line->words.number >= 0)
		out_addf(out, "%d", line->words.number);
	out_addc(out, ',');
	out_csv(out, line->words.exception);
	out_adds(out, "\r\n");
}

int traced_log_csv(const struct traced_source *s, struct out *out)
{
	out_adds(out, "time_s,since_s,lane,what,name,value,state,took_s,within,number,exception"
		      "\r\n");
	return log_each(s, out, NULL, csv_write);
}

static void json_write(const struct traced_source *s, struct out *out, struct json_out *j,
		       const struct trace_log_entry *e, const struct log_line *line)
{
	double number = trace_note_number(s->trace, e->id, e->value), took = log_took(s, e);

	(void)out;
	json_begin_object(j, NULL);
	json_number(j, "time_s", line->at);
	json_text(j, "lane", line->words.lane);
	json_text(j, "what", line->words.what);
	json_text(j, "name", line->words.name);
	if (entry_is_note(e) && number == (double)e->value)
		json_signed(j, "value", true, e->value);
	else if (entry_is_note(e))
		json_number(j, "value", number);
	if (e->kind == TRACE_STATE)
		json_text(j, "state", trace_state_name(s->trace, e->id, e->value));
	if (e->kind == TRACE_CALL)
		json_number(j, "took_s", took);
	if (e->kind == TRACE_LOST || e->kind == TRACE_GAP || e->kind == TRACE_BOX)
		json_count(j, "count", true, e->count);
	if (*line->words.within)
		json_text(j, "within", line->words.within);
	if (line->words.number >= 0)
		json_signed(j, "number", true, line->words.number);
	if (*line->words.exception)
		json_text(j, "exception", line->words.exception);
	json_end_object(j);
}

int traced_log_json(const struct traced_source *s, struct out *out)
{
	struct json_out j = { .out = out };
	int ret;

	json_begin_object(&j, NULL);
	json_text(&j, "node", s->node);
	json_number(&j, "ticks_per_second", trace_ticks_per_second(s->trace));
	json_bool(&j, "order_only", trace_is_order_only(s->trace));
	json_begin_array(&j, "log");
	ret = log_each(s, out, &j, json_write);
	json_end_array(&j);
	json_end_object(&j);
	out_addc(out, '\n');
	return ret;
}
