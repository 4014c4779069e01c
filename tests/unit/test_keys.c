/*
 * keys: the index beside a recording, written and read by itself: its bytes, what is not used of a
 * wrong one, and which file is left alone. What a node makes of it: test_rotate.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/link/keys.h"
#include "core/link/parts.h"

#define WALL UINT64_C(0x1122334455667788)

enum { HEADER = 16, KEY_HEAD = 24, CRC = 4, RECORDING = 4 << 20 };

static char folder[] = "/tmp/wsntop-keys-XXXXXX", recording[64], path[80];

static int folder_make(void **state)
{
	(void)state;
	strcpy(strrchr(folder, '-') + 1, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(recording, sizeof(recording), "%s/a.wsnrec", folder);
	snprintf(path, sizeof(path), "%s" PARTS_INDEX, recording);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	return unit_remove(folder);
}

/* --- what is written -------------------------------------------------------------------------- */

static void file_write(const char *name, const void *data, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
}

static size_t file_read(const char *name, uint8_t *data, size_t room)
{
	int fd = open(name, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, data, room);
	assert_true(n >= 0 && (size_t)n < room);
	close(fd);
	return (size_t)n;
}

/* The four bytes in front of a place of the recording. */
static uint32_t before_of(uint64_t place)
{
	return (uint32_t)(place * 2654435761u);
}

static int recording_make(const uint64_t *places, size_t n)
{
	int fd = open(recording, O_RDWR | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	for (size_t i = 0; i < n; i++) {
		uint32_t b = before_of(places[i]);
		uint8_t bytes[] = { (uint8_t)b, (uint8_t)(b >> 8), (uint8_t)(b >> 16),
				    (uint8_t)(b >> 24) };

		assert_int_equal(pwrite(fd, bytes, 4, (off_t)places[i] - 4), 4);
	}
	return fd;
}

static void put_bytes(struct keys_writer *w, uint64_t place, uint64_t ns, size_t n)
{
	struct buf bytes = BUF_INIT;
	struct key key = { .place = place, .offset_ns = ns, .before = before_of(place) };

	for (size_t i = 0; i < n; i++)
		buf_add(&bytes, &(char){ (char)(place + i) }, 1);
	keys_put(w, &key, &bytes);
	buf_release(&bytes);
}

static struct keys_writer writer_begin(void)
{
	struct keys_writer w;

	assert_int_equal(keys_begin(&w, recording, WALL, 0), 0);
	return w;
}

static const uint64_t places[] = { 20, 2 << 20, 3 << 20 };

/* Three of 5 bytes, a second apart. */
static void index_make(void)
{
	struct keys_writer w = writer_begin();

	for (size_t i = 0; i < COUNT(places); i++)
		put_bytes(&w, places[i], i * 1000000000, 5);
	assert_non_null(w.recording);
	keys_end(&w);
	assert_null(w.recording);
	assert_int_equal(w.fd, -1);
}

static void its_bytes_are_as_the_header_tells(void **state)
{
	static const uint8_t begin[] = {
		'w', 's', 'n', 'i', 'd', 'x', '1', '\n',
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
		0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0, 0, 0x18, 0x17, 0x16, 0x15, 0x14, 0, 0, 0,
		3, 0, 0, 0, 0xd4, 0xc3, 0xb2, 0xa1, 'a', 'b', 'c',
	};
	struct keys_writer w = writer_begin();
	struct key key = { .place = 0x030405060708, .offset_ns = 0x1415161718,
			   .before = 0xa1b2c3d4 };
	struct buf bytes = BUF_INIT;
	uint8_t data[100];
	struct keys k;

	(void)state;
	assert_int_equal(w.fd, -1);
	buf_adds(&bytes, "abc");
	keys_put(&w, &key, &bytes);
	keys_end(&w);
	buf_release(&bytes);
	assert_int_equal(file_read(path, data, sizeof(data)), sizeof(begin) + CRC);
	assert_memory_equal(data, begin, sizeof(begin));
	keys_open(&k, recording, WALL);
	assert_int_equal(k.count, 1);
	assert_int_equal(k.of[0].place, key.place);
	assert_int_equal(k.of[0].offset_ns, key.offset_ns);
	assert_int_equal(k.of[0].before, key.before);
	keys_close(&k);
	assert_int_equal(k.fd, -1);
}

/* In the header there is no chunk's check, though the bytes may be the same. */
static void no_key_is_in_the_header(void **state)
{
	struct keys_writer w = writer_begin();
	int fd = recording_make((const uint64_t[]){ 19 }, 1);
	struct buf bytes = BUF_INIT;
	struct keys k;

	(void)state;
	put_bytes(&w, 19, 0, 5);
	keys_end(&w);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.count, 1);
	assert_false(keys_read(&k, k.of, fd, &bytes));
	keys_close(&k);
	close(fd);
	buf_release(&bytes);
}

