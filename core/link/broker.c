/*
 * broker: mqtt://BROKER/SITE/NODE, NODE an id of 8 hex digits or + for all: the nodes that relays
 * publish there (core/mqtt/topic.h), each a link. Its bytes: a keyframe first, then all behind it,
 * for as long as a lease is held. What is lost between is the decoder's to see: a gap in the
 * frames' numbers, which the running totals close.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/carrier_ops.h"
#include "core/link/inbox.h"
#include "core/link/link_ops.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"
#include "core/wire/wsn/wsn.h"

#define LEASE_NS (TOPIC_LEASE_S * CLOCK_SECOND / 3)	/* asked for again */
#define FIRST_NS (5 * CLOCK_SECOND)	/* for the first node */
#define QUIET_NS (CLOCK_SECOND / 4)	/* without another one */
#define STALE_NS (3 * CLOCK_SECOND)	/* that a fresh keyframe is waited for, */
#define STALE_MOST_NS (30 * CLOCK_SECOND)	/* while those of other nodes come */

struct broker {
	struct carrier *carrier;
	struct mqtt_place place;
	char site[TOPIC_SITE_MAX], node[16];
	struct mqtt *mqtt;
	struct inbox inbox;
	struct broker_node **opened;	/* those with a link */
	size_t opened_count, opened_cap;
	size_t announced;		/* of its nodes */
	char name[TOPIC_MAX + 320];
};

/* --- nodes ------------------------------------------------------------------------------------ */

static struct broker *node_broker(const struct broker_node *n)
{
	return n->owner;
}

static void topic_of(const struct broker_node *n, enum topic_leaf leaf, char *dst, size_t size)
{
	struct topic t = { .shard = n->shard, .node = n->id, .leaf = leaf };

	snprintf(t.site, sizeof(t.site), "%s", n->site);
	topic_print(dst, size, &t);
}

static void command_send(const struct broker_node *n, const char *text)
{
	char topic[TOPIC_MAX];

	topic_of(n, TOPIC_COMMAND, topic, sizeof(topic));
	mqtt_publish(node_broker(n)->mqtt, topic, text, strlen(text), MQTT_SURELY, NULL);
}

/* Of a node's name all but the id. The port where it is not the usual one. */
static void broker_place(const struct broker *b, const char *site, char *dst, size_t size)
{
	unsigned usual = b->place.tls ? 8883 : 1883;
	char port[16] = "";

	if (b->place.port != usual)
		snprintf(port, sizeof(port), ":%u", b->place.port);
	snprintf(dst, size, "mqtt%s://%s%s/%s", b->place.tls ? "s" : "", b->place.host, port,
		 site);
}

/* A keyframe, or that it went or came: to who keeps many. */
static void hear_node(void *ctx, const struct broker_node *n, const struct mqtt_message *m)
{
	const struct broker *b = ctx;
	char place[sizeof(b->name)];
	struct carrier_word w = { .place = place, .id = n->id, .away = n->away };

	if (m) {
		w.data = m->data;
		w.n = m->n;
		w.told_us = m->extra.wall_us;
		w.late = m->extra.late;
		w.retained = m->retained;
	}
	broker_place(b, n->site, place, sizeof(place));
	b->carrier->ear->hear(b->carrier->ear->ctx, &w);
}

static void hear_message(void *ctx, const struct mqtt_message *m)
{
	inbox_take(&((struct broker *)ctx)->inbox, clock_now(), m);
}

static void wire_subscribe(struct broker_node *n)
{
	char filter[TOPIC_MAX], lease[32];

	topic_of(n, TOPIC_WIRE, filter, sizeof(filter));
	mqtt_subscribe(node_broker(n)->mqtt, filter, MQTT_ONCE);
	snprintf(lease, sizeof(lease), "lease %d", TOPIC_LEASE_S);
	command_send(n, lease);
	n->lease_ns = clock_now() + (n->synced ? LEASE_NS : STALE_NS);
}

/* The retained keyframe of a node that none was kept of: it comes once more. */
static void key_subscribe(const struct broker_node *n)
{
	char filter[TOPIC_MAX];

	topic_of(n, TOPIC_KEY, filter, sizeof(filter));
	mqtt_subscribe(node_broker(n)->mqtt, filter, MQTT_SURELY);
}

