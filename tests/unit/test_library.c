/* libwsntop: what include/wsntop.h promises, over a capture that stands here. */
#include "tests/unit/unit.h"

#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "include/wsntop.h"

/* Callgrind's text: main() calls work() three times, work() calls leaf() seven times. */
static const char capture[] =
	"# callgrind format\nversion: 1\ncreator: test\npositions: line\nevents: ns\n\n"
	"fl=a.c\nfn=main\n1 1000\ncfn=work\ncalls=3 5\n2 9000\n\n"
	"fn=work\n5 2000\ncfn=leaf\ncalls=7 9\n6 7000\n\nfn=leaf\n9 7000\n";

struct opened {
	char path[64];
	struct wsntop *w;
	struct wsntop_node *n;
};

static int capture_open(void **state)
{
	struct opened *o = calloc(1, sizeof(*o));
	int fd;

	strcpy(o->path, "/tmp/test_library.XXXXXX");
	fd = mkstemp(o->path);
	assert_int_equal(write(fd, capture, sizeof(capture) - 1), sizeof(capture) - 1);
	close(fd);
	o->w = wsntop_new();
	assert_non_null(o->w);
	if (wsntop_open(o->w, o->path, NULL) < 0)
		fail_msg("%s", wsntop_error(o->w));
	assert_int_equal(wsntop_run(o->w, 0), 0);
	o->n = wsntop_node(o->w, 0);
	assert_int_equal(wsntop_compute(o->n), 0);
	*state = o;
	return 0;
}

static int capture_close(void **state)
{
	struct opened *o = *state;

	wsntop_free(o->w);
	unlink(o->path);
	free(o);
	return 0;
}

static size_t function_named(struct wsntop_node *n, const char *name)
{
	struct wsntop_function f;

	for (size_t i = 0; wsntop_function(n, i, &f, sizeof(f)) == 0; i++)
		if (!strcmp(f.name, name))
			return i;
	fail_msg("no function %s", name);
	return 0;
}

static void test_functions_and_edges(void **state)
{
	struct opened *o = *state;
	size_t work = function_named(o->n, "work"), leaf = function_named(o->n, "leaf");
	struct wsntop_function f;
	struct wsntop_totals t;
	struct wsntop_edge e;
	bool found = false;

	assert_int_equal(wsntop_totals(o->n, &t, sizeof(t)), 0);
	assert_int_equal(t.functions, 3);
	assert_int_equal(wsntop_function(o->n, work, &f, sizeof(f)), 0);
	assert_int_equal(f.calls, 3);
	assert_true(fabs(f.self_s - 2e-6) < 1e-12 && fabs(f.total_s - 9e-6) < 1e-12);
	for (size_t i = 0; i < t.edges; i++) {
		assert_int_equal(wsntop_edge(o->n, i, &e, sizeof(e)), 0);
		found |= e.caller == work && e.callee == leaf && e.calls == 7 &&
			 fabs(e.total_s - 7e-6) < 1e-12;
	}
	assert_true(found);
	assert_int_equal(wsntop_edge(o->n, t.edges, &e, sizeof(e)), WSNTOP_ERROR_ABSENT);
	assert_int_equal(wsntop_function(o->n, t.functions, &f, sizeof(f)), WSNTOP_ERROR_ABSENT);
	assert_non_null(strstr(wsntop_error(o->w), "function 3"));
}

/* A caller that was compiled with a smaller struct, and one with a larger. */
static void test_sizes(void **state)
{
	struct opened *o = *state;
	struct {
		struct wsntop_totals t;
		uint64_t later;
	} large;
	uint64_t small[2] = { 0, 77 };

	assert_int_equal(wsntop_totals(o->n, (struct wsntop_totals *)small, sizeof(small[0])), 0);
	assert_int_equal(small[0], 3);
	assert_int_equal(small[1], 77);
	memset(&large, 0xff, sizeof(large));
	assert_int_equal(wsntop_totals(o->n, &large.t, sizeof(large)), 0);
	assert_int_equal(large.later, 0);
}

static void test_order(void **state)
{
	struct opened *o = *state;
	size_t self = (size_t)wsntop_column("self"), two[3] = { 0, 0, 99 };

	assert_int_equal(wsntop_order(o->n, self, two, 2), 3);
	assert_int_equal(two[0], function_named(o->n, "leaf"));
	assert_int_equal(two[1], function_named(o->n, "work"));
	assert_int_equal(two[2], 99);
	assert_int_equal(wsntop_set(o->w, "filter", "^ma"), 0);
	assert_int_equal(wsntop_order(o->n, self, two, 2), 1);
	assert_int_equal(two[0], function_named(o->n, "main"));
	assert_int_equal(wsntop_set(o->w, "filter", ""), 0);
	assert_int_equal(wsntop_order(o->n, self, NULL, 0), 3);
	assert_int_equal(wsntop_order(o->n, wsntop_column_count(), two, 2), WSNTOP_ERROR_ABSENT);
}

