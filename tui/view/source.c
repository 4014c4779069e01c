/*
 * source: a function's source, and what each line costs.
 */
#include "tui/view/parts.h"
#include "tui/view/views.h"

static void source_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	static const char *const words[] = { "Nothing is shown here yet.", NULL };

	v->width = g->width;
	v->height = g->height;
	if (!part_empty(g, s))
		part_say(g, words);
}

const struct view_ops view_source_ops = {
	.name = "source",
	.title = "The selected function's source",
	.about = "",
	.action = ACTION_VIEW_SOURCE,
	.size = sizeof(struct view),
	.draw = source_draw,
};
