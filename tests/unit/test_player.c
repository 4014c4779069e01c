/*
 * player: a recording that is sought, paused and read at several paces holds at a time what it
 * holds there when it is simply read until then, whatever the way. The clock is handed in.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/export/export.h"
#include "core/link/link.h"
#include "core/link/record.h"
#include "core/node/node.h"

enum { CHUNKS = 40, DAMAGED = 17 };

#define STEP (CLOCK_SECOND / 4)

static char path[64] = "/tmp/wsntop-player-XXXXXX";

/* --- a recording: a report each second, text between them ------------------------------------- */

static uint64_t chunk_offset(int i)
{
	return (uint64_t)i * STEP;
}

static size_t chunk_text(int i, char *dst, size_t size)
{
	if (i % 4)
		return (size_t)snprintf(dst, size, "line %d\n", i);
	return (size_t)snprintf(dst, size,
		"PROF:%s:2:10:%d:1000\r\n0x100:0x200:%d:%d:10:%d\r\n0x110:0x300:%d:%d:5:15\r\n\r\n",
		i % 20 == 12 ? "other" : "demo", 250 * i + 250, i + 1, 20 * (i + 1), 20 + i,
		2 * i + 2, 20 * i + 20);
}

static void recording_write(bool damaged)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	uint8_t chunk[RECORD_CHUNK_MAX];

	assert_true(fd >= 0);
	record_header(chunk, 1767355200 * CLOCK_SECOND);
	assert_int_equal(write(fd, chunk, RECORD_HEADER), RECORD_HEADER);
	for (int i = 0; i < CHUNKS; i++) {
		char text[200];
		size_t n = record_chunk(chunk, chunk_offset(i), (uint8_t *)text,
					chunk_text(i, text, sizeof(text)));

		if (damaged && (i == DAMAGED || i == DAMAGED + 1))
			chunk[14] ^= 1;
		assert_int_equal(write(fd, chunk, n), n);
	}
	close(fd);
}

/* --- the link --------------------------------------------------------------------------------- */

static struct link *must_link(double speed)
{
	struct link *l = link_new(path, &(struct link_options){ .speed = speed }, NULL);

	assert_non_null(l);
	return l;
}

/* All that it gives now. */
static void link_drain(struct link *l, uint64_t now, struct buf *b, size_t piece)
{
	uint8_t data[512];
	uint64_t time;
	ssize_t n;
	int idle = 0;

	while (idle < 3) {
		n = link_read(l, now, data, piece, &time);
		if (n > 0)
			buf_add(b, data, (size_t)n);
		idle = n > 0 ? 0 : idle + 1;
	}
}

static void straight_text(struct buf *b, int last, bool damaged)
{
	char text[200];

	for (int i = 0; i <= last && i < CHUNKS; i++)
		if (!damaged || (i != DAMAGED && i != DAMAGED + 1))
			buf_add(b, text, chunk_text(i, text, sizeof(text)));
}

static void bytes_until_a_time_are_those_of_a_straight_read(void **state)
{
	(void)state;
	for (int damaged = 0; damaged < 2; damaged++) {
		uint64_t now = clock_now();
		struct buf all = BUF_INIT;
		struct link *l;

		recording_write(damaged);
		l = must_link(1);
		link_drain(l, now, &all, 512);
		buf_release(&all);
		link_pause(l, now, true);
		assert_true(link_can_seek(l));
		for (int i = 0; i < 2 * CHUNKS; i++) {
			/* to each boundary from the end, and from there to each from the start */
			int to = i % 2 ? i / 2 : CHUNKS - 1 - i / 2;
			struct buf got = BUF_INIT, expected = BUF_INIT;

			link_seek(l, now, link_zero(l) + chunk_offset(CHUNKS));
			link_drain(l, now, &got, 512);
			buf_release(&got);
			link_seek(l, now, link_zero(l));
			link_drain(l, now, &got, 512);
			link_seek(l, now, link_zero(l) + chunk_offset(to));
			link_drain(l, now, &got, (size_t)(to % 7 + 1));
			straight_text(&expected, to, damaged);
			assert_string_equal(buf_str(&got), buf_str(&expected));
			assert_int_equal(link_goal(l), LINK_NO_GOAL);
			if (to < CHUNKS - 1)
				assert_int_equal(link_at(l, now), link_zero(l) + chunk_offset(to));
			buf_release(&got);
			buf_release(&expected);
		}
		link_free(l);
	}
}

static size_t link_count(struct link *l, uint64_t now)
{
	struct buf b = BUF_INIT;
	size_t n;

	link_drain(l, now, &b, 512);
	n = b.len;
	buf_release(&b);
	return n;
}

static size_t straight_count(int last)
{
	struct buf b = BUF_INIT;
	size_t n;

	straight_text(&b, last, false);
	n = b.len;
	buf_release(&b);
	return n;
}

