#include "core/fleet/crowd.h"

#include "core/base/mem.h"
#include "core/fleet/crowd_own.h"
#include "core/wire/wsn/wsn.h"

#define BYTES_USUAL ((size_t)256 << 20)
#define NODES_USUAL 65536
#define BUILDS_USUAL 64

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
	heard_release(&c->heard);
	index_release(&c->index);
	mem_free(c->nodes);
	mem_free(c->builds);
	texts_release(&c->places);
	mem_free(c);
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

/* --- nodes ------------------------------------------------------------------------------------ */

static size_t node_cost(const struct crowd *c)
{
	return sizeof(struct crowd_node) + c->limits.node_beside;
}

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
	return sizeof(*c) + c->bytes + builds_memory(c) + c->cap * sizeof(*c->nodes) +
	       texts_memory(&c->places) + heard_memory(&c->heard) + index_memory(&c->index);
}

bool crowd_room(struct crowd *c, size_t bytes)
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
	if (!crowd_room(c, node_cost(c)) ||
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

/* --- feeding ---------------------------------------------------------------------------------- */

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
	r = crowd_take(c, node, &c->heard, at);
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
	c->heard.id = heard->id;
	heard_take_model(&c->heard, model);
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
