/*
 * spool: a node's life of several epochs, most of whose counts are closed and told once, goes
 * through a spool that has room for a fifth of it, whose relay is started again in between: the
 * keyframes that come out have all counts of all epochs, and the folder is a recording. What there
 * is no room for is counted.
 */
#include "tests/unit/unit.h"
#include "tests/unit/wsn_stream.h"

#include "core/base/clock.h"
#include "core/link/link.h"
#include "core/relay/spool.h"

enum { EPOCHS = 6, BATCHES = 120, ARCS = 50, FILLER = 2000 };

static char folder[64];

static int folder_make(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_spool.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
	(void)state;
	return unit_remove(folder);
}

/* --- who decodes ------------------------------------------------------------------------------ */

struct told {
	struct wire *wire;
	unsigned epoch;
	uint64_t calls[ARCS];
	struct spool *spool;		/* that hears of epochs that end */
	uint64_t now;
};

static void told_hello(void *ctx, const struct wire_hello *h)
{
	((struct told *)ctx)->epoch = h->epoch;
}

static void told_epoch(void *ctx)
{
	memset(((struct told *)ctx)->calls, 0, sizeof(((struct told *)ctx)->calls));
}

static void told_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	struct told *t = ctx;

	for (size_t i = 0; i < n; i++) {
		uint32_t arc = totals[i].from / 2 - 1000;

		if (totals[i].kind == TOTAL_ARC && arc < ARCS && !(totals[i].flags & ROW_GONE))
			t->calls[arc] = totals[i].calls;
	}
}

static bool told_again(void *ctx, struct buf *bytes)
{
	return wire_resume(((struct told *)ctx)->wire, bytes);
}

static void told_ends(void *ctx)
{
	struct told *t = ctx;
	struct buf key = BUF_INIT;

	if (!t->spool)
		return;
	told_again(t, &key);
	while (key.len && key.data[key.len - 1])
		key.len--;
	spool_end(t->spool, t->now, (const uint8_t *)key.data, key.len);
	buf_release(&key);
}

static void told_begin(struct told *t)
{
	const struct wire_sink sink = { .ctx = t, .hello = told_hello, .epoch = told_epoch,
					.totals = told_totals, .ends = told_ends };
	const struct wire_options o = { .code = NULL };

	*t = (struct told){ .wire = wire_new("wsn", &o, &sink, NULL) };
	assert_non_null(t->wire);
}

static uint64_t told_sum(const struct told *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ARCS; i++)
		sum += t->calls[i];
	return sum;
}

/* --- the node --------------------------------------------------------------------------------- */

struct life {
	struct stream stream;
	unsigned epoch, batch;
	uint64_t sum[EPOCHS + 1];	/* of its epochs, from 1 */
};

/* All calls are closed ones, in a row; the text is what makes it long. */
static void batch_make(struct life *l)
{
	char script[256], filler[FILLER + 1];
	unsigned count = 1 + l->batch % 7;

	buf_reset(&l->stream.out);
	if (l->batch % 20 == 0) {
		snprintf(script, sizeof(script), "H e=%u", l->epoch);
		stream_script(&l->stream, script);
	}
	snprintf(script, sizeof(script), "a %llu %u 500 %u",
		 (unsigned long long)l->sum[l->epoch], 1000 + l->batch % ARCS, count);
	stream_script(&l->stream, script);
	l->sum[l->epoch] += count;
	snprintf(script, sizeof(script), "T %u 0 0 0 0 0 0 0 0 0 0 0 %llu 0", 1000 * (l->batch + 1),
		 (unsigned long long)l->sum[l->epoch]);
	stream_script(&l->stream, script);
	memset(filler, 'x', FILLER);
	buf_add(&l->stream.out, filler, FILLER);
	buf_addc(&l->stream.out, '\n');
	buf_addc(&l->stream.out, 0);
	l->batch++;
}

static unsigned lines;

static void line_count(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
	lines++;
}

static const struct spool_rule rule = { .keep = SPOOL_LEAST, .every_ns = 3600 * CLOCK_SECOND,
					.age_ns = 3600 * CLOCK_SECOND, .say = line_count };

