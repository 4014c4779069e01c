/*
 * A node that behaves as docs/PROTOCOL.md, 7, says, and a line that does not: once the line is good
 * again, what the host shows is the truth, and what it cannot know is counted.
 */
#include "core/wire/wsn/wsn.h"
#include "tests/unit/wsn_stream.h"

#include "core/base/mem.h"

enum { SITES = 24, EXTENDED = 4, ARCS = 60, ARC_SLOTS = 16, PCS = 40, PC_SLOTS = 8,
       FRAME_BODY = 50 };

static uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

static uint32_t random_below(uint32_t *state, uint32_t n)
{
	return random_next(state) % n;
}

static bool random_chance(uint32_t *state, double p)
{
	return random_next(state) < p * UINT32_MAX;
}

/* --- the node --------------------------------------------------------------------------------- */

struct site {
	uint64_t calls, total;
	uint64_t min, max;
	bool dirty, carry_dirty;
};

/* Arcs or PCs: a small cache, direct-mapped, which tells what it throws out. */
struct cache {
	unsigned keys, slots;
	uint64_t truth[64];
	int key[16];		/* -1: empty. Key 0 has counted for long, and stays */
	uint64_t count[16];
	bool dirty[16];
	uint64_t closed;	/* sum */
	struct buf rows;	/* closed, not sent yet */
	unsigned row_count;
	uint64_t before;
};

struct node {
	struct stream s;
	struct buf *frames;	/* what was sent, a buffer a frame or a piece of text */
	bool *is_frame;
	size_t count, cap, cap2;
	uint32_t rng;
	struct site site[SITES];
	struct cache arcs, pcs;
	uint64_t run;
	unsigned refreshes, turn;
	bool arm;		/* its calls have 32 bits, its totals 64, and no row extends
				 * another */
};

static void node_put(struct node *n, const struct buf *bytes, bool frame)
{
	mem_grow(&n->frames, &n->cap, n->count + 1, sizeof(*n->frames));
	mem_grow(&n->is_frame, &n->cap2, n->count + 1, sizeof(*n->is_frame));
	buf_init(&n->frames[n->count]);
	buf_add(&n->frames[n->count], bytes->data, bytes->len);
	n->is_frame[n->count++] = frame;
}

static void send_closed(struct node *n, struct cache *c);

/* Rows and closings take turns: what was thrown out waits, and may be back in a slot meanwhile. */
static void node_send(struct node *n, unsigned type, const struct buf *body)
{
	static const char *const lines[] = { "tick\r\n", "temperature 23.5 C\r\n", "half a li",
					     "ne, and more\n", "> " };

	stream_frame(&n->s, type, body);
	node_put(n, &n->s.last, true);
	if (random_chance(&n->rng, 0.2)) {
		struct buf text = BUF_INIT;

		buf_adds(&text, lines[random_below(&n->rng, COUNT(lines))]);
		node_put(n, &text, false);
		buf_release(&text);
	}
	if (type >= 3 && type <= 5 && random_chance(&n->rng, 0.5)) {
		send_closed(n, &n->arcs);
		send_closed(n, &n->pcs);
	}
}

static void cache_clear(struct cache *c, unsigned keys, unsigned slots)
{
	buf_release(&c->rows);
	memset(c, 0, sizeof(*c));
	c->keys = keys;
	c->slots = slots;
	for (size_t i = 0; i < COUNT(c->key); i++)
		c->key[i] = -1;
}

/* Key 0 is about to pass 2^32. */
static void cache_fill(struct cache *c, bool arm)
{
	if (!arm)
		return;
	c->key[0] = 0;
	c->truth[0] = c->count[0] = UINT32_MAX - 60;
	c->dirty[0] = true;
}

