/*
 * rescue: the terminal made whole when the program dies: by a fatal signal (SIGSEGV and friends) or
 * an exit that did not pass by the screen. Private to tui/term/screen.c, and all of it one per process:
 * a signal's handler must reach it.
 */
#ifndef WSNTOP_TUI_TERM_RESCUE_H
#define WSNTOP_TUI_TERM_RESCUE_H

/* Before the terminal's modes are changed: what they are is kept. Nothing is to be written yet. */
void rescue_init(int fd);

/* One more byte of what is to be written then. Returns it, as tputs wants. */
int rescue_putc(int c);

void rescue_arm(void);
void rescue_disarm(void);		/* the terminal is whole */

#endif
