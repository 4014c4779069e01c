/*
 * edges: the detail's callers and callees.
 */
#include <math.h>

#include "core/base/text.h"
#include "tui/view/detail/scene.h"

static const struct { const char *title; struct table_column column; } cells[SCENE_CELLS] = {
	[SCENE_NAME] = { "", { 0, 0, 0 } },
	[SCENE_SHARE] = { "SHARE%", { 6, 6, 1 } },
	[SCENE_CALLS] = { "CALLS", { 7, 7, 2 } },
	[SCENE_TIME] = { "PER CALL", { 8, 8, 3 } },
};

void scene_spans(const struct scene *c, int width, struct table_span *at)
{
	struct table_column column[SCENE_CELLS];

	for (size_t i = 0; i < SCENE_CELLS; i++)
		column[i] = cells[i].column;
	column[SCENE_NAME] = (struct table_column){ width / 3, width, 0 };
	if (!c->d->b.times)
		column[SCENE_TIME].width = 0;
	table_layout(column, SCENE_CELLS, width - 1, at);
	for (size_t i = 0; i < SCENE_CELLS; i++)
		at[i].x++;
}

static void edge_draw(const struct scene *c, struct grid *g, const struct table_span *at, int y,
		      size_t i)
{
	const struct butterfly_line *l = detail_line(c->d, i);
	const struct profile_edge *e = l->edge == PROFILE_NONE ? NULL : &c->p->edges[l->edge];

	if (l->other < c->p->function_count)
		naming_put(g, at[SCENE_NAME].x, y, at[SCENE_NAME].width,
			   part_role(&c->p->functions[l->other]),
			   c->p->functions[l->other].name, c->s->search);
	else
		grid_text(g, at[SCENE_NAME].x, y, at[SCENE_NAME].width, ROLE_DIM,
			  l->note || !e ? l->note : part_nobody(e));
	if (e) {
		part_percent(g, at[SCENE_SHARE], y, l->share);
		part_calls(g, at[SCENE_CALLS], y, ROLE_NUMBER, (double)e->calls,
			   e->flags & ROW_LOST);
		part_call_time(g, at[SCENE_TIME], y, c->p, butterfly_per_call(&c->d->b, e), false);
	}
	if (c->focus && i == c->d->list.cursor)
		grid_select_row(g, y);
}

/* Of [first, end) as many as there is room for below the heading, the cursor's line among them. */
static size_t edges_draw(const struct scene *c, struct grid *g, const char *heading, size_t first,
			 size_t end)
{
	size_t room = g->height > 1 ? (size_t)g->height - 1 : 0, top = first;
	size_t cursor = c->d->list.cursor, edges = 0;
	struct table_span at[SCENE_CELLS];

	scene_spans(c, g->width, at);
	for (size_t i = first; i < end; i++)
		edges += detail_line(c->d, i)->edge != PROFILE_NONE;
	scene_heading(g, "%s  %s", heading, TEXT_WHOLE(edges));
	for (size_t i = SCENE_SHARE; i < SCENE_CELLS; i++)
		part_title(g, at[i], 0, cells[i].title, false, 0);
	if (cursor >= first && cursor < end && cursor - first >= room)
		top = cursor - room + 1;
	for (size_t i = 0; i < room && top + i < end; i++)
		edge_draw(c, g, at, (int)i + 1, top + i);
	return top;
}

void scene_callers(const struct scene *c, struct grid *g)
{
	struct detail *d = c->d;

	d->caller_top = edges_draw(c, g, "CALLERS", 0, d->b.middle);
	d->caller_y = g->y + 1 - c->y;
	d->caller_lines = d->b.middle - d->caller_top;
	if (d->caller_lines > (size_t)(g->height - 1))
		d->caller_lines = (size_t)(g->height - 1);
}

void scene_callees(const struct scene *c, struct grid *g)
{
	struct detail *d = c->d;

	d->callee_top = edges_draw(c, g, "CALLEES", d->b.middle, d->list.count);
	d->callee_y = g->y + 1 - c->y;
	d->callee_lines = d->list.count - d->callee_top;
	if (d->callee_lines > (size_t)(g->height - 1))
		d->callee_lines = (size_t)(g->height - 1);
}

int scene_caller_lines(const struct scene *c, int width)
{
	(void)width;
	return c->d->b.middle ? (int)c->d->b.middle + 1 : 0;
}

int scene_callee_lines(const struct scene *c, int width)
{
	size_t n = c->d->list.count - c->d->b.middle;

	(void)width;
	return n ? (int)n + 1 : 0;
}
