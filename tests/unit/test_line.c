/*
 * How far a terminal is behind, with models of terminals: what is drawn for numbers must never make
 * the reply to a key wait for long.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "tui/term/line.h"

#define MS (CLOCK_SECOND / 1000)

/* A reader of a pty, or the far end of a serial line. */
struct reader {
	double speed;			/* bytes a second */
	double queue;			/* bytes in the kernel */
	uint64_t at, paused_until;
	double baud;			/* 0: a pty */
};

static void reader_run(struct reader *r, uint64_t now)
{
	if (now > r->paused_until)
		r->queue -= r->speed * (double)(now - r->at) / CLOCK_SECOND;
	r->queue = r->queue < 0 ? 0 : r->queue;
	r->at = now;
}

/*
 * A write; the time when it is done. On a full line it waits for room, on a full pty until the
 * queue is taken, as Linux has it.
 */
static uint64_t reader_write(struct reader *r, struct line *l, size_t n, uint64_t now)
{
	double room = r->baud > 0 ? 4096 : LINE_QUEUE;
	uint64_t from = now;

	reader_run(r, now);
	r->queue += (double)n;
	if (r->queue > room && r->baud > 0)
		while (r->queue > room)
			reader_run(r, now += MS);
	else if (r->queue > room)
		while (r->queue > 1000)
			reader_run(r, now += MS);
	line_sent(l, n, now);
	if (now > from && r->baud <= 0)
		line_blocked(l, from, now);
	return now;
}

static void reader_look(struct reader *r, struct line *l, uint64_t now)
{
	reader_run(r, now);
	line_note(l, r->baud > 0 ? (int)r->queue : 0, r->baud, r->baud > 0 && r->queue > 256, now);
}

struct seen {
	double worst;			/* s that a key would have waited, once it is measured */
	unsigned long bytes;
};

/* Frames of so many bytes, five times a second where the line is clear, as frames.c has it. */
static struct seen frames_run(struct reader *r, struct line *l, size_t frame, int seconds)
{
	uint64_t now = r->at + MS, next = now, end = now + (uint64_t)seconds * CLOCK_SECOND;
	uint64_t settled = now + (uint64_t)(32 * LINE_QUEUE / r->speed * CLOCK_SECOND);
	struct seen seen = { 0 };
	size_t left = 0;

	for (; now < end; now += MS) {
		size_t part;

		reader_run(r, now);
		if (r->queue / r->speed > seen.worst && now > settled)
			seen.worst = r->queue / r->speed;
		if ((left == 0 && now < next) || now < line_clear_at(l))
			continue;
		reader_look(r, l, now);
		if (now < line_clear_at(l))
			continue;
		if (left == 0) {
			left = frame;
			next = now + 200 * MS;
		}
		part = line_share(l) < left ? line_share(l) : left;
		now = reader_write(r, l, part, now);
		reader_look(r, l, now);
		left -= part;
		seen.bytes += part;
	}
	return seen;
}

/* Bytes a frame; what the terminal takes in a second. */
static void test_slow(void **state)
{
	static const struct { double speed, baud; size_t frame; } cases[] = {
		{ 960, 9600, 700 },	{ 960, 9600, 2800 },	{ 120, 1200, 2800 },
		{ 1000, 0, 350 },	{ 1000, 0, 700 },	{ 1000, 0, 2800 },
		{ 300, 0, 2800 },	{ 3000, 0, 2800 },	{ 1600, 0, 350 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reader r = { .speed = cases[i].speed, .baud = cases[i].baud, .at = MS };
		struct line l = { 0 };
		int seconds = (int)(48 * LINE_QUEUE / r.speed);
		struct seen seen = frames_run(&r, &l, cases[i].frame, seconds);
		double rate = (double)seen.bytes / seconds;

		print_message("%4.0f B/s, frames of %zu: a key waits %.2f s, %.0f B/s shown\n",
			      r.speed, cases[i].frame, seen.worst, rate);
		assert_true(seen.worst <= 0.6);
		/* And the line is used, or all is shown that there is. */
		assert_true(rate >= 0.6 * r.speed || rate >= 4.5 * (double)cases[i].frame);
	}
}

/* A terminal that keeps up is never waited for; nor one that stood still once. */
static void test_fast(void **state)
{
	struct reader r = { .speed = 1e6, .at = MS };
	struct line l = { 0 };
	struct seen seen = frames_run(&r, &l, 2800, 20);

	(void)state;
	assert_in_range(seen.bytes, 99 * 2800, 101 * 2800);
	r.paused_until = r.at + 30 * CLOCK_SECOND;
	frames_run(&r, &l, 2800, 40);
	assert_true(l.speed == 0);
	seen = frames_run(&r, &l, 2800, 20);
	assert_in_range(seen.bytes, 99 * 2800, 101 * 2800);
}

/* More than fits went without waiting: it was thought to be slower than it is. */
static void test_faster(void **state)
{
	struct line l = { .speed = 1000, .at = MS };

	(void)state;
	line_sent(&l, 3 * LINE_QUEUE, MS);
	assert_true(line_clear_at(&l) > 30 * CLOCK_SECOND);
	line_note(&l, 0, 0, false, 2 * MS);
	assert_true(line_clear_at(&l) <= 2 * MS);
	assert_true(line_share(&l) == SIZE_MAX);
}

/* One that takes no more is looked at again, not at once. */
static void test_full(void **state)
{
	struct line l = { 0 };

	(void)state;
	line_note(&l, 0, 0, true, CLOCK_SECOND);
	assert_true(line_room_at(&l) > CLOCK_SECOND);
	assert_true(line_room_at(&l) < CLOCK_SECOND + 100 * MS);
	line_note(&l, 0, 0, false, CLOCK_SECOND + 50 * MS);
	assert_true(line_room_at(&l) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_fast),
		cmocka_unit_test(test_faster),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
