/* base: what everything stands on, and what it does when memory runs out. */
#include "tests/unit/unit.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/bits.h"
#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/base/err.h"
#include "core/base/file.h"
#include "core/base/index.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/regex.h"
#include "core/base/sorted.h"
#include "core/base/text.h"
#include "core/base/varint.h"
#include "core/node/console.h"

static void first_error_wins(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_set(&err, ERR_FORMAT, "a %s", "b"), ERR_FORMAT);
	err_set(&err, ERR_NOMEM, "later");
	assert_int_equal(err.code, ERR_FORMAT);
	assert_string_equal(err.text, "a b");
	err_set(NULL, ERR_NOMEM, "nobody listens");
	err_clear(&err);
	err_set(&err, ERR_IO, "evil \033[31m name\n");
	assert_string_equal(err.text, "evil \\x1b[31m name\\x0a");
}

static void text_is_made_visible(void **state)
{
	static const struct { const char *in; size_t n; const char *out; } rows[] = {
		{ "plain", 5, "plain" },
		{ "tab\there", 8, "tab here" },
		{ "\033[2J", 4, "\\x1b[2J" },
		{ "nul\0l", 5, "nul\\x00l" },
		{ "\x9b" "31m", 4, "\\x9b31m" },			/* C1 as a byte: no UTF-8 */
		{ "\xc2\x9b" "31m", 5, "\\xc2\\x9b31m" },		/* C1 as UTF-8 */
		{ "gr\xc3\xbc\xc3\x9f", 6, "gr\xc3\xbc\xc3\x9f" },
		{ "\xe2\x80\xae" "abc", 6, "\\xe2\\x80\\xae" "abc" },	/* right-to-left override */
		{ "\xc0\xaf", 2, "\\xc0\\xaf" },			/* overlong */
		{ "\xed\xa0\x80", 3, "\\xed\\xa0\\x80" },		/* surrogate */
		{ "cut \xe2\x82", 6, "cut \\xe2\\x82" },
	};
	char out[64];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(text_visible(out, sizeof(out), rows[i].in, rows[i].n),
				 strlen(rows[i].out));
		assert_string_equal(out, rows[i].out);
	}
}

static void visible_text_fits_any_size(void **state)
{
	const char *in = "a\033\xc3\xbc\xe2\x82\xac";
	char out[32];

	(void)state;
	for (size_t size = 1; size < sizeof(out); size++) {
		memset(out, '#', sizeof(out));
		text_visible(out, size, in, strlen(in));
		assert_true(strlen(out) < size);
		assert_int_equal(out[size], '#');
	}
}

static void columns_of_characters(void **state)
{
	(void)state;
	assert_int_equal(text_columns("abc"), 3);
	assert_int_equal(text_columns("e\xcc\x81"), 1);			/* e + combining acute */
	assert_int_equal(text_columns("\xe6\xbc\xa2\xe5\xad\x97"), 4);	/* two Han characters */
}

