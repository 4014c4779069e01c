#include "core/fleet/crowd.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/texts.h"
#include "core/base/text.h"
#include "core/wire/wsn/wsn.h"

enum {
	ROW_WORDS = 4,			/* calls, total, and both before */
	DOUBTS = 2,			/* keyframes in turn until what seems old is a restart */
};

#define BYTES_USUAL ((size_t)256 << 20)
#define NODES_USUAL 65536
#define BUILDS_USUAL 64

/* A row of the payload that is read. */
struct heard_row {
	uint64_t key;			/* from << 32 | to */
	enum wire_total_kind kind;
	uint32_t site;			/* of the build; once it is known to be wanted */
	uint64_t calls, total;
};

/* A payload, read. */
struct heard_all {
	struct crowd *crowd;
	struct wire *wire;
	struct wire_hello hello;
	struct wire_status status;
	bool greeted, foreign, told, full;
	char name[CROWD_NAME];
	uint32_t id;
	uint32_t build;
	struct heard_row *rows;
	size_t count, cap;
	struct index index[TOTAL_PC + 1];
};

struct crowd {
	struct crowd_limits limits;
	struct crowd_node **nodes;
	size_t count, cap;
	struct index index;		/* by place and id */
	struct build **builds;
	size_t build_count, build_cap;
	struct texts places;
	size_t bytes;			/* of nodes and their tables */
	struct quota own;		/* where the limits name none */
	struct quota_part part;
	struct heard_all heard;		/* kept for its memory */
	struct crowd_tally tally;
};

const char *crowd_result_text(enum crowd_result r)
{
	static const char *const texts[CROWD_RESULTS] = {
		[CROWD_TAKEN] = "taken",
		[CROWD_AGAIN] = "heard again",
		[CROWD_OLD] = "older than the counts that are known",
		[CROWD_FOREIGN] = "the HELLO of another node",
		[CROWD_DAMAGED] = "not whole: HELLO, STATUS or a frame between is missing",
		[CROWD_CHANGED] = "another firmware within an epoch",
		[CROWD_MANY_SITES] = "more call sites than a node may have",
		[CROWD_MANY_NODES] = "more nodes than are kept",
		[CROWD_MANY_BUILDS] = "more firmware builds or sites than are kept",
		[CROWD_NO_ROOM] = "no memory left for it",
	};

	return texts[r];
}

/* --- life ------------------------------------------------------------------------------------- */

static uint64_t node_key(const void *items, uint32_t position)
{
	const struct crowd_node *n = ((struct crowd_node *const *)items)[position];

	return (uint64_t)n->place << 32 | n->id;
}

static uint64_t heard_key(const void *items, uint32_t position)
{
	return ((const struct heard_row *)items)[position].key;
}

struct crowd *crowd_new(const struct crowd_limits *limits)
{
	struct crowd *c = mem_zalloc(sizeof(*c));

	if (!c)
		return NULL;
	if (limits)
		c->limits = *limits;
	if (!c->limits.bytes)
		c->limits.bytes = BYTES_USUAL;
	if (!c->limits.nodes)
		c->limits.nodes = NODES_USUAL;
	if (!c->limits.builds)
		c->limits.builds = BUILDS_USUAL;
	c->index.seed = c->limits.seed;
	quota_init(&c->own, c->limits.bytes);
	quota_join(c->limits.quota ? c->limits.quota : &c->own, &c->part);
	return c;
}

void crowd_free(struct crowd *c)
{
	if (!c)
		return;
	quota_leave(&c->part);
	for (size_t i = 0; i < c->count; i++) {
		mem_free(c->nodes[i]->rows);
		mem_free(c->nodes[i]->former);
		mem_free(c->nodes[i]);
	}
	for (size_t i = 0; i < c->build_count; i++) {
		build_release(c->builds[i]);
		mem_free(c->builds[i]);
	}
	for (size_t i = 0; i <= TOTAL_PC; i++)
		index_release(&c->heard.index[i]);
	mem_free(c->heard.rows);
	index_release(&c->index);
	mem_free(c->nodes);
	mem_free(c->builds);
	texts_release(&c->places);
	mem_free(c);
}

/* --- a payload is read ------------------------------------------------------------------------ */

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

static void heard_read(struct heard_all *h, const void *data, size_t n, const struct codemap *code)
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

/* --- builds and places ------------------------------------------------------------------------ */

