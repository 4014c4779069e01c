/*
 * flame: the call tree as an icicle: width is time, or calls where no times are known.
 */
#include <math.h>
#include <string.h>

#include "tui/part/graph_text.h"
#include "tui/view/flame/flame.h"
#include "tui/view/views.h"

static void flame_release(struct view *v)
{
	struct flame *f = (struct flame *)v;

	icicle_release(&f->halves[0]);
	icicle_release(&f->halves[1]);
	subtree_release(&f->subtree);
}

static int flame_init(struct view *v)
{
	((struct flame *)v)->through = NAN;
	return 0;
}

static bool function_matches(void *ctx, uint32_t function)
{
	const struct view_shared *s = ctx;

	return part_matches(s, s->model.profile->functions[function].name);
}

static bool passes_filter(void *ctx, uint32_t function)
{
	const struct view_shared *s = ctx;

	return rows_match(&s->model.profile->functions[function], s->order.filter);
}

static size_t passing_count(const struct view_shared *s)
{
	size_t n = 0;

	for (uint32_t i = 0; s->order.filter && i < s->model.profile->function_count; i++)
		n += passes_filter((void *)(uintptr_t)s, i);
	return n;
}

static void flame_update(struct view *v, const struct view_shared *s)
{
	struct flame *f = (struct flame *)v;

	f->profile = s->model.profile;
	f->halves[0].count = f->halves[0].levels = f->halves[1].count = f->halves[1].levels = 0;
	f->laid = 0;
	f->through = NAN;
	if (!s->model.profile || !s->model.profile->function_count)
		return;
	f->files = part_has_files(s->model.profile);
	if (f->colour == FLAME_DELTA && !s->model.compare)
		f->colour = FLAME_HEAT;
	f->passing = passing_count(s);
	if (f->sandwich && flame_halves(f))
		return;
	if (icicle_build(&f->halves[0], s->model.profile, f->inverted) == 0 &&
	    (s->search || s->order.filter))
		f->through = graph_through(&f->halves[0].graph, s->search ? function_matches :
					   passes_filter, (void *)(uintptr_t)s);
}

/* Boxes as they are to be: before drawing and before acting. False: there are none. */
static bool boxes_ready(struct flame *f, const struct view_shared *s)
{
	if (f->profile != s->model.profile)
		flame_update(&f->view, s);
	if (!f->profile || !f->profile->function_count)
		return false;
	flame_lay_out(f);
	if (s->has_selected && f->seen != s->selected_address)
		flame_reveal(f, s);
	return flame_icicle(f)->count > 0;
}

static void flame_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	struct flame *f = (struct flame *)v;

	v->width = g->width;
	v->height = g->height;
	if (part_lacks(g, s, VIEW_NEEDS_PROFILE) || !boxes_ready(f, s))
		return;
	flame_show(f);
	flame_draw_boxes(f, s, g);
}

/* --- direction, colours, search -------------------------------------------------------------- */

static struct view_reply invert_boxes(struct flame *f, struct view_shared *s)
{
	if (f->sandwich)
		return view_say("the sandwich has both directions; {sandwich} leaves it");
	f->inverted = !f->inverted;
	flame_update(&f->view, s);
	flame_lay_out(f);
	flame_reveal(f, s);
	return view_redraw();
}

void flame_leave(struct flame *f, const struct view_shared *s)
{
	f->sandwich = f->callers = false;
	flame_update(&f->view, s);
	flame_lay_out(f);
	flame_reveal(f, s);
}

static bool has_colour(const struct flame *f, const struct view_shared *s, enum flame_colour colour)
{
	return colour == FLAME_HEAT || (colour == FLAME_FILE ? f->files : s->model.compare != NULL);
}

static struct view_reply next_colour(struct flame *f, struct view_shared *s)
{
	static const char *const words[FLAME_COLOURS] = {
		[FLAME_HEAT] = "coloured by self time", [FLAME_FILE] = "coloured by file",
		[FLAME_DELTA] = "coloured by the difference to the baseline",
	};
	enum flame_colour before = f->colour;

	do
		f->colour = (enum flame_colour)((f->colour + 1) % FLAME_COLOURS);
	while (!has_colour(f, s, f->colour));
	return view_say(f->colour != before ? words[f->colour] :
		"only self time: no files known (build with -g), no baseline set ({baseline})");
}

