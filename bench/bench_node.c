/*
 * From the file to the model: a gprof stream and prof reports through link, decoder and profile, as
 * `wsntop -B` reads them.
 */
#include "bench/bench.h"

#include <unistd.h>

#include "core/base/buf.h"
#include "core/node/node.h"

#define SIZE (100u << 20)

static void put_address(struct buf *b, uint32_t a)
{
	buf_addc(b, (char)(a >> 16));
	buf_addc(b, (char)(a >> 8));
	buf_addc(b, (char)a);
}

/*
 * Two samples for three calls, as in the gprof thesis's capture: 10 arcs, 37 PCs, 3-byte addresses.
 */
static void gprof_piece(struct buf *b)
{
	for (uint32_t i = 0; i < 1000; i++) {
		if (i % 5 < 3) {
			buf_addc(b, 'A');
			put_address(b, 0x1500 + i % 10 * 16 + 1);
			put_address(b, 0x1400 + i % 10 * 64 + 5);
		} else {
			buf_addc(b, 'P');
			put_address(b, 0x1460 + i % 37 * 2);
		}
	}
}

static void prof_piece(struct buf *b)
{
	buf_adds(b, "PROF:bench:100:100:3932392:32768\r\n");
	for (uint32_t i = 0; i < 100; i++)
		buf_addf(b, "0x%x:0x%x:%u:%u:8:%u\r\n", 0x4000 + i * 6, 0x400 + i * 64, 1000 + i,
			 (1000 + i) * 20, 40 + i);
	buf_adds(b, "\r\n");
}

static int file_fill(const char *path, const struct buf *piece)
{
	FILE *f = fopen(path, "wb");
	size_t pieces = SIZE / piece->len;

	if (!f)
		return -1;
	for (size_t i = 0; i < pieces; i++)
		fwrite(piece->data, 1, piece->len, f);
	return fclose(f);
}

static void file_decode(void *ctx)
{
	struct node_options o = { .source = ctx, .batch = true };
	struct err err = { 0 };
	struct node *n = node_new(&o, &err);

	if (!n) {
		fprintf(stderr, "bench_node: %s\n", err.text);
		exit(1);
	}
	while (!node_ended(n))
		node_service(n, clock_now(), 1 << 22);
	if (!node_stats(n)->events)
		exit(1);
	node_free(n);
}

static int rate_measure(const char *name, void (*fill)(struct buf *))
{
	char path[] = "/tmp/wsntop-bench-XXXXXX";
	struct buf piece = BUF_INIT;
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	fill(&piece);
	if (file_fill(path, &piece) == 0)
		bench_print(name, SIZE / bench_best(file_decode, path) / 1e6, "MB/s");
	buf_release(&piece);
	return unlink(path);
}

int main(void)
{
	return rate_measure("gprof, file to model", gprof_piece) |
	       rate_measure("prof, file to model", prof_piece);
}