static void key_unsubscribe(const struct broker_node *n)
{
	struct broker *b = node_broker(n);
	char filter[TOPIC_MAX], all[TOPIC_MAX];

	topic_of(n, TOPIC_KEY, filter, sizeof(filter));
	topic_filter(all, sizeof(all), b->site, b->node, TOPIC_KEY);
	if (strcmp(all, filter) != 0)
		mqtt_unsubscribe(b->mqtt, filter);
}

static void hear_up(void *ctx)
{
	static const enum topic_leaf leaves[] = { TOPIC_UP, TOPIC_KEY };
	struct broker *b = ctx;
	char filter[TOPIC_MAX];

	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
		topic_filter(filter, sizeof(filter), b->site, b->node, leaves[i]);
		mqtt_subscribe(b->mqtt, filter, MQTT_SURELY);
	}
	mqtt_subscribe(b->mqtt, TOPIC_RELAY "+", MQTT_SURELY);
	for (size_t i = 0; i < b->opened_count; i++)
		wire_subscribe(b->opened[i]);
}

/* --- the carrier ------------------------------------------------------------------------------ */

/* PATH is SITE/NODE: the last level names the node. */
static int path_split(struct broker *b, struct err *err)
{
	const char *slash = strrchr(b->place.path, '/');
	const char *node = slash ? slash + 1 : "";
	size_t n = slash ? (size_t)(slash - b->place.path) : 0;

	if (n == 0 || (strcmp(node, "+") != 0 &&
		       (strlen(node) != 8 || strspn(node, "0123456789abcdef") != 8)))
		return err_set(err, ERR_USAGE, "%s: expected SITE/NODE behind the broker, NODE 8 "
			       "hex digits or + for all: mqtt://%s/plant1/+", b->carrier->source,
			       b->place.host);
	memcpy(b->site, b->place.path, n);
	snprintf(b->node, sizeof(b->node), "%s", node);
	return 0;
}

static const char *broker_why(const struct broker *b)
{
	const char *why = mqtt_why(b->mqtt);

	return *why ? why : "no answer yet";
}

/*
 * What is retained comes at once. The user waits before an empty terminal: better a plain failure
 * now than a screen without a node.
 */
static int nodes_await(struct broker *b, struct err *err)
{
	uint64_t now = clock_now(), end = now + FIRST_NS, quiet = end;
	size_t count = 0;

	while (now < end && now < quiet) {
		struct pollfd fd;
		int ms = mqtt_poll(b->mqtt, now, &fd);

		poll(&fd, 1, clock_sooner(ms, clock_ms_until(quiet < end ? quiet : end, now)));
		now = clock_now();
		mqtt_service(b->mqtt, now);
		if (b->inbox.count > count)
			quiet = now + QUIET_NS;
		count = b->inbox.count;
	}
	if (count)
		return 0;
	if (!mqtt_is_up(b->mqtt))
		return err_set(err, ERR_ABSENT, "%s: %s", b->carrier->source, broker_why(b));
	return err_set(err, ERR_ABSENT, "%s: no node there; `wsntop relay` on the machine that "
		       "has them publishes them, as site %s", b->carrier->source, b->site);
}

static int broker_open(struct carrier *c, struct err *err)
{
	struct broker *b = c->own = mem_zalloc(sizeof(*b));
	const struct mqtt_hooks hooks = { .ctx = b, .up = hear_up, .message = hear_message };
	int ret;

	if (!b)
		return err_set(err, ERR_NOMEM, "out of memory");
	b->carrier = c;
	inbox_init(&b->inbox, c->ear ? c->ear->quota : NULL);
	b->inbox.owner = b;
	b->inbox.ctx = b;
	b->inbox.hear = c->ear ? hear_node : NULL;
	ret = mqtt_place_read(&b->place, c->source, err);
	ret = ret < 0 ? ret : path_split(b, err);
	if (ret == 0 && !(b->mqtt = mqtt_new(&b->place, &hooks, NULL, err)))
		ret = ERR_ABSENT;
	return ret < 0 ? ret : nodes_await(b, err);
}

static void broker_close(struct carrier *c)
{
	struct broker *b = c->own;

	if (!b)
		return;
	mqtt_free(b->mqtt);
	inbox_release(&b->inbox);
	mem_free(b->opened);
	mem_free(b);
	c->own = NULL;
}

