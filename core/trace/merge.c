/* trace/merge: events of all lanes in the order of their times. */
#include "core/trace/state.h"

#include "core/base/mem.h"

/* The next event of each lane, where there is one. */
struct trace_merge {
	struct trace_walk *walks[TRACE_LANES];
	struct trace_event next[TRACE_LANES];
	bool has[TRACE_LANES];
};

struct trace_merge *trace_merge_new(const struct trace *t)
{
	struct trace_merge *m = mem_zalloc(sizeof(*m));

	for (unsigned i = 0; m && i < TRACE_LANES; i++) {
		m->walks[i] = trace_walk_new(t, i);
		if (!m->walks[i]) {
			trace_merge_free(m);
			return NULL;
		}
		m->has[i] = trace_walk_next(m->walks[i], &m->next[i]);
	}
	return m;
}

void trace_merge_free(struct trace_merge *m)
{
	for (unsigned i = 0; m && i < TRACE_LANES; i++)
		trace_walk_free(m->walks[i]);
	mem_free(m);
}

bool trace_merge_next(struct trace_merge *m, struct trace_event *e)
{
	unsigned first = TRACE_LANES;

	for (unsigned i = 0; i < TRACE_LANES; i++) {
		if (m->has[i] && (first == TRACE_LANES || m->next[i].ticks < m->next[first].ticks))
			first = i;
	}
	if (first == TRACE_LANES)
		return false;
	*e = m->next[first];
	m->has[first] = trace_walk_next(m->walks[first], &m->next[first]);
	return true;
}
