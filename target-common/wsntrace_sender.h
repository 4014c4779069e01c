/* wsntrace_sender: what the parts of a call trace's sender share. For the runtime's own files. */
#ifndef WSNTRACE_SENDER_H
#define WSNTRACE_SENDER_H

#include "wsnprof_node.h"
#include "wsntrace_pack.h"
#include "wsntrace_send.h"

#if WSNPROF_STACK > WSNPROF_TRACE_HANDLERS
#define WSNTRACE_LEVELS WSNPROF_STACK
#else
#define WSNTRACE_LEVELS WSNPROF_TRACE_HANDLERS
#endif

/* What the sender knows of a lane: where the tokens end that it has sent. */
struct wsntrace_sender {
	struct wsntrace_lane *lane;	/* NULL: no task has it */
	uint8_t number;			/* of the next frame */
	uint8_t age;			/* frames since the table was forgotten */
	uint8_t depth;			/* calls open at the next frame's beginning; see `ids` */
	uint8_t peak;			/* the greatest in the frame before */
	uint8_t fill;			/* of the tokens when it was made */
	uint8_t rising;			/* frames before which more came than went */
	bool fresh;			/* STACK is due */
	bool resync;			/* tokens were dropped behind the last frame */
	bool forget;			/* its table is to be forgotten */
	uint16_t stamp;			/* the newest that was sent */
#if WSNPROF_TRACE_LONG
	bool at_stamp;			/* nothing came behind it */
#endif
	uint32_t untold;		/* calls that were counted alone, as that said */
	uint32_t since;			/* when a frame was made, or nothing waited */
	/* the first `aged` bytes that wait are older than this, and newer than that */
	uint32_t age_begins, age_ends;
	uint8_t aged;
	uint16_t ids[WSNTRACE_LEVELS];
#if WSNPROF_TRACE_PACK
	bool begun;		/* a frame; its first byte; when a token last came into it */
	uint8_t head;
	uint32_t packed;
	struct wsntrace_pack pack;
#endif
};

extern struct wsntrace_sender wsntrace_senders[WSNTRACE_LANES];

#define WSNTRACE_EACH(s) \
	(struct wsntrace_sender *s = wsntrace_senders; \
	 s != wsntrace_senders + WSNTRACE_LANES; s++) \
		if (!WSNPROF_TASKS || s->lane)

/* The sender runs in it. */
WSNPROF_INLINE bool wsntrace_is_own(const struct wsntrace_sender *s)
{
	return WSNPROF_TASKS ? wsntrace_is_live(s->lane) : s == wsntrace_senders;
}

/* What the hooks keep for the live lane is not in its struct, on AVR. */
#define WSNTRACE_KEPT(s, what) \
	(*(wsntrace_is_own(s) ? &WSNTRACE_LIVE((s)->lane).what : &(s)->lane->is.what))

/* sp without the calls in a box; with the box's own. */
#ifdef WSNTRACE_BOX_HASH
#define WSNTRACE_TOLD_SP(lane, sp) ((lane)->is.mode & WSNTRACE_BOX ? (lane)->is.box_sp : (sp))
#else
#define WSNTRACE_TOLD_SP(lane, sp) (sp)
#endif

/* Ticks; older stamps cannot be told apart. */
#define WSNTRACE_STAMPS_REACH (UINT32_C(0x8000) << WSNTRACE_SHIFT)

/* A frame of it waits for more tokens, or for the line. */
WSNPROF_INLINE bool wsntrace_is_begun(const struct wsntrace_sender *s)
{
#if WSNPROF_TRACE_PACK
	return s->begun;
#else
	(void)s;
	return false;
#endif
}

extern bool wsntrace_announced;		/* TRACING is due */

void wsntrace_table_clear(struct wsntrace_lane *l) WSNPROF_QUIET;

#if WSNPROF_TRACE_PACK
/*
 * Some tokens before `end` go into the frame that was begun, whose time is `packed`. Returns the
 * place behind them.
 */
uint8_t wsntrace_pack_take(struct wsntrace_sender *s, uint8_t end) WSNPROF_QUIET;
#else
/*
 * Tokens before `end` as long as they fit, to p; the frame's time is `since`. A stamp that counts
 * from one in another frame says all; those that may be too old for 16 bits are left out. Returns
 * the end; *taken: the place behind the last.
 */
uint8_t *wsntrace_take(struct wsntrace_sender *s, uint8_t *p, uint8_t end,
		       uint8_t *taken) WSNPROF_QUIET;
#endif

/* Where those end that no open call takes back. */
uint8_t wsntrace_pinned(const struct wsntrace_sender *s) WSNPROF_QUIET;

/* Those before `taken` are gone; those before `end` stay as they are. */
void wsntrace_shift(struct wsntrace_sender *s, uint8_t taken, uint8_t end) WSNPROF_QUIET;

#endif
