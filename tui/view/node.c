/*
 * node: the node itself: link, tables, what profiling costs.
 */
#include "tui/view/parts.h"
#include "tui/view/views.h"

static void node_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	static const char *const words[] = { "Nothing is shown here yet.", NULL };

	v->width = g->width;
	v->height = g->height;
	if (!part_empty(g, s))
		part_say(g, words);
}

const struct view_ops view_node_ops = {
	.name = "node",
	.title = "The node",
	.about = "",
	.action = ACTION_VIEW_NODE,
	.size = sizeof(struct view),
	.draw = node_draw,
};
