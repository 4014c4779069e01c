/* lines: which entries of the log are shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/node/watched.h"
#include "tui/view/log/view.h"

void log_release(struct log_view *v)
{
	trace_log_free(v->log);
	mem_free(v->back.v);
	mem_free(v->fore.v);
}

/* --- the log ---------------------------------------------------------------------------------- */

static bool call_is_wanted(const void *ctx, uint32_t id)
{
	return node_logs_call(ctx, id);
}

static int handler_number(const void *ctx, uint32_t id)
{
	return node_handler_number(ctx, id);
}

/* Another sum: other calls are logged. */
static uint32_t watched_sum(const struct node *n)
{
	size_t count;
	const struct node_logged *l = node_logged(n, &count);
	uint32_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (l[i].point.kind == WATCH_CALL || l[i].point.kind == WATCH_HANDLER)
			sum = sum * 31 + l[i].point.note + l[i].point.address + 1;
	return sum;
}

struct traced_source log_source(const struct log_view *v, const struct view_shared *s)
{
	return (struct traced_source){
		.trace = v->trace, .image = node_image(s->node), .node = node_title(s->node),
		.terms = { .number = handler_number, .ctx = s->node },
	};
}

static void log_restart(struct log_view *v, const struct view_shared *s)
{
	struct trace_log_terms terms = { .wants = call_is_wanted, .ctx = s->node };

	v->node = s->node;
	v->restarts = node_restarts(s->node);
	v->images = node_images(s->node);
	v->watched = watched_sum(s->node);
	terms.calls = v->all_calls ? TRACE_LOG_ALL_CALLS :
		      v->watched ? TRACE_LOG_SOME_CALLS : TRACE_LOG_NO_CALLS;
	trace_log_begin(v->log, &terms);
	v->first = v->back_to = v->fore_to = 0;
	v->back.count = v->fore.count = 0;
	memset(v->around, 0, sizeof(v->around));
}

/* --- the filter ------------------------------------------------------------------------------- */

static void filter_begin(struct log_view *v, const struct regex *filter)
{
	snprintf(v->filter, sizeof(v->filter), "%s", filter ? regex_pattern(filter) : "");
	v->back.count = v->fore.count = 0;
	v->back_to = v->fore_to = trace_log_end(v->log);
}

bool log_entry_text(struct log_view *v, const struct view_shared *s,
		    const struct trace_log_entry *e, char text[LOG_LINE])
{
	struct traced_source source = log_source(v, s);
	struct log_words w;

	if (!e)
		return false;
	log_words(&source, e, &w);
	log_line_text(&w, traced_seconds(&source, e->ticks), text);
	return true;
}

static bool entry_matches(struct log_view *v, const struct view_shared *s, uint64_t number)
{
	char text[LOG_LINE];

	return log_entry_text(v, s, trace_log_entry(v->log, number), text) &&
	       regex_match(s->order.filter, text);
}

static void found_add(struct log_found *f, uint64_t number)
{
	if (mem_grow(&f->v, &f->cap, f->count + 1, sizeof(*f->v)) == 0)
		f->v[f->count++] = number;
}

/* What is new comes first. A call that has not returned is matched as it stands. */
static void filter_step(struct log_view *v, const struct view_shared *s)
{
	uint64_t first = trace_log_first(v->log), end = trace_log_end(v->log);
	size_t left = LOG_MATCHED, before = v->back.count;

	v->fore_to = v->fore_to > first ? v->fore_to : first;
	for (; left && v->fore_to < end; left--, v->fore_to++)
		if (entry_matches(v, s, v->fore_to))
			found_add(&v->fore, v->fore_to);
	for (; left && v->back_to > first; left--)
		if (entry_matches(v, s, --v->back_to))
			found_add(&v->back, v->back_to);
	v->list.cursor += v->back.count - before;
	v->list.top += v->back.count - before;
	v->matches = v->fore_to < end || v->back_to > first;
}

/* --- the list --------------------------------------------------------------------------------- */

static uint64_t line_number(const struct log_view *v, size_t i)
{
	if (!*v->filter)
		return v->first + i;
	return i < v->back.count ? v->back.v[v->back.count - 1 - i] :
				   v->fore.v[i - v->back.count];
}

const struct trace_log_entry *log_line(struct log_view *v, size_t i)
{
	return v->log && i < v->list.count ? trace_log_entry(v->log, line_number(v, i)) : NULL;
}

