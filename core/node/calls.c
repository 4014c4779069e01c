/*
 * calls: a node's call trace, as its TRACE frames tell it, and its profile: the counts and times
 * of each caller and callee go into the stream's profile as running totals do.
 */
#include "core/node/parts.h"

#include "core/profile/raw/feed.h"

enum { BATCH = 64, LOOKED_AT = 4096 };	/* bytes of a function */

static struct trace *trace_of(struct node *n)
{
	if (!n->calls.trace)
		n->calls.trace = trace_new();
	if (!n->calls.trace)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the call trace is not kept");
	return n->calls.trace;
}

/* --- its profile ------------------------------------------------------------------------------ */

/*
 * The trace does not tell from which place a function calls. The first call in it, that of its
 * hook, stands for all of them; main for callers that are not followed.
 */
static uint32_t caller_place(const struct image *im, uint32_t id)
{
	uint32_t f = id ? image_traced(im, id) : image_find_name(im, "main");
	const struct image_function *caller = f != IMAGE_NONE ? image_function(im, f) : NULL;

	for (unsigned i = 2; caller && i <= caller->size && i <= LOOKED_AT; i += 2) {
		if (code_flags(image_codemap(im), caller->address + i) & CODE_RETURN)
			return (uint32_t)(caller->address + i);
	}
	return caller ? (uint32_t)caller->address + 2 : 0;
}

/* Calls of which a lost frame had the return count as long as the others. */
static uint64_t total_of(const struct trace_edge *e)
{
	return e->timed == e->calls ? e->total :
	       (uint64_t)((double)e->total / (double)e->timed * (double)e->calls);
}

static bool total_make(const struct image *im, const struct trace_edge *e, struct wire_total *t)
{
	uint32_t to = image_traced(im, e->to);

	if (to == IMAGE_NONE)
		return false;
	*t = (struct wire_total){
		.kind = TOTAL_SITE,
		.from = e->handler ? 0 : caller_place(im, e->from),
		.to = (uint32_t)image_function(im, to)->address,
		.calls = e->calls,
		.flags = e->handler ? ROW_HANDLER : 0,
	};
	if (!e->timed)
		return true;
	t->has = TOTAL_TIMED | TOTAL_MINMAX;
	t->total = total_of(e);
	t->min = e->min;
	t->max = e->max;
	return true;
}

static void totals_give(struct node *n, const struct wire_total *totals, size_t count)
{
	if (count && profile_take_totals(node_stream_profile(n), totals, count) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
}

/* What changed; all of it once another image gives the names. */
static void profile_follow(struct node *n)
{
	const struct image *im = n->binding.image;
	struct wire_total totals[BATCH];
	size_t edges, count = 0;
	struct trace_edge *e = trace_edges(n->calls.trace, &edges);
	bool all = n->calls.images != n->binding.images;

	n->calls.images = n->binding.images;
	for (size_t i = 0; im && i < edges; i++) {
		if (!e[i].changed && !all)
			continue;
		e[i].changed = false;
		count += total_make(im, &e[i], &totals[count]);
		if (count == BATCH) {
			totals_give(n, totals, count);
			count = 0;
		}
	}
	totals_give(n, totals, count);
}

/* --- what it lacks ---------------------------------------------------------------------------- */

void calls_losses(const struct node *n, struct wire_status *status)
{
	struct trace_stats stats;

	if (!n->calls.trace)
		return;
	trace_stats(n->calls.trace, &stats);
	status->untold = stats.untold - n->calls.untold;
	status->unheard = stats.unknown - n->calls.unknown;
}

/* --- what comes ------------------------------------------------------------------------------- */

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

	if (!t)
		return;
	trace_traced(t, n->binding.image ? image_traced_all(n->binding.image) : NULL);
	trace_frame(t, frame);
	arrivals_note(n);
	if (trace_account(t) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some calls are not counted");
	node_past_rows(n);
	profile_follow(n);
	calls_losses(n, &n->talk.status);
	n->changes |= NODE_DATA;
}

void calls_sink(struct wire_sink *sink)
{
	sink->tracing = on_tracing;
	sink->trace = on_trace;
}

void calls_epoch(struct node *n)
{
	struct trace_stats stats;

	if (!n->calls.trace)
		return;
	trace_epoch(n->calls.trace);
	trace_stats(n->calls.trace, &stats);
	n->calls.untold = stats.untold;
	n->calls.unknown = stats.unknown;
}

void calls_forget(struct node *n)
{
	trace_free(n->calls.trace);
	n->calls = (struct node_calls){ .trace = NULL };
	arrivals_forget(n);
}

const struct trace *node_trace(const struct node *n)
{
	return n->calls.trace;
}