static void pace_and_pause_hold_from_when_they_are_set(void **state)
{
	uint64_t now = clock_now() + CLOCK_SECOND, zero;
	struct link *l;
	size_t n;

	(void)state;
	recording_write(false);
	l = must_link(1);
	n = link_count(l, now);
	zero = link_zero(l);
	now = zero + 2 * CLOCK_SECOND;
	n += link_count(l, now);
	assert_int_equal(n, straight_count(8));
	link_pause(l, now, true);
	assert_int_equal(link_timeout(l, now), -1);
	now += 100 * CLOCK_SECOND;
	assert_int_equal(link_count(l, now), 0);
	assert_int_equal(link_at(l, now), zero + 2 * CLOCK_SECOND);
	link_pause(l, now, false);
	link_set_pace(l, now, 0.125);
	now += CLOCK_SECOND;
	assert_int_equal(link_count(l, now), 0);
	assert_int_equal(link_at(l, now), zero + 2 * CLOCK_SECOND + CLOCK_SECOND / 8);
	assert_int_equal(link_timeout(l, now), 1000);
	link_set_pace(l, now, 4);
	now += CLOCK_SECOND;
	n += link_count(l, now);
	assert_int_equal(n, straight_count(24));	/* 6.125 s */
	link_set_pace(l, now, 0);
	n += link_count(l, now);
	assert_int_equal(n, straight_count(CHUNKS - 1));
	assert_int_equal(link_state(l), LINK_ENDED);
	assert_int_equal(link_at(l, now), zero + chunk_offset(CHUNKS - 1));
	/* back from the end, and on at a pace */
	link_set_pace(l, now, 1);
	link_seek(l, now, zero + CLOCK_SECOND);
	assert_int_equal(link_state(l), LINK_UP);
	assert_int_equal(link_count(l, now), straight_count(4));
	link_seek(l, now, zero + 100 * CLOCK_SECOND);
	assert_int_equal(link_count(l, now), straight_count(CHUNKS - 1) - straight_count(4));
	assert_int_equal(link_state(l), LINK_ENDED);
	link_free(l);
}

static void a_seek_is_stopped_where_it_is(void **state)
{
	uint64_t now = clock_now(), time;
	uint8_t data[64];
	struct link *l;

	(void)state;
	recording_write(false);
	l = must_link(1);
	link_count(l, now);
	link_pause(l, now, true);
	link_seek(l, now, link_zero(l) + 9 * CLOCK_SECOND);
	assert_true(link_read(l, now, data, sizeof(data), &time) > 0);
	link_seek_stop(l, now);
	assert_int_equal(link_goal(l), LINK_NO_GOAL);
	assert_int_equal(link_at(l, now), time);
	assert_int_equal(link_count(l, now), 0);
	link_free(l);
}

/* --- the node --------------------------------------------------------------------------------- */

static struct node *must_node(double speed)
{
	struct node *n = node_new(&(struct node_options){ .source = path,
				  .link = { .speed = speed } }, NULL);

	assert_non_null(n);
	return n;
}

static void node_settle(struct node *n)
{
	for (int i = 0; i < 10000 && node_timeout(n, 0) == 0; i++)
		node_service(n, clock_now(), 1 << 20);
}

