/* What is logged: the words, and how bytes are read. */
#include "tests/unit/unit.h"

#include <string.h>

#include "core/node/watched.h"

static const struct {
	const char *text;
	bool logged;			/* no bound on a figure */
	int kind;			/* of wire_watchpoint_kind; -1: refused */
	uint32_t address, size;
	uint8_t bytes, access;
	uint16_t number;
	const char *name;
} words[] = {
	{ "radio_state", true, WATCH_VALUE, 0, 0, 0, WATCH_WRITES, 0, "radio_state" },
	{ "radio.state:rw", true, WATCH_VALUE, 0, 0, 0, WATCH_READS | WATCH_WRITES, 0,
	  "radio.state" },
	{ "reg:0x40011010/4", true, WATCH_VALUE, 0x40011010, 4, 4, WATCH_WRITES, 0, NULL },
	{ "reg:0x25/1:r", true, WATCH_VALUE, 0x25, 1, 1, WATCH_READS, 0, NULL },
	{ "reg:64", true, WATCH_VALUE, 64, 4, 4, WATCH_WRITES, 0, NULL },
	{ "mem:0x20000100+64:rw", true, WATCH_VALUE, 0x20000100, 64, 0,
	  WATCH_READS | WATCH_WRITES, 0, NULL },
	{ "call:net_send", true, WATCH_CALL, 0, 0, 0, WATCH_WRITES, 0, "net_send" },
	{ "irq", true, WATCH_HANDLER, 0, 0, 0, WATCH_WRITES, WATCH_ALL_HANDLERS, NULL },
	{ "irq:37", true, WATCH_HANDLER, 0, 0, 0, WATCH_WRITES, 37, NULL },
	{ "mark", true, WATCH_MARK, 0, 0, 0, WATCH_WRITES, 0, NULL },
	{ "send: max > 5 us", false, -2, 0, 0, 0, 0, 0, NULL },
	{ "send: calls < 3", false, -2, 0, 0, 0, 0, 0, NULL },
	{ "reg:0x40011010/3", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "reg:x", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "mem:0x20000000", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "mem:0xffffffff+2", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "mem:0+0", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "irq:512", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "irq:-1", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "call:", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "irq:5:r", true, -1, 0, 0, 0, 0, 0, NULL },
	{ "reg:0x100000000/4", true, -1, 0, 0, 0, 0, 0, NULL },
};

static void words_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct watch_words w;
		struct err err = { 0 };
		int ret;

		print_message("%s\n", words[i].text);
		assert_int_equal(watch_is_logged(words[i].text), words[i].logged);
		if (words[i].kind == -2)
			continue;
		ret = watch_parse_words(words[i].text, &w, &err);
		assert_int_equal(ret, words[i].kind == -1 ? ERR_USAGE : 0);
		if (ret < 0)
			continue;
		assert_int_equal(w.kind, words[i].kind);
		assert_int_equal(w.address, words[i].address);
		assert_int_equal(w.size, words[i].size);
		assert_int_equal(w.bytes, words[i].bytes);
		assert_int_equal(w.access, words[i].access);
		assert_int_equal(w.number, words[i].number);
		if (words[i].name)
			assert_string_equal(w.name, words[i].name);
	}
}

static void words_that_are_too_long_are_refused(void **state)
{
	char text[2 * LOGGED_TEXT];
	struct watch_words w;
	struct err err = { 0 };

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(watch_parse_words(text, &w, &err), ERR_USAGE);
}

static const struct {
	struct wire_reading reading;
	uint8_t bytes[8];
	int64_t value;
} readings[] = {
	{ { .bytes = 1 }, { 0xfe }, 0xfe },
	{ { .bytes = 1, .is_signed = true }, { 0xfe }, -2 },
	{ { .bytes = 2 }, { 0x34, 0x12 }, 0x1234 },
	{ { .bytes = 2, .big_endian = true }, { 0x34, 0x12 }, 0x3412 },
	{ { .bytes = 4, .is_signed = true }, { 0xff, 0xff, 0xff, 0xff }, -1 },
	{ { .bytes = 8, .is_signed = true }, { 0, 0, 0, 0, 0, 0, 0, 0x80 }, INT64_MIN },
	{ { .bytes = 1, .shift = 3, .bits = 2 }, { 0x18 }, 3 },
	{ { .bytes = 1, .shift = 3, .bits = 2, .is_signed = true }, { 0x18 }, -1 },
	{ { .bytes = 0 }, { 0xff }, 0 },
	/* 1.5 as a float, told as a double's bits */
	{ { .bytes = 4, .is_real = true }, { 0, 0, 0xc0, 0x3f }, 0x3ff8000000000000 },
	{ { .bytes = 8, .is_real = true }, { 0, 0, 0, 0, 0, 0, 0xf8, 0x3f }, 0x3ff8000000000000 },
};

static void bytes_are_read_as_their_type(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++)
		assert_int_equal(wire_value(&readings[i].reading, readings[i].bytes),
				 readings[i].value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read),
		cmocka_unit_test(words_that_are_too_long_are_refused),
		cmocka_unit_test(bytes_are_read_as_their_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
