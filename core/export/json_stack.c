/* json_stack: see json_stack.h. */
#include "core/export/json_stack.h"

static void path_write(struct json_out *o, const struct export_source *s,
		       const struct wire_watermark *m)
{
	json_begin_array(o, "path");
	for (uint32_t i = 0; i < m->count; i++) {
		uint32_t id = s->image ? image_find(s->image, m->path[i]) : IMAGE_NONE;

		json_text(o, NULL, id == IMAGE_NONE ? NULL : image_function(s->image, id)->name);
	}
	json_end_array(o);
}

static void mark_write(struct json_out *o, const struct export_source *s,
		       const struct wire_watermark *m)
{
	int64_t room = s->image ? image_stack_room(s->image, m->low) : -1;

	json_begin_object(o, NULL);
	json_count(o, "number", true, m->stack);
	json_count(o, "begin_address", true, m->base);
	json_count(o, "lowest_address", true, m->low);
	json_count(o, "most_bytes", true, m->base - m->low);
	json_count(o, "free_bytes", room >= 0, (uint64_t)room);
	json_count(o, "open_calls", true, m->open);
	path_write(o, s, m);
	json_end_object(o);
}

void json_stack_write(struct json_out *o, const struct export_source *s)
{
	if (!s->mark_count)
		return;
	json_begin_array(o, "stack");
	for (size_t i = 0; i < s->mark_count; i++)
		mark_write(o, s, &s->marks[i]);
	json_end_array(o);
}
