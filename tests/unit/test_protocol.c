/*
 * docs/PROTOCOL.md agrees with the node's header and the host's: types, features, field order, the
 * CRC's check value, and the frame that it takes apart. The test reads the document's own tables.
 */
#include "tests/unit/wsn_stream.h"

#include "core/trace/trace.h"
#include "core/wire/wsn/wsn.h"
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
static const char *section_of(int n)
{
	static char text[1 << 15];
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
	if (!strstr(section_of(n), what))
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
		TYPE(HELLO, HELLO), TYPE(STATUS, STATUS), TYPE(SITES, TYPE_SITES),
			TYPE(ARCS, TYPE_ARCS),
		TYPE(PCS, TYPE_PCS), TYPE(CLOSED_ARCS, CLOSED_ARCS), TYPE(CLOSED_PCS, CLOSED_PCS),
		TYPE(NAME, NODE_NAME), TYPE(LOST, LOST), TYPE(IDENTITY, NODE_IDENTITY),
		TYPE(TRACE, TYPE_TRACE), TYPE(TRACING, TRACING),
	};
	static const struct row to_node[] = {
		TYPE(START, CMD_START), TYPE(STOP, CMD_STOP), TYPE(RESET, CMD_RESET),
			TYPE(ALL, CMD_ALL),
		TYPE(HZ, CMD_HZ), TYPE(SELECT, CMD_SELECT), TYPE(PERIOD, CMD_PERIOD),
			TYPE(REPORT, CMD_REPORT),
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
	for (const char *p = section_of(3); (p = strstr(p, "\n| ")); p++)
		rows += p[3] >= '0' && p[3] <= '9';
	for (const char *p = section_of(6); (p = strstr(p, "\n| ")); p++)
		rows += p[3] >= '0' && p[3] <= '9';
	assert_int_equal(rows, COUNT(to_host) + COUNT(to_node));
}

#define FEATURE(name) { #name, WSNPROF_F_##name, WSN_F_##name }

static void test_features(void **state)
{
	static const struct row features[] = {
		FEATURE(TIMED), FEATURE(MINMAX), FEATURE(HISTOGRAM), FEATURE(CODED),
			FEATURE(TAKEN_BACK), FEATURE(ARCS),
		FEATURE(PCS), FEATURE(RECEIVE), FEATURE(RUNNING), FEATURE(ISR), FEATURE(SITES),
		FEATURE(OWN_ISR), FEATURE(MISSED), FEATURE(TRACE),
	};
	const char *row = strstr(section_of(4), "features: bit 0");

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
	assert_says(4, "arch: 1 AVR, 2 AVR with a 22-bit program counter, 3 ARMv6-M, 4 ARMv7-M "
		       "and v8-M");
	assert_true(WSNPROF_ARCH_AVR == 1 && WSN_ARCH_AVR == 1);
	assert_true(WSNPROF_ARCH_AVR22 == 2 && WSN_ARCH_AVR22 == 2);
	assert_true(WSNPROF_ARCH_ARMV6M == 3 && WSN_ARCH_ARMV6M == 3);
	assert_true(WSNPROF_ARCH_ARMV7M == 4 && WSN_ARCH_ARMV7M == 4);
	assert_says(4, "identity: 0 not known (the node was not told where its program ends), 1 "
		       "checksum, 2 build-id");
	assert_true(WSNPROF_IDENTITY_NONE == 0 && WSNPROF_IDENTITY_SUM == 1 &&
		    WSNPROF_IDENTITY_BUILD_ID == 2);
	assert_says(4, "protocol version: 1.");
	assert_true(WSNPROF_VERSION == 1 && WSN_VERSION == 1);
}

