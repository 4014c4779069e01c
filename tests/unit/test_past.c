/*
 * past: what a node keeps over time: moments of a recording at any speed, its wall clock, the image
 * that goes, the bytes saved and replayed. The firmware is profile_firmware.h's.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/record.h"
#include "core/node/node.h"
#include "core/profile/raw/copy.h"
#include "tests/unit/profile_firmware.h"
#include "tests/unit/wsn_stream.h"

#define WALL UINT64_C(1767355200000000000)
#define SECOND CLOCK_SECOND

enum { REPORTS = 20 };

static const char *path_of(const struct fixture *t, const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", t->dir, name);
	return path[turn];
}

static void chunk_put(FILE *f, uint64_t ns, const char *text)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];

	fwrite(chunk, 1, record_chunk(chunk, ns, (const uint8_t *)text, strlen(text)), f);
}

/* A report each second: main calls a ten times, a calls b once. */
static void record_reports(const struct fixture *t, const char *name)
{
	FILE *f = fopen(path_of(t, name), "wb");
	uint8_t header[RECORD_HEADER];
	char text[300];

	assert_non_null(f);
	record_header(header, WALL);
	fwrite(header, 1, sizeof(header), f);
	chunk_put(f, 0, "hello\n");
	for (unsigned k = 1; k <= REPORTS; k++) {
		snprintf(text, sizeof(text),
			 "PROF:cpu:2:10:%u:1000\n%x:%x:%u:%u:1:9\n%x:%x:%u:%u:1:2\n\n",
			 1000 * k, entry_of(t, "main") + 5, entry_of(t, "a"), 10 * k, 50 * k,
			 entry_of(t, "a") + 5, entry_of(t, "b"), k, k);
		chunk_put(f, k * SECOND, text);
	}
	fclose(f);
}

static struct node *node_run(const char *source, const char *elf, bool batch)
{
	struct node_options o = { .source = source, .elf = elf, .batch = batch };
	struct err err = { 0 };
	struct node *n = node_new(&o, &err);

	assert_string_equal(err.text, "");
	for (int i = 0; i < 100000 && !node_ended(n); i++)
		node_service(n, clock_now(), 1 << 20);
	assert_true(node_ended(n));
	return n;
}

static const struct profile_function *function_of(const struct profile *p, const char *name)
{
	uint32_t i = profile_find_name(p, name);

	return i == PROFILE_NONE ? NULL : &p->functions[i];
}

static void test_moments_of_a_recording(void **state)
{
	struct fixture *t = *state;
	struct history_moment m;
	struct profile *w;
	struct node *n;
	uint64_t wall;

	record_reports(t, "run.wsnrec");
	n = node_run(path_of(t, "run.wsnrec"), path_of(t, "fw.elf"), false);
	assert_int_equal(history_count(node_history(n)), REPORTS);
	for (size_t i = 0; i < REPORTS; i++) {
		assert_true(history_moment(node_history(n), i, &m));
		assert_int_equal(m.calls, 11);
		assert_true(node_wall(n, m.time_ns, &wall));
		assert_int_equal(wall, WALL + (i + 1) * SECOND);
		assert_true(m.load > 0.0499 && m.load < 0.0501);
	}
	w = history_window(node_history(n), 5, 8, NULL);
	assert_int_equal(function_of(w, "a")->calls, 30);
	assert_int_equal(function_of(w, "b")->calls, 3);
	assert_int_equal(w->ticks_run, 3000);
	profile_drop(w);
	/* the user's reset is a boundary; it is at its end: nothing comes any more */
	node_reset(n);
	assert_int_equal(history_count(node_history(n)), REPORTS);
	node_free(n);
}

/* The image is another: what was counted before is still named as it was. */
static void test_image_that_goes(void **state)
{
	struct fixture *t = *state;
	struct profile *w;
	struct node *n;
	char command[400];

	record_reports(t, "run.wsnrec");
	n = node_run(path_of(t, "run.wsnrec"), path_of(t, "fw.elf"), false);
	snprintf(command, sizeof(command), "objcopy --redefine-sym a=other_a "
		 "--redefine-sym b=other_b %s/fw.elf %s/new.elf", t->dir, t->dir);
	assert_int_equal(unit_shell(command), 0);
	assert_int_equal(node_load_image(n, path_of(t, "new.elf"), NULL), 0);
	assert_int_equal(node_images(n), 2);
	assert_int_equal(profile_compute(node_profile(n)), 0);
	assert_null(function_of(node_profile(n), "a"));
	assert_int_equal(function_of(node_profile(n), "other_a")->calls, 10 * REPORTS);
	w = history_window(node_history(n), 0, SIZE_MAX, NULL);
	assert_int_equal(function_of(w, "a")->calls, 10 * REPORTS);
	assert_null(function_of(w, "other_a"));
	assert_true(function_of(w, "a")->self_s > 0);
	profile_drop(w);
	node_free(n);
}

