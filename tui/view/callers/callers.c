/*
 * callers: one function with who calls it above and whom it calls below, as in gprof's call graph.
 *
 *	callers, the most expensive nearest to the middle
 *	the function
 *	callees, the most expensive first
 *	------
 *	the call sites of the edge under the cursor, with their source lines; or, on the function
 *	itself, where inside it its samples fell
 *
 * {enter} walks to the caller or callee under the cursor, {parent} goes back the way one came.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/view/callers/callers.h"
#include "core/profile/look/durations.h"
#include "tui/part/table.h"
#include "tui/view/views.h"

static void callers_release(struct view *v)
{
	struct callers *c = (struct callers *)v;

	butterfly_release(&c->b);
	spots_release(&c->spots);
	excerpt_release(&c->excerpt);
}

/* The function to show: the selected one, else the most expensive. */
static uint32_t function_shown(const struct view_shared *s)
{
	const struct profile *p = s->model.profile;
	uint32_t best = view_selected(s);

	if (best != PROFILE_NONE)
		return best;
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (best == PROFILE_NONE || p->functions[i].self_s > p->functions[best].self_s ||
		    isnan(p->functions[best].self_s))
			best = i;
	}
	return best;
}

/* --- cursor ----------------------------------------------------------------------------------- */

static uint64_t line_address(const struct callers *c, const struct butterfly_line *l)
{
	return l->other < c->profile->function_count ? c->profile->functions[l->other].address :
						       UINT64_MAX;
}

/* Remember the line by what survives a recompute, and find its call sites. */
static void cursor_moved(struct callers *c)
{
	const struct butterfly_line *l = callers_cursor(c);

	c->at_kind = l ? l->kind : BUTTERFLY_FUNCTION;
	c->at_address = l ? line_address(c, l) : UINT64_MAX;
	sites_find(&c->sites, c->profile, l ? l->edge : PROFILE_NONE);
}

static void cursor_find(struct callers *c)
{
	size_t before = c->list.cursor;

	c->list.cursor = c->b.middle;
	/* Of two notes the nearer one: callers' and callees' look alike. */
	for (size_t i = 0; i < c->b.count; i++) {
		if (c->at_kind == BUTTERFLY_NOTE && (i < c->b.middle) != (before < c->b.middle))
			continue;
		if (c->b.lines[i].kind == c->at_kind &&
		    line_address(c, &c->b.lines[i]) == c->at_address)
			c->list.cursor = i;
	}
	cursor_moved(c);
}

static void callers_update(struct view *v, const struct view_shared *s)
{
	struct callers *c = (struct callers *)v;
	uint32_t function = s->model.profile ? function_shown(s) : PROFILE_NONE;

	c->profile = s->model.profile;
	butterfly_build(&c->b, s->model.profile, function, s->order.filter);
	c->list.count = c->b.count;
	if (function == PROFILE_NONE) {
		c->sites.count = c->sites.list.count = 0;	/* of a profile that is no more */
		return;
	}
	if (c->address != s->model.profile->functions[function].address) {
		c->at_kind = BUTTERFLY_FUNCTION;
		c->center = true;
	}
	c->address = s->model.profile->functions[function].address;
	c->files = part_has_files(s->model.profile);
	cursor_find(c);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void callers_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct callers *c = (struct callers *)v;

	v->width = g->width;
	v->height = g->height;
	if (c->profile != s->model.profile ||
	    (s->has_selected && c->address != s->selected_address))
		callers_update(v, s);
	if (!part_lacks(g, s, VIEW_NEEDS_PROFILE) && c->b.count)
		callers_draw_all(c, s, g);
}

/* --- acting ----------------------------------------------------------------------------------- */

static struct view_reply walk_to(struct callers *c, struct view_shared *s, uint32_t function)
{
	if (function >= c->profile->function_count ||
	    c->profile->functions[function].address == c->address)
		return view_done();
	c->history[c->depth++ % CALLERS_HISTORY] = c->address;
	view_select(s, function);
	callers_update(&c->view, s);
	return view_redraw();
}

/* Back the way the user came; from its first function to the most expensive caller, right above. */
static struct view_reply walk_back(struct callers *c, struct view_shared *s)
{
	const struct butterfly_line *up = c->b.middle ? &c->b.lines[c->b.middle - 1] : NULL;

