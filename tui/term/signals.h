/*
 * signals: the signal handlers, and the only state that they change: a flag and a pipe.
 *
 * Batch: SIGINT, SIGTERM and SIGHUP set the flag, and the run ends as at the end of its input; a
 * second signal of the same kind kills. Screen: each signal becomes a byte in a pipe that the poll
 * loop reads. Fatal signals (SIGSEGV and the like) belong to rescue.c: they concern the terminal.
 */
#ifndef WSNTOP_TUI_TERM_SIGNALS_H
#define WSNTOP_TUI_TERM_SIGNALS_H

#include <signal.h>

#include "core/base/err.h"

extern volatile sig_atomic_t signals_stop;

void signals_batch(void);

/* A descriptor that is readable after a signal, or -1 with err set. */
int signals_pipe(struct err *err);
int signals_next(void);		/* the next signal's number, 0: none */

#endif
