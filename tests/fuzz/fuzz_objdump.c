/*
 * Any bytes as a disassembler's output, in pieces of a size that byte 0 names.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/source/objdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A jump ends at an instruction's beginning, or nowhere; a call never counts as one. */
static void branch_check(const struct listing *l, size_t i)
{
	size_t to = listing_jump(l, i);

	if (to != SIZE_MAX && (to >= l->count || l->v[i].branch != BRANCH_JUMP ||
			       l->v[to].address != l->v[i].target))
		abort();
}

static void lines_check(const struct listing *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct instruction *in = &l->v[i];

		if (!in->size || (i && in->address <= l->v[i - 1].address) ||
		    strlen(listing_text(l, i)) >= OBJDUMP_LINE || listing_find(l, in->address) != i)
			abort();
		branch_check(l, i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct listing l = { NULL };
	size_t step;

	if (size == 0)
		return 0;
	step = data[0] ? data[0] : size;
	for (size_t i = 1; i < size; i += step)
		listing_feed(&l, (const char *)data + i, size - i < step ? size - i : step);
	listing_end(&l);
	lines_check(&l);
	listing_release(&l);
	return 0;
}
