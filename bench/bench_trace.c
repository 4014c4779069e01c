/*
 * Long call traces: a recording of a node's bytes, repeated with its times and numbers moved on.
 *
 *	bench_trace RECORDING MILLIONS		bytes, time to index, memory of so many calls
 *	bench_trace RECORDING MILLIONS FILE	that stream, for others ("-": standard output)
 *
 * Where the recording begins again its open calls are gone: one frame a lane counts as lost there.
 * bench/trace-size makes the recordings.
 */
#include <time.h>

#include "bench/bench.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/varint.h"
#include "core/trace/trace.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

enum { HEAD = 2, LANE = HEAD, NUMBER, TIME, UNTOLD = TIME + 4, WHOLE_STAMP = 16 };

struct block {
	uint8_t bytes[WSN_BLOCK_MAX + 1];
	size_t n;
};

struct repeated {
	struct block *blocks;
	size_t count, cap;
	unsigned shift;			/* of TRACING */
	uint32_t period;		/* ticks from one round to the next */
	uint64_t untold[TRACE_LANES];	/* at the recording's end */
	uint8_t number[TRACE_LANES], seq;
	struct wsn_crc_steps steps;
	uint64_t bytes, round;
};

struct reader {
	struct trace *trace;
	uint32_t ticks_per_second;
};

static void on_hello(void *ctx, const struct wire_hello *hello)
{
	((struct reader *)ctx)->ticks_per_second = hello->ticks_per_second;
}

static void on_tracing(void *ctx, const struct wire_tracing *tracing)
{
	struct reader *r = ctx;

	trace_setup(r->trace, tracing, r->ticks_per_second);
}

static void on_trace(void *ctx, const struct wire_trace *frame)
{
	struct reader *r = ctx;

	trace_frame(r->trace, frame);
	if (trace_account_live(r->trace) < 0)
		abort();
}

/* --- the recording ---------------------------------------------------------------------------- */

static bool is_trace(const struct block *b)
{
	return (b->bytes[0] & 0x1f) == WSN_TRACE;
}

static uint32_t block_time(const struct block *b)
{
	return b->bytes[TIME] | (uint32_t)b->bytes[TIME + 1] << 8 |
	       (uint32_t)b->bytes[TIME + 2] << 16 | (uint32_t)b->bytes[TIME + 3] << 24;
}

static void blocks_read(struct repeated *r, const uint8_t *data, size_t n)
{
	size_t start = 0;

	for (size_t i = 0; i <= n; i++) {
		struct block b;

		if (i < n && data[i])
			continue;
		b.n = wsn_unwrap(NULL, b.bytes, data + start, i - start);
		start = i + 1;
		if (!b.n)
			continue;
		if (mem_grow(&r->blocks, &r->cap, r->count + 1, sizeof(b)) < 0)
			abort();
		r->blocks[r->count++] = b;
	}
}

/* Stamps have 16 bits of units: a round is a multiple of that, so that they are right in each. */
static void period_find(struct repeated *r)
{
	uint32_t first = 0, last = 0, unit;
	bool begun = false;

	for (size_t i = 0; i < r->count; i++) {
		struct block *b = &r->blocks[i];

		if ((b->bytes[0] & 0x1f) == WSN_TRACING)
			r->shift = b->bytes[HEAD + 1];
		if (!is_trace(b))
			continue;
		last = block_time(b);
		first = begun ? first : last;
		begun = true;
		varint_get(b->bytes + UNTOLD, b->n - UNTOLD,
			   &r->untold[b->bytes[LANE] % TRACE_LANES]);
	}
	unit = 1u << (WHOLE_STAMP + r->shift);
	r->period = (last - first) / unit * unit + unit;
}

/* A frame as it is in this round. Its bytes in `coded`, or 0: it is not in it. */
static size_t block_code(struct repeated *r, const struct block *b, uint8_t *coded)
{
	struct block to = *b;
	unsigned lane = b->bytes[LANE] % TRACE_LANES;
	uint64_t untold = 0;
	size_t from, at;
	uint16_t crc;

	if (is_trace(b)) {
		uint32_t time = block_time(b) + r->period * (uint32_t)r->round;

		from = UNTOLD + varint_get(b->bytes + UNTOLD, b->n - UNTOLD, &untold);
		to.bytes[NUMBER] = r->number[lane]++;
		for (int i = 0; i < 4; i++)
			to.bytes[TIME + i] = (uint8_t)(time >> 8 * i);
		if (b->n > WSN_BLOCK_MAX - VARINT_MAX)
			return 0;
		at = UNTOLD + varint_put(to.bytes + UNTOLD,
					 (uint32_t)(untold + r->round * r->untold[lane]));
		memcpy(to.bytes + at, b->bytes + from, b->n - from);
		to.n = at + b->n - from;
	} else if (r->round) {
		return 0;
	}
	to.bytes[1] = r->seq++;
	crc = wsn_crc_fast(&r->steps, to.bytes, to.n);
	to.bytes[to.n] = (uint8_t)crc;
	to.bytes[to.n + 1] = (uint8_t)(crc >> 8);
	coded[0] = 0;
	at = 1 + wsn_cobs_encode(coded + 1, to.bytes, to.n + 2);
	coded[at] = 0;
	return at + 1;
}

