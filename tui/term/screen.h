/*
 * screen: the terminal. Only its files include curses.
 *
 * It gives a grid to draw into and shows it: curses sends the changes. It restores the terminal on
 * screen_free, on exit, on a fatal signal (SIGSEGV and the like) and on suspend. The signals to
 * quit and of a new size belong to signals.c and the loop: install their handlers after screen_new,
 * which installs those of curses. screen_begin asks the terminal for its size each time.
 */
#ifndef WSNTOP_TUI_TERM_SCREEN_H
#define WSNTOP_TUI_TERM_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "tui/term/grid.h"
#include "tui/term/theme.h"

struct line;
struct screen;

struct screen_mouse {
	int x, y;
	int button;			/* 1 click, 2 double, 3 right click; wheel: 4 up, 5 down */
};

/* Further values of button: after a click of the left one. */
enum {
	SCREEN_DRAG = 6,		/* moved to another cell with the button held */
	SCREEN_RELEASE = 7,
};

/* NULL without a terminal; the sentence names -B. */
struct screen *screen_new(const struct theme *theme, struct err *err);
void screen_free(struct screen *s);
void screen_theme(struct screen *s, const struct theme *theme);

/* The whole screen as a grid, cleared; borrowed until the next call. */
struct grid *screen_begin(struct screen *s);
void screen_end(struct screen *s, int cursor_x, int cursor_y);	/* show it; cursor -1: hidden */

/*
 * Likewise, on a slow line a part of it: first the rows that reply to keys (the selected one, the
 * cursor's, the last). screen_more shows the next part. What is left may also be drawn again.
 */
void screen_end_part(struct screen *s, int cursor_x, int cursor_y);
void screen_more(struct screen *s);
bool screen_is_left(const struct screen *s);

/* Look how far the terminal is behind. Borrowed. */
const struct line *screen_line(struct screen *s, bool look);

/* The next key, without waiting: 0 none, a code point or an enum key. KEY_MOUSE_ fills *mouse. */
uint32_t screen_key(struct screen *s, struct screen_mouse *mouse);
void screen_mouse(struct screen *s, bool on);	/* off: the terminal keeps it, to select text */
int screen_fd(const struct screen *s);
void screen_redraw(struct screen *s);		/* the next screen_end sends all cells */
void screen_suspend(struct screen *s);		/* restore the terminal, stop, come back */
void screen_leave(struct screen *s);		/* restore the terminal for another program */
void screen_resume(struct screen *s);		/* after screen_leave, or SIGCONT from outside */

/*
 * Copy a text to the terminal's clipboard (OSC 52), at most SCREEN_COPY_MAX bytes of it; inside
 * tmux and GNU screen also to that of the terminal around them. False: it could not be written. A
 * terminal does not confirm the copy.
 */
#define SCREEN_COPY_MAX 65536
bool screen_copy(struct screen *s, const char *text, size_t n);

#endif
