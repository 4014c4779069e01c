/*
 * snapshot: what -x json wrote comes back as it was; what somebody else wrote cannot hurt.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/export/export.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"
#include "core/find/finds.h"
#include "core/export/snapshot.h"
#include "core/profile/raw/feed.h"
#include "core/source/line_costs.h"
#include "tests/unit/noise_same.h"
#include "tests/unit/profile_firmware.h"

static const struct wire_hello hello = {
	.name = "mote", .version = 1, .ticks_per_second = 32768, .hz = 100, .spread = 1.5,
	.bucket_below = { 16, 64, 256, 1024, 4096, 16384, 65536 },
};

static struct wire_total site_named(const struct fixture *t, const char *caller, unsigned n,
			      const char *callee, uint64_t calls, uint64_t total)
{
	return (struct wire_total){
		.kind = TOTAL_SITE,
		.from = entry_of(t, caller) + 5 * n,
		.to = entry_of(t, callee),
		.calls = calls,
		.total = total,
		.min = 3,
		.max = total / 2,
		.bucket = { 1, calls - 1 },
		.has = TOTAL_TIMED | TOTAL_MINMAX | TOTAL_HISTOGRAM,
	};
}

static void totals_feed(struct fixture *t)
{
	struct wire_total rows[] = {
		site_named(t, "main", 1, "a", 40, 3000), site_named(t, "a", 1, "b", 80, 1000),
		site_named(t, "a", 2, "leaf", 30, 600), site_named(t, "fib", 1, "fib", 9, 90),
		{ .kind = TOTAL_PC, .from = entry_of(t, "lonely") + 2, .calls = 7 },
		site_named(t, "leaf", 0, "leaf", 12, 100),
	};

	rows[5].from = 0;
	rows[5].flags = ROW_HANDLER;
	profile_take_hello(&t->p, &hello);
	assert_int_equal(profile_take_totals(&t->p, rows, COUNT(rows)), 0);
	profile_take_run(&t->p, 65536);
	assert_int_equal(profile_compute(&t->p), 0);
}

static struct profile *read_back(const struct fixture *t, struct err *err)
{
	struct export_source s = {
		.profile = &t->p,
		.image = t->image,
		.node = "mote",
		.format = "wsn",
		.hello = &hello,
		.agreement = NAN,
		.hooks_share = NAN,
	};
	struct buf text = BUF_INIT;
	struct profile *p;
	struct out out;

	out_open_buf(&out, &text);
	assert_int_equal(export_write(exporter_find("json"), &s, &out, err), 0);
	assert_int_equal(out_close(&out, err), 0);
	assert_true(snapshot_is(text.data, text.len < SNAPSHOT_HEAD ? text.len : SNAPSHOT_HEAD));
	p = snapshot_parse(text.data, text.len, err);
	buf_release(&text);
	return p;
}

static bool profiles_alike(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-6 * fabs(a);
}

static void an_export_comes_back_as_it_was(void **state)
{
	struct fixture *t = *state;
	struct compare c = { 0 };
	struct err err = { 0 };
	struct profile *p;

	totals_feed(t);
	p = read_back(t, &err);
	assert_string_equal(err.text, "");
	assert_string_equal(p->name, "mote");
	assert_int_equal(p->function_count, t->p.function_count);
	assert_int_equal(p->edge_count, t->p.edge_count);
	assert_int_equal(p->site_count, t->p.site_count);
	assert_memory_equal(p->terms.bucket_below, t->p.terms.bucket_below,
			    sizeof(p->terms.bucket_below));
	assert_float_equal(p->terms.spread, 1.5, 1e-6);
	assert_float_equal(p->totals.run_s, 2, 1e-9);
	assert_float_equal(p->totals.profiled_s, t->p.totals.profiled_s, 1e-6);
	assert_int_equal(p->totals.samples, 7);
	assert_int_equal(compare_build(&c, p, &t->p, NULL), 0);
	assert_int_equal(c.count, t->p.function_count);
	for (size_t i = 0; i < c.count; i++) {
		assert_int_not_equal(c.rows[i].then, PROFILE_NONE);
		for (int m = 0; m < COMPARE_MEASURES; m++)
			assert_true(
				profiles_alike(c.rows[i].value[m].then, c.rows[i].value[m].now));
	}
	for (size_t i = 0; i < c.edge_count; i++) {
		assert_int_not_equal(c.edges[i].then, PROFILE_NONE);
		for (int m = 0; m < COMPARE_MEASURES; m++)
			assert_true(
				profiles_alike(c.edges[i].value[m].then, c.edges[i].value[m].now));
	}
	compare_release(&c);
	/* The noise, too, is the same from both sides: calls by duration came along. */
	for (uint32_t i = 0; i < p->function_count; i++) {
		struct profile_buckets then, now;

		assert_int_equal(profile_function_buckets(p, i, &then),
				 profile_function_buckets(&t->p, i, &now));
		assert_memory_equal(&then, &now, sizeof(then));
	}
	assert_true(assert_noise_same(&t->p, p) >= 20);
	profile_drop(p);
}

