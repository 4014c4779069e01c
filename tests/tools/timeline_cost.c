/*
 * timeline_cost: keys of the time line over a long trace: tests/screen/test_timeline_cost.sh counts
 * their instructions.
 *
 *	timeline_cost MILLIONS [EACH]
 *
 * A trace of so many million calls, most of them in one lane, short ones in that of handlers. First
 * all of it is on the screen, then half, and half of that, down to a call: at each of them (with
 * EACH 2 at each second) the cursor moves and the screen is drawn. cost_key() is what a key costs.
 */
#define node made_node			/* the one that makes the trace, not the one that has it */
#define node_new made_node_new
#define node_free made_node_free
#define node_send made_node_send
#include <stdio.h>

/* The trace is made uncounted: --instr-atstart=no. */
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#endif

#include "tests/unit/calls_made.h"

/* Both lanes tell their calls to one trace. */
static struct trace *trace_make(uint64_t calls)
{
	struct node *task = node_new(5, 2), *handlers = node_new(6, 0);
	struct trace_stats stats = { .calls = 0 };

	trace_free(handlers->trace);
	handlers->trace = task->trace;
	handlers->lane = TRACE_LANE_HANDLERS;
	for (unsigned i = 0; stats.calls < calls; i++) {
		task->truth_count = handlers->truth_count = 0;
		function_run(task, 1 + i % 3, 5);
		task->ticks += 1000;
		handlers->ticks = task->ticks - 500;
		node_leaf(handlers, 12);
		while (task->count > FRAME)
			node_send(task);
		while (handlers->count > FRAME)
			node_send(handlers);
		trace_stats(task->trace, &stats);
	}
	printf("%llu calls in %zu bytes\n", (unsigned long long)stats.calls,
	       trace_memory(task->trace));
	return task->trace;
}

#undef node
#undef node_new
#undef node_free
#undef node_send

#include "core/node/parts.h"
#include "tui/view/views.h"

enum { COLUMNS = 200, LINES = 60, ZOOMS = 48 };

__attribute__((noinline)) static void cost_key(struct view *v, struct view_shared *s,
					       enum action a)
{
	static struct cell cells[COLUMNS * LINES];
	struct grid g = { .cells = cells, .width = COLUMNS, .height = LINES, .stride = COLUMNS,
			  .utf8 = true };

	v->ops->act(v, s, a);
	v->ops->draw(v, s, &g);
}

int main(int argc, char **argv)
{
	static const enum action keys[] = {
		ACTION_RIGHT, ACTION_DOWN, ACTION_UP, ACTION_TIME_BACK, ACTION_OPEN,
	};
	static struct node n;
	static struct settings settings;
	struct view_shared s = { .node = &n, .settings = &settings };
	struct view *v = view_new(&view_timeline_ops);
	unsigned each = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

	n.calls.trace = trace_make((uint64_t)((argc > 1 ? atof(argv[1]) : 1) * 1e6));
	if (!v)
		return 1;
	v->width = COLUMNS;
	v->height = LINES;
	for (unsigned i = 0; i < ZOOMS; i++)
		v->ops->act(v, &s, ACTION_CLOSE);
	CALLGRIND_START_INSTRUMENTATION;
	for (unsigned i = 0; i < ZOOMS; i++) {
		if (i % each) {
			v->ops->act(v, &s, ACTION_OPEN);
			continue;
		}
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			cost_key(v, &s, keys[k]);
	}
	view_free(v);
	trace_free(n.calls.trace);
	return 0;
}