static void numbers_as_people_read_them(void **state)
{
	static const struct { double s; const char *text; } seconds[] = {
		{ 0, "0 s" }, { 1.2345, "1.23 s" }, { 12.345, "12.3 s" }, { 123.45, "123 s" },
		{ 0.0012345, "1.23 ms" }, { 0.99996, "1.00 s" }, { 4.2e-7, "420 ns" },
		{ 4.2e-6, "4.20 us" }, { 36000, "36000 s" }, { -0.005, "-5.00 ms" }, { NAN, "-" },
	};
	static const struct { double n; const char *text; } counts[] = {
		{ 0, "0" }, { 999, "999" }, { 1234, "1.23k" }, { 1e6, "1.00M" }, { 1.5, "1.50" },
		{ 12.34, "12.3" }, { NAN, "-" },
	};
	static const struct { uint64_t n; const char *text; } wholes[] = {
		{ 0, "0" }, { 999, "999" }, { 9999, "9,999" },
		{ 10000, "10,000" }, { 705395, "705,395" },
		{ 1234567, "1,234,567" }, { UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	static const struct { double n; const char *text; } bytes[] = {
		{ 0, "0 B" }, { 999, "999 B" }, { 3000, "3.00 kB" }, { 6173000, "6.17 MB" },
		{ 12.34, "12.3 B" }, { NAN, "-" },
	};
	char out[32];

	(void)state;
	for (size_t i = 0; i < COUNT(wholes); i++)
		assert_string_equal(text_whole(out, sizeof(out), wholes[i].n), wholes[i].text);
	for (size_t i = 0; i < COUNT(bytes); i++)
		assert_string_equal(text_bytes(out, sizeof(out), bytes[i].n), bytes[i].text);
	for (size_t i = 0; i < COUNT(seconds); i++)
		assert_string_equal(text_seconds(out, sizeof(out), seconds[i].s), seconds[i].text);
	for (size_t i = 0; i < COUNT(counts); i++)
		assert_string_equal(text_count(out, sizeof(out), counts[i].n), counts[i].text);
}

static void times_as_people_read_them(void **state)
{
	static const struct { uint64_t s; const char *text; } spans[] = {
		{ 0, "0:00" }, { 7, "0:07" }, { 130, "2:10" }, { 3599, "59:59" },
		{ 3730, "1:02:10" },
		{ 86399, "23:59:59" }, { 86400, "1 d 0 h" }, { 183600, "2 d 3 h" },
	};
	char out[24];

	(void)state;
	for (size_t i = 0; i < COUNT(spans); i++)
		assert_string_equal(text_span(out, sizeof(out), spans[i].s * CLOCK_SECOND +
					      CLOCK_SECOND - 1), spans[i].text);
	setenv("TZ", "UTC", 1);
	tzset();
	assert_string_equal(text_wall(out, sizeof(out), 1700000021 * CLOCK_SECOND), "22:13:41");
	assert_string_equal(text_wall(out, 4, 1700000021 * CLOCK_SECOND), "");
}

static void waits_for_poll(void **state)
{
	static const struct { uint64_t then, now; int ms; } waits[] = {
		{ 0, 0, 0 }, { 5, 9, 0 }, { 1, 0, 1 }, { 1000000, 0, 1 }, { 1000001, 0, 2 },
		{ CLOCK_SECOND, CLOCK_SECOND / 2, 500 }, { UINT64_MAX, 0, 3600000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(waits); i++)
		assert_int_equal(clock_ms_until(waits[i].then, waits[i].now), waits[i].ms);
	assert_int_equal(clock_sooner(-1, -1), -1);
	assert_int_equal(clock_sooner(-1, 7), 7);
	assert_int_equal(clock_sooner(7, -1), 7);
	assert_int_equal(clock_sooner(7, 0), 0);
}

static void strict_numbers(void **state)
{
	uint64_t u;
	double d;

	(void)state;
	assert_true(text_u64("1500000", &u) && u == 1500000);
	assert_true(text_u64("0xff", &u) && u == 255);
	assert_false(text_u64("", &u) || text_u64("0x", &u) || text_u64("-1", &u) ||
		     text_u64("12a", &u) || text_u64("99999999999999999999", &u));
	assert_true(text_double("0.5", &d) && d == 0.5);
	assert_false(text_double("", &d) || text_double("1x", &d) || text_double("nan", &d) ||
		     text_double("1e999", &d));
}

static void varints_are_read_as_written(void **state)
{
	static const uint64_t numbers[] = {
		0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX,
		(uint64_t)INT64_MIN, UINT64_MAX,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		uint8_t bytes[VARINT_MAX];
		const uint8_t *at = bytes;
		size_t n = varint_put(bytes, numbers[i]);
		uint64_t value = 1;

		assert_int_equal(varint_get(bytes, n, &value), n);
		assert_true(value == numbers[i]);
		assert_int_equal(varint_get(bytes, n - 1, &value), 0);
		assert_true(varint_take(&at) == numbers[i]);
		assert_ptr_equal(at, bytes + n);
		at = bytes;
		n = varint_put_signed(bytes, (int64_t)numbers[i]);
		assert_true(varint_take_signed(&at) == (int64_t)numbers[i]);
		assert_ptr_equal(at, bytes + n);
	}
}

/* The examples of DWARF 5, 7.6, padding, and numbers that have no end. */
static void varints_end_within_their_bytes(void **state)
{
	static const struct { const char *bytes; size_t n, size; uint64_t u; int64_t s; } rows[] = {
		{ "\x02", 1, 1, 2, 2 }, { "\x7e", 1, 1, 126, -2 }, { "\xff\x00", 2, 2, 127, 127 },
		{ "\x81\x7f", 2, 2, 16257, -127 }, { "\x80\x01", 2, 2, 128, 128 },
		{ "\x80\x7f", 2, 2, 16256, -128 }, { "\x85\x80\x80\x00", 4, 4, 5, 5 },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, 10, UINT64_MAX, -1 },
		{ "\x80", 1, 0, 0, 0 }, { "", 0, 0, 0, 0 },
		{ "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const uint8_t *p = (const uint8_t *)rows[i].bytes;
		struct bytes u = { .data = p, .end = rows[i].n }, s = u;

		assert_true(bytes_take_uleb(&u) == rows[i].u);
		assert_true(bytes_take_sleb(&s) == rows[i].s);
		assert_int_equal(u.at, rows[i].size);
		assert_int_equal(s.at, rows[i].size);
		assert_int_equal(u.beyond, !rows[i].size);
	}
}

static void fields_have_their_sign(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	assert_true(bits_extend(0x7ff, 12) == 0x7ff);
	assert_true(bits_extend(0xf800, 12) == -0x800);
	assert_true(bits_extend(1, 1) == -1);
	assert_true(bits_extend(UINT64_MAX, 64) == -1);
	assert_int_equal(bits_load16(bytes, true), 0x0102);
	assert_int_equal(bits_load16(bytes, false), 0x0201);
	assert_int_equal(bits_load32(bytes, true), 0x01020304);
	assert_int_equal(bits_load32(bytes, false), 0x04030201);
	assert_true(bits_load(bytes, 8, true) == UINT64_C(0x0102030405060708));
	assert_true(bits_load(bytes, 3, false) == 0x030201);
}

static void bytes_are_never_read_beyond_their_end(void **state)
{
	static const uint8_t data[] = { 'a', 'b', 0, 'c', 'd' };
	struct bytes b = { .data = data, .end = sizeof(data), .big = true };

	(void)state;
	assert_string_equal(bytes_take_string(&b), "ab");
	assert_int_equal(b.at, 3);
	assert_string_equal(bytes_take_string(&b), "");
	assert_true(b.beyond);
	assert_int_equal(b.at, 3);
	b.beyond = false;
	assert_int_equal(bytes_take(&b, 2), 'c' << 8 | 'd');
	assert_false(b.beyond);
	assert_int_equal(bytes_take(&b, 1), 0);
	assert_true(b.beyond);
	b = (struct bytes){ .data = data, .at = 1, .end = sizeof(data) };
	bytes_skip(&b, UINT64_MAX);
	assert_true(b.beyond);
	assert_int_equal(b.at, 1);
	b = (struct bytes){ .data = data, .at = 9, .end = sizeof(data) };
	assert_int_equal(bytes_take(&b, 1), 0);
	assert_string_equal(bytes_take_string(&b), "");
	assert_true(b.beyond);
}

static void search_finds_the_first_above(void **state)
{
	static const struct { uint64_t key; char rest; } v[] = {
		{ 2, 0 }, { 4, 0 }, { 4, 0 }, { UINT64_MAX, 0 },
	};
	static const struct { uint64_t key; size_t above, from; } rows[] = {
		{ 0, 0, 0 }, { 2, 1, 0 }, { 3, 1, 1 }, { 4, 3, 1 }, { 5, 3, 3 },
		{ UINT64_MAX, 4, 3 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(SORTED_ABOVE(v, COUNT(v), key, rows[i].key), rows[i].above);
		assert_int_equal(SORTED_FROM(v, COUNT(v), key, rows[i].key), rows[i].from);
	}
	assert_int_equal(SORTED_ABOVE(v, 0, key, 2), 0);
	for (size_t n = 0; n <= COUNT(rows); n++) {
		for (size_t place = 0; place <= n; place++)
			assert_int_equal(SORTED_WHERE(n, k, k < place), place);
	}
}

static void map_holds_what_was_put(void **state)
{
	struct map m;

	(void)state;
	map_init(&m);
	assert_int_equal(map_get(&m, 7), MAP_NONE);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(map_put(&m, (uint64_t)i << 32 | (i * 7), i), 0);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(map_get(&m, (uint64_t)i << 32 | (i * 7)), i);
	assert_int_equal(map_get(&m, 1), MAP_NONE);
	assert_int_equal(map_put(&m, 0, 99), 0);
	assert_int_equal(map_get(&m, 0), 99);
	map_clear(&m);
	assert_int_equal(map_get(&m, 0), MAP_NONE);
	map_release(&m);
}

static uint64_t index_key(const void *items, uint32_t position)
{
	return ((const uint64_t *)items)[position];
}

static void index_holds_what_was_put(void **state)
{
	static uint64_t items[5000];
	struct index ix = { 0 };

	(void)state;
	assert_int_equal(index_get(&ix, items, index_key, 7), INDEX_NONE);
	for (uint32_t i = 0; i < COUNT(items); i++) {
		items[i] = (uint64_t)i * 4096 + 1;	/* alike in their low bits */
		assert_int_equal(index_put(&ix, items, index_key, items[i], i), 0);
		index_undo(&ix, items, index_key, items[i]);
		assert_int_equal(index_get(&ix, items, index_key, items[i]), INDEX_NONE);
		assert_int_equal(index_put(&ix, items, index_key, items[i], i), 0);
	}
	assert_int_equal(ix.count, COUNT(items));
	for (uint32_t i = 0; i < COUNT(items); i++)
		assert_int_equal(index_get(&ix, items, index_key, items[i]), i);
	assert_int_equal(index_get(&ix, items, index_key, 2), INDEX_NONE);
	assert_true(index_memory(&ix) <= COUNT(items) * 4 * 4);
	index_clear(&ix);
	assert_int_equal(index_get(&ix, items, index_key, items[0]), INDEX_NONE);
	index_release(&ix);
	mem_fail_after(0);
	assert_int_not_equal(index_put(&ix, items, index_key, items[0], 0), 0);
	mem_fail_after(-1);
	assert_int_equal(index_get(&ix, items, index_key, items[0]), INDEX_NONE);
}

/* FNV-1a's own test vectors; RFC 4648's, 10. */
static void bytes_are_hashed_and_told(void **state)
{
	static const struct { const char *text; uint64_t hash; const char *base64; } rows[] = {
		{ "", 0xcbf29ce484222325, "" }, { "f", 0xaf63db4c8601ead9, "Zg==" },
		{ "fo", 0x08985907b541d342, "Zm8=" }, { "foo", 0xdcb27518fed9d577, "Zm9v" },
		{ "foob", 0xdd120e790c2512af, "Zm9vYg==" },
		{ "foobar", 0x85944171f73967e8, "Zm9vYmFy" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf b = BUF_INIT;
		size_t n = strlen(rows[i].text);

		assert_true(map_hash_bytes(MAP_HASH, rows[i].text, n) == rows[i].hash);
		buf_add_base64(&b, rows[i].text, n);
		assert_string_equal(buf_str(&b), rows[i].base64);
		buf_release(&b);
	}
}

static void failed_allocations_leave_things_whole(void **state)
{
	struct buf b = BUF_INIT;
	struct map m;
	struct arena a;

	(void)state;
	map_init(&m);
	arena_init(&a);
	buf_adds(&b, "kept");
	mem_fail_after(0);
	buf_addf(&b, "%4096s", "");
	assert_true(b.failed);
	assert_int_equal(map_put(&m, 1, 1), ERR_NOMEM);
	assert_null(arena_alloc(&a, 10));
	mem_fail_after(-1);
	assert_int_equal(map_get(&m, 1), MAP_NONE);
	assert_null(buf_detach(&b));
	for (size_t i = 0; i < 20000; i++)
		assert_non_null(arena_strn(&a, "0123456789", i % 10));
	assert_non_null(arena_alloc(&a, 1 << 20));
	arena_release(&a);
	map_release(&m);
}

static void files_are_written_whole_or_not_at_all(void **state)
{
	char dir[] = "/tmp/wsntop-test-XXXXXX", path[64], command[128];
	struct err err = { 0 };
	size_t n = 0;
	char *back;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);
	assert_int_equal(file_write(path, "one", 3, &err), 0);
	assert_int_equal(file_write(path, "second", 6, &err), 0);
	back = file_read(path, 100, &n, &err);
	assert_string_equal(back, "second");
	mem_free(back);
	assert_null(file_read(path, 5, &n, &err));
	err_clear(&err);
	snprintf(path, sizeof(path), "%s/absent/out", dir);
	assert_int_equal(file_write(path, "x", 1, &err), ERR_IO);
	assert_non_null(strstr(err.text, "No such file"));
	snprintf(command, sizeof(command), "test \"$(ls %s)\" = out && rm -r %s", dir, dir);
	assert_int_equal(unit_shell(command), 0);	/* no temporary stayed behind */
}

static void files_of_ours_have_their_place(void **state)
{
	char out[40];

	(void)state;
	setenv("HOME", "/home/me", 1);
	setenv("XDG_ANY_HOME", "/any", 1);
	assert_string_equal(file_place("XDG_ANY_HOME", ".any", "x", out, sizeof(out)),
			    "/any/wsntop/x");
	setenv("XDG_ANY_HOME", "any", 1);
	assert_string_equal(file_place("XDG_ANY_HOME", ".any", "x", out, sizeof(out)),
			    "/home/me/.any/wsntop/x");
	assert_string_equal(file_place("XDG_ANY_HOME", ".any", "x", out, 22), "");
	unsetenv("XDG_ANY_HOME");
	unsetenv("HOME");
	assert_string_equal(file_place("XDG_ANY_HOME", ".any", "x", out, sizeof(out)), "");
}

static void a_full_disk_keeps_the_old_file(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(file_write("/dev/full", "x", 1, &err), ERR_IO);
	assert_non_null(strstr(err.text, "No space left"));
}

static void patterns_match_with_smart_case(void **state)
{
	struct err err = { 0 };
	struct regex *r = regex_new("crc.*_add", &err);
	size_t start, end;

	(void)state;
	assert_true(regex_match(r, "my_CRC16_add"));	/* smart case */
	assert_false(regex_match(r, "crc16"));
	assert_true(regex_find(r, "xcrc_add", &start, &end) && start == 1 && end == 8);
	regex_free(r);
	r = regex_new("Crc", &err);
	assert_false(regex_match(r, "crc"));
	regex_free(r);
	assert_null(regex_new("(open", &err));
	assert_string_equal(err.text, "missing closing parenthesis (at character 6)");
	assert_int_equal(err.code, ERR_USAGE);
	err_clear(&err);
	r = regex_new("(a+)+$", &err);		/* the classic that never ends: it must give up */
	assert_false(regex_match(r, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab!"));
	regex_free(r);
}

static void console_keeps_lines(void **state)
{
	struct console c;
	struct console_line line;

	(void)state;
	console_init(&c);
	console_add(&c, 1, "one\r\ntw", 7);
	console_add(&c, 2, "o\nhalf \033[2H", 11);
	assert_int_equal(console_count(&c), 3);
	assert_true(console_get(&c, 0, &line));
	assert_string_equal(line.text, "one");
	assert_true(console_get(&c, 1, &line));
	assert_string_equal(line.text, "two");
	assert_int_equal(line.time_ns, 1);
	assert_true(console_get(&c, 2, &line));
	assert_string_equal(line.text, "half \\x1b[2H");
	assert_false(console_get(&c, 3, &line));
	console_say(&c, 3, "ours");
	assert_true(console_get(&c, 3, &line) && line.ours);
	for (int i = 0; i < CONSOLE_LINES + 10; i++)
		console_add(&c, 4, "x\n", 2);
	assert_int_equal(console_count(&c), CONSOLE_LINES);
	assert_int_equal(c.dropped, 14);
	console_release(&c);
}

/*
 * Colours and a shell's tidying are left out; what would move the cursor is shown. In any pieces.
 */
static void console_leaves_colours_out(void **state)
{
	static const struct {
		const char *sent, *shown;
	} cases[] = {
		{ "\033[1;32mI (12) wifi\033[0m", "I (12) wifi" },
		{ "\033[m\033[8D\033[Juart:~$ \033[0K", "uart:~$ " },
		{ "\033[38;2;1;2;3mx\033[38:5:1my", "xy" },
		{ "\033[2Ja\033[1Kb\033[?25lc\033[5A", "\\x1b[2Ja\\x1b[1Kb\\x1b[?25lc\\x1b[5A" },
		{ "\033]0;title\ax", "\\x1b]0;title\\x07x" },
		{ "\033\033[1mx", "\\x1bx" },
		{ "\033[12345678901234567890123456789012345mx",
		  "\\x1b[12345678901234567890123456789012345mx" },
		{ "\033[1\xc3\xa4x", "\\x1b[1\xc3\xa4x" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (size_t cut = 0; cut <= strlen(cases[i].sent); cut++) {
			struct console_line line;
			struct console c;

			console_init(&c);
			console_add(&c, 1, cases[i].sent, cut);
			console_add(&c, 2, cases[i].sent + cut, strlen(cases[i].sent) - cut);
			console_add(&c, 3, "\n", 1);
			assert_true(console_get(&c, 0, &line));
			assert_string_equal(line.text, cases[i].shown);
			assert_int_equal(console_count(&c), 1);
			console_release(&c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_error_wins),
		cmocka_unit_test(text_is_made_visible),
		cmocka_unit_test(visible_text_fits_any_size),
		cmocka_unit_test(columns_of_characters),
		cmocka_unit_test(numbers_as_people_read_them),
		cmocka_unit_test(times_as_people_read_them),
		cmocka_unit_test(waits_for_poll),
		cmocka_unit_test(strict_numbers),
		cmocka_unit_test(varints_are_read_as_written),
		cmocka_unit_test(varints_end_within_their_bytes),
		cmocka_unit_test(fields_have_their_sign),
		cmocka_unit_test(bytes_are_never_read_beyond_their_end),
		cmocka_unit_test(search_finds_the_first_above),
		cmocka_unit_test(map_holds_what_was_put),
		cmocka_unit_test(index_holds_what_was_put),
		cmocka_unit_test(bytes_are_hashed_and_told),
		cmocka_unit_test(failed_allocations_leave_things_whole),
		cmocka_unit_test(files_are_written_whole_or_not_at_all),
		cmocka_unit_test(files_of_ours_have_their_place),
		cmocka_unit_test(a_full_disk_keeps_the_old_file),
		cmocka_unit_test(patterns_match_with_smart_case),
		cmocka_unit_test(console_keeps_lines),
		cmocka_unit_test(console_leaves_colours_out),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
