#include "core/relay/relay.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/relay/relay_own.h"
#include "core/wire/wsn/wsn.h"

#define BATCH_NS (CLOCK_SECOND / 4)
#define SETTLE_NS CLOCK_SECOND		/* that a keyframe waits for rows under way */
#define LINGER_NS (10 * CLOCK_SECOND)	/* for the broker, behind the end of a source */
#define BARRED_NS (60 * CLOCK_SECOND)	/* a port whose nodes are others too often */
#define KEYS_NS CLOCK_SECOND		/* between two of them, at least */
#define WAIT_NS (60 * CLOCK_SECOND)	/* for who listened, to be back and to ask again */
#define CONFIG_NS CLOCK_SECOND		/* that wsn/config may take to come, if it is there */

enum {
	BATCH_MOST = 8192,		/* bytes; then it does not wait for its time, */
	BATCH_HELD = 4 * BATCH_MOST,	/* and not for a broker that takes nothing just now */
	FRAMELESS = 1024,		/* bytes without a frame's end: text */
	REST_MS = 2,			/* between looks at ports: 2.4 KB at 12 Mbaud, of 4 */
	READ = 4096,
	READS = 64,			/* of one node before the others have their turn */
};

/* --- publishing ------------------------------------------------------------------------------- */

bool relay_is_ready(const struct relay *r)
{
	return mqtt_is_up(r->mqtt) && r->shards;
}

int relay_publish(const struct relay_node *n, enum topic_leaf leaf, const void *data, size_t size,
		  unsigned how, const struct mqtt_extra *extra)
{
	const struct relay *r = n->relay;
	char topic[TOPIC_MAX];

	topic_write(topic, sizeof(topic), r->place.path, r->shards, n->id, leaf);
	return mqtt_publish(r->mqtt, topic, data, size, how, extra);
}

/* The bytes of a keyframe's first frames: HELLO, and NAME. */
static size_t hello_bytes(const struct buf *key)
{
	const uint8_t *bytes = (const uint8_t *)key->data;
	size_t at = 0;

	for (int frame = 0; frame < 2; frame++) {
		const uint8_t *end = at + 1 < key->len ?
				     memchr(bytes + at + 1, 0, key->len - at - 1) : NULL;
		uint8_t block[WSN_BLOCK_MAX + 1];
		size_t n = end ? (size_t)(end - bytes) - at - 1 : 0;

		if (n == 0 || n > WSN_FRAME_MAX - 2 || !wsn_cobs_decode(block, bytes + at + 1, n) ||
		    (block[0] & 0x1f) != (frame ? WSN_NAME : WSN_HELLO))
			break;
		at += n + 2;
	}
	return at;
}

bool relay_is_leased(const struct relay_node *n, uint64_t now)
{
	return now < n->lease_ns;
}

/*
 * Batches follow the first keyframe of a lease, which says the number of the next one. While the
 * last one of an epoch is held it goes to who is there, and what is retained stays.
 */
static void key_put(struct relay_node *n, uint64_t now)
{
	struct mqtt_extra extra = { .wall_us = n->batch.len ? n->wall_us : clock_wall() / 1000 };
	const bool held = now < n->hold_ns && !n->ended;
	struct buf key = BUF_INIT;
	bool settled = wire_resume(n->wire, &key);

	if (!settled && now < n->settle_ns) {
		buf_release(&key);
		return;
	}
	n->next = !relay_is_leased(n, now) ? 0 : n->next ? n->next : 1;
	extra.number = n->next;
	if (!key.failed && relay_publish(n, TOPIC_KEY, key.data, key.len,
					 MQTT_SURELY | (held ? 0 : MQTT_KEPT), &extra) == 0) {
		n->relay->tally->keys++;
		n->ended_ns = 0;
		if (n->changed && relay_publish(n, TOPIC_HELLO, key.data, hello_bytes(&key),
						MQTT_SURELY | MQTT_KEPT, NULL) == 0)
			n->changed = false;
	}
	doubt_time(n, now);
	n->put_ns = now;
	n->key_ns = now + (uint64_t)(n->relay->o->period * 1e9);
	if (held && n->hold_ns < n->key_ns)
		n->key_ns = n->hold_ns;
	n->settle_ns = n->key_ns + SETTLE_NS;
	buf_release(&key);
}

/* At most one a second, whoever asks; one that waits for its rows waits no longer for that. */
static void key_ask(struct relay_node *n, uint64_t now)
{
	if (n->key_ns && n->key_ns <= now && now < n->settle_ns)
		return;
	n->key_ns = n->put_ns && now < n->put_ns + KEYS_NS ? n->put_ns + KEYS_NS : now;
	n->settle_ns = n->key_ns + SETTLE_NS;
}

