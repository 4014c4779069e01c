/*
 * crash: what wsntop says when it dies by a fault of its own (SIGSEGV and the like, abort()).
 *
 * A line on standard error names the signal and the file with the backtrace, one more each
 * recording that was being written: it is whole up to its last chunk, since each chunk is one
 * write(2). The report is crash-PID.txt in the state folder; where no file can be made it is on
 * standard error. Then the signal ends the program as it would have, with its status and its core
 * dump. The terminal was restored before (rescue.c).
 *
 * One per process, at file scope, because a signal handler must reach it. The handler calls nothing
 * but system calls and the unwinder, allocates nothing, and ends after 10 seconds at most.
 */
#ifndef WSNTOP_TUI_TERM_CRASH_H
#define WSNTOP_TUI_TERM_CRASH_H

/* Once, first: before any thread, and before what else handles these signals. */
void crash_init(void);

/* A line for each recording that is being written, on standard error. */
void crash_recordings_say(void);

#endif
