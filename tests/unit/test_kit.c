/*
 * kit: the plan of `wsntop init`: each layout's files are there, what stands in the tree is
 * compared and never changed, and memory that runs out is reported. Run in the project's root,
 * whose folders are the share.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/kit/kit.h"

static char tree[] = "/tmp/test_kit.XXXXXX";

static int tree_make(void **state)
{
	(void)state;
	return mkdtemp(tree) ? 0 : -1;
}

static int tree_remove(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", tree);
	return system(command);
}

static struct kit_order order_of(const char *rtos, unsigned chip)
{
	return (struct kit_order){ .dir = tree, .share = ".", .layout = layout_find(rtos),
				   .chip = chip, .clock_hz = 1000000 };
}

static void test_layouts(void **state)
{
	(void)state;
	for (const struct layout *l = layouts; l->name; l++)
		for (unsigned chip = LAYOUT_AVR; chip <= LAYOUT_CORTEXM; chip++) {
			struct kit_order o = order_of(l->name, chip);
			struct err err = { 0 };
			struct kit *k = kit_new(&o, &err);
			struct buf steps = BUF_INIT;

			assert_int_equal(k != NULL, (l->chips & chip) != 0);
			if (!k) {
				assert_int_equal(err.code, ERR_USAGE);
				continue;
			}
			assert_true(kit_count(k, KIT_NEW) > 30);
			assert_int_equal(kit_count(k, KIT_SAME) + kit_count(k, KIT_DIFFERENT), 0);
			kit_steps(k, &steps);
			assert_true(steps.len > 100 && buf_str(&steps)[steps.len - 1] == '\n');
			buf_release(&steps);
			kit_free(k);
		}
	assert_null(layout_find("mbed"));
}

/* The same tree is written, found as it was, and one changed byte is seen. */
static void test_states(void **state)
{
	struct kit_order o = order_of("none", LAYOUT_AVR);
	struct err err = { 0 };
	struct kit *k = kit_new(&o, &err);
	char path[128];
	size_t all;

	(void)state;
	assert_non_null(k);
	all = kit_count(k, KIT_NEW);
	assert_int_equal(kit_write(k, &err), 0);
	kit_free(k);

	k = kit_new(&o, &err);
	assert_int_equal(kit_count(k, KIT_SAME), all);
	snprintf(path, sizeof(path), "%s/%s", tree, kit_path(k, KIT_SAME, 3));
	assert_null(kit_path(k, KIT_SAME, all));
	kit_free(k);

	assert_int_equal(file_write(path, "mine", 4, &err), 0);
	k = kit_new(&o, &err);
	assert_int_equal(kit_count(k, KIT_DIFFERENT), 1);
	assert_non_null(strstr(path, kit_path(k, KIT_DIFFERENT, 0)));
	kit_free(k);
	/* a folder in a file's place, and a file in a folder's: neither is written to */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	k = kit_new(&o, &err);
	assert_int_equal(kit_count(k, KIT_DIFFERENT), 1);
	kit_free(k);
}

static void test_absent(void **state)
{
	struct kit_order o = order_of("riot", LAYOUT_AVR);
	struct err err = { 0 };

	(void)state;
	o.share = "/nowhere";
	assert_null(kit_new(&o, &err));
	assert_non_null(strstr(err.text, "/nowhere/target-common"));
	err_clear(&err);
	o = order_of("none", 0);
	o.elf = "/nowhere.elf";
	assert_null(kit_new(&o, &err));
	assert_true(err_is_set(&err));
}

static void test_no_memory(void **state)
{
	struct kit_order o = order_of("freertos", LAYOUT_CORTEXM);
	size_t failed = 0;

	(void)state;
	for (long n = 0; n < 100000; n++) {
		struct err err = { 0 };
		struct kit *k;

		mem_fail_after(n);
		k = kit_new(&o, &err);
		mem_fail_after(-1);
		assert_true(k || err_is_set(&err));
		failed += !k;
		kit_free(k);
		if (k)
			break;
	}
	assert_true(failed > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, tree_make, tree_remove);
}
