/* view: release follows init whatever init returned, as for decoders. */
#include "tests/unit/unit.h"

#include "core/base/mem.h"
#include "tui/view/view.h"

struct made_view {
	struct view view;
	void *held;
};

static int init_status;
static unsigned released;

/* What it holds is there before it fails. */
static int made_init(struct view *v)
{
	((struct made_view *)v)->held = mem_alloc(16);
	return init_status;
}

static void made_release(struct view *v)
{
	mem_free(((struct made_view *)v)->held);
	released++;
}

static const struct view_ops made_ops = {
	.size = sizeof(struct made_view), .init = made_init, .release = made_release,
};

static void a_failed_init_is_released(void **state)
{
	(void)state;
	init_status = -1;
	assert_null(view_new(&made_ops));
	assert_int_equal(released, 1);
}

static void a_view_is_released_once(void **state)
{
	struct view *v;

	(void)state;
	init_status = 0;
	released = 0;
	v = view_new(&made_ops);
	assert_non_null(v);
	assert_int_equal(released, 0);
	view_free(v);
	assert_int_equal(released, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_init_is_released),
		cmocka_unit_test(a_view_is_released_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
