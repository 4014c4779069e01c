/*
 * wsntrace_pack: the tokens of a frame, packed (docs/PROTOCOL.md, 9): each is predicted from the
 * one before, and an adaptive binary range coder writes how that went. All of it is reset with each
 * frame, so that a frame can be read without any other. For the runtime's own files.
 */
#ifndef WSNTRACE_PACK_H
#define WSNTRACE_PACK_H

#include "wsnprof_send.h"
#include "wsntrace_send.h"

#if WSNPROF_TRACE_PACK

#if WSNTRACE_REF_BYTES > 2
typedef uint32_t wsntrace_value;
#else
typedef uint16_t wsntrace_value;
#endif

enum wsntrace_kind {
	WSNTRACE_KIND_STAMP, WSNTRACE_KIND_REF, WSNTRACE_KIND_LEAF, WSNTRACE_KIND_OPEN,
	WSNTRACE_KIND_CLOSE, WSNTRACE_KIND_OTHER, WSNTRACE_KIND_BOX,
	WSNTRACE_KIND_STAMP_OWN,
};

#define wsntrace_kind_is_stamp(kind) \
	((kind) == WSNTRACE_KIND_STAMP || (kind) == WSNTRACE_KIND_STAMP_OWN)

/* Bytes of a frame behind its calls that were counted; what one token may take behind them. */
#define WSNTRACE_PACK_ROOM (WSNPROF_BODY_END - WSNPROF_HEAD - 11)
#define WSNTRACE_PACK_SPARE 18

#define WSNTRACE_PACK_SLOTS 64
#define WSNTRACE_PACK_CHANCES 59

struct wsntrace_pack {
	/* the range coder: the interval, of 8 bits; bits that may get a carry */
	uint8_t range, pending;
	uint16_t low;
	uint8_t at;			/* bytes of `body` that it has written */
	/* plain bits, from the end of `body` on: whole bytes; those that are not */
	uint8_t behind, held;
	uint16_t window;
	uint8_t counted;		/* place of the number of tokens */
	bool full;			/* no token more */
	bool stamped;			/* in this frame */
	uint16_t stamp;			/* the last one */
	uint8_t place;			/* of the last token that is no stamp */
	uint8_t stamps;			/* behind it, at most 2 */
	/* what came last time at a place: 3 bits the kind, 2 how often in a row it did */
	uint8_t kind[WSNTRACE_PACK_SLOTS];
	wsntrace_value value[WSNTRACE_PACK_SLOTS];	/* of a stamp: units since the one before */
	uint8_t chance[WSNTRACE_PACK_CHANCES];		/* of a 0, of 256 */
	uint8_t body[WSNTRACE_PACK_ROOM + WSNTRACE_PACK_SPARE];
};

/* Behind the first `at` bytes of the body. */
void wsntrace_pack_begin(struct wsntrace_pack *k, uint8_t at) WSNPROF_QUIET;

/* A token; `bytes`, `n`: of one that is OTHER. False: the frame is full, without it. */
bool wsntrace_pack_put(struct wsntrace_pack *k, uint8_t kind, wsntrace_value value,
		       const uint8_t *bytes, uint8_t n) WSNPROF_QUIET;

/* Full: the body is `at` bytes. */
void wsntrace_pack_end(struct wsntrace_pack *k) WSNPROF_QUIET;

#endif

#endif
