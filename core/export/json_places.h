/*
 * json_places: lines of a file that was read (core/import), as a member of the JSON export's
 * object; nothing where there are none.
 *
 *	"places":[{"function":"main","to":null,"path":"app.c","line":7,"calls":0,"samples":0,
 *		"ticks":120,"from_address":..,"to_address":..}]
 *
 * to: of calls from there; null: what the function took itself. Addresses are those of edges.
 * passing: export_passing().
 */
#ifndef WSNTOP_EXPORT_JSON_PLACES_H
#define WSNTOP_EXPORT_JSON_PLACES_H

#include <stdbool.h>

#include "core/base/json_out.h"
#include "core/profile/profile.h"

void json_places_write(struct json_out *o, const struct profile *p,
		       const bool *passing);

#endif
