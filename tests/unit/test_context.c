/*
 * context: from which root a function runs, how far from it, how much stack that takes; and the
 * columns that say so.
 *
 * The call graphs are drawn as text: "main>a" is a call, "isr!" a handler. The frames are those
 * that .cfi_def_cfa_offset says; nothing is said of d's.
 */
#include "tests/unit/image_made.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/image/image.h"
#include "core/profile/look/context.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/tasks.h"
#include "core/profile/raw/feed.h"

static const char source[] =
	".text\n"
	".macro fn name, frame\n .globl \\name\n .type \\name,@function\n \\name:\n"
	" .cfi_startproc\n"
	" .cfi_def_cfa_offset \\frame\n nop\n nop\n ret\n .cfi_endproc\n .size \\name,.-\\name\n"
	" .balign 64,0xcc\n .endm\n"
	"fn main, 16\n fn a, 32\n fn b, 48\n fn c, 64\n fn isr, 24\n fn task, 80\n"
	".globl d\n .type d,@function\n d: nop\n nop\n ret\n .size d,.-d\n"
	".globl end\n .type end,@function\n end: nop\n nop\n ret\n .size end,.-end\n";

struct fixture {
	char dir[32];
	struct image *image;
};

static int set_up(void **state)
{
	struct fixture *t = calloc(1, sizeof(*t));

	t->image = unit_image(t->dir, source, "-g");
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *t = *state;

	image_free(t->image);
	assert_int_equal(unit_remove(t->dir), 0);
	free(t);
	return 0;
}

/* --- graphs ----------------------------------------------------------------------------------- */

static uint32_t address_of(const struct fixture *t, const char *name)
{
	uint32_t id = image_find_name(t->image, name);

	assert_int_not_equal(id, IMAGE_NONE);
	return (uint32_t)image_function(t->image, id)->address;
}

/* "main>a a>b isr!" */
static void graph_draw(const struct fixture *t, struct profile *p, const char *graph)
{
	static const struct wire_hello hello = { .name = "", .version = 1,
		.ticks_per_second = 1000 };
	char text[256], *word, *save = NULL;

	assert_int_equal(profile_init(p, "test"), 0);
	profile_set_image(p, t->image);
	profile_take_hello(p, &hello);
	snprintf(text, sizeof(text), "%s", graph);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		struct wire_total row = { .kind = TOTAL_SITE, .calls = 1, .total = 1,
			.has = TOTAL_TIMED };
		char *to = strpbrk(word, ">!");
		bool handler = *to == '!';

		*to++ = '\0';
		row.flags = handler ? ROW_HANDLER : 0;
		row.from = handler ? 0 : address_of(t, word) + 2;
		row.to = address_of(t, handler ? word : to);
		assert_int_equal(profile_take_totals(p, &row, 1), 0);
	}
	assert_int_equal(profile_compute(p), 0);
}

/* "a=main/1/48": its context, calls from the nearest root, bytes of stack. */
static const char *context_text(char *dst, size_t size, const struct column_data *d,
				const char *name)
{
	uint32_t i = profile_find_name(d->profile, name);
	char stack[COLUMN_TEXT], context[COLUMN_TEXT];

	assert_int_not_equal(i, PROFILE_NONE);
	columns[COLUMN_STACK].format(d, &d->profile->functions[i], stack, sizeof(stack));
	columns[COLUMN_CONTEXT].format(d, &d->profile->functions[i], context, sizeof(context));
	snprintf(dst, size, "%s=%s/%d/%s", name, context, (int)d->contexts->items[i].depth, stack);
	return dst;
}

static const struct { const char *graph, *expected; } graphs[] = {
	{ "main>a a>b b>c", "main=main/0/16_B a=main/1/48_B b=main/2/96_B c=main/3/160_B" },
	/* the nearest way counts calls, the deepest one bytes */
	{ "main>a main>c a>c", "c=main/1/112_B" },
	/* what an interrupt runs alone is its; what others run too is several's */
	{ "isr! isr>a main>a main>b isr>c",
	  "isr=ISR/0/24_B a=several/1/56_B b=main/1/64_B c=ISR/1/88_B" },
	{ "isr! task! isr>a task>a", "isr=ISR/0/24_B a=ISR/1/112_B" },
	/* a handler that is also called */
	{ "isr! main>isr isr>a", "isr=several/0/40_B a=several/1/72_B" },
	/* what nobody calls is a task */
	{ "main>a task>b b>c", "a=main/1/48_B task=task/0/80_B c=task/2/192_B" },
	/* main begins with main, whoever starts it */
	{ "c>main main>a", "c=c/0/64_B main=main/0/16_B a=main/1/48_B" },
	/* a frame that is not known */
	{ "main>d d>a main>b", "d=main/1/>=16_B a=main/2/>=48_B b=main/1/64_B" },
	{ "d>a", "d=d/0/ a=d/1/>=32_B" },
	/* how often it goes round is not known */
	{ "main>a a>a a>b", "a=main/1/>=48_B b=main/2/>=96_B" },
	{ "main>a a>b b>a b>c", "a=main/1/>=48_B b=main/2/>=64_B c=main/3/>=128_B" },
	{ "a>b b>a b>c", "c=a/2/>=112_B" },
	{ "main>a a>b b>main", "main=main/0/>=16_B a=main/1/>=32_B" },
};

