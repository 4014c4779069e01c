/* model: a node's facts, its functions and edges. */
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "lib/session.h"

/* --- facts ------------------------------------------------------------------------------------ */

const char *wsntop_node_name(const struct wsntop_node *n)
{
	return node_title(n->node);
}

const char *wsntop_node_source(const struct wsntop_node *n)
{
	return node_source(n->node);
}

const char *wsntop_node_format(const struct wsntop_node *n)
{
	return node_format(n->node);
}

const char *wsntop_node_match(const struct wsntop_node *n)
{
	return node_match(n->node);
}

const char *wsntop_node_warning(struct wsntop_node *n)
{
	const char *why = link_why(node_link(n->node));

	if (node_warning(n->node, n->warning, sizeof(n->warning)))
		return n->warning;
	return *why ? why : NULL;
}

/* --- computing -------------------------------------------------------------------------------- */

int session_source(struct wsntop_node *n, struct export_source *s)
{
	struct wsntop *w = n->session;

	if (node_image(n->node)) {
		node_image_wait(n->node);
		node_service(n->node, clock_now(), 0);
	}
	node_export_source(n->node, s);
	s->baseline = w->baseline;
	s->order = w->settings.order;
	s->values = &w->settings.values;
	if (s->profile->dirty)
		return err_set(&w->err, ERR_NOMEM, "out of memory");
	return 0;
}

int wsntop_compute(struct wsntop_node *n)
{
	struct err *err = session_err(n->session);
	struct export_source s;

	if (session_source(n, &s) < 0)
		return err->code;
	contexts_release(&n->contexts);
	n->contexts = (struct contexts){ 0 };
	if (contexts_build(&n->contexts, s.profile, s.profile->image) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	return 0;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* As much as the caller knows of; what is newer than we are is zero. */
static int figures_give(void *to, size_t size, const void *from, size_t have)
{
	memset(to, 0, size);
	memcpy(to, from, size < have ? size : have);
	return 0;
}

static int number_refuse(struct wsntop_node *n, const char *what, size_t i)
{
	return err_set(session_err(n->session), ERR_ABSENT, "%s %zu: there are not so many", what,
		       i);
}

int wsntop_totals(struct wsntop_node *n, struct wsntop_totals *totals, size_t size)
{
	const struct profile *p = node_profile(n->node);
	const struct wire_stats *stats = node_stats(n->node);
	const struct wsntop_totals t = {
		.functions = p->function_count, .edges = p->edge_count,
		.calls = p->totals.calls, .samples = p->totals.samples,
		.self_s = p->totals.self_s, .run_s = p->totals.run_s,
		.ticks_per_second = p->terms.ticks_per_second,
		.bytes = stats->bytes, .bad_bytes = stats->bad_bytes, .lost = stats->lost,
	};

	return figures_give(totals, size, &t, sizeof(t));
}

int wsntop_function(struct wsntop_node *n, size_t i, struct wsntop_function *f, size_t size)
{
	const struct profile *p = node_profile(n->node);
	const struct profile_function *from;
	struct wsntop_function to;

	if (i >= p->function_count)
		return number_refuse(n, "function", i);
	from = &p->functions[i];
	to = (struct wsntop_function){
		.name = from->name,
		.file = from->path ? from->path : from->file,
		.address = from->address, .line = from->line, .cycle = from->cycle,
		.calls = from->called ? from->calls : 0, .samples = from->samples,
		.self_s = from->self_s, .total_s = from->total_s,
		.per_call_s = from->per_call_s, .min_s = from->min_s, .max_s = from->max_s,
	};
	return figures_give(f, size, &to, sizeof(to));
}

int wsntop_edge(struct wsntop_node *n, size_t i, struct wsntop_edge *e, size_t size)
{
	const struct profile *p = node_profile(n->node);
	const struct profile_edge *from;
	struct wsntop_edge to;
	bool range;

	if (i >= p->edge_count)
		return number_refuse(n, "edge", i);
	from = &p->edges[i];
	range = profile_edge_range(from) && p->terms.ticks_per_second > 0;
	to = (struct wsntop_edge){
		.caller = from->from == PROFILE_NONE ? WSNTOP_NONE : from->from,
		.callee = from->to,
		.calls = from->calls, .sites = from->sites, .total_s = from->total_s,
		.min_s = range ? profile_seconds(p, (double)from->min) : (double)NAN,
		.max_s = range ? profile_seconds(p, (double)from->max) : (double)NAN,
	};
	return figures_give(e, size, &to, sizeof(to));
}