/* HELLO's table: each field begins where the one before it ends. */
static void test_hello_offsets(void **state)
{
	const char *p = section_of(4);
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

/* --- section 8: a frame, byte by byte --------------------------------------------------------- */

enum { DUMP_MAX = 64 };

/* Hex bytes at p, up to the first that is none: appended at dst, of which n are there. */
static size_t hex_take(uint8_t *dst, size_t n, const char *p)
{
	unsigned byte;
	int len;

	while (n < DUMP_MAX && sscanf(p, " %2x%n", &byte, &len) == 1) {
		dst[n++] = (uint8_t)byte;
		p += len;
	}
	return n;
}

/*
 * The dump: indented lines of bytes. The table's column `wire` or `decoded`: bytes in backquotes.
 */
static size_t dump_bytes(uint8_t *dst)
{
	const char *p = strstr(section_of(8), "bytes:\n");

	assert_non_null(p);
	return hex_take(dst, 0, p + strlen("bytes:"));
}

static size_t column_bytes(uint8_t *dst, int column)
{
	size_t n = 0;

	for (const char *p = section_of(8); (p = strstr(p, "\n| `")) != NULL; p++) {
		const char *cell = p + 2;

		for (int i = 0; i < column; i++)
			cell = strchr(cell, '|') + 1;
		cell += strspn(cell, " ");
		if (*cell == '`')
			n = hex_take(dst, n, cell + 1);
	}
	return n;
}

/* The row of the table with this field has this value. */
static void assert_value(const char *field, const char *format, ...)
{
	char value[64], row[128];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	snprintf(row, sizeof(row), "| %s | %s |", field, value);
	assert_says(8, row);
}

static void test_frame_bytes(void **state)
{
	uint8_t dump[DUMP_MAX], table[DUMP_MAX], frame[WSN_BLOCK_MAX + 1];
	size_t n = dump_bytes(dump), decoded, len;

	(void)state;
	assert_int_equal(n, 27);
	assert_int_equal(column_bytes(table, 0), n);
	assert_memory_equal(table, dump, n);

	len = wsn_unwrap(NULL, frame, dump + 1, n - 2);
	decoded = column_bytes(table, 1);
	assert_int_equal(decoded, len + 2);		/* the CRC, too */
	assert_memory_equal(table, frame, decoded);
	assert_value("head", "type %u, epoch %u", frame[0] & 0x1f, frame[0] >> 5);
	assert_int_equal(frame[0] & 0x1f, WSN_SITES);
	assert_value("seq", "%u", frame[1]);
	assert_value("crc", "0x%x", wsn_crc(frame, len));
	assert_value("COBS", "%u", dump[1]);
}

static void total_keep(void *ctx, const struct wire_total *totals, size_t n)
{
	assert_int_equal(n, 1);
	*(struct wire_total *)ctx = totals[0];
}

/* The numbers of the row, before the host changes them; the body begins with its skip. */
static void test_frame_row(void **state)
{
	static const char *const fields[] = {
		"skip", "from", "to", "calls", "total", "min", "max",
	};
	uint8_t body[DUMP_MAX];
	size_t at = 2;

	(void)state;
	column_bytes(body, 1);
	for (size_t i = 0; i < COUNT(fields); i++) {
		unsigned value = 0, shift = 0;

		do
			value |= (body[at] & 0x7fu) << 7 * shift++;
		while (body[at++] & 0x80);
		if (i == 1 || i == 2)
			assert_value(fields[i], "0x%x", 2 * value);
		else
			assert_value(fields[i], "%u", value);
	}
	assert_value("buckets", "%u, %u, %u, %u, %u, %u, %u, %u", body[at], body[at + 1],
		     body[at + 2], body[at + 3], body[at + 4], body[at + 5], body[at + 6],
		     body[at + 7]);
}

/* The decoder's figures, with the HELLO that the document names. */
static void test_frame_decoded(void **state)
{
	struct wire_total total = { 0 };
	struct wire_sink sink = { .ctx = &total, .totals = total_keep };
	struct wire_options o = { 0 };
	struct wire *w = wire_new("wsn", &o, &sink, NULL);
	struct stream s = { .out = BUF_INIT };
	const char *hello;
	uint8_t dump[DUMP_MAX];
	size_t n = dump_bytes(dump);
	unsigned features, unit, base, skew, histogram;
	char script[128], text[128];

	(void)state;
	assert_non_null(w);
	hello = strstr(section_of(8), "HELLO: features ");
	assert_non_null(hello);
	assert_int_equal(sscanf(hello, "HELLO: features %x, unit %u, base %u, skew %u, "
				"histogram %x", &features, &unit, &base, &skew, &histogram), 5);
	snprintf(script, sizeof(script), "e 1|q 4|H f=%u u=%u B=%u s=%u g=%u", features, unit,
		 base, skew, histogram);
	stream_script(&s, script);
	wire_feed(w, (const uint8_t *)s.out.data, s.out.len);
	wire_feed(w, dump, n);
	wire_flush(w, true);

	assert_value("from", "0x%x", total.from);
	assert_value("to", "0x%x", total.to);
	snprintf(text, sizeof(text), "calls %u, total %u, min %u, max %u", (unsigned)total.calls,
		 (unsigned)total.total, (unsigned)total.min, (unsigned)total.max);
	assert_says(8, text);
	for (unsigned i = 0; i < WIRE_BUCKETS; i++)
		assert_int_equal(total.bucket[i], i == 1 ? 2 : 0);
	wire_free(w);
	stream_release(&s);
}

/* --- section 9: a frame of a trace, byte by byte ---------------------------------------------- */

enum { TRACE_TOKENS = 10 };		/* its first token; the CRC is behind its last one */

/* The dump, and the bytes that its table takes apart. */
static size_t trace_dump(uint8_t *dst)
{
	const char *p = strstr(strstr(section_of(9), "**A frame, byte by byte.**"), "trace:-\n");

	assert_non_null(p);
	return hex_take(dst, 0, p + strlen("trace:-"));
}

static size_t trace_column(uint8_t *dst)
{
	size_t n = 0;

	for (const char *p = strstr(section_of(9), "**A frame, byte by byte.**");
	     (p = strstr(p, "\n| `")) != NULL; p++)
		n = hex_take(dst, n, p + strlen("\n| `"));
	return n;
}

static struct trace *trace_of(const uint8_t *tokens, size_t n, uint32_t time, bool packed)
{
	struct trace *t = trace_new();

	assert_non_null(t);
	trace_setup(t, &(struct wire_tracing){ .encoding = 8, .slots = 128, .lanes = 2 }, 125000);
	trace_frame(t, &(struct wire_trace){
		.resync = true, .packed = packed, .time = time, .tokens = tokens, .count = n });
	return t;
}

/* "5.8>8." the calls' ids, a > for each that is open around them. */
static void assert_calls(const struct trace *t, const char *calls)
{
	struct trace_walk *w = trace_walk_new(t, 0);
	struct trace_event e;
	char got[200] = "";
	size_t n = 0;

	assert_non_null(w);
	while (trace_walk_next(w, &e) && n < sizeof(got))
		if (e.kind == TRACE_CALL)
			n += (size_t)snprintf(got + n, sizeof(got) - n, "%.*s%u.", (int)e.depth,
					      ">>>>>", e.id);
	trace_walk_free(w);
	assert_string_equal(got, calls);
}

static void test_trace_bytes(void **state)
{
	uint8_t dump[DUMP_MAX], table[DUMP_MAX];
	size_t n = trace_dump(dump);
	unsigned time = dump[4] | dump[5] << 8;
	char text[64];
	struct trace *t;

	(void)state;
	assert_in_range(n, TRACE_TOKENS + 2, DUMP_MAX - 1);
	assert_int_equal(trace_column(table), n);
	assert_memory_equal(table, dump, n);
	assert_int_equal(dump[0] & 0x1f, WSN_TRACE);
	assert_int_equal(dump[n - 2] | dump[n - 1] << 8, wsn_crc(dump, n - 2));
	snprintf(text, sizeof(text), "| crc | 0x%x |", wsn_crc(dump, n - 2));
	assert_says(9, text);
	snprintf(text, sizeof(text), "| time | %u,%03u ticks", time / 1000, time % 1000);
	assert_says(9, text);
	for (size_t i = TRACE_TOKENS; i < TRACE_TOKENS + 8; i += 4) {
		snprintf(text, sizeof(text), "STAMP %u", dump[i + 1] | dump[i + 2] << 8);
		assert_says(9, text);
	}
	t = trace_of(dump + TRACE_TOKENS, n - TRACE_TOKENS - 2, time, false);
	assert_calls(t, "5.5.8.8.8.>8.8.>8.>>8.");
	trace_free(t);
}

/* "`04 a5 ..` are the tokens `85 ..`" */
static void test_packed_bytes(void **state)
{
	uint8_t packed[DUMP_MAX], tokens[DUMP_MAX];
	const char *p = strstr(section_of(9), "` are the tokens `"), *from = p;
	uint64_t begin[2], end[2];
	struct trace *t;
	size_t n;

	(void)state;
	assert_non_null(p);
	while (from[-1] != '`')
		from--;
	n = hex_take(packed, 0, from);
	t = trace_of(packed, n, 200, true);
	assert_calls(t, "5.5.5.");
	assert_true(trace_span(t, &begin[0], &end[0]));
	trace_free(t);
	n = hex_take(tokens, 0, p + strlen("` are the tokens `"));
	t = trace_of(tokens, n, 200, false);
	assert_calls(t, "5.5.5.");
	assert_true(trace_span(t, &begin[1], &end[1]));
	trace_free(t);
	assert_int_equal(begin[0], begin[1]);
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
		cmocka_unit_test(test_frame_bytes),
		cmocka_unit_test(test_frame_row),
		cmocka_unit_test(test_frame_decoded),
		cmocka_unit_test(test_trace_bytes),
		cmocka_unit_test(test_packed_bytes),
	};

	return cmocka_run_group_tests(tests, read_document, drop_document);
}