static void up_put(const struct relay_node *n, const char *text)
{
	relay_publish(n, TOPIC_UP, text, strlen(text), MQTT_SURELY | MQTT_KEPT, NULL);
}

/* --- a node's bytes --------------------------------------------------------------------------- */

static void batch_send(struct relay_node *n, const uint8_t *bytes, size_t whole, uint64_t now)
{
	const struct mqtt_extra extra = { .wall_us = n->wall_us, .number = n->next };

	if (!whole || !n->next || !relay_is_leased(n, now))
		return;
	if (mqtt_has_room(n->relay->mqtt, MQTT_ONCE) &&
	    relay_publish(n, TOPIC_WIRE, bytes, whole, MQTT_ONCE, &extra) == 0)
		n->relay->tally->batches++;
	else
		n->relay->tally->unsent++;
	n->next++;
}

/*
 * Up to where its port was barred: a slow machine reads many HELLOs at once. `from`: where the node
 * begins that is at the port now; what is before was decoded as another's.
 */
static size_t frames_take(struct relay_node *n, const uint8_t *bytes, size_t whole, uint64_t now,
			  size_t *from)
{
	size_t at = 0;

	*from = 0;
	while (at < whole && n->barred_ns <= now) {
		size_t size = guard_hello_end(bytes + at, whole - at);
		uint32_t id = n->id;

		wire_feed(n->wire, bytes + at, size);
		if (n->swapped && n->id != id)
			*from = at;
		at += size;
	}
	n->relay->tally->refused += whole - at;
	return at;
}

/* What is whole of the batch: decoded, and sent where somebody listens, or kept. */
static void batch_flush(struct relay_node *n, uint64_t now)
{
	const uint8_t *bytes = (const uint8_t *)n->batch.data;
	size_t whole = n->batch.len, taken, from;
	bool keeps;

	while (whole && bytes[whole - 1])
		whole--;
	if (!whole && n->batch.len < FRAMELESS)
		return;
	whole = whole ? whole : n->batch.len;
	keeps = kept_takes(n);
	if (keeps && n->barred_ns <= now)	/* of the batch by which it is barred all is kept */
		kept_add(n, now, bytes, whole);
	taken = frames_take(n, bytes, whole, now, &from);
	if (!keeps)
		batch_send(n, bytes, taken, now);
	kept_follow(n, now, bytes + from, taken - from);
	n->batch.len -= whole;
	memmove(n->batch.data, n->batch.data + whole, n->batch.len);
	n->batch_ns = now;
	n->wall_us = clock_wall() / 1000;
}

/* Somebody listens: a batch waits until the broker takes it, and grows. */
static bool batch_is_held(const struct relay_node *n, uint64_t now)
{
	const struct mqtt *mqtt = n->relay->mqtt;

	return n->batch.len < BATCH_HELD && n->next && relay_is_leased(n, now) &&
	       mqtt_is_up(mqtt) && !mqtt_has_room(mqtt, MQTT_ONCE);
}

static void bytes_take(struct relay_node *n, bool ready, uint64_t now)
{
	uint8_t bytes[READ];
	uint64_t time_ns;

	for (int i = 0; i < READS && ready && !n->ended; i++) {
		ssize_t got = link_read(n->link, now, bytes, sizeof(bytes), &time_ns);

		if (got < 0) {
			n->ended = true;
			n->ended_ns = now;
			key_ask(n, now);
		}
		if (got <= 0)
			break;
		if (!doubt_takes(n, now, (size_t)got))
			continue;
		if (!n->batch.len) {
			n->batch_ns = now;
			n->wall_us = clock_wall() / 1000;
		}
		buf_add(&n->batch, bytes, (size_t)got);
		if (n->batch.failed) {		/* the decoder counts the frames */
			n->relay->tally->unsent++;
			buf_reset(&n->batch);
		}
		if (n->batch.len >= BATCH_MOST && !batch_is_held(n, now))
			batch_flush(n, now);
	}
	if (n->batch.len && (n->ended || now >= n->batch_ns + BATCH_NS) && !batch_is_held(n, now))
		batch_flush(n, now);
}

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	struct relay_node *n = ctx;
	struct relay *r = n->relay;

	n->epoch = hello->epoch;
	n->ticks_per_second = hello->ticks_per_second;
	if (n->resuming)
		return;
	if (n->known && n->id != hello->id) {
		if (!doubt_changes(n, clock_now()))
			n->barred_ns = clock_now() + BARRED_NS;
		up_put(n, "0");
		n->swapped = true;
	}
	if (!n->known || n->id != hello->id) {
		r->tally->nodes += !n->known;
		say_line(&r->o->say, "%s: node %08" PRIx32 "%s%s", n->source, hello->id,
			 *hello->name ? ", " : "", hello->name);
	}
	for (size_t i = 0; i < r->count; i++) {
		struct relay_node *other = &r->nodes[i];

		if (other == n || !other->known || other->id != hello->id)
			continue;
		if (!other->link)
			n->joins = true;
		else
			say_line(&r->o->say, "%s: node %08" PRIx32 " is at %s, too; give each an "
				 "id of its own", n->source, hello->id, r->nodes[i].source);
	}
	n->announced &= n->id == hello->id;
	n->known = n->changed = true;
	n->id = hello->id;
	key_ask(n, clock_now());
}

