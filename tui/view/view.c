#include "tui/view/view.h"

#include "core/base/mem.h"
#include "tui/view/views.h"

const struct view_ops *const views[] = {
	&view_flat_ops,
	&view_callers_ops,
	&view_tree_ops,
	&view_flame_ops,
	&view_histogram_ops,
	&view_source_ops,
	&view_console_ops,
	&view_compare_ops,
	&view_node_ops,
	&view_timeline_ops,
	&view_log_ops,
	&view_help_ops,
	NULL,
};

struct view_word view_word(const struct view_ops *ops, enum action action)
{
	const struct action_row *row = action_row(action);

	for (const struct view_word *w = ops->words; w && w->action != ACTION_NONE; w++)
		if (w->action == action)
			return *w;
	return row ? (struct view_word){ action, row->hint, row->help } : (struct view_word){ 0 };
}

size_t view_hint_count(const struct view_ops *ops)
{
	size_t n = 0;

	while (n < VIEW_HINTS && ops->hints[n] != ACTION_NONE)
		n++;
	return n;
}

struct view *view_new(const struct view_ops *ops)
{
	struct view *v = mem_zalloc(ops->size);

	if (!v)
		return NULL;
	v->ops = ops;
	if (ops->init && ops->init(v) < 0) {
		view_free(v);
		return NULL;
	}
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	if (v->ops->release)
		v->ops->release(v);
	mem_free(v);
}