static void node_clear(struct node *n)
{
	memset(n->site, 0, sizeof(n->site));
	/* Some are about to pass their width. */
	for (int i = 0; i < EXTENDED; i++)
		n->site[i] = (struct site){ .calls = 0xfffff0 - (uint64_t)i, .total = 0xffff0000,
					    .min = 3, .max = 900 };
	for (int i = 0; n->arm && i < EXTENDED; i++)
		n->site[i].calls = UINT32_MAX - 100 - (uint64_t)i;
	cache_clear(&n->arcs, ARCS, ARC_SLOTS);
	cache_clear(&n->pcs, PCS, PC_SLOTS);
	cache_fill(&n->arcs, n->arm);
	cache_fill(&n->pcs, n->arm);
	n->run = 0;
	n->refreshes = 0;
}

static void put_key(struct buf *b, const struct cache *c, int key)
{
	stream_varint(b, 0x1000u + (unsigned)key * 5);
	if (c->keys == ARCS)
		stream_varint(b, 0x40u + (unsigned)key % 7);
}

static void send_closed(struct node *n, struct cache *c)
{
	struct buf body = BUF_INIT;

	if (!c->row_count)
		return;
	stream_varint(&body, (uint32_t)c->before);
	buf_add(&body, c->rows.data, c->rows.len);
	buf_reset(&c->rows);
	c->row_count = 0;
	node_send(n, c->keys == ARCS ? 6 : 7, &body);
	buf_release(&body);
}

static void slot_evict(struct node *n, struct cache *c, unsigned slot)
{
	if (!c->row_count)
		c->before = c->closed;
	put_key(&c->rows, c, c->key[slot]);
	stream_varint(&c->rows, c->count[slot]);
	c->closed += c->count[slot];
	if (++c->row_count == 4)
		send_closed(n, c);
}

static void cache_hit(struct node *n, struct cache *c)
{
	int key = (int)(random_below(&n->rng, c->keys) * random_below(&n->rng, c->keys) / c->keys);
	unsigned slot = (unsigned)key * 7 % c->slots;

	if (n->arm && slot == 0 && key != 0)
		return;
	c->truth[key]++;
	if (c->key[slot] != key) {
		if (c->key[slot] >= 0)
			slot_evict(n, c, slot);
		c->key[slot] = key;
		c->count[slot] = 0;
	}
	c->count[slot]++;
	c->dirty[slot] = true;
}

static void site_call(struct node *n)
{
	struct site *s = &n->site[random_below(&n->rng, SITES) *
				  random_below(&n->rng, SITES) / SITES];
	uint64_t d = 1 + random_below(&n->rng, 5000), calls = s->calls >> 24,
		total = s->total >> 32;

	s->min = s->calls == 0 || d < s->min ? d : s->min;
	s->max = d > s->max ? d : s->max;
	s->calls++;
	s->total += d;
	s->dirty = true;
	s->carry_dirty |= calls != s->calls >> 24 || total != s->total >> 32;
	n->run += d;
}

static void node_work(struct node *n, unsigned events)
{
	while (events--) {
		site_call(n);
		cache_hit(n, &n->arcs);
		if (events % 3 == 0)
			cache_hit(n, &n->pcs);
	}
}

/* --- a refresh -------------------------------------------------------------------------------- */

/* Rows into frames of about FRAME_BODY bytes; slots count from the last row of the same frame. */
struct packer {
	struct node *n;
	unsigned type;
	struct buf body;
	int last;
	unsigned room;		/* frames */
};

static bool pack_row(struct packer *p, int slot, const struct buf *row)
{
	if (p->body.len + row->len + 3 > FRAME_BODY) {
		if (p->room <= 1)
			return false;
		node_send(p->n, p->type, &p->body);
		buf_reset(&p->body);
		p->last = -1;
		p->room--;
	}
	stream_varint(&p->body, (uint64_t)(slot - p->last - 1));
	buf_add(&p->body, row->data, row->len);
	p->last = slot;
	return true;
}

static void pack_end(struct packer *p)
{
	if (p->body.len)
		node_send(p->n, p->type, &p->body);
	buf_release(&p->body);
}

static bool pack_numbers(struct packer *p, int slot, const uint64_t *v, size_t count)
{
	struct buf row = BUF_INIT;
	bool ok;

	for (size_t i = 0; i < count; i++)
		stream_varint(&row, v[i]);
	ok = pack_row(p, slot, &row);
	buf_release(&row);
	return ok;
}

