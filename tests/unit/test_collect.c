/*
 * shard, sum: what nodes counted, added up: keyframes that come twice or late add nothing, an epoch
 * that is over stays, who takes a shard over goes on; what is not believed; texts there and back.
 */
#include "tests/unit/unit.h"
#include "tests/unit/wsn_stream.h"

#include "core/base/clock.h"
#include "core/collect/shard.h"
#include "core/link/guard.h"

#define S CLOCK_SECOND

/* main 0x200 calls f 0x400, ROWS(run, calls, ticks). */
#define ROWS(run, calls, ticks) "S 0 0x110 0x200 " #calls " " #ticks " 1 9|T " #run

static struct elfs none;
static struct quota memory = { .limit = 1 << 30 };
static const struct shard_terms terms = { .elfs = &none, .shards = 64, .quota = &memory };

static bool message_take(struct shard *s, uint64_t now, struct topic t, const char *script,
			 struct mqtt_message m)
{
	struct stream stream = { .out = BUF_INIT };
	bool news;

	stream_script(&stream, script);
	m.data = (const uint8_t *)stream.out.data;
	m.n = stream.out.len;
	news = shard_take(s, now, &t, &m);
	stream_release(&stream);
	return news;
}

/* The streams' node, 7, told at a second. */
static bool key_take(struct shard *s, unsigned second, bool late, const char *script)
{
	const struct topic t = { .site = "plant1", .shard = topic_shard(7, 64), .node = 7,
				 .leaf = TOPIC_KEY };
	const struct mqtt_message m = { .extra = { .wall_us = second * 1000000ull, .late = late } };

	return message_take(s, second * S, t, script, m);
}

static void assert_counts(struct shard *s, uint64_t nodes, uint64_t ended, uint64_t calls,
			  uint64_t ticks, uint64_t run)
{
	struct sum sum = { .count = 0 };
	uint64_t seen[5] = { 0 };

	shard_sum(s, &sum, true);
	for (size_t i = 0; i < sum.count; i++) {
		const struct sum_part *p = sum.parts[i];

		seen[0] += p->nodes;
		seen[1] += p->ended;
		seen[4] += p->run;
		for (size_t k = 0; k < p->count; k++) {
			seen[2] += p->rows[k].calls;
			seen[3] += p->rows[k].total;
		}
	}
	sum_release(&sum);
	assert_int_equal(seen[0], nodes);
	assert_int_equal(seen[1], ended);
	assert_int_equal(seen[2], calls);
	assert_int_equal(seen[3], ticks);
	assert_int_equal(seen[4], run);
}

static struct shard *shard_of_7(void)
{
	struct shard *s = shard_new(&terms, topic_shard(7, 64));

	assert_non_null(s);
	return s;
}

static void totals_replace_and_epochs_stay(void **state)
{
	struct shard *s = shard_of_7();

	(void)state;
	assert_true(key_take(s, 10, false, "H e=1|" ROWS(1000, 4, 800)));
	assert_false(key_take(s, 10, false, "H e=1|" ROWS(1000, 4, 800)));
	assert_counts(s, 1, 0, 4, 800, 1000);
	assert_true(key_take(s, 20, false, "H e=1|" ROWS(2000, 9, 1700)));
	assert_false(key_take(s, 15, true, "H e=1|" ROWS(1500, 6, 1200)));
	assert_counts(s, 1, 0, 9, 1700, 2000);
	assert_true(key_take(s, 30, false, "H e=2|" ROWS(100, 1, 50)));
	assert_counts(s, 1, 1, 10, 1750, 2100);
	assert_false(key_take(s, 31, true, "H e=1|" ROWS(2500, 10, 1900)));	/* it is over */
	assert_true(key_take(s, 40, false, "H e=2|" ROWS(300, 3, 150)));
	assert_true(key_take(s, 50, false, "H e=3|" ROWS(10, 1, 5)));
	assert_counts(s, 1, 2, 13, 1855, 2310);
	shard_free(s);
}

