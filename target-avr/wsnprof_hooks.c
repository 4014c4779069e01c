/* wsnprof_hooks: what the compiler calls around every instrumented function, and the clock. */
#include "wsnprof_table.h"

#if FLASHEND > 0x1ffff
#error "return addresses of 3 bytes: the compiler passes the hooks only two of them"
#endif

volatile uint16_t wsnprof_wraps;

void __cyg_profile_func_enter(void *callee, void *call_site) WSNPROF_QUIET;
void __cyg_profile_func_exit(void *callee, void *call_site) WSNPROF_QUIET;

void __cyg_profile_func_enter(void *callee, void *call_site)
{
	if (wsnprof_running)
		wsnprof_enter((wsnprof_address)call_site, (wsnprof_address)callee);
}

void __cyg_profile_func_exit(void *callee, void *call_site)
{
	if (wsnprof_running)
		wsnprof_leave((wsnprof_address)call_site, (wsnprof_address)callee);
}

ISR(TIMER1_OVF_vect, WSNPROF_QUIET)
{
	wsnprof_wraps++;
}

#if WSNPROF_PRESCALE == 1
#define CLOCK_SELECT (_BV(CS10))
#elif WSNPROF_PRESCALE == 8
#define CLOCK_SELECT (_BV(CS11))
#elif WSNPROF_PRESCALE == 64
#define CLOCK_SELECT (_BV(CS11) | _BV(CS10))
#elif WSNPROF_PRESCALE == 256
#define CLOCK_SELECT (_BV(CS12))
#elif WSNPROF_PRESCALE == 1024
#define CLOCK_SELECT (_BV(CS12) | _BV(CS10))
#else
#error "WSNPROF_PRESCALE: 1, 8, 64, 256 or 1024"
#endif

void wsnprof_clock_init(void)
{
	uint8_t lock = wsnprof_lock();

	TCCR1A = 0;
	TCCR1B = CLOCK_SELECT;
	TIMSK1 = _BV(TOIE1);
	wsnprof_unlock(lock);
}
