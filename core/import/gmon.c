/*
 * GNU gprof's gmon.out (binutils, gprof/gmon_out.h), little-endian; pointers of 4 bytes, or of 8
 * where those do not fit the records. core/export/gmon.c has the records.
 */
#include "core/import/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/profile/raw/feed.h"

enum { HEADER = 20, LABEL = 16 };

struct gmon {
	const uint8_t *data;
	size_t size, at;
	size_t pointer;			/* bytes */
	bool cut;			/* a record is longer than the file, or none */
	double hz;
	struct wire_total *totals;
	size_t count, cap;
	bool failed;			/* out of memory */
};

static uint64_t field_take(struct gmon *g, size_t bytes)
{
	uint64_t v = 0;

	if (g->size - g->at < bytes) {
		g->cut = true;
		g->at = g->size;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++)
		v |= (uint64_t)g->data[g->at + i] << 8 * i;
	g->at += bytes;
	return v;
}

static void total_add(struct gmon *g, enum wire_total_kind kind, uint64_t from, uint64_t to,
		      uint64_t calls)
{
	if (!calls || from > UINT32_MAX || to > UINT32_MAX)
		return;
	if (mem_grow(&g->totals, &g->cap, g->count + 1, sizeof(*g->totals)) < 0) {
		g->failed = true;
		return;
	}
	g->totals[g->count++] = (struct wire_total){
		.kind = kind, .from = (uint32_t)from, .to = (uint32_t)to, .calls = calls,
	};
}

static void histogram_take(struct gmon *g)
{
	uint64_t low = field_take(g, g->pointer), high = field_take(g, g->pointer);
	uint64_t bins = field_take(g, 4), rate = field_take(g, 4);

	if (g->size - g->at < LABEL || bins > (g->size - g->at - LABEL) / 2 || high < low) {
		g->cut = true;
		return;
	}
	g->at += LABEL;
	g->hz = rate ? (double)rate : g->hz;
	for (uint64_t i = 0; i < bins; i++)
		total_add(g, TOTAL_PC, low + (high - low) * i / bins, 0, field_take(g, 2));
}

static void records_take(struct gmon *g, size_t pointer)
{
	g->pointer = pointer;
	g->at = HEADER;
	g->count = 0;
	g->cut = false;
	while (g->at < g->size && !g->cut && !g->failed) {
		switch (field_take(g, 1)) {
		case 0:
			histogram_take(g);
			break;
		case 1: {
			uint64_t from = field_take(g, pointer), to = field_take(g, pointer);

			total_add(g, TOTAL_ARC, from, to, field_take(g, 4));
			break;
		}
		default:		/* basic blocks (tag 2) nobody writes any more */
			g->cut = true;
		}
	}
}

static int total_by_ends(const void *a, const void *b)
{
	const struct wire_total *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Records of one range, and of one arc, add up. */
static void totals_merge(struct gmon *g)
{
	size_t kept = 0;

	if (g->count)
		qsort(g->totals, g->count, sizeof(*g->totals), total_by_ends);
	for (size_t i = 0; i < g->count; i++) {
		if (kept && total_by_ends(&g->totals[kept - 1], &g->totals[i]) == 0)
			g->totals[kept - 1].calls += g->totals[i].calls;
		else
			g->totals[kept++] = g->totals[i];
	}
	g->count = kept;
}

int gmon_read(struct profile *p, const struct import_bytes *b, struct err *err)
{
	struct gmon g = { .data = b->data, .size = b->size };
	int ret = 0;

	records_take(&g, 4);
	if (g.cut && !g.failed)
		records_take(&g, 8);
	totals_merge(&g);
	if (g.failed)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	else if (g.cut)
		ret = err_set(err, ERR_FORMAT, "gmon.out: damaged, or cut off");
	else if (!g.count)
		ret = err_set(err, ERR_FORMAT, "gmon.out: it has neither calls nor samples");
	else if (profile_take_totals(p, g.totals, g.count) < 0)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	if (ret == 0 && g.hz > 0)
		p->terms.hz = g.hz;
	mem_free(g.totals);
	return ret;
}
