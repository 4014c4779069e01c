/* Options behind a SOURCE. */
#include "tests/unit/unit.h"

#include "core/link/source.h"

static void options_are_found(void **state)
{
	char value[16];

	(void)state;
	assert_true(source_option("swo:tcp:h:1?clock=72M&setup=openocd:", "setup", value, 16));
	assert_string_equal(value, "openocd:");
	assert_false(source_option("swo:tcp:h:1?clock=72M", "cloc", value, 16));
	assert_false(source_option("swo:tcp:h:1", "clock", value, 16));
	assert_false(source_option("x?clock=", "clock", value, 16));
	assert_false(source_option("x?clock", "clock", value, 16));
	assert_true(source_option("x?a=1&&&b=12345678901234567890", "b", value, 16));
	assert_string_equal(value, "123456789012345");
}

static void numbers_have_units(void **state)
{
	static const struct {
		const char *source;
		double hz;
	} rows[] = {
		{ "x?hz=500", 500 }, { "x?hz=72M", 72e6 }, { "x?hz=1.5k", 1500 },
		{ "x?hz=2G", 2e9 },
		{ "x?hz=0", 0 }, { "x?hz=-1", 0 }, { "x?hz=nan", 0 }, { "x?hz=inf", 0 },
		{ "x?hz=1kk", 0 }, { "x?hz=k", 0 }, { "x?hz=", 0 }, { "x", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_true(source_number(rows[i].source, "hz") == rows[i].hz);
}

static void unknown_ones_are_refused(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(source_check("x?hz=1&stop=2", "gdb:", "hz stop", NULL), 0);
	assert_int_equal(source_check("x", "gdb:", "hz stop", NULL), 0);
	assert_int_equal(source_check("x?", "gdb:", "hz stop", NULL), 0);
	assert_int_equal(source_check("x?hz", "gdb:", "hz stop", NULL), ERR_USAGE);
	assert_int_equal(source_check("x?sto=1", "gdb:", "hz stop", NULL), ERR_USAGE);
	assert_int_equal(source_check("x?hz=1&speed=2", "gdb:", "hz stop", &err), ERR_USAGE);
	assert_string_equal(err.text, "?speed=2: gdb: takes these options, each with =VALUE: "
			    "hz stop");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_found),
		cmocka_unit_test(numbers_have_units),
		cmocka_unit_test(unknown_ones_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
