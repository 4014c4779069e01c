/*
 * record: what is kept is what comes back, byte for byte and time for time; and what is left of it
 * after a cut, a flipped bit or a full disk. Replay goes by the clock that is handed in.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/link.h"
#include "core/link/record.h"

#define MS UINT64_C(1000000)

static char path[64];

/* --- what is kept in these tests --- */

struct kept {
	uint64_t at;			/* ns after the first */
	size_t n;
};

static const struct kept kept[] = {
	{ 0, 3 },
	{ 0, 1 },
	{ 5 * MS, 40 },
	{ 5 * MS + 1, 7 },
	{ 1000 * MS, 300 },
	{ 90000 * MS, 2 },
};

static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 131 + (i >> 8));
}

static struct record *must_record(void)
{
	struct err err = { 0 };
	struct record *r = record_new(path, true, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

/* The rows of kept[]; where each one's chunk ends in the file goes to ends[]. */
static void write_kept(size_t *ends)
{
	struct record *r = must_record();
	uint64_t first = clock_now();
	uint8_t data[512];
	size_t total = 0;
	struct stat st;

	for (size_t i = 0; i < COUNT(kept); i++) {
		for (size_t k = 0; k < kept[i].n; k++)
			data[k] = byte_at(total++);
		assert_int_equal(record_add(r, first + kept[i].at, data, kept[i].n, NULL), 0);
		assert_int_equal(stat(path, &st), 0);	/* on the disk at once, not at the end */
		if (ends)
			ends[i] = (size_t)st.st_size;
	}
	record_free(r);
}

static size_t read_file(uint8_t *buf, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, buf, size);

	close(fd);
	assert_true(n >= 0);
	return (size_t)n;
}

static void write_file(const uint8_t *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

/* --- replaying --- */

struct replay {
	uint8_t *data;
	size_t n, size;
	uint64_t time[64], now[64];	/* of each read that gave bytes: as told; when asked */
	size_t length[64];
	size_t reads;
	uint64_t damaged;
	char why[320];
};

static uint64_t opened;		/* the clock jumps from there: a busy machine makes nothing late */

static struct link *must_replay(double speed)
{
	const struct link_options o = { .speed = speed };
	struct err err = { 0 };
	struct link *l;

	opened = clock_now();
	l = link_new(path, &o, &err);
	if (!l)
		fail_msg("%s", err.text);
	return l;
}

/* Read to the end in pieces of at most `piece`, the clock jumping to what the link waits for. */
static void record_replay(struct link *l, struct replay *p, size_t piece)
{
	uint64_t now = opened, time;
	ssize_t n = 0;
	size_t turns = 0;

	p->n = p->reads = 0;
	while (n >= 0 && turns++ < 1000000) {
		size_t room = p->size - p->n < piece ? p->size - p->n : piece;
		int ms = link_timeout(l, now);

		assert_true(ms >= 0);	/* a file is never waited for without end */
		assert_int_equal(link_fd(l), -1);
		now += (uint64_t)ms * MS;
		n = link_read(l, now, p->data + p->n, room, &time);
		if (n <= 0)
			continue;
		if (p->reads < COUNT(p->time)) {
			p->time[p->reads] = time;
			p->now[p->reads] = now;
			p->length[p->reads] = (size_t)n;
		}
		p->reads++;
		p->n += (size_t)n;
	}
	assert_int_equal(n, -1);
	p->damaged = link_damaged(l);
	snprintf(p->why, sizeof(p->why), "%s", link_why(l));
}

static void assert_bytes(const struct replay *p, size_t n)
{
	assert_int_equal(p->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(p->data[i], byte_at(i));
}

static void a_replay_keeps_bytes_times_and_pace(void **state)
{
	static const double speeds[] = { 1, 2, 0.25, 1000, 0 };
	uint8_t data[1024];

	(void)state;
	write_kept(NULL);
	for (size_t s = 0; s < COUNT(speeds); s++) {
		struct replay p = { .data = data, .size = sizeof(data) };
		struct link *l = must_replay(speeds[s]);
		uint64_t before = clock_now();

		record_replay(l, &p, 512);
		assert_string_equal(link_kind(l), "recording");
		assert_false(link_is_live(l));
		assert_true(link_progress(l) == 1);
		assert_string_equal(p.why, "");
		assert_bytes(&p, 353);
		assert_int_equal(p.reads, COUNT(kept));
		for (size_t i = 0; i < p.reads; i++) {
			double due = speeds[s] > 0 ? (double)kept[i].at / speeds[s] : 0;

			assert_int_equal(p.length[i], kept[i].n);
			assert_int_equal(p.time[i] - p.time[0], kept[i].at);
			/* Never early; late by the millisecond that poll(2) counts in, no more. */
			assert_true((double)(p.now[i] - p.now[0]) + 1.1e6 >= due);
			if (speeds[s] == 1)
				assert_in_range(p.now[i], p.time[i], p.time[i] + MS);
		}
		if (speeds[s] == 0)
			assert_true(p.now[p.reads - 1] == p.now[0]);
		assert_true(p.time[0] < before + CLOCK_SECOND);
		link_free(l);
	}
}

static void a_replay_is_not_early_by_a_nanosecond(void **state)
{
	struct link *l;
	uint64_t first, time;
	uint8_t data[64];
	const uint64_t far = clock_now() + CLOCK_SECOND / 100;

	(void)state;
	write_kept(NULL);
	l = must_replay(1);
	assert_int_equal(link_read(l, far, data, sizeof(data), &first), 3);
	assert_int_equal(link_read(l, far, data, sizeof(data), &time), 1);
	assert_int_equal(link_read(l, first + 5 * MS - 1, data, sizeof(data), &time), 0);
	assert_int_equal(link_timeout(l, first + 4 * MS), 1);
	assert_int_equal(link_timeout(l, first + 5 * MS), 0);
	assert_int_equal(link_read(l, first + 5 * MS, data, sizeof(data), &time), 40);
	assert_int_equal(time, first + 5 * MS);
	link_free(l);
}

static void small_reads_never_mix_two_times(void **state)
{
	uint8_t data[1024];

	(void)state;
	write_kept(NULL);
	for (size_t piece = 1; piece < 50; piece += 6) {
		struct replay p = { .data = data, .size = sizeof(data) };
		struct link *l = must_replay(0);

		record_replay(l, &p, piece);
		assert_bytes(&p, 353);
		link_free(l);
	}
}

static void long_reads_are_kept_in_several_chunks(void **state)
{
	const size_t n = 3 * RECORD_DATA_MAX + 17;
	uint8_t *sent = malloc(n);
	struct replay p = { .data = malloc(n + 1), .size = n + 1 };
	struct record *r = must_record();
	struct link *l;

	(void)state;
	for (size_t i = 0; i < n; i++)
		sent[i] = byte_at(i);
	assert_int_equal(record_add(r, clock_now(), sent, n, NULL), 0);
	assert_int_equal(record_add(r, clock_now(), sent, 0, NULL), 0);
	record_free(r);
	l = must_replay(1);
	record_replay(l, &p, n);
	assert_bytes(&p, n);
	assert_int_equal(p.reads, 4);
	link_free(l);
	free(sent);
	free(p.data);
}

static void time_that_goes_back_stands_still(void **state)
{
	struct record *r = must_record();
	uint64_t now = clock_now() + CLOCK_SECOND;
	struct replay p = { .data = (uint8_t[8]){ 0 }, .size = 8 };
	struct link *l;

	(void)state;
	record_add(r, now, (const uint8_t *)"a", 1, NULL);
	record_add(r, now - 7 * MS, (const uint8_t *)"b", 1, NULL);
	record_add(r, 0, (const uint8_t *)"c", 1, NULL);
	record_add(r, UINT64_MAX, (const uint8_t *)"d", 1, NULL);
	record_free(r);
	l = must_replay(0);
	record_replay(l, &p, 8);
	assert_memory_equal(p.data, "abcd", 4);
	assert_int_equal(p.time[1], p.time[0]);
	assert_int_equal(p.time[2], p.time[0]);
	assert_true(p.time[3] > p.time[0]);
	link_free(l);
}

/* --- damage --- */

static void a_cut_recording_reads_up_to_its_last_whole_chunk(void **state)
{
	size_t ends[COUNT(kept)], size;
	uint8_t file[1024], data[1024];

	(void)state;
	write_kept(ends);
	size = read_file(file, sizeof(file));
	assert_int_equal(size, ends[COUNT(kept) - 1]);
	for (size_t cut = RECORD_MAGIC_SIZE; cut <= size; cut++) {
		struct replay p = { .data = data, .size = sizeof(data) };
		size_t whole = cut < RECORD_HEADER ? RECORD_MAGIC_SIZE : RECORD_HEADER;
		size_t bytes = 0;
		struct link *l;

		for (size_t i = 0; i < COUNT(kept) && ends[i] <= cut; i++) {
			whole = ends[i];
			bytes += kept[i].n;
		}
		write_file(file, cut);
		l = must_replay(1);
		record_replay(l, &p, 512);
		assert_string_equal(link_kind(l), "recording");
		assert_bytes(&p, bytes);
		/* A cut header is counted with its magic. */
		assert_int_equal(p.damaged, cut < RECORD_HEADER ? cut : cut - whole);
		assert_int_equal(*p.why != '\0', p.damaged > 0);
		link_free(l);
	}
}

/* Which rows of kept[] p consists of, as bits; fails when it is no sequence of whole rows. */
static unsigned rows_of(const struct replay *p)
{
	unsigned found = 0;
	size_t row = 0, first = 0;

	for (size_t at = 0; at < p->n; at += kept[row].n, first += kept[row].n, row++) {
		while (row < COUNT(kept) && (kept[row].n > p->n - at ||
					     p->data[at] != byte_at(first)))
			first += kept[row++].n;
		assert_true(row < COUNT(kept));
		for (size_t i = 0; i < kept[row].n; i++)
			assert_int_equal(p->data[at + i], byte_at(first + i));
		found |= 1u << row;
	}
	return found;
}

static void a_flipped_bit_costs_its_chunk(void **state)
{
	const unsigned all = (1u << COUNT(kept)) - 1;
	size_t ends[COUNT(kept)], size, chunk = 0;
	uint8_t file[1024], data[1024];

	(void)state;
	write_kept(ends);
	size = read_file(file, sizeof(file));
	for (size_t at = RECORD_HEADER; at < size; at++) {
		struct replay p = { .data = data, .size = sizeof(data) };
		struct link *l;
		size_t begin;
		unsigned rows;

		while (at >= ends[chunk])
			chunk++;
		begin = chunk ? ends[chunk - 1] : RECORD_HEADER;
		file[at] ^= 0x10;
		write_file(file, size);
		file[at] ^= 0x10;
		l = must_replay(0);
		record_replay(l, &p, 512);
		rows = rows_of(&p);
		assert_int_equal(rows, all & ~(1u << chunk));
		assert_int_equal(p.damaged, ends[chunk] - begin);
		assert_non_null(strstr(p.why, "bytes left out"));
		link_free(l);
	}
}

static void junk_behind_the_header_ends(void **state)
{
	static uint8_t junk[600000];
	struct replay p = { .data = (uint8_t[8]){ 0 }, .size = 8 };

	(void)state;
	for (int fill = 0; fill < 3; fill++) {
		static const uint8_t fills[] = { 0, 0xff, 1 };
		struct link *l;

		memset(junk, fills[fill], sizeof(junk));
		memcpy(junk, RECORD_MAGIC, RECORD_MAGIC_SIZE);
		write_file(junk, sizeof(junk));
		l = must_replay(1);
		record_replay(l, &p, 8);
		assert_int_equal(p.n, 0);
		assert_int_equal(p.damaged, sizeof(junk) - RECORD_HEADER);
		link_free(l);
	}
}

static size_t chunks_append(uint8_t *file, size_t at, int from, int to)
{
	for (int i = from; i < to; i++)
		at += record_chunk(file + at, (uint64_t)i, (const uint8_t *)&i, sizeof(i));
	return at;
}

/* However much is broken, and wherever the buffer ends in it. */
static void behind_any_damage_the_next_whole_chunk_is_found(void **state)
{
	static const size_t gaps[] = { 1, 15, 17, 4096, RECORD_CHUNK_MAX - 1, RECORD_CHUNK_MAX,
				       RECORD_CHUNK_MAX + 1, 2 * RECORD_CHUNK_MAX - 21,
				       2 * RECORD_CHUNK_MAX, 600000 };
	static const uint8_t fills[] = { 0, 1, 0xff };
	static uint8_t file[700000];

	(void)state;
	for (size_t i = 0; i < COUNT(gaps) * COUNT(fills); i++) {
		const size_t gap = gaps[i / COUNT(fills)];
		struct replay p = { .data = (uint8_t[2048]){ 0 }, .size = 2048 };
		struct link *l;
		size_t n;

		record_header(file, 0);
		n = chunks_append(file, RECORD_HEADER, 0, 100);
		memset(file + n, fills[i % COUNT(fills)], gap);
		n = chunks_append(file, n + gap, 100, 200);
		write_file(file, n);
		l = must_replay(0);
		record_replay(l, &p, 512);
		assert_int_equal(p.n, 200 * sizeof(int));
		for (int k = 0; k < 200; k++)
			assert_memory_equal(p.data + (size_t)k * sizeof(k), &k, sizeof(k));
		assert_int_equal(p.damaged, gap);
		link_free(l);
	}
}

/*
 * Every fourth byte begins a chunk of nearly 64 KB, by its head: were each one's check made of its
 * bytes, that would be 500 GB.
 */
static void false_heads_cost_no_more_than_other_bytes(void **state)
{
	const struct itimerval minute = { .it_value = { .tv_sec = 60 } }, none = { 0 };
	const size_t size = 32 << 20;
	struct replay p = { .data = (uint8_t[64]){ 0 }, .size = 64 };
	uint8_t *file = malloc(size);
	struct link *l;
	size_t n;

	(void)state;
	for (size_t i = 0; i < size; i++)
		file[i] = i % 4 < 2 ? 0xfe : 0;
	record_header(file, 0);
	n = chunks_append(file, size - 1000, 0, 3);
	write_file(file, n);
	setitimer(ITIMER_PROF, &minute, NULL);		/* of a processor: then it is killed */
	l = must_replay(0);
	record_replay(l, &p, 64);
	setitimer(ITIMER_PROF, &none, NULL);
	assert_int_equal(p.n, 3 * sizeof(int));
	assert_int_equal(p.damaged, size - 1000 - RECORD_HEADER);
	link_free(l);
	free(file);
}

/* --- while it is still written --- */

static void chunk_add(struct record *r, uint64_t at, const char *text)
{
	assert_int_equal(record_add(r, at, (const uint8_t *)text, strlen(text), NULL), 0);
}

/* What there is at `now`, until it is waited for: then a second, no less, and no descriptor. */
static void assert_follows(struct link *l, uint64_t now, const char *text)
{
	char got[64];
	size_t n = 0;
	uint64_t time;

	for (int turn = 0; turn < 5 || link_timeout(l, now) == 0; turn++) {
		ssize_t count = link_read(l, now, (uint8_t *)got + n, sizeof(got) - n, &time);

		assert_true(turn < 20 && count >= 0);
		n += (size_t)count;
	}
	assert_int_equal(n, strlen(text));
	assert_memory_equal(got, text, n);
	assert_true(link_follows(l));
	assert_int_equal(link_state(l), LINK_UP);
	assert_int_equal(link_timeout(l, now), 1000);
	assert_int_equal(link_fd(l), -1);
}

static void a_recording_that_grows_is_followed_to_its_last_byte(void **state)
{
	static const double speeds[] = { 0, 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(speeds); i++) {
		const struct link_options o = { .speed = speeds[i], .follow = true };
		struct record *r = must_record();
		uint64_t first = clock_now(), now = first + CLOCK_SECOND, at, time;
		struct link *l = link_new(path, &o, NULL);
		uint8_t data[64];

		assert_non_null(l);
		assert_follows(l, now, "");
		chunk_add(r, first + CLOCK_SECOND / 4, "one ");
		chunk_add(r, first + CLOCK_SECOND / 2, "two");
		assert_int_equal(link_read(l, now, data, sizeof(data), &time), 0);
		assert_follows(l, now += CLOCK_SECOND, "one two");
		/* it stands there, however long, and goes on with the next */
		at = link_at(l, now);
		assert_true(link_at(l, now + 900 * MS) == at);
		assert_follows(l, now += CLOCK_SECOND, "");
		chunk_add(r, first + CLOCK_SECOND, "three");
		assert_follows(l, now += CLOCK_SECOND, "three");
		assert_int_equal(link_at(l, now) - at, CLOCK_SECOND / 2);
		/* again from its start, and beyond its end */
		link_seek(l, now, link_zero(l));
		link_seek(l, now, LINK_NO_GOAL - 1);
		assert_follows(l, now, "one twothree");
		link_seek(l, now, LINK_NO_GOAL - 1);
		assert_int_equal(link_goal(l), LINK_NO_GOAL);
		/* what was written before the recorder ended counts */
		chunk_add(r, first + CLOCK_SECOND, "four");
		record_free(r);
		now += CLOCK_SECOND;
		while (link_read(l, now, data, sizeof(data), &time) == 0)
			assert_int_equal(link_timeout(l, now), 0);
		assert_memory_equal(data, "four", 4);
		while (link_read(l, now, data, sizeof(data), &time) == 0)
			assert_int_equal(link_timeout(l, now), 0);
		assert_int_equal(link_state(l), LINK_ENDED);
		assert_int_equal(link_damaged(l), 0);
		link_free(l);
	}
}

/* Not asked to follow, as in batch, it ends where it ends. */
static void a_recording_that_grows_ends_in_batch(void **state)
{
	struct record *r = must_record();
	struct replay p = { .data = (uint8_t[64]){ 0 }, .size = 64 };
	struct link *l;

	(void)state;
	chunk_add(r, clock_now(), "one");
	l = must_replay(0);
	record_replay(l, &p, 64);
	assert_int_equal(p.n, 3);
	link_free(l);
	record_free(r);
}

/* --- out of a pipe --- */

static void a_recording_replays_out_of_a_pipe(void **state)
{
	int saved = dup(STDIN_FILENO), ends[2];
	const struct link_options o = { .speed = 1 };
	uint8_t file[1024], data[1024];
	size_t size, n = 0;
	uint64_t now, time;
	struct link *l;
	ssize_t got = 0;

	(void)state;
	write_kept(NULL);
	size = read_file(file, sizeof(file));
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	l = link_new("-", &o, NULL);
	assert_non_null(l);
	now = clock_now();
	for (size_t i = 0; i <= size; i++) {
		int turns = 0;

		if (i == size)
			close(ends[1]);
		else
			assert_int_equal(write(ends[1], file + i, 1), 1);
		do {			/* until it waits for us: half a chunk is waited for */
			assert_true(turns++ < 20);
			got = link_read(l, now, data + n, sizeof(data) - n, &time);
			n += got > 0 ? (size_t)got : 0;
			if (got < 0)
				break;
			now += (uint64_t)(link_timeout(l, now) > 0 ? link_timeout(l, now) : 0) * MS;
		} while (link_timeout(l, now) >= 0);
		assert_true(got < 0 || link_fd(l) >= 0);
	}
	assert_int_equal(got, -1);
	assert_string_equal(link_kind(l), "recording");
	assert_int_equal(link_damaged(l), 0);
	assert_int_equal(n, 353);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(data[i], byte_at(i));
	link_free(l);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(ends[0]);
}

/* --- what may not be overwritten --- */

static void assert_refused(const char *where, bool force, const char *says)
{
	struct err err = { 0 };

	assert_null(record_new(where, force, &err));
	if (!strstr(err.text, says))
		fail_msg("%s", err.text);
}

static void only_recordings_are_replaced(void **state)
{
	static const char *texts[] = { "w", "important", "wsnrec1", "wsnrec2\n and more" };
	uint8_t file[64];
	struct record *r;
	struct link *l;
	uint64_t time;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		write_file((const uint8_t *)texts[i], strlen(texts[i]));
		assert_refused(path, true, "exists and is not a recording");
		assert_int_equal(read_file(file, sizeof(file)), strlen(texts[i]));
		assert_memory_equal(file, texts[i], strlen(texts[i]));
	}
	write_file((const uint8_t *)"", 0);
	write_kept(NULL);
	assert_refused(path, false, "holds a recording already; record into /tmp/test_record-2.");
	r = must_record();		/* but by force */
	assert_int_equal(read_file(file, sizeof(file)), RECORD_HEADER);
	assert_refused(path, true, "is being replayed or written");
	record_free(r);

	write_kept(NULL);
	l = must_replay(1);
	assert_int_equal(link_read(l, clock_now() + CLOCK_SECOND, file, sizeof(file), &time), 3);
	assert_refused(path, true, "is being replayed or written");
	link_free(l);
	record_free(must_record());
}

/* Opened is enough: what is to be replayed must not be emptied before its first byte is read. */
static void nothing_is_recorded_into_what_is_replayed(void **state)
{
	char source[80];
	struct err err = { 0 };
	struct link *l;

	(void)state;
	record_free(must_record());
	snprintf(source, sizeof(source), "file:%s", path);
	l = link_new(source, NULL, &err);
	assert_non_null(l);
	assert_refused(path, true, "is being replayed or written");
	link_free(l);
	record_free(must_record());
}

static void a_recording_goes_into_a_regular_file(void **state)
{
	(void)state;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(path, true, "not a regular file");
	unlink(path);
	assert_refused("/dev/null", true, "not a regular file");
	assert_refused(".", true, "cannot record");
	assert_refused("no/such/folder/file", true, "cannot record");
}

/* --- a full disk, no memory --- */

/* A limit on the file's size stops a write(2) midway, as a full disk does. */
static void a_full_disk_is_said_once_and_leaves_a_whole_recording(void **state)
{
	struct rlimit old, limit;
	uint8_t data[100] = { 0 };
	struct replay p = { .data = (uint8_t[2048]){ 0 }, .size = 2048 };
	struct err err = { 0 };
	struct record *r = must_record();
	unsigned good = 0, bad = 0;
	struct link *l;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 1000;
	setrlimit(RLIMIT_FSIZE, &limit);
	for (int i = 0; i < 20 && !bad; i++) {
		if (record_add(r, clock_now(), data, sizeof(data), &err) == 0)
			good++;
		else
			bad++;
	}
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(good, (1000 - RECORD_HEADER) / 116);
	assert_int_equal(bad, 1);
	assert_non_null(strstr(err.text, "recording stopped"));
	err_clear(&err);
	assert_int_equal(record_add(r, clock_now(), data, sizeof(data), &err), 0);
	assert_false(err_is_set(&err));
	record_free(r);
	l = must_replay(1);
	record_replay(l, &p, 2048);
	assert_int_equal(p.n, good * sizeof(data));
	assert_int_equal(p.damaged, 0);
	link_free(l);
}

static void without_memory_nothing_is_begun(void **state)
{
	uint8_t before[1024], after[1024];
	struct record *r = NULL;
	size_t n;
	long i;

	(void)state;
	write_kept(NULL);
	n = read_file(before, sizeof(before));
	for (i = 0; !r && i < 10; i++) {
		struct err err = { 0 };

		assert_int_equal(read_file(after, sizeof(after)), n);
		assert_memory_equal(before, after, n);
		mem_fail_after(i);
		r = record_new(path, true, &err);
		mem_fail_after(-1);
		if (!r)
			assert_int_equal(err.code, ERR_NOMEM);
	}
	assert_non_null(r);
	assert_int_equal(i, 3);
	record_free(r);
	record_free(NULL);
}

static int make_path(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/test_record.XXXXXX");
	fd = mkstemp(path);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

static int remove_path(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

/* It is known before a byte is read, changes with the bytes behind it, and is none of them. */
static void what_it_is_of_is_told_and_no_bytes(void **state)
{
	uint8_t file[4096], data[64];
	struct replay p = { .data = data, .size = sizeof(data) };
	struct record *r = must_record();
	struct link *l;
	size_t n;

	(void)state;
	assert_int_equal(record_about(r, "format gdb\n", NULL), 0);
	assert_int_equal(record_add(r, clock_now(), (const uint8_t *)"one", 3, NULL), 0);
	assert_int_equal(record_about(r, "format itm\n", NULL), 0);
	assert_int_equal(record_add(r, clock_now(), (const uint8_t *)"two", 3, NULL), 0);
	record_free(r);
	l = must_replay(0);
	assert_string_equal(link_about(l), "format gdb\n");
	record_replay(l, &p, sizeof(data));
	assert_string_equal(link_about(l), "format itm\n");
	assert_int_equal(p.n, 6);
	assert_memory_equal(data, "onetwo", 6);
	assert_int_equal(link_damaged(l), 0);
	link_free(l);
	n = read_file(file, sizeof(file));
	file[RECORD_HEADER + 14] ^= 1;		/* the first lines: the bytes are all there */
	write_file(file, n);
	l = must_replay(0);
	assert_string_equal(link_about(l), "");
	record_replay(l, &p, sizeof(data));
	assert_int_equal(p.n, 6);
	assert_string_equal(link_about(l), "format itm\n");
	assert_int_equal(link_damaged(l), 12 + 11 + RECORD_CHECK);
	link_free(l);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_path, remove_path)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_it_is_of_is_told_and_no_bytes),
		TEST(a_replay_keeps_bytes_times_and_pace),
		TEST(a_replay_is_not_early_by_a_nanosecond),
		TEST(small_reads_never_mix_two_times),
		TEST(long_reads_are_kept_in_several_chunks),
		TEST(time_that_goes_back_stands_still),
		TEST(a_cut_recording_reads_up_to_its_last_whole_chunk),
		TEST(a_flipped_bit_costs_its_chunk),
		TEST(junk_behind_the_header_ends),
		TEST(behind_any_damage_the_next_whole_chunk_is_found),
		TEST(false_heads_cost_no_more_than_other_bytes),
		TEST(a_recording_that_grows_is_followed_to_its_last_byte),
		TEST(a_recording_that_grows_ends_in_batch),
		TEST(a_recording_replays_out_of_a_pipe),
		TEST(only_recordings_are_replaced),
		TEST(nothing_is_recorded_into_what_is_replayed),
		TEST(a_recording_goes_into_a_regular_file),
		TEST(a_full_disk_is_said_once_and_leaves_a_whole_recording),
		TEST(without_memory_nothing_is_begun),
	};

	alarm(300);			/* a test that hangs is killed */
	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
