/*
 * Variables that are read with each of openocd's samples: values in any width and place, told when
 * they changed, at the time of CYCCNT or the host's; a replay tells the same.
 */
#include "tests/unit/unit.h"

#include "tests/unit/openocd_server.h"

static struct wire_watchpoint variable_point(uint32_t note, uint32_t at, unsigned bytes)
{
	return (struct wire_watchpoint){ .kind = WATCH_VALUE, .note = note,
					 .address = SERVER_BASE + at, .size = bytes,
					 .access = WATCH_WRITES, .reading.bytes = (uint8_t)bytes };
}

static void memory_put(struct server *s, uint32_t at, uint64_t value, unsigned bytes)
{
	memcpy((uint8_t *)s->memory + at, &value, bytes);
}

static const struct wire_event *event_last(const struct server *s, uint32_t note)
{
	for (uint64_t i = s->events; i-- && s->events - i < 64;)
		if (s->heard[i % 64].note == note)
			return &s->heard[i % 64];
	return NULL;
}

static void values_are_told_when_they_change(void **state)
{
	static const struct {
		uint32_t at;
		unsigned bytes, shift, bits;
		bool is_signed;
		uint64_t raw;
		int64_t value;
	} rows[] = {
		{ 0x101, 1, 0, 0, false, 0xfe, 0xfe }, { 0x104, 2, 0, 0, true, 0xfffe, -2 },
		{ 0x107, 2, 0, 0, false, 0x1234, 0x1234 },	/* at no multiple of its size */
		{ 0x10c, 4, 0, 0, false, 0xfedcba98, 0xfedcba98 },
		{ 0x111, 4, 0, 0, true, 0xfedcba98, (int32_t)0xfedcba98 },
		{ 0x118, 8, 0, 0, false, UINT64_C(0x123456789abcdef0), 0x123456789abcdef0 },
		{ 0x122, 8, 0, 0, false, UINT64_C(0x123456789abcdef0), 0x123456789abcdef0 },
		{ 0x12c, 4, 9, 5, false, 0x2a00, 0x15 },
	};
	struct server *s = server_new(1000);
	struct wire_watchpoint points[COUNT(rows)];
	uint64_t before;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		points[i] = variable_point((uint32_t)i + 1, rows[i].at, rows[i].bytes);
		points[i].reading.is_signed = rows[i].is_signed;
		points[i].reading.shift = (uint8_t)rows[i].shift;
		points[i].reading.bits = (uint8_t)rows[i].bits;
		memory_put(s, rows[i].at, rows[i].raw, rows[i].bytes);
	}
	assert_true(wire_can_watch(s->wire));
	wire_watch(s->wire, points, COUNT(rows));
	server_run(s, 3000);
	assert_int_equal(s->events, COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(s->heard[i].kind, EVENT_VALUE);
		assert_int_equal(s->heard[i].note, i + 1);
		assert_int_equal(s->heard[i].value, rows[i].value);
	}
	assert_int_equal(s->watching.count, COUNT(rows));
	assert_int_equal(s->watching.of[3].way, WATCHED_READS);
	assert_true(s->pcs > 500);
	before = s->heard[0].ticks;
	memory_put(s, 0x101, 7, 1);
	server_run(s, 100);
	assert_int_equal(s->events, COUNT(rows) + 1);
	assert_int_equal(event_last(s, 1)->value, 7);
	assert_true(event_last(s, 1)->ticks > before);
	assert_true(event_last(s, 1)->ticks - before < UINT64_C(72000) * s->samples_asked);
	assert_true(s->hz > 1e6);
	server_free(s);
}

/* CYCCNT wraps each minute; where there is none, the host's microseconds date. */
static void time_goes_on(void **state)
{
	(void)state;
	for (int none = 0; none < 2; none++) {
		struct server *s = server_new(1000);
		struct wire_watchpoint points[] = { variable_point(1, 0x100, 4) };
		uint64_t first, now;

		s->dwt_ctrl |= none ? 1u << 25 : 0;
		s->cyccnt = UINT32_MAX - 72000 * 50;
		wire_watch(s->wire, points, 1);
		server_run(s, 2000);
		assert_int_equal(s->events, 1);
		first = s->heard[0].ticks;
		now = s->now;
		memory_put(s, 0x100, 1, 4);
		server_run(s, 20);
		memory_put(s, 0x100, 2, 4);
		server_run(s, 2000);
		assert_int_equal(s->events, 3);
		assert_true(s->heard[1].ticks > first && s->heard[2].ticks > s->heard[1].ticks);
		if (none) {
			assert_int_equal((uint64_t)s->hz, 1000000);
			assert_true(s->heard[1].ticks - first < (s->now - now) / 1000 + 2000000);
		}
		server_free(s);
	}
}

