/*
 * rounds: SysTick is the application's tick, 1 kHz, and the profiler's clock: functions that run
 * through many of its rounds without a call. The handler's latency is always the same, so that the
 * counter stands where it stood a round before.
 *
 * In the second half the handler calls an instrumented function that calls wsnprof_clock_tick(), as
 * a tick hook of an RTOS may. The handler itself is not instrumented; on the microbit, whose ticker
 * is SysTick, it is (port.c), unless the build defines TICKER_QUIET.
 */
#include "app.h"
#include "board.h"
#include "chip_clock.h"
#include "workload_port.h"
#include "wsnprof_cortexm.h"

enum { ROUND = BOARD_HZ / 1000, ROUNDS = 100 };

static volatile uint32_t ticks, work;

void (*app_systick)(void);

void SysTick_Handler(void) WORKLOAD_QUIET;

static void tick_hook(void)
{
	wsnprof_clock_tick();
	ticks++;
}

static WORKLOAD_QUIET void tick_count(void)
{
	if (ticks > ROUNDS) {
		tick_hook();
		return;
	}
	wsnprof_clock_tick();
	ticks++;
}

#ifdef CHIP_TICKER_IS_SYSTICK
static WORKLOAD_QUIET void tick_start(void)
{
	workload_ticker_start(1000, tick_count);
}
#else
void SysTick_Handler(void)
{
#if defined(WSNPROF_TRACE) && WSNPROF_TRACE
	if (app_systick) {
		app_systick();
		return;
	}
#endif
	tick_count();
}

static WORKLOAD_QUIET void tick_start(void)
{
	SYST_RVR = ROUND - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}
#endif

/* As the profiler turned it on. */
static WORKLOAD_QUIET void tick_stop(void)
{
	SYST_CSR = 0;
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5;
}

static void rounds_busy(uint32_t ticks_of_clock)
{
	uint32_t begun = board_clock();

	while (board_clock() - begun < ticks_of_clock)
		;
}

static void rounds_delay(uint32_t n)
{
	uint32_t begun = ticks;

	while (ticks - begun < n)
		;
}

static void rounds_short(void)
{
	work++;
}

/* A round and more without a call, then a call while the tick waits. */
static void rounds_masked(void)
{
	uint32_t begun = ticks;

	while (ticks - begun < 3)
		;
	__asm__ volatile("cpsid i" : : : "memory");
	begun = board_clock();
	while (board_clock() - begun < ROUND / 2)
		;
	while (!(ICSR & ICSR_PENDSTSET))
		;
	begun = board_clock();
	while (board_clock() - begun < ROUND / 8)
		;
	rounds_short();
	rounds_short();
	__asm__ volatile("cpsie i" : : : "memory");
	rounds_short();
}

WORKLOAD_QUIET uint32_t workload_rounds(void)
{
	uint32_t i;

	ticks = 0;
	tick_start();
	for (i = 0; i < 2; i++) {
		rounds_busy(ROUNDS / 2 * ROUND);
		rounds_delay(ROUNDS / 4);
		rounds_masked();
		rounds_delay(ROUNDS / 4);
		rounds_short();
	}
	tick_stop();
	return ticks > 2 * ROUNDS;
}
