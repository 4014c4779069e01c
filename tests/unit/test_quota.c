/*
 * quota: one limit for all that is kept of many nodes. Who fills it, from whichever side, is
 * refused there and counted; the past gives way; the heap stays below it.
 */
#include "tests/unit/unit.h"
#define stream frames			/* the frames' type: core/history/stream.h has another */
#include "tests/unit/wsn_stream.h"
#undef stream

#include <malloc.h>

#include "core/base/clock.h"
#include "core/base/quota.h"
#include "core/collect/shard.h"
#include "core/fleet/crowd.h"
#include "core/history/history.h"
#include "core/history/stream.h"
#include "core/link/inbox.h"

#define LIMIT ((size_t)4 << 20)
#define S CLOCK_SECOND

/* 75 call sites, which count more with each second. */
static void sites_script(struct buf *b, unsigned id, unsigned epoch, unsigned second)
{
	buf_reset(b);
	buf_addf(b, "H k=128 i=%u e=%u", id, epoch);
	for (unsigned i = 0; i < 75; i++)
		buf_addf(b, "%s %u %u %u %u %u 1 9", i % 15 ? "" : "|S", i % 15 ? 0 : i, 0x110 + i,
			 0x200 + 16 * i, second, second * (100 - i));
	buf_addf(b, "|T %u", second * 1000);
}

static enum crowd_result crowd_say(struct crowd *c, unsigned id)
{
	const struct crowd_heard heard = { .place = "p", .id = id, .heard_ns = 1 };
	struct frames s = { .out = BUF_INIT };
	struct buf script = BUF_INIT;
	enum crowd_result r;

	sites_script(&script, id, 1, 5);
	stream_script(&s, buf_str(&script));
	r = crowd_feed(c, &heard, s.out.data, s.out.len);
	stream_release(&s);
	buf_release(&script);
	return r;
}

static void inbox_say(struct inbox *b, uint32_t id, const char *leaf, const void *data, size_t n)
{
	char topic[64];
	const struct mqtt_message m = { .topic = topic, .data = data, .n = n };

	snprintf(topic, sizeof(topic), "s/01/%08x/%s", id, leaf);
	inbox_take(b, 9 * S, &m);
}

/* --- by itself -------------------------------------------------------------------------------- */

struct past {
	struct quota_part part;
	size_t kept, floor;
};

static void past_give(void *owner, size_t room)
{
	struct past *p = owner;

	assert_true(room >= p->part.least);
	room = room > p->floor ? room : p->floor;
	p->kept = p->kept < room ? p->kept : room;
	quota_set(&p->part, p->kept);
}

/* Two of each kind, one that cannot give all that it should; 20,000 steps of a seed. */
static void the_sum_stays_within_the_limit(void **state)
{
	struct quota q;
	struct quota_part firm[2];
	struct past past[2] = { { .floor = 0 }, { .floor = 300 } };
	uint32_t seed = 7;
	uint64_t refused = 0, granted = 0;

	(void)state;
	quota_init(&q, 1000);
	for (int i = 0; i < 2; i++) {
		quota_join(&q, &firm[i]);
		quota_join_elastic(&q, &past[i].part, 100, past_give, &past[i]);
	}
	for (int step = 0; step < 20000; step++) {
		size_t bytes, before, room;
		int i;

		seed = seed * 1664525 + 1013904223;
		i = seed >> 16 & 1;
		bytes = (seed >> 17) % 900;
		before = firm[i].used;
		room = quota_room(&past[i].part);
		if (seed >> 30 == 0) {
			past[i].kept = bytes < room ? bytes : room;
			quota_set(&past[i].part, past[i].kept);
		} else if (quota_take(&firm[i], bytes)) {
			granted++;
			assert_int_equal(firm[i].used, bytes);
		} else {
			refused++;
			assert_int_equal(firm[i].used, before);
			assert_true(bytes > before);
		}
		assert_true(firm[0].used + firm[1].used + past[0].kept + past[1].kept <= 1000);
		assert_true(quota_room(&past[i].part) >= 100);
	}
	assert_true(refused > 1000 && granted > 1000);
	assert_int_equal(q.refused, refused);
	for (int i = 0; i < 2; i++) {
		quota_leave(&firm[i]);
		quota_leave(&past[i].part);
	}
	assert_int_equal(q.held, 0);
	assert_null(q.parts);
	quota_leave(&firm[0]);
	assert_true(quota_take(&firm[0], SIZE_MAX));	/* in none */
}