/* What it holds, as text: an export, the console, the moments. */
static char *node_text(struct node *n)
{
	char file[80], *text;
	struct export_source s;
	struct buf b = BUF_INIT;
	struct history_moment m;
	struct console_line line;
	uint64_t zero = link_zero(node_link(n));
	FILE *f;
	char piece[4096];
	size_t count;

	snprintf(file, sizeof(file), "%s.json", path);
	node_export_source(n, &s);
	assert_int_equal(export_file(exporter_find("json"), &s, file, NULL), 0);
	f = fopen(file, "rb");
	assert_non_null(f);
	while ((count = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&b, piece, count);
	fclose(f);
	unlink(file);
	for (size_t i = 0; console_get(node_console(n), i, &line); i++)
		buf_addf(&b, "%llu %s\n", (unsigned long long)(line.time_ns - zero), line.text);
	for (size_t i = 0; history_moment(node_history(n), i, &m); i++)
		buf_addf(&b, "%llu %llu %llu %llu\n", (unsigned long long)(m.time_ns - zero),
			 (unsigned long long)m.length_ns, (unsigned long long)m.calls,
			 (unsigned long long)m.bytes);
	buf_addf(&b, "%.3f %u reports, %zu of %zu\n", node_bytes_per_s(n), node_reports(n),
		 node_selected(n), node_profiles(n));
	text = mem_strdup(buf_str(&b));
	buf_release(&b);
	return text;
}

static void node_holds_the_same_whatever_the_way(void **state)
{
	static const int ways[] = { 30, 4, 5, 4, 39, 0, 12, 38, 16, 17, 18, 16, 39, 28 };
	struct node *walker;

	(void)state;
	for (int damaged = 0; damaged < 2; damaged++) {
		recording_write(damaged);
		walker = must_node(0);
		node_settle(walker);
		assert_true(node_ended(walker));
		node_pause(walker, true);
		for (size_t i = 0; i < COUNT(ways); i++) {
			struct node *straight = must_node(0);
			char *expected, *got;

			node_pause(straight, true);
			node_service(straight, clock_now(), 1);
			assert_true(node_can_seek(straight));	/* before a byte was read */
			node_pause(straight, false);
			node_service(straight, clock_now(), 1);
			node_pause(straight, true);
			assert_int_equal(node_seek(straight, link_zero(node_link(straight)) +
					 chunk_offset(ways[i]), NULL), 0);
			node_settle(straight);
			assert_int_equal(node_seek(walker, link_zero(node_link(walker)) +
					 chunk_offset(ways[i]), NULL), 0);
			node_settle(walker);
			expected = node_text(straight);
			got = node_text(walker);
			assert_string_equal(got, expected);
			mem_free(expected);
			mem_free(got);
			node_free(straight);
		}
		node_free(walker);
	}
}

static void the_whole_is_known_while_it_plays(void **state)
{
	struct history_moment m = { 0 };
	struct node_play p;
	struct node *n;

	(void)state;
	recording_write(false);
	n = must_node(1);
	for (int i = 0; i < 10000 && !node_play(n, clock_now()).whole; i++)
		node_service(n, clock_now(), 1 << 20);
	p = node_play(n, clock_now());
	assert_true(p.whole);
	assert_int_equal(p.end_ns, link_zero(node_link(n)) + chunk_offset(CHUNKS - 1));
	assert_true(node_reports(n) < 5);
	assert_true(history_moment(node_history_whole(n),
				   history_count(node_history_whole(n)) - 1, &m));
	assert_int_equal(m.time_ns, link_zero(node_link(n)) + chunk_offset(36));
	node_free(n);
}

static uint64_t end_asked(void)
{
	struct link *l = must_link(1);
	uint64_t end = link_end(l), zero = link_zero(l);

	link_free(l);
	return end == UINT64_MAX ? end : end - zero;
}

/* By its last whole chunk. A pipe has none, and what is still written goes on. */
static void its_end_is_known_before_it_is_read(void **state)
{
	struct link *l;
	struct stat st;
	int fd;

	(void)state;
	recording_write(false);
	assert_int_equal(end_asked(), chunk_offset(CHUNKS - 1));
	l = must_link(1);
	link_pause(l, clock_now(), true);
	link_seek(l, clock_now(), link_end(l) - 1);
	link_count(l, clock_now());
	assert_int_equal(link_at(l, clock_now()), link_end(l) - 1);
	link_free(l);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - 1), 0);
	assert_int_equal(end_asked(), chunk_offset(CHUNKS - 2));
	fd = open(path, O_RDWR);
	assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
	assert_true(end_asked() == UINT64_MAX);
	close(fd);
	assert_int_equal(truncate(path, RECORD_HEADER), 0);
	assert_true(end_asked() == UINT64_MAX);
}

static void what_has_no_way_back_is_said(void **state)
{
	struct node_options o = { .source = path, .link = { .speed = 0 }, .record = NULL };
	struct err err = { 0 };
	char copy[80];
	struct node *n;

	(void)state;
	recording_write(false);
	snprintf(copy, sizeof(copy), "%s.copy", path);
	o.record = copy;
	n = node_new(&o, NULL);
	assert_non_null(n);
	node_settle(n);
	assert_int_equal(node_seek(n, link_zero(node_link(n)), &err), ERR_USAGE);
	assert_string_equal(err.text, "cannot go back while this replay is recorded");
	node_free(n);
	unlink(copy);
}

static void without_memory_it_stays_where_it_is(void **state)
{
	struct node *n;
	char *before, *after;
	int failed = 0;

	(void)state;
	recording_write(false);
	n = must_node(0);
	node_settle(n);
	node_pause(n, true);
	before = node_text(n);
	for (int left = 0; left < 40; left++) {
		struct err err = { 0 };
		int ret;

		mem_fail_after(left);
		ret = node_seek(n, link_zero(node_link(n)) + chunk_offset(8), &err);
		mem_fail_after(-1);
		if (ret == 0)
			break;
		failed++;
		assert_int_equal(ret, ERR_NOMEM);
		if (left < 2) {
			after = node_text(n);
			assert_string_equal(after, before);
			mem_free(after);
		}
	}
	assert_true(failed > 1);
	node_settle(n);
	assert_int_equal(node_reports(n), 3);
	mem_free(before);
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_until_a_time_are_those_of_a_straight_read),
		cmocka_unit_test(pace_and_pause_hold_from_when_they_are_set),
		cmocka_unit_test(a_seek_is_stopped_where_it_is),
		cmocka_unit_test(node_holds_the_same_whatever_the_way),
		cmocka_unit_test(the_whole_is_known_while_it_plays),
		cmocka_unit_test(its_end_is_known_before_it_is_read),
		cmocka_unit_test(what_has_no_way_back_is_said),
		cmocka_unit_test(without_memory_it_stays_where_it_is),
	};
	int fd = mkstemp(path), ret;

	if (fd < 0)
		return 1;
	close(fd);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return ret;
}
