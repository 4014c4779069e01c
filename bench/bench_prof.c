/*
 * The prof decoder: bytes a second into a sink that only counts. Reports of 100 call sites as
 * INGA's profiler prints them, without an image, with one of 82 KB (whose lost bits must be found),
 * found by auto, torn by an interrupt's output in every tenth row; and console text alone.
 *
 * `bench_prof MODE` decodes one of them once and prints its number of rows, for valgrind
 * --tool=callgrind.
 */
#include "bench/bench.h"
#include "core/base/buf.h"
#include "core/wire/wire.h"

#define REPEAT 2000
#define ROWS 100
#define CODE_SIZE 0x14000

struct load {
	const char *format;
	struct buf *in;
	const struct codemap *code;
	uint64_t rows;
};

static uint8_t flags[CODE_SIZE / 2];
static uint32_t targets[CODE_SIZE / 2];

static uint64_t call_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	return targets[ret / 2] ? targets[ret / 2] : CODE_NO_TARGET;
}

static void on_report(void *ctx, const struct wire_report *r)
{
	*(uint64_t *)ctx += r->count;
}

static void on_text(void *ctx, const char *s, size_t n)
{
	(void)s;
	(void)n;
	(void)ctx;
}

static void stream_decode(void *ctx)
{
	struct load *l = ctx;
	struct wire_sink sink = { .ctx = &l->rows, .report = on_report, .text = on_text };
	struct wire_options o = { .code = l->code };
	struct wire *w = wire_new(l->format, &o, &sink, NULL);

	if (!w)
		exit(1);
	l->rows = 0;
	for (int i = 0; i < REPEAT; i++)
		wire_feed(w, (const uint8_t *)l->in->data, l->in->len);
	wire_flush(w, true);
	wire_free(w);
}

/* Functions every 800 bytes, each called by the one before and from one of the upper 16 KB. */
static void report_add(struct buf *b, bool torn)
{
	buf_addf(b, "60(0)s\r\nPROF:led-test:%d:100:3932008:32768\r\n", ROWS);
	memset(flags, CODE_TEXT, sizeof(flags));
	for (unsigned i = 0; i < ROWS; i++) {
		uint32_t to = 0x400 + i / 2 * 1600, from = i % 2 ? 0x10000 + i * 160 : to + 0x200;
		char row[80];
		int n = sprintf(row, "0x%x:0x%x:%u:%u:8:%u\r\n", (unsigned)(from & 0xffff),
				(unsigned)(to & 0xffff), 575 + i * 37, (575 + i * 37) * 14, 96 + i);

		flags[to / 2] |= CODE_ENTRY;
		flags[from / 2] |= CODE_RETURN;
		targets[from / 2] = to;
		if (torn && i % 10 == 4)
			buf_addf(b, "%.*stick %u\r\n%s", n / 2, row, i, row + n / 2);
		else
			buf_add(b, row, (size_t)n);
	}
	buf_adds(b, "\r\n");
}

static void text_add(struct buf *b)
{
	for (unsigned i = 0; i < ROWS; i++)
		buf_addf(b, "node %u: packet %u sent, rssi -%u dBm\r\n", i % 7, i * 3, 40 + i % 50);
}

int main(int argc, char **argv)
{
	struct buf plain = BUF_INIT, torn = BUF_INIT, text = BUF_INIT;
	struct codemap code = {
		.arch = CODE_AVR, .size = CODE_SIZE, .flags = flags, .target = call_target,
	};

	report_add(&plain, false);
	report_add(&torn, true);
	text_add(&text);

	struct { const char *mode, *name; struct load load; } rows[] = {
		{ "plain", "prof, no image", { "prof", &plain, NULL, 0 } },
		{ "image", "prof, image of 82 KB", { "prof", &plain, &code, 0 } },
		{ "auto", "prof by auto, image", { "auto", &plain, &code, 0 } },
		{ "torn", "prof, torn rows, image", { "prof", &torn, &code, 0 } },
		{ "text", "prof, console text", { "prof", &text, &code, 0 } },
		{ "auto-text", "auto, console text", { "auto", &text, &code, 0 } },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct load *l = &rows[i].load;

		if (argc > 1) {
			if (strcmp(argv[1], rows[i].mode) == 0) {
				stream_decode(l);
				bench_print("events", (double)l->rows, "events");
			}
			continue;
		}
		bench_print(rows[i].name,
			    (double)l->in->len * REPEAT / bench_best(stream_decode, l) / 1e6,
			    "MB/s");
	}
	buf_release(&plain);
	buf_release(&torn);
	buf_release(&text);
	return 0;
}
