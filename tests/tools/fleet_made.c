/*
 * fleet_made: keyframes of many nodes on a broker, as relays publish them.
 *
 *	fleet_made URL NODES PERIOD SECONDS KEYFRAME
 *
 * URL is mqtt://HOST/SITE. KEYFRAME is a file with one of a real node (mosquitto_sub -N -C 1): its
 * HELLO, with another id for each, and its rows, whose counts grow from period to period. Each node
 * has one each PERIOD seconds, for SECONDS; 0: one each, as fast as the broker takes them, which is
 * the end. Prints the calls of all nodes together as they were told last, and how many messages.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/varint.h"
#include "core/mqtt/mqtt.h"
#include "core/mqtt/topic.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

enum { ROWS = 4096, AT_ID = 2 + 30, FIRST = 0x100000, HEAD = 8 };

struct fleet {
	struct mqtt *mqtt;
	struct mqtt_place place;
	uint8_t hello[WSN_BLOCK_MAX + 1];	/* block, without its CRC */
	size_t hello_size;
	struct wire_hello told;
	uint64_t run;
	struct wire_total rows[ROWS];
	size_t row_count;
	double period;
	uint32_t nodes;
	uint64_t *steps;		/* keyframes of each, so far */
	uint64_t calls, messages;
};

static void fleet_fail(const char *what)
{
	fprintf(stderr, "fleet_made: %s\n", what);
	exit(1);
}

/* --- the keyframe ----------------------------------------------------------------------------- */

static void hear_hello(void *ctx, const struct wire_hello *hello)
{
	((struct fleet *)ctx)->told = *hello;
}

static void hear_status(void *ctx, const struct wire_status *status)
{
	((struct fleet *)ctx)->run = status->run;
}

static void hear_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	struct fleet *f = ctx;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		if (totals[i].kind != TOTAL_SITE || !totals[i].calls)
			continue;
		while (k < f->row_count && (f->rows[k].from != totals[i].from ||
					    f->rows[k].to != totals[i].to))
			k++;
		if (k == ROWS)
			fleet_fail("too many rows");
		f->rows[k] = totals[i];
		f->row_count += k == f->row_count;
	}
}

/* The first block of its kind: as it came, decoded. */
static void hello_find(struct fleet *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n;) {
		const uint8_t *end = memchr(data + at, 0, n - at);
		size_t size = end ? (size_t)(end - (data + at)) : n - at;

		if (size && size <= WSN_FRAME_MAX - 2)
			f->hello_size = wsn_unwrap(NULL, f->hello, data + at, size);
		if (size && f->hello_size && (f->hello[0] & 0x1f) == WSN_HELLO)
			return;
		at += size + 1;
	}
	fleet_fail("the keyframe has no HELLO");
}

static void keyframe_read(struct fleet *f, const char *path)
{
	const struct wire_sink sink = { .ctx = f, .hello = hear_hello, .status = hear_status,
					.totals = hear_totals };
	const struct wire_options o = { .code = NULL };
	struct err err = { 0 };
	size_t n;
	char *data = file_read(path, 1 << 20, &n, &err);
	struct wire *wire = wire_new("wsn", &o, &sink, &err);

	if (!data || !wire)
		fleet_fail(err.text);
	wire_feed(wire, (const uint8_t *)data, n);
	wire_flush(wire, true);
	wire_free(wire);
	hello_find(f, (const uint8_t *)data, n);
	mem_free(data);
	if (!f->row_count)
		fleet_fail("the keyframe has no call sites");
}

/* --- a node's --------------------------------------------------------------------------------- */

static void block_put(struct buf *key, uint8_t *block, size_t n, uint8_t seq)
{
	uint8_t coded[WSN_FRAME_MAX];

	block[1] = seq;
	buf_add(key, coded, wsn_wrap(coded, block, n));
}

static void id_set(uint8_t *hello, uint32_t id)
{
	for (int i = 0; i < 4; i++)
		hello[AT_ID + i] = (uint8_t)(id >> 8 * i);
}

/* Rows as docs/PROTOCOL.md, 4, has them; no calls by duration. */
static size_t row_put(const struct fleet *f, uint8_t *to, const struct wire_total *t, uint64_t step)
{
	unsigned unit = f->told.arch == WSN_ARCH_AVR || f->told.arch == WSN_ARCH_AVR22 ? 2 : 1;
	unsigned features = f->told.features;
	uint64_t calls = t->calls * step;
	uint64_t total = (t->total + (uint64_t)f->told.skew * t->calls) * step;
	const uint64_t fields[] = { t->from / unit, t->to / unit, calls, total };
	size_t n = 1;

	to[0] = 0;			/* the next slot */
	for (size_t i = 0; i < 4; i++)
		n += varint_put(to + n, fields[i]);
	for (int i = 0; features & WSN_F_MINMAX && i < 2; i++)
		n += varint_put(to + n, 1);
	for (int i = 0; features & WSN_F_HISTOGRAM && i < WIRE_BUCKETS; i++)
		n += varint_put(to + n, 0);
	return n;
}