static void send_sites(struct node *n, unsigned room, bool all)
{
	struct packer p = { .n = n, .type = 3, .last = -1, .room = room };
	unsigned first = all ? 0 : n->turn % (SITES + EXTENDED);

	for (unsigned k = 0; k < SITES + EXTENDED; k++) {
		int i = (int)((first + k) % (SITES + EXTENDED));
		struct site *s = &n->site[i % SITES];
		uint64_t own[] = { (uint64_t)(0x100 + i * 3), (uint64_t)(0x50 + i % 6),
				   s->calls & (n->arm ? UINT32_MAX : 0xffffff),
				   n->arm ? s->total : s->total & UINT32_MAX, s->min, s->max };
		uint64_t carry[] = { (uint64_t)(i - SITES), 0, s->calls >> 24, s->total >> 32, 0,
				     0 };
		bool *dirty = i < SITES ? &s->dirty : &s->carry_dirty;

		if (i <= p.last)		/* passed the table's end: a new frame */
			pack_end(&p),
				p = (struct packer){ .n = n, .type = 3, .last = -1, .room = 1 };
		if (i >= SITES && (n->arm || (s->calls >> 24 == 0 && s->total >> 32 == 0)))
			continue;
		if (i < SITES && s->calls == 0)
			continue;
		if ((*dirty || all) && !pack_numbers(&p, i, i < SITES ? own : carry, 6))
			break;
		*dirty = false;
	}
	pack_end(&p);
	n->turn += 5;
}

static void send_cache(struct node *n, struct cache *c, unsigned room, bool all)
{
	struct packer p = { .n = n, .type = c->keys == ARCS ? 4 : 5, .last = -1, .room = room };

	for (unsigned i = 0; i < c->slots; i++) {
		struct buf row = BUF_INIT;

		if (c->key[i] >= 0 && (c->dirty[i] || all)) {
			put_key(&row, c, c->key[i]);
			stream_varint(&row, c->count[i] & UINT32_MAX);
			c->dirty[i] = !pack_row(&p, (int)i, &row);
		}
		buf_release(&row);
	}
	pack_end(&p);
}

/* The sum of those that were sent. */
static uint32_t totals_told(const struct cache *c)
{
	return (uint32_t)(c->row_count ? c->before : c->closed);
}

static void send_status(struct node *n)
{
	struct buf body = BUF_INIT;

	for (int i = 0; i < 14; i++)
		stream_varint(&body, i == 0 ? n->run & UINT32_MAX : i == 1 ? n->run >> 32 :
				     i == 12 ? totals_told(&n->arcs) :
				     i == 13 ? totals_told(&n->pcs) : 0);
	node_send(n, 2, &body);
	buf_release(&body);
}

static void send_hello(struct node *n)
{
	struct stream_hello h = STREAM_HELLO;
	struct buf name = BUF_INIT;

	h.arch = n->arm ? 4 : 1;
	stream_hello(&n->s, &h);
	node_put(n, &n->s.last, true);
	buf_adds(&name, "model");
	node_send(n, 8, &name);
	buf_release(&name);
}

static void node_refresh(struct node *n, bool all)
{
	unsigned room = all ? 1000 : 1 + random_below(&n->rng, 4);

	send_status(n);
	if (n->refreshes++ % 4 == 0)
		send_hello(n);
	send_sites(n, room, all);
	send_cache(n, &n->arcs, room, all);
	send_cache(n, &n->pcs, room, all);
}

/* A frame is cut in the middle; then all begins again. */
static void node_reboot(struct node *n)
{
	struct buf half = BUF_INIT;

	stream_frame(&n->s, 2, &half);
	buf_add(&half, n->s.last.data, n->s.last.len / 2);
	node_put(n, &half, false);
	buf_release(&half);
	n->s.epoch++;
	n->s.seq = (uint8_t)(random_next(&n->rng) % 2 ? 0 : n->s.seq);
	node_clear(n);
}

