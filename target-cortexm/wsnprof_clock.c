/* wsnprof_clock: the clock, and what is counted with it: the pace, and the run's ticks. */
#include <stddef.h>

#include "wsnprof_clock.h"
#include "wsnprof_cortexm.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define ICSR REGISTER(0xe000ed04)

#define DEMCR REGISTER(0xe000edfc)
#define DWT_CTRL REGISTER(0xe0001000)
#define DWT_CYCCNT REGISTER(WSNPROF_CYCCNT)
#define DWT_LAR REGISTER(0xe0001fb0)

#ifdef WSNPROF_CLOCK_ADDRESS
/* The application's timer, as it is. */
WSNPROF_INLINE uint32_t timer_read(void)
{
#ifdef WSNPROF_CLOCK_CAPTURE
	REGISTER(WSNPROF_CLOCK_CAPTURE) = 1;
#endif
	return REGISTER(WSNPROF_CLOCK_ADDRESS);
}
#endif

/* --- a clock of less than 32 bits ---------------------------------------------------------- */

#if WSNPROF_CLOCK_BOTH
#if WSNPROF_SITES > 0
#define READ_AT (wsnprof_hook.clock)
#else
const volatile uint32_t *wsnprof_clock_at;
#define READ_AT wsnprof_clock_at
#endif
#endif

#if WSNPROF_SYSTICK
/*
 * The count is `base` less SysTick's counter, and base grows by a round when the counter was
 * reloaded: it rose since it was read last; or it did not, but its interrupt is pending; or its
 * handler calls wsnprof_clock_tick(), and nobody saw the round that the handler stands for.
 */
#if WSNPROF_SITES > 0
#define COUNTER wsnprof_hook	/* the hooks read it themselves */
#else
static struct {
	uint32_t last, base;
} COUNTER;
#endif

/* Rounds seen for which no tick came yet: 2 and more without a handler that calls us. */
static uint8_t rounds_seen;

WSNPROF_INLINE uint32_t is_tick_pending(void)
{
	return ICSR >> 26 & 1;
}

uint32_t wsnprof_clock_round(uint32_t now)
{
	if (now > COUNTER.last || !rounds_seen) {
		COUNTER.base += SYST_RVR + 1;
		rounds_seen = rounds_seen ? 2 : 1;
	}
	COUNTER.last = now;
	return COUNTER.base - now;
}

/* Interrupts are off. */
WSNPROF_INLINE uint32_t soft_read(void)
{
	uint32_t pending = is_tick_pending();	/* first: a round that ends later is none of it */
	uint32_t now = SYST_CVR;

	if (pending || now > COUNTER.last)
		return wsnprof_clock_round(now);
	COUNTER.last = now;
	return COUNTER.base - now;
}

/* In SysTick's handler: interrupts are off. Each of its rounds has a tick, unless it came late. */
static WSNPROF_QUIET void round_tick(void)
{
	if (rounds_seen) {
		rounds_seen = rounds_seen > 1 && is_tick_pending();
		return;
	}
	COUNTER.base += SYST_RVR + 1;
#if WSNPROF_TIMED
	wsnprof_handler_delay(SYST_RVR + 1);
#endif
}

#elif WSNPROF_CLOCK_SOFT
static struct {
	uint32_t last;		/* as the register had it */
	uint32_t count;		/* ticks up to then */
} soft;

WSNPROF_INLINE uint32_t soft_read(void)
{
	uint32_t now = timer_read();
	uint32_t elapsed = WSNPROF_CLOCK_DOWN ? soft.last - now : now - soft.last;

	soft.last = now;
	return soft.count += elapsed & (uint32_t)((UINT64_C(1) << WSNPROF_CLOCK_BITS) - 1);
}
#endif

#if WSNPROF_CLOCK_SOFT
uint32_t wsnprof_clock_soft(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t count = soft_read();

	wsnprof_unlock(mask);
	return count;
}
#endif

void wsnprof_clock_tick(void)
{
#if WSNPROF_CLOCK_SOFT
	wsnprof_mask mask = wsnprof_lock();

	soft_read();
#if WSNPROF_SYSTICK
	if (wsnprof_exception() == WSNPROF_EXCEPTION_SYSTICK)
		round_tick();
#endif
	wsnprof_unlock(mask);
#endif
}