static void key_make(struct fleet *f, uint32_t node, uint64_t step, struct buf *key)
{
	uint8_t block[2 * WSN_BLOCK_MAX], bits = (uint8_t)(f->hello[0] & 0xe0), seq = 0;
	size_t n = 0;
	uint64_t run = f->run + (uint64_t)((double)(step - 1) * f->period *
					   f->told.ticks_per_second);

	buf_reset(key);
	id_set(f->hello, node);
	memcpy(block, f->hello, f->hello_size);
	block_put(key, block, f->hello_size, seq++);
	for (size_t i = 0; i < f->row_count; i++) {
		uint8_t row[160];
		size_t size = row_put(f, row, &f->rows[i], step);

		if (n && n + size > WSN_BLOCK_MAX - HEAD) {
			block_put(key, block, n, seq++);
			n = 0;
		}
		if (!n) {		/* a frame begins with its first row's slot */
			block[0] = (uint8_t)(WSN_SITES | bits);
			n = 2;
			n += varint_put(block + n, i);
			memcpy(block + n, row + 1, size - 1);
			n += size - 1;
		} else {
			memcpy(block + n, row, size);
			n += size;
		}
	}
	if (n)
		block_put(key, block, n, seq++);
	block[0] = (uint8_t)(WSN_STATUS | bits);
	n = 2 + varint_put(block + 2, run & UINT32_MAX);
	n += varint_put(block + n, run >> 32);
	memset(block + n, 0, WSN_STATUS_FIELDS - 2);
	block_put(key, block, n + WSN_STATUS_FIELDS - 2, seq++);
}

static void key_send(struct fleet *f, uint32_t i, struct buf *key)
{
	const struct mqtt_extra extra = { .wall_us = clock_wall() / 1000 };
	char topic[TOPIC_MAX];
	uint64_t once = 0;

	key_make(f, FIRST + i, ++f->steps[i], key);
	topic_write(topic, sizeof(topic), f->place.path, TOPIC_SHARDS, FIRST + i, TOPIC_KEY);
	if (mqtt_publish(f->mqtt, topic, key->data, key->len, MQTT_SURELY | MQTT_KEPT, &extra) < 0)
		fleet_fail("not published");
	for (size_t k = 0; k < f->row_count; k++)
		once += f->rows[k].calls;
	f->calls += once;
	f->messages++;
}

/* --- the run ---------------------------------------------------------------------------------- */

static void hear_up(void *ctx)
{
	(void)ctx;
}

static void broker_wait(struct fleet *f, int most)
{
	struct pollfd fd;
	int ms = mqtt_poll(f->mqtt, clock_now(), &fd);

	poll(&fd, 1, clock_sooner(ms, most));
	mqtt_service(f->mqtt, clock_now());
}

/* Each node at its own moment of the period. */
static void fleet_run(struct fleet *f, double seconds)
{
	double period = f->period;
	struct buf key = BUF_INIT;
	uint64_t begun = clock_now(), sent = 0;
	uint64_t all = period > 0 ? (uint64_t)((double)f->nodes * (seconds / period)) : f->nodes;

	while (sent < all) {
		double at = (double)(clock_now() - begun) / 1e9;
		uint64_t due = period > 0 ? (uint64_t)(at / period * (double)f->nodes) : all;

		due = due < all ? due : all;
		while (sent < due && mqtt_has_room(f->mqtt, MQTT_SURELY)) {
			key_send(f, (uint32_t)(sent % f->nodes), &key);
			sent++;
		}
		broker_wait(f, sent < due ? -1 : 5);
		if (!mqtt_is_up(f->mqtt))
			fleet_fail("the broker went away");
	}
	buf_release(&key);
}

int main(int argc, char **argv)
{
	static struct fleet f;
	const struct mqtt_hooks hooks = { .ctx = &f, .up = hear_up };
	struct err err = { 0 };

	if (argc != 6 || mqtt_place_read(&f.place, argv[1], &err) < 0)
		fleet_fail("fleet_made URL NODES PERIOD SECONDS KEYFRAME");
	f.nodes = (uint32_t)strtoul(argv[2], NULL, 10);
	f.steps = calloc(f.nodes + 1, sizeof(*f.steps));
	keyframe_read(&f, argv[5]);
	f.mqtt = mqtt_new(&f.place, &hooks, NULL, &err);
	if (!f.mqtt || !f.steps)
		fleet_fail(err.text);
	while (!mqtt_is_up(f.mqtt))
		broker_wait(&f, -1);
	f.period = strtod(argv[3], NULL);
	fleet_run(&f, strtod(argv[4], NULL));
	mqtt_free(f.mqtt);
	printf("calls %" PRIu64 " messages %" PRIu64 " rows %zu\n", f.calls, f.messages,
	       f.row_count);
	return 0;
}
