/* crowd_take: a keyframe into a node of a crowd: is it newer, and what becomes of the tables. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/fleet/crowd_own.h"
#include "core/wire/wsn/wsn.h"

enum {
	ROW_WORDS = 4,			/* calls, total, and both before */
	DOUBTS = 2,			/* keyframes in turn until what seems old is a restart */
};

/* --- tables ----------------------------------------------------------------------------------- */

static size_t table_bytes(size_t rows)
{
	return rows * (ROW_WORDS * sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t former_bytes(size_t rows)
{
	return sizeof(struct crowd_former) + rows * (2 * sizeof(uint64_t) + sizeof(uint32_t));
}

/* As they count, with what is kept of them elsewhere. */
static size_t table_cost(const struct crowd *c, size_t rows)
{
	return table_bytes(rows) + rows * c->limits.row_beside;
}

static size_t former_cost(const struct crowd *c, size_t rows)
{
	return former_bytes(rows) + rows * c->limits.row_beside;
}

static struct crowd_rows table_rows(uint64_t *block, size_t count)
{
	if (!block)
		return (struct crowd_rows){ 0 };
	return (struct crowd_rows){
		.count = count, .sites = (const uint32_t *)(block + ROW_WORDS * count),
		.calls = block, .total = block + count,
		.calls_before = block + 2 * count, .total_before = block + 3 * count,
	};
}

struct crowd_rows crowd_rows(const struct crowd_node *n)
{
	return table_rows(n->rows, n->row_count);
}

static int row_order(const void *a, const void *b)
{
	const struct heard_row *x = a, *y = b;

	return (x->site > y->site) - (x->site < y->site);
}

/* That the build does not know yet. */
static size_t rows_new(const struct heard_all *h, const struct build *b)
{
	size_t n = 0;

	for (size_t i = 0; i < h->count; i++)
		n += !build_knows(b, h->rows[i].kind, (uint32_t)(h->rows[i].key >> 32),
				  (uint32_t)h->rows[i].key);
	return n;
}

static bool rows_number(struct heard_all *h, struct build *b)
{
	for (size_t i = 0; i < h->count; i++) {
		struct heard_row *r = &h->rows[i];

		r->site = build_site(b, r->kind, (uint32_t)(r->key >> 32), (uint32_t)r->key);
		if (r->site == BUILD_NONE)
			return false;
	}
	if (h->count)
		qsort(h->rows, h->count, sizeof(*h->rows), row_order);
	return true;
}

/* Of old and new rows together: those that are not told again stand as they were. */
static size_t rows_together(const struct heard_all *h, const struct crowd_rows *old)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < h->count || k < old->count; n++) {
		uint32_t a = i < h->count ? h->rows[i].site : UINT32_MAX;
		uint32_t b = k < old->count ? old->sites[k] : UINT32_MAX;

		i += a <= b;
		k += b <= a;
	}
	return n;
}

/* With those of before it would have too many. */
static bool rows_beyond(const struct crowd_node *n, const struct heard_all *h, bool begins)
{
	const struct crowd_rows old = crowd_rows(n);

	return !begins && rows_together(h, &old) > CROWD_SITES;
}

static void rows_fill(uint64_t *block, size_t count, const struct heard_all *h,
		      const struct crowd_rows *old)
{
	uint32_t *sites = (uint32_t *)(block + ROW_WORDS * count);

	for (size_t n = 0, i = 0, k = 0; n < count; n++) {
		uint32_t a = i < h->count ? h->rows[i].site : UINT32_MAX;
		uint32_t b = k < old->count ? old->sites[k] : UINT32_MAX;

		sites[n] = a < b ? a : b;
		block[2 * count + n] = b <= a ? old->calls[k] : 0;
		block[3 * count + n] = b <= a ? old->total[k] : 0;
		block[n] = a <= b ? h->rows[i].calls : old->calls[k];
		block[count + n] = a <= b ? h->rows[i].total : old->total[k];
		i += a <= b;
		k += b <= a;
	}
}

