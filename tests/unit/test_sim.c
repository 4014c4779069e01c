/* What a simulator tells: written by its helper's own code, read in any pieces; hostile bytes. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/wire/wire.h"
#include "sim/source/pack.h"

enum { BYTES = 1 << 18, EVENTS = 3000, SPENT = 5000 };	/* SPENT: of more than a record */

struct heard {
	uint64_t totals, calls, events, event_sum, text_sum, statuses;
	struct wire_hello hello;
	struct wire_status status;
	struct wire_total last;
	struct wire_seeing seeing;
	char name[64];
	uint64_t depths;
	struct wire_depth depth;	/* the last one */
	uint64_t spent, spent_address, spent_ticks;	/* how many; the last one */
	struct wire_watermark mark;
	struct wire_stats stats;
};

static uint8_t bytes[BYTES];
static size_t count;

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	struct heard *h = ctx;

	memcpy(&h->hello, hello, sizeof(h->hello));
	snprintf(h->name, sizeof(h->name), "%s", hello->name);
	h->hello.name = NULL;
}

static void hear_status(void *ctx, const struct wire_status *status)
{
	((struct heard *)ctx)->status = *status;
	((struct heard *)ctx)->statuses++;
}

static void hear_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++) {
		h->totals++;
		h->calls += totals[i].calls;
		h->last = totals[i];
	}
}

static void hear_events(void *ctx, const struct wire_event *e, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->event_sum = h->event_sum * 31 + e[i].ticks * 7 + e[i].address + e[i].kind +
			       e[i].lane * 3u + e[i].handler;
	h->events += n;
}

static void hear_text(void *ctx, const char *text, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->text_sum = h->text_sum * 31 + (uint8_t)text[i];
}

static void hear_seeing(void *ctx, const struct wire_seeing *seeing)
{
	struct heard *h = ctx;

	h->seeing.ticks_per_second = seeing->ticks_per_second;
	h->seeing.counted = seeing->counted;
}

static void hear_depths(void *ctx, const struct wire_depth *depths, size_t n)
{
	struct heard *h = ctx;

	h->depths += n;
	h->depth = depths[n - 1];
}

static void hear_spent(void *ctx, const struct wire_spent *spent, size_t n)
{
	struct heard *h = ctx;

	h->spent += n;
	h->spent_address = spent[n - 1].address;
	h->spent_ticks = spent[n - 1].ticks;
}

static void hear_watermark(void *ctx, const struct wire_watermark *mark)
{
	((struct heard *)ctx)->mark = *mark;
}

static void stream_hear(struct heard *h, const uint8_t *p, size_t n, size_t piece)
{
	struct wire_sink sink = {
		.ctx = h, .hello = hear_hello, .status = hear_status, .totals = hear_totals,
		.events = hear_events, .text = hear_text, .seeing = hear_seeing,
		.depths = hear_depths, .watermark = hear_watermark,
		.spent = hear_spent,
	};
	struct wire *w = wire_new("sim", NULL, &sink, NULL);

	memset(h, 0, sizeof(*h));
	assert_non_null(w);
	for (size_t at = 0; at < n; at += piece)
		wire_feed(w, p + at, piece < n - at ? piece : n - at);
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	wire_free(w);
}

/* A stream as the helper writes one; the sum of its events. */
static uint64_t stream_make(void)
{
	char file[] = "/tmp/wsntop-sim-XXXXXX";
	static struct pack pack;
	static const struct pack_row rows[] = {
		{ .from = 0x102, .to = 0x200, .calls = 3, .total = 30, .min = 5, .max = 15,
		  .bucket = { 3 } },
		{ .handler = true, .to = 0x300, .calls = 7, .total = UINT64_C(1) << 40,
		  .min = 1, .max = UINT64_C(1) << 39, .bucket = { [7] = 7 } },
	};
	static const struct pack_depth depths[] = {
		{ .known = true, .address = 0x200, .frame = 4, .use = 40, .depth = 61 },
		{ .address = 0x250 },
		{ .known = true, .address = 0x300, .frame = 18, .use = 20, .depth = 0 },
	};
	static const uint32_t path[] = { 0x200, 0x300 };
	int fd = mkstemp(file);
	uint64_t sum = 0, ticks = 0;

	assert_true(fd >= 0);
	unlink(file);
	pack_begin(&pack, fd);
	pack_hello(&pack, 8000000, 1, "chip", "cycles");
	for (unsigned i = 0; i < EVENTS; i++) {
		enum sim_event kind = i % 3 == 0 ? SIM_CALL : i % 3 == 1 ? SIM_HANDLER : SIM_RETURN;
		bool call = kind != SIM_RETURN;

		ticks += i % 7 ? 3 : 1000000;
		pack_event(&pack, kind, i % 16, ticks, 0x200 + i);
		sum = sum * 31 + ticks * 7 + (call ? 0x200 + i : 0) +
		      (call ? EVENT_CALL : EVENT_RETURN) + i % 16 * 3 + (kind == SIM_HANDLER);
		pack_text(&pack, (uint8_t)i);
	}
	pack_flush(&pack);
	pack_status(&pack, 1000, 200, 50, 1.5);
	pack_rows(&pack, rows, COUNT(rows));
	pack_depths(&pack, depths, COUNT(depths));
	pack_stack(&pack, 3, 0x4100, 0x4000, 40, path, COUNT(path));
	for (uint32_t i = 0; i < SPENT; i++)
		pack_spent(&pack, 0x200 + 2 * i, UINT64_C(1) << i % 60);
	pack_flush(&pack);
	assert_false(pack.failed);
	count = (size_t)pread(fd, bytes, sizeof(bytes), 0);
	close(fd);
	return sum;
}

