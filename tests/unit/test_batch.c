/*
 * input_batch: the time of a batch on the host's clock, by its source's clock or by its arrival;
 * and a second input beside the first.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/node/parts.h"
#include "core/wire/decoder.h"

static const struct clock_terms meter = { 1000, 16, 1, 200, 0 };

struct fixture {
	struct wire_ops ops;
	struct wire wire;
	struct node node;
	struct input *in;
};

/* A node whose only input has a decoder that stamps what it tells. */
static void fixture_init(struct fixture *f)
{
	struct err err = { 0 };

	memset(f, 0, sizeof(*f));
	f->wire.ops = &f->ops;
	f->in = &f->node.inputs[0];
	f->in->node = &f->node;
	f->in->wire = &f->wire;
	f->in->link = link_new("-", NULL, &err);
}

/* Bytes arrive; the time of the batch in them. */
static uint64_t fixture_batch(struct fixture *f, uint64_t ticks, uint64_t arrival)
{
	f->node.before_ns = f->node.now_ns;
	f->node.now_ns = f->node.arrival_ns = arrival;
	f->wire.when.ticks = ticks;
	assert_ptr_equal(input_batch(f->in), &f->node);
	return f->node.now_ns;
}

static void arrival_where_nothing_is_known(void **state)
{
	static const struct clock_terms standing = { 1000, 32, 1, 0, CLOCK_STANDS_SLEEP };
	static const struct clock_terms *const clocks[] = { NULL, &standing };

	(void)state;
	for (size_t i = 0; i < COUNT(clocks); i++) {
		struct fixture f;

		fixture_init(&f);
		f.wire.when.clock = clocks[i];
		for (uint64_t k = 1; k < 100; k++)
			assert_int_equal(fixture_batch(&f, k * 50, k * CLOCK_SECOND),
					 k * CLOCK_SECOND);
		link_free(f.in->link);
	}
}

/* Late by 0 to 40 ms: the source's clock tells when it was. */
static void are_dated_by(struct fixture *f, const struct clock_terms *terms)
{
	const uint64_t ms = CLOCK_SECOND / 1000;

	fixture_init(f);
	f->wire.when.clock = terms;
	for (uint64_t k = 1; k < 2000; k++) {
		uint64_t late = k * 7919 % 41, at = k * 100, arrival = (5000 + at + late) * ms;
		uint64_t time = fixture_batch(f, at % 65536, arrival);

		assert_true(time <= arrival);
		if (k > 100)
			assert_true(time + ms > (5000 + at) * ms && time < (5000 + at + 3) * ms);
	}
}

static void batches_are_dated(void **state)
{
	/* What is not said has a default: its clock is the same one in each batch. */
	static const struct clock_terms unsaid = { .ticks_per_second = 1000, .bits = 16 };
	const uint64_t ms = CLOCK_SECOND / 1000;
	struct fixture f;

	(void)state;
	are_dated_by(&f, &unsaid);
	link_free(f.in->link);
	are_dated_by(&f, &meter);
	/* Another clock begins again: nothing is taken from the one before. */
	f.wire.when.clock = &(struct clock_terms){ 1000, 32, 1, 200, 0 };
	assert_int_equal(fixture_batch(&f, 5, 900000 * ms), 900000 * ms);
	link_free(f.in->link);
}

/* --- a whole node, whose decoder stamps what it tells ----------------------------------------- */

static int line_open(const char *path)
{
	assert_int_equal(mkfifo(path, 0600), 0);
	return open(path, O_RDWR | O_CLOEXEC);
}

static uint64_t stamp_ticks, stamp_time;

static void stamp_feed(struct wire *w, const uint8_t *data, size_t n)
{
	(void)data;
	(void)n;
	w->when = (struct wire_when){ .clock = &meter, .ticks = stamp_ticks };
	stamp_time = input_batch(w->sink.ctx)->now_ns;
}

static void stamp_flush(struct wire *w, bool end)
{
	(void)w;
	(void)end;
}

static const struct wire_ops stamp_ops = {
	.size = sizeof(struct wire), .feed = stamp_feed, .flush = stamp_flush,
};

/* A read that finds nothing is no bytes before which nothing may be dated. */
static void empty_reads_date_nothing(void **state)
{
	char dir[] = "/tmp/wsntop-test-XXXXXX", path[64];
	struct node_options o = { .source = path, .batch = true };
	const uint64_t ms = CLOCK_SECOND / 1000;
	struct err err = { 0 };
	struct node *n;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/line", dir);
	fd = line_open(path);
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	wire_free(n->inputs[0].wire);
	n->inputs[0].wire = mem_zalloc(sizeof(struct wire));
	*n->inputs[0].wire = (struct wire){ .ops = &stamp_ops, .sink.ctx = &n->inputs[0] };
	for (uint64_t k = 1; k < 500; k++) {
		uint64_t late = k * 7919 % 41, at = k * 100;

		stamp_ticks = at % 65536;
		node_service(n, (5000 + at) * ms, 1);	/* called for some other node */
		node_service(n, (5000 + at + late) * ms, 1);
		assert_int_equal(write(fd, "x", 1), 1);
		node_service(n, (5000 + at + late) * ms, 1);
		if (k > 100)
			assert_true(stamp_time < (5000 + at + 3) * ms);
	}
	node_free(n);
	close(fd);
	unlink(path);
	rmdir(dir);
}

/*
 * --- a second input ----------------------------------------------------------------------------
 */

/* A refresh each second; a meter beside it that drips all the time, and then ends. */
static void a_second_input_ends_no_moment(void **state)
{
	static const char refresh[] = "A\1\2\3\4A\1\2\3\4A\1\2\3\4A\1\2\3\4";
	char dir[] = "/tmp/wsntop-test-XXXXXX", source[64], beside[64];
	size_t size = sizeof(refresh) - 1;
	int node_fd, meter_fd;
	struct node_options o = { .source = source, .format = "gprof" };
	struct history_moment m;
	struct err err = { 0 };
	unsigned changes = 0;
	struct node *n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(source, sizeof(source), "%s/node", dir);
	snprintf(beside, sizeof(beside), "%s/meter", dir);
	node_fd = line_open(source);
	meter_fd = line_open(beside);
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(input_open(&n->inputs[n->input_count++], n,
				    &(struct input_options){ .source = beside }, &err), 0);
	for (unsigned i = 1; i <= 200; i++) {		/* 50 ms each */
		if (i % 20 == 0)
			assert_int_equal(write(node_fd, refresh, size), size);
		if (i % 7 == 0)
			assert_int_equal(write(meter_fd, "x", 1), 1);
		if (i == 197)
			close(meter_fd);
		changes |= node_service(n, (1000 + i / 20.) * 1e9, 1 << 16);
	}
	assert_true(n->inputs[1].ended);
	assert_false(changes & NODE_ENDED);
	assert_false(node_ended(n));
	assert_int_equal(history_count(node_history(n)), 8);
	for (size_t i = 0; i < 8; i++) {
		assert_true(history_moment(node_history(n), i, &m));
		assert_int_equal(m.length_ns, CLOCK_SECOND);
	}
	assert_int_equal(node_stats(n)->bytes, 10 * size + 28);
	node_free(n);
	close(node_fd);
	unlink(source);
	unlink(beside);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrival_where_nothing_is_known),
		cmocka_unit_test(batches_are_dated),
		cmocka_unit_test(empty_reads_date_nothing),
		cmocka_unit_test(a_second_input_ends_no_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