static size_t keys_counted(void)
{
	struct keys k;
	size_t n;

	keys_open(&k, recording, WALL);
	n = k.count;
	keys_close(&k);
	return n;
}

/* --- what is read ----------------------------------------------------------------------------- */

static void each_is_found_and_read(void **state)
{
	static const struct { uint64_t ns; int found; } rows[] = {
		{ 0, 0 }, { 999999999, 0 }, { 1000000000, 1 }, { 1999999999, 1 }, { 2000000000, 2 },
		{ UINT64_MAX, 2 },
	};
	struct keys k;
	int fd = recording_make(places, COUNT(places));

	(void)state;
	index_make();
	keys_open(&k, recording, WALL);
	assert_int_equal(k.count, COUNT(places));
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_ptr_equal(keys_find(&k, rows[i].ns), &k.of[rows[i].found]);
	for (size_t i = 0; i < k.count; i++) {
		struct buf bytes = BUF_INIT;

		assert_int_equal(k.of[i].place, places[i]);
		assert_int_equal(k.of[i].offset_ns, i * 1000000000);
		assert_int_equal(k.of[i].before, before_of(places[i]));
		assert_int_equal(k.of[i].length, 5);
		assert_int_equal(k.of[i].at, HEADER + KEY_HEAD + i * (KEY_HEAD + 5 + CRC));
		assert_true(keys_read(&k, &k.of[i], fd, &bytes));
		assert_int_equal(bytes.len, 5);
		for (size_t b = 0; b < 5; b++)
			assert_int_equal((uint8_t)buf_str(&bytes)[b], (uint8_t)(places[i] + b));
		buf_release(&bytes);
	}
	assert_int_equal(k.end, HEADER + 3 * (KEY_HEAD + 5 + CRC));
	keys_close(&k);
	assert_null(k.of);
	close(fd);
}

static void before_the_first_is_none(void **state)
{
	struct keys_writer w = writer_begin();
	struct keys k;

	(void)state;
	put_bytes(&w, 20, 7, 0);
	keys_end(&w);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.count, 1);
	assert_null(keys_find(&k, 6));
	assert_ptr_equal(keys_find(&k, 7), k.of);
	keys_close(&k);
	assert_null(keys_find(&k, 7));
}

