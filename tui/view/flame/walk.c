/*
 * The place among the boxes: walking, zooming, showing what another view chose.
 */
#include "tui/view/flame/flame.h"

#define READABLE 0.25			/* share of the width that what was looked for gets */

static size_t length_of(const struct flame *f, uint32_t box)
{
	return f->icicle.zoom.n + (box < f->icicle.count ? f->icicle.boxes[box].level : 0);
}

void flame_lay_out(struct flame *f)
{
	const struct flame_place *at = flame_place(f);
	int width = f->view.width > 0 ? f->view.width : 1;

	if (f->laid == width)
		return;
	icicle_lay_out(&f->icicle, &at->zoom, width);
	f->laid = width;
	f->box = icicle_find(&f->icicle, &at->at);
}

/* Scroll so that the selected box is seen. */
void flame_show(struct flame *f)
{
	struct flame_place *at = flame_place(f);
	const struct icicle_box *b = flame_box(f);
	size_t rows = flame_rows(&f->view) > 0 ? (size_t)flame_rows(&f->view) : 1;
	size_t levels = f->icicle.levels;

	if (b && b->level < at->top)
		at->top = b->level;
	if (b && b->level >= at->top + rows)
		at->top = b->level - rows + 1;
	if (at->top + rows > levels)
		at->top = levels > rows ? levels - rows : 0;
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

	if (box >= f->icicle.count)
		return view_done();
	f->box = box;
	icicle_chain_of(&f->icicle, box, &at->at);
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
	at->zoom.n = icicle_zoom_for(&f->icicle, chain, READABLE);
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
	box = icicle_widest(&f->icicle, selected);
	if (box != ICICLE_NONE) {
		icicle_chain_of(&f->icicle, box, &at->at);
	} else if (icicle_way(&f->icicle, selected, &chain)) {
		at->at = chain;
		at->zoom.n = 0;
		f->laid = 0;
		flame_lay_out(f);
	}
	at->deep = at->at.n;
	f->box = icicle_find(&f->icicle, &at->at);
	flame_show(f);
}

/* --- walking ---------------------------------------------------------------------------------- */

struct view_reply flame_up(struct flame *f, struct view_shared *s)
{
	struct flame_place *at = flame_place(f);
	const struct icicle_box *b = flame_box(f);

	if (!b || b->up == ICICLE_NONE)
		return view_done();
	at->at.n = length_of(f, b->up);
	f->box = b->up;
	return box_select(f, s);
}

/* The way the user came up, else to the most expensive. */
struct view_reply flame_down(struct flame *f, struct view_shared *s)
{
	struct flame_place *at = flame_place(f);
	const struct icicle_box *b = flame_box(f);
	uint32_t next;

	if (!b || b->count == 0)
		return view_done();
	if (at->deep > at->at.n && at->at.n == length_of(f, f->box)) {
		at->at.n++;
		next = icicle_find(&f->icicle, &at->at);
		if (next != f->box) {
			f->box = next;
			return box_select(f, s);
		}
		at->at.n--;
	}
	return flame_go(f, s, b->first);
}

struct view_reply flame_aside(struct flame *f, struct view_shared *s, bool right)
{
	const struct icicle_box *b = flame_box(f);
	size_t next = right ? f->box + 1 : f->box - 1;

	if (!b || next < f->icicle.level[b->level] || next >= f->icicle.level[b->level + 1])
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
	struct icicle_chain zoom = f->icicle.zoom;

	if (zoom.n == 0)
		return view_done();
	zoom.n = levels < zoom.n ? zoom.n - levels : 0;
	return flame_zoom_to(f, s, &zoom);
}

/* Into a box; into the one above what is too narrow, which makes it wider. */
struct view_reply flame_zoom_in(struct flame *f, struct view_shared *s, uint32_t box)
{
	struct icicle_chain zoom;

	if (box < f->icicle.count && f->icicle.boxes[box].rest)
		box = f->icicle.boxes[box].up;
	if (box == 0 || box >= f->icicle.count)
		return view_done();
	icicle_chain_of(&f->icicle, box, &zoom);
	return flame_zoom_to(f, s, &zoom);
}

/* One level nearer to what is at a column. */
struct view_reply flame_zoom_at(struct flame *f, struct view_shared *s, int x)
{
	uint32_t box = icicle_at(&f->icicle, 1, x);

	if (box == ICICLE_NONE || f->icicle.boxes[box].rest)
		return view_done();
	return flame_zoom_in(f, s, box);
}

struct view_reply flame_parent(struct flame *f, struct view_shared *s)
{
	return f->icicle.zoom.n ? flame_zoom_out(f, s, 1) : flame_up(f, s);
}

struct view_reply flame_hottest(struct flame *f, struct view_shared *s)
{
	struct icicle_chain chain;

	return icicle_hottest(&f->icicle, &chain) ? flame_go_chain(f, s, &chain) : view_done();
}
