/* Which format is it? Streams of each kind, text and garbage, and a node that changes its kind. */
#include "tests/unit/unit.h"

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/wire/wire.h"

#define CAPTURE "../shared/data/kl25z-blinky/capture.hex"

struct heard {
	size_t arcs, samples, reports, rows, boots;
	struct buf text;
};

static void hear_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	(void)arcs;
	((struct heard *)ctx)->arcs += n;
}

static void hear_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	(void)pcs;
	((struct heard *)ctx)->samples += n;
}

static void hear_report(void *ctx, const struct wire_report *r)
{
	struct heard *h = ctx;

	h->reports++;
	h->rows += r->count;
}

static void hear_text(void *ctx, const char *s, size_t n)
{
	buf_add(&((struct heard *)ctx)->text, s, n);
}

static void hear_boot(void *ctx)
{
	((struct heard *)ctx)->boots++;
}

static struct wire *listen_new(struct heard *h)
{
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = { .ctx = h, .arcs = hear_arcs, .samples = hear_samples,
				  .report = hear_report, .text = hear_text, .boot = hear_boot };
	struct wire *w;

	memset(h, 0, sizeof(*h));
	w = wire_new("auto", &o, &sink, NULL);
	assert_non_null(w);
	return w;
}

static void listen_free(struct heard *h, struct wire *w)
{
	wire_free(w);
	buf_release(&h->text);
}