/*
 * No fresh keyframe is waited for from then on. Of a thousand nodes that are opened at once the
 * last one is answered seconds behind the first: they wait while answers come.
 */
static uint64_t settle_ns(const struct broker_node *n)
{
	uint64_t last = node_broker(n)->inbox.answered_ns, most = n->opened_ns + STALE_MOST_NS;

	last = (last > n->opened_ns ? last : n->opened_ns) + STALE_NS;
	return last < most ? last : most;
}

static void node_keep(struct broker_node *n, uint64_t now)
{
	if (now >= settle_ns(n))
		inbox_settle(n);
	if (mqtt_is_up(node_broker(n)->mqtt) && now >= n->lease_ns)
		wire_subscribe(n);
}

/* Of many nodes the first alone, so that there is one to look at. */
static bool is_to_announce(const struct broker *b)
{
	const struct carrier_ear *ear = b->carrier->ear;

	if (b->announced == b->inbox.count)
		return false;
	return !ear || b->inbox.count <= ear->whole || !b->announced;
}

static const char *broker_next(struct carrier *c, uint64_t now)
{
	struct broker *b = c->own;
	const struct broker_node *n;
	size_t end;

	mqtt_service(b->mqtt, now);
	inbox_follow(&b->inbox);
	for (size_t i = 0; i < b->opened_count; i++)
		node_keep(b->opened[i], now);
	if (!is_to_announce(b))
		return NULL;
	n = b->inbox.nodes[b->announced++];
	broker_place(b, n->site, b->name, sizeof(b->name));
	end = strlen(b->name);
	snprintf(b->name + end, sizeof(b->name) - end, "/%08" PRIx32, n->id);
	return b->name;
}

static int broker_poll(const struct carrier *c, uint64_t now, struct pollfd *fd)
{
	const struct broker *b = c->own;
	int ms = mqtt_poll(b->mqtt, now, fd);

	/* Leases that were missed wait for the broker, which wakes by itself. */
	for (size_t i = 0; mqtt_is_up(b->mqtt) && i < b->opened_count; i++)
		ms = clock_sooner(ms, clock_ms_until(b->opened[i]->lease_ns, now));
	return ms;
}

/* A node by its name, SITE/ID behind the broker's; NULL: there is none. */
static struct broker_node *node_named(const struct broker *b, const char *name)
{
	char before[sizeof(b->name)], site[TOPIC_SITE_MAX];
	const char *id = strrchr(name, '/'), *from;

	broker_place(b, "", before, sizeof(before));
	from = name + strlen(before);
	if (strncmp(name, before, strlen(before)) != 0 || !id || id <= from ||
	    (size_t)(id - from) >= sizeof(site) || strlen(id) != 9)
		return NULL;
	snprintf(site, sizeof(site), "%.*s", (int)(id - from), from);
	return inbox_find(&b->inbox, site, (uint32_t)strtoul(id + 1, NULL, 16));
}

static bool broker_has(const struct carrier *c, const char *name)
{
	return node_named(c->own, name);
}

static struct carrier_count broker_count(const struct carrier *c)
{
	const struct inbox *b = &((const struct broker *)c->own)->inbox;

	return (struct carrier_count){
		.nodes = b->count, .most = inbox_most(b), .most_sites = INBOX_SITES,
		.messages = b->messages, .bytes = b->bytes,
		.refused = b->refused, .by_nodes = b->beyond[INBOX_BY_NODES],
		.by_sites = b->beyond[INBOX_BY_SITES], .by_memory = b->beyond[INBOX_BY_MEMORY],
	};
}

static struct link *broker_link(struct carrier *c, const char *name, const struct link_options *o,
				struct err *err)
{
	struct link_options with = *o;

	with.channel = node_named(c->own, name);
	return link_new(name, &with, err);
}

const struct carrier_ops carrier_broker = {
	.open = broker_open,
	.close = broker_close,
	.poll = broker_poll,
	.next = broker_next,
	.link = broker_link,
	.has = broker_has,
	.count = broker_count,
};

/* --- a node's link ---------------------------------------------------------------------------- */

