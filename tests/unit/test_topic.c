/* Places of brokers and topics on them: read and written, and what is refused. */
#include "tests/unit/unit.h"

#include <string.h>

#include "core/mqtt/place.h"
#include "core/mqtt/topic.h"

static void test_place(void **state)
{
	static const struct {
		const char *text;
		const char *host;
		unsigned port;
		const char *path;
		bool tls;
	} rows[] = {
		{ "mqtt://h/s", "h", 1883, "s", false },
		{ "mqtts://h/s/", "h", 8883, "s", true },
		{ "mqtt://h:9/a/b/+", "h", 9, "a/b/+", false },
		{ "mqtt://[::1]:9/s", "::1", 9, "s", false },
		{ "mqtt://[::1]/s", "::1", 1883, "s", false },
		{ "mqtt://h", "h", 1883, "", false },
		{ "mqtt://h/s?user=u", "h", 1883, "s", false },
	};
	struct mqtt_place p;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(mqtt_is_place(rows[i].text));
		assert_int_equal(mqtt_place_read(&p, rows[i].text, &err), 0);
		assert_string_equal(p.host, rows[i].host);
		assert_int_equal(p.port, rows[i].port);
		assert_string_equal(p.path, rows[i].path);
		assert_int_equal(p.tls, rows[i].tls);
	}
	assert_string_equal(p.who.user, "u");
	assert_int_equal(mqtt_place_read(&p, "mqtts://h/s?ca=/c&cert=/a&key=/b", &err), 0);
	assert_string_equal(p.who.ca, "/c");
	assert_string_equal(p.who.cert, "/a");
	assert_string_equal(p.who.key, "/b");
	assert_false(mqtt_is_place("tcp:h:1"));
}

static void test_place_refused(void **state)
{
	static const char *const rows[] = {
		"mqtt:///s", "mqtt://:1883/s", "mqtt://h:0/s", "mqtt://h:65536/s", "mqtt://h:1x/s",
		"mqtt://[::1/s", "mqtt://[::1]x/s", "mqtt://h/s?what=1", "mqtt://h/s?user=",
		"mqtts://h/s?cert=/a", "mqtts://h/s?key=/a", "mqtt://h/s?ca=/c", "tcp://h/s",
	};
	char text[1200] = "mqtt://h/";

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mqtt_place p;
		struct err err = { 0 };

		if (mqtt_place_read(&p, rows[i], &err) == 0)
			fail_msg("%s was taken", rows[i]);
		assert_true(err_is_set(&err));
	}
	memset(text + strlen(text), 'x', 1000);
	assert_true(mqtt_place_read(&(struct mqtt_place){ 0 }, text, &(struct err){ 0 }) < 0);
}

static void test_topic(void **state)
{
	char text[TOPIC_MAX], small[8];
	struct topic t;

	(void)state;
	topic_write(text, sizeof(text), "plant/1", 64, 0x12ab, TOPIC_WIRE);
	assert_true(topic_read(&t, text));
	assert_string_equal(t.site, "plant/1");
	assert_int_equal(t.node, 0x12ab);
	assert_int_equal(t.leaf, TOPIC_WIRE);
	assert_int_equal(t.shard, topic_shard(0x12ab, 64));
	topic_write(text, sizeof(text), "s", 64, 0, TOPIC_KEY);
	assert_string_equal(text, "s/25/00000000/k");
	topic_write(text, sizeof(text), "s", 4096, 0xffffffff, TOPIC_COMMAND);
	assert_true(topic_read(&t, text) && t.shard == topic_shard(0xffffffff, 4096));
	topic_write(small, sizeof(small), "s", 64, 0, TOPIC_KEY);
	assert_string_equal(small, "");
	topic_filter(text, sizeof(text), "s", NULL, TOPIC_UP);
	assert_string_equal(text, "s/+/+/up");
	topic_filter(text, sizeof(text), "+", "0000abcd", TOPIC_HELLO);
	assert_string_equal(text, "+/+/0000abcd/hello");
}

static void test_topic_refused(void **state)
{
	static const char *const rows[] = {
		"", "/", "////", "s", "s/25/00000000", "s/25/00000000/x", "s/25/0000000/k",
		"s/25/000000000/k", "s/25/0000000G/k", "s/25/0000000A/k", "s//00000000/k",
		"s/2500/00000000/k", "/25/00000000/k", "25/00000000/k", "s/25/00000000/k/",
		"s/g0/00000000/k",
	};
	struct topic t;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (topic_read(&t, rows[i]))
			fail_msg("%s was taken", rows[i]);
}

static void test_numbers(void **state)
{
	static const struct { const char *text; unsigned shards, lease; } rows[] = {
		{ "shards=64", 64, 0 }, { "shards=4096", 4096, 0 }, { "shards=4097", 0, 0 },
		{ "shards=0", 0, 0 }, { "shards=", 0, 0 }, { "shards=6x", 0, 0 },
		{ "shards=-1", 0, 0 }, { "shards= 1", 0, 0 }, { "lease 30", 0, 30 },
		{ "lease 601", 0, 0 }, { "lease", 0, 0 }, { "", 0, 0 },
		{ "shards=00000000000000000000000000000000000000000000000000000064", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *s = rows[i].text;

		assert_int_equal(topic_shards_read(s, strlen(s)), rows[i].shards);
		assert_int_equal(topic_lease_read(s, strlen(s)), rows[i].lease);
	}
}

static void test_commands(void **state)
{
	static const struct {
		const char *up;
		bool takes;
	} rows[] = {
		{ "0", false }, { "", false }, { "host-0a", false }, { "host-0a commands", true },
		{ " commands", false }, { "host-0a command", false }, { "host commands ", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(topic_takes_commands(rows[i].up, strlen(rows[i].up)),
				 rows[i].takes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_place_refused),
		cmocka_unit_test(test_topic),
		cmocka_unit_test(test_topic_refused),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
