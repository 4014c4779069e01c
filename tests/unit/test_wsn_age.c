/*
 * wsn: at which run of the node a row was read, by what the line took (age.c), and what hooks take
 * to find rows that are not at their place (search.c). The figures are worked out beside each case.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/wire/wsn/state.h"
#include "tests/unit/noise_same.h"

static struct wsn w;

/* STATUS, so many bytes behind the one before; what the decoder does with it. */
static struct wire_status status_hear(uint64_t bytes, uint64_t run)
{
	struct wire_status s = { .run = run };

	w.age.place += bytes;
	wsn_age_status(&w, &s);
	w.status = s;
	return s;
}

/* --- refreshes -------------------------------------------------------------------------------- */

static void a_refresh_took_what_was_between_two_status(void **state)
{
	(void)state;
	w = (struct wsn){ 0 };
	assert_int_equal(status_hear(30, 1000).run_before, 1000);	/* the first one */
	assert_int_equal(w.age.refresh, 1);
	assert_int_equal(w.age.bytes + w.age.ticks, 0);
	assert_int_equal(status_hear(500, 2000).run_before, 1000);
	assert_int_equal(w.age.ticks, 1000);
	assert_int_equal(w.age.bytes, 500);
	assert_int_equal(w.age.most, 0);	/* the first has all rows twice: it is no measure */
	assert_int_equal(status_hear(400, 2600).run_before, 2000);
	assert_int_equal(w.age.ticks, 600);
	assert_int_equal(w.age.most, 400);
	status_hear(200, 3000);
	assert_int_equal(w.age.bytes, 200);
	assert_int_equal(w.age.most, 350);	/* an eighth is forgotten */
	status_hear(307, 3000);			/* as long as the most; its clock stood still */
	assert_int_equal(w.age.ticks, 0);
	assert_int_equal(w.age.most, 307);
	/* It restarted: what it took before tells nothing of that. */
	assert_int_equal(status_hear(100, 50).run_before, 50);
	assert_int_equal(w.age.bytes, 307);
	assert_int_equal(w.age.refresh, 6);
	assert_int_equal(w.age.begin, w.age.place);
}

