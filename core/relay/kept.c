#include "core/relay/relay_own.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

#define DRAIN_NS (CLOCK_SECOND / 50)	/* between two payloads of the spool */

enum {
	DRAIN_MOST = 8192,		/* bytes of a payload, about */
	PART_PERIODS = 10,		/* in a part: it begins with a keyframe */
	EARLY_MOST = 64 << 10,		/* bytes before a node said who it is */
	NODES_MOST = 4096,		/* of the spool */
};

/* --- a node's spool --------------------------------------------------------------------------- */

static void spool_path(const struct relay *r, uint32_t id, struct buf *path)
{
	buf_addf(path, "%s/%08" PRIx32, r->o->spool, id);
}

/* Only whole frames: the decoder may hold one that is cut. */
static void keyframe_trim(struct buf *key)
{
	while (key->len && key->data[key->len - 1])
		key->len--;
}

static bool keyframe_tell(void *ctx, struct buf *bytes)
{
	struct relay_node *n = ctx;
	bool exact = n->wire && wire_resume(n->wire, bytes);

	keyframe_trim(bytes);
	return exact;
}

/* NULL: the sentence was said. */
static struct spool *node_spool(struct relay_node *n, uint32_t id)
{
	struct relay *r = n->relay;
	const struct spool_rule rule = {
		.keep = r->o->keep / (r->o->count ? r->o->count : 1),
		.age_ns = (uint64_t)(r->o->age * 1e9),
		.every_ns = (uint64_t)(r->o->period * PART_PERIODS * 1e9),
		.say = r->o->say.line, .ctx = r->o->say.ctx,
	};
	struct buf path = BUF_INIT;
	struct err err = { 0 };
	struct spool *s;

	spool_path(r, id, &path);
	s = spool_new(buf_str(&path), &rule, &err);
	if (s)
		spool_resumes(s, keyframe_tell, n);
	else
		say_line(&r->o->say, "%s", err.text);
	buf_release(&path);
	return s;
}

static void tally_add(struct relay_node *n)
{
	struct relay_tally *t = n->relay->tally;
	struct spool_tally s;

	spool_tally(n->spool, &s);
	t->kept += s.kept;
	t->thinned += s.thinned;
	t->ends_lost += s.ends_lost;
	t->unkept += s.unkept + s.unread;
}

static void spool_leave(struct relay_node *n)
{
	if (!n->spool)
		return;
	tally_add(n);
	spool_free(n->spool);
	n->spool = NULL;
}

/* --- nodes of the spool, until their ports say who they are ----------------------------------- */

/* What was kept of it brings its decoder to where it was. */
static void ghost_begin(struct relay_node *g, uint32_t id)
{
	struct buf bytes = BUF_INIT;
	struct err err = { 0 };

	g->source = g->relay->o->spool;
	g->id = id;
	g->spool = node_spool(g, id);
	if (!g->spool || spool_is_empty(g->spool) || relay_wire(g, &err) < 0) {
		spool_leave(g);
		return;
	}
	spool_newest(g->spool, &bytes);
	g->resuming = true;
	wire_feed(g->wire, (const uint8_t *)bytes.data, bytes.len);
	g->resuming = false;
	g->known = g->before = true;
	g->id = id;
	buf_release(&bytes);
}

static void ghost_end(struct relay_node *g)
{
	spool_leave(g);
	wire_free(g->wire);
	g->wire = NULL;
	g->known = g->announced = false;
}

static struct relay_node *ghost_of(const struct relay_node *n)
{
	struct relay *r = n->relay;

	for (size_t i = r->o->count; i < r->count; i++)
		if (r->nodes[i].known && r->nodes[i].id == n->id)
			return &r->nodes[i];
	return NULL;
}

/* Its port has it: what was kept, and the state of that time, are its own. */
static void node_join(struct relay_node *n, uint64_t now)
{
	struct relay_node *g = ghost_of(n);
	struct buf state = BUF_INIT;
	struct err err = { 0 };

	if (!g)
		return;
	keyframe_tell(g, &state);
	spool_leave(n);
	n->spool = g->spool;
	n->before = true;
	n->wait_ns = g->wait_ns;
	g->spool = NULL;
	ghost_end(g);
	spool_resumes(n->spool, keyframe_tell, n);
	if (relay_wire(n, &err) < 0) {
		say_line(&n->relay->o->say, "%s", err.text);
		n->ended = true;
		return;
	}
	wire_feed(n->wire, (const uint8_t *)state.data, state.len);
	kept_add(n, now, (const uint8_t *)n->early.data, n->early.len);
	wire_feed(n->wire, (const uint8_t *)n->early.data, n->early.len);
	buf_release(&state);
}