static void test_top(void **state)
{
	struct opened *o = *state;
	struct wsntop_function top[3] = { { .line = 7 }, { .line = 7 }, { .line = 7 } };
	struct {
		const char *name;	/* all that a program of an older header knows */
	} names[3] = { { "a" }, { "b" }, { "c" } };

	assert_int_equal(wsntop_top(o->n, "self", top, sizeof(top[0]), 2), 3);
	assert_string_equal(top[0].name, "leaf");
	assert_string_equal(top[1].name, "work");
	assert_int_equal(top[1].calls, 3);
	assert_int_equal(top[2].line, 7);
	assert_int_equal(wsntop_top(o->n, "total", (struct wsntop_function *)names,
				    sizeof(names[0]), 3), 3);
	assert_string_equal(names[0].name, "main");
	assert_string_equal(names[1].name, "work");
	assert_string_equal(names[2].name, "leaf");
	assert_int_equal(wsntop_set(o->w, "filter", "^ma"), 0);
	assert_int_equal(wsntop_top(o->n, "self", top, sizeof(top[0]), 2), 1);
	assert_string_equal(top[0].name, "main");
	assert_int_equal(wsntop_top(o->n, "colour", top, sizeof(top[0]), 2), WSNTOP_ERROR_ABSENT);
	assert_non_null(strstr(wsntop_error(o->w), "colour"));
	assert_null(wsntop_node(o->w, 1));
	assert_non_null(strstr(wsntop_error(o->w), "node 1"));
}

static void test_columns(void **state)
{
	struct opened *o = *state;
	size_t leaf = function_named(o->n, "leaf"), self = (size_t)wsntop_column("self");
	char cell[64];

	for (size_t i = 0; i < wsntop_column_count(); i++) {
		const char *unit = wsntop_column_unit(i);

		if (!unit)
			fail_msg("%s has no unit", wsntop_column_name(i));
		assert_int_equal(wsntop_column(wsntop_column_name(i)), i);
		/* Words have no value, numbers have a unit. */
		if (!*unit)
			assert_true(isnan(wsntop_value(o->n, leaf, i)));
	}
	assert_null(wsntop_column_name(wsntop_column_count()));
	assert_int_equal(wsntop_column("nothing"), WSNTOP_ERROR_ABSENT);
	assert_true(fabs(wsntop_value(o->n, leaf, self) - 7e-6) < 1e-12);
	assert_string_equal(wsntop_cell(o->n, leaf, self, cell, sizeof(cell)), "7.00 us");
	assert_string_equal(wsntop_cell(o->n, leaf, self, cell, 2), "7");
	assert_true(isnan(wsntop_value(o->n, 3, self)));
	assert_string_equal(wsntop_cell(o->n, 3, self, cell, sizeof(cell)), "");
}

static void test_exports(void **state)
{
	struct opened *o = *state;
	char *data;
	size_t size;

	for (size_t i = 0; wsntop_format_name(i); i++) {
		int ret = wsntop_export_buffer(o->n, wsntop_format_name(i), &data, &size);

		/* Those of a call trace, of raw counts and of a baseline say what is missing. */
		if (ret < 0)
			assert_true(wsntop_error(o->w)[0] && !data && !size);
		else
			assert_int_equal(data[size], 0);
		wsntop_buffer_free(data);
	}
	assert_int_equal(wsntop_export_buffer(o->n, "json", &data, &size), 0);
	assert_non_null(strstr(data, "\"leaf\""));
	assert_int_equal(strlen(data), size);
	wsntop_buffer_free(data);
	assert_int_equal(wsntop_export_buffer(o->n, "changes", &data, &size),
			 WSNTOP_ERROR_USAGE);
	assert_int_equal(wsntop_baseline(o->w, o->path), 0);
	assert_int_equal(wsntop_export_buffer(o->n, "changes", &data, &size), 0);
	wsntop_buffer_free(data);
	assert_int_equal(wsntop_export_buffer(o->n, "nothing", &data, &size),
			 WSNTOP_ERROR_USAGE);
	assert_int_equal(wsntop_export(o->n, "json", "/nowhere/at/all"), WSNTOP_ERROR_IO);
}

