#include "tui/part/shared.h"

uint32_t view_selected(const struct view_shared *s)
{
	const struct profile *p = s->model.profile;

	if (!p || !s->has_selected)
		return PROFILE_NONE;
	if (s->selected_hint < p->function_count &&
	    p->functions[s->selected_hint].address == s->selected_address)
		return s->selected_hint;
	return profile_find_address(p, s->selected_address);
}

void view_select(struct view_shared *s, uint32_t function)
{
	if (!s->model.profile || function >= s->model.profile->function_count)
		return;
	s->selected_address = s->model.profile->functions[function].address;
	s->selected_hint = function;
	s->has_selected = true;
}

bool view_declared(const struct view_shared *s, uint32_t function, struct view_place *at)
{
	const struct profile_function *f = &s->model.profile->functions[function];

	*at = (struct view_place){ .path = f->path, .line = f->line };
	return f->path != NULL;
}
