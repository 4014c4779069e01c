#include "core/link/inbox.h"

#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

static uint64_t inbox_node_key(const void *items, uint32_t position)
{
	const struct broker_node *n = ((struct broker_node *const *)items)[position];

	return (uint64_t)n->site_number << 32 | n->id;
}

void inbox_init(struct inbox *b, struct quota *quota)
{
	*b = (struct inbox){ .index.seed = index_seed() };
	quota_join(quota, &b->part);
}

void inbox_release(struct inbox *b)
{
	quota_leave(&b->part);
	for (size_t i = 0; i < b->count; i++) {
		buf_release(&b->nodes[i]->stale);
		buf_release(&b->nodes[i]->waiting);
		mem_free(b->nodes[i]);
	}
	index_release(&b->index);
	texts_release(&b->sites);
	mem_free(b->gone);
	mem_free(b->nodes);
	*b = (struct inbox){ 0 };
}

/* --- room ------------------------------------------------------------------------------------- */

/* False: there is none for so many bytes more. */
static bool node_room(struct broker_node *n, size_t more)
{
	return !n->part || quota_more(n->part, more);
}

/* The part has what is there, not what was expected. */
static void node_settle(struct broker_node *n, size_t before, size_t after)
{
	if (n->part)
		quota_set(n->part, n->part->used + after - before);
}

/* What a buffer grows by at most: it doubles. */
static size_t buf_growth(const struct buf *b, size_t more)
{
	return b->len + more < b->cap ? 0 : 2 * (b->len + more) + 64;
}

/* False: no room, and nothing was added. */
static bool node_add(struct broker_node *n, struct buf *to, const void *data, size_t size)
{
	size_t growth = buf_growth(to, size), before = to->cap;

	if (growth && !node_room(n, growth))
		return false;
	buf_add(to, data, size);
	node_settle(n, before + growth, to->cap);
	return true;
}

static void node_release(struct broker_node *n, struct buf *b)
{
	size_t before = b->cap;

	buf_release(b);
	node_settle(n, before, 0);
}

/* --- nodes ------------------------------------------------------------------------------------ */

size_t inbox_most(const struct inbox *b)
{
	return b->hear ? INBOX_NODES : INBOX_KEPT;
}

struct broker_node *inbox_find(const struct inbox *b, const char *site, uint32_t id)
{
	uint32_t number = texts_find(&b->sites, site), at;

	if (number == TEXTS_NONE)
		return NULL;
	at = index_get(&b->index, b->nodes, inbox_node_key, (uint64_t)number << 32 | id);
	return at == INDEX_NONE ? NULL : b->nodes[at];
}

/* In bytes of heap. */
static size_t tables_memory(const struct inbox *b)
{
	return b->cap * sizeof(*b->nodes) + b->gone_cap * sizeof(*b->gone) +
	       index_memory(&b->index) + texts_memory(&b->sites);
}

/* False: there was no room. */
static bool node_append(struct inbox *b, struct broker_node *n)
{
	if (mem_grow(&b->nodes, &b->cap, b->count + 1, sizeof(*b->nodes)) < 0)
		return false;
	b->nodes[b->count] = n;
	if (index_put(&b->index, b->nodes, inbox_node_key,
		      inbox_node_key(b->nodes, (uint32_t)b->count), (uint32_t)b->count) < 0)
		return false;
	b->count++;
	return true;
}

/* What a node more takes at most: tables double. */
static size_t node_bytes(const struct inbox *b)
{
	size_t slots = b->index.slots ? b->index.mask + 1 : 0, bytes = sizeof(struct broker_node);

	if (b->count == b->cap)
		bytes += (b->cap + 16) * sizeof(*b->nodes);
	if (b->count + 1 > slots / 4 * 3)
		bytes += (slots + 16) * sizeof(*b->index.slots);
	return bytes;
}

/* Why a node more of so many bytes is left out; INBOX_BOUNDS: it is not. */
static enum inbox_bound bound_of(struct inbox *b, const struct topic *t, size_t bytes,
				 uint32_t *site)
{
	if (b->count == inbox_most(b))
		return INBOX_BY_NODES;
	if (!quota_more(&b->part, bytes))
		return INBOX_BY_MEMORY;
	*site = texts_number(&b->sites, t->site, INBOX_SITES);
	if (*site != TEXTS_NONE)
		return INBOX_BOUNDS;
	quota_set(&b->part, b->part.used - bytes);
	return b->sites.count == INBOX_SITES ? INBOX_BY_SITES : INBOX_BY_MEMORY;
}