static void round_give(struct repeated *r, void (*give)(void *ctx, const uint8_t *p, size_t n),
		       void *ctx)
{
	uint8_t coded[WSN_BLOCK_MAX + 8];

	for (size_t i = 0; i < r->count; i++) {
		size_t n = block_code(r, &r->blocks[i], coded);

		r->bytes += n;
		if (n)
			give(ctx, coded, n);
	}
	r->round++;
	for (unsigned i = 0; i < TRACE_LANES; i++)
		r->number[i]++;
}

/* --- what becomes of it ----------------------------------------------------------------------- */

static void wire_give(void *ctx, const uint8_t *p, size_t n)
{
	wire_feed(ctx, p, n);
}

struct tee {
	struct wire *wire;
	FILE *file;
};

static void tee_give(void *ctx, const uint8_t *p, size_t n)
{
	const struct tee *t = ctx;

	wire_feed(t->wire, p, n);
	if (fwrite(p, 1, n, t->file) != n)
		abort();
}

/* trace_limit of a node on the screen. */
#define LIMIT (1u << 30)

int main(int argc, char **argv)
{
	static struct repeated r;
	struct reader reader = { .trace = trace_new() };
	struct wire_sink sink = {
		.ctx = &reader, .hello = on_hello, .tracing = on_tracing, .trace = on_trace,
	};
	struct wire_options o = { .code = NULL };
	struct trace_stats stats = { .calls = 0 };
	struct tee tee;
	clock_t begun;
	double calls, seconds;
	size_t n;
	char *data = argc > 2 ? file_read(argv[1], 1u << 30, &n, NULL) : NULL;

	if (!data || !reader.trace)
		return fprintf(stderr, "usage: bench_trace RECORDING MILLIONS [FILE]\n"), 2;
	calls = atof(argv[2]) * 1e6;
	wsn_crc_init(&r.steps);
	blocks_read(&r, (const uint8_t *)data, n);
	period_find(&r);
	trace_limit(reader.trace, LIMIT);
	tee.wire = wire_new("wsn", &o, &sink, NULL);
	tee.file = argc < 4 ? NULL : strcmp(argv[3], "-") ? fopen(argv[3], "wb") : stdout;
	begun = clock();
	while ((double)stats.calls < calls) {
		uint64_t before = stats.calls;

		round_give(&r, tee.file ? tee_give : wire_give, tee.file ? (void *)&tee : tee.wire);
		trace_stats(reader.trace, &stats);
		if (stats.calls == before)
			return fprintf(stderr, "bench_trace: no calls in it\n"), 1;
	}
	seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
	if (tee.file)
		return fclose(tee.file) ? 1 : 0;
	bench_print("calls", (double)stats.calls / 1e6, "M");
	bench_print("line, a million calls", (double)r.bytes * 1e6 / (double)stats.calls, "bytes");
	bench_print("memory, a million calls", (double)trace_memory(reader.trace) * 1e6 /
		    (double)stats.calls, "bytes");
	bench_print("memory, all", (double)trace_memory(reader.trace) / 1048576, "MB");
	bench_print("memory of the process", bench_peak_mb(), "MB");
	bench_print("time to index", seconds, "s");
	bench_print("", (double)stats.calls / seconds / 1e6, "M calls/s");
	bench_print("", (double)r.bytes / seconds / 1e6, "MB/s");
	bench_print("lost frames", (double)stats.frames_lost, "");
	bench_print("unknown calls", (double)stats.unknown, "");
	bench_print("bad frames", (double)stats.bad, "");
	bench_print("oldest calls let go", trace_was_cut(reader.trace), "");
	wire_free(tee.wire);
	trace_free(reader.trace);
	mem_free(data);
	mem_free(r.blocks);
	return 0;
}
