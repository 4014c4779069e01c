/* out: a sink of bounded memory; a file appears whole or not at all. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/out.h"
#include "core/base/text.h"

static char dir[] = "/tmp/wsntop-out-XXXXXX";
static char path[64];

static int dir_make(void **state)
{
	(void)state;
	memcpy(dir + strlen(dir) - 6, "XXXXXX", 6);
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int dir_remove(void **state)
{
	(void)state;
	return unit_remove(dir);
}

static void assert_file(const char *file, const char *want, size_t n)
{
	struct err err = { 0 };
	size_t got = 0;
	char *text = file_read(file, SIZE_MAX / 2, &got, &err);

	assert_non_null(text);
	assert_int_equal(got, n);
	assert_memory_equal(text, want, n);
	mem_free(text);
}

/* The target alone is in its folder: no temporary. */
static void assert_alone(void)
{
	char command[128];

	snprintf(command, sizeof(command), "test \"$(ls %s)\" = file", dir);
	assert_int_equal(unit_shell(command), 0);
}

static void pieces_add(struct out *o, size_t n)
{
	char piece[3 * OUT_BYTES];

	for (size_t i = 0; i < sizeof(piece); i++)
		piece[i] = (char)('a' + i % 26);
	out_bytes(o, piece, n);
	out_addc(o, '-');
	out_addf(o, "%s %d", "words", 7);
	out_addf(o, "%*s", 2 * OUT_BYTES, "far");
	out_adds(o, "\n");
}

/* Pieces of every size about that of the buffer: a file holds what a buffer gets. */
static void pieces_of_any_size_arrive(void **state)
{
	static const size_t sizes[] = {
		0, 1, 300, OUT_BYTES - 1, OUT_BYTES, OUT_BYTES + 1, 3 * OUT_BYTES, 0, 5,
	};
	struct buf want = BUF_INIT;
	struct err err = { 0 };
	struct out file, buf;

	(void)state;
	assert_int_equal(out_open(&file, path, &err), 0);
	out_open_buf(&buf, &want);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		pieces_add(&file, sizes[i]);
		pieces_add(&buf, sizes[i]);
	}
	assert_int_equal(out_close(&buf, &err), 0);
	assert_int_equal(out_close(&file, &err), 0);
	assert_int_equal(want.len, 6 * OUT_BYTES + 306 + 9 * (1 + 7 + 2 * OUT_BYTES + 1));
	assert_file(path, want.data, want.len);
	assert_alone();
	buf_release(&want);
}

static void the_old_file_stays_until_the_end(void **state)
{
	struct err err = { 0 };
	struct out o;

	(void)state;
	assert_int_equal(file_write(path, "old", 3, &err), 0);
	assert_int_equal(out_open(&o, path, &err), 0);
	pieces_add(&o, 2 * OUT_BYTES);
	assert_file(path, "old", 3);
	out_discard(&o);
	assert_file(path, "old", 3);
	assert_alone();
}

