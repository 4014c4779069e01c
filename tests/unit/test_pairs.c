/*
 * pairs: what is remembered of ports, and what becomes of a file that others wrote.
 */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/find/pairs.h"

static char home[64];

static int home_make(void **state)
{
	(void)state;
	snprintf(home, sizeof(home), "/tmp/wsntop-pairs.XXXXXX");
	if (!mkdtemp(home))
		return -1;
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	return 0;
}

static int home_drop(void **state)
{
	(void)state;
	return unit_remove(home);
}

static struct pair pair_of(const char *port, const char *id, const char *elf)
{
	struct pair p = { .baud = 57600, .when = 1700000000 };

	snprintf(p.port, sizeof(p.port), "%s", port);
	snprintf(p.id, sizeof(p.id), "%s", id);
	snprintf(p.elf, sizeof(p.elf), "%s", elf);
	return p;
}

static void remembered_and_found_again(void **state)
{
	struct pair a = pair_of("/dev/ttyACM0", "usb:2341:0043:7583:00", "/src/a.elf"),
		    b = pair_of("/dev/ttyS0", "", "/src/b.elf");
	const struct pair *found;
	struct pairs p;
	char path[256];

	(void)state;
	strcpy(b.format, "gprof");
	pairs_load(&p);
	assert_int_equal(p.count, 0);
	assert_int_equal(pairs_remember(&a, NULL), 0);
	assert_int_equal(pairs_remember(&b, NULL), 0);
	pairs_load(&p);
	assert_int_equal(p.count, 2);
	assert_string_equal(p.v[0].port, "/dev/ttyS0");		/* the newest first */
	assert_string_equal(p.v[0].format, "gprof");
	/* In another socket: known by its id. Another device at that place: not that one. */
	found = pairs_find(&p, "/dev/ttyACM3", "usb:2341:0043:7583:00");
	assert_non_null(found);
	assert_string_equal(found->elf, "/src/a.elf");
	assert_int_equal(found->baud, 57600);
	assert_int_equal(found->when, 1700000000);
	assert_null(pairs_find(&p, "/dev/ttyACM0", "usb:2341:0043:9999:00"));
	assert_non_null(pairs_find(&p, "/dev/ttyACM0", ""));
	assert_null(pairs_find(&p, "/dev/ttyUSB0", ""));
	snprintf(path, sizeof(path), "%s/.local/state/wsntop/pairs", home);
	assert_int_equal(access(path, R_OK), 0);
	snprintf(path, sizeof(path), "%s/else", home);
	setenv("XDG_STATE_HOME", path, 1);
	pairs_load(&p);
	assert_int_equal(p.count, 0);
	assert_int_equal(pairs_remember(&a, NULL), 0);
	pairs_load(&p);
	assert_int_equal(p.count, 1);
}

static void another_image_replaces_the_one_before(void **state)
{
	struct pair a = pair_of("/dev/ttyACM0", "usb:1", "/a.elf"),
		    b = pair_of("/dev/ttyACM1", "usb:1", "/b.elf");
	struct pairs p = { .count = 0 };

	(void)state;
	pairs_put(&p, &a);
	pairs_put(&p, &b);
	assert_int_equal(p.count, 1);
	assert_string_equal(p.v[0].elf, "/b.elf");
	assert_string_equal(p.v[0].port, "/dev/ttyACM1");
}

static void the_oldest_goes(void **state)
{
	struct pairs p = { .count = 0 };

	(void)state;
	for (int i = 0; i < PAIRS_MAX + 5; i++) {
		char port[32];
		struct pair v;

		snprintf(port, sizeof(port), "/dev/ttyUSB%d", i);
		v = pair_of(port, "", "/a.elf");
		pairs_put(&p, &v);
	}
	assert_int_equal(p.count, PAIRS_MAX);
	assert_string_equal(p.v[0].port, "/dev/ttyUSB52");
	assert_string_equal(p.v[PAIRS_MAX - 1].port, "/dev/ttyUSB5");
}

/* What would break the file, or the screen, is not kept; nor taken from it. */
static void what_is_not_fit_is_left_out(void **state)
{
	static const char text[] =
		"/dev/a\t\t/a.elf\t115200\t\t17\n"
		"no tabs at all\n"
		"\t\t/a.elf\t1\t\t1\n"				/* no port */
		"/dev/b\t\trelative.elf\t1\t\t1\n"
		"/dev/c\t\t/c.elf\t-1\t\t1\n"
		"/dev/d\t\t/d.elf\t1\t\t99999999999999999999\n"
		"/dev/e\t\t/e\033[31m.elf\t1\t\t1\n"
		"/dev/f\t\t/f.elf\t1\t\t1\tmore\n"
		"/dev/a\t\t/older.elf\t1\t\t1\n"
		"/dev/g\tusb:1\t\t0\tformat-of-great-length\t1\n"
		"/dev/h\tusb:1\t\t0\tprof\t1";
	struct pair odd = pair_of("/dev/x\ty", "", "/a.elf"),
		    lines = pair_of("/dev/x", "", "/a\n.elf");
	struct pairs p;

	(void)state;
	pairs_parse(&p, text, sizeof(text) - 1);
	assert_int_equal(p.count, 2);
	assert_string_equal(p.v[0].port, "/dev/a");
	assert_string_equal(p.v[0].elf, "/a.elf");
	assert_string_equal(p.v[1].port, "/dev/h");
	assert_string_equal(p.v[1].elf, "");
	pairs_put(&p, &odd);
	pairs_put(&p, &lines);
	assert_int_equal(p.count, 2);
	for (size_t n = 0; n < sizeof(text); n++)
		pairs_parse(&p, text, n);
}

static void where_nothing_can_be_written_it_is_said(void **state)
{
	struct pair a = pair_of("/dev/a", "", "/a.elf");
	struct err err = { 0 };
	char path[256];
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/.local", home);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
	assert_true(pairs_remember(&a, &err) < 0);
	assert_non_null(strstr(err.text, "/.local"));
	unsetenv("HOME");
	err_clear(&err);
	assert_true(pairs_remember(&a, &err) < 0);
	assert_non_null(strstr(err.text, "no home"));
	setenv("HOME", home, 1);
	mem_fail_after(0);
	err_clear(&err);
	assert_true(pairs_remember(&a, &err) < 0);
	mem_fail_after(-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(remembered_and_found_again, home_make, home_drop),
		cmocka_unit_test(another_image_replaces_the_one_before),
		cmocka_unit_test(the_oldest_goes),
		cmocka_unit_test(what_is_not_fit_is_left_out),
		cmocka_unit_test_setup_teardown(where_nothing_can_be_written_it_is_said, home_make,
						home_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
