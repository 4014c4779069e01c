/* Variables by their names: this program's own, of a compiler for this machine, and an AVR's. */
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#include "core/image/variables.h"

enum phase { PHASE_IDLE, PHASE_SEND = 5, PHASE_FAILED = -2 };

struct inner {
	uint16_t count;
	const volatile enum phase phase;
};

static struct {
	uint8_t first;
	struct inner inner;
	bool on;
} outer = { 1, { 2, PHASE_SEND }, true };

static volatile int32_t counter = 3;
static volatile uint64_t large = 4;
static volatile double real = 5;
static volatile char text[20];
static volatile enum phase now = PHASE_SEND;

static uint64_t offset_of(const void *p, const void *base)
{
	return (uint64_t)((const char *)p - (const char *)base);
}

static struct variable own_variable(const char *name)
{
	struct variable v;

	assert_int_equal(variable_find("/proc/self/exe", name, &v, NULL), 0);
	return v;
}

static void its_own_are_found(void **state)
{
	struct variable v = own_variable("counter"), base = v;

	(void)state;
	(void)real;
	assert_int_equal(v.size, 4);
	assert_true(v.is_signed && !v.is_state);
	v = own_variable("large");
	assert_int_equal(v.size, 8);
	assert_false(v.is_signed);
	assert_int_equal(v.address - base.address,
			 offset_of((const void *)&large, (const void *)&counter));
	v = own_variable("outer.inner.count");
	assert_int_equal(v.size, 2);
	assert_int_equal(v.address - base.address,
			 offset_of(&outer.inner.count, (const void *)&counter));
	v = own_variable("outer.on");
	assert_true(v.is_state);
	assert_int_equal(v.size, 1);
}

static void states_have_names(void **state)
{
	static const char *const names[] = { "now", "outer.inner.phase" };

	(void)state;
	(void)now;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct variable v = own_variable(names[i]);

		assert_true(v.is_state && v.is_signed);
		assert_int_equal(v.size, 4);
		assert_int_equal(v.enumerator_count, 3);
		assert_string_equal(v.enumerators[1].name, "PHASE_SEND");
		assert_int_equal(v.enumerators[1].value, 5);
		assert_int_equal(v.enumerators[2].value, -2);
		variable_release(&v);
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const struct {
		const char *name, *said;
	} rows[] = {
		{ "outer", "name a member" }, { "outer.inner", "name a member" },
		{ "text", "no number" }, { "real", "no number" }, { "nothing", "no variable" },
		{ "outer.nothing", "no variable" }, { "outer.", "no variable" },
		{ "counter.x", "no variable" }, { ".", "no variable" }, { "", "no variable" },
	};

	(void)state;
	(void)text[0];
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };
		struct variable v;

		assert_true(variable_find("/proc/self/exe", rows[i].name, &v, &err) < 0);
		if (!strstr(err.text, rows[i].said))
			print_error("%s: %s\n", rows[i].name, err.text);
		assert_non_null(strstr(err.text, rows[i].said));
	}
	assert_true(variable_find("/dev/null", "x", &(struct variable){ 0 }, NULL) < 0);
}

/* DWARF 2, and addresses of data that the linker moved up. */
static void those_of_an_avr_are_found(void **state)
{
	const char *radio = "build/sim/firmware/radio.elf";
	struct variable v;

	(void)state;
	if (access(radio, R_OK) < 0) {
		printf("SKIP: no %s\n", radio);
		skip();
	}
	assert_int_equal(variable_find(radio, "radio_state", &v, NULL), 0);
	assert_in_range(v.address, 0x100, 0x4100);
	assert_int_equal(v.size, 2);
	assert_int_equal(v.enumerator_count, 4);
	assert_string_equal(v.enumerators[3].name, "S_TRANSMITTING");
	variable_release(&v);
	assert_int_equal(variable_find(radio, "tasks.count", &v, NULL), 0);
	assert_int_equal(v.size, 1);
	assert_false(v.is_state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_own_are_found),
		cmocka_unit_test(states_have_names),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(those_of_an_avr_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
