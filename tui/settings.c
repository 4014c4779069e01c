#include "tui/settings.h"

void settings_init(struct settings *s)
{
	*s = (struct settings){ .follow = true, .timebar = true, .mouse = true, .interval = 1,
				.sort = COLUMN_SELF };
}

void settings_release(struct settings *s)
{
	source_paths_release(&s->source);
}