/* --- reading it ---------------------------------------------------------------------------- */

uint32_t wsnprof_clock(void)
{
#if defined(WSNPROF_CLOCK_INCLUDE)
	return wsnprof_clock_raw();
#elif WSNPROF_CLOCK_BOTH
	return READ_AT ? *READ_AT : wsnprof_clock_soft();
#elif WSNPROF_CLOCK_SOFT
	return wsnprof_clock_soft();
#else
	return timer_read();
#endif
}

#if !defined(WSNPROF_CLOCK_ADDRESS) && !defined(WSNPROF_CLOCK_INCLUDE)
#if WSNPROF_CLOCK_DIRECT
/* Turn CYCCNT on. Emulators and some clones have none: what is written must stay and go on. */
static WSNPROF_QUIET bool cyccnt_counts(void)
{
	DEMCR |= 1u << 24;		/* TRCENA */
	DWT_LAR = 0xc5acce55;		/* Cortex-M7's lock; nothing on others */
	DWT_CTRL |= 1;
	DWT_CYCCNT = 0x5000;
	return DWT_CYCCNT - 0x5000 < 0x1000 && DWT_CYCCNT != 0x5000;
}
#endif

/* A SysTick that is in use already stays as it is. */
static WSNPROF_QUIET void systick_on(void)
{
	if (SYST_CSR & 1)
		return;
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5;			/* the core's clock, no interrupt */
}

void wsnprof_clock_init(void)
{
#if WSNPROF_CLOCK_DIRECT
	if (cyccnt_counts()) {
		READ_AT = &DWT_CYCCNT;
		return;
	}
	READ_AT = NULL;
#endif
	systick_on();
	COUNTER.base = COUNTER.last = SYST_CVR;
	rounds_seen = 0;
}
#else
void wsnprof_clock_init(void)
{
}
#endif

/* A symbol of no bytes, for wsntop doctor: the clock is SysTick, whatever the core has. */
#if WSNPROF_SYSTICK && !WSNPROF_CLOCK_BOTH
__asm__(".globl wsnprof_clock_systick\nwsnprof_clock_systick = 1");
#endif

/* --- counting on --------------------------------------------------------------------------- */

static struct {
	uint32_t at;		/* the stamp up to which all is counted */
	uint32_t part;		/* of a count of the pace */
	uint16_t pace;
} ticks;

void wsnprof_run_from(uint32_t stamp)
{
	ticks.at = stamp;
}

uint16_t wsnprof_run_step(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t now = wsnprof_stamp();
	uint32_t elapsed = wsnprof_since(ticks.at, now);
	uint32_t part = ticks.part + elapsed;

	if (elapsed > 0)
		ticks.at = now;		/* else it went back, and counts again from where it was */
	ticks.pace = (uint16_t)(ticks.pace + (part >> WSNPROF_PACE_SHIFT));
	ticks.part = part & (WSNPROF_PACE_DEN - 1);
	if (wsnprof_on) {
		uint32_t low = wsnprof_counts.run[0] += elapsed;

		wsnprof_counts.run[1] += low < elapsed;
	}
	wsnprof_unlock(mask);
	return ticks.pace;
}

/* --- the sender's own time ------------------------------------------------------------------ */

#if WSNPROF_ASIDE
bool wsnprof_polling;

uint32_t wsnprof_poll_begin(void)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t since = wsnprof_stamp();

	wsnprof_polling = wsnprof_on;
	wsnprof_unlock(mask);
	return since;
}

/* The pace goes on as if no time had been taken. As in the hooks the clock is read last. */
void wsnprof_poll_end(uint32_t since)
{
	wsnprof_mask mask = wsnprof_lock();

	if (wsnprof_polling) {
		uint32_t *low = &wsnprof_counts.poll_low;
		uint32_t taken = wsnprof_hook.taken, clock = wsnprof_clock();

		taken = (WSNPROF_COUNTS_DOWN ? since - clock : clock - since) - taken;
		wsnprof_hook.taken += taken;
		ticks.part += taken;
		*low += taken;
		wsnprof_counts.poll_high += *low < taken;
		wsnprof_polling = false;
	}
	wsnprof_unlock(mask);
}
#endif