static void stream_run(struct wire *w, const void *data, size_t n, size_t step)
{
	const uint8_t *s = data;

	for (size_t i = 0; i < n; i += step)
		wire_feed(w, s + i, n - i < step ? n - i : step);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* Deterministic noise (xorshift32). */
static uint32_t noise_byte(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* n packets of the gprof thesis, 3-byte addresses in a few functions; hex as upper-case digits. */
static void add_packets(struct buf *b, size_t n, bool hex)
{
	uint32_t state = 7;

	for (size_t i = 0; i < n; i++) {
		uint32_t from = 0x4a0 + noise_byte(&state) % 8 * 32, to = 0x1200 +
			noise_byte(&state) % 4 * 64;
		uint8_t p[7] = { 'A', 0, (uint8_t)(from >> 8), (uint8_t)from, 0, (uint8_t)(to >> 8),
				 (uint8_t)to };
		size_t len = 7;

		if (i % 3 == 0) {
			p[0] = 'P';
			len = 4;
		}
		for (size_t k = 0; k < len; k++) {
			if (hex)
				buf_addf(b, "%02X", p[k]);
			else
				buf_addc(b, (char)p[k]);
		}
	}
}

#define BOOT "\r\n*******Booting Contiki 3.0*******\r\nReset reason: Power-on \r\n" \
	     "  PAN ID:   0xABCD\r\n"
#define REPORT "PROF:led:2:100:3932008:32768\r\n0x42:0x30:3:24:8:8\r\n" \
	       "0x37cc:0x48:575:10112:16:24\r\n\r\n"

static void add_text(struct buf *b, const char *s)
{
	buf_adds(b, s);
}

/* --- the tests -------------------------------------------------------------------------------- */

static void test_prof(void **state)
{
	(void)state;
	for (size_t step = 1; step < 40; step++) {
		static const char in[] = BOOT REPORT "60(0)s\r\n" REPORT;
		struct heard h;
		struct wire *w = listen_new(&h);

		assert_string_equal(wire_name(w), "auto");
		stream_run(w, in, sizeof(in) - 1, step);
		assert_string_equal(wire_name(w), "prof");
		assert_string_equal(wire_note(w), "prof: first header PROF, 2 call sites, report "
						  "led");
		wire_flush(w, true);
		assert_int_equal(h.reports, 2);
		assert_int_equal(h.rows, 4);
		assert_int_equal(h.boots, 1);
		assert_string_equal(buf_str(&h.text), BOOT "60(0)s\r\n");
		listen_free(&h, w);
	}
}

static void check_packets(const struct buf *in, size_t step, const char *name, size_t n,
			  const char *text)
{
	struct wire_stats stats;
	struct heard h;
	struct wire *w = listen_new(&h);

	stream_run(w, in->data, in->len, step);
	wire_flush(w, true);
	assert_string_equal(wire_name(w), name);
	assert_int_equal(h.arcs + h.samples, n);
	assert_string_equal(buf_str(&h.text), text);
	wire_stats(w, &stats);
	assert_int_equal(stats.bytes, in->len);
	assert_int_equal(stats.events, n);
	assert_int_equal(stats.bad_bytes, 0);
	assert_non_null(strstr(wire_note(w), name));
	assert_non_null(strstr(wire_note(w), "consecutive valid packets"));
	listen_free(&h, w);
}

static void test_packets(void **state)
{
	static const size_t counts[] = { 6, 40, 3000 };

	(void)state;
	for (int hex = 0; hex < 2; hex++) {
		for (size_t i = 0; i < COUNT(counts); i++) {
			struct buf in = BUF_INIT;

			add_packets(&in, counts[i], hex);
			for (size_t step = 1; step < 100; step += 7)
				check_packets(&in, step, hex ? "gprof-hex" : "gprof", counts[i],
					      "");
			buf_release(&in);
		}
	}
}

/*
 * Noise made a digit something else before the format was known: that digit's packet is lost, no
 * more.
 */
static void test_damaged_digits(void **state)
{
	(void)state;
	for (size_t at = 4; at < 300; at++) {
		struct buf in = BUF_INIT;
		struct heard h;
		struct wire *w = listen_new(&h);

		add_packets(&in, 500, true);
		in.data[at] = 'R';
		stream_run(w, in.data, in.len, 61);
		wire_flush(w, true);
		assert_string_equal(wire_name(w), "gprof-hex");
		assert_in_range(h.arcs + h.samples, 497, 499);
		listen_free(&h, w);
		buf_release(&in);
	}
}

/* The console talks before the packets begin. */
static void test_packets_behind_text(void **state)
{
	struct buf in = BUF_INIT;

	(void)state;
	add_text(&in, BOOT);
	add_packets(&in, 500, false);
	for (size_t step = 1; step < 100; step += 9)
		check_packets(&in, step, "gprof", 500, BOOT);
	buf_release(&in);
}

static void test_capture(void **state)
{
	size_t n;
	char *in = file_read(CAPTURE, 1 << 26, &n, NULL);
	struct heard h;
	struct wire *w;

	(void)state;
	if (!in) {
		printf("SKIP: %s: not here\n", CAPTURE);
		skip();
	}
	w = listen_new(&h);
	stream_run(w, in, n, 1000);
	wire_flush(w, true);
	assert_string_equal(wire_name(w), "gprof-hex");
	assert_int_equal(h.arcs, 26440);
	assert_int_equal(h.samples, 17214);
	assert_int_equal(h.text.len, 0);
	listen_free(&h, w);
	mem_free(in);
}

static void expect_open(const void *in, size_t n, size_t step)
{
	struct heard h;
	struct wire *w = listen_new(&h);

	stream_run(w, in, n, step);
	wire_flush(w, true);
	assert_string_equal(wire_name(w), "auto");
	assert_int_equal(h.arcs + h.samples + h.reports, 0);
	assert_int_equal(h.text.len, n);
	assert_memory_equal(h.text.data, in, n);
	listen_free(&h, w);
}

/* Text is shown whole, once and in order, and is no profile. */
static void test_text(void **state)
{
	static const char *const texts[] = {
		BOOT "tick 1\r\ntick 2\r\n",
		"A Plain Approach: Adding Packets And Parsing Addresses APAPAPAPAPAPAPAP\n",
		"deadbeef\r\ncafe\r\n00\r\n1234567890\r\n",
		"00000000  41 00 12 34 00 56 78 50  00 12 34 41 00 12 34 00  |A..4.VxP..4A..4.|\n",
		"0x470:0x3ea:3:8:0:8\r\n0x47a:0x3ea:3:16:0:8\r\n\r\n",
		"PROF is on\nPROF:\nPROF:a:1:2\nSPROF:a:b:c:d\nStacktrace: none\n",
		"\x1b[31mred\x1b[0m\tgr\xc3\xbcn\r\nno newline at the end",
		"",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		for (size_t step = 1; step < 20; step += 3)
			expect_open(texts[i], strlen(texts[i]), step);
	}
}

/* How many of the bytes are said to be bad, text or not. */
static uint64_t bad_bytes(const void *in, size_t n)
{
	struct wire_stats stats;
	struct heard h;
	struct wire *w = listen_new(&h);

	stream_run(w, in, n, 997);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_int_equal(stats.bad_bytes + stats.text_bytes, n);
	listen_free(&h, w);
	return stats.bad_bytes;
}

/* What a wrong baud rate makes of text is told from text, UTF-8 too. */
static void test_noise(void **state)
{
	static const char utf8[] = "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82, "
				   "\xe4\xb8\x96\xe7\x95\x8c\r\n";
	static uint8_t in[20000];
	uint32_t x = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(noise_byte(&x) >> 11);
	assert_true(bad_bytes(in, sizeof(in)) > sizeof(in) * 9 / 10);
	assert_int_equal(bad_bytes(utf8, sizeof(utf8) - 1), 0);
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)utf8[i % (sizeof(utf8) - 1)];
	assert_int_equal(bad_bytes(in, sizeof(in)), 0);
}

/* A wrong baud rate; a quarter of the bytes markers; hex digits. */
static void test_garbage(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 60; seed++) {
		static uint8_t in[20000];
		uint32_t x = seed * 2654435761u;

		for (size_t i = 0; i < sizeof(in); i++) {
			in[i] = (uint8_t)(noise_byte(&x) >> 11);
			if (seed % 3 == 1)
				in[i] = in[i] < 64 ? in[i] & 1 ? 'A' : 'P' :
					(uint8_t)(noise_byte(&x) >> 24);
			else if (seed % 3 == 2)
				in[i] = (uint8_t)"0123456789abcdef"[in[i] & 15];
		}
		expect_open(in, sizeof(in), 997);
	}
}

