/*
 * nameset: a set of names that stand in a text, which must stay.
 */
#ifndef WSNTOP_FILTER_NAMESET_H
#define WSNTOP_FILTER_NAMESET_H

#include <stdbool.h>

#include "core/base/map.h"
#include "core/filter/statement.h"

struct nameset {
	struct map at;			/* hash -> last of the names that have it */
	struct nameset_one {
		struct piece name;
		uint32_t before;	/* another of the same hash */
		uint32_t value;
	} *v;
	size_t count, cap;
};

void nameset_release(struct nameset *n);			/* zeroed: nothing in it */
int nameset_put(struct nameset *n, struct piece name, uint32_t value);	/* again: the new value */
bool nameset_has(const struct nameset *n, struct piece name);
uint32_t nameset_get(const struct nameset *n, struct piece name);	/* MAP_NONE: not in it */

#endif
