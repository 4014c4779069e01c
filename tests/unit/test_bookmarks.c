/* bookmarks: the list, the text, the file that is never written over something else. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/history/bookmarks.h"

#define WALL UINT64_C(1767355200000000000)	/* 2026-01-02T12:00:00Z */
#define FIRST "# wsntop bookmarks: a time (UTC) and a note each\n"

static char dir[] = "/tmp/bookmarksXXXXXX";

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int dir_make(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int dir_remove(void **state)
{
	(void)state;
	return unit_remove(dir);
}

static void prints_as(const struct bookmarks *b, const char *text)
{
	struct buf out = BUF_INIT;

	bookmarks_print(b, &out);
	assert_string_equal(buf_str(&out), text);
	buf_release(&out);
}

static void test_list(void **state)
{
	struct bookmarks b = { 0 }, more = { 0 };

	(void)state;
	assert_int_equal(bookmarks_put(&b, WALL + 7250999999, "late"), 0);
	assert_int_equal(bookmarks_put(&b, WALL, " first"), 0);
	assert_int_equal(bookmarks_put(&b, WALL + 3 * CLOCK_SECOND, ""), 0);
	assert_int_equal(bookmarks_put(&b, WALL + 7250000000, "late\033[31m\ttwice"), 0);
	assert_int_equal(bookmarks_put(&b, UINT64_MAX, "too late"), ERR_USAGE);
	prints_as(&b, FIRST "2026-01-02T12:00:00.000Z first\n"
		  "2026-01-02T12:00:03.000Z\n"
		  "2026-01-02T12:00:07.250Z late\\x1b[31m twice\n");
	assert_string_equal(bookmarks_find(&b, WALL + 999)->note, "first");
	assert_null(bookmarks_find(&b, WALL + 1000000));
	bookmarks_put(&more, WALL, "not taken");
	bookmarks_put(&more, WALL + CLOCK_SECOND, "taken");
	assert_int_equal(bookmarks_join(&b, &more), 0);
	assert_true(bookmarks_drop(&b, WALL + 3 * CLOCK_SECOND));
	assert_false(bookmarks_drop(&b, WALL + 3 * CLOCK_SECOND));
	prints_as(&b, FIRST "2026-01-02T12:00:00.000Z first\n"
		  "2026-01-02T12:00:01.000Z taken\n"
		  "2026-01-02T12:00:07.250Z late\\x1b[31m twice\n");
	bookmarks_release(&b);
	bookmarks_release(&more);
}

/* What a person wrote stays: comments, lines that are no times, dates that do not exist. */
static void test_edited(void **state)
{
	static const char text[] = "# wsntop bookmarks\r\n# of Tuesday\r\n\r\n"
		"2026-01-02T12:00:07.250Z\tmotor\r\n2026-02-30T12:00:07.250Z no day\n"
		"2026-01-02T12:00:07 no parts\n2026-01-02T12:00:01.000Z";
	struct bookmarks b = { 0 };

	(void)state;
	assert_int_equal(bookmarks_parse(&b, text, strlen(text)), 0);
	assert_int_equal(b.count, 2);
	prints_as(&b, FIRST "# of Tuesday\n2026-02-30T12:00:07.250Z no day\n"
		  "2026-01-02T12:00:07 no parts\n2026-01-02T12:00:01.000Z\n"
		  "2026-01-02T12:00:07.250Z motor\n");
	bookmarks_release(&b);
}

/* A line is a bookmark if its time is printed as the same; any other is kept as it is. */
static void test_times_that_are_none(void **state)
{
	static const struct { const char *line; bool is; } rows[] = {
		{ "1970-01-01T00:00:00.000Z", true }, { "1969-12-31T23:59:59.999Z", false },
		{ "2499-12-31T23:59:59.999Z", true }, { "2500-01-01T00:00:00.000Z", false },
		{ "1999-09-09T19:09:09.999Z", true }, { "2026-13-05T00:00:00.000Z", false },
		{ "2026-00-05T00:00:00.000Z", false }, { "2026-01-02T24:00:00.000Z", false },
		{ "2026-01-02T23:60:00.000Z", false }, { "2026-01-02T23:59:60.000Z", false },
		{ "2026-01-00T00:00:00.000Z", false },
	};
	static const char good[] = "2026-01-02T12:00:07.250Z";
	struct bookmarks b = { 0 };
	char text[128];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(text, sizeof(text), FIRST "%s\n", rows[i].line);
		assert_int_equal(bookmarks_parse(&b, text, strlen(text)), 0);
		assert_int_equal(b.count, rows[i].is);
		prints_as(&b, text);
		bookmarks_release(&b);
	}
	for (size_t i = 0; i < 2 * strlen(good); i++) {	/* '/' is before the digits, ':' behind */
		snprintf(text, sizeof(text), FIRST "%s\n", good);
		text[strlen(FIRST) + i / 2] = ":/"[i % 2];
		assert_int_equal(bookmarks_parse(&b, text, strlen(text)), 0);
		assert_int_equal(b.count, text[strlen(FIRST) + i / 2] == good[i / 2]);
		bookmarks_release(&b);
	}
}

