/*
 * nested: SysTick at the highest priority interrupts the program, the ticker's handler, and what
 * both call, at every place: its periods are random. Where SysTick is the ticker there is nothing
 * to nest.
 */
#include "app.h"
#include "board.h"
#include "chip_clock.h"
#include "workload_port.h"
#include "wsnprof.h"

enum { TICKS = 400, PERIOD = 800, PERIODS = 1024, MARK_EVERY = 8 };

static volatile uint32_t ticks, systicks, work;

#if defined(WSNPROF_TRACE) && WSNPROF_TRACE
#define SYSTICK_MARK wsnprof_mark(WSNPROF_MARK("systick"))
#define MARKS_LOST wsntrace_notes_lost
#else
#define SYSTICK_MARK (void)0
#define MARKS_LOST 0
#endif

static __attribute__((noinline)) void step(void)
{
	work++;
}

static __attribute__((noinline)) void steps(uint32_t n)
{
	while (n--)
		step();
}

/* A tail call, where the compiler makes them. */
static __attribute__((noinline)) void last(uint32_t n)
{
	work += n;
	steps(n);
}

static __attribute__((noinline)) void deeper(uint32_t n)
{
	step();
	if (n)
		deeper(n - 1);
	last(n & 1);
	work++;
}

static void tick(void)
{
	steps(3);
	ticks++;
}

#ifndef CHIP_TICKER_IS_SYSTICK
static void systick(void)
{
	static uint32_t random;

	steps(systicks++ & 1);
	step();
	if (systicks % MARK_EVERY == 0)
		SYSTICK_MARK;
	random = random * 1664525 + 1013904223;
	SYST_RVR = PERIOD + random / 65536 % PERIODS;
}

static WORKLOAD_QUIET void systick_start(void)
{
	app_systick = systick;
	system_priority(EXCEPTION_SYSTICK, PRIORITY_HIGHEST);
	SYST_RVR = PERIOD - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

/* As the profiler turns it on. */
static WORKLOAD_QUIET void systick_stop(void)
{
	SYST_CSR = 0;
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5;
	system_priority(EXCEPTION_SYSTICK, PRIORITY_LOW);
	app_systick = 0;
}
#else
static WORKLOAD_QUIET void systick_start(void)
{
}

static WORKLOAD_QUIET void systick_stop(void)
{
}
#endif

/* How many marks of a trace were told. */
WORKLOAD_QUIET uint32_t workload_nested(void)
{
	ticks = 0;
	workload_ticker_start(200, tick);
	systick_start();
	while (ticks < TICKS) {
		steps(work >> 2 & 7);
		deeper(work & 3);
		workload_breathe();
	}
	systick_stop();
	workload_ticker_stop();
	return systicks / MARK_EVERY - MARKS_LOST;
}