/* --- by the parts of a program ---------------------------------------------------------------- */

/* Nodes until one is refused; who is there goes on. */
static void it_is_filled_by_nodes(void **state)
{
	struct quota q;
	struct crowd *c;
	struct crowd_tally tally;
	unsigned id = 0;

	(void)state;
	quota_init(&q, LIMIT);
	c = crowd_new(&(struct crowd_limits){ .quota = &q, .node_beside = 500, .row_beside = 32 });
	while (crowd_say(c, id) == CROWD_TAKEN)
		id++;
	assert_in_range(id, LIMIT / 7000, LIMIT / 5500);
	assert_int_equal(q.held, crowd_memory(c));
	assert_true(q.held <= LIMIT && q.held > LIMIT * 9 / 10);
	assert_int_equal(q.refused, 1);
	assert_int_equal(crowd_say(c, 0), CROWD_AGAIN);
	crowd_tally(c, &tally);
	assert_int_equal(tally.by[CROWD_NO_ROOM], 1);
	crowd_free(c);
	assert_int_equal(q.held, 0);
}

/* A node that tells nothing, and builds of sites that nobody else has: they are no way round it. */
static void nothing_is_for_nothing(void **state)
{
	struct quota q;
	struct crowd *c;
	struct frames s = { .out = BUF_INIT };
	struct buf script = BUF_INIT;
	unsigned id = 0, left_out = 0;

	(void)state;
	quota_init(&q, (size_t)200 << 10);
	c = crowd_new(&(struct crowd_limits){ .quota = &q });
	for (unsigned k = 0; k < 400; k++) {
		const struct crowd_heard heard = { .place = "p", .id = 9, .told_us = k + 1 };

		buf_reset(&script);
		buf_addf(&script, "H k=128 i=9 e=%u", k);
		for (unsigned i = 0; i < 75; i++)
			buf_addf(&script, "%s %u %u %u 1 1 1 9", i % 15 ? "" : "|S", i % 15 ? 0 : i,
				 0x110 + i, 0x20000 + 75 * 16 * k + 16 * i);
		buf_addf(&script, "|T 1000");
		s.out.len = 0;
		stream_script(&s, buf_str(&script));
		left_out += crowd_feed(c, &heard, s.out.data, s.out.len) == CROWD_NO_ROOM;
		crowd_build(c, 0);
		assert_true(crowd_memory(c) <= q.limit);
	}
	assert_true(left_out > 300);
	crowd_free(c);
	c = crowd_new(&(struct crowd_limits){ .quota = &q });
	for (;; id++) {
		const struct crowd_heard heard = { .place = "p", .id = id };

		buf_reset(&script);
		buf_addf(&script, "H i=%u|T 1", id);
		s.out.len = 0;
		stream_script(&s, buf_str(&script));
		if (crowd_feed(c, &heard, s.out.data, s.out.len) != CROWD_TAKEN)
			break;
	}
	assert_in_range(id, 300, 1200);
	assert_true(crowd_memory(c) <= q.limit + 40000);	/* an index doubles */
	stream_release(&s);
	buf_release(&script);
	crowd_free(c);
}