size_t log_line_at(struct log_view *v, uint64_t ticks)
{
	return SORTED_WHERE(v->list.count, i, log_line(v, i) && log_line(v, i)->ticks < ticks);
}

/* Old entries went: the list's first lines. */
static void lines_drop(struct log_view *v)
{
	uint64_t first = trace_log_first(v->log);
	size_t gone = *v->filter ? 0 : (size_t)(first - v->first);

	while (*v->filter && v->back.count && v->back.v[v->back.count - 1] < first) {
		v->back.count--;
		gone++;
	}
	if (*v->filter && !v->back.count) {
		size_t n = SORTED_WHERE(v->fore.count, i, v->fore.v[i] < first);

		if (n)
			memmove(v->fore.v, v->fore.v + n, (v->fore.count - n) * sizeof(*v->fore.v));
		v->fore.count -= n;
		gone += n;
	}
	v->first = first;
	v->list.cursor -= v->list.cursor < gone ? v->list.cursor : gone;
	v->list.top -= v->list.top < gone ? v->list.top : gone;
}

static bool log_is_other(const struct log_view *v, const struct view_shared *s)
{
	return v->node != s->node || v->restarts != node_restarts(s->node) ||
	       v->images != node_images(s->node) || v->watched != watched_sum(s->node);
}

bool log_catch_up(struct log_view *v, const struct view_shared *s)
{
	const struct trace *trace = s->node ? node_trace(s->node) : NULL;
	const char *filter = s->order.filter ? regex_pattern(s->order.filter) : "";

	v->reads = v->matches = false;
	if (!v->log)
		v->log = trace_log_new(LOG_ENTRIES);
	if (!v->log || !trace || trace_is_empty(trace)) {
		v->trace = NULL;
		v->list.count = 0;
		return false;
	}
	if (trace != v->trace || log_is_other(v, s)) {
		v->trace = trace;
		log_restart(v, s);
	}
	if (!s->frozen || !trace_log_end(v->log))
		v->reads = trace_log_take(v->log, trace, node_ended(s->node), LOG_TAKEN);
	lines_drop(v);
	if (strncmp(filter, v->filter, sizeof(v->filter) - 1) != 0)
		filter_begin(v, s->order.filter);
	if (*v->filter)
		filter_step(v, s);
	v->list.count = *v->filter ? v->back.count + v->fore.count :
				     (size_t)(trace_log_end(v->log) - v->first);
	if (v->list.cursor >= v->list.count || !v->left)
		v->list.cursor = v->list.count ? v->list.count - 1 : 0;
	return true;
}

void log_refresh(struct log_view *v, const struct view_shared *s)
{
	if (!s->node || !v->trace || v->trace != node_trace(s->node) || log_is_other(v, s))
		log_catch_up(v, s);
}

/* --- words ------------------------------------------------------------------------------------ */

static uint32_t entry_within(struct log_view *v, const struct trace_log_entry *e, uint64_t number)
{
	size_t i = number % LOG_AROUND;

	if (e->within != TRACE_LOG_SOMEWHERE)
		return e->within;
	if (v->around[i].number != number + 1) {
		v->around[i].id = trace_log_within(v->trace, e);
		v->around[i].number = number + 1;
	}
	return v->around[i].id;
}

bool log_line_words(struct log_view *v, const struct view_shared *s, size_t i, struct log_words *w,
		    double *at, double *since)
{
	const struct trace_log_entry *e = log_line(v, i), *before = i ? log_line(v, i - 1) : NULL;
	struct traced_source source = log_source(v, s);
	struct trace_log_entry whole;

	if (!e)
		return false;
	whole = *e;
	whole.within = entry_within(v, e, line_number(v, i));
	log_words(&source, &whole, w);
	*at = traced_seconds(&source, e->ticks);
	*since = before && !trace_is_order_only(v->trace) ?
		 *at - traced_seconds(&source, before->ticks) : NAN;
	return true;
}

void log_line_text(const struct log_words *w, double at, char dst[LOG_LINE])
{
	char number[96] = "";

	if (w->number >= 0)
		snprintf(number, sizeof(number), ", %d%s%s", w->number, *w->exception ? " " : "",
			 w->exception);
	snprintf(dst, LOG_LINE, "%.6f %s %s %s %s%s%s%s", at, w->lane, w->what, w->name, w->value,
		 number, *w->within ? " in " : "", w->within);
}