static int channel_open(struct link *l, struct err *err)
{
	struct broker_node *n = l->options.channel;
	struct broker *b = n ? n->owner : NULL;

	if (!n || n->opened)
		return err_set(err, ERR_USAGE, n ? "this node of a broker is open already" :
			       "a broker's node has no link of its own");
	if (mem_grow(&b->opened, &b->opened_cap, b->opened_count + 1, sizeof(*b->opened)) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	b->opened[b->opened_count++] = n;
	n->opened = true;
	n->opened_ns = l->now;
	l->read_only = !n->obeys;
	if (!mqtt_is_up(b->mqtt))
		return 0;
	wire_subscribe(n);
	if (b->inbox.hear)
		key_subscribe(n);
	return 0;
}

/* What is odd, at the link's side. */
static void channel_why(struct link *l, const struct broker_node *n)
{
	const struct broker *b = n->owner;

	err_clear(&l->why);
	if (!mqtt_is_up(b->mqtt))
		err_set(&l->why, ERR_ABSENT, "%s", broker_why(b));
	else if (n->away)
		err_set(&l->why, ERR_ABSENT, "no relay has it now");
	else if (n->guard.foreign)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes refused: another node's id under "
			"its topic", n->guard.foreign);
	else if (n->guard.over)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes refused: more than %d MB or %d "
			"messages a second", n->guard.over, GUARD_BYTES >> 20, GUARD_MESSAGES);
	else if (n->dropped)
		err_set(&l->why, ERR_ABSENT, "%" PRIu64 " bytes came faster than they were read, "
			"and were dropped", n->dropped);
	else if (b->inbox.beyond[INBOX_BY_NODES])
		err_set(&l->why, ERR_ABSENT, "the broker has more than %zu nodes: the rest is left "
			"out", inbox_most(&b->inbox));
	else if (b->inbox.beyond[INBOX_BY_SITES])
		err_set(&l->why, ERR_ABSENT, "the broker has more than %d sites: nodes of the rest "
			"are left out", INBOX_SITES);
	else if (b->inbox.beyond[INBOX_BY_MEMORY])
		err_set(&l->why, ERR_ABSENT, "no memory for more of the broker's nodes: the rest "
			"is left out");
}

static ssize_t channel_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	struct broker_node *n = l->options.channel;

	(void)time_ns;
	channel_why(l, n);
	l->read_only = !n->obeys;
	return (ssize_t)inbox_read(n, buf, size);
}

/* Commands alone: a relay lets nothing else pass. */
static ssize_t channel_write(struct link *l, const uint8_t *data, size_t n)
{
	const struct broker_node *node = l->options.channel;
	struct mqtt *mqtt = node_broker(node)->mqtt;
	char topic[TOPIC_MAX];

	for (size_t at = 0, size; at < n; at += size) {
		size = wsn_command_length(data + at, n - at);
		if (!size)
			return -1;
	}
	if (!mqtt_is_up(mqtt) || !mqtt_has_room(mqtt, MQTT_SURELY))
		return -1;
	topic_of(node, TOPIC_ORDER, topic, sizeof(topic));
	return mqtt_publish(mqtt, topic, data, n, MQTT_SURELY, NULL) < 0 ? -1 : (ssize_t)n;
}

static void channel_close(struct link *l)
{
	struct broker_node *n = l->options.channel;
	struct broker *b = n->owner;
	char filter[TOPIC_MAX];

	if (!n->opened)
		return;
	for (size_t i = 0; i < b->opened_count; i++)
		if (b->opened[i] == n)
			b->opened[i--] = b->opened[--b->opened_count];
	n->opened = n->synced = n->flows = false;
	inbox_close(n);
	topic_of(n, TOPIC_WIRE, filter, sizeof(filter));
	mqtt_unsubscribe(b->mqtt, filter);
	if (b->inbox.hear)
		key_unsubscribe(n);
}

static int channel_timeout(const struct link *l, uint64_t now)
{
	const struct broker_node *n = l->options.channel;

	if (n->waiting.len)
		return 0;
	/* Later a keyframe is taken as it comes, a retained one too. */
	return n->synced || now >= settle_ns(n) ? -1 : clock_ms_until(settle_ns(n), now);
}

const struct link_ops link_broker = {
	.kind = "mqtt",
	.gone = "the broker went away",
	.live = true,
	.open = channel_open,
	.read = channel_read,
	.write = channel_write,
	.close = channel_close,
	.timeout = channel_timeout,
};