/* The same where no site is new: most keyframes. The table stays where it is. */
static void rows_renew(uint64_t *block, size_t count, const struct heard_all *h)
{
	const uint32_t *sites = (const uint32_t *)(block + ROW_WORDS * count);

	memcpy(block + 2 * count, block, 2 * count * sizeof(*block));
	for (size_t n = 0, i = 0; n < count && i < h->count; n++) {
		if (h->rows[i].site != sites[n])
			continue;
		block[n] = h->rows[i].calls;
		block[count + n] = h->rows[i++].total;
	}
}

/* --- what is newer ---------------------------------------------------------------------------- */

/* Neither its time nor its run is behind what is known. */
static enum crowd_result order_of(const struct crowd_node *n, const struct heard_all *h,
				  const struct crowd_heard *at)
{
	bool timed = at->told_us && n->last.told_us;
	bool same = h->hello.epoch == n->epoch;

	if (timed && at->told_us < n->last.told_us)
		return CROWD_OLD;
	if (same && h->status.run == n->last.run && heard_sum(h) == n->sum)
		return CROWD_AGAIN;
	if (same && h->status.run < n->last.run)
		return CROWD_OLD;
	if (!same && !timed && n->epochs > 1 && h->hello.epoch == n->ended)
		return CROWD_OLD;
	return CROWD_TAKEN;
}

/*
 * A node that lost its memory may begin with any epoch, and a gateway's clock may go back: several
 * keyframes in turn, each behind the one before, are of now.
 */
static bool is_restart(struct crowd_node *n, const struct heard_all *h,
		       const struct crowd_heard *at)
{
	if (at->late)
		return false;
	if (h->hello.epoch != n->doubt_epoch || h->status.run <= n->doubt_run)
		n->doubts = 0;
	n->doubts++;
	n->doubt_epoch = h->hello.epoch;
	n->doubt_run = h->status.run;
	return n->doubts > DOUBTS;
}

/* What it had counted with the build before; its next table takes `more` bytes. */
static void former_keep(struct crowd *c, struct crowd_node *n, size_t more)
{
	const size_t rows = n->row_count, bytes = former_cost(c, rows);
	const struct crowd_rows r = crowd_rows(n);
	struct crowd_former *f = NULL;

	if (n->former)
		c->bytes -= former_cost(c, n->former->count);
	mem_free(n->former);
	n->former = NULL;
	if (crowd_room(c, bytes + more))
		f = mem_alloc(former_bytes(rows) + sizeof(uint64_t));
	if (!f) {
		c->tally.formers_lost++;
		return;
	}
	*f = (struct crowd_former){
		.build = n->build, .epoch = n->epoch, .hz = n->hz,
		.ticks_per_second = n->ticks_per_second, .last = n->last, .count = rows,
	};
	if (rows) {
		memcpy(f->rows, r.calls, rows * sizeof(uint64_t));
		memcpy(f->rows + rows, r.total, rows * sizeof(uint64_t));
		memcpy(f->rows + 2 * rows, r.sites, rows * sizeof(uint32_t));
	}
	n->former = f;
	c->bytes += bytes;
}

static uint64_t missing_of(const struct wire_status *s)
{
	/* What stands as `missing` in the table of core/export/losses.h, of a keyframe. */
	return s->stack_full + s->table_full + s->no_stack + s->arcs_lost + s->pcs_lost +
	       s->arcs_unheard + s->pcs_unheard;
}

/* As core/node/fare.c has it of a node that is open. */
static uint64_t hooks_of(const struct heard_all *h)
{
	const enum wire_total_kind kind = h->hello.features & WSN_F_SITES ? TOTAL_SITE : TOTAL_ARC;
	double each = h->hello.cost + h->status.searched, calls = 0, ticks;

	if (!(each > 0) || !(h->hello.features & WSN_F_TAKEN_BACK))
		return h->status.poll;
	for (size_t i = 0; i < h->count; i++)
		calls += h->rows[i].kind == kind ? (double)h->rows[i].calls : 0;
	ticks = calls * each + (double)h->status.poll;
	return ticks < 0x1p62 ? (uint64_t)ticks : 0;
}

