/*
 * Keyframes of any bytes, of three nodes with little room: the crowd keeps to its bounds, a payload
 * that comes again adds nothing, and what is told of all nodes are numbers. Behind a mark the bytes
 * of a sketch: what is read is written back. Few messages: each begins a decoder of 35 KB.
 *
 *	message		u8 node (7, 8, 9) and flags, u8 time, u16 length, payload
 *	sketch		u8 0xff, bytes to the end
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fleet/census.h"
#include "core/fleet/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { NODES = 3, BYTES = 200 << 10, SLACK = 512 << 10, LATE = 4, PLACE = 8, MESSAGES = 12 };

/* The second one is the same bytes in as few of them as possible. */
static void sketch_check(const uint8_t *data, size_t size)
{
	struct sketch s = { { 0 } }, again = { { 0 } };
	struct buf bytes = BUF_INIT;

	if (!sketch_read(&s, data, size))
		return;
	sketch_write(&s, &bytes);
	REQUIRE(sketch_read(&again, (const uint8_t *)bytes.data, bytes.len) == bytes.len);
	REQUIRE(memcmp(&s, &again, sizeof(s)) == 0);
	for (double q = 0; q <= 1 && sketch_count(&s); q += 0.25)
		REQUIRE(sketch_quantile(&s, q) >= 0 && sketch_quantile(&s, q) <= 1);
	buf_release(&bytes);
}

static void message_feed(struct crowd *c, const uint8_t *head, const uint8_t *payload, size_t size)
{
	const struct crowd_heard heard = {
		.place = head[0] & PLACE ? "a" : "b",
		.id = 7 + head[0] % NODES, .told_us = head[1],
		.late = head[0] & LATE,
	};
	enum crowd_result r = crowd_feed(c, &heard, payload, size);
	size_t at;

	REQUIRE(crowd_result_text(r));
	if (r != CROWD_TAKEN)
		return;
	at = crowd_find(c, heard.place, heard.id);
	REQUIRE(at < crowd_count(c));
	REQUIRE(crowd_rows(crowd_node(c, at)).count <= CROWD_SITES);
	r = crowd_feed(c, &heard, payload, size);
	REQUIRE(r == CROWD_AGAIN);
}

static void crowd_check(const struct crowd *c)
{
	REQUIRE(crowd_memory(c) <= BYTES + SLACK);
	for (uint32_t b = 0; b < crowd_builds(c); b++) {
		struct census census = { NULL };
		struct judge_past *found = calloc(crowd_count(c) + 1, sizeof(*found));

		REQUIRE(census_crowd(&census, c, b, CROWD_SINCE) == 0);
		for (size_t i = 0; i < census.count; i++) {
			const struct census_function *f = &census.functions[i];

			REQUIRE(f->worst >= 0 && f->worst <= 1 + 1e-9);
			REQUIRE(sketch_count(&f->shares) == f->nodes);
		}
		REQUIRE(judge_pasts(c, b, found) == 0);
		free(found);
		census_release(&census);
		REQUIRE(judge_build_before(c, b) != b);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct crowd_limits limits = { .bytes = BYTES, .nodes = NODES, .builds = 3 };
	struct crowd *c = crowd_new(&limits);

	for (int i = 0; size >= 4 && data[0] != 0xff && i < MESSAGES; i++) {
		size_t length = data[2] | (size_t)data[3] << 8;

		length = length < size - 4 ? length : size - 4;
		message_feed(c, data, data + 4, length);
		data += 4 + length;
		size -= 4 + length;
	}
	if (size && data[0] == 0xff)
		sketch_check(data + 1, size - 1);
	crowd_check(c);
	crowd_free(c);
	return 0;
}