static uint32_t build_of(struct crowd *c, const struct wire_identity *identity)
{
	struct build *b;

	for (size_t i = 0; i < c->build_count; i++)
		if (build_same(&c->builds[i]->identity, identity))
			return (uint32_t)i;
	if (c->build_count == c->limits.builds ||
	    mem_grow(&c->builds, &c->build_cap, c->build_count + 1, sizeof(*c->builds)) < 0 ||
	    !(b = mem_zalloc(sizeof(*b))))
		return CROWD_NONE;
	build_init(b, identity, c->limits.image && identity->kind != WIRE_IDENTITY_NONE ?
		   c->limits.image(c->limits.ctx, identity) : NULL);
	c->builds[c->build_count] = b;
	return (uint32_t)c->build_count++;
}

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

static size_t node_cost(const struct crowd *c)
{
	return sizeof(struct crowd_node) + c->limits.node_beside;
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

/* --- nodes ------------------------------------------------------------------------------------ */

/* As their arrays will be: they double, and functions come later than sites. */
static size_t builds_memory(const struct crowd *c)
{
	size_t sum = c->build_cap * sizeof(*c->builds);

	for (size_t i = 0; i < c->build_count; i++) {
		const struct build *b = c->builds[i];
		size_t least = b->site_count * BUILD_SITE_BYTES, now = build_memory(b);

		sum += sizeof(*b) + (now > least ? now : least);
	}
	return sum;
}

size_t crowd_memory(const struct crowd *c)
{
	size_t sum = sizeof(*c) + c->bytes + builds_memory(c) + c->cap * sizeof(*c->nodes) +
		     texts_memory(&c->places) + c->heard.cap * sizeof(*c->heard.rows) +
		     index_memory(&c->index);

	for (size_t i = 0; i <= TOTAL_PC; i++)
		sum += index_memory(&c->heard.index[i]);
	return sum;
}

/* What takes no more than it has always finds room. */
static bool room_take(struct crowd *c, size_t bytes)
{
	return !bytes || quota_take(&c->part, crowd_memory(c) + bytes);
}

/* Into the crowd, without a table. NULL: *why. */
static struct crowd_node *node_append(struct crowd *c, uint32_t place, uint32_t id,
				   enum crowd_result *why)
{
	struct crowd_node *n;

	*why = CROWD_MANY_NODES;
	if (c->count == c->limits.nodes)
		return NULL;
	*why = CROWD_NO_ROOM;
	if (!room_take(c, node_cost(c)) ||
	    mem_grow(&c->nodes, &c->cap, c->count + 1, sizeof(*c->nodes)) < 0 ||
	    !(n = mem_zalloc(sizeof(*n))))
		return NULL;
	n->id = id;
	n->place = (uint16_t)place;
	n->build = CROWD_NONE;
	c->nodes[c->count] = n;
	if (index_put(&c->index, c->nodes, node_key, node_key(c->nodes, (uint32_t)c->count),
		      (uint32_t)c->count) < 0) {
		mem_free(n);
		return NULL;
	}
	c->count++;
	c->bytes += node_cost(c);
	return n;
}

size_t crowd_find(const struct crowd *c, const char *place, uint32_t id)
{
	uint32_t at = texts_find(&c->places, place);

	return at == CROWD_NONE ? CROWD_NONE :
	       index_get(&c->index, c->nodes, node_key, (uint64_t)at << 32 | id);
}

/* Of all that was counted: the same sum and the same run, the same table. */
static uint64_t heard_sum(const struct heard_all *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->count; i++)
		sum += h->rows[i].calls + 31 * h->rows[i].total;
	return sum;
}

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
	if (room_take(c, bytes + more))
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
	const struct crowd_moment moment = { h->status.run, h->status.isr, at->told_us };
	size_t count = rows_together(h, old), had = n->row_count;
	size_t more = count > had ? table_cost(c, count - had) : 0;
	uint64_t *block;

	if (!begins && count && count == had) {
		rows_renew(n->rows, count, h);
		n->before = n->last;
		n->last = moment;
		return true;
	}
	if (!room_take(c, more))
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

/* --- feeding ---------------------------------------------------------------------------------- */

