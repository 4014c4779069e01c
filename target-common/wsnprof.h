/*
 * wsnprof: a call-site profiler that lives in the firmware.
 *
 * The compiler calls two hooks around every function (-finstrument-functions). They keep a table
 * of call sites, with the calls and the total, shortest and longest time of each. wsnprof_poll()
 * prints it as text between the application's own output:
 *
 *	PROF:name:sites:max_sites:ticks_run:ticks_per_second
 *	0xfrom:0xto:calls:total:min:max			one a site; byte addresses in flash
 *	(an empty line)
 *	WSNPROF: 3 calls lost, stack full		only when something was lost
 *
 * `from` is the return address in the caller, `to` the function called. Times are inclusive, in
 * ticks; min and max stay at 65535 once they reach it; calls and total wrap at 2^32. A call
 * counts when it returns: a site with 0 calls was entered and never left (min is 65535 then).
 *
 * Nothing here allocates, blocks or waits. The memory is static, sized by wsnprof_config.h.
 *
 * Life cycle, all from the main program, never from an interrupt:
 *
 *	wsnprof_init();			clock on, table empty, nothing counted yet
 *	wsnprof_start();
 *	for (;;) { work(); wsnprof_poll(); }
 *
 * The hooks may run in interrupts: each is one short section with interrupts off, so calls made
 * from interrupts are counted under their own callers and none is lost to a lock. The time of an
 * interrupt belongs to the function it interrupts, as it does to that function's caller.
 *
 * Keep interrupt vectors out of the instrumentation
 * (-finstrument-functions-exclude-function-list=__vector_): a vector is "called" from wherever it
 * interrupts, and would fill the table with those places. What it calls may be instrumented.
 *
 * Limits. A function that never returns (main, a task's loop) stays on the call stack; so do the
 * frames that a longjmp skips. Both are dropped, and counted, when a function further out returns.
 * After a longjmp out of a call stack that was full, the depth is wrong until wsnprof_start().
 */
#ifndef WSNPROF_H
#define WSNPROF_H

#include <stdbool.h>
#include <stdint.h>

/* Keeps the runtime's own functions out of the profile, whatever flags it is built with. */
#define WSNPROF_QUIET __attribute__((no_instrument_function))

/* Clock on, table cleared. Profiling is off until wsnprof_start(). */
void wsnprof_init(void) WSNPROF_QUIET;

/*
 * Count from now on; what was counted before stays. Calls that are under way at this moment, and
 * those still under way at wsnprof_stop(), are not counted.
 */
void wsnprof_start(void) WSNPROF_QUIET;
void wsnprof_stop(void) WSNPROF_QUIET;

/* Forget everything counted; on or off stays as it is. A report under way ends early. */
void wsnprof_reset(void) WSNPROF_QUIET;

/*
 * Put at most one line of a report into the transmit ring, if it fits; begins a report when one
 * is due (WSNPROF_PERIOD_MS) or asked for. True: it wrote one, call again when there is time.
 * False: nothing to write now, or no room. While profiling is stopped no report comes due. On AVR a
 * line takes about 4,000 cycles, an idle call 100.
 */
bool wsnprof_poll(void) WSNPROF_QUIET;

/* Ask for a report now, after the one under way. wsnprof_poll() writes it; see wsnprof_idle(). */
void wsnprof_report(void) WSNPROF_QUIET;

/* No report is under way or asked for, and every byte has been handed to the port's driver. */
bool wsnprof_idle(void) WSNPROF_QUIET;

/*
 * The application's characters, on the same port: callable from anywhere, interrupts too. False:
 * no room, the character is dropped and counted. Rows of a report are never torn by them. A line of
 * text is, at a row's beginning, when wsnprof_poll() is called while it is unfinished.
 */
bool wsnprof_putchar(char c) WSNPROF_QUIET;

#endif
