/*
 * The place among the boxes: walking, zooming, showing what another view chose.
 */
#include "tui/view/flame/flame.h"

#define READABLE 0.25			/* share of the width that what was looked for gets */

static struct icicle *half_of(struct flame *f)
{
	return &f->halves[f->callers];
}

static size_t length_of(const struct flame *f, uint32_t box)
{
	const struct icicle *c = flame_icicle(f);

	return c->zoom.n + (box < c->count ? c->boxes[box].level : 0);
}

void flame_lay_out(struct flame *f)
{
	int width = f->view.width > 0 ? f->view.width : 1;

	if (f->laid == width)
		return;
	for (int i = 0; i <= (int)f->sandwich; i++)
		icicle_lay_out(&f->halves[i], &flame_place_of(f, i)->zoom, width);
	f->laid = width;
	f->box = icicle_find(flame_icicle(f), &flame_place(f)->at);
	if (f->callers && f->box == 0 && flame_icicle(f)->zoom.n == 0)
		f->callers = false, f->box = 0;
}

/* Scroll so that the selected box is seen. */
static void half_show(struct flame *f, bool callers, int lines, const struct icicle_box *b)
{
	struct flame_place *at = flame_place_of(f, callers);
	size_t rows = lines > 0 ? (size_t)lines : 1, levels = f->halves[callers].levels, first;

	first = flame_first(f, callers);
	if (b && b->level < first)
		at->top = b->level;
	if (b && b->level >= first + rows)
		at->top = b->level - rows + 1;
	if (flame_first(f, callers) + rows > levels)
		at->top = levels > rows ? levels - rows : 0;
}

void flame_show(struct flame *f)
{
	struct flame_rows rows = flame_rows(f);

	half_show(f, false, rows.down, f->callers ? NULL : flame_box(f));
	if (f->sandwich)
		half_show(f, true, rows.up, f->callers ? flame_box(f) : NULL);
}

static struct view_reply box_select(struct flame *f, struct view_shared *s)
{
	const struct icicle_box *b = flame_box(f);

	if (b && b->n.function != PROFILE_NONE) {
		view_select(s, b->n.function);
		f->seen = s->selected_address;
	}
	flame_show(f);
	return view_redraw();
}

struct view_reply flame_go(struct flame *f, struct view_shared *s, uint32_t box)
{
	struct flame_place *at = flame_place(f);

	if (box >= flame_icicle(f)->count)
		return view_done();
	f->box = box;
	icicle_chain_of(flame_icicle(f), box, &at->at);
	at->deep = at->at.n;
	return box_select(f, s);
}

/* To a chain, zoomed in so far that its end can be read. */
struct view_reply flame_go_chain(struct flame *f, struct view_shared *s,
				 const struct icicle_chain *chain)
{
	struct flame_place *at = flame_place(f);

	at->at = at->zoom = *chain;
	at->deep = chain->n;
	at->zoom.n = icicle_zoom_for(flame_icicle(f), chain, READABLE);
	at->top = 0;
	f->laid = 0;
	flame_lay_out(f);
	return box_select(f, s);
}

/* Another view chose a function: its widest box, or where it would be. */
void flame_reveal(struct flame *f, const struct view_shared *s)
{
	const struct icicle_box *b = flame_box(f);
	struct flame_place *at = flame_place(f);
	uint32_t selected = view_selected(s), box;
	struct icicle_chain chain;

	f->seen = s->selected_address;
	if (selected == PROFILE_NONE || (b && b->n.function == selected))
		return;
	if (f->sandwich) {
		f->focus = s->selected_address;
		flame_refocus(f);
		return;
	}
	box = icicle_widest(half_of(f), selected);
	if (box != ICICLE_NONE) {
		icicle_chain_of(half_of(f), box, &at->at);
	} else if (icicle_way(half_of(f), selected, &chain)) {
		at->at = chain;
		at->zoom.n = 0;
		f->laid = 0;
		flame_lay_out(f);
	}
	at->deep = at->at.n;
	f->box = icicle_find(flame_icicle(f), &at->at);
	flame_show(f);
}

/* --- walking ---------------------------------------------------------------------------------- */

/* Towards level 0. */
static struct view_reply walk_back(struct flame *f, struct view_shared *s)
{
	struct flame_place *at = flame_place(f);
	const struct icicle_box *b = flame_box(f);

