/*
 * signals: what signal handlers may touch, and nothing else: a flag and a pipe.
 *
 * Batch: SIGINT, SIGTERM and SIGHUP raise a flag, the run ends as at the end of its input; a second
 * one of the kind kills. Screen: every signal becomes a byte in a pipe that the poll loop reads.
 * Fatal signals (SIGSEGV and friends) are screen.c's: they concern the terminal.
 */
#ifndef WSNTOP_TUI_TERM_SIGNALS_H
#define WSNTOP_TUI_TERM_SIGNALS_H

#include <signal.h>

#include "core/base/err.h"

extern volatile sig_atomic_t signals_stop;

void signals_batch(void);

/* A descriptor that is readable when a signal came, or -1 with err set. */
int signals_pipe(struct err *err);
int signals_next(void);		/* the next signal's number, 0: none */

#endif
