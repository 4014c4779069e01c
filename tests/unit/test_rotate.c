/*
 * rotate, parts, keys: a recording in parts, by time and by size, within its bound, after a
 * restart; what a part begins with; parts read as one; the index: where it leads to, stale,
 * damaged, none.
 * Times are given: nothing waits.
 */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/link/keys.h"
#include "core/link/link.h"
#include "core/link/parts.h"
#include "core/link/record.h"

#define S CLOCK_SECOND

static char folder[64];

static void folder_clear(void)
{
	DIR *d = opendir(folder);
	const struct dirent *e;
	char path[400];

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

static int folder_make(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_rotate.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
	(void)state;
	folder_clear();
	return 0;
}

/* --- the stream: numbered bytes; who reads it "knows" how many came --------------------------- */

struct told {
	uint64_t sum;			/* bytes that were recorded */
	unsigned asked;
	bool whole;
	unsigned said;
	char last[256];
};

static bool told_again(void *ctx, struct buf *bytes)
{
	struct told *t = ctx;

	t->asked++;
	buf_addf(bytes, "<%llu>", (unsigned long long)t->sum);
	return t->whole;
}

static void told_say(void *ctx, const char *line)
{
	struct told *t = ctx;

	t->said++;
	snprintf(t->last, sizeof(t->last), "%s", line);
}

static struct record *must_begin(struct record_rule rule, struct told *t)
{
	struct err err = { 0 };
	struct record *r;

	rule.say = told_say;
	rule.ctx = t;
	r = record_new_parts(folder, &rule, &err);
	if (!r)
		fail_msg("%s", err.text);
	record_resumes(r, told_again, t);
	return r;
}

/* `n` bytes at a time. */
static void bytes_add(struct record *r, struct told *t, uint64_t time, size_t n)
{
	uint8_t data[4096];

	for (size_t i = 0; i < n; i++)
		data[i] = (uint8_t)((t->sum + i) % 251);
	assert_true(n <= sizeof(data));
	assert_int_equal(record_add(r, time, data, n, NULL), 0);
	t->sum += n;
}

static struct parts must_list(size_t count)
{
	struct parts p;

	assert_int_equal(parts_read(&p, folder, NULL), 0);
	assert_int_equal(p.count, count);
	return p;
}

/* All that a source gives, at full speed. */
static void source_read(const char *source, struct buf *all, uint64_t *last)
{
	struct link_options o = { .speed = 0, .zero_ns = S };
	struct err err = { 0 };
	struct link *l = link_new(source, &o, &err);
	uint8_t buf[1000];
	uint64_t at;
	ssize_t n;

	if (!l)
		fail_msg("%s", err.text);
	while ((n = link_read(l, clock_now(), buf, sizeof(buf), &at)) >= 0) {
		buf_add(all, buf, (size_t)n);
		*last = n ? at : *last;
	}
	assert_int_equal(link_damaged(l), 0);
	link_free(l);
}

static void stream_check(const struct buf *all, uint64_t first)
{
	for (size_t i = 0; i < all->len; i++)
		if ((uint8_t)all->data[i] != (first + i) % 251)
			fail_msg("byte %zu", i);
}

/* --- when a part ends ------------------------------------------------------------------------- */

static void parts_end_by_time(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .every_ns = 10 * S }, &t);
	uint64_t now = clock_now(), last;
	struct record_tally tally;
	struct buf all = BUF_INIT;
	struct parts p;

	(void)state;
	for (int i = 0; i < 35; i++)
		bytes_add(r, &t, now + (uint64_t)i * S, 100);
	record_tally(r, &tally);
	record_free(r);
	p = must_list(4);
	assert_int_equal(tally.parts, 4);
	assert_int_equal(tally.bytes, p.bytes);
	assert_int_equal(tally.unkept + tally.removed, 0);
	for (size_t i = 1; i < p.count; i++) {
		assert_true(strcmp(p.of[i - 1].path, p.of[i].path) < 0);
		assert_int_equal((p.of[i].wall - p.of[i - 1].wall + S / 10) / S, 10);
	}
	source_read(folder, &all, &last);
	assert_int_equal(all.len, 3500);
	stream_check(&all, 0);
	assert_true(last - S >= 34 * S && last - S < 34 * S + S / 10);
	buf_release(&all);
	parts_release(&p);
}

