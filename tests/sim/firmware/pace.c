/* Work for as long as it lasts, reports and text all the while: at what pace? */
#include "scenario.h"

volatile uint16_t sink;

static void work(uint16_t n) { sink += n; }

void scenario(void)
{
	uint16_t n;

	for (n = 0; ; n++) {
		work(n);
		wsnprof_poll();
#ifdef PACE_FLOOD
		say("and no end of it ");	/* nor of the line */
#else
		if (n % 64 == 0)
			say("still here\r\n");
#endif
	}
}
