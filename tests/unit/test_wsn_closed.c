/*
 * wsn: counts that are told once (closed.c): gaps in their sum, what fills them, frames that wait
 * for the sum behind them. The figures of each step are worked out by hand.
 */
#include "tests/unit/unit.h"

#include "core/wire/wsn/state.h"

/* --- the sum and its gaps --------------------------------------------------------------------- */

/*
 * A frame of counts `before`..`before + sum`: in order, or late; or STATUS's sum. What comes of it:
 * were they news, was something missing before them; the sum's end, how many gaps, what is unheard.
 */
enum step_kind { NEXT, LATE, STATUS };

struct closed_step {
	enum step_kind kind;
	uint32_t before;
	uint64_t sum;
	bool news, gap;			/* STATUS: some are missing */
	uint64_t end;
	size_t gaps;
	uint64_t unheard, joined;	/* `joined`: of these, from before we listened */
};

static void steps_run(const char *name, const struct closed_step *v, size_t n)
{
	struct wsn_closed c = { .begun = false };

	for (size_t i = 0; i < n; i++) {
		bool gap = false, news;

		if (v[i].kind == STATUS)
			news = wsn_closed_status(&c, v[i].before);
		else
			news = wsn_closed_take(&c, v[i].before, v[i].sum,
					       v[i].kind == LATE ? ORDER_LATE : ORDER_NEXT, &gap);
		if (news != v[i].news || gap != v[i].gap || c.end != v[i].end ||
		    c.gaps != v[i].gaps || wsn_closed_unheard(&c) != v[i].unheard ||
		    wsn_closed_before(&c) != v[i].joined)
			fail_msg("%s, step %zu: news %d gap %d end %llu gaps %zu unheard %llu "
				 "before %llu", name, i, news, gap, (unsigned long long)c.end,
				 c.gaps, (unsigned long long)wsn_closed_unheard(&c),
				 (unsigned long long)wsn_closed_before(&c));
	}
}

static const struct closed_step gaps_filled[] = {
	{ NEXT, 0, 10, true, false, 10, 0, 0, 0 },
	{ NEXT, 30, 5, true, true, 35, 1, 20, 0 },
	{ NEXT, 50, 5, true, true, 55, 2, 35, 0 },
	{ LATE, 15, 5, true, false, 55, 3, 30, 0 },	/* in a gap's midst: two are left of it */
	{ LATE, 15, 5, false, false, 55, 3, 30, 0 },	/* again */
	{ LATE, 45, 10, false, false, 55, 3, 30, 0 },	/* over a gap's end */
	{ LATE, 5, 10, false, false, 55, 3, 30, 0 },	/* over its beginning */
	{ LATE, 10, 5, true, false, 55, 2, 25, 0 },	/* whole ones */
	{ LATE, 20, 10, true, false, 55, 1, 15, 0 },
	{ LATE, 35, 15, true, false, 55, 0, 0, 0 },
	{ LATE, 35, 15, false, false, 55, 0, 0, 0 },
	{ LATE, 55, 2, true, false, 57, 0, 0, 0 },	/* behind all others: news */
	{ NEXT, 57, 1, true, false, 58, 0, 0, 0 },
};

static const struct closed_step one_of_three[] = {
	{ NEXT, 0, 1, true, false, 1, 0, 0, 0 },
	{ NEXT, 2, 1, true, true, 3, 1, 1, 0 },
	{ NEXT, 7, 1, true, true, 8, 2, 5, 0 },
	{ NEXT, 17, 1, true, true, 18, 3, 14, 0 },
	{ LATE, 3, 4, true, false, 18, 2, 10, 0 },	/* those around it stay */
	{ LATE, 8, 9, true, false, 18, 1, 1, 0 },
	{ LATE, 1, 1, true, false, 18, 0, 0, 0 },
};

static const struct closed_step noise_taken_back[] = {
	{ NEXT, 0, 10, true, false, 10, 0, 0, 0 },
	{ NEXT, 20, 5, true, true, 25, 1, 10, 0 },
	{ NEXT, 100, 5, true, true, 105, 2, 85, 0 },
	{ NEXT, 15, 5, true, false, 20, 1, 5, 0 },	/* in order, and less: the last was noise */
	{ NEXT, 20, 5, true, false, 25, 1, 5, 0 },
	{ NEXT, 60, 5, true, true, 65, 2, 40, 0 },
	{ NEXT, 25, 1, true, false, 26, 1, 5, 0 },	/* a gap that begins there goes */
};

