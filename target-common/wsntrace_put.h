/*
 * wsntrace_put: what the slow parts of a call trace do with the live lane while it is held
 * (wsntrace_lane.h). For the runtime's own files.
 */
#ifndef WSNTRACE_PUT_H
#define WSNTRACE_PUT_H

#include "wsntrace_send.h"

/* Bytes of tokens, at most; the last: of all that a call may need. */
enum {
	WSNTRACE_STAMP_BYTES = 3,
	WSNTRACE_OPEN_BYTES = 3,
	WSNTRACE_BOX_BYTES = 10,
	WSNTRACE_BOX_REF_BYTES = 2 + WSNTRACE_REF_BYTES,
	WSNTRACE_GAP_BYTES = 7,
	WSNTRACE_NOTE_BYTES = 10,
	WSNTRACE_CALL_MAX = WSNTRACE_STAMP_BYTES + WSNTRACE_OPEN_BYTES + WSNTRACE_GAP_BYTES,
};

/* Tokens of n bytes end before `end`. */
WSNPROF_INLINE bool wsntrace_has_room(const struct wsntrace_lane *l, uint8_t n, uint8_t end)
{
	return l->is.w_true + n <= end;
}

WSNPROF_INLINE void wsntrace_put(struct wsntrace_lane *l, uint8_t byte)
{
	l->tokens[l->is.w_true++] = byte;
}

void wsntrace_put_16(struct wsntrace_lane *l, uint16_t v) WSNPROF_QUIET;
void wsntrace_put_varint(struct wsntrace_lane *l, uint32_t v) WSNPROF_QUIET;

/* `always`: also where the one before says it. */
void wsntrace_put_stamp(struct wsntrace_lane *l, bool always) WSNPROF_QUIET;
void wsntrace_put_stamp_of(struct wsntrace_lane *l, uint16_t now, bool always) WSNPROF_QUIET;

/* Of the call or return that is told next, alone. */
void wsntrace_put_stamp_own(struct wsntrace_lane *l, uint16_t now) WSNPROF_QUIET;

/* The innermost open call's: it begins; behind what it calls. */
#define WSNTRACE_MARK_BOX 0xb0
#define WSNTRACE_MARK_GAP 0xa0
#define WSNTRACE_MARK_KNOWN 0xc0
void wsntrace_hash_begin(struct wsntrace_lane *l, uint16_t id) WSNPROF_QUIET;
void wsntrace_hash_leaf(struct wsntrace_lane *l, uint16_t id) WSNPROF_QUIET;
void wsntrace_hash_call(struct wsntrace_lane *l, struct wsntrace_hash call) WSNPROF_QUIET;
void wsntrace_hash_known(struct wsntrace_lane *l, struct wsntrace_hash call) WSNPROF_QUIET;
void wsntrace_hash_box(struct wsntrace_lane *l, uint16_t id, uint32_t n) WSNPROF_QUIET;

/* A call begins; the innermost returns; the call that is counted alone does. */
void wsntrace_call_enter(struct wsntrace_lane *l, uint16_t id) WSNPROF_QUIET;
void wsntrace_call_exit(struct wsntrace_lane *l) WSNPROF_QUIET;
void wsntrace_box_end(struct wsntrace_lane *l) WSNPROF_QUIET;

/* longjmp() leaves it, or a call in it. */
void wsntrace_box_leave(struct wsntrace_lane *l) WSNPROF_QUIET;

/* The chip's: a handler begins and ends, where its hooks do not see to it. */
void wsntrace_handler_begin(uint16_t id) WSNPROF_QUIET;
void wsntrace_handler_end(void) WSNPROF_QUIET;

#endif
