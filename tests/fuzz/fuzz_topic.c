/*
 * Any bytes as a topic, a place of a broker, and what is agreed on there: each is read within its
 * bounds, and a topic that is taken is written again as it was.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mqtt/place.h"
#include "core/mqtt/topic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { TEXT_MOST = 2048 };

static void topic_again(const char *text)
{
	struct topic t, again;
	char written[TOPIC_MAX];

	if (!topic_read(&t, text))
		return;
	topic_print(written, sizeof(written), &t);
	REQUIRE(*written && topic_read(&again, written));
	REQUIRE(!strcmp(again.site, t.site) && again.shard == t.shard && again.node == t.node &&
		again.leaf == t.leaf);
	REQUIRE(topic_shard(t.node, 64) < 64);
}

static void place_again(const char *text)
{
	struct mqtt_place p;
	struct err err = { 0 };
	int ret = mqtt_place_read(&p, text, &err);

	REQUIRE((ret < 0) == err_is_set(&err));
	REQUIRE(ret < 0 || (*p.host && p.port > 0 && p.port < 65536 && mqtt_is_place(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[TEXT_MOST + 1];

	REQUIRE(topic_shards_read(data, size) <= TOPIC_SHARDS_MOST);
	REQUIRE(topic_lease_read(data, size) <= TOPIC_LEASE_MOST_S);
	if (size > TEXT_MOST)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	topic_again(text);
	place_again(text);
	return 0;
}