static void hear_status(void *ctx, const struct wire_status *status)
{
	((struct relay_node *)ctx)->run = status->run;
}

static void hear_end(void *ctx)
{
	kept_end(ctx, clock_now());
}

/* --- the broker ------------------------------------------------------------------------------- */

static void node_announce(struct relay_node *n)
{
	char filter[TOPIC_MAX], here[sizeof(n->relay->name) + sizeof(TOPIC_COMMANDS)];

	for (enum topic_leaf leaf = TOPIC_COMMAND; leaf <= TOPIC_ORDER; leaf++) {
		topic_write(filter, sizeof(filter), n->relay->place.path, n->relay->shards, n->id,
			    leaf);
		mqtt_subscribe(n->relay->mqtt, filter, MQTT_SURELY);
	}
	snprintf(here, sizeof(here), "%s%s", n->relay->name,
		 n->relay->o->commands ? TOPIC_COMMANDS : "");
	up_put(n, n->link ? here : "0");
	n->announced = n->changed = true;
	key_ask(n, clock_now());
}

static void here_put(const struct relay *r, const char *text)
{
	mqtt_publish(r->mqtt, r->topic, text, 1, MQTT_SURELY | MQTT_KEPT, NULL);
}

/* Each time: the session is a clean one, and the broker may have lost what it retained. */
static void hear_up(void *ctx)
{
	struct relay *r = ctx;

	say_line(&r->o->say, "%s: connected (MQTT %s)", r->place.host, mqtt_version(r->mqtt) == 5 ?
		 "5" : "3.1.1: times are those of arrival");
	r->shards = 0;
	/* Who listens asks again, when he is back; at a first start there is nobody. */
	for (size_t i = 0; i < r->count; i++) {
		struct relay_node *n = &r->nodes[i];

		n->lease_ns = n->next = n->hold_ns = 0;
		if (r->was_up || n->before)
			n->wait_ns = clock_now() + WAIT_NS;
	}
	r->was_up = true;
	r->config_ns = clock_now() + CONFIG_NS;
	mqtt_subscribe(r->mqtt, TOPIC_CONFIG, MQTT_SURELY);
	mqtt_subscribe(r->mqtt, r->topic, MQTT_SURELY);
	here_put(r, "1");
}

static void shards_take(struct relay *r, unsigned shards)
{
	if (r->shards == shards)
		return;
	if (r->shards || (r->o->shards && r->o->shards != shards)) {
		topic_shards_refuse(&r->refused, r->place.host, shards,
				    r->shards ? r->shards : r->o->shards);
		return;
	}
	r->shards = shards;
	for (size_t i = 0; i < r->count; i++)
		r->nodes[i].announced = false;
}

static void config_say(struct relay *r)
{
	unsigned shards = r->o->shards ? r->o->shards : TOPIC_SHARDS;
	char text[32];

	topic_shards_print(text, sizeof(text), shards);
	mqtt_publish(r->mqtt, TOPIC_CONFIG, text, strlen(text), MQTT_SURELY | MQTT_KEPT, NULL);
	shards_take(r, shards);
}

/* For the node, each by itself. */
static void orders_take(struct relay_node *n, const struct mqtt_message *m)
{
	struct relay *r = n->relay;
	const uint8_t *data = m->data;
	uint64_t now = clock_now();

	for (size_t one, size = m->n; size; data += one, size -= one) {
		one = wsn_command_length(data, size);
		if (!one || !r->o->commands || !n->link || !doubt_commands(n, now) ||
		    link_send(n->link, data, one) < 0) {
			r->tally->commands_refused++;
			if (!n->orders_told)
				say_line(&r->o->say, "%s: node %08" PRIx32
					 ": a command is refused: %s", n->source, n->id, !one ?
					 "it is none of the protocol" : !r->o->commands ?
					 "none are allowed here" :
					 "too many, or the port takes none now");
			n->orders_told = true;
			return;
		}
		r->tally->commands++;
		say_line(&r->o->say, "%s: node %08" PRIx32 ": command %u", n->source, n->id,
			 data[2]);
	}
}

