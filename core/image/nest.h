/*
 * nest: the instrumented functions that are inlined, and what stands around each.
 *
 * -finstrument-functions counts an inlined function as any other, but its hook is told the return
 * address of the function whose machine code it is in: the caller seems to be that function's
 * caller. DWARF knows where it was inlined; the calls of the hook, which of the inlined functions
 * are instrumented. Made once, when DWARF is read.
 */
#ifndef WSNTOP_IMAGE_NEST_H
#define WSNTOP_IMAGE_NEST_H

#include "core/base/map.h"
#include "core/image/lines.h"
#include "core/image/table.h"
#include "core/wire/codemap.h"

struct nest {
	/* machine code of << 32 | inlined in it -> the function around it there */
	struct map around;
	uint32_t *owner;	/* by inlined body: the innermost instrumented function there */
	size_t count;
};

/* `hook`: __cyg_profile_func_enter, by id in t. 0 or ERR_NOMEM, with an empty *n. */
int nest_init(struct nest *n, const struct debug_data *d, const struct lines *l,
	      const struct table *t, const struct codemap *m, uint32_t hook);
void nest_release(struct nest *n);

#endif
