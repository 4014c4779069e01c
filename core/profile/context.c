#include "core/profile/context.h"

#include "core/base/mem.h"

void contexts_release(struct contexts *c)
{
	mem_free(c->items);
	mem_free(c->queue);
	*c = (struct contexts){ 0 };
}