static void graphs_are_walked(void **state)
{
	struct fixture *t = *state;

	for (size_t i = 0; i < COUNT(graphs); i++) {
		struct contexts c = { 0 };
		struct profile p;
		struct column_data d = { &p, &c };
		char expected[256], text[400], *word, *save = NULL;

		graph_draw(t, &p, graphs[i].graph);
		assert_int_equal(contexts_build(&c, &p, t->image), 0);
		snprintf(expected, sizeof(expected), "%s", graphs[i].expected);
		for (word = strtok_r(expected, " ", &save); word;
		     word = strtok_r(NULL, " ", &save)) {
			char name[16];

			snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
			for (char *s = word; *s; s++)
				*s = *s == '_' ? ' ' : *s;
			assert_string_equal(context_text(text, sizeof(text), &d, name), word);
		}
		contexts_release(&c);
		profile_release(&p);
	}
}

/* A function that was only sampled may run anywhere. */
static void what_was_not_called_has_none(void **state)
{
	struct fixture *t = *state;
	struct contexts c = { 0 };
	struct profile p;
	uint32_t pc = address_of(t, "a") + 1, i;

	graph_draw(t, &p, "main>b");
	profile_add_samples(&p, &pc, 1);
	assert_int_equal(profile_compute(&p), 0);
	assert_int_equal(contexts_build(&c, &p, t->image), 0);
	i = profile_find_name(&p, "a");
	assert_int_equal(c.items[i].root, CONTEXT_NONE);
	assert_int_equal(c.items[i].stack, -1);
	assert_int_equal(c.items[i].frame, 32);
	contexts_release(&c);
	profile_release(&p);
}

/*
 * A kernel lets a task's entry return to the beginning of a function (`end` here): it is no caller,
 * nor is d, right in front of it.
 */
static void the_entry_of_a_task_has_no_caller(void **state)
{
	struct fixture *t = *state;
	struct wire_total row = { .kind = TOTAL_SITE, .calls = 1, .total = 1, .has = TOTAL_TIMED };
	struct contexts c = { 0 };
	struct profile p;
	uint32_t i;

	graph_draw(t, &p, "task>a");
	row.from = address_of(t, "end");
	row.to = address_of(t, "task");
	assert_int_equal(profile_take_totals(&p, &row, 1), 0);
	assert_int_equal(profile_compute(&p), 0);
	assert_int_equal(contexts_build(&c, &p, t->image), 0);
	i = profile_find_name(&p, "task");
	assert_int_equal(c.items[i].root, i);
	assert_int_equal(i, c.items[profile_find_name(&p, "a")].root);
	assert_int_equal(profile_find_name(&p, "d"), PROFILE_NONE);
	contexts_release(&c);
	profile_release(&p);
}

/* --- tasks ------------------------------------------------------------------------------------ */

/* "main 50 task 25": percent. */
static void check_tasks(struct fixture *t, const char *graph, const char *expected)
{
	struct contexts c = { 0 };
	struct tasks tasks = { 0 };
	struct profile p;
	char text[200] = "";

	graph_draw(t, &p, graph);
	/* each its own weight, the self times being of one tick at most */
	for (size_t i = 0; i < p.function_count; i++)
		p.functions[i].self_s = p.functions[i].name[1] ? 1 : 2;
	assert_int_equal(contexts_build(&c, &p, t->image), 0);
	assert_int_equal(tasks_find(&tasks, &c, &p), 0);
	for (size_t i = 0; i < tasks.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %.0f",
			 i ? " " : "", p.functions[tasks.items[i].root].name,
			 100 * tasks.items[i].share);
	assert_string_equal(text, expected);
	tasks_release(&tasks);
	contexts_release(&c);
	profile_release(&p);
}

static void tasks_share_the_time(void **state)
{
	struct fixture *t = *state;

	check_tasks(t, "main>a", "main 100");
	check_tasks(t, "main>a task>b b>c", "task 62 main 38");
	/* handlers, and what they alone call, are no tasks; what several run is of none */
	check_tasks(t, "isr! isr>c main>a task>b", "main 50 task 50");
	check_tasks(t, "main>a task>a task>b", "task 50 main 17");
}