static enum crowd_result node_feed(struct crowd *c, struct crowd_node *n, struct heard_all *h,
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
	if (!room_take(c, rows_new(h, c->builds[h->build]) * BUILD_SITE_BYTES))
		return CROWD_NO_ROOM;
	if (!rows_number(h, c->builds[h->build]))
		return CROWD_MANY_SITES;
	if (rows_beyond(n, h, begins))
		return CROWD_MANY_SITES;
	if (!table_take(c, n, h, at, begins))
		return CROWD_NO_ROOM;
	node_hello(n, h, at);
	return CROWD_TAKEN;
}

/* The last one, whose first payload could not be taken. */
static void node_drop(struct crowd *c)
{
	struct crowd_node *n = c->nodes[c->count - 1];

	index_undo(&c->index, c->nodes, node_key, node_key(c->nodes, (uint32_t)c->count - 1));
	c->count--;
	c->bytes -= node_cost(c);
	mem_free(n);
}

/* AVRs with 22 bits of address lose one of them, which the image puts back. */
static const struct codemap *code_of(const struct crowd *c)
{
	const struct build *b = c->builds[c->heard.build];

	return b->image && c->heard.hello.arch == WSN_ARCH_AVR22 ? image_codemap(b->image) : NULL;
}

static enum crowd_result heard_judge(struct crowd *c)
{
	struct heard_all *h = &c->heard;

	if (h->foreign)
		return CROWD_FOREIGN;
	if (!h->greeted || !h->told)
		return CROWD_DAMAGED;
	h->build = build_of(c, &h->hello.identity);
	if (h->build == CROWD_NONE)
		return CROWD_MANY_BUILDS;
	return h->full ? CROWD_MANY_SITES : CROWD_TAKEN;
}

/* Of c->heard, which was judged as `r`. */
static enum crowd_result heard_take(struct crowd *c, const struct crowd_heard *at,
				    enum crowd_result r)
{
	uint32_t place = r == CROWD_TAKEN ? texts_number(&c->places, at->place, CROWD_PLACES) :
			 CROWD_NONE;
	struct crowd_node *node;
	size_t index;
	bool fresh;

	if (r != CROWD_TAKEN)
		return r;
	if (place == CROWD_NONE)
		return CROWD_MANY_BUILDS;
	index = index_get(&c->index, c->nodes, node_key, (uint64_t)place << 32 | at->id);
	fresh = index == INDEX_NONE;
	node = fresh ? node_append(c, place, at->id, &r) : c->nodes[index];
	if (!node)
		return r;
	r = node_feed(c, node, &c->heard, at);
	if (fresh && r != CROWD_TAKEN)
		node_drop(c);
	return r;
}

/* What is kept now is told to the quota: builds and indices grow by themselves. */
static enum crowd_result result_count(struct crowd *c, enum crowd_result r)
{
	quota_set(&c->part, crowd_memory(c));
	c->tally.by[r]++;
	return r;
}

enum crowd_result crowd_feed(struct crowd *c, const struct crowd_heard *heard, const void *data,
			     size_t n)
{
	enum crowd_result r;

	c->heard.id = heard->id;
	heard_read(&c->heard, data, n, NULL);
	r = heard_judge(c);
	if (r == CROWD_TAKEN && code_of(c))
		heard_read(&c->heard, data, n, code_of(c));
	return result_count(c, heard_take(c, heard, r));
}

enum crowd_result crowd_feed_model(struct crowd *c, const struct crowd_heard *heard,
				   const struct crowd_model *model)
{
	struct heard_all *h = &c->heard;

	h->id = heard->id;
	heard_clear(h);
	heard_hello(h, model->hello);
	heard_status(h, model->status);
	heard_totals(h, model->totals, model->count);
	heard_thin(h);
	return result_count(c, heard_take(c, heard, heard_judge(c)));
}

/* --- reading ---------------------------------------------------------------------------------- */

size_t crowd_count(const struct crowd *c)
{
	return c->count;
}

const struct crowd_node *crowd_node(const struct crowd *c, size_t node)
{
	return c->nodes[node];
}

const char *crowd_place(const struct crowd *c, unsigned place)
{
	return c->places.of[place];
}

size_t crowd_builds(const struct crowd *c)
{
	return c->build_count;
}

/* Without memory: with the functions that it has. */
struct build *crowd_build(const struct crowd *c, uint32_t build)
{
	build_settle(c->builds[build]);
	return c->builds[build];
}

void crowd_rename(struct crowd *c)
{
	for (size_t i = 0; i < c->build_count; i++)
		build_rename(c->builds[i]);
}

void crowd_tally(const struct crowd *c, struct crowd_tally *tally)
{
	*tally = c->tally;
}
