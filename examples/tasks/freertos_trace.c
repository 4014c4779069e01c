/* freertos_trace: the shadow stacks. Called in the kernel's critical sections. */
#include "freertos_trace.h"

#include <stddef.h>
#include <stdint.h>

#include "wsnprof_cortexm.h"

static struct shadow {
	struct wsnprof_task *task;	/* NULL: free */
	uint32_t memory[(WSNPROF_TASK_BYTES(WSNPROF_TASK_LEVELS) + 3) / 4];
} shadows[WSNPROF_TASKS_MAX];

struct wsnprof_task *wsnprof_freertos_create(void)
{
	for (int i = 0; i < WSNPROF_TASKS_MAX; i++) {
		struct shadow *s = &shadows[i];

		if (!s->task)
			return s->task = wsnprof_task_init(s->memory, sizeof(s->memory));
	}
	return NULL;
}

void wsnprof_freertos_delete(struct wsnprof_task *task)
{
	for (int i = 0; i < WSNPROF_TASKS_MAX; i++) {
		if (task && shadows[i].task == task)
			shadows[i].task = NULL;
	}
}
