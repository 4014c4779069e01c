/*
 * Any bytes as a disassembler's output, in pieces of a size that byte 0 names.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/source/blocks.h"
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

/* As functions of 64 bytes on each machine: in order, and each instruction in its function. */
static void blocks_check(const struct listing *l)
{
	struct blocks_range r[64];
	struct once once;

	for (size_t i = 0; i < 64; i++)
		r[i] = (struct blocks_range){ 64 * i, 64 * i + 64 };
	for (enum step_core core = STEP_NONE; core <= STEP_MSP430; core++) {
		if (blocks_find(&once, l, r, 64, core) < 0)
			abort();
		for (size_t i = 0; i < once.pc_count; i++) {
			if (once.pcs[i].address / 64 != once.pcs[i].function ||
			    (i && once.pcs[i].address <= once.pcs[i - 1].address))
				abort();
		}
		once_release(&once);
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
	blocks_check(&l);
	listing_release(&l);
	return 0;
}
