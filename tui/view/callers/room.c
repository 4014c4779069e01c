/*
 * room: on a large screen the panel leaves room: for the longest call and the path to it, for the
 * source around the call, for how long the calls of the other edges took.
 */
#include <stdio.h>

#include "tui/part/board.h"
#include "tui/part/distribution.h"
#include "tui/part/skyline.h"
#include "tui/view/callers/callers.h"
#include "tui/view/histogram/latched.h"

enum { OTHERS = 16 };

/* The first free line below it. */
static int room_draw_longest(const struct callers *c, const struct view_shared *s, struct grid *g,
			     int y, uint32_t edge)
{
	uint32_t function = edge == PROFILE_NONE ? c->b.lines[c->b.middle].other :
						   c->profile->edges[edge].to;
	const struct worst_call *worst = latched_of(s, function, edge);
	char text[600], when[80];

	if (!worst || y + 2 > g->height)
		return y;
	column_call_time(c->profile, worst->seconds, worst->at_least, text, sizeof(text));
	latched_when(s, worst, when, sizeof(when));
	grid_fill(g, 0, y, -1, ROLE_TITLE, ' ');
	grid_textf(g, 0, y++, -1, ROLE_TITLE, "longest call %s%s%s", text, *when ? ", " : "",
		   when);
	latched_way(s, worst, c->profile->functions[function].name, text, sizeof(text));
	return y + board_words(g, 0, y, g->width, ROLE_NAME, text);
}

void callers_draw_room(struct callers *c, const struct view_shared *s, struct grid *g, int y,
		       uint32_t edge)
{
	const struct profile_function *f = &c->profile->functions[c->b.lines[c->b.middle].other];
	const struct image *im = s->node ? node_image(s->node) : NULL;
	struct image_line line = { .path = f->path, .line = f->line };
	uint32_t site = sites_chosen(&c->sites);
	struct grid rest;
	int after;

	after = room_draw_longest(c, s, g, y, edge);
	y = after > y ? after + 1 : y;
	if (edge != PROFILE_NONE &&
	    (site == PROFILE_NONE || !sites_line(im, &c->profile->sites[site], &line)))
		return;
	if (!im || !line.path || y >= g->height)
		return;
	rest = grid_sub(g, 0, y, g->width, g->height - y);
	excerpt_draw(&c->excerpt, &rest, line.path, line.line, image_path(im),
		     &s->settings->source);
}

/* --- durations -------------------------------------------------------------------------------- */

/* Those with buckets, the function in the middle first; how many have room, each in its least. */
static size_t others_find(const struct callers *c, uint32_t but, int height,
			  struct duration *d, int *lines)
{
	uint32_t function = c->b.lines[c->b.middle].other;
	size_t n = 0;

	*lines = 0;
	for (size_t i = 0; i <= c->b.count && n < OTHERS; i++) {
		uint32_t edge = i ? c->b.lines[i - 1].edge : PROFILE_NONE;

		if ((i && edge == PROFILE_NONE) || edge == but)
			continue;
		d[n] = edge == PROFILE_NONE ? duration_of_function(c->profile, function) :
					      duration_of_edge(c->profile, edge);
		if (!d[n].has_buckets || *lines + distribution_lines(&d[n]) + 2 > height)
			continue;
		*lines += distribution_lines(&d[n++]) + 2;
	}
	return n;
}

void callers_draw_others(const struct callers *c, struct grid *g, uint32_t but)
{
	struct duration d[OTHERS];
	int lines, y = 0;
	size_t n = others_find(c, but, g->height, d, &lines);
	int spare = g->height - lines;

	for (size_t i = 0; i < n; i++) {
		int need = distribution_lines(&d[i]) + 1;
		int more = spare < SKYLINE_MOST ? spare : SKYLINE_MOST;
		struct grid part;
		char title[600];

		/* The first ones get a skyline. */
		more = more > SKYLINE_LEAST + 1 ? more : 0;
		need += more;
		spare -= more;
		part = grid_sub(g, 0, y, g->width, need);
		distribution_draw(&part, &(struct distribution){
			.profile = c->profile, .line = &d[i],
			.title = distribution_title(c->profile, &d[i], title, sizeof(title)) });
		y += need + 1;
	}
}
