/* pingpong: INGA's ping-pong application alone. */
#include "net.h"
#include "workload.h"
#include "workload_port.h"

WORKLOAD_QUIET uint32_t workload_pingpong(void)
{
	uint16_t i;

	app_init();
	for (i = 0; i < WORKLOAD_ROUNDS; i++) {
		app_ping_pong();
		workload_breathe();
	}
	return app_sum();
}
