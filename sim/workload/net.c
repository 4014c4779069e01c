/* net: the three applications in turn, as one workload. */
#include "net.h"
#include "workload.h"
#include "workload_port.h"

static void net_round(void)
{
	app_one_way();
	workload_pause();
	app_ping_pong();
	workload_pause();
	app_sample();
}

WORKLOAD_QUIET uint32_t workload_net(void)
{
	uint16_t i;

	app_init();
	for (i = 0; i < WORKLOAD_ROUNDS; i++) {
		net_round();
		workload_breathe();
	}
	return app_sum();
}
