/* phase: quiet, everything at once, a burst of bundles, computing; then over again. */
#include "app.h"

/* The tests build a second demo that differs in this alone. */
#ifndef DEMO_QUIET_SECONDS
#define DEMO_QUIET_SECONDS 2
#endif

static const struct phase phases[] = {
	{ .name = "quiet",   .seconds = DEMO_QUIET_SECONDS, .samples = 2, .bundles = 0, .fib = 0 },
	{ .name = "all",     .seconds = 2, .samples = 6, .bundles = 2, .fib = 8 },
	{ .name = "burst",   .seconds = 4, .samples = 4, .bundles = 2, .fib = 0 },
	{ .name = "compute", .seconds = 4, .samples = 2, .bundles = 0, .fib = 11 },
};

static volatile uint8_t current;
static uint8_t seconds_left;

/* In the timer interrupt, every second. */
static void phase_second(void)
{
	if (--seconds_left)
		return;
	current = (current + 1) % (sizeof(phases) / sizeof(phases[0]));
	seconds_left = phases[current].seconds;
	log_text("phase: ");
	log_text(phases[current].name);
	log_text("\n");
}

void phase_init(void)
{
	current = 0;
	seconds_left = phases[0].seconds;
	clock_every(0, CLOCK_TICKS_PER_SECOND, phase_second);
}

const struct phase *phase_now(void)
{
	return &phases[current];
}
