/*
 * buckets: level 3. So many calls of durations in the middle of each bucket; hooks.py has the same
 * numbers. The first bucket's counter is set to 2^16 - 1 before.
 */
#include "hooks.h"

extern uint8_t wsnprof_buckets[];

/* 1,000 cycles a step, and some 15. */
static NOINLINE void spin(uint16_t steps)
{
	while (steps--)
		BURN(992);
}

static NOINLINE void brief(void)
{
	hooks_sink++;
}

/* Below 512 and 2,048 ticks. */
static NOINLINE void part(void)
{
	BURN(250);
}

static NOINLINE void whole(void)
{
	BURN(1200);
}

void hooks_run(void)
{
	static const uint16_t steps[] = { 5, 20, 82, 320, 700 }, calls[] = { 600, 20, 10, 4, 3 };
	uint16_t i, j;
	uint8_t *row;

	for (i = 0; i < 300; i++) {
		brief();
		if (i == 0) {
			row = hooks_row(brief);
			row = wsnprof_buckets + (row - wsnprof_table);
			row[0] = row[8] = 0xff;
		}
	}
	for (i = 0; i < 270; i++)
		part();
	for (i = 0; i < 7; i++)
		whole();
	for (j = 0; j < 5; j++)
		for (i = 0; i < calls[j]; i++)
			spin(steps[j]);
}
