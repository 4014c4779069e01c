/*
 * histogram: durations of single calls: shortest, average and longest on one logarithmic axis; if
 * the node counts calls by duration, their distribution as a skyline over that axis, with
 * percentiles.
 *
 *	FUNCTION        CALLS |10 us      |100 us     |1 ms       |10 ms
 *	crc16_add       65536      ├──●────────┤
 *	fib             35421         ├─────────●───────────────────>
 *	  from main         1                            ├───●──────>
 *
 *	  from isr          9          ▁▁▁▁▄▄○▄██●██▃▃◆▃
 *	------
 *	the line under the cursor drawn large, and the longest calls so far: when, and which way
 *
 * Lines are functions (Enter opens one: a line for each caller), functions all opened, or edges
 * alone. > says that the longest call was longer than the node could count; < that the shortest was
 * below one tick.
 */
#include <stdio.h>

#include "core/base/text.h"
#include "core/profile/look/percentile.h"
#include "tui/view/histogram/histogram.h"
#include "tui/part/distribution.h"
#include "tui/view/histogram/latched.h"
#include "tui/view/views.h"

static int histogram_init(struct view *v)
{
	struct histogram *h = (struct histogram *)v;

	rows_init(&h->rows);
	map_init(&h->open);
	return 0;
}

static void histogram_release(struct view *v)
{
	struct histogram *h = (struct histogram *)v;

	rows_release(&h->rows);
	map_release(&h->open);
	durations_release(&h->lines);
	recent_release(&h->recent);
	excerpt_release(&h->excerpt);
}

/* --- lines ------------------------------------------------------------------------------------ */

bool histogram_is_open(const struct histogram *h, uint64_t address)
{
	uint32_t open = map_get(&h->open, address);

	return open == MAP_NONE ? h->mode == HISTOGRAM_MODE_CALLERS : open == 1;
}

static uint64_t caller_address(const struct histogram *h, const struct duration *d)
{
	uint32_t from = d->edge == PROFILE_NONE ? PROFILE_NONE : h->profile->edges[d->edge].from;

	return from == PROFILE_NONE ? UINT64_MAX : h->profile->functions[from].address;
}

void histogram_cursor_to(struct histogram *h, uint64_t function, bool at_edge, uint64_t caller)
{
	bool found = false;

	for (size_t i = 0; i < h->lines.count; i++) {
		const struct duration *d = &h->lines.items[i];
		bool edge = d->edge != PROFILE_NONE;

		if (h->profile->functions[d->function].address != function)
			continue;
		if (!found || (edge && at_edge && caller_address(h, d) == caller))
			h->list.cursor = i;
		found = true;
	}
}

/* The edges of the cursor's line whose longest calls were the longest. */
static void worst_calls_find(struct histogram *h, const struct view_shared *s)
{
	const struct duration *d = histogram_cursor(h);
	double seconds[WORST_LINES + 1];	/* one more than stays */
	uint32_t i;

	h->worst_count = 0;
	if (!d)
		return;
	i = d->edge != PROFILE_NONE ? d->edge : h->profile->functions[d->function].first_in;
	for (; i != PROFILE_NONE; i = h->profile->edges[i].next_in) {
		const struct worst_call *c = latched_of(s, d->function, i);
		size_t at = h->worst_count;

		for (; c && at > 0 && c->seconds > seconds[at - 1]; at--) {
			seconds[at] = seconds[at - 1];
			h->worst[at] = h->worst[at - 1];
		}
		if (c) {
			seconds[at] = c->seconds;
			h->worst[at] = i;
			h->worst_count += h->worst_count < WORST_LINES;
		}
		if (d->edge != PROFILE_NONE)
			break;
	}
}

static void function_lines_add(struct histogram *h, uint32_t function)
{
	if (h->mode == HISTOGRAM_MODE_EDGES)
		h->without += durations_add_edges(&h->lines, function) == 0;
	else if (!durations_add_function(&h->lines, function))
		h->without++;
	else if (histogram_is_open(h, h->profile->functions[function].address))
		durations_add_callers(&h->lines, function);
}

void histogram_update(struct view *v, const struct view_shared *s)
{
	struct histogram *h = (struct histogram *)v;

	h->profile = s->model.profile;
	h->order = s->order;
	h->order.compare = s->model.compare;
	h->lines.count = h->without = h->list.count = h->rows.count = h->worst_count = 0;
	if (!s->model.profile || s->model.profile->function_count == 0 ||
	    rows_sort(&h->rows, s->model.profile, &h->order) < 0)
		return;
	durations_begin(&h->lines, s->model.profile);
	for (size_t i = 0; i < h->rows.count; i++)
		function_lines_add(h, h->rows.items[i]);
	if (h->mode == HISTOGRAM_MODE_EDGES)
		durations_sort(&h->lines, &s->order);
	durations_fit(&h->lines);
	h->list.count = h->lines.count;
	if (s->has_selected && (s->follow || h->seen != s->selected_address)) {
		histogram_cursor_to(h, s->selected_address,
				    h->at_edge && h->seen == s->selected_address, h->at_caller);
		h->seen = s->selected_address;
	}
	worst_calls_find(h, s);
	if (h->lines.any_buckets)
		recent_update(&h->recent, s);
}

struct view_reply histogram_select(struct histogram *h, struct view_shared *s)
{
	const struct duration *d = histogram_cursor(h);

