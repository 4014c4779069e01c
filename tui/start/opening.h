/*
 * opening: what takes long at the start (a large ELF, a host that does not answer) does not keep the
 * screen or the keys waiting: it is done by a thread, and a page says what and since when.
 */
#ifndef WSNTOP_TUI_START_OPENING_H
#define WSNTOP_TUI_START_OPENING_H

#include "core/base/err.h"
#include "tui/config/keymap.h"
#include "tui/term/screen.h"

/* What the thread does: 0, or an exit status with err set. */
typedef int opening_work(void *ctx, struct err *err);

enum opening_end {
	OPENING_DONE,			/* *status is the work's */
	OPENING_LEFT,			/* the user left: the thread still works, nothing of ctx may be freed */
	OPENING_NO_SCREEN,		/* err says why; the work is done nevertheless */
};

struct opening {
	opening_work *work;
	void *ctx;
	const char *what;		/* "app.elf (104 MB)": for the page */
	const struct theme *theme;
	const struct keymap *keys;
	struct screen **screen;		/* made when it takes so long that a page is needed */
};

/* Up to a 40th of a second no page is shown: the user sees the first picture, or the error. */
enum opening_end opening_run(const struct opening *o, int *status, struct err *err);

#endif