static void what_is_written_is_read(void **state)
{
	uint64_t sum = stream_make();
	struct heard h;

	(void)state;
	stream_hear(&h, bytes, count, count);
	assert_string_equal(h.name, "chip");
	assert_int_equal(h.hello.ticks_per_second, 8000000);
	assert_true(h.seeing.counted && h.seeing.ticks_per_second == 8e6);
	assert_int_equal(h.events, EVENTS);
	assert_int_equal(h.event_sum, sum);
	assert_int_equal(h.status.run, 750);
	assert_int_equal(h.status.isr, 50);
	assert_int_equal(h.totals, 2);
	assert_int_equal(h.last.total, UINT64_C(1) << 40);
	assert_int_equal(h.last.flags, ROW_HANDLER);
	assert_int_equal(h.last.bucket[7], 7);
	assert_int_equal(h.depths, 2);		/* of one nothing is known */
	assert_int_equal(h.depth.address, 0x300);
	assert_int_equal(h.depth.frame, 18);
	assert_int_equal(h.depth.use, 20);
	assert_int_equal(h.depth.depth, -1);
	assert_int_equal(h.spent, SPENT);
	assert_int_equal(h.spent_address, 0x200 + 2 * (SPENT - 1));
	assert_int_equal(h.spent_ticks, UINT64_C(1) << (SPENT - 1) % 60);
	assert_int_equal(h.mark.stack, 3);
	assert_int_equal(h.mark.base - h.mark.low, 0x100);
	assert_int_equal(h.mark.open, 40);
	assert_int_equal(h.mark.count, 2);
	assert_int_equal(h.mark.path[1], 0x300);
	assert_int_equal(h.stats.bad_bytes, 0);
	assert_int_equal(h.stats.text_bytes, EVENTS);
}

static void any_pieces_are_the_same(void **state)
{
	struct heard whole, parts;

	(void)state;
	stream_make();
	stream_hear(&whole, bytes, count, count);
	for (size_t piece = 1; piece < 200; piece = piece * 2 + 1) {
		stream_hear(&parts, bytes, count, piece);
		assert_memory_equal(&parts, &whole, sizeof(whole));
	}
}

/* One that begins in the middle, or whose lengths are wrong, tells nothing wrong. */
static void damaged_streams_are_counted(void **state)
{
	struct heard h;
	uint32_t seed = 7;

	(void)state;
	stream_make();
	stream_hear(&h, bytes + 1, count - 1, 999);
	assert_int_equal(h.events + h.totals, 0);
	assert_true(h.stats.bad_bytes > 0);
	for (int i = 0; i < 300; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[sizeof(SIM_MAGIC) - 1 + seed % (count - 20)] ^= (uint8_t)(1 << (seed >> 29));
		stream_hear(&h, bytes, count, 333);
	}
	stream_make();
	memcpy(bytes + count, (const uint8_t[]){ SIM_ROWS, 1, 5 }, 3);	/* five rows in no byte */
	stream_hear(&h, bytes, count + 3, 333);
	assert_int_equal(h.stats.bad_bytes, 1);
}

/* A stack that grew up, more calls on the path than were open, a path that is cut: none is told. */
static void impossible_stacks_are_not_told(void **state)
{
	static const uint8_t stacks[][10] = {
		{ SIM_STACK, 5, 0, 10, 20, 0, 0 }, { SIM_STACK, 7, 0, 20, 10, 1, 2, 4, 4 },
		{ SIM_STACK, 5, 0, 20, 10, 90, 90 }, { SIM_DEPTHS, 3, 8, 4, 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(stacks); i++) {
		struct heard h;

		memcpy(bytes, SIM_MAGIC, sizeof(SIM_MAGIC) - 1);
		memcpy(bytes + sizeof(SIM_MAGIC) - 1, stacks[i], sizeof(stacks[i]));
		stream_hear(&h, bytes, sizeof(SIM_MAGIC) + 1 + stacks[i][1], 3);
		assert_int_equal(h.mark.base, 0);
		assert_int_equal(h.depths, 0);
		assert_int_equal(h.stats.bad_bytes != 0, i >= 2);
	}
}

/* A call is in the bucket whose bounds it is between. */
static void buckets_are_as_their_bounds(void **state)
{
	static const uint64_t rates[] = { 1000000, 8000000, 72000000 };

	(void)state;
	for (size_t r = 0; r < COUNT(rates); r++) {
		for (unsigned i = 0; i < SIM_BUCKETS - 1; i++) {
			assert_int_equal(sim_bucket(rates[r], sim_bound(rates[r], i) - 1), i);
			assert_int_equal(sim_bucket(rates[r], sim_bound(rates[r], i)), i + 1);
		}
		assert_int_equal(sim_bucket(rates[r], UINT64_MAX), SIM_BUCKETS - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(any_pieces_are_the_same),
		cmocka_unit_test(damaged_streams_are_counted),
		cmocka_unit_test(impossible_stacks_are_not_told),
		cmocka_unit_test(buckets_are_as_their_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