static void without_an_image_stacks_are_not_known(void **state)
{
	struct fixture *t = *state;
	struct contexts c = { 0 };
	struct profile p;
	struct column_data d = { &p, &c };

	graph_draw(t, &p, "main>b");
	assert_int_equal(contexts_build(&c, &p, NULL), 0);
	assert_false(column_holds(&columns[COLUMN_STACK], &d));
	assert_true(column_holds(&columns[COLUMN_CONTEXT], &d));
	d.contexts = NULL;
	assert_false(column_holds(&columns[COLUMN_CONTEXT], &d));
	contexts_release(&c);
	profile_release(&p);
}

/* --- size ------------------------------------------------------------------------------------- */

enum { MANY = 100000 };

/* Each calls the next; the last calls the first if `round`. */
static void chain_make(struct profile *p, bool round)
{
	p->function_count = MANY;
	p->edge_count = round ? MANY : MANY - 1;
	p->functions = calloc(MANY, sizeof(*p->functions));
	p->edges = calloc(MANY, sizeof(*p->edges));
	for (uint32_t i = 0; i < MANY; i++) {
		p->functions[i] = (struct profile_function){
			.name = "f", .image_id = IMAGE_NONE, .cycle = round,
			.first_out = i < p->edge_count ? i : PROFILE_NONE,
			.first_in = i ? i - 1 : round ? MANY - 1 : PROFILE_NONE,
		};
		p->edges[i] = (struct profile_edge){
			.from = i, .to = (i + 1) % MANY, .next_out = PROFILE_NONE,
			.next_in = PROFILE_NONE,
		};
	}
}

static void a_hundred_thousand_calls_deep(void **state)
{
	(void)state;
	for (int round = 0; round < 2; round++) {
		struct contexts c = { 0 };
		struct profile p = { 0 };

		chain_make(&p, round);
		assert_int_equal(contexts_build(&c, &p, NULL), 0);
		assert_int_equal(c.items[MANY - 1].depth, MANY - 1);
		assert_int_equal(c.items[MANY - 1].root, 0);
		assert_int_equal(c.items[MANY - 1].stack, -1);
		contexts_release(&c);
		free(p.functions);
		free(p.edges);
	}
}

static void memory_may_run_out(void **state)
{
	struct fixture *t = *state;
	struct profile p;
	long n = 0;
	int ret;

	graph_draw(t, &p, "main>a a>b");
	do {
		struct contexts c = { 0 };

		mem_fail_after(n++);
		ret = contexts_build(&c, &p, t->image);
		mem_fail_after(-1);
		assert_true(ret == 0 || (ret == ERR_NOMEM && c.count == 0));
		contexts_release(&c);
	} while (ret);
	assert_true(n > 1);
	profile_release(&p);
}

/* --- sorting ---------------------------------------------------------------------------------- */

static void check_order(const struct profile *p, const struct rows_order *o, const char *expected)
{
	struct rows r;
	char text[128] = "";

	rows_init(&r);
	assert_int_equal(rows_sort(&r, p, o), 0);
	for (size_t i = 0; i < r.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 p->functions[r.items[i]].name);
	assert_string_equal(text, expected);
	rows_release(&r);
}

static void rows_are_sorted_by_them(void **state)
{
	struct fixture *t = *state;
	struct contexts c = { 0 };
	struct profile p;

	graph_draw(t, &p, "main>a isr! isr>b d>c");
	assert_int_equal(contexts_build(&c, &p, t->image), 0);
	check_order(&p, &(struct rows_order){ .column = COLUMN_STACK, .contexts = &c },
		    "b c a isr main d");
	check_order(&p, &(struct rows_order){ .column = COLUMN_STACK, .contexts = &c,
					      .inverted = true }, "d main isr a c b");
	check_order(&p, &(struct rows_order){ .column = COLUMN_CONTEXT, .contexts = &c },
		    "b isr c d a main");
	/* not known: by calls, then by address */
	check_order(&p, &(struct rows_order){ .column = COLUMN_STACK }, "a b c isr main d");
	contexts_release(&c);
	profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_are_walked),
		cmocka_unit_test(what_was_not_called_has_none),
		cmocka_unit_test(the_entry_of_a_task_has_no_caller),
		cmocka_unit_test(tasks_share_the_time),
		cmocka_unit_test(without_an_image_stacks_are_not_known),
		cmocka_unit_test(a_hundred_thousand_calls_deep),
		cmocka_unit_test(memory_may_run_out),
		cmocka_unit_test(rows_are_sorted_by_them),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