static void test_first_line(void **state)
{
	static const struct { const char *text; int ret; } rows[] = {
		{ "", 0 }, { "# wsntop bookmarks", 0 }, { "# wsntop bookmark", ERR_FORMAT },
		{ "# wsntop bookmarks, too", 0 },
		{ "of somebody else, and longer than ours", ERR_FORMAT },
	};
	struct bookmarks b = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = strdup(rows[i].text);	/* of this length and no more */

		assert_int_equal(bookmarks_parse(&b, text, strlen(text)), rows[i].ret);
		assert_int_equal(b.count + b.others.len, 0);
		bookmarks_release(&b);
		free(text);
	}
}

/* So many and no more; a file's further ones stay in it. */
static void test_as_many_as_there_may_be(void **state)
{
	struct bookmarks b = { 0 }, from = { 0 };
	struct buf text = BUF_INIT;

	(void)state;
	for (uint64_t i = 0; i <= BOOKMARKS_MAX; i++)
		assert_int_equal(bookmarks_put(&b, WALL + i * CLOCK_SECOND, ""),
				 i < BOOKMARKS_MAX ? 0 : ERR_USAGE);
	assert_int_equal(b.count, BOOKMARKS_MAX);
	assert_int_equal(bookmarks_put(&b, WALL, "again"), 0);
	assert_int_equal(bookmarks_put(&from, 16725225599999999999u, "the last one"), 0);
	assert_int_equal(bookmarks_put(&from, 16725225600000000000u, ""), ERR_USAGE);
	bookmarks_print(&b, &text);
	bookmarks_print(&from, &text);
	bookmarks_release(&b);
	assert_int_equal(bookmarks_parse(&b, buf_str(&text), text.len), 0);
	assert_int_equal(b.count, BOOKMARKS_MAX);
	assert_non_null(strstr(buf_str(&b.others), "2499-12-31T23:59:59.999Z the last one"));
	bookmarks_release(&b);
	assert_int_equal(bookmarks_join(&b, &from), 0);
	assert_int_equal(b.count, 1);
	bookmarks_release(&b);
	bookmarks_release(&from);
	buf_release(&text);
}

static void test_file(void **state)
{
	struct bookmarks b = { 0 }, again = { 0 };
	struct err err = { 0 };
	char *text;
	size_t n;

	(void)state;
	/* nothing to keep makes no file */
	assert_int_equal(bookmarks_load(&b, path_of("a.marks"), &err), 0);
	assert_int_equal(bookmarks_save(&b, path_of("a.marks"), &err), 0);
	assert_int_equal(access(path_of("a.marks"), F_OK), -1);
	bookmarks_put(&b, WALL, "one");
	assert_int_equal(bookmarks_save(&b, path_of("a.marks"), &err), 0);
	assert_int_equal(bookmarks_load(&again, path_of("a.marks"), &err), 0);
	assert_int_equal(again.count, 1);
	/* the last one goes: the file says so */
	bookmarks_drop(&b, WALL);
	assert_int_equal(bookmarks_save(&b, path_of("a.marks"), &err), 0);
	bookmarks_release(&again);
	assert_int_equal(bookmarks_load(&again, path_of("a.marks"), &err), 0);
	assert_int_equal(again.count, 0);
	assert_false(err_is_set(&err));
	assert_string_equal(err.text, "");
	/* somebody else's file, a folder, no folder */
	bookmarks_put(&b, WALL, "one");
	assert_int_equal(file_write(path_of("b.marks"), "mine\n", 5, NULL), 0);
	assert_int_equal(bookmarks_save(&b, path_of("b.marks"), &err), ERR_FORMAT);
	assert_non_null(strstr(err.text, "b.marks: not a file of bookmarks; it is left as it is"));
	text = file_read(path_of("b.marks"), 100, &n, NULL);
	assert_string_equal(text, "mine\n");
	mem_free(text);
	assert_int_equal(mkdir(path_of("c.marks"), 0700), 0);
	assert_true(bookmarks_save(&b, path_of("c.marks"), NULL) < 0);
	assert_true(bookmarks_save(&b, path_of("none/d.marks"), NULL) < 0);
	assert_int_equal(mkfifo(path_of("e.marks"), 0600), 0);
	assert_true(bookmarks_save(&b, path_of("e.marks"), NULL) < 0);
	bookmarks_release(&b);
	bookmarks_release(&again);
}

static void test_without_memory(void **state)
{
	static const char text[] = FIRST "# a\n2026-01-02T12:00:00.000Z a\n"
					 "2026-01-02T12:00:01.000Z b\n";
	int ret = ERR_NOMEM;

	(void)state;
	for (long granted = 0; ret < 0; granted++) {
		struct bookmarks b = { 0 };

		mem_fail_after(granted);
		ret = bookmarks_parse(&b, text, strlen(text));
		mem_fail_after(-1);
		assert_true(ret == 0 || ret == ERR_NOMEM);
		bookmarks_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_edited),
		cmocka_unit_test(test_times_that_are_none),
		cmocka_unit_test(test_first_line),
		cmocka_unit_test(test_as_many_as_there_may_be),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_without_memory),
	};

	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