static void test_settings(void **state)
{
	static const struct {
		const char *name, *value;
		int code;
	} rows[] = {
		{ "nothing", "1", WSNTOP_ERROR_USAGE }, { "hz", NULL, WSNTOP_ERROR_USAGE },
		{ "hz", "0", WSNTOP_ERROR_USAGE }, { "hz", "nan", WSNTOP_ERROR_USAGE },
		{ "hz", "500", 0 }, { "speed", "max", 0 }, { "speed", "-1", WSNTOP_ERROR_USAGE },
		{ "format", "gprof", 0 }, { "format", "morse", WSNTOP_ERROR_USAGE },
		{ "baud", "9600", 0 }, { "baud", "3", WSNTOP_ERROR_USAGE },
		{ "volts", "3300mV", 0 }, { "volts", "much", WSNTOP_ERROR_USAGE },
		{ "trace-memory", "16", 0 }, { "trace-memory", "0", WSNTOP_ERROR_USAGE },
		{ "filter", "(", WSNTOP_ERROR_USAGE }, { "sort", "calls", 0 },
		{ "sort", "nothing", WSNTOP_ERROR_USAGE }, { "correct", NULL, 0 },
		{ "watch", "f: max > 3 us", WSNTOP_ERROR_USAGE }, { "watch", "call:f", 0 },
		{ "limit", "3", 0 }, { "limit", "three", WSNTOP_ERROR_USAGE },
	};
	struct opened *o = *state;
	int given = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int ret = wsntop_set(o->w, rows[i].name, rows[i].value);

		if (ret != rows[i].code)
			fail_msg("%s=%s: %d: %s", rows[i].name, rows[i].value, ret,
				 wsntop_error(o->w));
		assert_int_equal(ret < 0, *wsntop_error(o->w) != '\0');
		assert_null(strchr(wsntop_error(o->w), '\n'));
	}
	while (wsntop_setting_name(given) && wsntop_setting_help(given))
		given++;
	assert_true(given > 15);
	while (wsntop_set(o->w, "elf", "a.elf") == 0)
		assert_true(given++ < 1000);
}

static void test_poll(void **state)
{
	struct opened *o = *state;
	struct pollfd fds[8];

	assert_true(wsntop_poll(o->w, 0) & WSNTOP_ENDED);
	assert_true(wsntop_poll(o->w, -1) & WSNTOP_ENDED);
	assert_true(wsntop_poll_fds(o->w, fds, 8) <= 8);
	assert_int_equal(wsntop_node_count(o->w), 1);
	assert_null(wsntop_node(o->w, 1));
	assert_string_equal(wsntop_node_source(o->n), o->path);
	assert_int_equal(wsntop_open(o->w, "/nowhere", NULL), WSNTOP_ERROR_ABSENT);
	assert_int_equal(wsntop_node_count(o->w), 1);
}

/* A pipe that nobody writes to: a run ends by its time, or by wsntop_stop from the start. */
static void test_stop(void **state)
{
	struct wsntop *w = wsntop_new();
	char path[32];
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	if (wsntop_open(w, path, NULL) < 0)
		fail_msg("%s", wsntop_error(w));
	wsntop_stop(w);
	assert_int_equal(wsntop_run(w, 0), 0);
	assert_int_equal(wsntop_run(w, 0.01), 0);
	assert_false(wsntop_poll(w, 1) & WSNTOP_ENDED);
	wsntop_free(w);
	close(fds[0]);
	close(fds[1]);
}

/* Each allocation fails once: an error with a line, or nothing lost. */
static void test_memory(void **state)
{
	struct opened *o = *state;

	for (long n = 0;; n++) {
		struct wsntop *w;
		bool done;
		char *data = NULL;
		size_t size;

		assert_true(n < 100000);
		mem_fail_after(n);
		w = wsntop_new();
		done = w && wsntop_open(w, o->path, NULL) == 0 && wsntop_run(w, 0) == 0 &&
		       wsntop_compute(wsntop_node(w, 0)) == 0 &&
		       wsntop_export_buffer(wsntop_node(w, 0), "json", &data, &size) == 0;
		if (w && !done)
			assert_string_not_equal(wsntop_error(w), "");
		wsntop_buffer_free(data);
		mem_fail_after(-1);
		wsntop_free(w);
		if (done)
			break;
	}
}

#define OPENED(f) cmocka_unit_test_setup_teardown(f, capture_open, capture_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OPENED(test_functions_and_edges), OPENED(test_sizes), OPENED(test_order),
		OPENED(test_top),
		OPENED(test_columns), OPENED(test_exports), OPENED(test_settings),
		OPENED(test_poll), cmocka_unit_test(test_stop), OPENED(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
