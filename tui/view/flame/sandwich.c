/*
 * The sandwich: one function, the ways to it above and what it calls below, each half an icicle.
 *
 *	|main            |isr   |	callers of its callers, by what they cost here
 *	|send       |poll|isr   |	its callers
 *	|crc16                  |	the function: level 0 of both halves
 *	|add        |shift|		its callees
 *
 * Each half is zoomed by itself. The upper one's level 0 is drawn only where it is zoomed.
 */
#include "tui/view/flame/flame.h"

size_t flame_first(const struct flame *f, bool callers)
{
	const struct flame_place *at = &f->places[f->sandwich ? 2 + callers : f->inverted];
	size_t first = callers && f->halves[1].zoom.n == 0 ? 1 : 0;

	return at->top > first ? at->top : first;
}

/* Where both do not fit each half has half of the lines, and what the other does not need. */
struct flame_rows flame_rows(const struct flame *f)
{
	int room = flame_room(&f->view), up, down = (int)f->halves[0].levels;

	if (!f->sandwich)
		return (struct flame_rows){ 0, room };
	up = (int)f->halves[1].levels - (f->halves[1].zoom.n == 0);
	up = up > 0 ? up : 0;
	if (up + down > room) {
		int half = room / 2;

		up = down <= room - half ? room - down : up < half ? up : half;
	}
	return (struct flame_rows){ up, room - up > 0 ? room - up : 0 };
}

static uint32_t function_at(const struct profile *p, uint64_t address)
{
	for (uint32_t i = 0; i < p->function_count; i++) {
		if (p->functions[i].address == address)
			return i;
	}
	return PROFILE_NONE;
}

/* The profile changed, or the function in the middle: boxes are to be laid out again. */
static bool halves_focus(struct flame *f)
{
	uint32_t function = function_at(f->profile, f->focus);

	f->laid = 0;
	if (function == PROFILE_NONE || icicle_build(&f->halves[0], f->profile, false) < 0 ||
	    icicle_build(&f->halves[1], f->profile, true) < 0)
		return false;
	icicle_focus(&f->halves[0], function);
	icicle_focus(&f->halves[1], function);
	return true;
}

bool flame_halves(struct flame *f)
{
	if (!halves_focus(f))
		f->sandwich = f->callers = false;
	return f->sandwich;
}

void flame_refocus(struct flame *f)
{
	f->callers = false;
	for (int i = 0; i < 2; i++)
		*flame_place_of(f, i) = (struct flame_place){ .top = 0 };
	if (!flame_halves(f))
		return;
	flame_lay_out(f);
	flame_show(f);
}

/* On its own function, or without one: back to the whole tree. */
struct view_reply flame_sandwich(struct flame *f, struct view_shared *s)
{
	const struct icicle_box *b = flame_box(f);
	uint32_t function = b ? b->n.function : PROFILE_NONE;
	uint64_t address;

	if (function == PROFILE_NONE)
		return view_say("choose a function first");
	address = f->profile->functions[function].address;
	if (f->sandwich && f->focus == address) {
		flame_leave(f, s);
		return view_redraw();
	}
	f->sandwich = true;
	f->focus = address;
	flame_refocus(f);
	if (!f->sandwich)
		flame_leave(f, s);
	return view_redraw();
}

/* The most expensive box of a level. */
static uint32_t widest_of(const struct icicle *c, size_t level)
{
	uint32_t best = ICICLE_NONE;

	for (size_t i = c->level[level]; level < c->levels && i < c->level[level + 1]; i++) {
		if (best == ICICLE_NONE || c->boxes[i].wide > c->boxes[best].wide)
			best = (uint32_t)i;
	}
	return best;
}

bool flame_cross(struct flame *f)
{
	bool callers = !f->callers;
	const struct icicle *c = &f->halves[callers];
	size_t first = callers && c->zoom.n == 0 ? 1 : 0;
	uint32_t box = first < c->levels ? widest_of(c, first) : ICICLE_NONE;
	struct flame_place *at = flame_place_of(f, callers);

	if (box == ICICLE_NONE)
		return false;
	f->callers = callers;
	f->box = box;
	icicle_chain_of(c, box, &at->at);
	at->deep = at->at.n;
	return true;
}

uint32_t flame_at(const struct flame *f, int x, int y, bool *callers)
{
	struct flame_rows rows = flame_rows(f);
	size_t level;

	*callers = y <= rows.up;
	if (y < 1 || y > rows.up + rows.down)
		return ICICLE_NONE;
	level = (size_t)(*callers ? rows.up - y : y - 1 - rows.up);
	return icicle_at(&f->halves[*callers], flame_first(f, *callers) + level, x);
}