static const struct closed_step sum_of_more_bits[] = {
	{ NEXT, 0, 0x7fffffff, true, false, 0x7fffffff, 0, 0, 0 },
	{ NEXT, 0x7fffffff, 0x7fffffff, true, false, 0xfffffffe, 0, 0, 0 },
	{ NEXT, 0xfffffffe, 12, true, false, 0x10000000a, 0, 0, 0 },
	{ NEXT, 20, 5, true, true, 0x100000019, 1, 10, 0 },
	{ LATE, 10, 10, true, false, 0x100000019, 0, 0, 0 },
};

/* Further back than there ever was: taken as the plain number. */
static const struct closed_step before_the_first[] = {
	{ NEXT, 5, 5, true, false, 10, 1, 5, 5 },
	{ NEXT, 0xffffffff, 2, true, true, 0x100000001, 2, 0xfffffffa, 5 },
};

static const struct closed_step joins_late[] = {
	{ STATUS, 100, 0, true, false, 0, 0, 100, 100 },
	{ NEXT, 120, 5, true, false, 125, 1, 120, 100 },
	{ STATUS, 125, 0, false, false, 125, 1, 120, 100 },
	{ STATUS, 126, 0, true, false, 125, 1, 121, 100 },
	{ NEXT, 200, 1, true, true, 201, 2, 195, 100 },
	{ LATE, 0, 60, true, false, 201, 2, 135, 40 },	/* the gap is the last now */
	{ LATE, 60, 60, true, false, 201, 1, 75, 0 },
	{ LATE, 125, 75, true, false, 201, 0, 0, 0 },
};

static const struct closed_step joins_with_the_first[] = {
	{ NEXT, 40, 5, true, false, 45, 1, 40, 40 },
	{ LATE, 0, 40, true, false, 45, 0, 0, 0 },
};

#define STEPS(name) steps_run(#name, name, COUNT(name))

static void counts_that_were_not_heard_are_known(void **state)
{
	struct wsn_closed none = { .begun = false };

	(void)state;
	assert_int_equal(wsn_closed_unheard(&none), 0);
	assert_int_equal(wsn_closed_before(&none), 0);
	STEPS(gaps_filled);
	STEPS(one_of_three);
	STEPS(noise_taken_back);
	STEPS(sum_of_more_bits);
	STEPS(before_the_first);
	STEPS(joins_late);
	STEPS(joins_with_the_first);
}

/* Beyond what there is room for the oldest gap is kept as a number. */
static void gaps_without_room_stay_unheard(void **state)
{
	struct wsn_closed c = { .begun = false };
	uint64_t unheard = 0;
	bool gap;

	(void)state;
	wsn_closed_take(&c, 0, 1, ORDER_NEXT, &gap);
	for (uint32_t i = 0; i <= WSN_GAPS; i++) {
		unheard += 2 + i;
		assert_true(wsn_closed_take(&c, (uint32_t)c.end + 2 + i, 1, ORDER_NEXT, &gap));
		assert_int_equal(wsn_closed_unheard(&c), unheard);
	}
	assert_int_equal(c.gaps, WSN_GAPS);
	assert_int_equal(c.forgotten, 2);
	assert_false(wsn_closed_take(&c, 1, 2, ORDER_LATE, &gap));	/* it comes too late */
	/* One in their midst is filled: all others are as they were. */
	for (size_t i = 20; i < WSN_GAPS; i += 20) {
		struct wsn_gap at = c.gap[i], behind = c.gap[i + 1], last = c.gap[c.gaps - 1];

		assert_true(wsn_closed_take(&c, (uint32_t)at.low, at.high - at.low, ORDER_LATE,
					    &gap));
		unheard -= at.high - at.low;
		assert_int_equal(wsn_closed_unheard(&c), unheard);
		assert_memory_equal(&c.gap[i], &behind, sizeof(behind));
		assert_memory_equal(&c.gap[c.gaps - 1], &last, sizeof(last));
	}
}

