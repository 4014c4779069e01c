/*
 * inlined: functions that the compiler puts into others, at two levels, and a call out of one of
 * them: each has its row, with the return address of the function whose code it is in.
 */
#include "hooks.h"

#define INLINE static inline __attribute__((always_inline))

NOINLINE void leaf(void);
NOINLINE void body(void);
NOINLINE void caller(void);

void leaf(void)
{
	BURN(1000);
	hooks_sink++;
}

INLINE void inner(void)
{
	BURN(2000);
	leaf();
}

INLINE void middle(void)
{
	BURN(4000);
	inner();
}

void body(void)
{
	BURN(8000);
	middle();
	hooks_sink++;
}

void caller(void)
{
	body();
	hooks_sink++;
}

void hooks_run(void)
{
	uint8_t i;

	for (i = 0; i < 100; i++)
		caller();
}