static void parts_end_by_size(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .each = 3000 }, &t);
	struct buf all = BUF_INIT;
	uint64_t now = clock_now(), last;
	struct parts p;

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		bytes_add(r, &t, now + i * S, 200 + i);
	record_free(r);
	assert_int_equal(parts_read(&p, folder, NULL), 0);
	assert_true(p.count >= 3);
	for (size_t i = 0; i < p.count; i++)
		assert_true(p.of[i].size <= 3000 && p.of[i].wall);
	source_read(folder, &all, &last);
	assert_int_equal(all.len, t.sum);
	stream_check(&all, 0);
	buf_release(&all);
	/* A chunk larger than a part has one alone. */
	r = must_begin((struct record_rule){ .each = 100 }, &t);
	bytes_add(r, &t, now, 4000);
	bytes_add(r, &t, now, 4000);
	record_free(r);
	parts_release(&p);
	assert_int_equal(parts_read(&p, folder, NULL), 0);
	assert_true(p.of[p.count - 1].size > 4000 && p.of[p.count - 2].size > 4000);
	parts_release(&p);
}

static void a_part_alone_begins_with_what_was_known(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .every_ns = 10 * S }, &t);
	struct buf all = BUF_INIT;
	uint64_t now = clock_now(), last;
	struct parts p;

	(void)state;
	assert_int_equal(record_about(r, "format wsn\n", NULL), 0);
	for (unsigned i = 0; i < 20; i++)
		bytes_add(r, &t, now + i * S, 100);
	record_free(r);
	p = must_list(2);
	source_read(p.of[1].path, &all, &last);
	assert_memory_equal(all.data, "<1000>", 6);
	assert_int_equal(all.len, 1006);
	buf_release(&all);
	source_read(folder, &all, &last);	/* who comes from the first one is not told */
	assert_int_equal(all.len, 2000);
	buf_release(&all);
	parts_release(&p);
}

/* --- the bound -------------------------------------------------------------------------------- */

static void the_oldest_go(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .each = 2000, .keep = 9000 }, &t);
	struct record_tally tally;
	struct buf all = BUF_INIT;
	uint64_t now = clock_now(), last;
	struct parts p;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		bytes_add(r, &t, now + i * S, 300);
		assert_int_equal(parts_read(&p, folder, NULL), 0);
		assert_true(p.bytes <= 9000);
		parts_release(&p);
	}
	record_tally(r, &tally);
	record_free(r);
	assert_true(tally.removed > 10);
	assert_int_equal(t.said, tally.removed);
	assert_non_null(strstr(t.last, "the oldest part"));
	source_read(folder, &all, &last);
	assert_int_equal(all.data[0], '<');	/* its first one is read alone now */
	buf_release(&all);
}

/* --- again in the same folder ----------------------------------------------------------------- */

static void a_restart_goes_on_behind(void **state)
{
	struct told t = { .sum = 0 };
	struct buf all = BUF_INIT;
	uint64_t last;
	struct parts p;

	(void)state;
	for (unsigned run = 0; run < 3; run++) {
		struct record *r = must_begin((struct record_rule){ .each = 0 }, &t);
		struct err err = { 0 };

		assert_null(record_new_parts(folder, &(struct record_rule){ .each = 0 }, &err));
		assert_non_null(strstr(err.text, "another wsntop records into it"));
		bytes_add(r, &t, clock_now(), 1000);
		record_free(r);
	}
	p = must_list(3);
	parts_release(&p);
	source_read(folder, &all, &last);
	assert_int_equal(all.len, 3000);
	stream_check(&all, 0);
	buf_release(&all);
	/* A run in which nothing comes leaves nothing. */
	record_free(must_begin((struct record_rule){ .each = 0 }, &t));
	p = must_list(3);
	parts_release(&p);
}

