#include "core/export/stacks.h"

#include "core/export/format.h"

#include <math.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/profile/tree/graph.h"

#define LEAST_SHARE 1e-7		/* of the whole: paths below that are not walked */
#define SAME 1e-6			/* sums that differ by less are one */

/* Of one function, over its frames. */
struct sum {
	double self, count;		/* as the tree has them */
	double seen_self, seen_count;	/* up to the frame at hand, scaled */
	uint64_t ns, calls, samples;	/* given so far */
	bool on_path;
};

struct walk {
	struct stacks *s;
	const struct profile *p;
	struct graph graph;
	struct sum *sums;		/* by function */
	int ret;
};

static double function_self(const struct profile *p, const struct profile_function *f)
{
	bool tells = f->time == PROFILE_TIME_SAMPLED || p->terms.ticks_per_second > 0;

	return f->time != PROFILE_TIME_NONE && tells && f->self_s > 0 ? f->self_s : 0;
}

static uint64_t function_ns(const struct profile *p, const struct profile_function *f)
{
	double self = function_self(p, f);

	return self < 1e9 ? (uint64_t)llround(self * 1e9) : 0;
}

/* --- the tree --------------------------------------------------------------------------------- */

static uint32_t frame_add(struct walk *w, const struct stack_frame *frame)
{
	struct stacks *s = w->s;

	if (mem_grow(&s->frames, &s->cap, s->count + 1, sizeof(*s->frames)) < 0) {
		w->ret = ERR_NOMEM;
		return PROFILE_NONE;
	}
	s->frames[s->count] = *frame;
	return (uint32_t)s->count++;
}

static void node_walk(struct walk *w, const struct graph_node *node, uint32_t parent)
{
	struct sum *sum = &w->sums[node->function];
	double self = node->self > 0 ? node->self : 0, calls = node->calls > 0 ? node->calls : 0;
	struct stack_frame frame = {
		.parent = parent, .function = node->function, .depth = (uint16_t)node->depth,
		.shared = node->shared, .self = self, .count = calls,
	};
	uint32_t at = frame_add(w, &frame);

	if (at == PROFILE_NONE)
		return;
	sum->self += self;
	sum->count += calls;
	sum->on_path = true;
	for (uint32_t e = graph_first(&w->graph, node->function);
	     e != PROFILE_NONE && node->depth < STACKS_DEEP && w->s->count < STACKS_MOST;
	     e = graph_next(&w->graph, e)) {
		struct graph_node below;

		if (w->sums[graph_end(&w->graph, e)].on_path)
			continue;
		graph_below(&w->graph, node, e, &below);
		/* Of folded stacks that were read no calls are known. */
		if ((below.calls > 0 || below.value > 0) &&
		    below.value >= w->graph.whole * LEAST_SHARE)
			node_walk(w, &below, at);
	}
	sum->on_path = false;
	w->s->frames[at].end = (uint32_t)w->s->count;
}

/* --- whole numbers ---------------------------------------------------------------------------- */

/* What scales a sum to what it is to be: a lack that is more than an error is told by a frame. */
static double sum_scale(double is, double shall)
{
	return is > shall || is > shall * (1 - SAME) ? shall / is : 1;
}

static uint64_t share_rounded(double seen, uint64_t given)
{
	uint64_t all = seen > 0 && seen < 1e18 ? (uint64_t)llround(seen) : 0;

	return all > given ? all - given : 0;
}

static void frame_round(struct walk *w, struct stack_frame *f)
{
	const struct profile_function *fn = &w->p->functions[f->function];
	struct sum *sum = &w->sums[f->function];
	double self = function_self(w->p, fn);

	if (sum->self > 0)
		sum->seen_self += f->self * sum_scale(sum->self, self);
	if (sum->count > 0 && fn->called)
		sum->seen_count += f->count * sum_scale(sum->count, (double)fn->calls);
	f->ns = share_rounded(sum->seen_self * 1e9, sum->ns);
	f->calls = share_rounded(sum->seen_count, sum->calls);
	f->samples = share_rounded(self > 0 ? (double)fn->samples * sum->seen_self / self : 0,
				   sum->samples);
	sum->ns += f->ns;
	sum->calls += f->calls;
	sum->samples += f->samples;
}

static uint64_t rest_of(uint64_t shall, uint64_t given)
{
	return shall > given ? shall - given : 0;
}

/* What no path explains. */
static void rest_add(struct walk *w, uint32_t function)
{
	const struct profile_function *f = &w->p->functions[function];
	const struct sum *sum = &w->sums[function];
	struct stack_frame rest = {
		.parent = PROFILE_NONE, .function = function, .end = (uint32_t)w->s->count + 1,
		.shared = true, .ns = rest_of(function_ns(w->p, f), sum->ns),
		.calls = rest_of(f->called ? f->calls : 0, sum->calls),
		.samples = rest_of(f->samples, sum->samples),
	};

	if (rest.ns || rest.calls || rest.samples)
		frame_add(w, &rest);
}

static void sums_fill(struct stacks *s)
{
	for (size_t i = 0; i < s->count; i++) {
		s->frames[i].all_ns = s->frames[i].ns;
		s->frames[i].all_calls = s->frames[i].calls;
	}
	for (size_t i = s->count; i-- > 0;) {
		const struct stack_frame *f = &s->frames[i];

		if (f->parent == PROFILE_NONE)
			continue;
		s->frames[f->parent].all_ns += f->all_ns;
		s->frames[f->parent].all_calls += f->all_calls;
	}
}

/* A path has what it is to have whole if any function on it passes: pprof calls that focus. */
static int paths_filter(struct stacks *s, const struct export_source *source)
{
	bool *kept = mem_alloc(s->count + 1);	/* by frame: one before it, or itself, passes */
	bool *passing = NULL;
	int ret = kept ? export_passing(source, &passing) : ERR_NOMEM;

	for (size_t i = 0; ret == 0 && i < s->count; i++) {
		struct stack_frame *f = &s->frames[i];

		kept[i] = passing[f->function] ||
			  (f->parent != PROFILE_NONE && kept[f->parent]);
		if (!kept[i])
			f->ns = f->calls = f->samples = 0;
	}
	mem_free(passing);
	mem_free(kept);
	return ret;
}

int stacks_build(struct stacks *s, const struct export_source *source)
{
	const struct profile *p = source->profile;
	struct walk w = { .s = s, .p = p };
	size_t walked;

	s->count = 0;
	w.sums = mem_zalloc((p->function_count + 1) * sizeof(*w.sums));
	w.ret = w.sums ? graph_build(&w.graph, p, false) : ERR_NOMEM;
	s->times = w.graph.times;
	for (size_t i = 0; w.ret == 0 && i < w.graph.root_count; i++) {
		struct graph_node root;

		graph_root(&w.graph, i, &root);
		node_walk(&w, &root, PROFILE_NONE);
	}
	walked = s->count;
	for (size_t i = 0; i < walked && w.ret == 0; i++)
		frame_round(&w, &s->frames[i]);
	for (uint32_t i = 0; i < p->function_count && w.ret == 0; i++)
		rest_add(&w, i);
	if (w.ret == 0 && source->order.filter)
		w.ret = paths_filter(s, source);
	sums_fill(s);
	graph_release(&w.graph);
	mem_free(w.sums);
	return w.ret;
}

void stacks_release(struct stacks *s)
{
	mem_free(s->frames);
	*s = (struct stacks){ 0 };
}
