/*
 * docs/PROTOCOL.md, the node's header and the host's say the same: types, features, field order, the CRC's check
 * value. The document is read as people read it: its tables.
 */
#include "tests/unit/unit.h"

#include "core/wire/wsn.h"
#include "target-common/wsnprof_protocol.h"

static char *document;

static int read_document(void **state)
{
	FILE *f = fopen("docs/PROTOCOL.md", "r");
	long n;

	(void)state;
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	document = malloc((size_t)n + 1);
	assert_non_null(document);
	assert_int_equal(fread(document, 1, (size_t)n, f), n);
	document[n] = '\0';
	fclose(f);
	return 0;
}

static int drop_document(void **state)
{
	(void)state;
	free(document);
	return 0;
}

/* Section n, up to the next; static memory. */
static const char *section(int n)
{
	static char text[1 << 14];
	char mark[16];
	const char *from, *to;

	snprintf(mark, sizeof(mark), "\n## %d.", n);
	from = strstr(document, mark);
	assert_non_null(from);
	to = strstr(from + 1, "\n## ");
	snprintf(text, sizeof(text), "%.*s", to ? (int)(to - from) : (int)strlen(from), from);
	return text;
}

/* Does the document have this, somewhere in section n? */
static void assert_says(int n, const char *what)
{
	if (!strstr(section(n), what))
		fail_msg("section %d does not say \"%s\"", n, what);
}

struct row {
	const char *name;
	unsigned node, host;
};

#define TYPE(name, node) { #name, WSNPROF_##node, WSN_##name }

static void test_types(void **state)
{
	static const struct row to_host[] = {
		TYPE(HELLO, HELLO), TYPE(STATUS, STATUS), TYPE(SITES, TYPE_SITES), TYPE(ARCS, TYPE_ARCS),
		TYPE(PCS, TYPE_PCS), TYPE(CLOSED_ARCS, CLOSED_ARCS), TYPE(CLOSED_PCS, CLOSED_PCS),
		TYPE(NAME, NODE_NAME),
	};
	static const struct row to_node[] = {
		TYPE(START, CMD_START), TYPE(STOP, CMD_STOP), TYPE(RESET, CMD_RESET), TYPE(ALL, CMD_ALL),
		TYPE(HZ, CMD_HZ), TYPE(SELECT, CMD_SELECT), TYPE(PERIOD, CMD_PERIOD), TYPE(REPORT, CMD_REPORT),
	};
	unsigned rows = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(to_host) + COUNT(to_node); i++) {
		bool back = i >= COUNT(to_host);
		const struct row *r = back ? to_node + (i - COUNT(to_host)) : to_host + i;
		char line[64];

		assert_int_equal(r->node, r->host);
		snprintf(line, sizeof(line), "\n| %u | %s |", r->node, r->name);
		assert_says(back ? 6 : 3, line);
	}
	for (const char *p = section(3); (p = strstr(p, "\n| ")); p++)
		rows += p[3] >= '0' && p[3] <= '9';
	for (const char *p = section(6); (p = strstr(p, "\n| ")); p++)
		rows += p[3] >= '0' && p[3] <= '9';
	assert_int_equal(rows, COUNT(to_host) + COUNT(to_node));
}

#define FEATURE(name) { #name, WSNPROF_F_##name, WSN_F_##name }

static void test_features(void **state)
{
	static const struct row features[] = {
		FEATURE(TIMED), FEATURE(MINMAX), FEATURE(HISTOGRAM), FEATURE(CODED), FEATURE(TAKEN_BACK), FEATURE(ARCS),
		FEATURE(PCS), FEATURE(RECEIVE), FEATURE(RUNNING), FEATURE(ISR), FEATURE(SITES),
	};
	const char *row = strstr(section(4), "features: bit 0");

	(void)state;
	assert_non_null(row);
	for (unsigned bit = 0; bit < COUNT(features); bit++) {
		char text[32];
		const char *p;

		snprintf(text, sizeof(text), "%u %s", bit, features[bit].name);
		p = strstr(row, text);
		assert_true(p && p < strchr(row, '\n'));
		assert_int_equal(features[bit].node, 1u << bit);
		assert_int_equal(features[bit].host, 1u << bit);
	}
}

static void test_archs(void **state)
{
	(void)state;
	assert_says(4, "arch: 1 AVR, 2 AVR with a 22-bit program counter, 3 ARMv6-M, 4 ARMv7-M and v8-M");
	assert_true(WSNPROF_ARCH_AVR == 1 && WSN_ARCH_AVR == 1);
	assert_true(WSNPROF_ARCH_AVR22 == 2 && WSN_ARCH_AVR22 == 2);
	assert_true(WSNPROF_ARCH_ARMV6M == 3 && WSN_ARCH_ARMV6M == 3);
	assert_true(WSNPROF_ARCH_ARMV7M == 4 && WSN_ARCH_ARMV7M == 4);
	assert_says(4, "identity: 0 not known (the node was not told where its program ends), 1 checksum, 2 build-id");
	assert_true(WSNPROF_IDENTITY_NONE == 0 && WSNPROF_IDENTITY_SUM == 1 && WSNPROF_IDENTITY_BUILD_ID == 2);
	assert_says(4, "protocol version: 1.");
	assert_true(WSNPROF_VERSION == 1 && WSN_VERSION == 1);
}

/* HELLO's table: each field begins where the one before it ends. */
static void test_hello_offsets(void **state)
{
	const char *p = section(4);
	unsigned fields = 0, at = 0;

	(void)state;
	while ((p = strstr(p, "\n| ")) != NULL) {
		unsigned offset, size;

		p++;
		if (sscanf(p, "| %u | u%u |", &offset, &size) == 2)
			size /= 8;
		else if (sscanf(p, "| %u | %u |", &offset, &size) != 2)
			continue;
		assert_int_equal(offset, at);
		at += size;
		fields++;
	}
	assert_int_equal(fields, 19);
	assert_int_equal(at, 49);
}

/* A command: START, seq 7, as section 1 and 6 say it. */
static void test_command_frame(void **state)
{
	uint8_t frame[WSN_COMMAND_MAX];
	size_t n = wsn_command(frame, WSN_START, 7, 0);
	uint16_t crc = wsn_crc((const uint8_t[]){ 16, 7 }, 2);
	const uint8_t expected[] = { 0, 5, 16, 7, crc & 0xff, crc >> 8, 0 };

	(void)state;
	assert_true((crc & 0xff) != 0 && crc >> 8 != 0);	/* else COBS shows */
	assert_int_equal(n, sizeof(expected));
	assert_memory_equal(frame, expected, n);
	assert_says(6, "at most 16 bytes");
	assert_int_equal(WSN_COMMAND_MAX, 16);
}

static void test_crc(void **state)
{
	(void)state;
	assert_says(1, "\"123456789\" gives 0x29b1");
	assert_int_equal(wsn_crc((const uint8_t *)"123456789", 9), 0x29b1);
	assert_int_equal(wsn_crc(NULL, 0), WSNPROF_CRC_INIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_archs),
		cmocka_unit_test(test_hello_offsets),
		cmocka_unit_test(test_command_frame),
		cmocka_unit_test(test_crc),
	};

	return cmocka_run_group_tests(tests, read_document, drop_document);
}
