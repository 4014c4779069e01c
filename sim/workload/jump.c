/*
 * jump: longjmp out of calls. Once caught by a function that returns (jump_try), and once by a loop
 * in a function that never does (jump_serve), often enough to fill any call stack if what was
 * skipped stayed there.
 */
#include <setjmp.h>

#include "workload.h"
#include "workload_port.h"

static jmp_buf back, request_over, service_over;
static volatile uint8_t thrown, served;
static volatile uint16_t sink;

static void jump_leaf(uint8_t v)
{
	sink += v;
}

/* Never returns: throws. */
static void jump_throw(uint8_t n)
{
	jump_leaf(n);
	if (n) {
		jump_throw(n - 1);
	} else {
		thrown++;
		longjmp(back, 1);
	}
	sink = 0;
}

static void jump_try(void)
{
	if (!setjmp(back))
		jump_throw(3);
	jump_leaf(1);
}

static void jump_request(uint8_t n)
{
	jump_leaf(n);
	if (n)
		jump_request(n - 1);
	else
		longjmp(request_over, 1);
	sink = 0;
}

/* Never returns: all requests, then out of it. */
static void jump_serve(void)
{
	for (;;) {
		if (!setjmp(request_over))
			jump_request(2);
		jump_leaf(2);
		if (++served == WORKLOAD_JUMPS)
			longjmp(service_over, 1);
	}
}

/* Returns: whatever was skipped within is over then. */
static void jump_all(void)
{
	uint8_t i;

	for (i = 0; i < 5; i++)
		jump_try();
	if (!setjmp(service_over))
		jump_serve();
	jump_leaf(3);
}

WORKLOAD_QUIET uint32_t workload_jump(void)
{
	thrown = served = 0;
	sink = 0;
	jump_all();
	workload_breathe();
	return workload_mix(workload_mix(thrown, served), sink);
}