/* Another collector: the node's keyframe and its past, in either order; twice is once. */
static void who_takes_over_goes_on(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		struct shard *s = shard_of_7(), *next = shard_of_7();
		struct shard_past p;
		struct buf text = BUF_INIT;
		static struct out out;
		size_t at = 0;

		key_take(s, 10, false, "H e=1|" ROWS(2000, 9, 1700));
		key_take(s, 20, false, "H e=2|" ROWS(100, 1, 50));
		assert_true(shard_past_next(s, &at, false, &p));
		assert_int_equal(p.node, 7);
		assert_string_equal(p.site, "plant1");
		out_open_buf(&out, &text);
		sum_write(p.sum, &out);
		assert_int_equal(out_close(&out, NULL), 0);
		shard_past_told(s, at);
		at = 0;
		assert_false(shard_past_next(s, &at, false, &p));
		at = 0;
		assert_true(shard_past_next(s, &at, true, &p));
		if (order)
			key_take(next, 20, false, "H e=2|" ROWS(100, 1, 50));
		assert_true(shard_past_take(next, "plant1", 7, text.data, text.len));
		assert_false(shard_past_take(next, "plant1", 7, text.data, text.len));
		if (!order)
			key_take(next, 20, false, "H e=2|" ROWS(100, 1, 50));
		assert_counts(next, 1, 1, 10, 1750, 2100);
		key_take(next, 30, false, "H e=3|" ROWS(10, 1, 5));
		assert_false(shard_past_take(next, "plant1", 7, text.data, text.len));
		assert_counts(next, 1, 2, 11, 1755, 2110);
		for (size_t cut = 0; cut < text.len - 3; cut++)	/* behind its ]} */
			assert_false(shard_past_take(s, "plant1", 8, text.data, cut));
		buf_release(&text);
		shard_free(next);
		shard_free(s);
	}
}

/* As the broker has it for who subscribes: retained, of an epoch that ended. */
static bool kept_take(struct shard *s, unsigned second, const char *script)
{
	const struct topic t = { .site = "plant1", .shard = topic_shard(7, 64), .node = 7,
				 .leaf = TOPIC_KEY };
	const struct mqtt_message m = {
		.retained = true, .extra = { .wall_us = second * 1000000ull, .late = true },
	};

	return message_take(s, second * S, t, script, m);
}

static void past_move(struct shard *from, struct shard *to)
{
	struct buf text = BUF_INIT;
	struct shard_past p;
	static struct out out;
	size_t at = 0;

	assert_true(shard_past_next(from, &at, true, &p));
	out_open_buf(&out, &text);
	sum_write(p.sum, &out);
	assert_int_equal(out_close(&out, NULL), 0);
	assert_true(shard_past_take(to, "plant1", 7, text.data, text.len));
	buf_release(&text);
}

/*
 * An epoch that ended while its shard had no owner: its last keyframe is retained for that long.
 * Where there was one, it has told it as the node's past: it counts once, whatever comes first.
 */
static void an_epoch_that_ends_meanwhile_counts_once(void **state)
{
	(void)state;
	for (int order = 0; order < 3; order++) {
		struct shard *s = shard_of_7(), *next = shard_of_7();

		key_take(s, 10, false, "H e=1|" ROWS(1500, 6, 1200));
		key_take(s, 20, true, "H e=1|" ROWS(2000, 9, 1700));
		key_take(s, 21, false, "H e=2|" ROWS(100, 1, 50));
		if (order == 1)
			past_move(s, next);
		assert_int_equal(kept_take(next, 20, "H e=1|" ROWS(2000, 9, 1700)), order != 1);
		if (order == 2)
			past_move(s, next);
		assert_counts(next, order == 0, order != 0, 9, 1700, 2000);
		assert_true(key_take(next, 30, false, "H e=2|" ROWS(300, 3, 150)));
		assert_counts(next, 1, 1, 12, 1850, 2300);
		assert_true(key_take(next, 40, false, "H e=3|" ROWS(10, 1, 5)));
		assert_counts(next, 1, 2, 13, 1855, 2310);
		shard_free(next);
		shard_free(s);
	}
}

/* A node without a memory of its epochs has the same number again: it is told by its going on. */
static void an_epoch_whose_number_came_again_counts(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		struct shard *s = shard_of_7(), *next = shard_of_7();

		key_take(s, 10, false, "H e=1|" ROWS(2000, 9, 1700));
		key_take(s, 20, false, "H e=2|" ROWS(100, 1, 50));
		if (order)
			kept_take(next, 30, "H e=1|" ROWS(200, 2, 100));
		past_move(s, next);
		if (!order)
			kept_take(next, 30, "H e=1|" ROWS(200, 2, 100));
		assert_counts(next, 0, 1, 9, 1700, 2000);
		assert_true(key_take(next, 40, false, order ? "H e=1|" ROWS(200, 2, 100) :
					       "H e=1|" ROWS(300, 2, 100)));
		assert_counts(next, 1, 1, 11, 1800, 2200 + 100 * !order);
		shard_free(next);
		shard_free(s);
	}
}

