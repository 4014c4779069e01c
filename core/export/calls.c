/* The call trace in its formats. */
#include "core/export/format.h"

#include "core/export/trace/traced.h"

typedef int traced_write(const struct traced_source *s, struct out *out);

const struct export_option log_calls = {
	.name = "log-calls", .kind = EXPORT_BOOL,
	.help = "log: with all calls of the trace (those watched)",
};

const struct export_option folded_by_task = {
	.name = "by-task", .kind = EXPORT_BOOL,
	.help = "folded: from the call trace, each task apart",
};

static bool call_unwanted(const void *ctx, uint32_t id)
{
	(void)ctx;
	(void)id;
	return false;
}

static int calls_write(const struct export_source *s, struct out *out, struct err *err,
		       traced_write *write)
{
	if (!s->trace)
		return err_set(err, ERR_FORMAT, "no call trace: the node sends none; build its "
			       "firmware with WSNPROF_TRACE and `wsntop as --trace`");
	return write(&(struct traced_source){
		.trace = s->trace, .image = s->image, .node = s->node,
		.limit = export_number(s, &export_limit),
		.terms = {
			.calls = export_is_on(s, &log_calls) ? TRACE_LOG_ALL_CALLS :
							       TRACE_LOG_SOME_CALLS,
			.wants = s->logs_call ? s->logs_call : call_unwanted,
			.number = s->handler_number, .ctx = s->logs_ctx,
		},
	}, out);
}

int export_trace(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_text);
}

int export_perfetto(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_chrome);
}

int export_speedscope(const struct export_source *s, struct out *out, struct err *err)
{
	if (!s->trace)
		return speedscope_sampled(s, out);
	return calls_write(s, out, err, traced_speedscope);
}

int export_folded(const struct export_source *s, struct out *out, struct err *err)
{
	if (!export_is_on(s, &folded_by_task))
		return folded_write(s, out);
	return calls_write(s, out, err, traced_folded);
}

static int ctf_metadata(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_ctf_metadata);
}

static int ctf_events(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_ctf_events);
}

const struct export_part ctf_parts[] = {
	{ "metadata", ctf_metadata }, { "events", ctf_events }, { NULL, NULL },
};

int export_log(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_log);
}

int export_log_csv(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_log_csv);
}

int export_log_json(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_log_json);
}

int export_vcd(const struct export_source *s, struct out *out, struct err *err)
{
	return calls_write(s, out, err, traced_vcd);
}
