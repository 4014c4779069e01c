/* net_app: INGA's three networking applications, a round at a time. */
#include "net.h"
#include "workload.h"

#define HERE 0x1234
#define THERE 0x4321
#define HISTORY 8

enum service { SERVICE_SINK, SERVICE_PING, SERVICE_PONG, SERVICE_SAMPLE, SERVICES };

static uint32_t created, sum;
static uint8_t pings, pongs;
static uint16_t lfsr, angle;
static uint16_t history[HISTORY];
static uint8_t samples;
static uint8_t payload[NET_PAYLOAD];

static void app_count(uint16_t value)
{
	sum = workload_mix(sum, value);
}

static bool app_send(uint8_t service, uint8_t length)
{
	struct bundle b = {
		.source = HERE, .target = THERE + service, .created = created += 977,
		.service = service, .length = length, .payload = payload,
	};

	return bundle_send(&b);
}

/* --- what arrives --- */

static void got_sink(const struct bundle *b)
{
	app_count(crc_of(b->payload, b->length));
}

static void got_ping(const struct bundle *b)
{
	pings++;
	app_count(b->payload[0]);
}

static void got_pong(const struct bundle *b)
{
	pongs++;
	app_count(get16(b->payload));
}

static void got_sample(const struct bundle *b)
{
	app_count(get16(b->payload + 2));
}

static void (*const got[SERVICES])(const struct bundle *b) = {
	[SERVICE_SINK] = got_sink,
	[SERVICE_PING] = got_ping,
	[SERVICE_PONG] = got_pong,
	[SERVICE_SAMPLE] = got_sample,
};

static void app_deliver(const struct bundle *b)
{
	if (b->service < SERVICES)
		got[b->service](b);
}

/* --- one-way --- */

static void payload_make(uint8_t seed)
{
	uint8_t i;

	bytes_fill(payload, seed, NET_PAYLOAD);
	for (i = 0; i < NET_PAYLOAD; i += 8)
		put16(payload + i, (uint16_t)(seed * 257 + i));
}

void app_one_way(void)
{
	payload_make((uint8_t)created);
	if (!app_send(SERVICE_SINK, NET_PAYLOAD))
		app_count(0xdead);
}

/* --- ping-pong: what the other side would do is done by the main loop --- */

void app_ping_pong(void)
{
	put16(payload, (uint16_t)created);
	if (!app_send(SERVICE_PING, 8))
		app_count(0xdead);
	while (pongs != pings) {
		put16(payload, pings);
		if (!app_send(SERVICE_PONG, 8))
			break;
	}
}

/* --- sample-send --- */

static uint8_t adc_noise(void)
{
	uint8_t i;

	for (i = 0; i < 8; i++)
		lfsr = lfsr & 1 ? lfsr >> 1 ^ 0xb400 : lfsr >> 1;
	return (uint8_t)lfsr;
}

static uint16_t adc_read(void)
{
	uint16_t wave;

	angle += 13;
	wave = angle & 0x200 ? 0x3ff - (angle & 0x3ff) : angle & 0x3ff;
	return 256 + wave / 2 + (adc_noise() & 63);
}

static uint16_t smooth(uint16_t value)
{
	uint16_t all = 0;
	uint8_t i;

	history[samples % HISTORY] = value;
	for (i = 0; i < HISTORY; i++)
		all += history[i];
	return all / HISTORY;
}

void app_sample(void)
{
	uint16_t value = smooth(adc_read());

	if (++samples % 4)
		return;
	put16(payload, samples);
	put16(payload + 2, value);
	if (!app_send(SERVICE_SAMPLE, 4))
		app_count(0xdead);
}

uint32_t app_sum(void)
{
	return sum;
}

void app_init(void)
{
	uint8_t i;

	created = sum = 0;
	pings = pongs = samples = 0;
	angle = 0;
	lfsr = 0xace1;
	for (i = 0; i < HISTORY; i++)
		history[i] = 0;
	bundle_init(app_deliver);
}
