/*
 * settle: whether the program has done all that was typed. The screen is looked at between two
 * frames; how long it is waited for counts in the program's own sleep, so that a machine that gives
 * it no time cannot make a step fail.
 */
#ifndef WSNTOP_TESTS_SCREEN_SETTLE_H
#define WSNTOP_TESTS_SCREEN_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

enum { SETTLE_WATCHDOG_MS = 5 * 60 * 1000 };	/* until a program that never sleeps hangs */

/* Zeroed at first. */
struct settle { uint64_t began, last, slept; };

/* Take what comes for a while; false: what is waited for will not come any more. */
bool settle_more(struct settle *p);

/*
 * Between two frames, or what it shows of a frame that it does not end for long: true if it is
 * idle.
 */
bool settle_frame(void);
void settle_idle(void);			/* until it has done what was typed */
void settle_output(int ms);		/* until nothing came for so long */
void settle_keys(void);	/* all that was typed is read, unless it is stopped, and a frame drawn */
void settle_escape(void);		/* an escape was typed that is alone */

#endif
