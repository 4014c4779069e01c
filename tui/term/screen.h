/*
 * screen: the terminal. Its files alone include curses.
 *
 * Gives a grid to draw into and shows it: curses sends what changed. Puts the terminal back whole
 * on screen_free, on exit, on a fatal signal (SIGSEGV and friends) and on suspend. The signals that
 * ask to leave or tell of a new size are signals.c's and the loop's: install them after screen_new,
 * curses has its own idea of them. screen_begin asks the terminal for its size each time.
 */
#ifndef WSNTOP_TUI_TERM_SCREEN_H
#define WSNTOP_TUI_TERM_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "tui/term/grid.h"
#include "tui/term/theme.h"

struct screen;

struct screen_mouse {
	int x, y;
	int button;			/* 1 click, 2 double click, 3 right click, 4 wheel up, 5 wheel down */
};

/* NULL when there is no terminal (with what to do: -B). */
struct screen *screen_new(const struct theme *theme, struct err *err);
void screen_free(struct screen *s);
void screen_theme(struct screen *s, const struct theme *theme);

/* The whole screen as a grid, cleared; borrowed until the next call. */
struct grid *screen_begin(struct screen *s);
void screen_end(struct screen *s, int cursor_x, int cursor_y);	/* show it; cursor -1: hidden */

size_t screen_cost(const struct screen *s);	/* bytes that the last screen_end wrote, about */

/* Next key without waiting: 0 none, a code point or an enum key. KEY_MOUSE_ fills *mouse. */
uint32_t screen_key(struct screen *s, struct screen_mouse *mouse);
void screen_mouse(struct screen *s, bool on);	/* off: the terminal's own, to mark text with */
int screen_fd(const struct screen *s);
void screen_redraw(struct screen *s);		/* everything anew at the next screen_end */
void screen_suspend(struct screen *s);		/* terminal back, SIGTSTP, and on again after SIGCONT */
void screen_resume(struct screen *s);		/* stopped and continued by someone else: take it anew */
void screen_leave(struct screen *s);		/* terminal back, for another program; screen_resume takes it */

/*
 * The terminal's clipboard gets a text (OSC 52), at most SCREEN_COPY_MAX bytes of it; inside tmux and
 * GNU screen by way of the terminal around them too. False: it could not be written. Whether the
 * terminal obeys, none says.
 */
#define SCREEN_COPY_MAX 65536
bool screen_copy(struct screen *s, const char *text, size_t n);


#endif
