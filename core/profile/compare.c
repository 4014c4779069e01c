#include "core/profile/compare.h"

#include "core/base/mem.h"

void compare_release(struct compare *c)
{
	mem_free(c->rows);
	mem_free(c->edges);
	*c = (struct compare){ 0 };
}
