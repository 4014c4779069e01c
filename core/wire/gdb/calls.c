/*
 * calls: those that are open. A call ends where its return address is met with the stack as it was
 * before the call: a breakpoint there, for as long as it is open. A tail call ends with what called
 * it, and is told so.
 */
#include "core/wire/gdb/state.h"

#include <string.h>

static void return_give(struct gdb *g, const struct gdb_call *call)
{
	watch_event(g, (struct wire_event){ .kind = EVENT_RETURN, .lane = call->lane });
}

/*
 * Of a target without a clock calls are counted, by their sites, and not timed: a profile made of
 * the events would have the host's times.
 */
static void site_count(struct gdb *g, const struct gdb_call *call)
{
	struct gdb_watch *w = &g->watch;
	uint32_t from = call->handler ? 0 : call->from;
	struct wire_total t = { .kind = TOTAL_SITE, .from = from, .to = call->function,
				.flags = call->handler ? ROW_HANDLER : 0 };
	size_t i = 0;

	while (i < w->site_count && (w->sites[i].from != from || w->sites[i].to != call->function))
		i++;
	if (i == SITES)
		i = SITES - 1;		/* the last one is of all that found no room */
	if (i == w->site_count)
		w->sites[w->site_count++] = (struct gdb_site){ .from = from, .to = call->function };
	t.from = w->sites[i].from;
	t.to = w->sites[i].to;
	t.calls = ++w->sites[i].calls;
	if (!w->cycles && !g->leaves)
		told_total(g, &t);
}

static bool is_same_frame(const struct gdb_call *a, const struct gdb_call *b)
{
	return a->from == b->from && a->sp == b->sp;
}

static struct gdb_call *call_innermost(struct gdb_watch *w)
{
	return w->call_count ? &w->calls[w->call_count - 1] : NULL;
}

/* A handler that began where another's frame still is: that one ended, nothing ran in between. */
static void chained_end(struct gdb *g, const struct gdb_call *call)
{
	struct gdb_watch *w = &g->watch;
	struct gdb_call *last = call_innermost(w);

	if (!call->handler || !last || !last->handler || !is_same_frame(last, call))
		return;
	return_give(g, last);
	w->call_count--;
}

void calls_begin(struct gdb *g, const struct gdb_call *call)
{
	watch_event(g, (struct wire_event){ .kind = EVENT_CALL, .lane = call->lane,
					    .handler = call->handler, .address = call->function });
	site_count(g, call);
}

/* Most are one instruction that jumps to itself. */
static bool is_fault_handler(const struct gdb *g, uint32_t function)
{
	const struct codemap *code = g->wire.code;

	for (unsigned i = 1; code && i < code->faults && i < code->handler_count; i++)
		if (code->handlers[i] == function)
			return true;
	return false;
}

/* A jump to its own beginning. Handlers are chained in one frame, too, but those of faults. */
static bool call_loops(const struct gdb *g, const struct gdb_call *last,
		       const struct gdb_call *call)
{
	return last->function == call->function && is_same_frame(last, call) &&
	       (!call->handler || is_fault_handler(g, call->function));
}

void calls_enter(struct gdb *g, const struct gdb_call *call)
{
	struct gdb_watch *w = &g->watch;
	struct gdb_call *last = call_innermost(w);

	if (last && call_loops(g, last, call))
		return;
	chained_end(g, call);
	if (w->call_count == CALLS) {
		watch_event(g, (struct wire_event){ .kind = EVENT_LOST, .lane = call->lane });
		w->call_count = 0;
	}
	calls_begin(g, call);
	w->calls[w->call_count++] = *call;
	w->changed = true;
}

void calls_return(struct gdb *g, uint32_t pc, uint32_t sp)
{
	struct gdb_watch *w = &g->watch;
	size_t outermost = w->call_count;

	for (size_t i = w->call_count; i-- > 0;)
		if (w->calls[i].from == pc && w->calls[i].sp == sp)
			outermost = i;
	while (w->call_count > outermost) {
		return_give(g, call_innermost(w));
		w->call_count--;
		w->changed = true;
	}
}

static void lost_count(struct gdb_watch *w, uint32_t note)
{
	for (size_t i = 0; i < w->count; i++)
		w->of[i].lost += w->of[i].note == note;
}

void calls_check(struct gdb *g)
{
	struct gdb_watch *w = &g->watch;
	size_t kept = 0;

	for (size_t i = 0; i < w->call_count; i++) {
		struct point *p = points_break(&g->points, w->calls[i].from);

		if (p && !p->refused) {
			w->calls[kept++] = w->calls[i];
			continue;
		}
		lost_count(w, w->calls[i].note);
		watch_event(g, (struct wire_event){ .kind = EVENT_LOST, .lane = w->calls[i].lane });
	}
	w->changed |= kept != w->call_count;
	w->call_count = kept;
}