static void node_start(struct node *n, uint32_t seed)
{
	memset(n, 0, sizeof(*n));
	n->rng = seed * 2654435761u | 1;
	n->s.epoch = seed * 3;
	n->arm = seed % 2;
	node_clear(n);
}

static void node_end(struct node *n)
{
	for (size_t i = 0; i < n->count; i++)
		buf_release(&n->frames[i]);
	mem_free(n->frames);
	mem_free(n->is_frame);
	buf_release(&n->arcs.rows);
	buf_release(&n->pcs.rows);
	stream_release(&n->s);
}

/* --- the line --------------------------------------------------------------------------------- */

struct line {
	const char *name;
	double lose, copy, late;	/* a frame */
	double flip;			/* a bit */
	double insert, drop;		/* a byte */
	double reboot;			/* a refresh */
	bool join;			/* the host comes in the middle */
	bool all_heard;			/* nothing may be unheard */
};

static const struct line lines[] = {
	{ .name = "good", .all_heard = true },
	{ .name = "frames lost", .lose = 0.2 },
	{ .name = "frames twice", .copy = 0.3, .all_heard = true },
	{ .name = "frames late", .late = 0.3, .all_heard = true },
	{ .name = "frames late and twice", .late = 0.3, .copy = 0.3, .all_heard = true },
	{ .name = "frames lost, late, twice", .lose = 0.1, .late = 0.2, .copy = 0.2 },
	{ .name = "bits flipped", .flip = 1e-3 },
	{ .name = "bytes inserted", .insert = 2e-3 },
	{ .name = "bytes dropped", .drop = 2e-3 },
	{ .name = "joined in mid-stream", .join = true },
	{ .name = "node resets in mid-dump", .reboot = 0.15, .all_heard = true },
	{ .name = "resets, frames late and twice", .reboot = 0.15, .late = 0.2, .copy = 0.2 },
	{ .name = "everything", .lose = 0.1, .copy = 0.1, .late = 0.1, .flip = 5e-4, .insert = 5e-4,
	  .drop = 5e-4,
	  .reboot = 0.05, .join = true },
};

static void noisy_add(const struct line *l, uint32_t *rng, struct buf *out, const struct buf *bytes)
{
	for (size_t i = 0; i < bytes->len; i++) {
		char c = bytes->data[i];

		for (int bit = 0; l->flip > 0 && bit < 8; bit++)
			c = (char)(c ^ (random_chance(rng, l->flip) ? 1 << bit : 0));
		if (random_chance(rng, l->insert))
			buf_addc(out, (char)random_next(rng));
		if (!random_chance(rng, l->drop))
			buf_addc(out, c);
	}
}

/* Frames on their way, out of order: each comes at most OVERTAKEN behind its time. */
struct pending {
	size_t frame[8], due[8];
	unsigned count;
};

enum { OVERTAKEN = 20 };

static void frame_add(const struct line *l, uint32_t *rng, struct buf *out, const struct node *n,
		      size_t i)
{
	noisy_add(l, rng, out, &n->frames[i]);
	if (n->is_frame[i] && random_chance(rng, l->copy))
		noisy_add(l, rng, out, &n->frames[i]);
}

/* Those that are due at `now` come. */
static void pending_come(struct pending *p, const struct line *l, uint32_t *rng, struct buf *out,
			 const struct node *n, size_t now)
{
	for (unsigned i = 0; i < p->count;) {
		if (p->due[i] > now) {
			i++;
			continue;
		}
		frame_add(l, rng, out, n, p->frame[i]);
		p->count--;
		p->frame[i] = p->frame[p->count];
		p->due[i] = p->due[p->count];
	}
}

/* Frames first to last - 1 over the line; how many frames were lost. */
static unsigned line_send(const struct line *l, uint32_t *rng, struct node *n, size_t first,
			  size_t last,
			  struct buf *out)
{
	struct pending p = { .count = 0 };
	unsigned lost = 0;