/* Another node is at the port: what was kept of the one before waits for it as at a start. */
static void node_swap(struct relay_node *n, const uint8_t *data, size_t size)
{
	struct relay *r = n->relay;
	uint32_t before = n->spool_id;
	struct err err = { 0 };
	bool had = n->spool && !spool_is_empty(n->spool);

	spool_leave(n);
	for (size_t i = r->o->count; had && i < r->count; i++)
		if (!r->nodes[i].known) {
			ghost_begin(&r->nodes[i], before);
			break;
		}
	if (relay_wire(n, &err) < 0) {
		say_line(&r->o->say, "%s", err.text);
		n->ended = true;
		return;
	}
	wire_feed(n->wire, data, size);
}

void kept_follow(struct relay_node *n, uint64_t now, const uint8_t *data, size_t size)
{
	bool joins = n->joins;

	if (n->swapped)
		node_swap(n, data, size);
	if (!n->relay->o->spool)
		return;
	if ((n->swapped || !n->spool) && n->early.len + size <= EARLY_MOST)
		buf_add(&n->early, data, size);
	n->swapped = false;
	if (!n->known)
		return;
	n->joins = false;
	if (joins)
		node_join(n, now);
	buf_release(&n->early);
	if (!n->spool)
		n->spool = node_spool(n, n->id);
	n->spool_id = n->id;
}

/* --- in --------------------------------------------------------------------------------------- */

bool kept_takes(const struct relay_node *n)
{
	return n->spool && n->known &&
	       (!relay_is_ready(n->relay) || !spool_is_empty(n->spool));
}

void kept_add(struct relay_node *n, uint64_t now, const uint8_t *data, size_t size)
{
	if (size)
		spool_add(n->spool, now, data, size);
}

static int key_publish(const struct relay_node *n, const uint8_t *data, size_t size,
		       uint64_t wall_ns, bool late)
{
	const struct mqtt_extra extra = { .wall_us = wall_ns / 1000, .late = late };

	return relay_publish(n, TOPIC_KEY, data, size, MQTT_SURELY | MQTT_KEPT, &extra);
}

/*
 * Retained as long as a shard may be without an owner, who is to count it: a machine that vanished
 * is missed after 30 s (1.5 times the keepalive), and shards settle.
 */
#define HOLD_NS (45 * CLOCK_SECOND)

void kept_end(struct relay_node *n, uint64_t now)
{
	struct buf key = BUF_INIT;
	struct spool_item item;
	bool waits;

	if (n->resuming || !n->known || !doubt_changes(n, now))
		return;
	keyframe_tell(n, &key);
	if (!n->spool && n->relay->o->spool && !n->joins && !n->swapped) {
		n->spool = node_spool(n, n->id);
		n->spool_id = n->id;
	}
	waits = !relay_is_ready(n->relay) || (n->spool && spool_next(n->spool, SPOOL_KEYS, &item));
	n->relay->tally->ends++;
	say_line(&n->relay->o->say, "%s: node %08" PRIx32 ": epoch %u ended", n->source, n->id,
		 n->epoch);
	if (!waits && key_publish(n, (const uint8_t *)key.data, key.len, clock_wall(), true) == 0) {
		n->relay->tally->keys++;
		n->hold_ns = now + HOLD_NS;
	} else if (n->spool) {
		spool_end(n->spool, now, (const uint8_t *)key.data, key.len);
	} else if (n->relay->tally->ends_lost++ == 0) {
		say_line(&n->relay->o->say, "the last counts of an epoch are lost: the broker is "
			 "away, and there is no spool");
	}
	buf_release(&key);
}

/* --- out -------------------------------------------------------------------------------------- */

/* True: there are more. */
static bool keys_drain(struct relay_node *n)
{
	struct spool_item item;

	while (spool_next(n->spool, SPOOL_KEYS, &item)) {
		if (!mqtt_has_room(n->relay->mqtt, MQTT_SURELY) ||
		    key_publish(n, item.data, item.n, item.wall_ns, true) < 0)
			return true;
		n->relay->tally->keys++;
		spool_pass(n->spool, SPOOL_KEYS);
	}
	return false;
}

/* Items together, as one payload. False: there is none. */
static bool drain_fill(struct relay_node *n)
{
	struct spool_item item;

	while (n->drain.len < DRAIN_MOST && spool_next(n->spool, SPOOL_BYTES, &item)) {
		if (!n->drain.len)
			n->drain_us = item.wall_ns / 1000;
		buf_add(&n->drain, item.data, item.n);
		spool_pass(n->spool, SPOOL_BYTES);
	}
	return n->drain.len > 0;
}