/* Each byte of a key that is flipped: its own bytes, its check, or the recording's four. */
static void a_damaged_key_is_not_read(void **state)
{
	struct keys k;
	int fd = recording_make(places, COUNT(places)), index;

	(void)state;
	index_make();
	keys_open(&k, recording, WALL);
	index = open(path, O_RDWR);
	for (int64_t at = -KEY_HEAD; at < 5 + CRC; at++) {
		struct buf bytes = BUF_INIT;
		off_t place = (off_t)k.of[1].at + at;
		uint8_t byte;

		assert_int_equal(pread(index, &byte, 1, place), 1);
		byte ^= 0x40;
		assert_int_equal(pwrite(index, &byte, 1, place), 1);
		assert_false(keys_read(&k, &k.of[1], fd, &bytes));
		assert_int_equal(bytes.len, 0);
		byte ^= 0x40;
		assert_int_equal(pwrite(index, &byte, 1, place), 1);
		buf_release(&bytes);
	}
	close(index);
	for (int i = 1; i <= 4; i++) {
		struct buf bytes = BUF_INIT;

		assert_int_equal(pwrite(fd, "?", 1, (off_t)places[1] - i), 1);
		assert_false(keys_read(&k, &k.of[1], fd, &bytes));
		close(fd);
		fd = recording_make(places, COUNT(places));
		buf_release(&bytes);
	}
	assert_false(keys_read(&k, &(struct key){ .place = 19, .at = k.of[0].at, .length = 5 }, fd,
			       &(struct buf)BUF_INIT));
	keys_close(&k);
	close(fd);
}

/* A key whose fields cannot be right ends the index there. */
static void what_cannot_be_ends_it(void **state)
{
	static const struct {
		const char *what;
		int at;
		uint64_t value;
		int bytes;
		size_t count;
	} rows[] = {
		{ "the place is a file's", 0, INT64_MAX, 8, 2 },
		{ "the place is none", 0, UINT64_C(1) << 63, 8, 1 },
		{ "the place is that of the key before", 0, 20, 8, 1 },
		{ "the place is behind that of the key before", 0, 21, 8, 3 },
		{ "the time is that of the key before", 8, 0, 8, 3 },
		{ "the time is the last one", 8, UINT64_MAX >> 2, 8, 2 },
		{ "the time is none", 8, (UINT64_MAX >> 2) + 1, 8, 1 },
		{ "longer than the file", 16, KEYS_DATA_MAX, 4, 1 },
		{ "longer than a key", 16, KEYS_DATA_MAX + 1, 4, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct keys k;
		uint8_t value[8];
		int index;

		unlink(path);
		index_make();
		index = open(path, O_RDWR);
		for (int b = 0; b < 8; b++)
			value[b] = (uint8_t)(rows[i].value >> 8 * b);
		assert_int_equal(pwrite(index, value, (size_t)rows[i].bytes,
					HEADER + KEY_HEAD + 5 + CRC + rows[i].at), rows[i].bytes);
		close(index);
		keys_open(&k, recording, WALL);
		if (k.count != rows[i].count)
			fail_msg("%s: %zu keys", rows[i].what, k.count);
		keys_close(&k);
	}
}

/* The largest key that the format has is taken where its bytes are there. */
static void the_largest_is_read(void **state)
{
	struct keys_writer w = writer_begin();
	struct buf bytes = BUF_INIT;
	struct keys k;

	(void)state;
	for (size_t n = 0; n < KEYS_DATA_MAX; n += 1 << 16)
		buf_add(&bytes, (char[1 << 16]){ 1 }, 1 << 16);
	keys_put(&w, &(struct key){ .place = 20 }, &bytes);
	buf_add(&bytes, "x", 1);
	keys_put(&w, &(struct key){ .place = 30 }, &bytes);
	assert_non_null(w.recording);
	assert_int_equal(w.due, 30 + KEYS_SHARE * (KEYS_DATA_MAX + UINT64_C(1)));
	keys_end(&w);
	buf_release(&bytes);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.count, 1);
	assert_int_equal(k.of[0].length, KEYS_DATA_MAX);
	keys_close(&k);
}

static void what_is_no_index_is_not_read(void **state)
{
	static const uint8_t other[] = "wsnidx2\n\x88\x77\x66\x55\x44\x33\x22\x11";
	struct keys k;

	(void)state;
	index_make();
	keys_open(&k, recording, WALL + 1);
	assert_int_equal(k.fd, -1);
	assert_int_equal(k.count, 0);
	keys_open(&k, recording, WALL ^ UINT64_C(1) << 63);
	assert_int_equal(k.fd, -1);
	assert_int_equal(truncate(path, HEADER - 1), 0);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.fd, -1);
	file_write(path, other, HEADER);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.fd, -1);
	assert_int_equal(unlink(path), 0);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.fd, -1);
	assert_int_equal(mkfifo(path, 0666), 0);
	keys_open(&k, recording, WALL);
	assert_int_equal(k.fd, -1);
	keys_close(&k);
}