	if (c->depth) {
		s->selected_address = c->history[--c->depth % CALLERS_HISTORY];
		/* A ring: what was overwritten cannot be gone back to. */
		if (c->depth && c->history[(c->depth - 1) % CALLERS_HISTORY] == c->address)
			c->depth = 0;
	} else if (up && up->other < c->profile->function_count &&
		   line_address(c, up) != c->address) {
		view_select(s, up->other);
	} else {
		return view_say("no function is known to call it");
	}
	callers_update(&c->view, s);
	return view_redraw();
}

static bool other_matches(void *ctx, size_t line)
{
	const void **k = ctx;
	const struct callers *c = k[0];
	uint32_t other = c->b.lines[line].other;

	return other != PROFILE_NONE && part_matches(k[1], c->profile->functions[other].name);
}

static struct view_reply search_lines(struct callers *c, const struct view_shared *s,
				      bool backwards)
{
	const void *ctx[] = { c, s };

	if (!list_search(&c->list, backwards, other_matches, ctx))
		return view_no_match();
	cursor_moved(c);
	return view_redraw();
}

/* The most expensive callee is the line below the function. */
static uint32_t longest_callee(const struct callers *c)
{
	return c->b.middle + 1 < c->b.count ? c->b.lines[c->b.middle + 1].other : PROFILE_NONE;
}

/* Another of the call sites below. */
static struct view_reply next_site(struct callers *c, bool back)
{
	list_act(&c->sites.list, back ? ACTION_UP : ACTION_DOWN, c->site_rows);
	sites_moved(&c->sites, c->profile);
	return view_redraw();
}

static struct view_reply callers_act(struct view *v, struct view_shared *s, enum action a)
{
	struct callers *c = (struct callers *)v;

	if (!c->profile || c->profile != s->model.profile || c->b.count == 0)
		return view_pass();
	if (!s->has_selected)
		view_select(s, c->b.lines[c->b.middle].other);
	if (list_act(&c->list, a, callers_page(v))) {
		cursor_moved(c);
		return view_redraw();
	}
	if (part_searches(a))
		return search_lines(c, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_ENTER:
	case ACTION_RIGHT: return walk_to(c, s, c->b.lines[c->list.cursor].other);
	case ACTION_LONGEST_CHILD: return walk_to(c, s, longest_callee(c));
	case ACTION_PARENT:
	case ACTION_LEFT: return walk_back(c, s);
	case ACTION_SORT_NEXT:
	case ACTION_SORT_PREVIOUS: return next_site(c, a == ACTION_SORT_PREVIOUS);
	default: return view_pass();
	}
}

static struct view_reply mouse_sites(struct callers *c, int y, int button)
{
	size_t line = c->sites.list.top + (size_t)(y - c->site_y);

	if (button == 4 || button == 5)
		list_wheel(&c->sites.list, button, c->site_rows);
	else if ((button == 1 || button == 2) && line < c->sites.count)
		c->sites.list.cursor = line;
	else
		return view_done();
	sites_moved(&c->sites, c->profile);
	return view_redraw();
}

static struct view_reply callers_mouse(struct view *v, struct view_shared *s, int x, int y,
				       int button)
{
	struct callers *c = (struct callers *)v;
	size_t line = c->list.top + (size_t)(y - 1);

	if (!c->profile || c->profile != s->model.profile || c->b.count == 0)
		return view_pass();
	if (x < c->site_width && y >= c->site_y && y < c->site_y + c->site_rows)
		return mouse_sites(c, y, button);
	if (list_wheel(&c->list, button, callers_page(v))) {
		cursor_moved(c);
		return view_redraw();
	}
	if ((button != 1 && button != 2) || y < 1 || y > callers_page(v) || line >= c->b.count)
		return view_done();
	c->list.cursor = line;
	cursor_moved(c);
	return button == 2 ? walk_to(c, s, c->b.lines[line].other) : view_redraw();
}

/* --- for clipboard and editor ----------------------------------------------------------------- */

static void add_time(struct buf *out, const struct profile *p, const char *name, double seconds,
		     bool at_least)
{
	char text[24];

	column_call_time(p, seconds, at_least, text, sizeof(text));
	if (*text)
		buf_addf(out, "\t%s %s", name, text);
}

static void add_percentile(struct buf *out, const struct profile *p, const char *name,
			   const struct duration *d, double share)
{
	char text[24];

	column_percentile(p, duration_percentile(p, d, share), text, sizeof(text));
	if (*text)
		buf_addf(out, "\t%s %s", name, text);
}