	for (size_t i = first; i < last; i++) {
		bool frame = n->is_frame[i] && i > first;

		pending_come(&p, l, rng, out, n, i);
		if (frame && random_chance(rng, l->lose)) {
			lost++;
		} else if (frame && p.count < COUNT(p.frame) && random_chance(rng, l->late)) {
			p.frame[p.count] = i;
			p.due[p.count++] = i + 1 + random_below(rng, OVERTAKEN);
		} else {
			frame_add(l, rng, out, n, i);
		}
	}
	pending_come(&p, l, rng, out, n, last + OVERTAKEN);
	return lost;
}

/* --- the host --------------------------------------------------------------------------------- */

enum { STRAYS = 256 };

struct host {
	struct wire_total site[SITES];
	uint64_t arc[ARCS], pc[PCS];
	uint64_t stray;			/* calls of addresses that are nobody's, ever told */
	struct { uint32_t from, to; uint64_t calls; } strays[STRAYS];	/* and as they stand */
	unsigned stray_count;
	uint64_t arcs_unheard, pcs_unheard;
	unsigned epochs;
	uint16_t epoch;
	bool may_fall;			/* calls that passed 2^32 before two rows of them were
					 * heard */
};

static void hear_stray(struct host *h, const struct wire_total *t)
{
	unsigned i = 0;

	h->stray += t->calls;
	while (i < h->stray_count && (h->strays[i].from != t->from || h->strays[i].to != t->to))
		i++;
	assert_true(i < STRAYS);
	h->stray_count += i == h->stray_count;
	h->strays[i].from = t->from;
	h->strays[i].to = t->to;
	h->strays[i].calls = t->calls;
}

static bool strays_are_gone(const struct host *h)
{
	for (unsigned i = 0; i < h->stray_count; i++)
		if (h->strays[i].calls)
			return false;
	return true;
}

static void hear_total(struct host *h, const struct wire_total *t)
{
	uint32_t word = t->from / 2;
	unsigned site = (word - 0x100) / 3, key = (word - 0x1000) / 5;

	if (t->kind == TOTAL_SITE && site < SITES && word == 0x100 + site * 3 &&
	    t->to == 2 * (0x50 + site % 6)) {
		if (!(t->flags & ROW_GONE) && t->calls < h->site[site].calls && h->stray == 0 &&
		    !h->may_fall)
			fail_msg("site %u went back from %llu to %llu", site,
				 (unsigned long long)h->site[site].calls,
				 (unsigned long long)t->calls);
		h->site[site] = *t;
	} else if (t->kind == TOTAL_ARC && key < ARCS && t->to == 2 * (0x40 + key % 7)) {
		h->arc[key] = t->calls;
	} else if (t->kind == TOTAL_PC && key < PCS) {
		h->pc[key] = t->calls;
	} else {
		hear_stray(h, t);
	}
}

static void hear_totals(void *ctx, const struct wire_total *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hear_total(ctx, &t[i]);
}

static void hear_epoch(void *ctx)
{
	struct host *h = ctx;
	*h = (struct host){ .epochs = h->epochs + 1, .may_fall = h->may_fall };
}

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	((struct host *)ctx)->epoch = hello->epoch;
}

static void hear_status(void *ctx, const struct wire_status *s)
{
	((struct host *)ctx)->arcs_unheard = s->arcs_unheard;
	((struct host *)ctx)->pcs_unheard = s->pcs_unheard;
}

/*
 * Every key at most its truth; what is missing is unheard. Where rows were lost, a host may not
 * have heard of a count before it passed 2^32.
 */
static void check_cache(const struct line *l, const uint64_t *heard, const struct cache *c,
			uint64_t unheard)
{
	uint64_t sum = 0, truth = 0, all = l->all_heard ? UINT64_MAX : UINT32_MAX;
	const char *name = l->name;

	for (unsigned i = 0; i < c->keys; i++) {
		if (heard[i] > c->truth[i])
			fail_msg("%s: key %u has %llu, in truth %llu", name, i,
				 (unsigned long long)heard[i],
				 (unsigned long long)c->truth[i]);
		sum += heard[i];
		truth += c->truth[i];
	}
	if (((sum + unheard) & all) != (truth & all))
		fail_msg("%s: %llu heard, %llu unheard, %llu in truth", name,
			 (unsigned long long)sum,
			 (unsigned long long)unheard, (unsigned long long)truth);
}