/* --- where one is due ------------------------------------------------------------------------- */

static void one_is_due_in_time(void **state)
{
	static const uint64_t waits[] = {
		1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 20,
	};
	struct keys_writer w;

	(void)state;
	assert_int_equal(keys_begin(&w, recording, WALL, 77), 0);
	assert_false(keys_due(&w, 77 + KEYS_APART - 1));
	assert_true(keys_due(&w, 77 + KEYS_APART));
	for (size_t i = 0; i < COUNT(waits); i++) {
		keys_later(&w, 1000);
		assert_int_equal(w.due, 1000 + waits[i]);
	}
	put_bytes(&w, 5000, 0, 1);
	assert_int_equal(w.due, 5000 + KEYS_APART);
	keys_later(&w, 6000);
	assert_int_equal(w.due, 6000 + KEYS_RETRY);
	put_bytes(&w, 50000, 0, KEYS_APART / KEYS_SHARE + 1);
	assert_int_equal(w.due, 50000 + KEYS_APART + KEYS_SHARE);
	keys_end(&w);
	assert_false(keys_due(&w, UINT64_MAX));
}

/* --- what is there already -------------------------------------------------------------------- */

static void another_goes_on_behind(void **state)
{
	struct keys_writer w;

	(void)state;
	index_make();
	/* the last is torn */
	assert_int_equal(truncate(path, HEADER + 3 * (KEY_HEAD + 5 + CRC) - 1), 0);
	w = writer_begin();
	put_bytes(&w, places[1], 5, 5);
	assert_int_equal(w.due, places[1] + KEYS_APART);	/* it is there */
	assert_int_equal(keys_counted(), 2);
	put_bytes(&w, places[1] + 1, UINT64_C(5000000000), 9);
	assert_int_equal(w.due, places[1] + 1 + KEYS_APART);
	assert_int_equal(keys_counted(), 3);
	put_bytes(&w, places[1] - 7, UINT64_C(6000000000), 9);	/* back: behind the last one */
	assert_int_equal(w.due, places[1] + 1 + KEYS_APART);
	assert_int_equal(keys_counted(), 3);
	keys_end(&w);
}

static void another_recordings_begins_again(void **state)
{
	struct keys_writer w;

	(void)state;
	index_make();
	assert_int_equal(keys_begin(&w, recording, WALL + 1, 0), 0);
	put_bytes(&w, 20, 0, 2);
	keys_end(&w);
	assert_int_equal(keys_counted(), 0);
	w = writer_begin();
	put_bytes(&w, 20, 0, 2);
	put_bytes(&w, 21, 0, 2);
	keys_end(&w);
	assert_int_equal(keys_counted(), 2);
	file_write(path, "", 0);	/* made, and nothing written yet */
	index_make();
	assert_int_equal(keys_counted(), 3);
}

static void what_is_no_index_is_left_alone(void **state)
{
	static const char letter[] = "a letter, no index of a recording";
	struct keys_writer w = writer_begin();
	uint8_t data[100];

	(void)state;
	file_write(path, letter, sizeof(letter));
	keys_anew(&w);
	assert_non_null(w.recording);
	put_bytes(&w, 20, 0, 2);
	assert_null(w.recording);
	assert_int_equal(file_read(path, data, sizeof(data)), sizeof(letter));
	assert_memory_equal(data, letter, sizeof(letter));
	keys_anew(&w);			/* ended: nothing */
	file_write(path, "wsnidx1 ?", 9);
	w = writer_begin();
	put_bytes(&w, 20, 0, 2);
	assert_null(w.recording);
	file_write(path, "ws", 2);
	w = writer_begin();
	put_bytes(&w, 20, 0, 2);
	assert_null(w.recording);
	assert_int_equal(file_read(path, data, sizeof(data)), 2);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	w = writer_begin();
	put_bytes(&w, 20, 0, 2);
	assert_null(w.recording);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0666), 0);
	w = writer_begin();
	put_bytes(&w, 20, 0, 2);
	assert_null(w.recording);
}