/* What nobody took yet, of nodes that are open; then who only has a name. */
static void it_is_filled_by_what_waits(void **state)
{
	static uint8_t data[INBOX_WIRE];
	struct quota q;
	struct inbox b;
	struct broker_node *n = NULL;
	uint32_t id = 0;

	(void)state;
	quota_init(&q, LIMIT);
	inbox_init(&b, &q);
	for (; id < 5; id++) {
		inbox_say(&b, id, "hello", "x", 1);
		n = b.nodes[id];
		n->opened = n->synced = true;
		for (int i = 0; i < 16; i++)
			inbox_wait(n, data, sizeof(data));
	}
	assert_true(q.held <= LIMIT);
	assert_true(n->dropped > 0);
	for (; id < 100000 && !b.beyond[INBOX_BY_MEMORY]; id++)
		inbox_say(&b, id, "hello", "x", 1);
	assert_true(id < 100000);
	assert_true(q.held <= LIMIT && q.held > LIMIT * 9 / 10);
	/* one is let go: there is room */
	inbox_close(b.nodes[0]);
	inbox_say(&b, id + 1, "hello", "x", 1);
	assert_non_null(inbox_find(&b, "s", id + 1));
	for (size_t i = 0; i < 5; i++)
		inbox_close(b.nodes[i]);
	assert_true(q.held < b.count * (sizeof(*n) + 64));
	inbox_release(&b);
	assert_int_equal(q.held, 0);
}

/* The past of nodes has what is left, and gives it to nodes that come. */
static void the_past_gives_way(void **state)
{
	static uint8_t data[8000];
	struct stream *stream = stream_new();
	struct history_budget past;
	struct quota q;
	struct crowd *c;
	unsigned id = 0;

	(void)state;
	quota_init(&q, LIMIT);
	history_budget_init(&past);
	history_draw(&past, &q);
	stream_share(stream, &past);
	for (uint64_t i = 0; i < 3 * LIMIT / sizeof(data); i++)
		stream_add(stream, i, data, sizeof(data));
	assert_in_range(stream_kept(stream), LIMIT * 8 / 10, LIMIT);
	c = crowd_new(&(struct crowd_limits){ .quota = &q });
	while (crowd_say(c, id) == CROWD_TAKEN) {
		id++;
		assert_true(stream_kept(stream) + crowd_memory(c) <= LIMIT);
		assert_true(q.held <= LIMIT);
	}
	assert_true(crowd_memory(c) > LIMIT * 8 / 10);
	assert_in_range(stream_kept(stream), 1, LIMIT / 16);
	for (uint64_t i = 0; i < 100; i++)
		stream_add(stream, 1 << 20 | i, data, sizeof(data));
	assert_in_range(stream_kept(stream), 1, LIMIT / 16);
	crowd_free(c);
	for (uint64_t i = 0; i < 3 * LIMIT / sizeof(data); i++)
		stream_add(stream, 1 << 21 | i, data, sizeof(data));
	assert_in_range(stream_kept(stream), LIMIT * 8 / 10, LIMIT);
	stream_free(stream);
	history_part(&past);
	assert_int_equal(q.held, 0);
}

static bool shard_say(struct shard *s, unsigned id, unsigned epoch, unsigned second)
{
	const struct topic t = { .site = "p", .shard = 0, .node = id, .leaf = TOPIC_KEY };
	struct mqtt_message m = { .extra = { .wall_us = second * 1000000ull } };
	struct frames frames = { .out = BUF_INIT };
	struct buf script = BUF_INIT;
	bool news;

	sites_script(&script, id, epoch, second);
	stream_script(&frames, buf_str(&script));
	m.data = (const uint8_t *)frames.out.data;
	m.n = frames.out.len;
	news = shard_take(s, second * S, &t, &m);
	stream_release(&frames);
	buf_release(&script);
	return news;
}