static struct spool *must_spool(struct told *t)
{
	struct spool *s = spool_new(folder, &rule, NULL);

	assert_non_null(s);
	spool_resumes(s, told_again, t);
	t->spool = s;
	return s;
}

static void life_spooled(struct life *l, struct told *t, struct spool *s)
{
	for (l->batch = 0; l->batch < BATCHES;) {
		batch_make(l);
		t->now += CLOCK_SECOND / 4;
		spool_add(s, t->now, (const uint8_t *)l->stream.out.data, l->stream.out.len);
		wire_feed(t->wire, (const uint8_t *)l->stream.out.data, l->stream.out.len);
	}
}

/* As after a kill: what was kept brings a new decoder to where the one before was. */
static struct spool *relay_again(struct told *t, struct spool *s)
{
	struct buf bytes = BUF_INIT;
	uint64_t sum = told_sum(t), now = t->now;

	spool_free(s);
	wire_free(t->wire);
	told_begin(t);
	s = spool_new(folder, &rule, NULL);
	assert_non_null(s);
	spool_newest(s, &bytes);
	wire_feed(t->wire, (const uint8_t *)bytes.data, bytes.len);
	buf_release(&bytes);
	assert_int_equal(told_sum(t), sum);
	t->spool = s;
	t->now = now;
	spool_resumes(s, told_again, t);
	return s;
}

/* --- what comes out --------------------------------------------------------------------------- */

/* A keyframe stands alone: what a new decoder makes of it. */
static void key_read(const struct spool_item *item, uint64_t *sums, unsigned *newest)
{
	struct told t;

	told_begin(&t);
	wire_feed(t.wire, item->data, item->n);
	wire_flush(t.wire, true);
	assert_in_range(t.epoch, 1, EPOCHS);
	assert_true(t.epoch >= *newest);
	*newest = t.epoch;
	sums[t.epoch] = told_sum(&t);
	wire_free(t.wire);
}

static void epochs_are_whole(void **state)
{
	struct life l = { .stream = { .out = BUF_INIT } };
	uint64_t sums[EPOCHS + 1] = { 0 };
	struct spool_tally tally;
	struct spool_item item;
	struct told t, read;
	struct spool *s;
	unsigned newest = 0;
	uint8_t bytes[4096];
	uint64_t time_ns;
	struct link *link;
	ssize_t n;

	(void)state;
	told_begin(&t);
	t.now = clock_now();
	s = must_spool(&t);
	for (l.epoch = 1; l.epoch <= EPOCHS; l.epoch++) {
		life_spooled(&l, &t, s);
		if (l.epoch == 3)
			s = relay_again(&t, s);
	}
	spool_tally(s, &tally);
	assert_true(tally.thinned > 2 * SPOOL_LEAST);
	assert_int_equal(tally.ends_lost, 0);
	assert_int_equal(tally.unkept, 0);

	told_begin(&read);			/* as any recording */
	link = link_new(folder, &(struct link_options){ .speed = 0 }, NULL);
	assert_non_null(link);
	while ((n = link_read(link, clock_now(), bytes, sizeof(bytes), &time_ns)) >= 0)
		wire_feed(read.wire, bytes, (size_t)n);
	link_free(link);
	wire_flush(read.wire, true);
	assert_int_equal(read.epoch, EPOCHS);
	assert_int_equal(told_sum(&read), l.sum[EPOCHS]);
	wire_free(read.wire);

	for (; spool_next(s, SPOOL_KEYS, &item); spool_pass(s, SPOOL_KEYS))
		key_read(&item, sums, &newest);
	for (unsigned e = 1; e < EPOCHS; e++)
		assert_int_equal(sums[e], l.sum[e]);
	assert_true(sums[EPOCHS] <= l.sum[EPOCHS]);	/* its end is still to come */
	assert_int_equal(told_sum(&t), l.sum[EPOCHS]);
	assert_true(spool_skip(s, SPOOL_BYTES) > SPOOL_LEAST / 2);
	spool_clear(s);
	assert_true(spool_is_empty(s));
	assert_int_not_equal(access(folder, F_OK), 0);
	spool_free(s);
	wire_free(t.wire);
	stream_release(&l.stream);
}