/* A line that is late: rows wait, and it is hardly ever idle; or bytes take all of the time. */
static void a_line_is_late_when_it_is_full(void **state)
{
	static const struct {
		unsigned late, prompt;
		uint64_t bytes, most;
		double spent, over;
		bool is;
	} rows[] = {
		{ 3, 11, 750, 1142, 0, 0, true },	/* of 1142 an eighth goes: 1000 */
		{ 3, 12, 750, 1142, 0, 0, false },	/* a fifth of the rows are late, no more */
		{ 3, 11, 749, 1142, 0, 0, false },	/* less than three quarters of the most */
		{ 0, 0, 750, 0, 94, 100, true },	/* 0.94 ticks a byte, of 1.33 */
		{ 0, 0, 750, 0, 93, 100, false },
		{ 0, 0, 750, 0, 0.47, 0.5, true },
		{ 0, 0, 750, 0, 700, 0, false },	/* nothing was measured */
		{ 0, 0, 0, 0, 0.5, 1, true },
		{ 0, 0, 1, 0, 94, 100, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		w = (struct wsn){ .age = { .refresh = 5, .most = rows[i].most, .late = rows[i].late,
					   .prompt = rows[i].prompt, .spent = rows[i].spent,
					   .over = rows[i].over } };
		if (status_hear(rows[i].bytes, 1000).late != rows[i].is)
			fail_msg("row %zu", i);
		assert_near(rows[i].spent * 7 / 8, w.age.spent);
		assert_near(rows[i].over * 7 / 8, w.age.over);
	}
}

static void a_row_was_read_when_its_bytes_were_sent(void **state)
{
	static const struct { bool running, late; uint64_t ticks, run; } rows[] = {
		{ true, true, 1000, 5200 },	/* 2 ticks a byte, over a whole refresh */
		{ true, true, 200, 5040 },	/* 0.4 */
		{ true, false, 1000, 5050 },	/* 0.5, while bytes flow */
		{ true, false, 40, 5040 },	/* no later than the next refresh */
		{ false, true, 1000, 5000 },	/* its clock stands still */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		w = (struct wsn){ .age = { .place = 400, .begin = 300, .bytes = 500,
					   .ticks = rows[i].ticks, .spent = 50, .over = 100 },
				  .status = { .run = 5000, .late = rows[i].late } };
		w.hello.wire.features = rows[i].running ? WSN_F_RUNNING : 0;
		assert_int_equal(wsn_age_run(&w), rows[i].run);
	}
}

/* A row that comes twice in a refresh tells by its pace how long the bytes between took. */
static void a_row_that_comes_twice_measures_the_line(void **state)
{
	static const struct { float pace; uint64_t before; double spent, over; } rows[] = {
		{ 0.5f, 300, 20, 50 },
		{ 0, 300, 0, 0 },		/* it was not counted lately */
		{ 0.5f, 400, 0, 0 },		/* in one frame */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn_slot s = { .pace = rows[i].pace, .place = rows[i].before, .refresh = 7 };

		w = (struct wsn){ .age = { .place = 400, .refresh = 7 }, .status.run = 5000 };
		wsn_age_row(&w, &s, 20);
		assert_near(rows[i].spent, w.age.spent);
		assert_near(rows[i].over, w.age.over);
		assert_int_equal(s.place, 400);
		assert_int_equal(s.run, 5000);
		assert_near(rows[i].pace, s.pace);
		assert_int_equal(w.age.prompt + w.age.late, 0);
	}
}

/* A row that is counted all the time came in this refresh, or waited for some. */
static void steady_rows_tell_whether_the_line_is_late(void **state)
{
	static const struct {
		uint32_t refreshes;
		uint64_t calls;
		unsigned late, prompt;
	} rows[] = {
		{ 1, 16, 20, 31 }, { 1, 15, 20, 30 }, { 2, 32, 21, 30 }, { 2, 31, 20, 30 },
		{ 5, 800, 21, 30 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn_slot s = { .refresh = 9 - rows[i].refreshes, .run = 4000, .pace = 9 };

		w = (struct wsn){ .age = { .refresh = 9, .late = 20, .prompt = 30 },
				  .status.run = 5000 };
		wsn_age_row(&w, &s, rows[i].calls);
		assert_int_equal(w.age.late, rows[i].late);
		assert_int_equal(w.age.prompt, rows[i].prompt);
		assert_near((double)((float)rows[i].calls / 1000), s.pace);
		assert_int_equal(s.refresh, 9);
		/* Again in no time, as a clock that stands still has it: no pace is known. */
		s.refresh = 8;
		wsn_age_row(&w, &s, 0);
		assert_near(0, s.pace);
	}
	/* What was long ago counts half. */
	w = (struct wsn){ .age = { .refresh = 9, .late = 20, .prompt = 43 }, .status.run = 5000 };
	wsn_age_row(&w, &(struct wsn_slot){ .refresh = 8 }, 100);
	assert_int_equal(w.age.late, 10);
	assert_int_equal(w.age.prompt, 22);
	w = (struct wsn){ .age = { .refresh = 9, .late = 20, .prompt = 42 }, .status.run = 5000 };
	wsn_age_row(&w, &(struct wsn_slot){ .refresh = 8 }, 100);
	assert_int_equal(w.age.late, 20);
	assert_int_equal(w.age.prompt, 43);
}

/* --- searching -------------------------------------------------------------------------------- */

/* An AVR's call site at word 1: where its row stands of 64 slots, and what a call then takes. */
static void rows_away_from_their_place_cost_a_search(void **state)
{
	enum { TIMED = WSN_F_SITES | WSN_F_TIMED, MINMAX = TIMED | WSN_F_MINMAX,
	       HISTOGRAM = MINMAX | WSN_F_HISTOGRAM };
	static const struct {
		unsigned features;
		uint32_t slot;
		uint16_t flags;
		uint64_t full;
		double cycles, known;		/* a call's, of as many that HELLO's cost is */
	} rows[] = {
		{ TIMED, 1, 0, 0, 0, 170 },
		{ TIMED, 2, 0, 0, 33, 170 },
		{ TIMED, 7, 0, 0, 83, 170 },
		{ TIMED, 8, 0, 0, 252 + 14 * 7, 170 },
		{ TIMED, 0, 0, 0, 252 + 14 * 63, 170 },	/* all the way round */
		{ TIMED, 9, ROW_HANDLER, 0, 93, 170 },
		{ TIMED, 1, 0, 5, 890 * 5 / 100.0, 170 },	/* 5 calls found no room */
		{ MINMAX, 2, 0, 0, 33, 184 },
		{ HISTOGRAM, 2, 0, 0, 33, 217 },
		{ WSN_F_SITES, 2, 0, 0, 0, 97 },		/* rows of counts: at 2 */
		{ WSN_F_SITES, 3, 0, 0, 33, 97 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn_slot slots[65] = { { 0 } };
		struct wsn_entry entries[3] = {
			{ .raw = 0x8002, .flags = rows[i].flags },
			{ .raw = 0x8000 + 2 * 0x77 },
		};

		w = (struct wsn){ .frames = 10 };
		w.hello.wire.arch = WSN_ARCH_AVR;
		w.hello.wire.features = rows[i].features;
		w.hello.wire.max_sites = 64;
		w.hello.wire.cost = 34;
		w.hello.base = 0x8000;
		w.hello.unit = 2;
		w.status.table_full = rows[i].full;
		w.table[TOTAL_SITE].slots = slots;
		w.table[TOTAL_SITE].slot_count = 64;
		w.table[TOTAL_SITE].entries = entries;
		slots[rows[i].slot] = (struct wsn_slot){ .used = true, .whole_calls = 100 };
		/* The row's extension, a free slot, and what is behind the table are no rows. */
		slots[20] = (struct wsn_slot){ .used = true, .extension = true,
					       .whole_calls = 1000 };
		slots[21] = (struct wsn_slot){ .whole_calls = 1000, .key = 1 };
		slots[64] = (struct wsn_slot){ .used = true, .whole_calls = 1000, .key = 1 };
		assert_near(rows[i].cycles * 34 / rows[i].known, wsn_searched(&w));
		/* Rows are gone through once in a table's frames: two of 32 slots. */
		slots[rows[i].slot].used = false;
		w.frames = 11;
		assert_near(rows[i].cycles * 34 / rows[i].known, wsn_searched(&w));
		w.frames = 12;
		assert_near(0, wsn_searched(&w));
	}
}

/* Where a row stands of an address' bits: both bytes of a word, beyond 256 slots. */
static void a_rows_place_is_made_of_its_address(void **state)
{
	static const struct { uint32_t word, slots, slot; bool timed; } rows[] = {
		{ 0x0335, 256, 0x35, true },	/* low digit 5, above it those of 53 */
		{ 0x0335, 512, 0x105, true },	/* 53 less the 3 of the high byte: 50 */
		{ 0x0301, 512, 0x131, true },
		{ 0x0335, 1024, 0x20a, false },
		{ 0x0335, 256, 0x6a, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct wsn_slot slots[1024];
		struct wsn_entry entry = { .raw = 0x8000 + 2 * rows[i].word };

		memset(slots, 0, sizeof(slots));
		w = (struct wsn){ 0 };
		w.hello.wire.arch = WSN_ARCH_AVR;
		w.hello.wire.features = WSN_F_SITES | (rows[i].timed ? WSN_F_TIMED : 0);
		w.hello.wire.max_sites = rows[i].slots;
		w.hello.wire.cost = rows[i].timed ? 170 : 97;
		w.hello.base = 0x8000;
		w.hello.unit = 2;
		w.table[TOTAL_SITE].slots = slots;
		w.table[TOTAL_SITE].slot_count = rows[i].slots;
		w.table[TOTAL_SITE].entries = &entry;
		slots[rows[i].slot] = (struct wsn_slot){ .used = true, .whole_calls = 1 };
		assert_near(0, wsn_searched(&w));
		slots[rows[i].slot].used = false;
		slots[(rows[i].slot + 1) % rows[i].slots] =
			(struct wsn_slot){ .used = true, .whole_calls = 1 };
		w.search_due = 0;
		assert_near(33, wsn_searched(&w));
	}
}

/* A Cortex-M's arcs: 100 calls of each, of costs as HELLO has them. */
static void arcs_away_from_their_place_cost_a_search(void **state)
{
	static const struct { uint32_t slot; uint64_t end, rows, lost; double cost; } rows[] = {
		{ 5, 0, 0, 0, 0 },
		{ 6, 0, 0, 0, 0.75 },			/* linked to its place */
		{ 0, 0, 0, 0, 0.75 },
		{ 5, 0, 2, 1, 96 / 100.0 },		/* two were another's, one found none */
		{ 5, 300, 2, 1, 96 / 400.0 },		/* closed rows had 300 calls */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn_slot slots[65] = { { 0 } };
		/* (4 * 17 + 22 + 5) / 16 is 5, of 64 slots */
		struct wsn_entry entries[2] = { { .raw = 17 + 16 * 64, .to = 22 } };

		w = (struct wsn){ 0 };
		w.hello.wire.arch = WSN_ARCH_ARMV7M;
		w.hello.wire.max_arcs = 64;
		w.hello.wire.cost = 40;
		w.status.arcs_lost = rows[i].lost;
		w.table[TOTAL_ARC].slots = slots;
		w.table[TOTAL_ARC].slot_count = 64;
		w.table[TOTAL_ARC].entries = entries;
		w.table[TOTAL_ARC].closed.end = rows[i].end;
		w.table[TOTAL_ARC].closed.rows = rows[i].rows;
		slots[rows[i].slot] = (struct wsn_slot){ .used = true, .whole_calls = 100 };
		slots[22] = (struct wsn_slot){ .whole_calls = 1000 };
		slots[64] = (struct wsn_slot){ .used = true, .whole_calls = 1000 };
		assert_near(rows[i].cost * 40, wsn_searched(&w));
	}
	w.hello.wire.features = WSN_F_SITES;	/* an ARM's call sites are looked up elsewhere */
	w.searched = 0;
	w.search_due = 0;
	assert_near(0, wsn_searched(&w));
	w.hello.wire.features = 0;		/* nobody was called */
	w.table[TOTAL_ARC].slot_count = 0;
	w.table[TOTAL_ARC].closed.end = 0;
	assert_near(0, wsn_searched(&w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refresh_took_what_was_between_two_status),
		cmocka_unit_test(a_line_is_late_when_it_is_full),
		cmocka_unit_test(a_row_was_read_when_its_bytes_were_sent),
		cmocka_unit_test(a_row_that_comes_twice_measures_the_line),
		cmocka_unit_test(steady_rows_tell_whether_the_line_is_late),
		cmocka_unit_test(rows_away_from_their_place_cost_a_search),
		cmocka_unit_test(a_rows_place_is_made_of_its_address),
		cmocka_unit_test(arcs_away_from_their_place_cost_a_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
