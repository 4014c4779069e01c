/*
 * inbox, guard: what a node on a broker may send: bytes and messages a second, and what is saved
 * up; another's HELLO; payloads that are cut; the keyframe that a link begins with.
 */
#include "tests/unit/unit.h"
#include "tests/unit/wsn_stream.h"

#include "core/base/clock.h"
#include "core/link/inbox.h"

#define S CLOCK_SECOND

static void rates_are_bounded(void **state)
{
	struct guard g = { 0 };
	uint64_t now = 5 * S;
	unsigned taken = 0;

	(void)state;
	for (unsigned i = 0; i < 10 * GUARD_SAVED * GUARD_MESSAGES; i++)
		taken += guard_takes(&g, now, 1, 10);
	assert_int_equal(taken, GUARD_SAVED * GUARD_MESSAGES);
	assert_int_equal(g.over, (10 * GUARD_SAVED * GUARD_MESSAGES - taken) * 10);
	assert_false(guard_takes(&g, now + S / 1000, 1, 1));
	assert_true(guard_takes(&g, now + S / 100, 1, 1));
	g = (struct guard){ 0 };
	assert_false(guard_takes(&g, now, 0, GUARD_SAVED * GUARD_BYTES + 1));
	assert_true(guard_takes(&g, now, 0, GUARD_SAVED * GUARD_BYTES));
	assert_false(guard_takes(&g, now, 0, 1));
	assert_true(guard_takes(&g, now + S, 0, GUARD_BYTES));
	assert_false(guard_takes(&g, now + S, 0, 100));
	assert_true(guard_takes(&g, now + 3600 * S, 0, GUARD_SAVED * GUARD_BYTES));
	assert_false(guard_takes(&g, now + 3600 * S, 0, 100));
}

static void changes_are_bounded(void **state)
{
	struct guard_changes c = { 0 };
	uint64_t now = 5 * S;

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(guard_changes_take(&c, now), i < GUARD_CHANGES);
	assert_false(guard_changes_take(&c, now + (GUARD_CHANGE_S - 1) * S));
	assert_true(guard_changes_take(&c, now + GUARD_CHANGE_S * S));
	now += 3600 * S;
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(guard_changes_take(&c, now), i < GUARD_CHANGES);
	assert_false(guard_is_ahead(16, 10));
	assert_true(guard_is_ahead(17.5, 10));
	assert_false(guard_is_ahead(1.9, 0));
	assert_false(guard_is_ahead(-5, 0));
}

/* The streams' node has the id 7. */
static void other_ids_are_foreign(void **state)
{
	static const struct { const char *script; bool has_hello; } rows[] = {
		{ "H e=1", true }, { "S 0 100 50 1 2 3 4|H e=3|T 1", true },
		{ "S 0 100 50 1 2 3 4", false }, { "!H e=1", false }, { "t hello", false },
		{ "", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .out = BUF_INIT };
		struct guard g = { 0 };
		const uint8_t *bytes;

		stream_script(&s, rows[i].script);
		bytes = (const uint8_t *)s.out.data;
		assert_true(guard_is_own(&g, 7, bytes, s.out.len));
		assert_int_equal(g.foreign, 0);
		assert_int_equal(guard_is_own(&g, 8, bytes, s.out.len), !rows[i].has_hello);
		assert_int_equal(g.foreign, rows[i].has_hello ? s.out.len : 0);
		/* in the second row a frame is behind it: T 1 */
		assert_true((guard_hello_end(bytes, s.out.len) < s.out.len) == (i == 1));
		assert_true(i != 1 || guard_is_own(&g, 8, bytes + guard_hello_end(bytes, s.out.len),
						   s.out.len - guard_hello_end(bytes, s.out.len)));
		stream_release(&s);
	}
}

