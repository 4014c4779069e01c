/*
 * advice: what a user could do about a fact, as a code. core knows no key and no option: whoever
 * shows the fact's sentence puts this to words behind it (tui/config/advice.h).
 */
#ifndef WSNTOP_BASE_ADVICE_H
#define WSNTOP_BASE_ADVICE_H

enum advice {
	ADVICE_NONE,
	ADVICE_COMPARE,		/* what ran before is kept: it can be the baseline */
	ADVICE_BASELINE,	/* set a baseline */
	ADVICE_FORMAT,		/* name the packet format */
	ADVICE_BAUD,		/* set the baud rate, or name the packet format */
	ADVICE_FORCE,		/* replace what is there */
	ADVICE_DOCTOR,		/* check whether the image is instrumented */
	ADVICE_COUNT,
};

#endif
