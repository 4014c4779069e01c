#include "core/wire/probe/blocks.h"

#include "core/wire/codemap.h"

enum { FLAGS = WIRE_BLOCK_BYTES / 2 };

/* --- which ------------------------------------------------------------------------------------ */

static bool block_is_code(const struct codemap *code, uint64_t at)
{
	for (uint64_t i = at / 2; i < at / 2 + FLAGS; i++) {
		if (!(code->flags[i] & CODE_TEXT))
			return false;
	}
	return true;
}

/* Every `each`-th block of code from the middle of the first `each` on; how many there are. */
static uint64_t blocks_walk(struct blocks *b, const struct codemap *code, double each)
{
	uint64_t found = 0;

	for (uint64_t at = -code->base % 4; at + WIRE_BLOCK_BYTES <= code->size;
	     at += WIRE_BLOCK_BYTES) {
		if (!block_is_code(code, at))
			continue;
		if (each > 0 && b->count < WIRE_BLOCKS &&
		    found == (uint64_t)(((double)b->count + 0.5) * each))
			b->address[b->count++] = (uint32_t)(code->base + at);
		found++;
	}
	return found;
}

void blocks_choose(struct blocks *b, const struct codemap *code)
{
	uint64_t all;

	if (!code || code->arch != CODE_ARM || code->base > UINT32_MAX ||
	    code->size > UINT32_MAX - code->base)
		return;
	b->count = 0;
	all = blocks_walk(b, code, 0);
	blocks_walk(b, code, all < WIRE_BLOCKS ? 1 : (double)all / WIRE_BLOCKS);
	blocks_again(b);
}

void blocks_again(struct blocks *b)
{
	b->next = b->rounds = 0;
}

/* --- what they hold --------------------------------------------------------------------------- */

static struct wire_block block_sum(uint32_t address, const uint32_t *words)
{
	struct wire_block s = { .address = address };

	for (unsigned i = 0; i < WIRE_BLOCK_WORDS; i++) {
		s.a = (uint16_t)(s.a + words[i]);
		s.b = (uint16_t)(s.b + s.a);
		s.a = (uint16_t)(s.a + (words[i] >> 16));
		s.b = (uint16_t)(s.b + s.a);
	}
	return s;
}

bool blocks_take(struct blocks *b, unsigned index, unsigned count, uint32_t address,
		 const uint32_t *words)
{
	struct wire_identity *id = &b->identity;

	if (count > WIRE_BLOCKS || index >= count)
		return false;
	if (index == 0 || b->ended)
		*id = (struct wire_identity){ .block_count = 0 };
	id->kind = WIRE_IDENTITY_BLOCKS;
	b->ended = index + 1 == count;
	b->next = b->ended || index + 1 >= b->count ? 0 : index + 1;
	if (words && id->block_count < WIRE_BLOCKS)
		id->blocks[id->block_count++] = block_sum(address, words);
	b->rounds += b->ended;
	return b->ended && id->block_count > 0;
}