/* Nothing is held back once the line is silent. */
static void test_silence(void **state)
{
	struct heard h;
	struct wire *w = listen_new(&h);

	(void)state;
	wire_feed(w, (const uint8_t *)"\xff\x01log> ", 7);
	assert_int_equal(h.text.len, 0);
	wire_flush(w, false);
	assert_int_equal(h.text.len, 7);
	wire_feed(w, (const uint8_t *)"ls\r\n", 4);
	wire_flush(w, false);
	assert_string_equal(buf_str(&h.text), "\xff\x01log> ls\r\n");
	listen_free(&h, w);
}

/* Another firmware is flashed: it is decided again, both ways. */
static void test_change(void **state)
{
	struct buf packets = BUF_INIT;

	(void)state;
	add_packets(&packets, 6000, false);
	for (size_t step = 1; step < 3000; step = step * 5 + 1) {
		struct heard h;
		struct wire *w = listen_new(&h);

		stream_run(w, packets.data, packets.len, step);
		stream_run(w, BOOT REPORT, strlen(BOOT REPORT), step);
		assert_string_equal(wire_name(w), "prof");
		assert_int_equal(h.arcs + h.samples, 6000);
		assert_int_equal(h.reports, 1);
		assert_int_equal(h.rows, 2);
		stream_run(w, packets.data, packets.len, step);
		assert_string_equal(wire_name(w), "gprof");
		assert_in_range(h.arcs + h.samples, 6000 + 3000, 12000);
		listen_free(&h, w);
	}
	buf_release(&packets);
}

static void test_memory(void **state)
{
	struct buf in = BUF_INIT;
	size_t made = 0;

	(void)state;
	add_packets(&in, 200, false);
	add_text(&in, BOOT REPORT REPORT);
	for (long n = 0; n < 20; n++) {
		struct wire_options o = { .code = NULL };
		struct wire_sink sink = { .ctx = NULL };
		struct wire *w;

		mem_fail_after(n);
		w = wire_new("auto", &o, &sink, NULL);
		made += w != NULL;
		if (w) {
			stream_run(w, in.data, in.len, 100);
			wire_flush(w, true);
			wire_free(w);
		}
		mem_fail_after(-1);
	}
	buf_release(&in);
	assert_true(made > 0 && made < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prof),
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_damaged_digits),
		cmocka_unit_test(test_packets_behind_text),
		cmocka_unit_test(test_capture),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
