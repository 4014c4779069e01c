/*
 * itm/framing: are there frames of a TPIU around the packets, and where do they begin?
 *
 * The user need not say: of raw packets and the sixteen places where a frame may begin, the right
 * one has PCs in code, or even ones near each other, and no byte that is no packet. A TPIU's own
 * synchronization is not awaited: a pin that one program alone uses may have none.
 */
#ifndef WSNTOP_WIRE_ITM_FRAMING_H
#define WSNTOP_WIRE_ITM_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/codemap.h"

enum { FRAMING_RAW = -1, FRAMING_LEAST = 256, FRAMING_MOST = 4096 };

struct itm_framing {
	int phase;			/* bytes before the first frame, or FRAMING_RAW */
	uint8_t stream;			/* of the TPIU */
	int score, second;		/* how plausible it is; the next best one */
	unsigned pcs, in_code;
};

/* The most plausible one. `code` may be NULL. True: it is surely that. */
bool itm_framing_find(struct itm_framing *f, const uint8_t *p, size_t n,
		      const struct codemap *code);

#endif
