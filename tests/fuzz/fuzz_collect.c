/*
 * Messages of a broker for a collector: keyframes and `up` of any node and shard, pasts and sums of
 * any text. Memory is bounded, a sum has no more nodes than came, and what is read as a sum is
 * written as the same text again.
 *
 *	message		u8 kind and flags, u8 node, u16 length, payload
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/collect/shard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { SHARDS = 2, NODES = 8 };

static char *text_of(const struct sum *s)
{
	static struct out out;
	struct buf text = BUF_INIT;

	out_open_buf(&out, &text);
	sum_write(s, &out);
	REQUIRE(out_close(&out, NULL) == 0);
	return buf_detach(&text);
}

static void sum_there_and_back(const uint8_t *data, size_t n)
{
	struct sum s = { .count = 0 }, again = { .count = 0 };
	char *text, *other;

	if (sum_read(&s, data, n) < 0)
		return;
	text = text_of(&s);
	REQUIRE(sum_read(&again, text, strlen(text)) == 0);
	other = text_of(&again);
	REQUIRE(!strcmp(text, other));
	mem_free(text);
	mem_free(other);
	sum_release(&s);
	sum_release(&again);
}

static void sum_look(struct shard *s)
{
	struct sum sum = { .count = 0 };
	uint64_t nodes = 0;

	shard_sum(s, &sum, true);
	for (size_t i = 0; i < sum.count; i++)
		nodes += sum.parts[i]->nodes;
	REQUIRE(nodes <= NODES && sum.unknown <= NODES && sum.doubtful <= NODES);
	if (sum.count)
		sum_profile_free(sum_profile(sum.parts[0], NULL));
	sum_release(&sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct elfs none;
	struct quota memory = { .limit = 1 << 20 };
	const struct shard_terms terms = { .elfs = &none, .shards = SHARDS, .quota = &memory };
	struct shard *s = shard_new(&terms, 0);
	uint64_t now = CLOCK_SECOND;

	REQUIRE(s);
	while (size >= 4) {
		size_t n = (size_t)(data[2] | data[3] << 8);
		struct topic t = { .site = "a", .shard = data[0] >> 7, .node = data[1] % NODES,
				   .leaf = data[0] % 8 < TOPIC_LEAVES ? data[0] % 8 : TOPIC_KEY };
		struct mqtt_message m = {
			.data = data + 4, .n = n < size - 4 ? n : size - 4,
			.retained = data[0] & 16,
			.extra = { .late = data[0] & 32, .wall_us = data[0] & 64 ? now / 1000 : 0 },
		};

		if (data[0] % 8 == 7)
			sum_there_and_back(m.data, m.n);
		else if (data[0] % 8 == 6)
			shard_past_take(s, "a", t.node, m.data, m.n);
		else
			shard_take(s, now, &t, &m);
		REQUIRE(shard_nodes(s) <= NODES);
		now += (uint64_t)(data[1] >> 3) * CLOCK_SECOND / 4;
		data += 4 + m.n;
		size -= 4 + m.n;
	}
	sum_look(s);
	shard_free(s);
	return 0;
}
