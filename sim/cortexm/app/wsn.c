/* wsn: the node's main loop: sense each tick, report each eighth, and now and then other things. */
#include "wsn.h"

#include "app.h"
#include "workload_port.h"

#ifndef WSN_TICKS
#define WSN_TICKS 400
#endif

static char line[8];
static uint32_t trees;

static char hex_digit(uint32_t v)
{
	return "0123456789abcdef"[v & 15];
}

static void hex_put(uint32_t v)
{
	for (int i = 7; i >= 0; i--, v >>= 4)
		line[i] = hex_digit(v);
}

static uint32_t tree(uint32_t n)
{
	return n < 2 ? n : tree(n - 1) + tree(n - 2);
}

static void wsn_report(void)
{
	int32_t features[3];
	uint8_t data[24];

	sense_features(features);
	for (int i = 0; i < 24; i++)
		data[i] = (uint8_t)((uint32_t)features[i % 3] >> (i & 7));
	net_send((uint16_t)(0x100 + (sense_random() & 7)), data, sizeof(data));
	net_poll();
}

static void wsn_tick(uint32_t t)
{
	sense();
	if (t % 8 == 7)
		wsn_report();
	if (t % 16 == 3)
		hex_put(sense_sum());
	if (t % 32 == 5)
		net_age();
	if (t % 64 == 9)
		trees += tree(6);
}

static void wsn_init(void)
{
	static const uint8_t key[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

	sense_init();
	net_init();
	aes_init(key);
	trees = 0;
}

WORKLOAD_QUIET uint32_t workload_wsn(void)
{
	uint32_t t;

	wsn_init();
	for (t = 0; t < WSN_TICKS; t++) {
		wsn_tick(t);
		workload_breathe();
	}
	return workload_mix(workload_mix(sense_sum(), net_sum()),
			    workload_mix(trees, (uint8_t)line[7]));
}
