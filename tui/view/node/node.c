/*
 * node: the state of the node and its line: where the time goes, the cost of profiling, lost data
 * and its causes.
 */
#include "tui/part/table.h"
#include "tui/view/node/charts.h"
#include "tui/view/node/sections.h"
#include "tui/view/views.h"

enum { CHARTS_WIDTH = 100 };		/* narrower, the facts scroll */

struct node_view {
	struct view view;
	struct board board;
	struct list list;		/* top only */
	bool since_start;		/* duty since the start, not of the last minute */
};

/* Below the facts, where they leave room. */
static void draw_charts(const struct node_view *v, const struct view_shared *s, struct grid *g)
{
	int used = board_height(&v->board, g->width) + 1;
	struct grid below = grid_sub(g, 0, used, g->width, g->height - used);

	if (g->width >= CHARTS_WIDTH && g->height - used >= CHARTS_LEAST)
		charts_draw(s->node, &below);
}

static void node_draw(struct view *view, const struct view_shared *s, struct grid *g)
{
	struct node_view *v = (struct node_view *)view;
	int last;

	view->width = g->width;
	view->height = g->height;
	board_clear(&v->board);
	sections_add(&v->board, s, v->since_start);
	last = board_height(&v->board, g->width) - g->height;
	if (last < 0)
		last = 0;
	if (v->list.top > (size_t)last)
		v->list.top = (size_t)last;
	board_draw(&v->board, g, v->list.top);
	draw_charts(v, s, g);
}

/* Drawing limits `top` to the last page. */
static struct view_reply board_scroll_to(struct node_view *v, size_t top)
{
	v->list.top = top;
	return view_redraw();
}

static struct view_reply node_act(struct view *view, struct view_shared *s, enum action a)
{
	struct node_view *v = (struct node_view *)view;
	size_t page = view->height > 1 ? (size_t)view->height - 1 : 1, top = v->list.top;

	(void)s;
	switch (a) {
	case ACTION_UP: return board_scroll_to(v, top ? top - 1 : 0);
	case ACTION_DOWN: return board_scroll_to(v, top + 1);
	case ACTION_PAGE_UP: return board_scroll_to(v, top > page ? top - page : 0);
	case ACTION_PAGE_DOWN: return board_scroll_to(v, top + page);
	case ACTION_TOP: return board_scroll_to(v, 0);
	case ACTION_BOTTOM: return board_scroll_to(v, SIZE_MAX / 2);
	case ACTION_MODE: v->since_start = !v->since_start; return view_redraw();
	default: return view_pass();
	}
}

static struct view_reply node_mouse(struct view *view, struct view_shared *s, int x, int y,
				    int button)
{
	struct node_view *v = (struct node_view *)view;

	(void)s;
	(void)x;
	(void)y;
	if (button == 4)
		return board_scroll_to(v, v->list.top > 3 ? v->list.top - 3 : 0);
	return button == 5 ? board_scroll_to(v, v->list.top + 3) : view_pass();
}

static const enum action node_hints[] = {
	ACTION_MODE, ACTION_COMMAND, ACTION_RESET, ACTION_COPY, ACTION_PAGE_DOWN,
	ACTION_NONE,
};

static bool node_copy(struct view *view, const struct view_shared *s, struct buf *out)
{
	(void)s;
	board_text(&((struct node_view *)view)->board, out);
	return true;
}

static const struct view_word node_words[] = {
	{ ACTION_MODE, "since start", "where the time goes: last minute, or since the start" },
	{ ACTION_NONE, NULL, NULL },
};

const struct view_ops view_node_ops = {
	.name = "node",
	.title = "The node and its link",
	.about =
		"The node's identity, where its time goes ({mode}: last minute, or since the "
		"start), traffic and losses on the link, the profiling cost, the use of the "
		"node's tables, missing data and its causes, and the history in memory; charts "
		"over all the time kept fill the space below. When the moments need more memory "
		"than their share, neighbours are joined, the oldest first. The oldest received "
		"bytes are dropped (-r keeps all). Sleep is wall time in which the node's clock "
		"is stopped; on many chips timers run on in light sleep, and this time counts for "
		"the function that sleeps.",
	.action = ACTION_VIEW_NODE,
	.size = sizeof(struct node_view),
	.draw = node_draw,
	.act = node_act,
	.mouse = node_mouse,
	.hints = node_hints,
	.words = node_words,
	.copy = node_copy,
};
