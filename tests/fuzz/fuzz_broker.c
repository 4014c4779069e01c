/*
 * Messages of any topic and payload, as a broker brings them: two of the nodes that they make up
 * have links, which take what comes in pieces and decode it. What waits is bounded, and no decoder
 * ever hears of a node that is not the topic's.
 *
 *	message		u8 leaf and flags, u8 node, u16 length, payload
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/link/inbox.h"
#include "core/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { LINKS = 2, PIECE = 100 };

struct taker {
	struct broker_node *node;
	struct wire *wire;
};

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	REQUIRE(hello->id == ((const struct taker *)ctx)->node->id);
}

static void links_open(struct inbox *b, struct taker *links)
{
	const struct wire_options o = { .code = NULL };

	for (size_t i = 0; i < LINKS && i < b->count; i++) {
		const struct wire_sink sink = { .ctx = &links[i], .hello = hear_hello };

		if (links[i].wire)
			continue;
		links[i].node = b->nodes[i];
		links[i].node->opened = true;
		links[i].wire = wire_new("wsn", &o, &sink, NULL);
		REQUIRE(links[i].wire);
	}
}

static void links_read(struct taker *links, size_t piece)
{
	uint8_t bytes[PIECE];

	for (size_t i = 0; i < LINKS; i++) {
		size_t n;

		if (!links[i].wire)
			continue;
		while ((n = inbox_read(links[i].node, bytes, piece)) > 0)
			wire_feed(links[i].wire, bytes, n);
	}
}

/* One in 16 has a topic that is the payload's text, another one that of a relay, "a" to "h". */
static void topic_make(char *to, size_t size, const uint8_t *head, const uint8_t *data, size_t n)
{
	if (head[0] >> 4 == 15)
		snprintf(to, size, "%.*s", (int)(n < size ? n : size - 1), (const char *)data);
	else if (head[0] >> 4 == 14)
		snprintf(to, size, TOPIC_RELAY "%c", 'a' + (head[1] & 7));
	else
		topic_write(to, size, "a/b", 64, head[1] & 7, head[0] % TOPIC_LEAVES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct inbox inbox = { 0 };
	struct taker links[LINKS] = { 0 };
	uint64_t now = CLOCK_SECOND;

	while (size >= 4) {
		size_t n = (size_t)(data[2] | data[3] << 8);
		char topic[TOPIC_MAX];
		struct mqtt_message m = {
			.topic = topic, .data = data + 4, .n = n < size - 4 ? n : size - 4,
			.retained = data[0] & 16,
			.extra = { .late = data[0] & 32, .wall_us = data[1] },
		};

		topic_make(topic, sizeof(topic), data, m.data, m.n);
		inbox_take(&inbox, now, &m);
		inbox_follow(&inbox);
		REQUIRE(inbox.gone_count <= INBOX_RELAYS);
		now += (uint64_t)(data[1] >> 3) * CLOCK_SECOND / 64;
		links_open(&inbox, links);
		if (data[0] & 64)
			links_read(links, 1 + data[1] % PIECE);
		if (links[0].wire && data[0] & 128)
			inbox_settle(links[0].node);
		REQUIRE(inbox.count <= INBOX_NODES);
		for (size_t i = 0; i < inbox.count; i++)
			REQUIRE(inbox.nodes[i]->waiting.len - inbox.nodes[i]->taken <=
				INBOX_WAITING + 1);
		data += 4 + m.n;
		size -= 4 + m.n;
	}
	links_read(links, PIECE);
	for (size_t i = 0; i < LINKS; i++)
		wire_free(links[i].wire);
	inbox_release(&inbox);
	return 0;
}