/* The zero before it or behind it is text: the decoder finds it, and so must the guard. */
static void a_hello_among_text_is_foreign(void **state)
{
	static const struct { const char *before, *behind; } rows[] = {
		{ "\n", "" }, { "counted 3\n", "" }, { "", "counted 3\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stream s = { .out = BUF_INIT };
		struct guard g = { 0 };
		struct buf all = BUF_INIT;
		const char *coded;

		stream_script(&s, "H e=1");
		for (coded = s.out.data; !*coded; coded++)
			;
		buf_add(&all, rows[i].before, strlen(rows[i].before));
		buf_add(&all, coded, strlen(coded));
		buf_add(&all, rows[i].behind, strlen(rows[i].behind) + 1);
		assert_true(guard_is_own(&g, 7, (const uint8_t *)all.data, all.len));
		assert_false(guard_is_own(&g, 8, (const uint8_t *)all.data, all.len));
		buf_release(&all);
		stream_release(&s);
	}
}

static struct broker_node *message_put(struct inbox *b, const char *topic, const struct buf *data,
				       bool retained)
{
	const struct mqtt_message m = {
		.topic = topic, .data = (const uint8_t *)data->data, .n = data->len,
		.retained = retained,
	};

	inbox_take(b, 9 * S, &m);
	return b->count ? b->nodes[0] : NULL;
}

/* What waits, as it is read. */
static void assert_waits(struct broker_node *n, const char *hex)
{
	uint8_t bytes[256];
	char said[513] = "";
	size_t got = inbox_read(n, bytes, sizeof(bytes));

	for (size_t i = 0; i < got; i++)
		sprintf(said + 2 * i, "%02x", bytes[i]);
	assert_string_equal(said, hex);
}

static void payloads_stay_apart(void **state)
{
	struct inbox b = { 0 };
	struct buf data = BUF_INIT;
	struct broker_node *n;

	(void)state;
	buf_add(&data, "\0ab\0", 4);
	/* None is known by bytes alone. */
	assert_null(message_put(&b, "s/01/00000007/w", &data, false));
	n = message_put(&b, "s/01/00000007/k", &data, true);
	assert_non_null(n);
	assert_waits(n, "");
	n->opened = true;
	inbox_settle(n);
	assert_true(n->synced);
	assert_waits(n, "00616200");
	data.len--;					/* cut */
	message_put(&b, "s/01/00000007/w", &data, false);
	message_put(&b, "s/01/00000007/w", &data, false);
	message_put(&b, "s/01/00000007/k", &data, false);	/* it had one */
	assert_waits(n, "0061620000616200");
	buf_reset(&data);
	for (size_t i = 0; i < INBOX_WIRE + 1; i++)
		buf_addc(&data, 'x');
	message_put(&b, "s/01/00000007/w", &data, false);
	assert_int_equal(n->guard.over, INBOX_WIRE + 1);
	assert_int_equal(b.refused, 1);
	assert_waits(n, "");
	data.len = INBOX_WIRE;
	for (size_t i = 0; i < 20; i++)
		message_put(&b, "s/01/00000007/w", &data, false);
	assert_int_equal(n->dropped, 5 * INBOX_WIRE);	/* a byte a payload more waits */
	buf_release(&data);
	inbox_release(&b);
}

struct heard {
	uint64_t keys, went;
	uint32_t last;
};

static void node_hear(void *ctx, const struct broker_node *n, const struct mqtt_message *m)
{
	struct heard *h = ctx;

	h->keys += m != NULL;
	h->went += !m && n->away;
	h->last = n->id;
}

static void message_say(struct inbox *b, unsigned site, uint32_t id, const char *leaf,
			const char *data)
{
	char topic[64];
	const struct mqtt_message m = {
		.topic = topic, .data = (const uint8_t *)data, .n = strlen(data), .retained = true,
	};

	snprintf(topic, sizeof(topic), "s%u/01/%08x/%s", site, id, leaf);
	inbox_take(b, 9 * S, &m);
}

/* Each by its site and its id; what is beyond the bounds is counted and changes nothing. */
static void many_are_found(void **state)
{
	enum { MANY = 10000, SITES = 7 };
	struct heard h = { 0 };
	struct inbox b = { .hear = node_hear, .ctx = &h };

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		message_say(&b, i % SITES, i / SITES, "k", "x");
	assert_int_equal(b.count, MANY);
	assert_int_equal(h.keys, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		char site[8];

		snprintf(site, sizeof(site), "s%u", i % SITES);
		assert_ptr_equal(inbox_find(&b, site, i / SITES), b.nodes[i]);
		assert_int_equal(b.nodes[i]->stale.len, 0);	/* who hears keeps it */
	}
	assert_null(inbox_find(&b, "s0", MANY));
	assert_null(inbox_find(&b, "s", 0));
	message_say(&b, 3, 5, "up", "0");
	assert_int_equal(h.went, 1);
	assert_int_equal(h.last, 5);
	for (unsigned site = SITES; site < INBOX_SITES + 3; site++)
		message_say(&b, site, 1, "k", "x");
	assert_int_equal(b.beyond[INBOX_BY_SITES], 3);
	for (uint32_t id = MANY; b.count < INBOX_NODES; id++)
		message_say(&b, 0, id, "hello", "x");
	message_say(&b, 0, 1 << 20, "k", "x");
	message_say(&b, 9999, 1, "k", "x");
	assert_int_equal(b.beyond[INBOX_BY_NODES], 2);
	assert_int_equal(b.beyond[INBOX_BY_SITES], 3);
	assert_int_equal(b.count, INBOX_NODES);
	assert_int_equal(h.keys, MANY + INBOX_SITES - SITES);
	assert_int_equal(b.refused, 0);
	inbox_release(&b);
}

/* Where nobody hears, each has a keyframe here that nobody may ever ask for: fewer are taken. */
static void keyframes_that_are_kept_are_bounded(void **state)
{
	struct inbox b = { .count = 0 };

	(void)state;
	for (uint32_t id = 0; id < INBOX_KEPT + 3; id++)
		message_say(&b, 1, id, "k", "x");
	assert_int_equal(b.count, INBOX_KEPT);
	assert_int_equal(b.beyond[INBOX_BY_NODES], 3);
	assert_int_equal(b.nodes[INBOX_KEPT - 1]->stale.len, 1);
	inbox_release(&b);
}

static size_t looked_at;

static uint64_t counted_key(const void *items, uint32_t position)
{
	looked_at++;
	return ((const uint64_t *)items)[position];
}

/* Ids that were chosen to fall on each other do so where the seed is known: it is not. */
static void chosen_ids_do_not_collide(void **state)
{
	enum { CHOSEN = 200, SLOT = 77, MASK = 0x1fff };
	static uint64_t keys[CHOSEN];
	size_t looks[3];
	uint32_t n = 0;

	(void)state;
	for (uint64_t id = 0; n < CHOSEN; id++)
		if ((map_hash(id) & MASK) == SLOT)
			keys[n++] = id;
	for (size_t k = 0; k < COUNT(looks); k++) {
		struct index ix = { .seed = k ? index_seed() : 0 };

		looked_at = 0;
		for (uint32_t i = 0; i < CHOSEN; i++)
			assert_int_equal(index_put(&ix, keys, counted_key, keys[i], i), 0);
		looks[k] = looked_at;
		for (uint32_t i = 0; i < CHOSEN; i++)
			assert_int_equal(index_get(&ix, keys, counted_key, keys[i]), i);
		index_release(&ix);
	}
	assert_true(looks[0] > CHOSEN * CHOSEN / 4);
	assert_true(looks[1] < CHOSEN * 12 && looks[2] < CHOSEN * 12);
}

/* Who says what is not believed does not move a node to another shard. */
static void its_shard_is_believed_only_with_its_keyframe(void **state)
{
	struct inbox b = { .count = 0 };
	struct stream other = { .out = BUF_INIT };
	struct mqtt_message m = { .topic = "s1/02/00000008/k" };

	(void)state;
	message_say(&b, 1, 8, "k", "x");
	assert_int_equal(b.nodes[0]->shard, 1);
	stream_script(&other, "H e=1");		/* node 7's */
	m.data = (const uint8_t *)other.out.data;
	m.n = other.out.len;
	inbox_take(&b, 9 * S, &m);
	assert_int_equal(b.refused, 1);
	m = (struct mqtt_message){ .topic = "s1/02/00000008/up", .data = m.data, .n = 1 };
	inbox_take(&b, 9 * S, &m);
	assert_int_equal(b.nodes[0]->shard, 1);
	m.topic = "s1/02/00000008/k";
	m.data = (const uint8_t *)"y";
	inbox_take(&b, 9 * S, &m);
	assert_int_equal(b.nodes[0]->shard, 2);
	assert_int_equal(b.count, 1);
	stream_release(&other);
	inbox_release(&b);
}

/* A link gets the keyframe that is retained, though none was kept for it. */
static void a_node_that_is_told_is_opened(void **state)
{
	struct heard h = { 0 };
	struct inbox b = { .hear = node_hear, .ctx = &h };
	struct broker_node *n;

	(void)state;
	message_say(&b, 1, 7, "k", "a");
	n = inbox_find(&b, "s1", 7);
	n->opened = true;
	inbox_settle(n);
	assert_false(n->synced);
	message_say(&b, 1, 7, "k", "b");
	inbox_settle(n);
	assert_true(n->synced);
	assert_waits(n, "6200");
	assert_int_equal(h.keys, 2);
	inbox_release(&b);
}

static struct broker_node *key_put(struct inbox *b, uint32_t id, uint64_t now, const char *data,
				   const struct mqtt_extra *extra)
{
	char topic[64];
	const struct mqtt_message m = {
		.topic = topic, .data = (const uint8_t *)data, .n = strlen(data), .extra = *extra,
	};
	struct broker_node *n;

	snprintf(topic, sizeof(topic), "s/01/%08x/k", id);
	inbox_take(b, now, &m);
	n = inbox_find(b, "s", id);
	n->opened = true;
	return n;
}

static void wire_put(struct inbox *b, uint32_t id, const char *data)
{
	char topic[64];
	const struct mqtt_message m = {
		.topic = topic, .data = (const uint8_t *)data, .n = strlen(data),
	};

	snprintf(topic, sizeof(topic), "s/01/%08x/w", id);
	inbox_take(b, 9 * S, &m);
}

/* One that was due before its relay had the lease has a gap behind it: it is not numbered. */
static void the_keyframe_of_the_lease_is_awaited(void **state)
{
	const struct mqtt_extra before = { .wall_us = 4711 }, old = { 0 };	/* MQTT 3.1.1 */
	const struct mqtt_extra led = { .wall_us = 4712, .number = 3 };
	struct inbox b = { 0 };
	struct broker_node *n;

	(void)state;
	key_put(&b, 7, 20 * S, "a", &before);
	n = key_put(&b, 7, 20 * S, "b", &before);
	assert_false(n->synced);
	assert_int_equal(b.answered_ns, 0);
	assert_waits(n, "");
	key_put(&b, 7, 21 * S, "c", &led);
	assert_true(n->synced);
	assert_int_equal(b.answered_ns, 21 * S);
	assert_waits(n, "6300");
	key_put(&b, 7, 21 * S, "c", &before);		/* nothing came behind it: they go on */
	assert_waits(n, "6300");
	wire_put(&b, 7, "x");
	key_put(&b, 7, 21 * S, "c", &before);
	assert_waits(n, "7800");
	key_put(&b, 8, 22 * S, "d", &old);
	n = key_put(&b, 8, 22 * S, "e", &old);
	assert_true(n->synced);
	assert_int_equal(b.answered_ns, 22 * S);
	assert_waits(n, "6500");
	inbox_release(&b);
}

static void relay_say(struct inbox *b, const char *name, const char *text)
{
	char topic[64];
	const struct mqtt_message m = {
		.topic = topic, .data = (const uint8_t *)text, .n = strlen(text), .retained = true,
	};

	snprintf(topic, sizeof(topic), TOPIC_RELAY "%s", name);
	inbox_take(b, 9 * S, &m);
	inbox_follow(b);
}

/* A relay's last will is of all its nodes, whether it comes before their `up` or behind it. */
static void a_will_takes_nodes_away(void **state)
{
	struct heard h = { 0 };
	struct inbox b = { .hear = node_hear, .ctx = &h };
	struct buf fresh = BUF_INIT;

	(void)state;
	for (uint32_t id = 0; id < 6; id++)
		message_say(&b, 1, id, "up", id % 2 ? "east commands" : "west");
	relay_say(&b, "west", "0");
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(b.nodes[i]->away, i % 2 == 0);
	assert_int_equal(h.went, 3);
	relay_say(&b, "west", "0");
	relay_say(&b, "nobody", "0");
	assert_int_equal(h.went, 3);
	message_say(&b, 1, 6, "up", "west");
	assert_true(b.nodes[6]->away);
	message_say(&b, 1, 2, "up", "east");		/* another relay has it now */
	assert_false(b.nodes[2]->away);
	b.nodes[0]->lease_ns = b.nodes[1]->lease_ns = 7;
	relay_say(&b, "east", "0");
	relay_say(&b, "west", "1");
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(b.nodes[i]->away, i % 2 || i == 2);
	assert_int_equal(b.nodes[0]->lease_ns, 0);	/* asked for again */
	assert_int_equal(b.nodes[1]->lease_ns, 7);
	relay_say(&b, "east", "");			/* cleared */
	for (size_t i = 0; i < 7; i++)
		assert_false(b.nodes[i]->away);
	/* The will of a connection that is over: its nodes tell more. */
	relay_say(&b, "east", "0");
	message_say(&b, 1, 1, "k", "x");
	inbox_follow(&b);
	assert_true(b.nodes[1]->away);			/* that was retained */
	buf_add(&fresh, "x", 1);
	message_put(&b, "s1/01/00000001/k", &fresh, false);
	inbox_follow(&b);
	assert_false(b.nodes[1]->away);
	assert_false(b.nodes[3]->away);
	message_say(&b, 1, 3, "up", "0");
	relay_say(&b, "0", "1");
	assert_true(b.nodes[3]->away);
	buf_release(&fresh);
	inbox_release(&b);
}

/* In any order; what is beyond the bound is not kept. */
static void relays_are_bounded(void **state)
{
	struct inbox b = { .count = 0 };
	char name[16];

	(void)state;
	for (unsigned i = 0; i < INBOX_RELAYS + 5; i++) {
		snprintf(name, sizeof(name), "r%u", i * 7919 % 10007);
		relay_say(&b, name, "0");
	}
	assert_int_equal(b.gone_count, INBOX_RELAYS);
	for (size_t i = 1; i < b.gone_count; i++)
		assert_true(b.gone[i - 1] < b.gone[i]);
	for (unsigned i = 0; i < INBOX_RELAYS; i++) {
		snprintf(name, sizeof(name), "r%u", i * 7919 % 10007);
		relay_say(&b, name, "1");
	}
	assert_int_equal(b.gone_count, 0);
	inbox_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_bounded),
		cmocka_unit_test(changes_are_bounded),
		cmocka_unit_test(chosen_ids_do_not_collide),
		cmocka_unit_test(its_shard_is_believed_only_with_its_keyframe),
		cmocka_unit_test(other_ids_are_foreign),
		cmocka_unit_test(a_hello_among_text_is_foreign),
		cmocka_unit_test(payloads_stay_apart),
		cmocka_unit_test(many_are_found),
		cmocka_unit_test(keyframes_that_are_kept_are_bounded),
		cmocka_unit_test(a_node_that_is_told_is_opened),
		cmocka_unit_test(the_keyframe_of_the_lease_is_awaited),
		cmocka_unit_test(a_will_takes_nodes_away),
		cmocka_unit_test(relays_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
