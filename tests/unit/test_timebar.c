/*
 * timebar: time as columns, at odd widths, few and many moments, and times that go oddly; marks.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "tui/app/pane/marks.h"
#include "tui/app/pane/scale.h"

#define SECOND CLOCK_SECOND

static const int widths[] = { -3, 0, 1, 2, 3, 37, 41, 79, 128, 511, 512, 513, 4000 };

/* A stream of bytes alone. */
struct made {
	struct history *h;
	struct profile p;
	struct wire_stats stats;
	uint64_t now;
};

static void made_begin(struct made *m, uint64_t now)
{
	*m = (struct made){ .h = history_new(), .now = now };
	assert_non_null(m->h);
	profile_init(&m->p, "made");
	history_begin(m->h, now);
}

static void made_end(struct made *m)
{
	history_free(m->h);
	profile_release(&m->p);
}

static void made_moment(struct made *m, uint64_t length, uint64_t bytes)
{
	m->now += length;
	m->stats.bytes += bytes;
	assert_int_equal(history_take(m->h, &m->p, &m->stats, m->now), 0);
}

static void scale_all(struct scale *s, const struct history *h, int width)
{
	uint64_t begin, end;

	scale_ends(h, &begin, &end);
	scale_fill(s, h, begin, end, width);
}

/* Columns follow each other, and a column's own time is in it. */
static void columns_hold(const struct scale *s)
{
	uint64_t step = (s->end_ns - s->begin_ns) / 977 + 1;
	int last = 0;

	assert_in_range(s->width, 1, SCALE_COLUMNS);
	assert_true(s->end_ns > s->begin_ns);
	for (int i = 0; i < 977; i++) {
		int x = scale_column_of(s, s->begin_ns + (uint64_t)i * step);

		assert_in_range(x, last, s->width - 1);
		last = x;
	}
	assert_int_equal(scale_column_of(s, 0), 0);
	assert_int_equal(scale_column_of(s, UINT64_MAX), s->width - 1);
	assert_int_equal(scale_column_of_end(s, s->end_ns), s->width - 1);
	if (s->end_ns - s->begin_ns < 4 * (uint64_t)s->width)
		return;
	for (int x = 0; x < s->width; x++)
		assert_int_equal(scale_column_of(s, scale_time_at(s, x)), x);
}

/* Time without gaps has no empty column, and the highest moment is seen at any width. */
static void test_all_columns(void **state)
{
	static const int counts[] = { 1, 2, 3, 60, HISTORY_MOMENTS };
	static struct scale s;

	(void)state;
	for (size_t c = 0; c < COUNT(counts); c++) {
		struct made m;

		made_begin(&m, 1000 * SECOND);
		for (int i = 0; i < counts[c]; i++)
			made_moment(&m, SECOND, i == counts[c] / 2 ? 900 : 100);
		assert_int_equal(history_count(m.h), counts[c]);
		for (size_t w = 0; w < COUNT(widths); w++) {
			uint64_t peak = 1000 * SECOND + (uint64_t)counts[c] / 2 * SECOND;

			scale_all(&s, m.h, widths[w]);
			assert_int_equal(s.by, SCALE_BYTES);
			columns_hold(&s);
			for (int x = 0; x < s.width; x++)
				assert_true(s.columns[x].known);
			assert_true(s.most == 900);
			assert_true(s.columns[scale_column_of(&s, peak)].value == 900);
		}
		made_end(&m);
	}
}

/* Of a part only the moments that touch it are there; what is beyond the newest is empty. */
static void test_part(void **state)
{
	static struct scale s;
	struct made m;

	(void)state;
	made_begin(&m, 1000 * SECOND);
	for (int i = 0; i < 100; i++)
		made_moment(&m, SECOND, i == 20 ? 900 : 100);
	scale_fill(&s, m.h, 1030 * SECOND, 1040 * SECOND, 20);
	assert_true(s.most == 100);
	for (int x = 0; x < 20; x++)
		assert_true(s.columns[x].known);
	scale_fill(&s, m.h, 1095 * SECOND, 1105 * SECOND, 10);
	for (int x = 0; x < 10; x++)
		assert_int_equal(s.columns[x].known, x < 5);
	scale_fill(&s, m.h, 990 * SECOND, 1010 * SECOND, 20);
	for (int x = 0; x < 20; x++)
		assert_int_equal(s.columns[x].known, x >= 10);
	/* made again when a moment came */
	scale_all(&s, m.h, 10);
	made_moment(&m, SECOND, 5000);
	scale_all(&s, m.h, 10);
	assert_true(s.most == 5000);
	scale_fill(&s, m.h, 1030 * SECOND, 1030 * SECOND, 20);
	assert_true(s.end_ns > s.begin_ns);
	made_end(&m);
}

