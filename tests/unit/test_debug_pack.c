/* Tables of DWARF that a process of its own reads are those that are read here: of this program. */
#include "core/image/debug_pack.h"

#include <string.h>

#include "core/image/elf.h"
#include "tests/unit/unit.h"

#define SAME(table) do { \
	assert_int_equal(here.table.count, apart.table.count); \
	for (size_t i = 0; i < here.table.count; i++) \
		assert_memory_equal(&here.table.v[i], &apart.table.v[i], sizeof(*here.table.v)); \
} while (0)

static struct debug_data here, apart;

static void strings_same(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b);
}

static void tables_are_the_same(void **state)
{
	const atomic_bool stop = false;
	atomic_uint read = 0;
	struct err err = { 0 };
	struct elf elf;

	(void)state;
	assert_int_equal(elf_open(&elf, "/proc/self/exe", &err), 0);
	debug_read_here(&here, &elf, &stop, NULL);
	debug_read(&apart, &elf, &stop, &read);
	assert_true(here.rows.count > 1000);
	assert_int_equal(here.units, apart.units);
	assert_int_equal(here.incomplete, apart.incomplete);
	SAME(instances);
	SAME(code);
	SAME(inlines);
	SAME(inlined);
	SAME(rows);
	SAME(sequences);
	assert_int_equal(here.paths.count, apart.paths.count);
	for (size_t i = 0; i < here.paths.count; i++) {
		assert_string_equal(here.paths.v[i].path, apart.paths.v[i].path);
		assert_string_equal(here.paths.v[i].file, apart.paths.v[i].file);
	}
	assert_int_equal(here.functions.count, apart.functions.count);
	for (size_t i = 0; i < here.functions.count; i++) {
		strings_same(here.functions.v[i].name, apart.functions.v[i].name);
		strings_same(here.functions.v[i].linkage, apart.functions.v[i].linkage);
		assert_int_equal(here.functions.v[i].path, apart.functions.v[i].path);
		assert_int_equal(here.functions.v[i].line, apart.functions.v[i].line);
	}
	debug_release(&here);
	debug_release(&apart);
	elf_close(&elf);
}

/* Reading that is stopped gives what there is, and no error. */
static void stop_is_heard(void **state)
{
	const atomic_bool stop = true;
	struct err err = { 0 };
	struct elf elf;

	(void)state;
	assert_int_equal(elf_open(&elf, "/proc/self/exe", &err), 0);
	debug_read(&apart, &elf, &stop, NULL);
	assert_int_equal(apart.rows.count, 0);
	debug_release(&apart);
	elf_close(&elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_the_same), cmocka_unit_test(stop_is_heard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