static void add_duration(struct buf *out, const struct profile *p, const struct duration *d)
{
	buf_addf(out, "\tcalls %s", TEXT_WHOLE(d->calls));
	add_time(out, p, "per call", d->average, false);
	add_time(out, p, "min", d->min, d->min_at_least);
	add_percentile(out, p, "P50", d, 0.50);
	add_percentile(out, p, "P99", d, 0.99);
	add_time(out, p, "max", d->max, d->at_least);
}

/* An edge and its chosen call site, with tabs: what a spreadsheet takes. */
static bool callers_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	const struct callers *c = (const struct callers *)v;
	const struct butterfly_line *l = callers_cursor(c);
	const struct profile_edge *e;
	struct duration d;
	char place[300];
	uint32_t site;

	if (!c->profile || c->profile != s->model.profile || !l || l->edge == PROFILE_NONE)
		return false;
	e = &c->profile->edges[l->edge];
	d = duration_of_edge(c->profile, l->edge);
	site = sites_chosen(&c->sites);
	buf_addf(out, "%s > %s", e->from == PROFILE_NONE ? part_nobody(e) :
		 c->profile->functions[e->from].name, c->profile->functions[e->to].name);
	add_duration(out, c->profile, &d);
	if (site == PROFILE_NONE || e->flags & ROW_HANDLER)
		return true;
	sites_place(s->node ? node_image(s->node) : NULL, &c->profile->sites[site], true, place,
		    sizeof(place));
	d = duration_of_site(c->profile, site);
	buf_addf(out, "\t%s 0x%05x", place, (unsigned)c->profile->sites[site].from);
	add_duration(out, c->profile, &d);
	return true;
}

/* For an edge its chosen call site; for a function its declaration. */
static bool callers_place(struct view *v, const struct view_shared *s, struct view_place *at)
{
	const struct callers *c = (const struct callers *)v;
	const struct image *im = s->node ? node_image(s->node) : NULL;
	uint32_t site = sites_chosen(&c->sites);
	struct image_line line;

	if (!c->profile || c->profile != s->model.profile || site == PROFILE_NONE ||
	    !sites_line(im, &c->profile->sites[site], &line) || !line.path)
		return false;
	*at = (struct view_place){ line.path, line.line };
	return true;
}

static const enum action callers_hints[] = {
	ACTION_ENTER, ACTION_PARENT, ACTION_LONGEST_CHILD, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_FREEZE,
	ACTION_EDITOR, ACTION_ANNOTATE, ACTION_COPY, ACTION_EXPORT, ACTION_NONE,
};

static const struct view_word callers_words[] = {
	{ ACTION_ENTER, "go there", "go to that caller or callee" },
	{ ACTION_PARENT, "back", "back to where you came from, or to the caller" },
	{ ACTION_NONE, NULL, NULL },
};

static bool callers_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct callers *c = (const struct callers *)v;

	*shown = c->b.shown;
	*all = c->b.all;
	return c->b.count > 0;
}

const struct view_ops view_callers_ops = {
	.name = "callers",
	.title = "Who calls a function, and whom it calls",
	.about =
		"Callers stand above the function, callees below; the most expensive are "
		"nearest to it. (interrupt): no function calls a handler. TOTAL, PER CALL, "
		"MIN and MAX of a row are those of the calls from that caller to that callee; a "
		"recursive call's time is part of an outer call's and has no TOTAL. "
		"SHARE is of the function's time, or of its calls where no time is known. Below "
		"are the places in the source that make these calls, each with its own times: "
		"{sort-next} and {sort-previous} choose one, {editor} opens the editor there. "
		"On the function's own row they are the lines of its PC samples. A large "
		"screen adds the longest call with its path, the source around the call, and "
		"how long the calls of the other edges took. {enter} "
		"goes to the selected function, {parent} goes back, and from the first one to "
		"its most expensive caller.",
	.action = ACTION_VIEW_CALLERS,
	.size = sizeof(struct callers),
	.release = callers_release,
	.update = callers_update,
	.draw = callers_draw,
	.act = callers_act,
	.mouse = callers_mouse,
	.hints = callers_hints,
	.words = callers_words,
	.copy = callers_copy,
	.place = callers_place,
	.filtered = callers_filtered,
};