/* A clock that stands, leaps, or begins near its end. */
static void test_odd_times(void **state)
{
	static const uint64_t begins[] = { 0, 1, 1000 * SECOND, UINT64_MAX - 1000 * SECOND };
	static const uint64_t lengths[] = { SECOND, 0, 1, 7 * SECOND / 3, 500 * SECOND };
	static struct scale s;

	(void)state;
	for (size_t b = 0; b < COUNT(begins); b++) {
		struct made m;

		made_begin(&m, begins[b]);
		for (size_t i = 0; i < COUNT(lengths); i++)
			made_moment(&m, lengths[i], 10);
		m.now -= 3 * SECOND;
		made_moment(&m, 0, 10);
		for (size_t w = 0; history_count(m.h) && w < COUNT(widths); w++) {
			scale_all(&s, m.h, widths[w]);
			columns_hold(&s);
			scale_fill(&s, m.h, 0, UINT64_MAX, widths[w]);
			columns_hold(&s);
			scale_fill(&s, m.h, UINT64_MAX, 0, widths[w]);
		}
		made_end(&m);
	}
}

/* --- marks ------------------------------------------------------------------------------------ */

static void mark_is(const struct mark *m, enum mark_kind kind, uint64_t second, const char *text)
{
	char said[80];

	assert_non_null(m);
	assert_int_equal(m->kind, kind);
	assert_int_equal(m->time_ns, second * SECOND);
	assert_string_equal(mark_text(m, said, sizeof(said)), text);
}

static void test_marks(void **state)
{
	struct marks marks = { 0 };
	struct made m;

	(void)state;
	marks_fill(&marks, NULL, NULL, NULL);
	assert_null(marks_after(&marks, 0));
	assert_null(marks_until(&marks, UINT64_MAX));
	made_begin(&m, 1000 * SECOND);
	made_moment(&m, SECOND, 10);
	marks_fill(&marks, m.h, NULL, NULL);
	assert_int_equal(marks.count, 0);
	m.stats.lost += 2;
	made_moment(&m, SECOND, 10);
	m.stats.bad_bytes += 7;
	made_moment(&m, SECOND, 10);		/* the same losses go on */
	made_moment(&m, SECOND, 10);
	profile_reset(&m.p);
	made_moment(&m, SECOND, 10);
	m.stats.lost++;
	made_moment(&m, SECOND, 10);
	history_gone(m.h);
	made_moment(&m, 30 * SECOND, 10);
	profile_rebase(&m.p);
	made_moment(&m, SECOND, 10);
	marks_fill(&marks, m.h, NULL, NULL);
	assert_int_equal(marks.count, 5);
	mark_is(&marks.items[0], MARK_LOST, 1002, "2 lost, 7 bad bytes");
	mark_is(&marks.items[1], MARK_RESET, 1005, "node restarted");
	mark_is(&marks.items[2], MARK_LOST, 1006, "1 lost");
	mark_is(&marks.items[3], MARK_GONE, 1006, "node disconnected");
	mark_is(&marks.items[4], MARK_RESET, 1037, "counters reset");
	mark_is(marks_after(&marks, 1002 * SECOND), MARK_RESET, 1005, "node restarted");
	mark_is(marks_until(&marks, 1004 * SECOND), MARK_LOST, 1002, "2 lost, 7 bad bytes");
	assert_null(marks_after(&marks, 1037 * SECOND));
	assert_null(marks_until(&marks, 1001 * SECOND));
	/* A moment that was joined keeps what happened in it. */
	history_bound(m.h, HISTORY_MOMENTS_BYTES, 3);
	made_moment(&m, SECOND, 10);
	marks_fill(&marks, m.h, NULL, NULL);
	assert_non_null(marks_after(&marks, 0));
	marks_release(&marks);
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_columns),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_odd_times),
		cmocka_unit_test(test_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
