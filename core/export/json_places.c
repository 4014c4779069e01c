/* json_places: see json_places.h. */
#include "core/export/json_places.h"

#include "core/export/format.h"

/* Of calls either end may pass. */
static bool place_passes(const struct profile *p, const struct profile_place *place,
			 const bool *passing)
{
	return export_passes(place->function, passing) ||
	       (place->edge != PROFILE_NONE && export_edge_passes(p, place->edge, passing));
}

static void place_write(struct json_out *o, const struct profile *p,
			const struct profile_place *place)
{
	const struct profile_function *f = &p->functions[place->function], *to = NULL;

	if (place->edge != PROFILE_NONE)
		to = &p->functions[p->edges[place->edge].to];
	json_begin_object(o, NULL);
	json_text(o, "function", f->name);
	json_text(o, "to", to ? to->name : NULL);
	json_text(o, "path", place->path);
	json_count(o, "line", place->line, place->line);
	json_count(o, "calls", true, place->calls);
	json_count(o, "samples", true, place->samples);
	json_count(o, "ticks", true, place->ticks);
	json_count(o, "from_address", true, f->address);
	json_count(o, "to_address", to, to ? to->address : 0);
	json_end_object(o);
}

void json_places_write(struct json_out *o, const struct profile *p,
		       const bool *passing)
{
	if (!p->place_count)
		return;
	json_begin_array(o, "places");
	for (size_t i = 0; i < p->place_count && !out_failed(o->out); i++)
		if (place_passes(p, &p->places[i], passing))
			place_write(o, p, &p->places[i]);
	json_end_array(o);
}
