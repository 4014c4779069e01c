/*
 * never: calls of a function that were never counted though the function was called.
 *
 * An absent count means something only where it would be there. A call instruction is listed only
 * if
 *
 *	its target is a function that is counted: other calls of it are in the profile;
 *	no call site of the profile lies in the instruction;
 *	the function itself was called, and each of its counted calls belongs to a call
 *	instruction of the listing, at least one: the node reports call sites, and the
 *	listing is of the image that runs.
 *
 * That nothing was lost is the caller's to know.
 */
#ifndef WSNTOP_SOURCE_NEVER_H
#define WSNTOP_SOURCE_NEVER_H

#include "core/profile/profile.h"
#include "core/source/cost.h"
#include "core/source/objdump.h"

struct never {
	uint32_t *v;			/* instructions of the listing, by address */
	size_t count, cap;
};

void never_release(struct never *n);	/* one that is all zero holds nothing */

/*
 * Of a function of a computed profile; `cost` has its calls. 0 or ERR_NOMEM (then it is empty).
 * Linear in the profile's call sites and functions, and in the listing.
 */
int never_find(struct never *n, const struct profile *p, uint32_t function, const struct cost *cost,
	       const struct image *im, const struct listing *l);
bool never_has(const struct never *n, size_t instruction);

#endif