/* Not faster than who listens believes (guard.h). True: there are more. */
static bool bytes_drain(struct relay_node *n, uint64_t now)
{
	while (now >= n->drain_ns && drain_fill(n)) {
		const struct mqtt_extra extra = {
			.wall_us = n->drain_us, .number = n->next, .late = true,
		};

		if (!mqtt_has_room(n->relay->mqtt, MQTT_SURELY) ||
		    relay_publish(n, TOPIC_WIRE, n->drain.data, n->drain.len, MQTT_SURELY,
				  &extra) < 0)
			return true;
		n->next++;
		n->relay->tally->batches++;
		n->relay->tally->drained += n->drain.len;
		buf_reset(&n->drain);
		n->drain_ns = now + DRAIN_NS;
	}
	return now < n->drain_ns;
}

/* Nobody asked for them, or could tell them from newer ones. */
static void bytes_skip(struct relay_node *n)
{
	uint64_t bytes = n->drain.len + spool_skip(n->spool, SPOOL_BYTES);

	buf_reset(&n->drain);

	n->relay->tally->unheard += bytes;
	if (bytes && n->wait_ns)
		say_line(&n->relay->o->say, "%s: %" PRIu64 " bytes of node %08" PRIx32 " that were "
			 "kept: %s; keyframes have their counts", n->source, bytes, n->id,
			 mqtt_version(n->relay->mqtt) == 5 ? "nobody asked for them" : "MQTT 3.1.1 "
			 "cannot tell them from newer ones");
}

/* The last that is known of a node whose port did not say who it is. */
static void state_publish(const struct relay_node *n)
{
	struct buf key = BUF_INIT;

	wire_resume(n->wire, &key);
	keyframe_trim(&key);
	key_publish(n, (const uint8_t *)key.data, key.len, clock_wall(), false);
	buf_release(&key);
}

bool kept_drain(struct relay_node *n, uint64_t now)
{
	bool more = false;

	if (!n->spool || spool_is_empty(n->spool))
		return false;
	if (keys_drain(n))
		return true;
	if (mqtt_version(n->relay->mqtt) == 5 && n->next && relay_is_leased(n, now))
		more = bytes_drain(n, now);
	else if (mqtt_version(n->relay->mqtt) == 5 && now < n->wait_ns)
		more = true;
	else
		bytes_skip(n);
	if (more)
		return false;
	spool_clear(n->spool);
	if (n->link)
		return false;
	state_publish(n);
	ghost_end(n);
	return true;
}

/* --- life ------------------------------------------------------------------------------------- */

static int folder_open(struct relay *r, struct err *err)
{
	if (mkdir(r->o->spool, 0777) < 0 && errno != EEXIST)
		return err_errno(err, "%s: cannot spool", r->o->spool);
	r->lock = open(r->o->spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->lock < 0)
		return err_errno(err, "%s: cannot spool", r->o->spool);
	if (flock(r->lock, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return err_set(err, ERR_USAGE, "%s: another relay spools into it; give another "
			       "folder", r->o->spool);
	return 0;
}

/* The ids of the nodes that it has. */
static size_t folder_ids(const char *folder, uint32_t *ids)
{
	DIR *d = opendir(folder);
	const struct dirent *e;
	size_t count = 0;

	while (d && count < NODES_MOST && (e = readdir(d)))
		if (strlen(e->d_name) == 8 && strspn(e->d_name, "0123456789abcdef") == 8)
			ids[count++] = (uint32_t)strtoul(e->d_name, NULL, 16);
	if (d)
		closedir(d);
	return count;
}

int kept_open(struct relay *r, struct err *err)
{
	uint32_t *ids = mem_alloc(NODES_MOST * sizeof(*ids));
	size_t found = 0;

	if (!ids)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (r->o->spool && folder_open(r, err) < 0) {
		mem_free(ids);
		return ERR_USAGE;
	}
	if (r->o->spool)
		found = folder_ids(r->o->spool, ids);
	r->count = r->o->count + found + (r->o->spool ? r->o->count : 0);
	r->nodes = mem_zalloc(r->count * sizeof(*r->nodes));
	for (size_t i = 0; r->nodes && i < r->count; i++)
		r->nodes[i].relay = r;
	for (size_t i = 0; r->nodes && i < found; i++)
		ghost_begin(&r->nodes[r->o->count + i], ids[i]);
	mem_free(ids);
	return r->nodes ? 0 : err_set(err, ERR_NOMEM, "out of memory");
}

void kept_close(struct relay *r)
{
	for (size_t i = 0; r->nodes && i < r->count; i++) {
		spool_leave(&r->nodes[i]);
		buf_release(&r->nodes[i].early);
		buf_release(&r->nodes[i].drain);
	}
	if (r->lock >= 0)
		close(r->lock);
}