static void check_truth(const struct line *l, const struct host *h, const struct node *n)
{
	for (int i = 0; i < SITES; i++) {
		const struct site *s = &n->site[i];
		const struct wire_total *t = &h->site[i];
		uint64_t all = l->all_heard || !n->arm ? UINT64_MAX : UINT32_MAX;

		if ((t->calls & all) != (s->calls & all) || t->calls > s->calls ||
		    t->total != s->total || (s->calls && (t->min != s->min || t->max != s->max)))
			fail_msg("%s: site %d has %llu calls %llu ticks %llu-%llu, in truth %llu "
				 "%llu %llu-%llu",
				 l->name, i, (unsigned long long)t->calls,
				 (unsigned long long)t->total,
				 (unsigned long long)t->min, (unsigned long long)t->max,
				 (unsigned long long)s->calls, (unsigned long long)s->total,
				 (unsigned long long)s->min, (unsigned long long)s->max);
	}
	check_cache(l, h->arc, &n->arcs, h->arcs_unheard);
	check_cache(l, h->pc, &n->pcs, h->pcs_unheard);
	if (l->all_heard)
		assert_int_equal(h->arcs_unheard + h->pcs_unheard, 0);
	assert_int_equal(h->epoch, (uint16_t)n->s.epoch);
}

/* --- who comes later and is told where the first one stands ----------------------------------- */

static void hosts_compare(const struct line *l, size_t at, const struct host *a,
			  const struct host *b)
{
	for (int i = 0; i < SITES; i++) {
		const struct wire_total *x = &a->site[i], *y = &b->site[i];

		if (x->calls != y->calls || x->total != y->total ||
		    (x->calls && (x->min != y->min || x->max != y->max)) ||
		    memcmp(x->bucket, y->bucket, sizeof(x->bucket)) != 0)
			fail_msg("%s: resumed at %zu: site %d has %llu calls, not %llu; %llu "
				 "ticks, not %llu", l->name, at, i, (unsigned long long)y->calls,
				 (unsigned long long)x->calls, (unsigned long long)y->total,
				 (unsigned long long)x->total);
	}
	assert_memory_equal(a->arc, b->arc, sizeof(a->arc));
	assert_memory_equal(a->pc, b->pc, sizeof(a->pc));
	assert_int_equal(a->epoch, b->epoch);
}

static void host_wire(struct host *h, struct wire **w)
{
	struct wire_sink sink = { .ctx = h, .totals = hear_totals, .epoch = hear_epoch,
				  .status = hear_status, .hello = hear_hello };
	struct wire_options o = { .code = NULL };

	*w = wire_new("wsn", &o, &sink, NULL);
	assert_non_null(*w);
}

/* At some byte. False: nothing whole can be told there. */
static bool resumed_there(const struct line *l, const struct buf *out, size_t at)
{
	struct host first = { .may_fall = true }, later = { .may_fall = true };
	struct wire_stats a, b;
	struct buf told = BUF_INIT;
	struct wire *w, *v;
	uint64_t lost;
	bool whole;

	host_wire(&first, &w);
	host_wire(&later, &v);
	wire_feed(w, (const uint8_t *)out->data, at);
	whole = wire_resume(w, &told);
	wire_stats(w, &a);
	lost = a.lost;
	stream_feed(v, told.data, told.len, 61);
	if (whole)
		hosts_compare(l, at, &first, &later);
	wire_feed(w, (const uint8_t *)out->data + at, out->len - at);
	wire_feed(v, (const uint8_t *)out->data + at, out->len - at);
	wire_stats(w, &a);
	wire_stats(v, &b);
	if (whole) {
		hosts_compare(l, at, &first, &later);
		assert_int_equal(b.lost, a.lost - lost);	/* nor is a gap seen that is none */
	}
	buf_release(&told);
	wire_free(w);
	wire_free(v);
	return whole;
}

