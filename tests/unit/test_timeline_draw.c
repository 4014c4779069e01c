/*
 * test_timeline_draw: how the time line draws what is no plain call: calls that were counted or
 * that a lost frame told, lost frames, states and values, calls deep inside of others.
 */
#include "tests/unit/unit.h"

#include "core/node/parts.h"
#include "tui/view/timeline/timeline.h"
#include "tui/view/views.h"

enum { COLUMNS = 100, LINES = 40, SHIFT = 3 };

struct drawn {
	struct node node;
	struct settings settings;
	struct view_shared shared;
	struct view *view;
	struct cell cells[COLUMNS * LINES];
	char text[LINES][COLUMNS + 1];
	uint8_t tokens[600];
	size_t count;
	uint32_t ticks;
	uint8_t number, lane;
};

static void token_add(struct drawn *d, const char *bytes, size_t n)
{
	memcpy(d->tokens + d->count, bytes, n);
	d->count += n;
}

#define TOKEN(d, bytes) token_add(d, bytes, sizeof(bytes) - 1)

static void stamp_add(struct drawn *d, uint32_t ticks)
{
	uint32_t units = ticks >> SHIFT;
	char bytes[] = { 0, (char)units, (char)(units >> 8) };

	d->ticks = ticks;
	token_add(d, bytes, sizeof(bytes));
}

static void frame_send(struct drawn *d)
{
	struct wire_trace f = {
		.number = d->number++, .time = d->ticks, .tokens = d->tokens, .count = d->count,
		.lane = d->lane,
	};

	trace_frame(d->node.calls.trace, &f);
	d->count = 0;
}

static struct drawn *drawn_new(void)
{
	struct drawn *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->node.calls.trace = trace_new();
	assert_non_null(d->node.calls.trace);
	trace_setup(d->node.calls.trace, &(struct wire_tracing){
		.encoding = 1, .stamp_shift = SHIFT, .slots = 128, .lanes = 4 }, 1000000);
	d->shared = (struct view_shared){ .node = &d->node, .settings = &d->settings };
	d->view = view_new(&view_timeline_ops);
	assert_non_null(d->view);
	return d;
}

static void drawn_free(struct drawn *d)
{
	view_free(d->view);
	trace_free(d->node.calls.trace);
	free(d);
}

/* In ASCII. */
static void window_draw(struct drawn *d)
{
	struct grid g = { .cells = d->cells, .stride = COLUMNS, .width = COLUMNS, .height = LINES };

	grid_clear(&g);
	d->view->ops->draw(d->view, &d->shared, &g);
	for (int y = 0; y < LINES; y++)
		for (int x = 0; x < COLUMNS; x++) {
			uint32_t ch = d->cells[y * COLUMNS + x].ch[0];

			d->text[y][x] = (char)(ch && ch < 127 ? ch : ' ');
		}
}

/* All of the trace. */
static void all_draw(struct drawn *d)
{
	d->view->width = COLUMNS;
	d->view->height = LINES;
	for (unsigned i = 0; i < 40; i++)
		d->view->ops->act(d->view, &d->shared, ACTION_CLOSE);
	d->view->ops->act(d->view, &d->shared, ACTION_TOP);
	window_draw(d);
}

/* The last line that begins so: a lane's, not that of its load. NULL: none. */
static const char *line_of(const struct drawn *d, const char *label)
{
	for (int y = LINES; y-- > 0; )
		if (!strncmp(d->text[y], label, strlen(label)))
			return d->text[y];
	return NULL;
}

static void assert_in_line(const struct drawn *d, const char *label, const char *text)
{
	const char *line = line_of(d, label);

	if (!line || !strstr(line, text))
		fail_msg("\"%s\" is not in \"%s\"", text, line ? line : "(no such line)");
}