static void what_is_not_believed(void **state)
{
	const unsigned own = topic_shard(7, 64);
	const struct {
		struct topic t;
		const char *script;
		bool news;
		uint64_t refused, doubtful, nodes;
	} rows[] = {
		{ { "a", own, 7, TOPIC_KEY }, "H e=1|" ROWS(1000, 4, 800), true, 0, 0, 1 },
		{ { "a", own, 8, TOPIC_KEY }, "H e=1|" ROWS(1000, 4, 800), false, 1, 0, 0 },
		{ { "a", own + 1, 7, TOPIC_KEY }, "H e=1|" ROWS(1000, 4, 800), false, 1, 0, 0 },
		{ { "a", own, 7, TOPIC_KEY }, "H e=1 i=9|" ROWS(1000, 4, 800), false, 1, 0, 0 },
		{ { "a", own, 7, TOPIC_KEY }, "H e=1|-T 5|" ROWS(1000, 4, 800), false, 1, 0, 0 },
		{ { "a", own, 7, TOPIC_KEY }, ROWS(1000, 4, 800), false, 1, 0, 0 },
		{ { "a", own, 7, TOPIC_KEY }, "t nothing", false, 1, 0, 0 },
		{ { "a", own, 7, TOPIC_WIRE }, "H e=1|" ROWS(1000, 4, 800), false, 0, 0, 0 },
		/* three hours of a function in a second */
		{ { "a", own, 7, TOPIC_KEY }, "H e=1|" ROWS(8000000, 4, 86400000000), true,
		  0, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct shard *s = shard_of_7();
		struct sum sum = { .count = 0 };
		const struct mqtt_message m = { .extra = { .wall_us = 10000000 } };

		assert_int_equal(message_take(s, 10 * S, rows[i].t, rows[i].script, m),
				 rows[i].news);
		shard_sum(s, &sum, true);
		assert_int_equal(sum.refused, rows[i].refused);
		assert_int_equal(sum.doubtful, rows[i].doubtful);
		assert_int_equal(sum.count ? sum.parts[0]->nodes : 0, rows[i].nodes);
		sum_release(&sum);
		shard_free(s);
	}
}

/* A clock that runs ahead: left out until the epoch ends, and not part of the past then. */
static void a_fast_clock_is_left_out(void **state)
{
	struct shard *s = shard_of_7();

	(void)state;
	key_take(s, 10, false, "H e=1|" ROWS(8000000, 4, 800));
	key_take(s, 20, false, "H e=1|" ROWS(88000000, 9, 1700));
	assert_counts(s, 1, 0, 9, 1700, 88000000);
	key_take(s, 30, false, "H e=1|" ROWS(800000000, 10, 1800));
	assert_counts(s, 0, 0, 0, 0, 0);
	key_take(s, 40, false, "H e=2|" ROWS(1000, 2, 20));
	assert_counts(s, 1, 0, 2, 20, 1000);
	shard_free(s);
}

static void epochs_cannot_storm(void **state)
{
	struct shard *s = shard_of_7();
	struct sum sum = { .count = 0 };
	unsigned taken = 0;

	(void)state;
	for (unsigned i = 1; i <= 20; i++) {
		char script[80];

		snprintf(script, sizeof(script), "H e=%u|" ROWS(1000, 4, 800), i);
		taken += key_take(s, 10, false, script);
	}
	assert_int_equal(taken, 7);	/* the first one, and six changes */
	shard_sum(s, &sum, true);
	assert_int_equal(sum.refused, 13);
	assert_int_equal(sum.parts[0]->ended, 6);
	sum_release(&sum);
	shard_free(s);
}

static void floods_are_refused(void **state)
{
	struct shard *s = shard_of_7();
	struct sum sum = { .count = 0 };

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		key_take(s, 10, false, "H e=1|" ROWS(1000, 4, 800));
	shard_sum(s, &sum, true);
	assert_int_equal(sum.refused, 2000 - GUARD_SAVED * GUARD_MESSAGES);
	sum_release(&sum);
	shard_free(s);
}

/* Another firmware than any ELF's: counted, not added. */
static void unknown_firmware_is_apart(void **state)
{
	struct elf elf = { .image = NULL };
	struct elfs elfs = { .items = &elf, .count = 1 };
	const struct shard_terms strict = { .elfs = &elfs, .shards = 64, .quota = &memory };
	struct shard *s = shard_new(&strict, topic_shard(7, 64));
	struct sum sum = { .count = 0 };

	(void)state;
	assert_true(key_take(s, 10, false, "H e=1|" ROWS(1000, 4, 800)));
	assert_false(key_take(s, 20, false, "H e=1|" ROWS(2000, 5, 900)));
	shard_sum(s, &sum, true);
	assert_int_equal(sum.unknown, 1);
	assert_int_equal(sum.count, 0);
	sum_release(&sum);
	shard_free(s);
}

/* --- sums ------------------------------------------------------------------------------------- */

static void sum_make(struct sum *s, unsigned seed)
{
	for (unsigned i = 0; i < 3 + seed % 3; i++) {
		struct sum_key key = {
			.build = { .kind = i % 2 ? WIRE_IDENTITY_SUM : WIRE_IDENTITY_BUILD_ID,
				   .a = (uint16_t)(i % 2 ? i : 0), .b = (uint16_t)(i % 2) },
			.ticks_per_second = 1000000, .features = 1,
		};
		struct sum_part *p;

		memset(key.build.build_id, i % 2 ? 0 : (int)i, sizeof(key.build.build_id));
		snprintf(key.site, sizeof(key.site), "site/%u", i / 2);
		p = sum_part(s, &key);
		assert_non_null(p);
		p->nodes = seed + i;
		p->run = UINT64_C(1) << 60;
		assert_true(shares_read(&p->shares, "3f0 1 5 0101b10201 2a/351234567/1200"));
		for (unsigned k = 0; k < 20; k++)
			sum_add(p, k % 3 == 0 ? TOTAL_PC : k % 3 == 1 ? TOTAL_ARC : TOTAL_SITE,
				k * seed, k, (UINT64_C(1) << 57) + k, seed);
	}
}

static char *sum_text(const struct sum *s)
{
	static struct out out;
	struct buf text = BUF_INIT;

	out_open_buf(&out, &text);
	sum_write(s, &out);
	assert_int_equal(out_close(&out, NULL), 0);
	return buf_detach(&text);
}

static uint64_t sum_figure(const struct sum *s)
{
	uint64_t x = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct sum_part *p = s->parts[i];

		x += p->nodes * 3 + p->run * 5;
		for (size_t k = 0; k < p->count; k++)
			x += map_hash(p->rows[k].key + p->rows[k].kind) *
			     (p->rows[k].calls + p->rows[k].total * 7);
	}
	return x;
}

