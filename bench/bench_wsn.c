/*
 * The wsn decoder: bytes a second of a busy node's frames, into a sink that only counts.
 *
 * The stream is made: 128 call sites with min and max, 64 arcs, a STATUS a refresh and a line of
 * text every fourth frame, 64 bytes a frame at most. `bench_wsn N` decodes row N's stream once, for
 * valgrind --tool=callgrind; `bench_wsn N FILE MB` keeps so many megabytes of it as a recording.
 */
#include "bench/bench.h"
#include "core/base/buf.h"
#include "core/link/record.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

enum { REFRESHES = 2000, SITES = 128, ARCS = 64, BODY = 57 };

struct load {
	const char *name, *format;
	unsigned features;
	unsigned frame;			/* bytes of body at most */
	bool text;
	FILE *recording;		/* NULL: the stream stays in `bytes` */
	uint64_t recorded, most;	/* bytes */
	struct buf bytes;
	uint64_t frames;
};

static void varint_add(struct buf *b, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		buf_addc(b, (char)(x | 0x80));
	buf_addc(b, (char)x);
}

static void frame_add(struct load *l, uint8_t *seq, unsigned type, struct buf *body)
{
	uint8_t block[WSN_BLOCK_MAX], coded[WSN_BLOCK_MAX + 1];
	uint16_t crc;

	block[0] = (uint8_t)type;
	block[1] = (*seq)++;
	memcpy(block + 2, buf_str(body), body->len);
	crc = wsn_crc(block, body->len + 2);
	block[body->len + 2] = (uint8_t)crc;
	block[body->len + 3] = (uint8_t)(crc >> 8);
	buf_addc(&l->bytes, 0);
	buf_add(&l->bytes, coded, wsn_cobs_encode(coded, block, body->len + 4));
	buf_addc(&l->bytes, 0);
	buf_reset(body);
	if (l->text && *seq % 4 == 0)
		buf_adds(&l->bytes, "temperature 23.5 C, battery 3021 mV\r\n");
}

static void rows_add(struct load *l, uint8_t *seq, unsigned type, unsigned rows, unsigned refresh)
{
	struct buf body = BUF_INIT;

	for (unsigned i = 0; i < rows; i++) {
		uint64_t calls = (uint64_t)refresh * (1 + i * 7);

		varint_add(&body, body.len ? 0 : i);
		varint_add(&body, 0x1000 + i * 37);
		varint_add(&body, 0x800 + i * 11);
		varint_add(&body, calls);
		if (type == WSN_SITES) {
			varint_add(&body, calls * 1234);
			varint_add(&body, 20 + i);
			varint_add(&body, 5000 + i);
		}
		if (body.len + 20 > l->frame)
			frame_add(l, seq, type, &body);
	}
	if (body.len)
		frame_add(l, seq, type, &body);
	buf_release(&body);
}

/* A refresh at its time, a millisecond from one to the next. */
static void refresh_keep(struct load *l, unsigned refresh)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];
	size_t n = record_chunk(chunk, refresh * UINT64_C(1000000), (const uint8_t *)l->bytes.data,
				l->bytes.len);

	if (fwrite(chunk, 1, n, l->recording) != n)
		perror("recording");
	l->recorded += n;
	buf_reset(&l->bytes);
}

static void stream_make(struct load *l)
{
	static const uint8_t hello[49] = {
		1, 1, 0, 0, 2, 0, 0, 0x12, 0x7a, 0, 0xe5, 3, 33, 0, 9, 0, 4, 0,
		SITES, 0, 32, 0, ARCS, 0, 64, 0,
	};
	struct buf body = BUF_INIT;
	uint8_t seq = 0;

	for (unsigned i = 0; l->recording ? l->recorded < l->most : i < REFRESHES; i++) {
		if (i % 4 == 0) {
			buf_add(&body, hello, sizeof(hello));
			body.data[2] = (char)l->features;
			body.data[3] = (char)(l->features >> 8);
			frame_add(l, &seq, WSN_HELLO, &body);
		}
		varint_add(&body, i * 8000);
		frame_add(l, &seq, WSN_STATUS, &body);
		rows_add(l, &seq, WSN_SITES, SITES, i);
		rows_add(l, &seq, WSN_ARCS, ARCS, i);
		if (l->recording)
			refresh_keep(l, i);
	}
	buf_release(&body);
}

static void count_totals(void *ctx, const struct wire_total *t, size_t n)
{
	*(uint64_t *)ctx += t[n - 1].calls;
}

static void count_text(void *ctx, const char *text, size_t n)
{
	*(uint64_t *)ctx += (uint8_t)text[n - 1];
}

static void stream_decode(void *ctx)
{
	struct load *l = ctx;
	uint64_t sum = 0;
	struct wire_sink sink = { .ctx = &sum, .totals = count_totals, .text = count_text };
	struct wire_options o = { .code = NULL };
	struct wire_stats stats;
	struct wire *w;

	w = wire_new(l->format, &o, &sink, NULL);
	wire_feed(w, (const uint8_t *)l->bytes.data, l->bytes.len);
	wire_flush(w, true);
	wire_stats(w, &stats);
	l->frames = stats.events;
	if (stats.bad_bytes + stats.lost + stats.damaged > 0)
		fprintf(stderr, "bench_wsn: %s: the stream was not read right\n", l->name);
	wire_free(w);
}

static int recording_make(struct load *l, const char *path, double megabytes)
{
	static const uint8_t head[RECORD_HEADER] = RECORD_MAGIC;

	l->most = (uint64_t)(megabytes * 1e6);
	l->recording = fopen(path, "wb");
	if (!l->recording || fwrite(head, 1, sizeof(head), l->recording) != sizeof(head)) {
		perror(path);
		return 1;
	}
	stream_make(l);
	buf_release(&l->bytes);
	return fclose(l->recording) != 0;
}

int main(int argc, char **argv)
{
	struct load loads[] = {
		{ .name = "wsn, frames of 64 bytes", .format = "wsn", .features = 0x423,
		  .frame = BODY, .text = true },
		{ .name = "wsn, frames of 257 bytes", .format = "wsn", .features = 0x423,
		  .frame = 250 },
		{ .name = "wsn found by auto", .format = "auto", .features = 0x423,
		  .frame = BODY, .text = true },
	};

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		struct load *l = &loads[i];
		double seconds;

		if (argc > 1 && (size_t)atoi(argv[1]) != i)
			continue;
		if (argc > 3)
			return recording_make(l, argv[2], atof(argv[3]));
		stream_make(l);
		if (argc > 1) {
			stream_decode(l);
			bench_print("bytes", (double)l->bytes.len, "bytes");
		} else {
			seconds = bench_best(stream_decode, l);
			bench_print(l->name, (double)l->bytes.len / seconds / 1e6, "MB/s");
			bench_print("", (double)l->frames / seconds / 1e6, "M frames/s");
		}
		buf_release(&l->bytes);
	}
	return 0;
}
