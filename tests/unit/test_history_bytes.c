/*
 * history_bytes: a node's bytes as they came, up to a bound that several nodes share: which pieces
 * go, what a recording of them has, what memory the history counts.
 */
#include "tests/unit/history_made.h"

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/history/parts.h"
#include "core/history/stream.h"
#include "core/link/record.h"

enum { PIECE = 65536, HEAD = 12, HALF = PIECE / 2 };

static uint8_t some[2 * PIECE];

static int some_make(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(some); i++)
		some[i] = (uint8_t)(i * 7 + i / 251);
	return 0;
}

/* In a budget of its own: what a piece takes is told by it. */
struct bytes {
	struct history_budget budget;
	struct stream *s;
	size_t piece;
};

static void bytes_begin(struct bytes *b)
{
	history_budget_init(&b->budget);
	b->s = stream_new();
	stream_share(b->s, &b->budget);
	stream_add(b->s, 1, some, 1);
	b->piece = b->budget.bytes.used;
	assert_true(b->piece > PIECE && b->piece < PIECE + 64);
}

static size_t pieces_of(const struct bytes *b)
{
	return b->budget.bytes.used / b->piece;
}

/* A record has up to half a piece; of the same time it goes on while its piece has room. */
static void pieces_are_filled_to_their_end(void **state)
{
	static const struct { size_t sizes[3]; bool same_time; size_t pieces; } rows[] = {
		{ { HALF, PIECE - 2 * HEAD - 1 - HALF, 0 }, true, 1 },
		{ { HALF, PIECE - 2 * HEAD - HALF, 0 }, true, 2 },
		{ { HALF, PIECE - 3 * HEAD - 1 - HALF, 0 }, false, 1 },
		{ { HALF, PIECE - 3 * HEAD - HALF, 0 }, false, 2 },
		{ { 30000, 30000, 0 }, false, 1 },
		{ { HALF - 1, HALF, 1 }, false, 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bytes b;
		size_t sum = 1;

		bytes_begin(&b);
		for (size_t k = 0; k < COUNT(rows[i].sizes); k++) {
			stream_add(b.s, rows[i].same_time ? 2 : 2 + k, some, rows[i].sizes[k]);
			sum += rows[i].sizes[k];
		}
		assert_int_equal(pieces_of(&b), rows[i].pieces);
		assert_int_equal(stream_kept(b.s), sum);
		stream_free(b.s);
	}
}

/* Two pieces stay, whatever the bound: the newest bytes are in them. */
static void the_oldest_pieces_go(void **state)
{
	static const struct { size_t bound, pieces; int less; } rows[] = {
		{ 0, 2, 0 }, { 2, 2, 0 }, { 3, 3, 0 }, { 3, 2, 1 }, { 4, 4, 0 }, { 4, 3, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bytes b;

		bytes_begin(&b);
		stream_bound(b.s, rows[i].bound * b.piece - (size_t)rows[i].less);
		assert_int_equal(stream_room(b.s), rows[i].bound * b.piece - (size_t)rows[i].less);
		for (size_t k = 0; k < 8; k++)
			stream_add(b.s, 2 + k, some, HALF);
		assert_int_equal(pieces_of(&b), rows[i].pieces);
		assert_int_equal(stream_kept(b.s), rows[i].pieces * HALF);
		assert_int_equal(stream_dropped(b.s), 1 + (8 - rows[i].pieces) * HALF);
		stream_free(b.s);
	}
}

/* One has all the room until another one wants its half. */
static void streams_share_a_bound(void **state)
{
	struct bytes b;
	struct stream *other = stream_new();

	(void)state;
	bytes_begin(&b);
	b.budget.bytes.limit = 8 * b.piece;
	for (size_t k = 0; k < 12; k++)
		stream_add(b.s, 2 + k, some, HALF);
	assert_int_equal(stream_kept(b.s), 8 * HALF);
	assert_int_equal(stream_room(b.s), 8 * b.piece);
	stream_share(other, &b.budget);
	for (size_t k = 0; k < 12; k++) {
		stream_add(other, 2 + k, some, HALF);
		assert_int_equal(pieces_of(&b), 8);
	}
	assert_int_equal(stream_kept(b.s), 4 * HALF);
	assert_int_equal(stream_kept(other), 4 * HALF);
	assert_int_equal(pieces_of(&b), 8);
	assert_int_equal(stream_room(other), 4 * b.piece);
	stream_free(other);
	assert_int_equal(pieces_of(&b), 4);
	mem_fail_after(0);
	stream_add(b.s, 99, some, HALF);
	mem_fail_after(-1);
	assert_int_equal(stream_kept(b.s), 0);
	assert_int_equal(b.budget.bytes.used, 0);
	stream_free(b.s);
}

#define WALL (UINT64_C(1767355200) * SECOND)

/* Read back, as one: its bytes; `about` gets what it says of itself. */
static size_t saved_read(const char *path, uint8_t *to, size_t room, char *about)
{
	size_t n, used, at = RECORD_HEADER, sum = 0;
	char *file = file_read(path, 1 << 20, &n, NULL);
	struct record_chunk c;

	assert_non_null(file);
	for (int i = 0; i < 8; i++)
		assert_int_equal((uint8_t)file[RECORD_MAGIC_SIZE + i], WALL >> 8 * i & 0xff);
	for (*about = '\0'; at < n; at += used) {
		assert_int_equal(record_parse((uint8_t *)file + at, n - at, &c, &used),
				 RECORD_CHUNK);
		assert_true(sum + c.length <= room);
		assert_true(c.offset_ns == (c.about || sum < sizeof(some) / 2 ? 0 : 2 * SECOND));
		if (c.about)
			snprintf(about, RECORD_ABOUT_MAX + 2, "%.*s", (int)c.length,
				 (const char *)c.data);
		else
			memcpy(to + sum, c.data, c.length);
		sum += c.about ? 0 : c.length;
	}
	mem_free(file);
	return sum;
}

/* More at once than a piece holds; and the longest text on itself: one more byte leaves it out. */
static void a_saved_stream_is_what_came(void **state)
{
	static const struct { size_t about, said; } rows[] = {
		{ 0, 0 }, { 1, 1 }, { RECORD_ABOUT_MAX, RECORD_ABOUT_MAX },
		{ RECORD_ABOUT_MAX + 1, 0 },
	};
	static uint8_t back[sizeof(some)];
	char path[] = "/tmp/wsntop-bytes-XXXXXX";
	char about[RECORD_ABOUT_MAX + 2], said[RECORD_ABOUT_MAX + 2];
	struct stream *s = stream_new();

	(void)state;
	close(mkstemp(path));
	stream_add(s, 5 * SECOND, some, sizeof(some) / 2);
	stream_add(s, 7 * SECOND, some + sizeof(some) / 2, sizeof(some) / 2);
	for (size_t i = 0; i < COUNT(rows); i++) {
		memset(about, 'a', sizeof(about));
		about[rows[i].about] = '\0';
		assert_int_equal(stream_save(s, path, WALL - 5 * SECOND, about, NULL), 0);
		memset(back, 0, sizeof(back));
		assert_int_equal(saved_read(path, back, sizeof(back), said), sizeof(some));
		assert_memory_equal(back, some, sizeof(some));
		about[rows[i].said] = '\0';
		assert_string_equal(said, about);
	}
	unlink(path);
	stream_free(s);
}

/* --- what the history takes ------------------------------------------------------------------- */

/* Each list that it has, by its room. */
static void memory_is_that_of_all_lists(void **state)
{
	struct made m;
	struct history *h;
	float trend[HISTORY_TREND];

	(void)state;
	made_begin(&m);
	h = m.h;
	assert_int_equal(history_memory(h), sizeof(*h));
	made_live(&m);
	for (int i = 0; i < SITES; i++)
		site_grow(&m, (uint32_t)i);
	made_say(&m);
	m.p.settled = 0;		/* nobody saw it start */
	moment_take(&m);
	profile_seen_from_start(&m.p);
	made_live(&m);
	moment_take(&m);
	history_trend(h, 0x4000, SIZE_MAX, trend);
	{
		const struct { size_t count, size; } lists[] = {
			{ h->bytes, 1 }, { h->cap, sizeof(*h->moments) },
			{ h->terms_cap, sizeof(*h->terms) }, { h->site_cap, sizeof(*h->sites) },
			{ h->pc_cap, sizeof(*h->pcs) }, { h->bucket_cap, sizeof(*h->buckets) },
			{ h->slot_cap, sizeof(*h->slots) }, { index_memory(&h->site_index), 1 },
			{ map_memory(&h->pc_index), 1 }, { map_memory(&h->slot_index), 1 },
			{ h->before_sites.cap, 1 }, { h->before_pcs.cap, 1 },
			{ h->work_cap, sizeof(struct { int64_t n[4]; }) },
			{ h->trends->slots, HISTORY_TREND * sizeof(float) },
		};
		size_t sum = sizeof(*h), names;

		for (size_t i = 0; i < COUNT(lists); i++) {
			assert_true(lists[i].count > 0);
			sum += lists[i].count * lists[i].size;
		}
		assert_int_equal(history_memory(h), sum);
		assert_int_equal(profile_compute(&m.p), 0);
		h->ages[0].then = h->ages[AGES - 1].then = &m.p;	/* names of then */
		names = history_memory(h) - sum;
		h->ages[0].then = h->ages[AGES - 1].then = NULL;
		assert_int_equal(names, 2 * profile_memory(&m.p));
	}
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_filled_to_their_end),
		cmocka_unit_test(the_oldest_pieces_go),
		cmocka_unit_test(streams_share_a_bound),
		cmocka_unit_test(a_saved_stream_is_what_came),
		cmocka_unit_test(memory_is_that_of_all_lists),
	};

	return cmocka_run_group_tests_name("history_bytes", tests, some_make, NULL);
}
