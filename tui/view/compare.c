/*
 * compare: what changed since the baseline.
 */
#include "tui/view/parts.h"
#include "tui/view/views.h"

static void compare_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	static const char *const words[] = { "Nothing is shown here yet.", NULL };

	v->width = g->width;
	v->height = g->height;
	if (!part_empty(g, s))
		part_say(g, words);
}

const struct view_ops view_compare_ops = {
	.name = "compare",
	.brief = "diff",
	.title = "What changed since the baseline",
	.about = "",
	.action = ACTION_VIEW_COMPARE,
	.size = sizeof(struct view),
	.draw = compare_draw,
};
