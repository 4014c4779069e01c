/* budget: what several keep together stays within the limit, whoever asks first. */
#include "tests/unit/unit.h"

#include "core/base/budget.h"
#include "core/base/mem.h"
#include "core/history/history.h"
#include "core/history/stream.h"

enum { MEMBERS = 7, LIMIT = 70000 };

struct keeper {
	struct budget_member member;
	size_t kept;
	bool stubborn;			/* gives nothing */
};

static void keeper_give(void *owner, size_t room)
{
	struct keeper *k = owner;

	if (!k->stubborn && k->kept > room)
		k->kept = room;
	budget_set(&k->member, k->kept);
}

static void keeper_want(struct keeper *k, size_t bytes)
{
	size_t room = budget_want(&k->member, bytes);

	k->kept = bytes < room ? bytes : room;
	budget_set(&k->member, k->kept);
}

static size_t kept_by_all(const struct keeper *k)
{
	size_t sum = 0;

	for (int i = 0; i < MEMBERS; i++)
		sum += k[i].kept;
	return sum;
}

static void one_has_all_two_have_half(void **state)
{
	struct keeper k[2] = { 0 };
	struct budget b;

	(void)state;
	budget_init(&b, LIMIT);
	budget_join(&b, &k[0].member, keeper_give, &k[0]);
	keeper_want(&k[0], LIMIT * 2);
	assert_int_equal(k[0].kept, LIMIT);
	budget_join(&b, &k[1].member, keeper_give, &k[1]);
	keeper_want(&k[1], LIMIT / 10);
	/* no more is taken than is wanted */
	assert_int_equal(k[0].kept, LIMIT - LIMIT / 10);
	keeper_want(&k[1], LIMIT);
	assert_int_equal(k[0].kept, LIMIT / 2);
	assert_int_equal(k[1].kept, LIMIT / 2);
	budget_leave(&k[0].member);
	assert_int_equal(budget_room(&k[1].member), LIMIT);
	budget_leave(&k[1].member);
	assert_int_equal(b.used, 0);
	assert_int_equal(b.count, 0);
}

static void the_limit_holds_in_any_order(void **state)
{
	struct keeper k[MEMBERS] = { 0 };
	uint32_t seed = 1;
	struct budget b;

	(void)state;
	budget_init(&b, LIMIT);
	for (int i = 0; i < MEMBERS; i++)
		budget_join(&b, &k[i].member, keeper_give, &k[i]);
	for (int i = 0; i < 10000; i++) {
		struct keeper *one;
		size_t bytes;

		seed = seed * 1664525 + 1013904223;
		one = &k[(seed >> 16) % MEMBERS];
		bytes = (seed >> 8) % (LIMIT * 3 / 2);
		keeper_want(one, bytes);
		assert_true(kept_by_all(k) <= LIMIT);
		assert_int_equal(b.used, kept_by_all(k));
		/* Nobody is kept from an equal share. */
		assert_true(one->kept >= (bytes < LIMIT / MEMBERS ? bytes : LIMIT / MEMBERS));
	}
}

/* It ends, and the one who asks still has its share. */
static void who_gives_nothing_stops_nobody(void **state)
{
	struct keeper k[2] = { { .stubborn = true } };
	struct budget b;

	(void)state;
	budget_init(&b, LIMIT);
	budget_join(&b, &k[0].member, keeper_give, &k[0]);
	keeper_want(&k[0], LIMIT);
	budget_join(&b, &k[1].member, keeper_give, &k[1]);
	keeper_want(&k[1], LIMIT);
	assert_int_equal(k[1].kept, LIMIT / 2);
}

/* The real ones: two nodes' bytes in one budget. */
static void streams_share_their_bytes(void **state)
{
	struct stream *a = stream_new(), *b = stream_new();
	static uint8_t data[8000];
	struct history_budget budget;

	(void)state;
	history_budget_init(&budget);
	stream_share(a, &budget);
	stream_share(b, &budget);
	for (uint64_t i = 0; i < 2 * HISTORY_STREAM_BYTES / sizeof(data); i++)
		stream_add(a, i, data, sizeof(data));
	assert_true(stream_kept(a) > HISTORY_STREAM_BYTES * 9ull / 10);
	for (uint64_t i = 0; i < 2 * HISTORY_STREAM_BYTES / sizeof(data); i++)
		stream_add(b, i, data, sizeof(data));
	assert_true(stream_kept(a) + stream_kept(b) <= HISTORY_STREAM_BYTES);
	assert_in_range(stream_kept(a), HISTORY_STREAM_BYTES * 4ull / 10, HISTORY_STREAM_BYTES / 2);
	assert_in_range(stream_kept(b), HISTORY_STREAM_BYTES * 4ull / 10, HISTORY_STREAM_BYTES / 2);
	assert_int_equal(stream_kept(a) + stream_dropped(a),
			 sizeof(data) * (2ull * HISTORY_STREAM_BYTES / sizeof(data)));
	stream_free(a);
	assert_int_equal(stream_room(b), HISTORY_STREAM_BYTES);
	stream_free(b);
}

/* What a stream lost for want of memory, the others may keep. */
static void a_stream_without_memory_keeps_nothing(void **state)
{
	struct stream *a = stream_new(), *b = stream_new();
	static uint8_t data[30000];
	struct history_budget budget;

	(void)state;
	history_budget_init(&budget);
	stream_share(a, &budget);
	stream_share(b, &budget);
	for (uint64_t i = 0; i < 100; i++)
		stream_add(a, i, data, sizeof(data));
	mem_fail_after(0);
	for (uint64_t i = 100; i < 110; i++)
		stream_add(a, i, data, sizeof(data));
	mem_fail_after(-1);
	assert_int_equal(stream_kept(a), 0);
	assert_int_equal(stream_dropped(a), 110 * sizeof(data));
	assert_int_equal(stream_room(b), HISTORY_STREAM_BYTES);
	assert_int_equal(budget.bytes.used, 0);
	stream_free(a);
	stream_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_has_all_two_have_half),
		cmocka_unit_test(the_limit_holds_in_any_order),
		cmocka_unit_test(who_gives_nothing_stops_nobody),
		cmocka_unit_test(streams_share_their_bytes),
		cmocka_unit_test(a_stream_without_memory_keeps_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