	if (!b || b->up == ICICLE_NONE)
		return view_done();
	at->at.n = length_of(f, b->up);
	f->box = b->up;
	return box_select(f, s);
}

/* Away from it: the way the user came, else to the most expensive. */
static struct view_reply walk_on(struct flame *f, struct view_shared *s)
{
	struct flame_place *at = flame_place(f);
	const struct icicle_box *b = flame_box(f);
	uint32_t next;

	if (!b || b->count == 0)
		return view_done();
	if (at->deep > at->at.n && at->at.n == length_of(f, f->box)) {
		at->at.n++;
		next = icicle_find(flame_icicle(f), &at->at);
		if (next != f->box) {
			f->box = next;
			return box_select(f, s);
		}
		at->at.n--;
	}
	return flame_go(f, s, b->first);
}

/* In the first line of a half, next to the other half. */
static bool at_border(const struct flame *f, const struct icicle_box *b)
{
	return f->sandwich && b &&
	       b->level == (f->callers && flame_icicle(f)->zoom.n == 0 ? 1 : 0);
}

struct view_reply flame_up(struct flame *f, struct view_shared *s)
{
	if (f->callers)
		return walk_on(f, s);
	if (at_border(f, flame_box(f)))
		return flame_cross(f) ? box_select(f, s) : view_done();
	return walk_back(f, s);
}

struct view_reply flame_down(struct flame *f, struct view_shared *s)
{
	if (!f->callers)
		return walk_on(f, s);
	if (at_border(f, flame_box(f)))
		return flame_cross(f) ? box_select(f, s) : view_done();
	return walk_back(f, s);
}

struct view_reply flame_aside(struct flame *f, struct view_shared *s, bool right)
{
	const struct icicle_box *b = flame_box(f);
	size_t next = right ? f->box + 1 : f->box - 1;

	if (!b || next < flame_icicle(f)->level[b->level] ||
	    next >= flame_icicle(f)->level[b->level + 1])
		return view_done();
	return flame_go(f, s, (uint32_t)next);
}

struct view_reply flame_levels(struct flame *f, struct view_shared *s, bool down, size_t n)
{
	while (n-- && (down ? flame_down(f, s) : flame_up(f, s)).redraw)
		;
	return view_redraw();
}

/* --- zooming ---------------------------------------------------------------------------------- */

struct view_reply flame_zoom_to(struct flame *f, struct view_shared *s,
				const struct icicle_chain *zoom)
{
	struct flame_place *at = flame_place(f);

	at->zoom = *zoom;
	at->top = 0;
	f->laid = 0;
	flame_lay_out(f);
	return box_select(f, s);
}

struct view_reply flame_zoom_out(struct flame *f, struct view_shared *s, size_t levels)
{
	struct icicle_chain zoom = flame_icicle(f)->zoom;

	if (zoom.n == 0)
		return view_done();
	zoom.n = levels < zoom.n ? zoom.n - levels : 0;
	return flame_zoom_to(f, s, &zoom);
}

/* Into a box; into the one above what is too narrow, which makes it wider. */
struct view_reply flame_zoom_in(struct flame *f, struct view_shared *s, uint32_t box)
{
	const struct icicle *c = flame_icicle(f);
	struct icicle_chain zoom;

	if (box < c->count && c->boxes[box].rest)
		box = c->boxes[box].up;
	if (box == 0 || box >= c->count)
		return view_done();
	icicle_chain_of(c, box, &zoom);
	return flame_zoom_to(f, s, &zoom);
}

/* One level nearer to what is at a column. */
struct view_reply flame_zoom_at(struct flame *f, struct view_shared *s, int x)
{
	uint32_t box = icicle_at(flame_icicle(f), 1, x);

	if (box == ICICLE_NONE || flame_icicle(f)->boxes[box].rest)
		return view_done();
	return flame_zoom_in(f, s, box);
}

struct view_reply flame_parent(struct flame *f, struct view_shared *s)
{
	return flame_icicle(f)->zoom.n ? flame_zoom_out(f, s, 1) : flame_up(f, s);
}

struct view_reply flame_hottest(struct flame *f, struct view_shared *s)
{
	struct icicle_chain chain;

	if (f->sandwich) {
		f->callers = false;
		flame_go(f, s, 0);
		return flame_levels(f, s, true, ICICLE_LEVELS);
	}
	return icicle_hottest(flame_icicle(f), &chain) ? flame_go_chain(f, s, &chain) : view_done();
}
