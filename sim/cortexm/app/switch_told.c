/* switch_told: the profiler's part in switching tasks, with WSNPROF_TASKS; else nothing. */
#include "switch.h"

#include <stddef.h>

#include "settings.h"
#include "workload.h"
#include "wsnprof_cortexm.h"
#include "wsnprof_defaults.h"

#if WSNPROF_TASKS
enum { LEVELS = 8, MOST = 5 };

static uint32_t memory[MOST][WSNPROF_TASK_BYTES(LEVELS) / 4];
static struct wsnprof_task *tasks[MOST];

WORKLOAD_QUIET void switch_init(uint32_t count)
{
	uint32_t i;

	for (i = 1; i < count; i++)
		tasks[i] = i > settings.stacks ? WSNPROF_NO_STACK :
			   wsnprof_task_init(memory[i], sizeof(memory[i]));
}

WORKLOAD_QUIET void switch_told(uint32_t task)
{
	wsnprof_switch(tasks[task]);
}
#else
WORKLOAD_QUIET void switch_init(uint32_t count)
{
	(void)count;
}

WORKLOAD_QUIET void switch_told(uint32_t task)
{
	(void)task;
}
#endif
