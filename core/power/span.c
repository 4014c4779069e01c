/* span: the figures of a window. */
#include "core/power/parts.h"

#include <math.h>

#include "core/base/sorted.h"

struct gathered {
	double min, max, total, count;	/* total: A times samples */
	uint64_t grain;
};

/* `share` of it is in the window. */
static void sum_gather(struct gathered *g, const struct power_sum *sum, double share)
{
	if (!sum->count)
		return;
	if (!(g->count > 0) || (double)sum->min < g->min)
		g->min = (double)sum->min;
	if (!(g->count > 0) || (double)sum->max > g->max)
		g->max = (double)sum->max;
	g->total += share * (double)sum->mean * sum->count;
	g->count += share * sum->count;
}

/* Part of a figure that covers the ticks from `at` to at + grain - 1; how many ticks. */
static uint64_t part_gather(struct gathered *g, const struct power_sum *sum, uint64_t at,
			    uint64_t grain, uint64_t from, uint64_t to)
{
	uint64_t end = at + grain < to ? at + grain : to;

	if (end - from < grain && g->grain < grain)
		g->grain = grain;
	sum_gather(g, sum, (double)(end - from) / (double)grain);
	return end - from;
}

/* The largest figure that begins at `from`, or the smallest that there is; how many ticks. */
static uint64_t figure_gather(struct gathered *g, const struct power_block *b, uint64_t from,
			      uint64_t to)
{
	const uint64_t n = to - from;
	const float *raw = b->raw;

	if (b->coarse && ((from % POWER_COARSE == 0 && n >= POWER_COARSE) || !b->fine))
		return part_gather(g, &b->coarse[from / POWER_COARSE],
				   from / POWER_COARSE * POWER_COARSE, POWER_COARSE, from, to);
	if (b->fine && ((from % POWER_FINE == 0 && n >= POWER_FINE) || !raw))
		return part_gather(g, &b->fine[from / POWER_FINE],
				   from / POWER_FINE * POWER_FINE, POWER_FINE, from, to);
	if (!raw)
		return part_gather(g, &b->all, 0, b->end - b->first, from, to);
	if (!isnan(raw[from]))
		sum_gather(g, &(struct power_sum){ raw[from], raw[from], raw[from], 1 }, 1);
	return 1;
}

/* Of the ticks of one block that are in the window. */
static void block_gather(struct gathered *g, const struct power_block *b, uint64_t from,
			 uint64_t to)
{
	from = from > b->first ? from - b->first : 0;
	to = (to < b->end ? to : b->end) - b->first;
	if (from == 0 && to == b->end - b->first) {
		sum_gather(g, &b->all, 1);
		return;
	}
	while (from < to)
		from += figure_gather(g, b, from, to);
}

/* Whole blocks, by the tree above them. */
static void blocks_gather(struct gathered *g, const struct power *p, size_t from, size_t to)
{
	const struct power_sum *sums = NULL;

	for (size_t l = 0; from < to; l++) {
		bool top = l == POWER_LEVELS || p->tree[l].count < 2;

		for (; from < to && (top || from % POWER_FAN); from++)
			sum_gather(g, sums ? &sums[from] : &p->blocks[from].all, 1);
		for (; from < to && to % POWER_FAN; to--)
			sum_gather(g, sums ? &sums[to - 1] : &p->blocks[to - 1].all, 1);
		if (top)
			return;
		sums = p->tree[l].sums;
		from /= POWER_FAN;
		to /= POWER_FAN;
	}
}

/* First block that ends behind the tick. */
static size_t block_find(const struct power *p, uint64_t tick)
{
	return SORTED_WHERE(p->block_count, i, p->blocks[i].end <= tick);
}

static void window_gather(struct gathered *g, const struct power *p, uint64_t from, uint64_t to)
{
	size_t a = block_find(p, from), b = block_find(p, to - 1);

	if (a == p->block_count)
		return;
	if (a == b) {
		if (to > p->blocks[a].first)
			block_gather(g, &p->blocks[a], from, to);
		return;
	}
	block_gather(g, &p->blocks[a], from, to);
	blocks_gather(g, p, a + 1, b);
	if (b < p->block_count && to > p->blocks[b].first)
		block_gather(g, &p->blocks[b], from, to);
}

bool power_span(const struct power *p, uint64_t from, uint64_t to, struct power_span *span)
{
	struct gathered g = { .grain = 1 };
	double count;

	*span = (struct power_span){ .grain = 1 };
	if (from < p->begin)
		from = p->begin;
	if (to > p->end)
		to = p->end;
	if (from >= to)
		return false;
	window_gather(&g, p, from, to);
	count = fmin(round(g.count), (double)(to - from));
	span->count = (uint64_t)count;
	span->missing = to - from - span->count;
	span->grain = g.grain;
	if (!span->count)
		return false;
	span->min = g.min;
	span->max = g.max;
	span->mean = g.total / g.count;
	span->charge = p->hz > 0 ? g.total / p->hz : 0;
	return true;
}

float power_at(const struct power *p, uint64_t tick)
{
	size_t i = block_find(p, tick);
	const struct power_block *b = &p->blocks[i];

	if (i == p->block_count || tick < b->first || !b->raw)
		return NAN;
	return b->raw[tick - b->first];
}