static void names_ascend_though_the_clock_goes_back(void **state)
{
	struct parts p = { .count = 0 };
	char *name, *before = NULL;

	(void)state;
	for (uint64_t i = 0; i < 20; i++) {
		name = parts_next(&p, folder, (1000 - i) * S);
		assert_non_null(name);
		assert_true(!before || strcmp(before, name) < 0);
		assert_int_equal(parts_add(&p, name, 0), 0);
		free(before);
		before = name;
	}
	free(before);
	parts_release(&p);
}

static void no_part_is_written_over(void **state)
{
	char other[128];
	struct err err = { 0 };
	struct told t = { .sum = 0 };
	FILE *f;

	(void)state;
	snprintf(other, sizeof(other), "%s/99991231T235959.000Z.wsnrec", folder);
	f = fopen(other, "w");
	assert_non_null(f);
	assert_true(fputs("not a recording", f) > 0);
	fclose(f);
	record_free(must_begin((struct record_rule){ .each = 0 }, &t));
	assert_int_equal(access(other, F_OK), 0);
	assert_null(record_new_parts(other, &(struct record_rule){ .each = 0 }, &err));
	assert_non_null(strstr(err.text, "not a folder"));
}

/* --- no room ---------------------------------------------------------------------------------- */

static void without_room_it_waits_and_goes_on(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .each = 100000 }, &t);
	struct rlimit all, none;
	struct record_tally tally;
	struct buf read = BUF_INIT;
	uint64_t now = clock_now(), last;

	(void)state;
	bytes_add(r, &t, now, 1000);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	none = all;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	for (unsigned i = 0; i < 10; i++)
		bytes_add(r, &t, now + i * S, 1000);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	record_tally(r, &tally);
	assert_int_equal(tally.unkept, 10000);
	assert_int_equal(t.said, 1);
	bytes_add(r, &t, now + 20 * S, 500);
	record_tally(r, &tally);
	assert_int_equal(tally.unkept, 10000);
	assert_int_equal(t.said, 2);
	assert_non_null(strstr(t.last, "there is room again"));
	record_free(r);
	source_read(folder, &read, &last);
	assert_int_equal(read.len, 1500);
	buf_release(&read);
}

static void a_file_at_its_limit_is_followed_by_another(void **state)
{
	struct told t = { .sum = 0 };
	struct record *r = must_begin((struct record_rule){ .each = 0 }, &t);
	struct rlimit all, small;
	struct record_tally tally;
	struct buf read = BUF_INIT;
	uint64_t now = clock_now(), last;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	small = all;
	small.rlim_cur = 5000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (unsigned i = 0; i < 20; i++)
		bytes_add(r, &t, now + i * S, 1000);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	record_tally(r, &tally);
	record_free(r);
	assert_int_equal(tally.unkept, 0);
	assert_true(tally.parts >= 4);
	source_read(folder, &read, &last);
	assert_int_equal(read.len, 20000);
	stream_check(&read, 0);
	buf_release(&read);
}

/* --- the index -------------------------------------------------------------------------------- */

enum { LONG = 6000, PIECE = 4000 };	/* chunks of the long recording, 24 MB; a second apart */

