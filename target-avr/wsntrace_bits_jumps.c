/* wsntrace_bits_jumps: calls that longjmp() skips, in a call trace without a table. */
#include "wsnprof_node.h"
#include "wsntrace_bits.h"
#include "wsntrace_send.h"

#if WSNTRACE_BITS && WSNPROF_TRACE_JUMPS > 0

/* Where setjmp was called last, by its buffer. */
static struct jump {
	const void *buf;
	uint8_t depth, nesting;
} jumps[WSNPROF_TRACE_JUMPS];

void wsntrace_jump_set(const void *buf)
{
	static uint8_t next;
	struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS) {
		j = &jumps[next];
		next = (uint8_t)(next + 1) % WSNPROF_TRACE_JUMPS;
	}
	*j = (struct jump){ buf, GPIOR2, wsntrace_bits.nesting };
}

/* All calls that it skips return now. */
void wsntrace_jump(const void *buf)
{
	const struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS || j->nesting != wsntrace_bits.nesting)
		return;
#if WSNTRACE_FLOW
	struct wsnprof_bits_lane *l = &wsntrace_bits_lanes[wsntrace_bits.nesting > 0];
	wsnprof_mask mask = wsnprof_lock();

	if (l->told) {
		l->held = GPIOR0;
		l->told = false;
		GPIOR0 = WSNTRACE_NO_BITS;
	}
	if (GPIOR2 > j->depth)
		GPIOR2 = j->depth;
	wsnprof_unlock(mask);
#elif WSNPROF_TRACE == 5	/* a return's code is its function's: nothing is told meanwhile */
	struct wsnprof_bits_lane *l = &wsntrace_bits_lanes[wsntrace_bits.nesting > 0];
	wsnprof_mask mask = wsnprof_lock();

	if (GPIOR0) {
		l->held = GPIOR0;
		l->floor = GPIOR2;
		GPIOR0 = 0;
	}
	if (GPIOR2 > j->depth)
		GPIOR2 = j->depth;
	if (l->floor > GPIOR2)
		l->floor = GPIOR2;
	wsnprof_unlock(mask);
#else
	while (GPIOR2 > j->depth)
		wsntrace_exit();
#endif
}

#endif