/* The next function from the selected one on that matches and has no box. */
static uint32_t hidden_match(const struct flame *f, struct view_shared *s)
{
	uint32_t n = (uint32_t)f->profile->function_count, at = view_selected(s);

	for (uint32_t i = 1; i <= n; i++) {
		uint32_t function = at == PROFILE_NONE ? i - 1 : (at + i) % n;

		if (function_matches(s, function) &&
		    icicle_widest(flame_icicle(f), function) == ICICLE_NONE)
			return function;
	}
	return PROFILE_NONE;
}

/* Box number n of both halves: the lower one's come first. */
static const struct icicle_box *box_of_both(const struct flame *f, size_t n)
{
	size_t below = f->halves[0].count;

	return n < below ? &f->halves[0].boxes[n] : &f->halves[1].boxes[n - below];
}

/* The upper half's level 0 is seen only where it is zoomed. */
static bool box_found(const struct flame *f, const struct view_shared *s, size_t n)
{
	return flame_matches(f, s, box_of_both(f, n)) &&
	       (n != f->halves[0].count || f->halves[1].zoom.n);
}

static struct view_reply box_go(struct flame *f, struct view_shared *s, size_t n)
{
	f->callers = n >= f->halves[0].count;
	return flame_go(f, s, (uint32_t)(f->callers ? n - f->halves[0].count : n));
}

/* Along the boxes; before the search wraps around, zoom to matches without a box. */
static struct view_reply search_boxes(struct flame *f, struct view_shared *s, bool backwards)
{
	size_t n = f->halves[0].count + (f->sandwich ? f->halves[1].count : 0), found = SIZE_MAX;
	size_t at = f->box + (f->callers ? f->halves[0].count : 0);
	uint32_t hidden = PROFILE_NONE;
	struct icicle_chain chain;
	bool round = false;

	for (size_t i = 0; i < n && found == SIZE_MAX; i++) {
		round |= backwards ? at == 0 : at + 1 == n;
		at = backwards ? (at ? at - 1 : n - 1) : (at + 1) % n;
		if (box_found(f, s, at))
			found = at;
	}
	if (!f->sandwich && (round || found == SIZE_MAX))
		hidden = hidden_match(f, s);
	if (hidden != PROFILE_NONE && icicle_way(flame_icicle(f), hidden, &chain))
		return flame_go_chain(f, s, &chain);
	return found == SIZE_MAX ? view_no_match() : box_go(f, s, found);
}

/* --- acting ----------------------------------------------------------------------------------- */

static struct view_reply flame_act(struct view *v, struct view_shared *s, enum action a)
{
	struct flame *f = (struct flame *)v;
	size_t page = flame_room(v) > 1 ? (size_t)flame_room(v) - 1 : 1;

	if (!s->model.profile || !boxes_ready(f, s))
		return view_pass();
	if (part_searches(a))
		return search_boxes(f, s, a == ACTION_SEARCH_PREVIOUS);
	switch (a) {
	case ACTION_UP: return flame_up(f, s);
	case ACTION_DOWN: return flame_down(f, s);
	case ACTION_LEFT: return flame_aside(f, s, false);
	case ACTION_RIGHT: return flame_aside(f, s, true);
	case ACTION_PAGE_UP: return flame_levels(f, s, false, page);
	case ACTION_PAGE_DOWN: return flame_levels(f, s, true, page);
	case ACTION_TOP: return box_go(f, s, 0);
	case ACTION_BOTTOM: return flame_levels(f, s, true, ICICLE_LEVELS);
	case ACTION_LONGEST_CHILD:
		return flame_box(f)->count ? flame_go(f, s, flame_box(f)->first) : view_done();
	case ACTION_ENTER:
	case ACTION_OPEN: return flame_zoom_in(f, s, f->box);
	case ACTION_PARENT: return flame_parent(f, s);
	case ACTION_CLOSE: return flame_zoom_out(f, s, ICICLE_LEVELS);
	case ACTION_HOTTEST: return flame_hottest(f, s);
	case ACTION_INVERT: return invert_boxes(f, s);
	case ACTION_MODE: return next_colour(f, s);
	case ACTION_SANDWICH: return flame_sandwich(f, s);
	default: return view_pass();
	}
}

/* A function on the title line: zoom out to it; before the first: to all. */
static struct view_reply click_crumb(struct flame *f, struct view_shared *s, int x)
{
	struct icicle_chain zoom = flame_icicle(f)->zoom;

	if (zoom.n == 0)
		return view_done();
	for (size_t i = f->first_crumb; i < zoom.n; i++) {
		int begin = i > f->first_crumb ? f->crumbs[i - 1] : f->crumb_all;

		if (x < f->crumbs[i]) {
			zoom.n = x < begin ? 0 : i + 1;
			return flame_zoom_to(f, s, &zoom);
		}
	}
	return view_done();
}

