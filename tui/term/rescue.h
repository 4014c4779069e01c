/*
 * rescue: restores the terminal when the program dies by a fatal signal (SIGSEGV and the like), or
 * exits without screen_free: that is curses, which ends a program where it gets no memory, with a
 * line that goes away with the screen. Private to tui/term/screen.c. There is one per process, at
 * file scope, because a signal handler must reach it. The stack of that handler is crash.c's; its
 * handlers come behind this one.
 */
#ifndef WSNTOP_TUI_TERM_RESCUE_H
#define WSNTOP_TUI_TERM_RESCUE_H

/* Keeps the terminal's modes: call it before they are changed. No bytes are to be written yet. */
void rescue_init(int fd);

/* One more byte to be written at the end. Returns it, as tputs requires. */
int rescue_putc(int c);

void rescue_arm(void);			/* before curses is called: it may crash, too */
void rescue_disarm(void);		/* the terminal is restored, or there will be no screen */

#endif
