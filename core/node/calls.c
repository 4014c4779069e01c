/*
 * calls: a node's call trace, as its TRACE frames tell it, and its profile: the counts and times
 * of each caller and callee go into the stream's profile as running totals do.
 */
#include "core/node/parts.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/lengths.h"
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "core/wire/wsn/wsn.h"

enum {
	LOOKED_AT = 4096,		/* bytes of a function */
	SHORTEST = 131072,		/* of a second: buckets begin here */
};

#define FOLLOW_NS (CLOCK_SECOND / 10)
#define ASK_NS CLOCK_SECOND

struct trace *calls_trace(struct node *n)
{
	size_t most = n->options.batch ? 0 : NODE_TRACE_BYTES;

	if (n->calls.trace)
		return n->calls.trace;
	n->calls.trace = trace_new();
	if (n->calls.trace)
		trace_limit(n->calls.trace, n->options.trace_bytes ? n->options.trace_bytes : most);
	else
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the call trace is not kept");
	return n->calls.trace;
}

/* --- its profile ------------------------------------------------------------------------------ */

enum { NOWHERE = UINT32_MAX };

/* Where a call goes: to `to`; through a pointer; or elsewhere, such as to its hook. */
static uint64_t call_target(const struct codemap *map, uint64_t ret)
{
	uint64_t at = map->target ? map->target(map->ctx, ret) : CODE_NO_TARGET;

	return at != CODE_NO_TARGET && map->normal ? map->normal(map->ctx, at) : at;
}

/*
 * The trace does not tell from which place a function calls. Its first call to this callee stands
 * for all of them, else its first through a pointer, else its first of all; main for callers that
 * are not followed.
 */
static uint32_t caller_place(const struct image *im, uint32_t id, uint64_t to)
{
	const struct codemap *map = image_codemap(im);
	uint32_t f = id ? image_traced(im, id) : image_find_name(im, "main");
	const struct image_function *caller = f != IMAGE_NONE ? image_function(im, f) : NULL;
	uint64_t first = 0, indirect = 0;

	for (unsigned i = 2; caller && i <= caller->size && i <= LOOKED_AT; i += 2) {
		uint64_t ret = caller->address + i, target;

		if (!(code_flags(map, ret) & CODE_RETURN))
			continue;
		target = call_target(map, ret);
		if ((target & ~UINT64_C(1)) == (to & ~UINT64_C(1)))
			return (uint32_t)ret;
		if (target == CODE_NO_TARGET && !indirect)
			indirect = ret;
		first = first ? first : ret;
	}
	if (indirect || first)
		return (uint32_t)(indirect ? indirect : first);
	return caller ? (uint32_t)caller->address + 2 : 0;
}

static void places_find(const struct node *n, const struct image *im, struct trace_edge *e)
{
	uint32_t to = im ? image_traced(im, e->to) : IMAGE_NONE;

	if (to == IMAGE_NONE) {
		e->places[1] = e->handler ? seen_address(n, e->to, NOWHERE) : NOWHERE;
		e->places[0] = 0;
		return;
	}
	e->places[1] = (uint32_t)image_function(im, to)->address;
	e->places[0] = e->handler ? 0 : caller_place(im, e->from, e->places[1]);
}

/* Calls of which a lost frame had the return count as long as the others. */
static uint64_t total_of(const struct trace_edge *e)
{
	return (uint64_t)(e->total / (double)e->timed * (double)e->calls + 0.5);
}

static void buckets_fill(const struct profile *p, const struct trace_edge *e, struct wire_total *t)
{
	unsigned k = 0;

	for (unsigned i = 0; e->spread && i < LENGTHS; i++) {
		while (k < WIRE_BUCKETS - 1 && lengths_low(i) >= p->terms.bucket_below[k])
			k++;
		t->bucket[k] += e->spread[i];
	}
	t->has |= e->spread ? TOTAL_HISTOGRAM : 0;
}

static void edge_give(struct node *n, const struct trace_edge *e)
{
	struct profile *p = node_stream_profile(n);
	struct wire_total t = {
		.kind = TOTAL_SITE, .from = e->places[0], .to = e->places[1], .calls = e->calls,
		.flags = e->handler ? ROW_HANDLER : 0,
	};

	if (e->timed) {
		t.has = TOTAL_TIMED | TOTAL_MINMAX;
		t.total = total_of(e);
		t.min = e->min;
		t.max = e->max;
		buckets_fill(p, e, &t);
	}
	if (profile_take_totals(p, &t, 1) < 0 ||
	    (e->spread && profile_take_fine(p, t.from, t.to, e->spread) < 0))
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
}

/* Ways of calls begin in main, or nowhere. */
static struct profile_path path_make(const struct image *im, const struct trace_path *p, size_t i)
{
	uint32_t f = i == TRACE_PATH_MAIN ? image_find_name(im, "main") : image_traced(im, p->id);
	double known = p->timed ? (double)p->calls / (double)p->timed : 0;