	if (!d)
		return view_done();
	view_select(s, d->function);
	h->seen = s->selected_address;
	h->at_edge = d->edge != PROFILE_NONE;
	h->at_caller = caller_address(h, d);
	worst_calls_find(h, s);
	return view_redraw();
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void histogram_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct histogram *h = (struct histogram *)v;

	v->width = g->width;
	v->height = g->height;
	if (h->profile != s->model.profile || h->order.column != s->order.column ||
	    h->order.inverted != s->order.inverted || h->order.filter != s->order.filter ||
	    h->order.by_change != s->order.by_change ||
	    (s->has_selected && h->seen != s->selected_address))
		histogram_update(v, s);
	if (part_lacks(g, s, VIEW_NEEDS_PROFILE))
		return;
	if (h->lines.count)
		histogram_draw_all(h, s, g);
	else if (h->rows.count == 0)
		part_say(g, s, (const char *const[]){ "no function passes the filter", NULL });
	else
		part_say(g, s, (const char *const[]){ "no durations in this stream",
			"It has only counts of calls, or only samples.", NULL });
}

/* --- for the clipboard and the editor --------------------------------------------------------- */

static void time_add(struct buf *out, const struct profile *p, const char *name, double seconds,
		     bool at_least)
{
	char text[24];

	column_call_time(p, seconds, at_least, text, sizeof(text));
	buf_addf(out, "\t%s %s", name, *text ? text : "-");
}

/* One line, with tabs: what a spreadsheet takes. */
static bool histogram_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	const struct histogram *h = (const struct histogram *)v;
	const struct duration *d = h->profile == s->model.profile ? histogram_cursor(h) : NULL;
	const struct worst_call *c = d ? latched_of(s, d->function, d->edge) : NULL;
	char text[400];

	if (!d)
		return false;
	buf_adds(out, distribution_title(h->profile, d, text, sizeof(text)));
	buf_addf(out, "\tcalls %s", TEXT_WHOLE(d->calls > 0 ? d->calls : 0));
	time_add(out, h->profile, "min", d->min, d->min_at_least);
	time_add(out, h->profile, "average", d->average, false);
	for (size_t i = HISTOGRAM_P50; i <= HISTOGRAM_P99 && d->has_buckets; i++) {
		column_percentile(h->profile, duration_percentile(h->profile, d,
				  histogram_columns[i].percentile), text, sizeof(text));
		buf_addf(out, "\t%s %s", histogram_columns[i].title, *text ? text : "-");
	}
	time_add(out, h->profile, "max", d->max, d->at_least);
	if (c) {
		time_add(out, h->profile, "longest", c->seconds, c->at_least);
		buf_addf(out, "\t%s", latched_when(s, c, text, sizeof(text)));
		buf_addf(out, "\t%s",
			 latched_way(s, c, h->profile->functions[d->function].name, text,
				     sizeof(text)));
	}
	return true;
}

/* An edge is where its longest call was made; a function where it is declared. */
static bool histogram_place(struct view *v, const struct view_shared *s, struct view_place *at)
{
	const struct histogram *h = (const struct histogram *)v;
	const struct duration *d = h->profile == s->model.profile ? histogram_cursor(h) : NULL;
	const struct image *im = s->node ? node_image(s->node) : NULL;
	const struct worst_call *c;
	struct image_line line;

	if (!d || d->edge == PROFILE_NONE || !im)
		return false;
	c = latched_of(s, d->function, d->edge);
	if (!c || c->site < 2 || !image_line(im, (uint64_t)(c->site & ~1u) - 1, &line) ||
	    !line.path)
		return false;
	*at = (struct view_place){ line.path, line.line };
	return true;
}

static const enum action histogram_hints[] = {
	ACTION_ENTER, ACTION_MODE, ACTION_SORT, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_FILTER, ACTION_FREEZE,
	ACTION_OPEN_ALL, ACTION_COPY, ACTION_EXPORT, ACTION_LONGEST_CALL, ACTION_NONE,
};

static const struct view_word histogram_words[] = {
	{ ACTION_ENTER, "callers", "open or close callers; by MAX: the longest call" },
	{ ACTION_MODE, "rows", "rows: functions, with callers, or each call by itself" },
	{ ACTION_NONE, NULL, NULL },
};

static bool histogram_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct histogram *h = (const struct histogram *)v;

	*shown = h->rows.count;
	*all = h->rows.count + h->rows.hidden;
	return true;
}

const struct view_ops view_histogram_ops = {
	.name = "histogram",
	.brief = "hist",
	.title = "How long single calls take",
	.about =
		"From the shortest call to the longest, the dot is the average; the axis is "
		"logarithmic. If the node counts calls by duration, a skyline shows their "
		"distribution: the fullest of the eight buckets is the highest. Percentiles are "
		"exact to the bucket, and estimates (~) inside it. > at the end: longer than "
		"the node can count. < at the start: shorter than its tick. {enter} shows one "
		"function by callers, {mode} all functions, or edges alone. The panel has the "
		"row under the cursor at a larger scale, with its longest call so far: when "
		"wsntop learned of it, and its call path ('probably': one of several).",
	.action = ACTION_VIEW_HISTOGRAM,
	.size = sizeof(struct histogram),
	.init = histogram_init,
	.release = histogram_release,
	.update = histogram_update,
	.draw = histogram_draw,
	.act = histogram_act,
	.mouse = histogram_mouse,
	.hints = histogram_hints,
	.words = histogram_words,
	.copy = histogram_copy,
	.place = histogram_place,
	.filtered = histogram_filtered,
};