/* One cannot be read, others have no value: the rest is told, and PCs are sampled. */
static void what_cannot_be_read_harms_nobody(void **state)
{
	struct server *s = server_new(1000);
	struct wire_watchpoint points[] = {
		variable_point(1, SERVER_MEMORY + 64, 4), variable_point(2, 0x100, 4),
		variable_point(3, 0x104, 64),
		{ .kind = WATCH_CALL, .note = 4, .address = 0x1000, .size = 8 },
	};

	(void)state;
	points[2].reading.bytes = 0;
	wire_watch(s->wire, points, COUNT(points));
	server_run(s, 3000);
	assert_int_equal(s->events, 1);
	assert_int_equal(s->heard[0].note, 2);
	assert_true(s->pcs > 500);
	assert_int_equal(s->watching.of[1].way, WATCHED_READS);
	assert_int_equal(s->watching.of[2].refusal, REFUSED_KIND);
	assert_int_equal(s->watching.of[3].way, WATCHED_NOT);
	wire_watch(s->wire, points, 0);
	memory_put(s, 0x100, 9, 4);
	server_run(s, 100);
	assert_int_equal(s->events, 1);
	assert_null(strstr(s->last, "append s { |"));
	server_free(s);
}

/* Member by member: what lies between them is of nobody's making. */
static bool event_equal(const struct wire_event *a, const struct wire_event *b)
{
	return a->kind == b->kind && a->lane == b->lane && a->handler == b->handler &&
	       a->address == b->address && a->note == b->note && a->value == b->value &&
	       a->ticks == b->ticks;
}

static void a_recording_tells_the_same(void **state)
{
	static const size_t pieces[] = { 1, 7, 4096 };
	struct server *s = server_new(1000);
	struct wire_watchpoint points[] = { variable_point(1, 0x100, 4),
					    variable_point(2, 0x108, 8) };

	(void)state;
	wire_watch(s->wire, points, COUNT(points));
	for (unsigned i = 0; i < 20; i++) {
		memory_put(s, 0x100, i / 3, 4);
		memory_put(s, 0x108, i * UINT64_C(0x100000001), 8);
		server_run(s, 150);
	}
	assert_true(s->events > 10 && s->events < 64);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		struct server *r = server_new(1000);

		wire_watch(r->wire, points, COUNT(points));
		for (size_t at = 0; at < s->said_n; at += pieces[i]) {
			wire_feed(r->wire, (const uint8_t *)s->said + at,
				  pieces[i] < s->said_n - at ? pieces[i] : s->said_n - at);
			wire_down(r->wire);
		}
		assert_int_equal(r->events, s->events);
		for (size_t k = 0; k < s->events; k++)
			assert_true(event_equal(&r->heard[k], &s->heard[k]));
		assert_true(r->hz == s->hz);
		server_free(r);
	}
	server_free(s);
}

static void hostile_parts_are_counted(void **state)
{
	static const char *const parts[] = {
		"|", "| x", "| 0", "| 1 2 3", "| 72000000 | 0x8000100",
		"| 72000000 | 0x8000100 7 1",
		"| 72000000 | 0x8000100 64 1", "| 72000000 | 0x8000100 32 0x1ffffffff",
		"| 72000000 | 1 8 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "| 72000000 5 | |",
	};
	struct server *s = server_new(1000);
	struct wire_watchpoint points[] = { variable_point(1, 0x100, 4) };

	(void)state;
	wire_watch(s->wire, points, 1);
	for (size_t i = 0; i < COUNT(parts); i++) {
		uint64_t events = s->events;
		struct wire_stats before, after;
		char text[300];

		wire_stats(s->wire, &before);
		snprintf(text, sizeof(text), "7:1 0x40000001 0x10 0x0 0x0 0x0 0x0 0x0 0x1000 %s",
			 parts[i]);
		server_say(s, text);
		wire_stats(s->wire, &after);
		assert_true(after.bad_bytes > before.bad_bytes);
		assert_int_equal(s->events, events);
	}
	server_say(s, "7:1 0x40000001 0x10 0x0 0x0 0x0 0x0 0x0 0x1000 | 72000000 "
		      "| 0x8000100 32 5");
	assert_int_equal(s->events, 1);
	assert_int_equal(s->heard[0].value, 5);
	server_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_told_when_they_change),
		cmocka_unit_test(time_goes_on),
		cmocka_unit_test(what_cannot_be_read_harms_nobody),
		cmocka_unit_test(a_recording_tells_the_same),
		cmocka_unit_test(hostile_parts_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
