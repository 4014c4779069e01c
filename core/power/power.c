/* power: samples come; their figures. */
#include "core/power/parts.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

/* --- life ------------------------------------------------------------------------------------- */

struct power *power_new(size_t bytes)
{
	struct power *p = mem_zalloc(sizeof(*p));

	if (p)
		p->bytes = bytes ? bytes : POWER_BYTES;
	return p;
}

static void samples_forget(struct power *p)
{
	for (size_t i = 0; i < p->block_count; i++) {
		mem_free(p->blocks[i].raw);
		mem_free(p->blocks[i].fine);
		mem_free(p->blocks[i].coarse);
	}
	mem_free(p->blocks);
	for (size_t i = 0; i < POWER_LEVELS; i++)
		mem_free(p->tree[i].sums);
	mem_free(p->edges);
	time_forget(p);
	*p = (struct power){ .bytes = p->bytes };
}

void power_free(struct power *p)
{
	if (!p)
		return;
	samples_forget(p);
	mem_free(p);
}

void power_set_rate(struct power *p, double hz, unsigned ppm)
{
	if (p->hz == hz && p->ppm == ppm)
		return;
	if (p->begun || p->time.used)
		samples_forget(p);
	p->hz = hz;
	p->ppm = ppm;
}

double power_hz(const struct power *p)
{
	return p->hz;
}

uint64_t power_begin(const struct power *p)
{
	return p->begin;
}

uint64_t power_end(const struct power *p)
{
	return p->end;
}

uint64_t power_count(const struct power *p)
{
	return p->count;
}

uint64_t power_missing(const struct power *p)
{
	return p->end - p->begin - p->count;
}

uint64_t power_whole_from(const struct power *p)
{
	return p->raw_from < p->block_count ? p->blocks[p->raw_from].first : p->end;
}

/* --- figures ---------------------------------------------------------------------------------- */

