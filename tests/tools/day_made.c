/*
 * day_made: the recording of a busy wsn node, made without a node: its running totals grow, and it
 * sends their rows as docs/PROTOCOL.md says, as fast as 115,200 baud go: 1 GB a day.
 *
 *	day_made FILE HOURS [SITES]
 *
 * The same arguments make the same file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/varint.h"
#include "core/link/record.h"
#include "core/wire/wsn/wsn.h"

enum {
	BYTES_PER_S = 11520, SITES_MOST = 4000, BODY = 57, HELLO_BODY = 49,
	FEATURES = WSN_F_TIMED | WSN_F_MINMAX | WSN_F_SITES | WSN_F_RUNNING,
	TICKS_PER_S = 1000000,
};

static const uint64_t wall = UINT64_C(1767312000000000000);	/* 2026-01-02 00:00:00 UTC */

struct site {
	uint64_t calls, total, min, max;
};

struct day {
	FILE *out;
	struct site site[SITES_MOST];
	uint32_t sites, next, random;
	uint64_t bytes, run;			/* of the stream; ticks */
	uint8_t seq;
	uint8_t chunk[4096];
	size_t chunk_n;
	uint8_t block[WSN_BLOCK_MAX];
	size_t n;
};

static uint32_t random_next(struct day *d)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 17;
	d->random ^= d->random << 5;
	return d->random;
}

static void chunk_end(struct day *d)
{
	uint8_t made[RECORD_CHUNK_MAX];
	uint64_t at = (uint64_t)((double)d->bytes / BYTES_PER_S * 1e9);

	if (d->chunk_n)
		fwrite(made, 1, record_chunk(made, at, d->chunk, d->chunk_n), d->out);
	d->chunk_n = 0;
}

static void frame_begin(struct day *d, enum wsn_type type)
{
	d->block[0] = (uint8_t)(type | 1 << 5);
	d->n = 2;
}

/* Chunks end in the middle of frames, as they do on a line. */
static void frame_end(struct day *d)
{
	uint8_t coded[WSN_FRAME_MAX];
	size_t n;

	d->block[1] = d->seq++;
	n = wsn_wrap(coded, d->block, d->n);
	for (size_t i = 0; i < n; i++) {
		d->chunk[d->chunk_n++] = coded[i];
		d->bytes++;
		if (d->chunk_n == 1000)
			chunk_end(d);
	}
}

static void number_put(struct day *d, uint64_t x)
{
	d->n += varint_put(d->block + d->n, x);
}

static void fixed_put(struct day *d, uint64_t x, int bytes)
{
	for (; bytes--; x >>= 8)
		d->block[d->n++] = (uint8_t)x;
}

static void hello_send(struct day *d)
{
	frame_begin(d, WSN_HELLO);
	fixed_put(d, WSN_VERSION | WSN_ARCH_ARMV7M << 8, 2);
	fixed_put(d, FEATURES, 2);
	fixed_put(d, 2 | 0x27 << 8, 2);
	fixed_put(d, TICKS_PER_S, 4);
	fixed_put(d, 0, 8);			/* hz, cost, skew, spread */
	fixed_put(d, SITES_MOST, 2);
	fixed_put(d, 0, 6);
	fixed_put(d, 0, 4);			/* base */
	fixed_put(d, 7, 4);			/* node id */
	fixed_put(d, 1, 2);			/* epoch */
	while (d->n < 2 + HELLO_BODY)
		fixed_put(d, 0, 1);
	frame_end(d);
}

static void status_send(struct day *d)
{
	d->run = (uint64_t)((double)d->bytes / BYTES_PER_S * TICKS_PER_S);
	frame_begin(d, WSN_STATUS);
	number_put(d, d->run & UINT32_MAX);
	number_put(d, d->run >> 32);
	frame_end(d);
}

/* The node works between two rows of a site: some calls of it. */
static void site_work(struct day *d, struct site *s)
{
	uint32_t calls = random_next(d) % 50 + 1, each = random_next(d) % 900 + 3;

	s->calls += calls;
	s->total += (uint64_t)calls * each;
	s->min = !s->min || each < s->min ? each : s->min;
	s->max = each > s->max ? each : s->max;
}

static void rows_send(struct day *d)
{
	frame_begin(d, WSN_SITES);
	for (uint32_t slot = 0; d->n + 36 < BODY && d->next < d->sites; d->next++) {
		struct site *s = &d->site[d->next];

		site_work(d, s);
		number_put(d, d->next - slot);
		slot = d->next + 1;
		number_put(d, 0x1000 + d->next * 13);
		number_put(d, 0x800 + d->next % 37 * 40);
		number_put(d, s->calls);
		number_put(d, s->total);
		number_put(d, s->min);
		number_put(d, s->max);
	}
	d->next %= d->sites;
	frame_end(d);
}

int main(int argc, char **argv)
{
	static struct day d = { .random = 4711, .sites = 300 };
	uint8_t header[RECORD_HEADER];
	uint64_t all;

	if (argc > 3)
		d.sites = (uint32_t)atoi(argv[3]);
	if (argc < 3 || d.sites < 1 || d.sites > SITES_MOST || !(d.out = fopen(argv[1], "wb"))) {
		fprintf(stderr, "usage: day_made FILE HOURS [SITES]\n");
		return 2;
	}
	all = (uint64_t)(atof(argv[2]) * 3600 * BYTES_PER_S);
	record_header(header, wall);
	fwrite(header, 1, sizeof(header), d.out);
	for (unsigned refresh = 0; d.bytes < all; refresh++) {
		uint64_t until = d.bytes + BYTES_PER_S;

		if (refresh % 4 == 0)
			hello_send(&d);
		status_send(&d);
		while (d.bytes < until)
			rows_send(&d);
	}
	chunk_end(&d);
	return fclose(d.out) ? 1 : 0;
}