static void node_live(struct node *n, const struct line *l, uint32_t seed)
{
	node_start(n, seed);
	for (int i = 0; i < 60; i++) {
		node_work(n, 1 + random_below(&n->rng, 60));
		if (random_chance(&n->rng, l->reboot))
			node_reboot(n);
		node_refresh(n, false);
	}
}

static unsigned resume_run(const struct line *l, uint32_t seed)
{
	struct node n;
	struct buf out = BUF_INIT;
	uint32_t rng = seed * 40503 + 7;
	unsigned whole = 0;

	node_live(&n, l, seed);
	line_send(l, &rng, &n, 0, n.count, &out);
	for (int i = 0; i < UNIT_LENGTH(12); i++)
		whole += resumed_there(l, &out, random_below(&rng, (uint32_t)out.len + 1));
	buf_release(&out);
	node_end(&n);
	return whole;
}

static void test_resume(void **state)
{
	/* Rows that leave their slots, closed counts and counters that wrap are under way. */
	static const struct {
		struct line line;
		unsigned least;
	} rows[] = {
		{ { .name = "good" }, 15 }, { { .name = "a frame lost", .lose = 0.005 }, 10 },
		{ { .name = "a bit flipped", .flip = 1e-5 }, 20 },
		{ { .name = "the node resets", .reboot = 0.15 }, 8 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned whole = 0;

		for (uint32_t seed = 1; seed <= 40; seed++)
			whole += resume_run(&rows[i].line, seed);
		if (whole < UNIT_LENGTH(rows[i].least))
			fail_msg("%s: whole at %u places", rows[i].line.name, whole);
	}
}

static void model_run(const struct line *l, uint32_t seed)
{
	static const struct line good = { .name = "good" };
	struct node n;
	struct host h = { .may_fall = seed % 2 && !l->all_heard };
	struct wire_sink sink = { .ctx = &h, .totals = hear_totals, .epoch = hear_epoch,
				  .status = hear_status, .hello = hear_hello };
	struct wire_options o = { .code = NULL };
	struct wire *w = wire_new("wsn", &o, &sink, NULL);
	struct wire_stats stats;
	struct buf out = BUF_INIT;
	uint32_t rng = seed * 40503 + 7;
	unsigned lost;
	size_t bad;

	node_live(&n, l, seed);
	bad = n.count;
	for (int i = 0; i < 8; i++) {
		node_work(&n, 5);
		node_refresh(&n, true);
	}
	send_closed(&n, &n.arcs);
	send_closed(&n, &n.pcs);
	node_refresh(&n, true);
	lost = line_send(l, &rng, &n, l->join ? bad / 3 : 0, bad, &out);
	line_send(&good, &rng, &n, bad, n.count, &out);
	stream_feed(w, out.data, out.len, 1 + random_below(&rng, 200));
	wire_flush(w, true);
	wire_stats(w, &stats);
	check_truth(l, &h, &n);
	assert_true(l->flip + l->insert + l->drop > 0 || l->reboot > 0 || stats.damaged == 0);
	assert_true(l->flip + l->insert + l->drop == 0 || stats.damaged > 0);
	if (l->flip + l->insert + l->drop + l->reboot + l->late == 0)
		assert_int_equal(stats.lost, lost);
	assert_true(h.stray == 0);
	assert_true(l->reboot == 0 ? h.epochs == 0 : true);
	wire_free(w);
	buf_release(&out);
	node_end(&n);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		for (uint32_t seed = 1; seed <= UNIT_TRIALS(40); seed++)
			model_run(&lines[i], seed);
	}
}

/* --- a wrong frame whose CRC fits ------------------------------------------------------------- */

static size_t frame_decode(const struct buf *frame, uint8_t block[WSN_FRAME_MAX + 2])
{
	const char *at = frame->data;

	while (!*at)
		at++;
	return wsn_cobs_decode(block, (const uint8_t *)at, strlen(at));
}

