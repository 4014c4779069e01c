/*
 * log: what the node did that somebody watches, a line each: values and states of variables, marks,
 * calls, interrupts.
 */
#include "tui/view/log/view.h"
#include "tui/view/views.h"

static void log_view_release(struct view *v)
{
	log_release((struct log_view *)v);
}

static void log_update(struct view *v, const struct view_shared *s)
{
	log_catch_up((struct log_view *)v, s);
}

static bool log_goes_on(const struct view *view)
{
	const struct log_view *v = (const struct log_view *)view;

	return v->reads || v->matches;
}

static bool log_filtered(const struct view *view, size_t *shown, size_t *all)
{
	const struct log_view *v = (const struct log_view *)view;

	if (!v->trace)
		return false;
	*shown = v->list.count;
	*all = (size_t)(trace_log_end(v->log) - trace_log_first(v->log));
	return true;
}

static const enum action log_hints[] = {
	ACTION_ENTER, ACTION_LOG_WATCH, ACTION_MODE, ACTION_SEARCH, ACTION_FILTER, ACTION_BOTTOM,
	ACTION_TIME_SEEK, ACTION_EXPORT, ACTION_COPY, ACTION_FREEZE, ACTION_NONE,
};

static const struct view_word log_words_of[] = {
	{ ACTION_ENTER, "time line", "the moment of the line, on the time line" },
	{ ACTION_MODE, "all calls", "all calls of the trace, or those that are watched" },
	{ ACTION_BOTTOM, "follow", "to the last line, and follow new lines" },
	{ ACTION_TIME_SEEK, "go to", "go to a time: 3.2s, +30ms, -1s, 40 %, 12:03:41, start, end" },
	{ ACTION_FILTER, "filter", "show lines that match a regular expression" },
	{ ACTION_NONE, NULL, NULL },
};

const struct view_ops view_log_ops = {
	.name = "log",
	.title = "Log: variables, calls, marks",
	.about =
		"A line for each value and state of what is watched (-w, {log-watch}), each mark, "
		"watched call and interrupt: seconds since the trace began, since the line above, "
		"its lane, the name, the value or how long the call took, and the function it "
		"happened in, as far as calls are told. {mode} adds all calls. {filter} shows the "
		"lines that match, and times between these; {enter} shows the moment on the time "
		"line. Moving up stops following; {bottom} follows again. {export} writes it: "
		"log, log-csv, log-json, vcd.",
	.action = ACTION_VIEW_LOG,
	.size = sizeof(struct log_view),
	.release = log_view_release,
	.update = log_update,
	.draw = log_draw,
	.act = log_act,
	.mouse = log_mouse,
	.hints = log_hints,
	.words = log_words_of,
	.copy = log_copy,
	.filtered = log_filtered,
	.go_to = log_go_to,
	.goes_on = log_goes_on,
};
