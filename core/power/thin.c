/* thin: older parts become coarser, so that memory stays within its bound. */
#include "core/power/parts.h"

#include "core/base/mem.h"

/*
 * Shares of the bound: a half for single samples, a quarter for figures of 16, an eighth for those
 * of 256, an eighth for the blocks and the tree above them (a sixteenth of a figure a block, and
 * the levels above that).
 */
enum {
	RAW_BYTES = POWER_BLOCK * sizeof(float),
	FINE_BYTES = POWER_BLOCK / POWER_FINE * sizeof(struct power_sum),
	COARSE_BYTES = POWER_FAN * sizeof(struct power_sum),
	BLOCK_BYTES = sizeof(struct power_block) + 2 * sizeof(struct power_sum) / POWER_FAN,
};

/* Blocks that may have it; one is written to. */
static size_t blocks_most(const struct power *p, size_t share, size_t each)
{
	size_t most = p->bytes / share / each;

	return most > 2 ? most : 2;
}

static void raw_thin(struct power *p)
{
	size_t most = blocks_most(p, 2, RAW_BYTES);

	for (; p->block_count - p->raw_from > most; p->raw_from++) {
		mem_free(p->blocks[p->raw_from].raw);
		p->blocks[p->raw_from].raw = NULL;
	}
}

static void fine_thin(struct power *p)
{
	size_t most = blocks_most(p, 4, FINE_BYTES);

	for (; p->fine_from < p->raw_from && p->block_count - p->fine_from > most; p->fine_from++) {
		mem_free(p->blocks[p->fine_from].fine);
		p->blocks[p->fine_from].fine = NULL;
	}
}

static void coarse_thin(struct power *p)
{
	size_t most = blocks_most(p, 8, COARSE_BYTES);

	for (; p->coarse_from < p->fine_from && p->block_count - p->coarse_from > most;
	     p->coarse_from++) {
		mem_free(p->blocks[p->coarse_from].coarse);
		p->blocks[p->coarse_from].coarse = NULL;
	}
}

/* Pairs of the oldest half become one block each. */
static void blocks_thin(struct power *p)
{
	size_t half = p->coarse_from / 2 * 2, to = 0;

	if (p->block_count <= blocks_most(p, 8, BLOCK_BYTES) || half < 2)
		return;
	for (size_t i = 0; i < half; i += 2) {
		struct power_block b = p->blocks[i];

		b.end = p->blocks[i + 1].end;
		sum_join(&b.all, &p->blocks[i + 1].all);
		p->blocks[to++] = b;
	}
	for (size_t i = half; i < p->block_count; i++)
		p->blocks[to++] = p->blocks[i];
	p->block_count = to;
	p->raw_from -= half / 2;
	p->fine_from -= half / 2;
	p->coarse_from -= half / 2;
	/* It becomes shorter: no memory is wanted. */
	tree_update(p, 0, p->block_count);
}

void power_thin(struct power *p)
{
	raw_thin(p);
	fine_thin(p);
	coarse_thin(p);
	blocks_thin(p);
}

size_t power_memory(const struct power *p)
{
	size_t bytes = (p->block_count - p->raw_from) * RAW_BYTES +
		       (p->block_count - p->fine_from) * FINE_BYTES +
		       (p->block_count - p->coarse_from) * COARSE_BYTES;

	bytes += p->block_cap * sizeof(*p->blocks) + p->edge_cap * sizeof(*p->edges) +
		 p->time.cap * sizeof(*p->time.anchors);
	for (size_t i = 0; i < POWER_LEVELS; i++)
		bytes += p->tree[i].cap * sizeof(*p->tree[i].sums);
	return bytes;
}
