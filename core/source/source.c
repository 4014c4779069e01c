#include "core/source/source.h"

#include "core/base/mem.h"

void source_paths_release(struct source_paths *p)
{
	for (size_t i = 0; i < p->dir_count; i++)
		mem_free(p->dirs[i]);
	for (size_t i = 0; i < p->map_count; i++) {
		mem_free(p->maps[i].from);
		mem_free(p->maps[i].to);
	}
	*p = (struct source_paths){ 0 };
}
