/*
 * wsnprof_node: the sender's state, for its parts: refreshes (wsnprof_send.c), the program's
 * checksum (wsnprof_identity.c), commands (wsnprof_receive.c), the text report (wsnprof_text.c).
 * The main program's alone; interrupts touch none of it. wsnprof_layout.h has the structs.
 */
#ifndef WSNPROF_NODE_H
#define WSNPROF_NODE_H

#include "wsnprof_ring.h"

extern struct wsnprof_node wsnprof_node;

/* Milliseconds in counts of wsnprof_pace(). */
#define WSNPROF_PACE(ms) ((uint64_t)(ms) * WSNPROF_PACE_NUM / WSNPROF_PACE_DEN / 1000)

/* The next frame of a refresh, or a look for one; false: none is left. */
bool wsnprof_send(void) WSNPROF_QUIET;

/* Begin a refresh that sends HELLO and every row, changed or not: start, stop, reset, a command. */
void wsnprof_refresh(void) WSNPROF_QUIET;

extern struct wsnprof_identity wsnprof_identity;

/*
 * While its kind is NONE: sums up the next slice. The first HELLO, and all frames after it, wait
 * until the checksum is complete. False: there will be none (the program's end is unknown), so that
 * nothing waits.
 */
bool wsnprof_identity_step(void) WSNPROF_QUIET;

#if WSNPROF_RECEIVE
/* Carry out a command that came in. */
void wsnprof_receive_step(void) WSNPROF_QUIET;
#endif

#if WSNPROF_TEXT
/* A report's next line; false: no report is under way. */
bool wsnprof_text_step(void) WSNPROF_QUIET;
bool wsnprof_text_idle(void) WSNPROF_QUIET;
#endif

#endif