/* Every allocation of a node's life fails once: it is not made, and why is said. */
static void test_not_made_without_memory(void **state)
{
	struct fixture *t = *state;
	struct node *n = NULL;
	long granted = 0;

	record_reports(t, "run.wsnrec");
	for (; !n && granted < 5000; granted++) {
		struct node_options o = {
			.source = path_of(t, "run.wsnrec"), .elf = path_of(t, "fw.elf"),
		};
		struct err err = { 0 };

		mem_fail_after(granted);
		n = node_new(&o, &err);
		mem_fail_after(-1);
		assert_true(n || err_is_set(&err));
	}
	assert_in_range(granted, 20, 4999);
	node_free(n);
}

/* What whoever watches does meanwhile; how much of it failed. */
static unsigned node_watch(const struct fixture *t, struct node *n, unsigned turn)
{
	struct profile *seen[] = {
		history_window(node_history(n), 0, SIZE_MAX, NULL),
		history_peaks(node_history(n), NULL), profile_copy(node_profile(n)),
	};
	unsigned failed = 0;

	for (size_t i = 0; i < COUNT(seen); i++) {
		failed += !seen[i];
		profile_drop(seen[i]);
	}
	node_worst(n);
	if (turn % 5 == 0)
		node_reset(n);
	if (turn % 3 == 0)
		failed += node_load_image(n, path_of(t, turn % 2 ? "fw.elf" : "new.elf"), NULL) < 0;
	return failed;
}

/*
 * Memory that comes and goes while a recording is read, reset and renamed costs figures, nothing
 * else.
 */
static void test_lives_without_memory(void **state)
{
	struct fixture *t = *state;
	unsigned failed = 0;

	record_reports(t, "run.wsnrec");
	for (unsigned granted = 0; granted < 120; granted++) {
		struct node_options o = {
			.source = path_of(t, "run.wsnrec"), .elf = path_of(t, "fw.elf"),
		};
		struct node *n = node_new(&o, NULL);

		assert_non_null(n);
		for (unsigned turn = 0; turn < 100000 && !node_ended(n); turn++) {
			mem_fail_after(granted + turn % 7);
			node_service(n, clock_now(), 64);
			mem_fail_after(granted + turn % 11);
			failed += node_watch(t, n, turn + granted);
			mem_fail_after(-1);
		}
		assert_true(node_ended(n));
		assert_int_equal(profile_compute(node_profile(n)), 0);
		assert_true(node_watch(t, n, 1) == 0 || !history_count(node_history(n)) ||
			    !node_profile(n)->function_count);
		node_free(n);
	}
	assert_true(failed > 100);
}

static void test_saved_and_replayed(void **state)
{
	struct fixture *t = *state;
	struct node *n, *again;
	char command[300];

	record_reports(t, "run.wsnrec");
	n = node_run(path_of(t, "run.wsnrec"), path_of(t, "fw.elf"), false);
	assert_int_equal(stream_kept(node_stream(n)), node_stats(n)->bytes);
	assert_int_equal(node_save(n, path_of(t, "saved.wsnrec"), NULL), 0);
	snprintf(command, sizeof(command), "cmp %s/run.wsnrec %s/saved.wsnrec", t->dir, t->dir);
	assert_int_equal(unit_shell(command), 0);
	again = node_run(path_of(t, "saved.wsnrec"), path_of(t, "fw.elf"), false);
	assert_int_equal(history_count(node_history(again)), REPORTS);
	node_free(again);
	node_free(n);
}

static void test_batch_keeps_nothing(void **state)
{
	struct fixture *t = *state;
	struct node *n;
	uint64_t wall;

	record_reports(t, "run.wsnrec");
	n = node_run(path_of(t, "run.wsnrec"), path_of(t, "fw.elf"), true);
	assert_null(node_history(n));
	assert_null(node_stream(n));
	assert_false(node_wall(n, 1, &wall));
	node_free(n);
}

/* Reports of a plain file come all at once: they took as long as they say. */
static void test_reports_without_times(void **state)
{
	struct fixture *t = *state;
	struct history_moment m;
	struct node *n;
	uint64_t wall;
	FILE *f = fopen(path_of(t, "plain.txt"), "w");

	for (unsigned k = 1; k <= 5; k++)
		fprintf(f, "PROF:cpu:1:10:%u:1000\n%x:%x:%u:%u:1:9\n\n", 2000 * k,
			entry_of(t, "main") + 5, entry_of(t, "a"), 10 * k, 50 * k);
	fclose(f);
	n = node_run(path_of(t, "plain.txt"), path_of(t, "fw.elf"), false);
	assert_int_equal(history_count(node_history(n)), 5);
	for (size_t i = 0; i < 5; i++) {
		history_moment(node_history(n), i, &m);
		assert_int_equal(m.length_ns, 2 * SECOND);
		assert_int_equal(m.calls, 10);
	}
	assert_false(node_wall(n, m.time_ns, &wall));
	node_free(n);
}

