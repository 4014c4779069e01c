/*
 * members: who owns which shard: all come to the same, shares are even enough, only those of a
 * member that goes move, and one alone owns all.
 */
#include "tests/unit/unit.h"

#include "core/collect/members.h"

enum { SHARDS = 64, GROUPS = 200 };

/* A group of n, as its member `self` sees it, in an order of its own. */
static void group_make(struct members *m, unsigned group, unsigned n, unsigned self)
{
	char id[MEMBER_ID];

	snprintf(id, sizeof(id), "host-%u-%u", group, self);
	members_init(m, id);
	for (unsigned i = 1; i < n; i++) {
		snprintf(id, sizeof(id), "host-%u-%u", group, (self + i) % n);
		assert_true(members_set(m, id, true));
	}
}

static void all_agree(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 7; n++) {
		unsigned owned[SHARDS] = { 0 };
		struct members first, m;

		group_make(&first, n, n, 0);
		for (unsigned self = 0; self < n; self++) {
			group_make(&m, n, n, self);
			for (unsigned shard = 0; shard < SHARDS; shard++) {
				assert_string_equal(members_owner(&m, shard),
						    members_owner(&first, shard));
				owned[shard] += members_owns(&m, shard);
			}
		}
		for (unsigned shard = 0; shard < SHARDS; shard++)
			assert_int_equal(owned[shard], 1);
	}
}

static unsigned shards_of(const struct members *m, const char *id)
{
	unsigned n = 0;

	for (unsigned shard = 0; shard < SHARDS; shard++)
		n += strcmp(members_owner(m, shard), id) == 0;
	return n;
}

/* As even as chance: 64 shards at random over 3 have a standard deviation of 3.8. */
static void shares_are_even(void **state)
{
	static struct members m;
	double squares = 0;
	unsigned most = 0;

	(void)state;
	for (unsigned group = 0; group < GROUPS; group++) {
		group_make(&m, group, 3, 0);
		for (size_t i = 0; i < m.count; i++) {
			unsigned n = shards_of(&m, m.ids[i]);

			most = n > most ? n : most;
			squares += (n - 64.0 / 3) * (n - 64.0 / 3);
		}
	}
	printf("64 shards over 3 members: variance %.1f (chance: 14.2), most %u\n",
	       squares / (3 * GROUPS), most);
	assert_true(squares / (3 * GROUPS) < 17);
	assert_true(most <= 36);
}

static void only_the_shards_of_who_goes_move(void **state)
{
	static struct members before, after;
	unsigned moved = 0;

	(void)state;
	for (unsigned group = 0; group < GROUPS; group++) {
		char gone[MEMBER_ID];

		group_make(&before, group, 5, 0);
		after = before;
		snprintf(gone, sizeof(gone), "%s", before.ids[1 + group % 4]);
		assert_true(members_set(&after, gone, false));
		assert_false(members_set(&after, gone, false));
		for (unsigned shard = 0; shard < SHARDS; shard++) {
			const char *was = members_owner(&before, shard);

			if (strcmp(was, gone) == 0)
				moved++;
			else
				assert_string_equal(members_owner(&after, shard), was);
		}
		assert_int_equal(shards_of(&after, gone), 0);
		assert_true(members_set(&after, gone, true));
		for (unsigned shard = 0; shard < SHARDS; shard++)
			assert_string_equal(members_owner(&after, shard),
					    members_owner(&before, shard));
	}
	assert_in_range(moved, GROUPS * SHARDS / 6, GROUPS * SHARDS / 4);
}

static void who_asks_is_always_there(void **state)
{
	static struct members m;
	char id[2 * MEMBER_ID];

	(void)state;
	members_init(&m, "me");
	assert_false(members_set(&m, "me", false));
	assert_false(members_set(&m, "me", true));
	assert_false(members_set(&m, "", true));
	assert_int_equal(shards_of(&m, "me"), SHARDS);
	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	assert_false(members_set(&m, id, true));
	for (unsigned i = 0; i < 2 * MEMBERS_MOST; i++) {
		snprintf(id, sizeof(id), "other%u", i);
		members_set(&m, id, true);
	}
	assert_int_equal(m.count, MEMBERS_MOST);
	assert_true(m.beyond);
	members_forget(&m);
	assert_int_equal(shards_of(&m, "me"), SHARDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_agree),
		cmocka_unit_test(shares_are_even),
		cmocka_unit_test(only_the_shards_of_who_goes_move),
		cmocka_unit_test(who_asks_is_always_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