/* Nodes of two shards, and what they counted in epochs that are over. */
static void it_is_filled_by_epochs_that_end(void **state)
{
	static struct elfs none;
	struct quota q;
	const struct shard_terms terms = { .elfs = &none, .shards = 1, .quota = &q };
	struct shard *a, *b;
	struct shard_tally tally = { 0 };
	unsigned id = 0;

	(void)state;
	quota_init(&q, LIMIT);
	a = shard_new(&terms, 0);
	b = shard_new(&terms, 0);
	for (; id < LIMIT / 4000; id++)
		assert_true(shard_say(id % 2 ? a : b, id, 1, 10));
	for (unsigned i = 0; i < id; i++)
		assert_true(shard_say(i % 2 ? a : b, i, 2, 20));
	assert_true(q.held <= LIMIT);
	shard_tally(a, &tally);
	shard_tally(b, &tally);
	assert_int_equal(tally.ended, id);
	assert_in_range(tally.ends_lost, 1, id - 100);
	assert_int_equal(tally.refused, 0);
	/* of whom something is kept, more is added */
	assert_true(shard_say(b, 0, 3, 40));
	tally = (struct shard_tally){ 0 };
	shard_tally(b, &tally);
	assert_true(q.held <= LIMIT);
	while (id < LIMIT / 1000 && shard_say(a, id, 1, 50))
		id++;
	assert_true(q.held <= LIMIT);
	shard_tally(a, &tally);
	assert_int_equal(tally.refused, 1);
	shard_free(a);
	shard_free(b);
	assert_int_equal(q.held, 0);
}

/* --- all of a fleet --------------------------------------------------------------------------- */

static size_t heap_used(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

struct ear {
	struct crowd *crowd;
	size_t taken;
};

static void word_hear(void *ctx, const struct broker_node *n, const struct mqtt_message *m)
{
	const struct crowd_heard heard = { .place = "s", .id = n->id, .heard_ns = 1 };
	struct ear *e = ctx;

	if (m)
		e->taken += crowd_feed(e->crowd, &heard, m->data, m->n) == CROWD_TAKEN;
}

/* The heap itself is asked: inbox, crowd and past of more nodes than 4 MB have room for. */
static void a_fleet_stays_below_it(void **state)
{
	enum { NODES = 2000 };
	static uint8_t data[8000];
	struct buf script = BUF_INIT;
	struct history_budget past;
	struct stream *stream;
	struct quota q;
	struct ear e = { 0 };
	struct inbox b;
	size_t before;

	(void)state;
	sites_script(&script, 0, 1, 5);
	before = heap_used();
	quota_init(&q, LIMIT);
	history_budget_init(&past);
	history_draw(&past, &q);
	stream = stream_new();
	stream_share(stream, &past);
	inbox_init(&b, &q);
	e.crowd = crowd_new(&(struct crowd_limits){ .quota = &q });
	b.hear = word_hear;
	b.ctx = &e;
	for (uint32_t id = 0; id < NODES; id++) {
		struct frames of = { .out = BUF_INIT };

		stream_add(stream, id, data, sizeof(data));
		sites_script(&script, id, 1, 5);
		stream_script(&of, buf_str(&script));
		inbox_say(&b, id, "k", of.out.data, of.out.len);
		stream_release(&of);
		assert_true(q.held <= LIMIT);
	}
	assert_in_range(e.taken, 900, 1500);
	assert_true(b.beyond[INBOX_BY_MEMORY] || b.count == NODES);
	assert_true(q.refused >= NODES - e.taken);
	/* what the heap has beyond: malloc's own, and rows that are read */
	assert_true(heap_used() - before < LIMIT + LIMIT / 8);
	print_message("%zu of %d nodes in %zu KB; the heap has %zu KB\n", e.taken, NODES,
		      q.held >> 10, (heap_used() - before) >> 10);
	crowd_free(e.crowd);
	inbox_release(&b);
	stream_free(stream);
	history_part(&past);
	assert_int_equal(q.held, 0);
	buf_release(&script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum_stays_within_the_limit),
		cmocka_unit_test(it_is_filled_by_nodes),
		cmocka_unit_test(nothing_is_for_nothing),
		cmocka_unit_test(it_is_filled_by_what_waits),
		cmocka_unit_test(the_past_gives_way),
		cmocka_unit_test(it_is_filled_by_epochs_that_end),
		cmocka_unit_test(a_fleet_stays_below_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