static struct broker_node *node_new_of(struct inbox *b, const struct topic *t)
{
	size_t before = tables_memory(b), bytes = node_bytes(b);
	uint32_t site;
	enum inbox_bound bound = bound_of(b, t, bytes, &site);
	struct broker_node *n = bound == INBOX_BOUNDS ? mem_zalloc(sizeof(*n)) : NULL;

	if (n) {
		n->owner = b->owner;
		n->part = &b->part;
		n->site = b->sites.of[site];
		n->site_number = site;
		n->shard = t->shard;
		n->id = t->node;
		if (node_append(b, n)) {
			node_settle(n, before + bytes - sizeof(*n), tables_memory(b));
			return n;
		}
	}
	if (bound == INBOX_BOUNDS)
		quota_set(&b->part, b->part.used - bytes);
	mem_free(n);
	b->beyond[bound == INBOX_BOUNDS ? INBOX_BY_MEMORY : bound]++;
	return NULL;
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* What is cut at a payload's end never becomes a frame with the next payload. */
void inbox_wait(struct broker_node *n, const uint8_t *data, size_t size)
{
	if (n->taken && n->taken == n->waiting.len)
		inbox_forget(n);
	if (n->taken > INBOX_WAITING) {
		memmove(n->waiting.data, n->waiting.data + n->taken, n->waiting.len - n->taken);
		n->waiting.len -= n->taken;
		n->taken = 0;
	}
	if (n->waiting.len - n->taken + size > INBOX_WAITING || n->waiting.failed ||
	    !node_add(n, &n->waiting, data, size)) {
		n->dropped += size;
		return;
	}
	if (size && data[size - 1])
		node_add(n, &n->waiting, "", 1);
}

void inbox_forget(struct broker_node *n)
{
	buf_reset(&n->waiting);
	n->taken = 0;
}

void inbox_close(struct broker_node *n)
{
	n->taken = 0;
	node_release(n, &n->waiting);
	node_release(n, &n->stale);
}

size_t inbox_read(struct broker_node *n, uint8_t *to, size_t size)
{
	size_t count = n->waiting.len - n->taken < size ? n->waiting.len - n->taken : size;

	if (count)
		memcpy(to, n->waiting.data + n->taken, count);
	n->taken += count;
	if (n->taken == n->waiting.len)
		inbox_forget(n);
	return count;
}

/* --- relays ----------------------------------------------------------------------------------- */

static uint64_t relay_hash(const struct inbox *b, const void *name, size_t n)
{
	return map_hash_bytes(b->index.seed, name, n);
}

/* Where it stands among those that are gone, or would. */
static size_t relay_at(const struct inbox *b, uint64_t relay)
{
	return SORTED_WHERE(b->gone_count, i, b->gone[i] < relay);
}

static bool relay_is_gone(const struct inbox *b, uint64_t relay)
{
	size_t at = relay_at(b, relay);

	return at < b->gone_count && b->gone[at] == relay;
}

static void relay_came(struct inbox *b, uint64_t relay)
{
	size_t at = relay_at(b, relay);

	if (!relay_is_gone(b, relay))
		return;
	memmove(b->gone + at, b->gone + at + 1, (--b->gone_count - at) * sizeof(*b->gone));
	b->gone_changed = true;
}

static void relay_went(struct inbox *b, uint64_t relay)
{
	size_t at = relay_at(b, relay), before = tables_memory(b);

	if (relay_is_gone(b, relay) || b->gone_count == INBOX_RELAYS ||
	    mem_grow(&b->gone, &b->gone_cap, b->gone_count + 1, sizeof(*b->gone)) < 0)
		return;
	quota_set(&b->part, b->part.used + tables_memory(b) - before);
	memmove(b->gone + at + 1, b->gone + at, (b->gone_count++ - at) * sizeof(*b->gone));
	b->gone[at] = relay;
	b->gone_changed = true;
}

/* wsn/relay/NAME: "1", or "0" by its last will. False: it is another topic. */
static bool relay_take(struct inbox *b, const struct mqtt_message *m)
{
	const size_t head = sizeof(TOPIC_RELAY) - 1;
	uint64_t relay;

	if (strncmp(m->topic, TOPIC_RELAY, head) != 0)
		return false;
	relay = relay_hash(b, m->topic + head, strlen(m->topic + head));
	if (m->n == 1 && *m->data == '0')
		relay_went(b, relay);
	else
		relay_came(b, relay);
	return true;
}

void inbox_follow(struct inbox *b)
{
	if (!b->gone_changed)
		return;
	b->gone_changed = false;
	for (size_t i = 0; i < b->count; i++) {
		struct broker_node *n = b->nodes[i];
		bool away = n->left || relay_is_gone(b, n->relay);

		if (away == n->away)
			continue;
		n->away = away;
		if (!away)
			n->lease_ns = 0;
		if (b->hear)
			b->hear(b->ctx, n, NULL);
	}
}

/* --- messages --------------------------------------------------------------------------------- */

/* Batches follow it, where its relay numbers them. */
static bool key_leads(const struct mqtt_message *m)
{
	return !m->retained && (m->extra.number || !m->extra.wall_us);
}

/*
 * A keyframe that was retained is as old as it may be, and one that was due before the lease came
 * to the relay has a gap behind it: that which the lease brings is better. Who is not allowed to
 * ask has one a period.
 */
static void key_take(struct inbox *b, struct broker_node *n, uint64_t now,
		     const struct mqtt_message *m)
{
	if (b->hear)
		b->hear(b->ctx, n, m);
	if (n->flows || (m->extra.late && !m->retained) || (b->hear && !n->opened))
		return;
	if (!n->synced && (!key_leads(m) || !n->opened)) {
		buf_reset(&n->stale);
		node_add(n, &n->stale, m->data, m->n);
		return;
	}
	inbox_wait(n, m->data, m->n);
	n->synced = true;
	if (key_leads(m))
		b->answered_ns = now;
	n->key_us = m->extra.wall_us;
	node_release(n, &n->stale);
}

void inbox_settle(struct broker_node *n)
{
	if (n->synced || !n->stale.len)
		return;
	inbox_wait(n, (const uint8_t *)n->stale.data, n->stale.len);
	n->synced = true;
	node_release(n, &n->stale);
}

/* What was spooled before the keyframe is in it. */
static bool is_fresh(const struct broker_node *n, const struct mqtt_message *m)
{
	return !m->extra.late || m->extra.wall_us >= n->key_us;
}

/* A relay that has it from now on does not know who listens. */
static void up_take(const struct inbox *b, struct broker_node *n, const struct mqtt_message *m)
{
	const uint8_t *name_end = m->n ? memchr(m->data, ' ', m->n) : NULL;

	n->left = m->n == 1 && *m->data == '0';
	n->relay = relay_hash(b, m->data, name_end ? (size_t)(name_end - m->data) : m->n);
	n->away = n->left || relay_is_gone(b, n->relay);
	n->obeys = topic_takes_commands(m->data, m->n);
	if (!n->away)
		n->lease_ns = 0;
	if (b->hear)
		b->hear(b->ctx, n, NULL);
}

static bool is_believed(struct inbox *b, struct broker_node *n, uint64_t now,
			const struct mqtt_message *m, size_t most)
{
	if (m->n > most)
		n->guard.over += m->n;
	else if (guard_takes(&n->guard, now, 1, m->n) &&
		 guard_is_own(&n->guard, n->id, m->data, m->n))
		return true;
	b->refused++;
	return false;
}

void inbox_take(struct inbox *b, uint64_t now, const struct mqtt_message *m)
{
	struct broker_node *n;
	struct topic t;

	b->messages++;
	b->bytes += m->n;
	if (relay_take(b, m) || !topic_read(&t, m->topic) || t.leaf == TOPIC_COMMAND ||
	    t.leaf == TOPIC_ORDER)
		return;
	n = inbox_find(b, t.site, t.node);
	if (!n && t.leaf != TOPIC_WIRE && m->n)
		n = node_new_of(b, &t);
	if (!n)
		return;
	if (t.leaf == TOPIC_UP) {
		up_take(b, n, m);
	} else if (t.leaf == TOPIC_KEY && is_believed(b, n, now, m, INBOX_KEY)) {
		n->shard = t.shard;	/* where it is asked for more: not as anybody says */
		if (!m->retained)	/* a will may come late, of a connection before */
			relay_came(b, n->relay);
		key_take(b, n, now, m);
	} else if (t.leaf == TOPIC_WIRE && n->opened && n->synced &&
		   is_believed(b, n, now, m, INBOX_WIRE) && is_fresh(n, m)) {
		n->flows = true;
		inbox_wait(n, m->data, m->n);
	}
}