void sum_join(struct power_sum *sum, const struct power_sum *b)
{
	double count = (double)sum->count + b->count;

	if (!b->count)
		return;
	if (!sum->count) {
		*sum = *b;
		return;
	}
	sum->min = fminf(sum->min, b->min);
	sum->max = fmaxf(sum->max, b->max);
	sum->mean = (float)(((double)sum->mean * sum->count + (double)b->mean * b->count) / count);
	sum->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static struct power_sum sums_join(const struct power_sum *v, size_t n)
{
	struct power_sum sum = { 0 };
	double total = 0;

	for (size_t i = 0; i < n; i++) {
		if (!v[i].count)
			continue;
		if (!sum.count || v[i].min < sum.min)
			sum.min = v[i].min;
		if (!sum.count || v[i].max > sum.max)
			sum.max = v[i].max;
		total += (double)v[i].mean * v[i].count;
		sum.count += v[i].count;
	}
	if (sum.count)
		sum.mean = (float)(total / sum.count);
	return sum;
}

static struct power_sum samples_sum(const float *v)
{
	struct power_sum sum = { 0 };
	double total = 0;

	for (size_t i = 0; i < POWER_FINE; i++) {
		if (isnan(v[i]))
			continue;
		if (!sum.count || v[i] < sum.min)
			sum.min = v[i];
		if (!sum.count || v[i] > sum.max)
			sum.max = v[i];
		total += (double)v[i];
		sum.count++;
	}
	if (sum.count)
		sum.mean = (float)(total / sum.count);
	return sum;
}

/* After samples of these offsets came, the last one is to - 1. */
static void block_update(struct power_block *b, size_t from, size_t to)
{
	for (size_t i = from / POWER_FINE; i <= (to - 1) / POWER_FINE; i++)
		b->fine[i] = samples_sum(b->raw + i * POWER_FINE);
	for (size_t i = from / POWER_COARSE; i <= (to - 1) / POWER_COARSE; i++)
		b->coarse[i] = sums_join(b->fine + i * POWER_FAN, POWER_FAN);
	b->all = sums_join(b->coarse, POWER_FAN);
}

static struct power_sum blocks_join(const struct power *p, size_t from, size_t to)
{
	struct power_sum sum = { 0 };

	for (size_t i = from; i < to; i++)
		sum_join(&sum, &p->blocks[i].all);
	return sum;
}

int tree_update(struct power *p, size_t from, size_t to)
{
	size_t below = p->block_count;

	for (size_t l = 0; l < POWER_LEVELS && below > 1; l++) {
		struct power_tree *t = &p->tree[l];
		const struct power_sum *sums = l ? p->tree[l - 1].sums : NULL;

		t->count = (below + POWER_FAN - 1) / POWER_FAN;
		if (mem_grow(&t->sums, &t->cap, t->count, sizeof(*t->sums)) < 0)
			return ERR_NOMEM;
		from /= POWER_FAN;
		to = (to + POWER_FAN - 1) / POWER_FAN;
		for (size_t i = from; i < to; i++) {
			size_t a = i * POWER_FAN, b = a + POWER_FAN < below ? a + POWER_FAN : below;

			t->sums[i] = sums ? sums_join(sums + a, b - a) : blocks_join(p, a, b);
		}
		below = t->count;
	}
	return 0;
}

/* --- samples come ----------------------------------------------------------------------------- */

/* Of a tick behind all blocks. NULL: out of memory. */
static struct power_block *block_new(struct power *p, uint64_t tick)
{
	struct power_block b = { .first = tick / POWER_BLOCK * POWER_BLOCK };

	if (mem_grow(&p->blocks, &p->block_cap, p->block_count + 1, sizeof(b)) < 0)
		return NULL;
	b.end = b.first + POWER_BLOCK;
	b.raw = mem_alloc(POWER_BLOCK * sizeof(*b.raw));
	b.fine = mem_zalloc(POWER_BLOCK / POWER_FINE * sizeof(*b.fine));
	b.coarse = mem_zalloc(POWER_FAN * sizeof(*b.coarse));
	if (!b.raw || !b.fine || !b.coarse) {
		mem_free(b.raw);
		mem_free(b.fine);
		mem_free(b.coarse);
		return NULL;
	}
	for (size_t i = 0; i < POWER_BLOCK; i++)
		b.raw[i] = NAN;
	p->blocks[p->block_count] = b;
	return &p->blocks[p->block_count++];
}

static struct power_block *block_of(struct power *p, uint64_t tick)
{
	struct power_block *last = p->block_count ? &p->blocks[p->block_count - 1] : NULL;

	return last && tick < last->end ? last : block_new(p, tick);
}

/* As many as are in one block. 0 or ERR_NOMEM. */
static int run_add(struct power *p, uint64_t tick, const float *amps, size_t n)
{
	struct power_block *b = block_of(p, tick);
	size_t at;

	if (!b)
		return ERR_NOMEM;
	at = (size_t)(tick - b->first);
	for (size_t i = 0; i < n; i++) {
		bool is_number = isfinite(amps[i]);

		b->raw[at + i] = is_number ? amps[i] : NAN;
		p->count += is_number;
	}
	block_update(b, at, at + n);
	return tree_update(p, p->block_count - 1, p->block_count);
}

int power_add(struct power *p, uint64_t first, const float *amps, size_t n, const uint8_t *logic)
{
	size_t skip = p->begun && first < p->end ? (size_t)(p->end - first) : 0;
	int ret = 0;

	if (skip >= n)
		return 0;
	if (!p->begun)
		p->begin = first;
	p->begun = true;
	if (logic)
		edges_add(p, first + skip, logic + skip, n - skip);
	while (skip < n) {
		size_t room = POWER_BLOCK - (size_t)((first + skip) % POWER_BLOCK);
		size_t run = n - skip < room ? n - skip : room;

		if (run_add(p, first + skip, amps + skip, run) < 0)
			ret = ERR_NOMEM;
		skip += run;
	}
	p->end = first + n;
	power_thin(p);
	return ret;
}
