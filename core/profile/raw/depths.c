/* depths: bytes of stack that functions took, where a simulator measures them. */
#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

static int depth_take(struct profile *p, const struct wire_depth *d)
{
	uint32_t at = map_get(&p->depth_index, d->address);

	if (at == MAP_NONE) {
		at = (uint32_t)p->depth_count;
		if (mem_grow(&p->depths, &p->depth_cap, at + 1u, sizeof(*p->depths)) < 0 ||
		    map_put(&p->depth_index, d->address, at) < 0)
			return ERR_NOMEM;
		p->depth_count++;
	}
	p->depths[at] = *d;
	return 0;
}

int profile_take_depths(struct profile *p, const struct wire_depth *depths, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++)
		ret = depth_take(p, &depths[i]);
	p->dirty = true;
	return ret;
}

void profile_depths_give(struct profile *p)
{
	for (uint32_t i = 0; p->depth_count && i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];
		uint32_t at = f->address <= UINT32_MAX ?
			      map_get(&p->depth_index, f->address) : MAP_NONE;
		const struct wire_depth *d = at == MAP_NONE ? NULL : &p->depths[at];

		f->depth = (struct profile_depth){ .known = false };
		if (d)
			f->depth = (struct profile_depth){ true, d->frame, d->use, d->depth };
	}
}