/* Frames that wait are heard; what lies before the first of them is not. */
static void frames_that_wait_are_heard(void **state)
{
	static const struct {
		uint64_t end;
		uint32_t first, status;
		bool known;
		size_t waits;
		uint64_t unheard;
	} rows[] = {
		{ 10, 20, 40, true, 2, 10 + 5 },	/* the second one leads to 35 */
		{ 10, 11, 35, true, 2, 1 },
		{ 10, 10, 36, true, 2, 1 },
		{ 10, 10, 35, true, 2, 0 },
		{ 10, 10, 34, true, 2, 0 },		/* STATUS is from before them */
		{ 10, 20, 26, true, 1, 10 + 1 },
		{ 10, 5, 10, true, 1, 0 },		/* it stands before what was heard */
		{ 0x90000000, 0, 0, false, 0, 0 },	/* no sum was told yet */
		{ 0x90000000, 0, 0x90000002, true, 0, 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn_closed c = {
			.begun = true, .end = rows[i].end, .waits = rows[i].waits,
			.waiting = { { .before = rows[i].first, .sum = 5 },
				     { .before = 30, .sum = 5 } },
			.status = rows[i].status, .status_known = rows[i].known,
		};

		assert_int_equal(wsn_closed_unheard(&c), rows[i].unheard);
	}
	/* One that waits before any was taken: STATUS's sum is no longer all that is unheard. */
	assert_int_equal(wsn_closed_unheard(&(struct wsn_closed){
		.waits = 1, .waiting = { { .before = 3, .sum = 5 } }, .status = 9,
		.status_known = true }), 3 + 1);
}

/* --- frames that wait for the sum behind them ------------------------------------------------- */

static struct wsn *w;
static unsigned totals;

static void totals_count(void *ctx, const struct wire_total *v, size_t n)
{
	(void)ctx;
	(void)v;
	totals += (unsigned)n;
}

static int decoder_up(void **state)
{
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = { .totals = totals_count };

	(void)state;
	w = (struct wsn *)wire_new("wsn", &o, &sink, NULL);
	return w == NULL;
}

static int decoder_down(void **state)
{
	(void)state;
	wire_free(&w->wire);
	return 0;
}

/* A frame of one arc's count, `before` it; with what it says in itself or not. */
static struct wsn_waiting waiting_of(uint64_t seq, uint32_t before, uint8_t count)
{
	struct wsn_waiting v = { .seq = seq, .before = before, .sum = count, .len = 6,
				 .frame = { WSN_CLOSED_ARCS, (uint8_t)seq, 0, 1, 2, count } };

	return v;
}

/* The sum's end is 7; two frames wait, the second in order behind the first, or not. */
struct confirm_case {
	const char *name;
	struct { uint64_t seq; uint32_t before; uint8_t count; } first, second;
	size_t waits;
	uint64_t newest, heard;		/* frames that came */
	uint32_t sum;			/* told by the frame `seq` */
	uint64_t seq;
	bool is_status;
	uint64_t end;			/* of the sum then, */
	size_t left;			/* frames that wait still, */
	uint64_t unheard;
};

#define ALL_CAME UINT64_MAX

static const struct confirm_case confirm_cases[] = {
	{ "a lone frame waits for the sum behind it", { 900, 7, 2 }, { 0 }, 1, 1000, ALL_CAME,
	  10, 1000, false, 7, 1, 0 },
	{ "this is it", { 900, 7, 2 }, { 0 }, 1, 1000, ALL_CAME, 9, 1000, false, 9, 0, 0 },
	{ "no frame waits", { 0 }, { 0 }, 0, 1000, ALL_CAME, 9, 1000, false, 7, 0, 0 },
	{ "both were right", { 900, 7, 2 }, { 901, 9, 3 }, 2, 1000, ALL_CAME, 12, 1000, false,
	  12, 0, 0 },
	{ "both, behind a gap", { 990, 10, 2 }, { 991, 12, 3 }, 2, 1000, ALL_CAME, 15, 1000,
	  false, 15, 0, 3 },
	{ "where the first one stands is damaged; its rows are as many as it takes",
	  { 990, 1000, 2 }, { 991, 9, 3 }, 2, 1000, ALL_CAME, 12, 1000, false, 12, 0, 0 },
	{ "its rows are damaged, too", { 990, 1000, 5 }, { 991, 9, 3 }, 2, 1000, ALL_CAME, 12,
	  1000, false, 12, 0, 2 },
	{ "a frame was lost between: that is why", { 990, 7, 2 }, { 992, 30, 1 }, 2, 1000,
	  ALL_CAME & ~(UINT64_C(1) << 9), 31, 1000, false, 31, 0, 21 },
	{ "the second itself is missing", { 991, 7, 2 }, { 992, 30, 1 }, 2, 1000,
	  ALL_CAME & ~(UINT64_C(1) << 8), 31, 1000, false, 31, 0, 21 },
	{ "63 frames ago: all came", { 937, 7, 2 }, { 992, 30, 1 }, 2, 1000, ALL_CAME, 31,
	  1000, false, 31, 0, 23 },
	{ "64 frames ago: nobody knows", { 936, 7, 2 }, { 992, 30, 1 }, 2, 1000, ALL_CAME, 31,
	  1000, false, 31, 0, 21 },
	{ "the newest of all, and nothing before it came", { 1000, 7, 2 }, { 1000, 30, 1 }, 2,
	  1000, 1, 31, 1000, false, 31, 0, 23 },
	{ "the second one is damaged, the third goes on behind the first", { 990, 7, 5 },
	  { 991, 1000, 2 }, 2, 1000, ALL_CAME, 12, 1000, false, 12, 0, 0 },
	{ "none of both leads there", { 990, 7, 5 }, { 991, 20, 2 }, 2, 1000, ALL_CAME, 30,
	  1000, false, 12, 1, 8 },
	{ "STATUS has less than a frame leads to", { 990, 7, 5 }, { 0 }, 1, 1000, ALL_CAME, 11,
	  1000, true, 7, 0, 0 },
	{ "as much", { 990, 7, 5 }, { 0 }, 1, 1000, ALL_CAME, 12, 1000, true, 12, 0, 0 },
	{ "more", { 990, 7, 5 }, { 0 }, 1, 1000, ALL_CAME, 13, 1000, true, 7, 1, 0 },
	{ "less, but a frame is missing", { 990, 7, 5 }, { 0 }, 1, 1000, ALL_CAME & ~2u, 11,
	  1000, true, 7, 1, 0 },
	{ "less than one of two frames leads to", { 990, 7, 5 }, { 991, 12, 2 }, 2, 1000,
	  ALL_CAME, 11, 1000, true, 7, 2, 0 },
};

static void a_frame_waits_for_the_sum_behind_it(void **state)
{
	(void)state;
	w->hello.unit = 1;
	w->hello.wire.max_arcs = 64;
	for (size_t i = 0; i < COUNT(confirm_cases); i++) {
		const struct confirm_case *k = &confirm_cases[i];
		struct wsn_closed *c = &w->table[TOTAL_ARC].closed;

		wsn_table_clear(&w->table[TOTAL_ARC]);
		*c = (struct wsn_closed){ .begun = true, .end = 7, .waits = k->waits };
		c->waiting[0] = waiting_of(k->first.seq, k->first.before, k->first.count);
		c->waiting[1] = waiting_of(k->second.seq, k->second.before, k->second.count);
		w->order = (struct wsn_order_state){ .begun = true, .newest = k->newest,
						     .heard = k->heard };
		wsn_closed_confirm(w, TOTAL_ARC, k->sum, k->seq, k->is_status);
		if (c->end != k->end || c->waits != k->left || wsn_closed_unheard(c) != k->unheard)
			fail_msg("%s: end %llu, %zu wait, unheard %llu", k->name,
				 (unsigned long long)c->end, c->waits,
				 (unsigned long long)wsn_closed_unheard(c));
	}
}

/* Before the first was taken, no sum is known that it could be beyond. */
static void the_first_frame_is_beyond_no_sum(void **state)
{
	struct wsn_closed *c = &w->table[TOTAL_ARC].closed;

	(void)state;
	w->hello.unit = 1;
	w->hello.wire.max_arcs = 64;
	w->order = (struct wsn_order_state){ .begun = true, .newest = 1000, .heard = ALL_CAME };
	*c = (struct wsn_closed){ .waits = 1, .waiting = { waiting_of(990, 7, 5) } };
	wsn_closed_confirm(w, TOTAL_ARC, 11, 1000, true);
	assert_int_equal(c->waits, 1);
	totals = 0;
	wsn_closed_give(w);			/* nothing more comes: it is taken */
	assert_int_equal(c->waits, 0);
	assert_int_equal(c->end, 12);
	assert_int_equal(totals, 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, decoder_up, decoder_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_that_were_not_heard_are_known),
		cmocka_unit_test(gaps_without_room_stay_unheard),
		cmocka_unit_test(frames_that_wait_are_heard),
		CASE(a_frame_waits_for_the_sum_behind_it),
		CASE(the_first_frame_is_beyond_no_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