/* --- wsn lines -------------------------------------------------------------------------------- */

/* A node's line, as it is recorded: `seldom` of main's calls of a, 100 ticks each, up to now. */
struct line {
	const struct fixture *t;
	struct stream s;
	FILE *f;
	uint64_t ns;
	unsigned seldom, often;
};

static void line_begin(struct line *l, const struct fixture *t)
{
	uint8_t header[RECORD_HEADER];

	*l = (struct line){ .t = t, .f = fopen(path_of(t, "line.wsnrec"), "wb") };
	assert_non_null(l->f);
	record_header(header, WALL);
	fwrite(header, 1, sizeof(header), l->f);
	stream_script(&l->s, "H f=0x501 u=1 a=0");
}

/* What was scripted goes out, so long after what came before. */
static void line_put(struct line *l, unsigned ms)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];

	l->ns += ms * (SECOND / 1000);
	fwrite(chunk, 1, record_chunk(chunk, l->ns, (const uint8_t *)l->s.out.data, l->s.out.len),
	       l->f);
	buf_reset(&l->s.out);
}

static void line_status(struct line *l)
{
	char text[60];

	snprintf(text, sizeof(text), "T %llu 0", (unsigned long long)(l->ns / 125));
	stream_script(&l->s, text);
}

static void line_rows(struct line *l, bool seldom)
{
	char text[120];
	uint32_t main = entry_of(l->t, "main");

	l->often += 7;
	snprintf(text, sizeof(text), "S 3 %u %u %u %u", main + 10, entry_of(l->t, "b"), l->often,
		 100 * l->often);
	stream_script(&l->s, text);
	if (!seldom)
		return;
	snprintf(text, sizeof(text), "S 1 %u %u %u %u", main + 5, entry_of(l->t, "a"), l->seldom,
		 100 * l->seldom);
	stream_script(&l->s, text);
}

/* The most calls of a a second that there were. */
static double line_end(struct line *l)
{
	struct profile *peaks;
	struct node *n;
	double calls;
	uint32_t a;

	fclose(l->f);
	stream_release(&l->s);
	n = node_run(path_of(l->t, "line.wsnrec"), NULL, false);
	assert_true(history_count(node_history(n)) > 10);
	peaks = history_peaks(node_history(n), NULL);
	a = profile_find_address(peaks, entry_of(l->t, "a"));
	assert_int_not_equal(a, PROFILE_NONE);
	calls = peaks->functions[a].rate_calls;
	profile_drop(peaks);
	node_free(n);
	return calls;
}

/* A thousand calls a second on a line that is never silent; their row comes every third second. */
static void test_a_slow_line(void **state)
{
	double calls;
	struct line l;

	line_begin(&l, *state);
	for (unsigned second = 0; second < 30; second++) {
		line_status(&l);
		for (unsigned i = 0; i < 20; i++) {
			l.seldom += 50;
			line_rows(&l, second % 3 == 1 && i == 10);
			line_put(&l, 50);
		}
	}
	calls = line_end(&l);
	assert_true(calls > 900 && calls < 1100);
}

/* Each refresh comes through at once; in one second of thirty a is called. `text`: between them. */
static double burst_on_a_fast_line(const struct fixture *t, bool text)
{
	struct line l;

	line_begin(&l, t);
	for (unsigned second = 0; second < 30; second++) {
		l.seldom += second == 20 ? 1000 : 0;
		line_status(&l);
		line_rows(&l, second == 2 || second == 20);
		line_put(&l, text ? 50 : 1000);
		for (unsigned i = 1; text && i < 20; i++) {
			stream_script(&l.s, "t tick\n");
			line_put(&l, 50);
		}
	}
	return line_end(&l);
}

static void test_a_burst_on_a_fast_line(void **state)
{
	double calls = burst_on_a_fast_line(*state, false);

	assert_true(calls > 999 && calls < 1001);
	/* nor does it matter that the firmware writes all the time */
	calls = burst_on_a_fast_line(*state, true);
	assert_true(calls > 999 && calls < 1001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moments_of_a_recording),
		cmocka_unit_test(test_image_that_goes),
		cmocka_unit_test(test_not_made_without_memory),
		cmocka_unit_test(test_lives_without_memory),
		cmocka_unit_test(test_saved_and_replayed),
		cmocka_unit_test(test_batch_keeps_nothing),
		cmocka_unit_test(test_reports_without_times),
		cmocka_unit_test(test_a_slow_line),
		cmocka_unit_test(test_a_burst_on_a_fast_line),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
