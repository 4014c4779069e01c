/*
 * frames: when the screen is drawn.
 *
 * At once after a key, as soon as the terminal takes bytes, with the figures of the frame before
 * where newer ones take long (pane_sync). For what arrives, five times a second; once a second for
 * the header's clock. Such frames wait until the terminal has shown what it was
 * sent (tui/term/line.h), and on a slow line each is sent in parts: the reply to a key never waits
 * behind seconds of numbers.
 */
#ifndef WSNTOP_TUI_APP_FRAMES_H
#define WSNTOP_TUI_APP_FRAMES_H

#include <stdint.h>

struct ui;

#define FRAMES_NEVER UINT64_MAX

struct frames {
	uint64_t last;			/* clock_now() at the last one */
	uint64_t fresh;			/* at the last one that the user did not ask for; */
	uint64_t interval;		/* to the next of these */
};

#define FRAMES_INIT { .interval = CLOCK_SECOND / 5 }

/* When the next one is due; the loop sleeps until then. */
uint64_t frames_due(const struct ui *u, const struct frames *f);

/* Draw if it is due: nothing if frames_due() is later than now. */
void frames_draw(struct ui *u, struct frames *f);

#endif