/* As a CRC of 16 bits lets one damaged frame in 65,536 pass: some bits of it are others. */
static void frame_forge(struct buf *frame, uint32_t *rng)
{
	uint8_t coded[WSN_FRAME_MAX], block[WSN_FRAME_MAX + 2];
	size_t n = frame_decode(frame, block);

	for (unsigned flips = 1 + random_below(rng, 3); flips; flips--) {
		uint32_t bit = random_below(rng, 8 * (uint32_t)(n - 2));

		block[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	n = wsn_wrap(coded, block, n - 2);
	buf_reset(frame);
	buf_add(frame, coded, n);
}

static bool is_closed(const struct buf *frame)
{
	uint8_t block[WSN_FRAME_MAX + 2];
	unsigned type;

	frame_decode(frame, block);
	type = block[0] & 0x1f;
	return type == WSN_CLOSED_ARCS || type == WSN_CLOSED_PCS;
}

static bool cache_holds(const uint64_t *heard, const struct cache *c, uint64_t unheard)
{
	uint64_t sum = 0, truth = 0;

	for (unsigned i = 0; i < c->keys; i++) {
		if (heard[i] > c->truth[i])
			return false;
		sum += heard[i];
		truth += c->truth[i];
	}
	return (uint32_t)(sum + unheard) == (uint32_t)truth;
}

/* No arc has more calls, and no PC more samples, than there were. */
static bool counts_are_true(const struct host *h, const struct node *n)
{
	for (int i = 0; i < ARCS; i++)
		if (h->arc[i] > n->arcs.truth[i])
			return false;
	for (int i = 0; i < PCS; i++)
		if (h->pc[i] > n->pcs.truth[i])
			return false;
	return true;
}

/* As check_truth: what a user would see is right. */
static bool truth_holds(const struct host *h, const struct node *n)
{
	for (int i = 0; i < SITES; i++) {
		const struct site *s = &n->site[i];
		const struct wire_total *t = &h->site[i];

		if ((uint32_t)t->calls != (uint32_t)s->calls || t->total != s->total ||
		    (s->calls && (t->min != s->min || t->max != s->max)))
			return false;
	}
	return cache_holds(h->arc, &n->arcs, h->arcs_unheard) &&
	       cache_holds(h->pc, &n->pcs, h->pcs_unheard) &&
	       strays_are_gone(h) && h->epochs == 0;
}

static bool forged_run(uint32_t seed, bool closed)
{
	static const struct line good = { .name = "good" };
	struct node n;
	struct host h = { .may_fall = true };
	struct wire *w;
	struct buf out = BUF_INIT;
	uint32_t rng = seed * 40503 + 7;
	size_t wrong, bad;
	bool holds;

	host_wire(&h, &w);
	node_live(&n, &good, seed);
	bad = n.count;
	for (int i = 0; i < 8; i++) {
		node_work(&n, 5);
		node_refresh(&n, true);
	}
	send_closed(&n, &n.arcs);
	send_closed(&n, &n.pcs);
	node_refresh(&n, true);
	/* Among the first, too: a host that joins meets it. */
	do
		wrong = random_below(&rng, (uint32_t)bad);
	while (!n.is_frame[wrong] || is_closed(&n.frames[wrong]) != closed);
	frame_forge(&n.frames[wrong], &rng);
	line_send(&good, &rng, &n, 0, n.count, &out);
	stream_feed(w, out.data, out.len, 61);
	holds = closed ? counts_are_true(&h, &n) : truth_holds(&h, &n);
	wire_free(w);
	buf_release(&out);
	node_end(&n);
	return holds;
}

/* Closed counts are told once: those of an address that was damaged stay where it led. */
static void test_forged(void **state)
{
	enum { RUNS = UNIT_TRIALS(400) };
	static const struct {
		const char *what;
		bool closed;
		unsigned most;
	} rows[] = { { "frames", false, 12 }, { "closed frames", true, 16 } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned wrong = 0;

		for (uint32_t seed = 1; seed <= RUNS; seed++)
			wrong += !forged_run(seed, rows[i].closed);
		print_message("%u of %u wrong %s falsify a figure to the end\n", wrong, RUNS,
			      rows[i].what);
		assert_in_range(wrong, 0, UNIT_TRIALS(rows[i].most));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_resume),
		cmocka_unit_test(test_forged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
