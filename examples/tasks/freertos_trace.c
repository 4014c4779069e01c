/* freertos_trace: the shadow stacks. Called in the kernel's critical sections. */
#include "wsnprof_defaults.h"

#include "freertos_trace.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __AVR__
#include "wsnprof_port.h"
#else
#include "wsnprof_cortexm.h"
#endif

#if WSNPROF_TASKS && (WSNPROF_TRACE || (WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0))
/* For wsntop doctor: an absolute symbol, which takes no byte. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
__asm__(".globl wsnprof_tasks_max\nwsnprof_tasks_max = " TEXT(WSNPROF_TASKS_MAX));

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
	return WSNPROF_NO_STACK;
}

void wsnprof_freertos_delete(struct wsnprof_task *task)
{
	for (int i = 0; i < WSNPROF_TASKS_MAX; i++) {
		if (task && shadows[i].task == task)
			shadows[i].task = NULL;
	}
}
#endif