static void command_take(struct relay_node *n, const struct mqtt_message *m)
{
	unsigned seconds = topic_lease_read(m->data, m->n);
	uint64_t now = clock_now();

	if (seconds) {
		bool was = relay_is_leased(n, now);

		n->lease_ns = now + seconds * CLOCK_SECOND;
		if (was)
			return;
		n->next = 0;
		key_ask(n, now);
	} else if (m->n == 3 && memcmp(m->data, "key", 3) == 0) {
		key_ask(n, now);
	}
}

static void hear_message(void *ctx, const struct mqtt_message *m)
{
	struct relay *r = ctx;
	struct topic t;

	if (strcmp(m->topic, TOPIC_CONFIG) == 0) {
		unsigned shards = topic_shards_read(m->data, m->n);

		if (shards)
			shards_take(r, shards);
		return;
	}
	/* The will of a connection before, which the broker took for alive until now. */
	if (strcmp(m->topic, r->topic) == 0 && m->n == 1 && *m->data == '0')
		here_put(r, "1");
	if (!topic_read(&t, m->topic) || t.leaf < TOPIC_COMMAND || m->retained)
		return;
	for (size_t i = 0; i < r->count; i++) {
		if (!r->nodes[i].known || r->nodes[i].id != t.node)
			continue;
		if (t.leaf == TOPIC_ORDER)
			orders_take(&r->nodes[i], m);
		else
			command_take(&r->nodes[i], m);
	}
}

/* --- the run ---------------------------------------------------------------------------------- */

int relay_wire(struct relay_node *n, struct err *err)
{
	const struct wire_sink sink = { .ctx = n, .hello = hear_hello, .status = hear_status,
					.ends = hear_end };
	const struct wire_options decodes = { .code = NULL };

	wire_free(n->wire);
	n->wire = wire_new("wsn", &decodes, &sink, err);
	return n->wire ? 0 : ERR_NOMEM;
}

static int port_open(struct relay *r, struct relay_node *n, const char *source, struct err *err)
{
	const struct link_options o = { .baud = r->o->baud, .speed = 1, .wait = true };

	*n = (struct relay_node){ .relay = r, .source = source };
	n->link = link_new(source, &o, err);
	return n->link ? relay_wire(n, err) : ERR_USAGE;
}

/* ready: its port has bytes, or a state that is to be looked at. */
static void node_serve(struct relay_node *n, bool ready, uint64_t now)
{
	bytes_take(n, n->link && (ready || link_timeout(n->link, now) == 0), now);
	if (!n->known || !relay_is_ready(n->relay))
		return;
	if (!n->announced)
		node_announce(n);
	if (kept_drain(n, now) || now < n->key_ns ||
	    !mqtt_has_room(n->relay->mqtt, MQTT_SURELY))
		return;
	batch_flush(n, now);
	key_put(n, now);
}

/* Or its last keyframe is still to be published. */
static bool node_is_live(const struct relay_node *n, uint64_t now)
{
	return (n->link && !n->ended) || (n->known && n->ended_ns && now < n->ended_ns + LINGER_NS);
}

static int node_timeout(const struct relay_node *n, uint64_t now)
{
	int ms = n->ended || !n->link ? -1 : link_timeout(n->link, now);

	if (n->drain_ns > now)
		ms = clock_sooner(ms, clock_ms_until(n->drain_ns, now));
	if (n->batch.len && !batch_is_held(n, now))	/* else the broker wakes us */
		ms = clock_sooner(ms, clock_ms_until(n->batch_ns + BATCH_NS, now));
	if (n->known && n->relay->shards)
		ms = clock_sooner(ms, clock_ms_until(n->key_ns > now ? n->key_ns :
						     now + BATCH_NS, now));
	return ms;
}