/* Bytes come out as they went in, in order, over the ends of parts. */
static void bytes_are_in_order(void **state)
{
	struct spool_rule wide = rule;
	struct spool_item item;
	uint8_t data[1000];
	struct spool *s;
	uint64_t now = clock_now();
	unsigned out = 0;

	(void)state;
	wide.keep = 64 * SPOOL_LEAST;
	wide.every_ns = 20 * CLOCK_SECOND;
	s = spool_new(folder, &wide, NULL);
	assert_non_null(s);
	assert_false(spool_next(s, SPOOL_BYTES, &item));
	for (unsigned in = 0; in < 300; in++) {
		memset(data, (int)in, sizeof(data));
		spool_add(s, now + in * CLOCK_SECOND, data, sizeof(data));
		if (in == 100) {		/* read as it is written */
			for (; spool_next(s, SPOOL_BYTES, &item); spool_pass(s, SPOOL_BYTES))
				assert_int_equal(item.data[0], (uint8_t)out++);
			assert_int_equal(out, 101);
		}
	}
	for (; spool_next(s, SPOOL_BYTES, &item); spool_pass(s, SPOOL_BYTES)) {
		assert_int_equal(item.n, sizeof(data));
		assert_int_equal(item.data[0], (uint8_t)out++);
	}
	assert_int_equal(out, 300);
	spool_clear(s);
	spool_free(s);
}

/* Epochs that end without end: their keyframes alone are too much, and the oldest are counted. */
static void ends_are_bounded(void **state)
{
	uint8_t key[4000] = { 0 }, bytes[100] = { 0 };
	struct spool_tally tally;
	struct spool_item item;
	uint64_t now = clock_now();
	unsigned out = 0, in = 400;
	struct spool *s;

	(void)state;
	s = spool_new(folder, &rule, NULL);
	assert_non_null(s);
	lines = 0;
	for (unsigned i = 0; i < in; i++) {
		spool_add(s, now + i, bytes, sizeof(bytes));
		spool_end(s, now + i, key, sizeof(key));
	}
	spool_tally(s, &tally);
	assert_true(tally.ends_lost > in / 2);
	assert_true(lines > 0);
	for (; spool_next(s, SPOOL_KEYS, &item); spool_pass(s, SPOOL_KEYS))
		out++;
	assert_int_equal(out + tally.ends_lost, in);
	spool_clear(s);
	spool_free(s);
}

/* A part that was torn by a kill ends at its last whole chunk, and the next relay goes on. */
static void torn_is_told(void **state)
{
	uint8_t bytes[100] = { 0 };
	struct spool_item item;
	struct spool_tally tally;
	struct spool *s = spool_new(folder, &rule, NULL);
	char command[160];
	unsigned out = 0;

	(void)state;
	assert_non_null(s);
	for (unsigned i = 0; i < 10; i++)
		spool_add(s, clock_now(), bytes, sizeof(bytes));
	spool_free(s);
	snprintf(command, sizeof(command), "truncate -s -30 %s/*.wsnrec", folder);
	assert_int_equal(unit_shell(command), 0);
	s = spool_new(folder, &rule, NULL);
	assert_non_null(s);
	spool_add(s, clock_now(), bytes, sizeof(bytes));
	for (; spool_next(s, SPOOL_BYTES, &item); spool_pass(s, SPOOL_BYTES))
		out++;
	spool_tally(s, &tally);
	assert_int_equal(out, 10);
	assert_int_equal(tally.unread, 100 + 12 + 4 - 30);
	spool_clear(s);
	spool_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(epochs_are_whole, folder_make, folder_remove),
		cmocka_unit_test_setup_teardown(bytes_are_in_order, folder_make, folder_remove),
		cmocka_unit_test_setup_teardown(ends_are_bounded, folder_make, folder_remove),
		cmocka_unit_test_setup_teardown(torn_is_told, folder_make, folder_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