	return (struct profile_path){
		.parent = i < TRACE_PATH_FIRST || p->parent == TRACE_PATH_HANDLERS ? PROFILE_NONE
										   : p->parent,
		.address = f != IMAGE_NONE ? (uint32_t)image_function(im, f)->address : NOWHERE,
		.calls = p->calls, .total = p->total * known,
	};
}

static void paths_give(struct node *n, const struct image *im)
{
	size_t count;
	const struct trace_path *paths = trace_paths(n->calls.trace, &count);
	uint32_t epoch = trace_paths_epoch(n->calls.trace);
	struct profile_path *to = paths ? mem_alloc((count + 1) * sizeof(*to)) : NULL;

	if (!to)
		count = 0;
	for (size_t i = 0; i < count; i++)
		to[i] = path_make(im, &paths[i], i);
	if (profile_take_paths(node_stream_profile(n), to, count, epoch != n->calls.paths) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the tree is apportioned");
	n->calls.paths = epoch;
	mem_free(to);
}

/* What changed; all of it once another image gives the names. */
void calls_follow(struct node *n)
{
	const struct image *im = n->binding.image;
	bool all = n->calls.images != n->binding.images;
	struct trace_edge *e;
	size_t edges;

	if (!n->calls.trace || (!im && !n->seen.told) || n->seen.counted)
		return;
	e = trace_edges(n->calls.trace, &edges);
	n->calls.images = n->binding.images;
	n->calls.followed_ns = n->now_ns;
	for (size_t i = 0; i < edges; i++) {
		if (all || !e[i].places[1])
			places_find(n, im, &e[i]);
		if (e[i].places[1] != NOWHERE && (e[i].changed || all))
			edge_give(n, &e[i]);
		e[i].changed = false;
	}
	if (im)
		paths_give(n, im);
}

double calls_handlers(const struct node *n)
{
	size_t count;
	const struct trace_path *paths;
	double sum = 0;

	if (!n->calls.trace)
		return NAN;
	paths = trace_paths(n->calls.trace, &count);
	if (!paths)
		return NAN;
	for (size_t i = TRACE_PATH_FIRST; i < count; i++) {
		if (paths[i].parent == TRACE_PATH_HANDLERS && paths[i].timed)
			sum += paths[i].total * (double)paths[i].calls / (double)paths[i].timed;
	}
	return sum;
}

void calls_settle(struct node *n)
{
	if (!n->calls.trace)
		return;
	if (trace_account(n->calls.trace) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some calls are not counted");
	calls_follow(n);
	n->changes |= NODE_DATA;
}

void calls_bounds(uint64_t *bucket_below, uint32_t ticks_per_second)
{
	uint64_t below = 1;

	while (below < ticks_per_second / SHORTEST)
		below <<= 1;
	for (size_t i = 0; i < WIRE_BUCKETS - 1; i++)
		bucket_below[i] = below << (2 * i + 1);
}

/* A node with a histogram of its own tells its bounds. */
void calls_hello(struct wire_hello *hello)
{
	if (hello->features & WSN_F_TRACE && !(hello->features & WSN_F_HISTOGRAM))
		calls_bounds(hello->bucket_below, hello->ticks_per_second);
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
	struct trace *t = calls_trace(n);

	if (t)
		trace_setup(t, tracing, n->talk.hello.ticks_per_second);
}

/* What refers to a lost frame would stay unknown up to the next FORGET: ALL brings one. */
static void unknown_ask(struct node *n)
{
	const struct wire_command all = { .type = WSN_ALL, .quiet = true };
	struct node_calls *c = &n->calls;
	uint64_t unknown = n->talk.status.unheard + c->unknown;	/* as calls_losses left it */

	if (unknown == c->asked_unknown || n->now_ns - c->asked_ns < ASK_NS ||
	    !node_listens(n) || wire_command(n->inputs[0].wire, &all, NULL) < 0)
		return;
	c->asked_ns = n->now_ns;
	c->asked_unknown = unknown;
}

/* More of it came: accounts, and the profile. */
void calls_advance(struct node *n)
{
	struct trace *t = n->calls.trace;

	arrivals_note(n);
	energy_frames(n);
	if (trace_account_live(t) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some calls are not counted");
	node_past_rows(n);
	if (n->now_ns - n->calls.followed_ns >= FOLLOW_NS)
		calls_follow(n);
	calls_losses(n, &n->talk.status);
	n->changes |= NODE_DATA;
}

static void on_trace(void *ctx, const struct wire_trace *frame)
{
	struct node *n = input_batch(ctx);
	struct trace *t = calls_trace(n);

	if (!t)
		return;
	trace_traced(t, n->binding.image ? image_traced_all(n->binding.image) : NULL);
	trace_frame(t, frame);
	calls_advance(n);
	unknown_ask(n);
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
	energy_again(n);
}

const struct trace *node_trace(const struct node *n)
{
	return n->calls.trace;
}
