/* calls: a node's call trace, as its TRACE frames tell it. */
#include "core/node/parts.h"

static struct trace *trace_of(struct node *n)
{
	if (!n->trace)
		n->trace = trace_new();
	if (!n->trace)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the call trace is not kept");
	return n->trace;
}

static void on_tracing(void *ctx, const struct wire_tracing *tracing)
{
	struct node *n = input_batch(ctx);
	struct trace *t = trace_of(n);

	if (t)
		trace_setup(t, tracing, n->talk.hello.ticks_per_second);
}

static void on_trace(void *ctx, const struct wire_trace *frame)
{
	struct node *n = input_batch(ctx);
	struct trace *t = trace_of(n);

	if (t)
		trace_frame(t, frame);
	n->changes |= NODE_DATA;
}

void calls_sink(struct wire_sink *sink)
{
	sink->tracing = on_tracing;
	sink->trace = on_trace;
}

void calls_epoch(struct node *n)
{
	if (n->trace)
		trace_epoch(n->trace);
}

void calls_forget(struct node *n)
{
	trace_free(n->trace);
	n->trace = NULL;
}

const struct trace *node_trace(const struct node *n)
{
	return n->trace;
}
