/* oneway: INGA's one-way application alone. */
#include "net.h"
#include "workload.h"
#include "workload_port.h"

WORKLOAD_QUIET uint32_t workload_oneway(void)
{
	uint16_t i;

	app_init();
	for (i = 0; i < WORKLOAD_ROUNDS; i++) {
		app_one_way();
		workload_breathe();
	}
	return app_sum();
}