static void one_writes_at_a_time(void **state)
{
	struct keys_writer w = writer_begin();
	int fd;

	(void)state;
	index_make();
	fd = open(path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	put_bytes(&w, 4 << 20, UINT64_C(9000000000), 2);
	assert_null(w.recording);
	assert_int_equal(keys_counted(), 3);
	close(fd);
}

static void anew_empties_it(void **state)
{
	struct keys_writer w = writer_begin();
	struct stat st;

	(void)state;
	keys_anew(&w);			/* there is none */
	assert_int_equal(access(path, F_OK), -1);
	index_make();
	keys_anew(&w);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 0);
	put_bytes(&w, 20, 0, 2);
	assert_int_equal(keys_counted(), 1);
	keys_end(&w);
}

/* A file at its limit takes no whole key: nothing more is written. */
static void without_room_it_ends(void **state)
{
	struct keys_writer w = writer_begin();
	struct rlimit was, least;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	put_bytes(&w, 20, 0, 5);
	least = (struct rlimit){ HEADER + 2 * (KEY_HEAD + 5 + CRC) - 1, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &least), 0);
	put_bytes(&w, 21, 0, 5);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_null(w.recording);
	assert_int_equal(keys_counted(), 1);
	unlink(path);
	w = writer_begin();
	least.rlim_cur = HEADER - 1;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &least), 0);
	put_bytes(&w, 20, 0, 5);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_null(w.recording);
}

/* A program without an input opens files as number 0. */
static void number_zero_is_a_file(void **state)
{
	int fd = recording_make(places, COUNT(places)), input = dup(0);
	struct buf bytes = BUF_INIT;
	struct keys_writer w;
	struct keys k;

	(void)state;
	close(0);
	w = writer_begin();
	for (size_t i = 0; i < COUNT(places); i++)
		put_bytes(&w, places[i], i * 1000000000, 5);
	assert_int_equal(w.fd, 0);
	keys_anew(&w);			/* one more, closed again */
	keys_end(&w);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	unlink(path);
	index_make();
	keys_open(&k, recording, WALL);
	assert_int_equal(k.fd, 0);
	assert_true(keys_read(&k, &k.of[2], fd, &bytes));
	keys_close(&k);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	w = writer_begin();
	put_bytes(&w, 4 << 20, UINT64_C(9000000000), 5);
	keys_end(&w);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	assert_int_equal(keys_counted(), 4);
	keys_open(&k, recording, WALL + 1);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	w = writer_begin();
	keys_anew(&w);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	keys_end(&w);
	assert_int_equal(keys_counted(), 0);
	assert_int_equal(dup2(input, 0), 0);
	close(input);
	close(fd);
	buf_release(&bytes);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(its_bytes_are_as_the_header_tells),
		CASE(no_key_is_in_the_header),
		CASE(each_is_found_and_read),
		CASE(before_the_first_is_none),
		CASE(a_damaged_key_is_not_read),
		CASE(what_cannot_be_ends_it),
		CASE(the_largest_is_read),
		CASE(what_is_no_index_is_not_read),
		CASE(one_is_due_in_time),
		CASE(another_goes_on_behind),
		CASE(another_recordings_begins_again),
		CASE(what_is_no_index_is_left_alone),
		CASE(one_writes_at_a_time),
		CASE(anew_empties_it),
		CASE(without_room_it_ends),
		CASE(number_zero_is_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
