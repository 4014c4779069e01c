#include "tui/view/detail/detail.h"

void detail_release(struct detail *d)
{
	butterfly_release(&d->b);
	cost_release(&d->cost);
	naming_release(&d->naming);
}

int detail_width(int width)
{
	int mine = width * 3 / 8;

	return width < DETAIL_SCREEN ? 0 : mine < 80 ? mine : 80;
}

/* --- its function ---------------------------------------------------------------------------- */

const struct butterfly_line *detail_line(const struct detail *d, size_t i)
{
	return &d->b.lines[i < d->b.middle ? d->b.middle - 1 - i : i + 1];
}

static uint64_t other_address(const struct detail *d, const struct butterfly_line *l)
{
	return l->other < d->b.profile->function_count ?
	       d->b.profile->functions[l->other].address : UINT64_MAX;
}

/* Remember the line by what survives a recompute. */
static void cursor_hold(struct detail *d)
{
	const struct butterfly_line *l;

	d->held = d->list.cursor < d->list.count;
	if (!d->held)
		return;
	l = detail_line(d, d->list.cursor);
	d->kind = l->kind;
	d->address = other_address(d, l);
}

static void cursor_find(struct detail *d)
{
	if (d->list.cursor >= d->list.count)
		d->list.cursor = d->list.count ? d->list.count - 1 : 0;
	for (size_t i = 0; d->held && i < d->list.count; i++) {
		const struct butterfly_line *l = detail_line(d, i);

		if (l->kind == d->kind && other_address(d, l) == d->address)
			d->list.cursor = i;
	}
}

/*
 * The function under the view's cursor. The one that was gone to from here may not be in its list,
 * and a list whose cursor keeps its line selects another one only with the next key.
 */
static uint32_t function_shown(const struct detail *d, struct view *v,
			       const struct view_shared *s)
{
	bool selected = s->has_selected && (s->follow || (d->walked &&
							  d->went == s->selected_address));

	return !s->model.profile ? PROFILE_NONE :
	       selected ? view_selected(s) : v->ops->cursor(v, s);
}

void detail_update(struct detail *d, struct view *v, const struct view_shared *s)
{
	const struct profile *p = s->model.profile;

	d->function = function_shown(d, v, s);
	butterfly_build(&d->b, p, d->function, NULL);
	d->list.count = d->b.count ? d->b.count - 1 : 0;
	if (d->function == PROFILE_NONE)
		return;
	if (d->of != p->functions[d->function].address) {
		d->of = p->functions[d->function].address;
		d->held = false;
		d->list.cursor = d->b.middle < d->list.count ? d->b.middle : 0;
	}
	cursor_find(d);
}

/* --- acting ---------------------------------------------------------------------------------- */

static struct view_reply go_to(struct detail *d, struct view_shared *s, size_t line)
{
	uint32_t other = line < d->list.count ? detail_line(d, line)->other : PROFILE_NONE;

	if (other >= d->b.profile->function_count || other == d->function)
		return view_done();
	d->history[d->depth++ % DETAIL_HISTORY] = d->of;
	view_select(s, other);
	d->walked = true;
	d->went = s->selected_address;
	return view_redraw();
}

static struct view_reply go_back(struct detail *d, struct view_shared *s)
{
	uint32_t before;

	if (!d->depth)
		return view_say("no function to go back to");
	before = profile_find_address(s->model.profile,
				      d->history[--d->depth % DETAIL_HISTORY]);
	if (d->depth && d->history[(d->depth - 1) % DETAIL_HISTORY] == d->of)
		d->depth = 0;		/* a ring: what was overwritten cannot be gone back to */
	if (before != PROFILE_NONE)
		view_select(s, before);
	d->went = s->selected_address;
	return view_redraw();
}

struct view_reply detail_act(struct detail *d, struct view *v, struct view_shared *s,
			     enum action a)
{
	detail_update(d, v, s);
	if (d->function == PROFILE_NONE)
		return view_pass();
	if (list_act(&d->list, a, (int)(d->caller_lines + d->callee_lines))) {
		cursor_hold(d);
		return view_redraw();
	}
	switch (a) {
	case ACTION_ENTER:
	case ACTION_RIGHT: return go_to(d, s, d->list.cursor);
	case ACTION_PARENT:
	case ACTION_LEFT: return go_back(d, s);
	default: return view_pass();
	}
}

/* The line at y, the number of lines where there is none. */
static size_t edge_at(const struct detail *d, int y)
{
	if (y >= d->caller_y && y < d->caller_y + (int)d->caller_lines)
		return d->caller_top + (size_t)(y - d->caller_y);
	if (y >= d->callee_y && y < d->callee_y + (int)d->callee_lines)
		return d->callee_top + (size_t)(y - d->callee_y);
	return d->list.count;
}

struct view_reply detail_mouse(struct detail *d, struct view *v, struct view_shared *s,
			       int y, int button)
{
	size_t line;

	detail_update(d, v, s);
	line = edge_at(d, y);
	if (d->function == PROFILE_NONE)
		return view_done();
	if (y >= d->longest_y && y < d->longest_y + d->longest_lines && button <= 2) {
		view_select(s, d->function);
		return view_go(ACTION_LONGEST_CALL);
	}
	if (button == 4 || button == 5)
		list_act(&d->list, button == 4 ? ACTION_UP : ACTION_DOWN, 1);
	else if (line < d->list.count)
		d->list.cursor = line;
	cursor_hold(d);
	return button == 2 && line < d->list.count ? go_to(d, s, line) : view_redraw();
}
