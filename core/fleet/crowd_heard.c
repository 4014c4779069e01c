/* crowd_heard: a node's keyframe, read: who it is, and its rows, each once. */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/fleet/crowd_own.h"

static uint64_t heard_key(const void *items, uint32_t position)
{
	return ((const struct heard_row *)items)[position].key;
}


static void heard_hello(void *ctx, const struct wire_hello *hello)
{
	struct heard_all *h = ctx;

	h->foreign |= hello->id != h->id;
	h->greeted = true;
	h->hello = *hello;
	text_visible(h->name, sizeof(h->name), hello->name, strlen(hello->name));
}

static void heard_status(void *ctx, const struct wire_status *status)
{
	struct heard_all *h = ctx;

	h->status = *status;
	h->told = true;
}

static void heard_total(struct heard_all *h, const struct wire_total *t)
{
	const uint64_t key = (uint64_t)t->from << 32 | t->to;
	uint32_t at = index_get(&h->index[t->kind], h->rows, heard_key, key);

	if (at == INDEX_NONE) {
		at = (uint32_t)h->count;
		if (h->count == CROWD_SITES ||
		    mem_grow(&h->rows, &h->cap, h->count + 1, sizeof(*h->rows)) < 0) {
			h->full = true;
			return;
		}
		h->rows[at] = (struct heard_row){ .key = key, .kind = t->kind };
		if (index_put(&h->index[t->kind], h->rows, heard_key, key, at) < 0) {
			h->full = true;
			return;
		}
		h->count++;
	}
	h->rows[at].calls = t->calls;
	h->rows[at].total = t->has & TOTAL_TIMED ? t->total : 0;
}

static void heard_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(totals[i].flags & ROW_LOST))
			heard_total(ctx, &totals[i]);
}

static void heard_clear(struct heard_all *h)
{
	for (size_t i = 0; i <= TOTAL_PC; i++)
		index_clear(&h->index[i]);
	h->greeted = h->foreign = h->told = h->full = false;
	h->count = 0;
}

/* Rows that counted nothing yet are left out. */
static void heard_thin(struct heard_all *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->count; i++)
		if (h->rows[i].calls || h->rows[i].total)
			h->rows[n++] = h->rows[i];
	h->count = n;
}

void heard_read(struct heard_all *h, const void *data, size_t n, const struct codemap *code)
{
	const struct wire_sink sink = {
		.ctx = h, .hello = heard_hello, .status = heard_status, .totals = heard_totals,
	};
	const struct wire_options o = { .code = code };
	struct wire_stats stats;

	heard_clear(h);
	h->wire = wire_new("wsn", &o, &sink, NULL);
	if (!h->wire) {
		h->full = true;
		return;
	}
	wire_feed(h->wire, data, n);
	wire_flush(h->wire, true);
	wire_stats(h->wire, &stats);
	h->told &= !stats.lost && !stats.damaged && !stats.bad_bytes;
	wire_free(h->wire);
	h->wire = NULL;
	heard_thin(h);
}

/* Of all that was counted: the same sum and the same run, the same table. */
uint64_t heard_sum(const struct heard_all *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->count; i++)
		sum += h->rows[i].calls + 31 * h->rows[i].total;
	return sum;
}

void heard_take_model(struct heard_all *h, const struct crowd_model *model)
{
	heard_clear(h);
	heard_hello(h, model->hello);
	heard_status(h, model->status);
	heard_totals(h, model->totals, model->count);
	heard_thin(h);
}

size_t heard_memory(const struct heard_all *h)
{
	size_t sum = h->cap * sizeof(*h->rows);

	for (size_t i = 0; i <= TOTAL_PC; i++)
		sum += index_memory(&h->index[i]);
	return sum;
}

void heard_release(struct heard_all *h)
{
	for (size_t i = 0; i <= TOTAL_PC; i++)
		index_release(&h->index[i]);
	mem_free(h->rows);
}
