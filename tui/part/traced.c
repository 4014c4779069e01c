#include "tui/part/traced.h"

uint32_t traced_selected(const struct view_shared *s)
{
	const struct image *im = s->node ? node_image(s->node) : NULL;
	const struct trace *t = s->node ? node_trace(s->node) : NULL;
	uint32_t last = t && im && s->has_selected ? trace_last_id(t) : 0;

	for (uint32_t id = 1; id <= last; id++) {
		uint32_t function = image_traced(im, id);

		if (function != IMAGE_NONE &&
		    image_function(im, function)->address == s->selected_address)
			return id;
	}
	return 0;
}

bool traced_longest(const struct view_shared *s, struct trace_edge *longest)
{
	uint32_t id = traced_selected(s);

	return id && trace_longest(node_trace(s->node), id, longest);
}

bool traced_enters(const struct view_shared *s)
{
	struct trace_edge longest;

	return s->order.column == COLUMN_MAX && !s->order.by_change && traced_longest(s, &longest);
}
