/* paths: ways of calls with their own counts and times, where a call trace tells them. */
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "core/profile/raw/raw.h"

/* `anew`: counted from the beginning again. What a reset took away is not known of those then. */
int profile_take_paths(struct profile *p, const struct profile_path *paths, size_t n, bool anew)
{
	size_t known = anew ? 0 : p->path_count;

	if (mem_grow(&p->paths, &p->path_cap, n, sizeof(*p->paths)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < n; i++) {
		struct profile_path was = i < known ? p->paths[i] :
							(struct profile_path){ .base_calls = 0 };

		p->paths[i] = paths[i];
		p->paths[i].base_calls = was.base_calls;
		p->paths[i].base_total = was.base_total;
	}
	p->path_count = anew && p->rebases ? 0 : n;
	p->dirty = true;
	return 0;
}

void profile_paths_rebase(struct profile *p)
{
	for (size_t i = 0; i < p->path_count; i++) {
		p->paths[i].base_calls = p->paths[i].calls;
		p->paths[i].base_total = p->paths[i].total;
	}
}