static void sums_are_added_in_any_order(void **state)
{
	struct sum parts[4] = { { .count = 0 } };
	struct sum a = { .count = 0 }, b = { .count = 0 }, d = { .count = 0 };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		sum_make(&parts[i], i + 1);
	for (unsigned i = 0; i < 4; i++) {
		sum_merge(&a, &parts[i]);
		sum_merge(&b, &parts[3 - i]);
	}
	assert_true(sum_figure(&a) == sum_figure(&b));
	assert_int_equal(a.parts[0]->nodes, 1 + 2 + 3 + 4);
	assert_int_equal(shares_find(&a.parts[0]->shares, 0x3f0)->nodes, 4);
	assert_true(a.parts[0]->run == UINT64_C(1) << 62);
	sum_merge(&a, &b);
	assert_true(a.parts[0]->run == (uint64_t)INT64_MAX);	/* it stops */
	assert_int_equal(sum_since(&d, &b, &parts[0]), 0);
	sum_merge(&d, &parts[0]);
	assert_true(sum_figure(&d) - sum_figure(&b) == parts[0].parts[0]->nodes * 3 +
		    parts[0].parts[1]->nodes * 3 + parts[0].parts[2]->nodes * 3 +
		    parts[0].parts[3]->nodes * 3);
	for (unsigned i = 0; i < 4; i++)
		sum_release(&parts[i]);
	sum_release(&a);
	sum_release(&b);
	sum_release(&d);
}

static void texts_are_read_back(void **state)
{
	struct sum s = { .by = "me" }, back = { .count = 0 };
	char *text, *again;

	(void)state;
	sum_make(&s, 5);
	s.unknown = 3;
	text = sum_text(&s);
	assert_int_equal(sum_read(&back, text, strlen(text)), 0);
	again = sum_text(&back);
	assert_string_equal(text, again);
	assert_true(sum_figure(&s) == sum_figure(&back));
	sum_release(&back);
	for (size_t i = 0; text[i]; i += 7) {
		char was = text[i];

		text[i] = '~';
		if (sum_read(&back, text, strlen(text)) == 0)
			sum_release(&back);
		text[i] = was;
	}
	free(text);
	free(again);
	sum_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_replace_and_epochs_stay),
		cmocka_unit_test(who_takes_over_goes_on),
		cmocka_unit_test(an_epoch_that_ends_meanwhile_counts_once),
		cmocka_unit_test(an_epoch_whose_number_came_again_counts),
		cmocka_unit_test(what_is_not_believed),
		cmocka_unit_test(a_fast_clock_is_left_out),
		cmocka_unit_test(epochs_cannot_storm),
		cmocka_unit_test(floods_are_refused),
		cmocka_unit_test(unknown_firmware_is_apart),
		cmocka_unit_test(sums_are_added_in_any_order),
		cmocka_unit_test(texts_are_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