static void calls_that_are_not_told_look_different(void **state)
{
	struct drawn *d = drawn_new();

	(void)state;
	stamp_add(d, 0x1000);
	TOKEN(d, "\x01\x7e");			/* 1: 2,000 ticks */
	stamp_add(d, 0x1000 + 2000);
	stamp_add(d, 0x1000 + 3000);
	TOKEN(d, "\xff\x02\x05\x64");			/* 100 calls in 5 */
	stamp_add(d, 0x1000 + 6000);
	TOKEN(d, "\x7f\x11\x22");			/* what was never told */
	stamp_add(d, 0x1000 + 9000);
	TOKEN(d, "\xff\x07\x32");			/* 50 calls */
	stamp_add(d, 0x1000 + 12000);
	TOKEN(d, "\x82");
	stamp_add(d, 0x1000 + 13000);
	frame_send(d);
	d->number++;					/* one is lost */
	stamp_add(d, 0x1000 + 18000);
	TOKEN(d, "\x83");
	stamp_add(d, 0x1000 + 19000);
	frame_send(d);
	all_draw(d);
	assert_in_line(d, "main", "[functi");
	assert_in_line(d, "main", "[====");
	assert_in_line(d, "main", "????");
	assert_in_line(d, "main", "= 50 calls =");
	assert_in_line(d, "main", "xx 1 frame lost xxx");
	assert_in_line(d, "[", "= not told");
	drawn_free(d);
}

static void states_and_values_have_lines(void **state)
{
	struct drawn *d = drawn_new();

	(void)state;
	for (uint32_t i = 0; i < 8; i++) {
		char value[] = { '\xff', 5, 4, (char)(2 * 8 * i) };	/* value 4: 0, 8 .. 56 */
		char mode[] = { '\xff', 6, 7, (char)(i / 4 + 1) };	/* state 7: 1, then 2 */

		stamp_add(d, 0x1000 + 1000 * i);
		TOKEN(d, "\x01\x7e");
		token_add(d, value, sizeof(value));
		if (i % 4 == 0)
			token_add(d, mode, sizeof(mode));
	}
	stamp_add(d, 0x1000 + 8000);
	frame_send(d);
	all_draw(d);
	assert_in_line(d, "state 7", "|1 ");
	assert_in_line(d, "state 7", "|2 ");
	assert_non_null(line_of(d, "value 4"));
	/* At the end of the trace, with the range in it. */
	d->view->ops->act(d->view, &d->shared, ACTION_BOTTOM);
	window_draw(d);
	assert_in_line(d, "calls in it", "value 4 = 48 (0 to 48)");
	assert_in_line(d, "calls in it", "state 7 = 2");
	drawn_free(d);
}

/* Too many calls to look at each: the same lines, of what each column ends with. */
static void dense_lanes_have_states_and_values(void **state)
{
	struct drawn *d = drawn_new();
	struct timeline *t = (struct timeline *)d->view;

	(void)state;
	for (uint32_t i = 0; i < 40; i++) {
		char value[] = { '\xff', 5, 4, (char)(2 * i) };		/* value 4: 0 to 39 */
		char mode[] = { '\xff', 6, 7, (char)(i / 20 + 1) };	/* state 7: 1, then 2 */

		stamp_add(d, 0x1000 + 10000 * i);
		if (i % 20 == 0)
			token_add(d, mode, sizeof(mode));
		token_add(d, value, sizeof(value));
		if (i == 30)
			TOKEN(d, "\xff\x04\x09");			/* mark 9 */
		for (unsigned k = 0; k < 500; k++)
			TOKEN(d, "\x82");
		frame_send(d);
	}
	stamp_add(d, 0x1000 + 400000);
	frame_send(d);
	all_draw(d);
	assert_true(t->scene.lanes[0].dense);
	assert_in_line(d, "state 7", "|1       ");
	assert_in_line(d, "state 7", "|2       ");
	assert_in_line(d, "console", "mark 9");
	d->view->ops->act(d->view, &d->shared, ACTION_BOTTOM);
	window_draw(d);
	assert_true(t->scene.lanes[0].dense);
	assert_in_line(d, "calls in it", "value 4 = 39 (0 to 39)");
	assert_in_line(d, "calls in it", "state 7 = 2");
	drawn_free(d);
}

