#include "tui/part/watched.h"

#include <string.h>

#include "core/base/text.h"

const char *watched_image(const struct node *n)
{
	const struct image *im = node_image(n) ? node_image(n) : node_image_refused(n);

	return im ? text_basename(image_path(im)) : "";
}

bool watched_passed(const struct view_shared *s, const struct profile_function *f,
		    enum column_id column)
{
	const struct column_data d = { s->model.profile, s->model.contexts };

	for (size_t i = 0; i < s->settings->watch_count; i++) {
		const struct settings_watch *w = &s->settings->watches[i];

		if ((column == COLUMN_COUNT || column == w->watch.column) &&
		    !strcmp(w->watch.function, f->name) &&
		    settings_watch_is_for(w, watched_image(s->node)) &&
		    watch_function_passed(&w->watch, &d, f))
			return true;
	}
	return false;
}
