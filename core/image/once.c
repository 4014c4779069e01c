#include "core/image/once.h"

#include "core/base/mem.h"

void once_release(struct once *once)
{
	mem_free(once->functions);
	mem_free(once->pcs);
	*once = (struct once){ NULL };
}