static void calls_deep_inside_are_shown(void **state)
{
	struct drawn *d = drawn_new();
	struct timeline *t = (struct timeline *)d->view;

	(void)state;
	stamp_add(d, 0x1000);
	for (unsigned i = 0; i < 100; i++)
		TOKEN(d, "\x01");
	stamp_add(d, 0x1000 + 8000);
	for (unsigned i = 0; i < 100; i++)
		TOKEN(d, "\x7e");
	stamp_add(d, 0x1000 + 16000);
	frame_send(d);
	all_draw(d);
	assert_int_equal(t->scene.lanes[0].depths, 99);	/* the last is below no box */
	for (unsigned i = 0; i < 99; i++)
		d->view->ops->act(d->view, &d->shared, ACTION_DOWN);
	window_draw(d);
	assert_int_equal(t->depth, 98);
	assert_non_null(line_of(d, "      98"));
	drawn_free(d);
}

/* Two tasks of one function, neither of which returns; the first one's next frame is to come. */
static void tasks_have_names_of_their_own(void **state)
{
	struct drawn *d = drawn_new();
	int tasks = 0, ends[3] = { 0 };

	(void)state;
	for (d->lane = 2; d->lane < 4; d->lane++) {
		stamp_add(d, 0x1000);
		TOKEN(d, "\x01\x82");
		stamp_add(d, d->lane * 10000);
		d->number = 0;
		frame_send(d);
	}
	all_draw(d);
	for (int y = 5; y < LINES; y++) {
		if (strncmp(d->text[y], "fun~ 1/", 7))
			continue;
		assert_int_equal(d->text[y][7], '1' + tasks++);
		ends[tasks] = (int)strcspn(d->text[y], ">");
	}
	assert_int_equal(tasks, 2);
	assert_in_range(ends[1], COLUMNS / 2, COLUMNS * 3 / 4);
	assert_int_equal(ends[2], COLUMNS - 1);
	assert_in_line(d, "[", "empty: not told yet");
	drawn_free(d);
}

static uint64_t values_draw(struct drawn *d, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at <= to; at += to - from > 1000 ? 1000 : 1)
		assert_int_equal(trace_tell(d->node.calls.trace, &(struct trace_told){
			.kind = TRACE_VALUE, .id = 9, .value = (int64_t)at, .ticks = at }), 0);
	d->view->ops->update(d->view, &d->shared);
	window_draw(d);
	return ((struct timeline *)d->view)->span;
}

/* It is opened when two values were told, a tick apart: no window of some nanoseconds stays. */
static void values_without_calls_have_a_window(void **state)
{
	struct drawn *d = drawn_new();
	uint64_t span;

	(void)state;
	trace_setup_told(d->node.calls.trace, 1e6);
	d->view->width = COLUMNS;
	d->view->height = LINES;
	assert_true(values_draw(d, 1, 2) <= 16);
	assert_int_equal(values_draw(d, 3, 3000003), 3000002);
	span = values_draw(d, 3001003, 30000003);
	assert_int_equal(span, 10000000);
	/* what the user chose stays */
	d->view->ops->act(d->view, &d->shared, ACTION_ZOOM_IN);
	window_draw(d);
	assert_int_equal(values_draw(d, 30001003, 33000003), 5000000);
	drawn_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_without_calls_have_a_window),
		cmocka_unit_test(calls_that_are_not_told_look_different),
		cmocka_unit_test(states_and_values_have_lines),
		cmocka_unit_test(dense_lanes_have_states_and_values),
		cmocka_unit_test(calls_deep_inside_are_shown),
		cmocka_unit_test(tasks_have_names_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
