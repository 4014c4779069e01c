/*
 * Many nodes as a crowd: what a keyframe of 75 sites costs, bytes a node, and what is told of all
 * of them. `bench_crowd [NODES]`, 10,000 if not given. A keyframe comes once a minute from each
 * node: "of a core" is what all of them take of one.
 */
#include "bench/bench.h"

#include "core/base/buf.h"
#include "core/fleet/census.h"
#include "core/fleet/judge.h"
#include "core/wire/wsn/wsn.h"

enum { SITES = 75, FUNCTIONS = 60, BODY = 200, PERIOD_S = 60 };

struct fleet {
	uint32_t nodes, round;
	struct crowd *crowd;
	struct buf payload;
	uint8_t seq;
	uint64_t feed_ns, made;
	struct census census;
	struct judge_past *pasts;
};

static void varint_add(struct buf *b, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		buf_addc(b, (char)(x | 0x80));
	buf_addc(b, (char)x);
}

static void number_add(struct buf *b, uint64_t x, int bytes)
{
	for (; bytes--; x >>= 8)
		buf_addc(b, (char)x);
}

static void frame_add(struct fleet *f, unsigned type, struct buf *body)
{
	uint8_t block[WSN_BLOCK_MAX], frame[WSN_FRAME_MAX];

	block[0] = (uint8_t)(type | 1 << 5);
	block[1] = f->seq++;
	memcpy(block + 2, buf_str(body), body->len);
	buf_add(&f->payload, frame, wsn_wrap(frame, block, body->len + 2));
	buf_reset(body);
}

/* As a relay makes it: 25 functions with two callers, the others with one. */
static void keyframe_make(struct fleet *f, uint32_t id)
{
	static const uint8_t head[18] = {
		1, 4, 3, 4, 2, 0, 0, 0x12, 0x7a, 0, 0, 0, 33, 0, 0, 0, 4, 0,
	};
	struct buf body = BUF_INIT;
	uint64_t calls = 1000 * (f->round + 1);

	buf_reset(&f->payload);
	f->seq = 0;
	buf_add(&body, head, sizeof(head));
	number_add(&body, 128 | 32 << 16, 4);
	number_add(&body, 0, 8);
	number_add(&body, id, 4);
	number_add(&body, 1, 2);
	number_add(&body, 1, 1);
	number_add(&body, UINT64_C(0x20000000100), 8);
	number_add(&body, 0xabcd1234, 4);
	frame_add(f, WSN_HELLO, &body);
	for (uint32_t i = 0; i < SITES; i++) {
		varint_add(&body, body.len ? 0 : i);
		varint_add(&body, 0x1000 + 0x40 * (i % FUNCTIONS * 7 % FUNCTIONS) + 0x11 + i);
		varint_add(&body, 0x1000 + 0x40 * (i % FUNCTIONS));
		varint_add(&body, calls + i);
		varint_add(&body, calls * (500 + 13 * i) +
				  (id * 2654435761u >> 16) % 1000 * calls / 50);
		varint_add(&body, 20);
		varint_add(&body, 5000);
		if (body.len + 30 > BODY)
			frame_add(f, WSN_SITES, &body);
	}
	if (body.len)
		frame_add(f, WSN_SITES, &body);
	varint_add(&body, 8000000ull * 60 * (f->round + 1) & UINT32_MAX);
	frame_add(f, WSN_STATUS, &body);
	buf_release(&body);
}

/* A keyframe of each node; making them is not counted. */
static void fleet_feed(struct fleet *f)
{
	for (uint32_t id = 0; id < f->nodes; id++) {
		const struct crowd_heard heard = {
			.place = "plant1", .id = id, .told_us = 60000000 * (f->round + 1ull),
		};
		uint64_t start;
		enum crowd_result r;

		keyframe_make(f, id);
		start = clock_now();
		r = crowd_feed(f->crowd, &heard, f->payload.data, f->payload.len);
		f->feed_ns += clock_now() - start;
		if (r != CROWD_TAKEN) {
			fprintf(stderr, "bench_crowd: %s\n", crowd_result_text(r));
			exit(1);
		}
	}
	f->made += f->nodes;
	f->round++;
}

static void census_take(void *ctx)
{
	struct fleet *f = ctx;

	census_release(&f->census);
	census_crowd(&f->census, f->crowd, 0, CROWD_LAST);
}

static void pasts_take(void *ctx)
{
	struct fleet *f = ctx;

	judge_pasts(f->crowd, 0, f->pasts);
}

int main(int argc, char **argv)
{
	struct fleet f = { .nodes = argc > 1 ? (uint32_t)atoi(argv[1]) : 10000 };
	double each;

	f.crowd = crowd_new(NULL);
	f.pasts = calloc(f.nodes, sizeof(*f.pasts));
	for (int i = 0; i < 3; i++)
		fleet_feed(&f);
	each = (double)f.feed_ns / (double)f.made;
	bench_print("crowd, nodes", f.nodes, "");
	bench_print("crowd, a keyframe's bytes", (double)f.payload.len, "bytes");
	bench_print("crowd, a keyframe", each / 1e3, "us");
	bench_print("crowd, one a minute from all", each * f.nodes / PERIOD_S / 1e9 * 100,
		    "% of a core");
	bench_print("crowd, a node", (double)crowd_memory(f.crowd) / f.nodes, "bytes");
	bench_print("crowd, census", bench_best(census_take, &f) * 1e3, "ms");
	bench_print("crowd, unlike themselves", bench_best(pasts_take, &f) * 1e3, "ms");
	bench_print("crowd, peak", bench_peak_mb(), "MB");
	census_release(&f.census);
	crowd_free(f.crowd);
	buf_release(&f.payload);
	free(f.pasts);
	return 0;
}
