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
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_without_memory),
	};

	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