/* The first bytes behind a leap to this second, or "" where there is none. */
static void leap_read(const char *source, uint64_t second, char *dst, size_t size)
{
	struct link_options o = { .speed = 1, .zero_ns = S };
	struct err err = { 0 };
	struct link *l = link_new(source, &o, &err);
	struct told t = { .whole = false };
	uint8_t buf[64] = { 0 };
	uint64_t at = 0;
	ssize_t n;

	if (!l)
		fail_msg("%s", err.text);
	link_pause(l, clock_now(), true);
	link_resumes(l, told_again, &t);
	dst[0] = '\0';
	if (link_leaps(l, S + second * S)) {
		link_leap(l, clock_now(), S + second * S);
		link_seek(l, clock_now(), S + second * S);
		n = link_read(l, clock_now(), buf, sizeof(buf) - 1, &at);
		assert_true(n > 0 && at <= S + second * S);
		snprintf(dst, size, "%s", (char *)buf);
	}
	link_free(l);
}

static void long_record(const struct record_rule *rule)
{
	struct told t = { .whole = true };
	struct record *r = must_begin(*rule, &t);
	uint64_t now = clock_now();

	for (unsigned i = 0; i < LONG; i++)
		bytes_add(r, &t, now + i * S, PIECE);
	record_free(r);
}

/* <N> bytes were before the place; the way there is a megabyte or two. */
static void leap_check(const char *source, uint64_t second)
{
	char text[64];
	unsigned long long sum;

	leap_read(source, second, text, sizeof(text));
	if (sscanf(text, "<%llu>", &sum) != 1)
		fail_msg("no leap to %llu s: '%s'", (unsigned long long)second, text);
	assert_true(sum <= (second + 1) * PIECE && sum + (2 << 20) > second * PIECE);
}

static void an_index_leads_near(void **state)
{
	char text[64];
	struct parts p;

	(void)state;
	long_record(&(struct record_rule){ .each = 0 });
	p = must_list(1);
	leap_check(p.of[0].path, 5900);
	leap_check(p.of[0].path, 4242);
	leap_check(folder, 5000);
	leap_read(folder, 10, text, sizeof(text));
	assert_string_equal(text, "");		/* the way is short: it is read */
	parts_release(&p);
}

static void an_index_leads_into_any_part(void **state)
{
	(void)state;
	long_record(&(struct record_rule){ .each = 5 << 20 });
	leap_check(folder, 5900);
	leap_check(folder, 4500);
}

