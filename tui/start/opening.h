/*
 * opening: work at the start that may take long (a large ELF, a host that does not answer) runs in
 * a thread. Meanwhile a page shows its name and the elapsed time, and the user can leave.
 */
#ifndef WSNTOP_TUI_START_OPENING_H
#define WSNTOP_TUI_START_OPENING_H

#include "core/base/err.h"
#include "tui/config/keymap.h"
#include "tui/term/screen.h"

/* The thread's work: 0, or an exit status with err set. */
typedef int opening_work(void *ctx, struct err *err);

enum opening_end {
	OPENING_DONE,			/* *status is the work's */
	OPENING_LEFT,			/* the user left; the thread still uses ctx */
	OPENING_NO_SCREEN,		/* err has the reason; the work was done */
};

struct opening {
	opening_work *work;
	void *ctx;			/* not to be freed after OPENING_LEFT */
	const char *what;		/* "app.elf (104 MB)": for the page */
	const struct theme *theme;
	const struct keymap *keys;
	struct screen **screen;		/* created when a page is needed */
};

/* In the first 25 ms no page is shown: mostly the first picture, or the error, follows at once. */
enum opening_end opening_run(const struct opening *o, int *status, struct err *err);

#endif