/* The limit of a file's size stands for a full disk: the first pieces fit, a later one does not. */
static void a_full_disk_is_told_once(void **state)
{
	struct rlimit before, small;
	struct err err = { 0 };
	struct out o;

	(void)state;
	assert_int_equal(file_write(path, "old", 3, &err), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 2 * OUT_BYTES;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(out_open(&o, path, &err), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (int i = 0; i < 5; i++)
		pieces_add(&o, OUT_BYTES);
	assert_true(out_failed(&o));
	assert_false(err_is_set(&err));
	errno = 0;
	assert_int_equal(out_close(&o, &err), ERR_IO);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_non_null(strstr(err.text, "/file: cannot write: File too large"));
	assert_file(path, "old", 3);
	assert_alone();

	err_clear(&err);
	assert_int_equal(out_open(&o, "/dev/full", &err), 0);
	out_adds(&o, "x");
	assert_int_equal(out_close(&o, &err), ERR_IO);
	assert_string_equal(err.text, "/dev/full: cannot write: No space left on device");
}

static void a_reader_may_leave(void **state)
{
	char fifo[80];
	struct err err = { 0 };
	struct out o;
	int fd;

	(void)state;
	snprintf(fifo, sizeof(fifo), "%s/left", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(out_open(&o, fifo, &err), 0);
	close(fd);
	pieces_add(&o, 2 * OUT_BYTES);
	assert_true(out_failed(&o));
	assert_int_equal(out_close(&o, &err), 0);
	assert_false(err_is_set(&err));
	unlink(fifo);
}

/* Mode and link of the old file are kept; a FIFO is written, not replaced. */
static void a_target_keeps_its_kind(void **state)
{
	char fifo[80], link_path[80], got[8] = "";
	struct err err = { 0 };
	struct stat st;
	int fd;

	(void)state;
	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	assert_int_equal(file_write(path, "old", 3, &err), 0);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("file", link_path), 0);
	assert_int_equal(file_write(link_path, "new", 3, &err), 0);
	assert_file(path, "new", 3);
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);

	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDWR | O_NONBLOCK);
	assert_int_equal(file_write(fifo, "pipe", 4, &err), 0);
	assert_int_equal(read(fd, got, sizeof(got)), 4);
	assert_string_equal(got, "pipe");
	close(fd);
	assert_int_equal(lstat(fifo, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
}

/* One that leads nowhere, too; what cannot be looked at is left alone. */
static void a_link_stays_a_link(void **state)
{
	char link_path[80], ring[80];
	struct err err = { 0 };
	struct stat st;

	(void)state;
	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	snprintf(ring, sizeof(ring), "%s/ring", dir);
	assert_int_equal(symlink("file", link_path), 0);
	assert_int_equal(file_write(link_path, "new", 3, &err), 0);
	assert_file(path, "new", 3);
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));

	assert_int_equal(symlink("ring", ring), 0);
	assert_true(file_write(ring, "new", 3, &err) < 0);
	assert_non_null(strstr(err.text, "ring: cannot open"));
	assert_int_equal(lstat(ring, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void memory_may_run_out_at_the_start(void **state)
{
	struct err err = { 0 };
	struct out o;

	(void)state;
	assert_int_equal(file_write(path, "old", 3, &err), 0);
	for (long n = 0; n < 2; n++) {
		err_clear(&err);
		mem_fail_after(n);
		assert_int_equal(out_open(&o, path, &err), ERR_NOMEM);
		mem_fail_after(-1);
		assert_true(err_is_set(&err));
		assert_alone();
	}
	err_clear(&err);
	assert_int_equal(out_open(&o, path, &err), 0);
	mem_fail_after(0);
	out_addf(&o, "%500s", "");
	mem_fail_after(-1);
	assert_int_equal(out_close(&o, &err), ERR_NOMEM);
	assert_file(path, "old", 3);
	assert_alone();
}

/* --- what is appended ------------------------------------------------------------------------- */

static const char *const escapes[] = { "\"\"\"", "&&amp;", NULL };

/* Whatever the bytes, and wherever a piece ends: as if it had been one. */
static void a_text_is_visible_as_a_whole(void **state)
{
	static const char alphabet[] = "ab\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x80\xbf\xff\x1b\t ";
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		char text[700], want[4 * sizeof(text) + 1];
		struct buf got = BUF_INIT;
		struct out o;
		size_t n;

		seed = seed * 1664525 + 1013904223;
		n = (seed >> 8) % (sizeof(text) - 1);
		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = alphabet[(seed >> 8) % (sizeof(alphabet) - 1)];
		}
		/* Whole characters, across every boundary, in half of the rounds. */
		for (size_t i = 0; round % 2 && i + 4 <= n; i += 4)
			memcpy(text + i, "\xf0\x9f\x98\x80", 4);
		memmove(text + round % 4, text, n > 8 ? n - 8 : 0);
		text[n] = '\0';
		text_visible(want, sizeof(want), text, n);
		out_open_buf(&o, &got);
		out_text(&o, text, NULL);
		assert_int_equal(out_close(&o, NULL), 0);
		assert_string_equal(buf_str(&got), want);
		buf_release(&got);
	}
}

/* No cell is a formula, also behind white space, and by the signs of full width. */
static void a_cell_is_no_formula(void **state)
{
	static const struct {
		const char *text, *cell;
	} rows[] = {
		{ "main", "\"main\"" }, { "a=b", "\"a=b\"" }, { "", "\"\"" },
		{ "=1+1", "\"'=1+1\"" }, { " =1+1", "\"' =1+1\"" }, { "-f", "\"'-f\"" },
		{ "@x \"y\"", "\"'@x \"\"y\"\"\"" },
		{ "\xef\xbc\x9d" "1", "\"'\xef\xbc\x9d" "1\"" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf got = BUF_INIT;
		struct out o;

		out_open_buf(&o, &got);
		out_csv(&o, rows[i].text);
		assert_int_equal(out_close(&o, NULL), 0);
		assert_string_equal(buf_str(&got), rows[i].cell);
		buf_release(&got);
	}
}

static void text_appended(void (*append)(struct out *o), const char *want, size_t n)
{
	struct buf got = BUF_INIT;
	struct out o;

	out_open_buf(&o, &got);
	append(&o);
	assert_int_equal(out_close(&o, NULL), 0);
	assert_int_equal(got.len, n);
	assert_memory_equal(buf_str(&got), want, n);
	buf_release(&got);
}

static void numbers_append(struct out *o)
{
	out_u64(o, 0);
	out_addc(o, ' ');
	out_u64(o, UINT64_MAX);
	out_addc(o, ' ');
	out_double(o, 0.1);
	out_addc(o, ' ');
	out_double(o, 1.0 / 3);
	out_double(o, (double)NAN);
	out_double(o, (double)INFINITY);
	out_addc(o, ' ');
	out_double(o, -25);
}

static void bytes_append(struct out *o)
{
	out_le(o, 0x1122334455667788, 8);
	out_le(o, 0x99aabbcc, 2);
}

static void text_append(struct out *o)
{
	out_text(o, NULL, escapes);
	out_text(o, "", escapes);
	out_text(o, "a \"b\" & \x1b", escapes);
}

/* The same text as printf's, in the fewest digits that strtod reads back as the same. */
static void a_double_is_written_as_printf_does(void **state)
{
	static const double some[] = {
		0, -0.0, 1, 10, 1200, 0.1, 0.5, 1e-4, 1.5e-5, 1.25e-7, 1e-8, 9.99999999999999e-9,
		1e15, 999999999999999, 1e14, 123456789012345.6, 1e22, 1e300, 5e-324,
		0.30000000000000004,
		1.0 / 3, 2.0 / 3, 999999999999999.9, 0.999999999999999, 0.9999999999999999,
	};
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < 20000; i++) {
		double v = i < COUNT(some) ? some[i] : 0;
		char expected[40];
		struct buf b = BUF_INIT;
		struct out o;

		seed = seed * 6364136223846793005u + 1442695040888963407u;	/* Knuth, MMIX */
		if (i >= COUNT(some))
			v = (double)(seed >> seed % 60) / (i % 2 ? 8e6 : 1e12) * (i % 3 ? 1 : -1);
		for (int digits = 15; digits <= 17; digits++) {
			snprintf(expected, sizeof(expected), "%.*g", digits, v);
			if (strtod(expected, NULL) == v)
				break;
		}
		out_open_buf(&o, &b);
		out_double(&o, v);
		assert_int_equal(out_close(&o, NULL), 0);
		assert_string_equal(buf_str(&b), expected);
		buf_release(&b);
	}
}

static void what_is_appended(void **state)
{
	static const char numbers[] = "0 18446744073709551615 0.1 0.3333333333333333 -25";
	static const char text[] = "a \"\"b\"\" &amp; \\x1b";

	(void)state;
	text_appended(numbers_append, numbers, strlen(numbers));
	text_appended(bytes_append, "\x88\x77\x66\x55\x44\x33\x22\x11\xcc\xbb", 10);
	text_appended(text_append, text, strlen(text));
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, dir_make, dir_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(pieces_of_any_size_arrive),
		IN_DIR(the_old_file_stays_until_the_end),
		IN_DIR(a_full_disk_is_told_once),
		IN_DIR(a_reader_may_leave),
		IN_DIR(a_target_keeps_its_kind),
		IN_DIR(a_link_stays_a_link),
		IN_DIR(memory_may_run_out_at_the_start),
		cmocka_unit_test(a_text_is_visible_as_a_whole),
		cmocka_unit_test(a_cell_is_no_formula),
		cmocka_unit_test(what_is_appended),
		cmocka_unit_test(a_double_is_written_as_printf_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