static void byte_flip(const char *path, off_t at)
{
	int fd = open(path, O_RDWR);
	uint8_t byte;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 0x20;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

/* Damaged, of another recording, or none: the way is read. */
static void an_index_that_is_wrong_is_not_used(void **state)
{
	char index[200], text[64];
	struct keys k;
	struct parts p;
	const struct key *key;
	unsigned long long sum, bound;

	(void)state;
	long_record(&(struct record_rule){ .each = 0 });
	p = must_list(1);
	snprintf(index, sizeof(index), "%s" PARTS_INDEX, p.of[0].path);
	keys_open(&k, p.of[0].path, p.of[0].wall);
	assert_true(k.count > 10);
	key = keys_find(&k, 5900 * S);
	byte_flip(index, (off_t)key->at + 1);		/* its bytes: seen at the last moment */
	bound = k.of[key - k.of - 1].place;
	keys_close(&k);
	leap_read(p.of[0].path, 5900, text, sizeof(text));
	assert_int_equal(sscanf(text, "<%llu>", &sum), 1);	/* by the key before it */
	assert_true(sum < bound && sum > bound - (1 << 20));
	leap_check(p.of[0].path, 5000);
	byte_flip(index, 9);				/* the wall clock */
	leap_read(p.of[0].path, 5000, text, sizeof(text));
	assert_string_equal(text, "");
	assert_int_equal(unlink(index), 0);
	leap_read(p.of[0].path, 5000, text, sizeof(text));
	assert_string_equal(text, "");
	parts_release(&p);
}

/* Of a recording that was cut the keys up to there hold. */
static void keys_behind_the_end_are_left_out(void **state)
{
	char text[64];
	unsigned long long sum;
	struct parts p;

	(void)state;
	long_record(&(struct record_rule){ .each = 0 });
	p = must_list(1);
	assert_int_equal(truncate(p.of[0].path, 18 << 20), 0);
	leap_read(p.of[0].path, 5900, text, sizeof(text));
	assert_int_equal(sscanf(text, "<%llu>", &sum), 1);
	assert_true(sum < 18 << 20 && sum > 16 << 20);
	parts_release(&p);
}

/* Of the same time, and with other bytes. */
static void other_write(const char *path, uint64_t wall)
{
	uint8_t chunk[RECORD_CHUNK_MAX], data[PIECE];
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	record_header(chunk, wall);
	assert_int_equal(fwrite(chunk, 1, RECORD_HEADER, f), RECORD_HEADER);
	for (unsigned i = 0; i < LONG; i++) {
		size_t n;

		memset(data, (int)i, sizeof(data));
		n = record_chunk(chunk, i * S, data, sizeof(data));
		assert_int_equal(fwrite(chunk, 1, n, f), n);
	}
	assert_int_equal(fclose(f), 0);
}

static void read_through(const char *source)
{
	struct told t = { .whole = true };
	struct link *l = link_new(source, &(struct link_options){ .speed = 0 }, NULL);
	uint8_t buf[4096];
	uint64_t at;

	assert_non_null(l);
	link_resumes(l, told_again, &t);
	for (int idle = 0; idle < 3;)
		idle = link_read(l, clock_now(), buf, sizeof(buf), &at) > 0 ? 0 : idle + 1;
	link_free(l);
}

/* It leads nowhere; who reads makes it again. */
static void an_index_that_is_stale_is_thrown_away(void **state)
{
	char text[64];
	struct parts p;
	struct keys k;

	(void)state;
	long_record(&(struct record_rule){ .each = 0 });
	p = must_list(1);
	other_write(p.of[0].path, p.of[0].wall);
	leap_read(p.of[0].path, 5900, text, sizeof(text));
	assert_true(text[0] != '<');
	read_through(p.of[0].path);
	leap_read(p.of[0].path, 5900, text, sizeof(text));
	assert_int_equal(text[0], '<');
	keys_open(&k, p.of[0].path, p.of[0].wall);
	assert_true(k.count > 10);
	keys_close(&k);
	parts_release(&p);
}

static void an_index_is_cut_where_it_is_cut(void **state)
{
	char index[200];
	struct keys whole, cut;
	struct parts p;

	(void)state;
	long_record(&(struct record_rule){ .each = 0 });
	p = must_list(1);
	snprintf(index, sizeof(index), "%s" PARTS_INDEX, p.of[0].path);
	keys_open(&whole, p.of[0].path, p.of[0].wall);
	for (uint64_t at = whole.end; at > whole.of[whole.count - 2].at; at--) {
		assert_int_equal(truncate(index, (off_t)at), 0);
		keys_open(&cut, p.of[0].path, p.of[0].wall);
		assert_int_equal(cut.count, at < whole.of[whole.count - 2].at +
				 whole.of[whole.count - 2].length + 4 ? whole.count - 2 :
				 at < whole.end ? whole.count - 1 : whole.count);
		keys_close(&cut);
	}
	keys_close(&whole);
	parts_release(&p);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(parts_end_by_time),
		CASE(parts_end_by_size),
		CASE(a_part_alone_begins_with_what_was_known),
		CASE(the_oldest_go),
		CASE(a_restart_goes_on_behind),
		CASE(names_ascend_though_the_clock_goes_back),
		CASE(no_part_is_written_over),
		CASE(without_room_it_waits_and_goes_on),
		CASE(a_file_at_its_limit_is_followed_by_another),
		CASE(an_index_leads_near),
		CASE(an_index_leads_into_any_part),
		CASE(an_index_that_is_wrong_is_not_used),
		CASE(keys_behind_the_end_are_left_out),
		CASE(an_index_that_is_stale_is_thrown_away),
		CASE(an_index_is_cut_where_it_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