static void relay_await(struct relay *r, uint64_t now, uint64_t end)
{
	int ms = mqtt_poll(r->mqtt, now, &r->fds[0]);

	for (size_t i = 0; i < r->count; i++) {
		const struct relay_node *n = &r->nodes[i];

		r->fds[i + 1] = (struct pollfd){ .fd = -1 };
		if (n->link && !n->ended)
			r->fds[i + 1] = (struct pollfd){ .fd = link_fd(n->link),
							 .events = link_events(n->link) };
		if (node_is_live(n, now))
			ms = clock_sooner(ms, node_timeout(n, now));
	}
	if (end)
		ms = clock_sooner(ms, clock_ms_until(end, now));
	if (mqtt_is_up(r->mqtt) && !r->shards)
		ms = clock_sooner(ms, clock_ms_until(r->config_ns, now));
	/*
	 * A look at all ports costs more than the few bytes that one of many has: they wait for
	 * each other. EINTR: the stop flag is looked at next.
	 */
	if (poll(r->fds, 1, clock_sooner(ms, REST_MS)) >= 0)
		poll(r->fds, r->count + 1, ms);
}

/* What a user of the screen would see: why it waits. Once for each time. */
static void broker_tell(struct relay *r)
{
	const char *why = mqtt_why(r->mqtt);

	if (*why && !r->down_told)
		say_line(&r->o->say, "%s: %s; trying again", r->place.host, why);
	r->down_told = *why != '\0';
}

static void relay_loop(struct relay *r)
{
	uint64_t now = clock_now();
	uint64_t end = r->o->seconds > 0 ? now + (uint64_t)(r->o->seconds * 1e9) : 0;

	while (!*r->o->stop && !err_is_set(&r->refused) && !(end && now >= end)) {
		size_t live = 0;

		mqtt_service(r->mqtt, now);
		broker_tell(r);
		if (mqtt_is_up(r->mqtt) && !r->shards && now >= r->config_ns)
			config_say(r);
		for (size_t i = 0; i < r->count; i++) {
			node_serve(&r->nodes[i], r->fds[i + 1].revents != 0, now);
			live += node_is_live(&r->nodes[i], now);
		}
		if (!live)
			break;
		relay_await(r, now, end);
		now = clock_now();
	}
}

/* The same each time that it is started for the same ports. */
static void name_make(struct relay *r)
{
	char host[64];
	uint32_t hash = TOPIC_HASH;

	topic_host(host, sizeof(host));
	for (size_t i = 0; i < r->o->count; i++)
		hash = topic_hash(hash, r->o->sources[i]);
	snprintf(r->name, sizeof(r->name), "%s-%08" PRIx32, host, hash);
	snprintf(r->topic, sizeof(r->topic), TOPIC_RELAY "%s", r->name);
}

static int relay_open(struct relay *r, struct err *err)
{
	const struct mqtt_hooks hooks = { .ctx = r, .up = hear_up, .message = hear_message };
	const struct mqtt_will will = { .topic = r->topic, .text = "0" };
	int ret = mqtt_place_read(&r->place, r->o->to, err);

	if (ret < 0)
		return ret;
	if (!r->place.path[0] || strpbrk(r->place.path, "+#"))
		return err_set(err, ERR_USAGE, "%s: no site; give mqtt://%s/SITE, a name of yours",
			       r->o->to, r->place.host);
	name_make(r);
	ret = kept_open(r, err);
	r->fds = ret == 0 ? mem_zalloc((r->count + 1) * sizeof(*r->fds)) : NULL;
	if (ret == 0 && !r->fds)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	for (size_t i = 0; ret == 0 && i < r->o->count; i++)
		ret = port_open(r, &r->nodes[i], r->o->sources[i], err);
	if (ret == 0 && !(r->mqtt = mqtt_new(&r->place, &hooks, &will, err)))
		ret = ERR_ABSENT;
	return ret;
}

static void relay_close(struct relay *r)
{
	for (size_t i = 0; r->nodes && i < r->count; i++) {
		struct relay_node *n = &r->nodes[i];

		if (n->known && n->link && r->mqtt)
			batch_flush(n, clock_now());
		if (n->known && n->link && r->mqtt && relay_is_ready(r)) {
			n->hold_ns = 0;
			if (!n->ended && !kept_drain(n, clock_now()))
				key_put(n, n->settle_ns);
			up_put(n, "0");
		}
		wire_free(n->wire);
		link_free(n->link);
		buf_release(&n->batch);
	}
	kept_close(r);
	if (r->mqtt)
		here_put(r, "0");
	mqtt_free(r->mqtt);
	mem_free(r->nodes);
	mem_free(r->fds);
}

int relay_run(const struct relay_options *o, struct relay_tally *t, struct err *err)
{
	struct relay r = { .o = o, .tally = t, .lock = -1 };
	int ret = relay_open(&r, err);

	if (ret == 0)
		relay_loop(&r);
	if (ret == 0 && err_is_set(&r.refused)) {
		*err = r.refused;
		ret = ERR_USAGE;
	}
	relay_close(&r);
	return ret;
}
