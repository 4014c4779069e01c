/* spent: ticks that instructions took, where a simulator tells them. */
#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

static int spent_add(struct profile *p, const struct wire_spent *w)
{
	uint32_t at = map_get(&p->spent_index, w->address);

	if (at == MAP_NONE) {
		at = (uint32_t)p->spent_count;
		if (mem_grow(&p->spent, &p->spent_cap, at + 1u, sizeof(*p->spent)) < 0 ||
		    map_put(&p->spent_index, w->address, at) < 0)
			return ERR_NOMEM;
		p->spent[p->spent_count++] = (struct profile_spent){ .pc = w->address };
	}
	p->spent[at].ticks = profile_less(w->ticks, p->spent[at].base);
	return 0;
}

int profile_take_spent(struct profile *p, const struct wire_spent *spent, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++)
		ret = spent_add(p, &spent[i]);
	return ret;
}

void profile_spent_rebase(struct profile *p)
{
	for (size_t i = 0; i < p->spent_count; i++) {
		p->spent[i].base += p->spent[i].ticks;
		p->spent[i].ticks = 0;
	}
}
