/*
 * relief: while a terminal that stands still holds the loop in a write, a thread keeps what nodes
 * send: a serial driver has room for 4 KB, a third of a second at 115200 baud.
 */
#ifndef WSNTOP_TUI_APP_RELIEF_H
#define WSNTOP_TUI_APP_RELIEF_H

struct nodes;

/* Around what may block; meanwhile the nodes may be looked at, not changed. */
void relief_begin(struct nodes *ns);
void relief_end(void);
void relief_stop(void);			/* the thread ends */

#endif