/* What lines took, by a simulator's time of each instruction, and the calls that they make. */
static void lines_come_back(void **state)
{
	struct fixture made, *t = &made;
	struct wire_spent spent[3] = { { .ticks = 700 }, { .ticks = 32768 }, { .ticks = 65536 } };
	struct line_costs here, back;
	struct err err = { 0 };
	struct profile *p;
	size_t n, timed = 0, calls = 0;

	(void)state;
	t->image = unit_image(t->dir, firmware_source, "-g");
	profile_up((void **)&t);
	spent[0].address = entry_of(t, "a");
	spent[1].address = spent[2].address = entry_of(t, "leaf");
	totals_feed(t);
	assert_int_equal(profile_take_spent(&t->p, spent, COUNT(spent)), 0);
	p = read_back(t, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(line_costs_build(&here, &t->p, t->image), 0);
	assert_int_equal(line_costs_build(&back, p, NULL), 0);
	assert_int_equal(here.count, back.count);
	for (size_t i = 0; i < here.count; i++) {
		const struct profile_line *a = &here.items[i], *b = &back.items[i];

		assert_string_equal(t->p.functions[a->function].name,
				    p->functions[b->function].name);
		assert_int_equal(a->line, b->line);
		assert_int_equal(a->text, b->text);
		assert_int_equal(a->samples, b->samples);
		assert_int_equal(a->calls, b->calls);
		assert_true(profiles_alike(a->self_s, b->self_s));
		timed += !isnan(a->self_s);
		calls += a->calls;
	}
	assert_int_equal(timed, 2);
	assert_int_equal(calls, 40 + 80 + 30 + 9);
	assert_non_null(line_costs_of(&here, profile_find_name(&t->p, "leaf"), &n));
	assert_int_equal(n, 1);
	line_costs_release(&here);
	line_costs_release(&back);
	profile_drop(p);
	/* A reset of the user's: counts from now on. */
	assert_int_equal(profile_rebase(&t->p), 0);
	spent[2].ticks += 5;
	assert_int_equal(profile_take_spent(&t->p, &spent[2], 1), 0);
	assert_int_equal(t->p.spent[0].ticks, 0);
	assert_int_equal(t->p.spent[1].ticks, 5);
	profile_release(&t->p);
	image_free(t->image);
	assert_int_equal(unit_remove(t->dir), 0);
}

/* Older ones do not say whether rows come in turn: they do from a node with a HELLO. */
static void rows_come_in_turn_also_in_older_ones(void **state)
{
	static const struct { const char *node; bool in_turn; } rows[] = {
		{ "\"rows_in_turn\":true,\"hooks\":null", true },
		{ "\"rows_in_turn\":false,\"hooks\":{\"spread_s\":0.1}", false },
		{ "\"hooks\":{\"spread_s\":0.1}", true },
		{ "\"hooks\":null", false },
		{ "\"name\":\"mote\"", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[200];
		int n = snprintf(text, sizeof(text), "{\"wsntop\":1,\"node\":{%s},\"functions\":"
				 "[{\"name\":\"f\"}]}", rows[i].node);
		struct profile *p = snapshot_parse(text, (size_t)n, NULL);

		assert_non_null(p);
		assert_int_equal(p->terms.gathers, rows[i].in_turn);
		profile_drop(p);
	}
}

/* Whatever a file says: a sentence, or a profile that can be compared. */
static void what_others_write_cannot_hurt(void **state)
{
	static const struct {
		const char *text;
		const char *why;
		size_t functions, edges;
	} rows[] = {
		{ "", "not a wsntop snapshot", 0, 0 },
		{ "{", "not a wsntop snapshot", 0, 0 },
		{ "[1]", "not a wsntop snapshot", 0, 0 },
		{ "{\"wsntop\":\"1\"}", "not a wsntop snapshot", 0, 0 },
		{ "{\"wsntop\":1}", "nothing to compare", 0, 0 },
		{ "{\"wsntop\":1,\"functions\":7}", "nothing to compare", 0, 0 },
		{ "{\"wsntop\":1,\"functions\":[]}", "nothing to compare", 0, 0 },
		{ "{\"wsntop\":1,\"functions\":[null,7,\"x\",[],{}]}", NULL, 0, 0 },
		{ "{\"wsntop\":1,\"node\":[],\"functions\":[{\"name\":\"f\"}],\"edges\":{}}", NULL,
		  1, 0 },
		{ "{\"wsntop\":1,\"functions\":[{\"name\":7},{\"name\":\"f\",\"calls\":-1,\"self_"
		  "s\":1e999,"
		  "\"time\":7,\"address\":1e30,\"file\":[],\"samples\":1e30,\"line\":-5}]}",
		  NULL, 1, 0 },
		{ "{\"wsntop\":1,\"node\":{\"ticks_per_second\":1e308,\"hz\":-1,\"profiled_s\":-3},"
		  "\"functions\":[{\"name\":\"f\",\"address\":16,\"calls\":1e19,\"time\":\"timed\","
		  "\"total_s\":1e308,\"self_s\":-1e308,\"min_s\":5,\"max_s\":1}],"
		  "\"edges\":[{\"to_address\":16,\"from_address\":null,\"calls\":5,\"total_s\":-1},"
		  "{\"to_address\":16},{\"to_address\":17},{\"to_address\":16,\"from_address\":9}],"
		  "\"sites\":[{\"to_address\":16,\"histogram\":[[1,2],7,[],[null,null],{},[1,-3]]},"
		  "{\"to_address\":0},{\"to_address\":99,\"from\":\"f\",\"address\":0}]}",
		  NULL, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct compare c = { 0 };
		struct err err = { 0 };
		struct profile *p = snapshot_parse(rows[i].text, strlen(rows[i].text), &err);

		if (rows[i].why) {
			assert_null(p);
			assert_non_null(strstr(err.text, rows[i].why));
			continue;
		}
		assert_non_null(p);
		assert_int_equal(p->function_count, rows[i].functions);
		assert_int_equal(p->edge_count, rows[i].edges);
		assert_int_equal(compare_build(&c, p, p, NULL), 0);
		compare_release(&c);
		profile_drop(p);
	}
}

static void names_are_made_visible(void **state)
{
	static const char text[] = "{\"wsntop\":1,\"functions\":[{\"name\":\"f\\u001b[2J\"}]}";
	struct profile *p = snapshot_parse(text, sizeof(text) - 1, NULL);

	(void)state;
	assert_non_null(p);
	assert_string_equal(p->functions[0].name, "f\\x1b[2J");
	profile_drop(p);
}

/* A recording, an export of ours and one of others, and what is none of these. */
static void files_make(const char *dir)
{
	static const struct { const char *name, *text; size_t n; } files[] = {
		{ "old.json", "{\"wsntop\":1}", 12 }, { "other.json", "{\"a\":1}", 7 },
		{ ".hidden.json", "{\"wsntop\":1}", 12 }, { "short.rec", "wsnrec1\n", 8 },
		{ "any.name", "wsnrec1\n\0\0\0\0\0\0\0\0", 16 }, { "empty", "", 0 },
	};
	char path[300];

	for (size_t i = 0; i < COUNT(files); i++) {
		FILE *out;

		snprintf(path, sizeof(path), "%s/%s", dir, files[i].name);
		out = fopen(path, "w");
		assert_int_equal(fwrite(files[i].text, 1, files[i].n, out), files[i].n);
		fclose(out);
		snprintf(path, sizeof(path), "touch -d '2026-01-01 00:00:%02zu' %s/%s", 30 - i, dir,
			 files[i].name);
		assert_int_equal(unit_shell(path), 0);
	}
	snprintf(path, sizeof(path), "mkdir %s/sub && mkfifo %s/fifo && ln -s nowhere %s/dangling",
		 dir, dir, dir);
	assert_int_equal(unit_shell(path), 0);
}

static void a_directory_has_what_can_be_compared(void **state)
{
	char dir[] = "/tmp/wsntop-test-XXXXXX", path[300];
	struct finds f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	files_make(dir);
	finds_look(&f, dir);
	assert_int_equal(f.count, 2);
	assert_string_equal(f.items[0].name, "old.json");
	assert_int_equal(f.items[0].kind, FIND_SNAPSHOT);
	assert_string_equal(f.items[1].name, "any.name");
	assert_int_equal(f.items[1].kind, FIND_RECORDING);
	/* More than are kept: the newest are, and the others counted. */
	snprintf(path, sizeof(path), "cd %s; for i in $(seq 10 40); do cp old.json $i.json; "
		 "touch -d 2026-01-02T00:00:$i 2>/dev/null $i.json || "
		 "touch -d 2026-01-02T00:00:00 $i.json; done", dir);
	assert_int_equal(unit_shell(path), 0);
	finds_look(&f, dir);
	assert_int_equal(f.count, FINDS_MOST);
	assert_int_equal(f.more, 33 - FINDS_MOST);
	assert_string_equal(f.items[0].name, "40.json");
	assert_string_equal(f.items[FINDS_MOST - 1].name, "25.json");
	finds_look(&f, "/nowhere/at/all");
	assert_int_equal(f.count, 0);
	/* By name and kind. */
	snprintf(path, sizeof(path), "%s/*.name", dir);
	finds_match(&f, 3, (const char *const[]){ path, NULL }, FIND_SNAPSHOT);
	assert_int_equal(f.count, 0);
	finds_match(&f, 3, (const char *const[]){ path, NULL }, FIND_RECORDING);
	assert_int_equal(f.count, 1);
	snprintf(path, sizeof(path), "%s/o*", dir);
	finds_match(&f, 3, (const char *const[]){ path, "/nowhere/*", NULL }, FIND_NEITHER);
	assert_int_equal(f.count, 2);
	assert_non_null(strstr(f.items[1].name, "/other.json"));
	snprintf(path, sizeof(path), "%s/*", dir);
	finds_match(&f, 3, (const char *const[]){ path, NULL }, FIND_NEITHER);
	assert_int_equal(f.count, 3);
	assert_non_null(strstr(f.items[2].name, "/38.json"));
	assert_int_equal(unit_remove(dir), 0);
}

static void without_memory_there_is_a_sentence(void **state)
{
	static const char text[] = "{\"wsntop\":1,\"functions\":[{\"name\":\"f\",\"address\":16,"
		"\"file\":\"a.c\"}],\"edges\":[{\"to_address\":16}],"
		"\"sites\":[{\"to_address\":16}]}";
	struct profile *p = NULL;

	(void)state;
	for (long n = 0; !p; n++) {
		struct err err = { 0 };

		assert_in_range(n, 0, 40);
		mem_fail_after(n);
		p = snapshot_parse(text, sizeof(text) - 1, &err);
		mem_fail_after(-1);
		assert_int_equal(p == NULL, err.text[0] != '\0');
	}
	profile_drop(p);
}

int main(void)
{
	const struct CMUnitTest with_firmware[] = {
		cmocka_unit_test_setup_teardown(an_export_comes_back_as_it_was, profile_up,
						profile_down),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_back),
		cmocka_unit_test(rows_come_in_turn_also_in_older_ones),
		cmocka_unit_test(what_others_write_cannot_hurt),
		cmocka_unit_test(names_are_made_visible),
		cmocka_unit_test(a_directory_has_what_can_be_compared),
		cmocka_unit_test(without_memory_there_is_a_sentence),
	};
	int failed = cmocka_run_group_tests(with_firmware, set_up, tear_down);

	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
