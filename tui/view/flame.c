/*
 * flame: the call tree as an icicle: width is time.
 */
#include "tui/view/parts.h"
#include "tui/view/views.h"

static void flame_draw(struct view *v, const struct view_shared *s, struct grid *g)
{
	static const char *const words[] = { "Nothing is shown here yet.", NULL };

	v->width = g->width;
	v->height = g->height;
	if (!part_empty(g, s))
		part_say(g, words);
}

const struct view_ops view_flame_ops = {
	.name = "flame",
	.title = "The call tree as an icicle",
	.about = "",
	.action = ACTION_VIEW_FLAME,
	.size = sizeof(struct view),
	.draw = flame_draw,
};