static struct view_reply flame_mouse(struct view *v, struct view_shared *s, int x, int y,
				     int button)
{
	struct flame *f = (struct flame *)v;
	uint32_t box;
	bool callers;

	if (!s->model.profile || !boxes_ready(f, s))
		return view_pass();
	box = flame_at(f, x, y, &callers);
	if (box != ICICLE_NONE && button != 3 && button != 5) {
		f->callers = callers;
		f->box = box;
	}
	if (button == 3 || button == 5)
		return flame_zoom_out(f, s, 1);
	if (button == 4)
		return flame_zoom_at(f, s, x);
	if (y == 0)
		return click_crumb(f, s, x);
	if (box == ICICLE_NONE)
		return view_pass();
	return button == 2 ? flame_zoom_in(f, s, box) : flame_go(f, s, box);
}

static const enum action flame_hints[] = {
	ACTION_ENTER, ACTION_PARENT, ACTION_SANDWICH, ACTION_SEARCH, ACTION_TIME_BACK,
	ACTION_TIME_WINDOW, ACTION_BASELINE, ACTION_INVERT, ACTION_MODE, ACTION_HOTTEST,
	ACTION_CLOSE, ACTION_FILTER, ACTION_FREEZE, ACTION_EXPORT, ACTION_NONE,
};

/* --- for others ------------------------------------------------------------------------------- */

static bool flame_copy(struct view *v, const struct view_shared *s, struct buf *out)
{
	struct flame *f = (struct flame *)v;
	uint32_t way[ICICLE_LEVELS], at = f->box;
	const struct icicle_box *b = flame_box(f);
	const struct icicle *c = flame_icicle(f);
	size_t n = c->zoom.n;

	if (!b || f->profile != s->model.profile || b->n.function == PROFILE_NONE)
		return false;
	memcpy(way, c->above, n * sizeof(*way));
	n += b->level;
	for (size_t i = n; i > c->zoom.n; at = c->boxes[at].up)
		way[--i] = c->boxes[at].n.function;
	graph_text_copy(&c->graph, &b->n, way, n, out);
	return true;
}

static bool flame_where(struct view *v, const struct view_shared *s, struct view_place *at)
{
	struct flame *f = (struct flame *)v;
	const struct icicle_box *b = flame_box(f);

	return b && f->profile == s->model.profile && b->n.function != PROFILE_NONE &&
	       view_declared(s, b->n.function, at);
}

static const struct view_word flame_words[] = {
	{ ACTION_ENTER, "zoom", "zoom in on the function" },
	{ ACTION_PARENT, "zoom out", "zoom out to the caller" },
	{ ACTION_CLOSE, "all", "zoom out to all" },
	{ ACTION_HOTTEST, "hottest", "along the path that takes longest" },
	{ ACTION_MODE, "colours", "colours: by self time, by file, by change" },
	{ ACTION_INVERT, "bottom-up", "from the callees up; again: from the roots down" },
	{ ACTION_SANDWICH, "sandwich", "callers above, callees below the function; again: all" },
	{ ACTION_NONE, NULL, NULL },
};

static bool flame_filtered(const struct view *v, size_t *shown, size_t *all)
{
	const struct flame *f = (const struct flame *)v;

	*shown = f->passing;
	*all = f->profile ? f->profile->function_count : 0;
	return f->profile != NULL;
}

const struct view_ops view_flame_ops = {
	.name = "flame",
	.title = "The call tree as an icicle",
	.about =
		"A box is as wide as its share of the time of the one above it (of the calls, "
		"where no times are known); the part that no box below it covers is self time. "
		"{up}, {down}, {left} and {right} move, {enter} zooms into the box, {parent} out "
		"by one, {close} out to all; the wheel zooms at the pointer, a right click out. "
		"Functions too narrow to draw share a box that shows their number. > is selected, "
		"* found, ↻ among those above it, ~ apportioned among several callers. {mode}: "
		"coloured by self time, by file, by the difference to the baseline (+ more time, "
		"- less). {sandwich}: the selected function alone, as wide as the screen, with "
		"its callers above and its callees below. The table has all functions below the "
		"selected box, with their time there.",
	.action = ACTION_VIEW_FLAME,
	.size = sizeof(struct flame),
	.init = flame_init,
	.release = flame_release,
	.update = flame_update,
	.draw = flame_draw,
	.act = flame_act,
	.mouse = flame_mouse,
	.hints = flame_hints,
	.words = flame_words,
	.copy = flame_copy,
	.place = flame_where,
	.filtered = flame_filtered,
};
