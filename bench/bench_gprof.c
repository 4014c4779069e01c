/*
 * The gprof decoder: bytes a second into a sink that only counts, with an image and without.
 *
 * The stream is the gprof thesis's real capture (43,654 events) if it is there, else a made one of
 * its mixture, fed a hundred times over. `bench_gprof bytes` decodes that once and prints how many
 * events it held, for valgrind --tool=callgrind.
 */
#include "bench/bench.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/wire/wire.h"
#include "tests/unit/gprof_map.h"

#define CAPTURE "../shared/data/kl25z-blinky/capture.hex"
#define REPEAT 100
#define MADE_PACKETS 43654

struct load {
	const char *format;
	const uint8_t *bytes;
	size_t n;
	const struct codemap *code;
	uint64_t events;
};

static void count_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	uint64_t *sum = ctx;

	*sum += arcs[n - 1].from;
}

static void count_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	uint64_t *sum = ctx;

	*sum += pcs[n - 1];
}

static void stream_decode(void *ctx)
{
	struct load *l = ctx;
	uint64_t sum = 0;
	struct wire_sink sink = { .ctx = &sum, .arcs = count_arcs, .samples = count_samples };
	struct wire_options o = { .code = l->code };
	struct wire *w = wire_new(l->format, &o, &sink, NULL);
	struct wire_stats stats;

	for (int i = 0; w && i < REPEAT; i++)
		wire_feed(w, l->bytes, l->n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	l->events = stats.events;
	if (stats.bad_bytes + stats.lost > 0)
		fprintf(stderr, "bench_gprof: %s: the stream was not read right\n", l->format);
	wire_free(w);
}

/* Two calls, a sample, like the capture; the PCs all over one function. */
static char *hex_make(size_t *n)
{
	char *hex = mem_alloc(MADE_PACKETS * 14 + 1);

	*n = 0;
	for (unsigned i = 0; hex && i < MADE_PACKETS; i++) {
		static const char *const arcs[] = { "4100153D0014E5", "4100150D001499" };

		*n += i % 3 < 2 ? (size_t)sprintf(hex + *n, "%s", arcs[i % 3]) :
				  (size_t)sprintf(hex + *n, "50%06X", 0x1466 + i % 18 * 2);
	}
	return hex;
}

static uint8_t hex_digit(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'A' + 10);
}

int main(int argc, char **argv)
{
	struct gprof_map map;
	size_t n;
	char *hex = file_read(CAPTURE, 1 << 20, &n, NULL);
	uint8_t *bytes;

	if (!hex)
		hex = hex_make(&n);
	bytes = mem_alloc(n / 2);
	if (!hex || !bytes)
		return 1;
	for (size_t i = 0; i < n / 2; i++)
		bytes[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
	gprof_map_init(&map, CODE_ARM, 0);

	struct { const char *mode, *name; struct load load; } rows[] = {
		{ "bytes", "gprof, image", { "gprof", bytes, n / 2, &map.code, 0 } },
		{ "bytes-bare", "gprof, no image", { "gprof", bytes, n / 2, NULL, 0 } },
		{ "hex", "gprof-hex, image", { "gprof-hex", (const uint8_t *)hex, n, &map.code,
					      0 } },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct load *l = &rows[i].load;

		if (argc > 1) {
			if (strcmp(argv[1], rows[i].mode) == 0) {
				stream_decode(l);
				bench_print("events", (double)l->events, "events");
			}
			continue;
		}
		bench_print(rows[i].name,
			    (double)l->n * REPEAT / bench_best(stream_decode, l) / 1e6,
			    "MB/s");
	}
	mem_free(bytes);
	mem_free(hex);
	return 0;
}