/* By each keyframe: it was awake for so long then, and may have slept besides. */
static void since_take(struct crowd_node *n, const struct crowd_heard *heard, bool begins)
{
	double awake_us = 1e6 * (crowd_run(n, CROWD_LAST) + crowd_hooks(n, CROWD_LAST));
	uint64_t at = heard->told_us ? heard->told_us : heard->seen_us;

	if (begins)
		n->since_us = 0;
	if (!at)
		return;
	at = awake_us < (double)at ? at - (uint64_t)(awake_us + 0.5) : 1;
	if (!n->since_us || at < n->since_us)
		n->since_us = at;
}

/* A new epoch: nothing was counted before. */
static void epoch_begin(struct crowd *c, struct crowd_node *n, const struct heard_all *h)
{
	c->bytes -= table_cost(c, n->row_count);
	mem_free(n->rows);
	n->rows = NULL;
	n->row_count = 0;
	n->last = (struct crowd_moment){ 0 };
	if (n->build != CROWD_NONE)
		c->builds[n->build]->nodes--;
	n->build = h->build;
	c->builds[n->build]->nodes++;
	n->ended = n->epoch;
	n->epoch = h->hello.epoch;
	n->epochs++;
}

static void node_hello(struct crowd_node *n, const struct heard_all *h,
		       const struct crowd_heard *at)
{
	memcpy(n->name, h->name, sizeof(n->name));
	n->hz = h->hello.hz;
	n->arch = h->hello.arch;
	n->ticks_per_second = h->hello.ticks_per_second;
	n->heard_ns = at->heard_ns;
	n->missing = missing_of(&h->status);
	n->sum = heard_sum(h);
	n->doubts = 0;
	n->taken++;
}

/* The table becomes what was heard. False: no room, with nothing changed. */
static bool table_take(struct crowd *c, struct crowd_node *n, const struct heard_all *h,
		       const struct crowd_heard *at, bool begins)
{
	const struct crowd_rows none = { 0 }, now = crowd_rows(n);
	const struct crowd_rows *old = begins ? &none : &now;
	const struct crowd_moment moment = { h->status.run, hooks_of(h), at->told_us };
	size_t count = rows_together(h, old), had = n->row_count;
	size_t more = count > had ? table_cost(c, count - had) : 0;
	uint64_t *block;

	if (!begins && count && count == had) {
		rows_renew(n->rows, count, h);
		n->before = n->last;
		n->last = moment;
		return true;
	}
	if (!crowd_room(c, more))
		return false;
	block = mem_alloc(table_bytes(count) + sizeof(*block));
	if (!block)
		return false;
	rows_fill(block, count, h, old);
	if (begins && n->build != CROWD_NONE && n->build != h->build)
		former_keep(c, n, more);
	if (begins)
		epoch_begin(c, n, h);
	c->bytes += table_cost(c, count) - table_cost(c, n->row_count);
	mem_free(n->rows);
	n->rows = block;
	n->row_count = (uint32_t)count;
	n->before = n->last;
	n->last = moment;
	return true;
}

enum crowd_result crowd_take(struct crowd *c, struct crowd_node *n, struct heard_all *h,
			     const struct crowd_heard *at)
{
	bool known = n->build != CROWD_NONE;
	enum crowd_result order = known ? order_of(n, h, at) : CROWD_TAKEN;
	bool restart = order == CROWD_OLD && is_restart(n, h, at);
	bool begins = !known || restart || h->hello.epoch != n->epoch;

	if (order == CROWD_OLD && !restart)
		return order;
	if (!begins && h->build != n->build)
		return CROWD_CHANGED;
	if (order == CROWD_AGAIN) {
		n->heard_ns = at->heard_ns;
		return order;
	}
	if (!crowd_room(c, rows_new(h, c->builds[h->build]) * BUILD_SITE_BYTES))
		return CROWD_NO_ROOM;
	if (!rows_number(h, c->builds[h->build]))
		return CROWD_MANY_SITES;
	if (rows_beyond(n, h, begins))
		return CROWD_MANY_SITES;
	if (!table_take(c, n, h, at, begins))
		return CROWD_NO_ROOM;
	node_hello(n, h, at);
	since_take(n, at, begins);
	return CROWD_TAKEN;
}
