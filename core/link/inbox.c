#include "core/link/inbox.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

void inbox_release(struct inbox *b)
{
	for (size_t i = 0; i < b->count; i++) {
		buf_release(&b->nodes[i]->stale);
		buf_release(&b->nodes[i]->waiting);
		mem_free(b->nodes[i]);
	}
	mem_free(b->nodes);
	*b = (struct inbox){ 0 };
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct broker_node *node_of(const struct inbox *b, const struct topic *t)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->nodes[i]->id == t->node && strcmp(b->nodes[i]->site, t->site) == 0)
			return b->nodes[i];
	return NULL;
}

static struct broker_node *node_new_of(struct inbox *b, const struct topic *t)
{
	struct broker_node *n;

	if (b->count == INBOX_NODES ||
	    mem_grow(&b->nodes, &b->cap, b->count + 1, sizeof(*b->nodes)) < 0 ||
	    !(n = mem_zalloc(sizeof(*n)))) {
		b->beyond = true;
		return NULL;
	}
	n->owner = b->owner;
	snprintf(n->site, sizeof(n->site), "%s", t->site);
	n->shard = t->shard;
	n->id = t->node;
	b->nodes[b->count++] = n;
	return n;
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
	if (n->waiting.len - n->taken + size > INBOX_WAITING || n->waiting.failed) {
		n->dropped += size;
		return;
	}
	buf_add(&n->waiting, data, size);
	if (size && data[size - 1])
		buf_addc(&n->waiting, '\0');
}

void inbox_forget(struct broker_node *n)
{
	buf_reset(&n->waiting);
	n->taken = 0;
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

/* --- messages --------------------------------------------------------------------------------- */

/* A keyframe that was retained is as old as it may be: one that the lease brings is better. */
static void key_take(struct broker_node *n, const struct mqtt_message *m)
{
	if (n->synced || (m->extra.late && !m->retained))
		return;
	if (m->retained || !n->opened) {
		buf_reset(&n->stale);
		buf_add(&n->stale, m->data, m->n);
		return;
	}
	inbox_wait(n, m->data, m->n);
	n->synced = true;
	n->key_us = m->extra.wall_us;
	buf_release(&n->stale);
}

void inbox_settle(struct broker_node *n)
{
	if (n->synced || !n->stale.len)
		return;
	inbox_wait(n, (const uint8_t *)n->stale.data, n->stale.len);
	n->synced = true;
	buf_release(&n->stale);
}

/* What was spooled before the keyframe is in it. */
static bool is_fresh(const struct broker_node *n, const struct mqtt_message *m)
{
	return !m->extra.late || m->extra.wall_us >= n->key_us;
}

/* A relay that has it from now on does not know who listens. */
static void up_take(struct broker_node *n, const struct mqtt_message *m)
{
	n->away = m->n == 1 && *m->data == '0';
	n->obeys = topic_takes_commands(m->data, m->n);
	if (!n->away)
		n->lease_ns = 0;
}

static bool is_believed(struct broker_node *n, uint64_t now, const struct mqtt_message *m,
			size_t most)
{
	if (m->n > most) {
		n->guard.over += m->n;
		return false;
	}
	return guard_takes(&n->guard, now, 1, m->n) &&
	       guard_is_own(&n->guard, n->id, m->data, m->n);
}

void inbox_take(struct inbox *b, uint64_t now, const struct mqtt_message *m)
{
	struct broker_node *n;
	struct topic t;

	if (!topic_read(&t, m->topic) || t.leaf == TOPIC_COMMAND || t.leaf == TOPIC_ORDER)
		return;
	n = node_of(b, &t);
	if (!n && t.leaf != TOPIC_WIRE && m->n)
		n = node_new_of(b, &t);
	if (!n)
		return;
	n->shard = t.shard;
	if (t.leaf == TOPIC_UP)
		up_take(n, m);
	else if (t.leaf == TOPIC_KEY && is_believed(n, now, m, INBOX_KEY))
		key_take(n, m);
	else if (t.leaf == TOPIC_WIRE && n->opened && n->synced &&
		 is_believed(n, now, m, INBOX_WIRE) && is_fresh(n, m))
		inbox_wait(n, m->data, m->n);
}
