/*
 * probe: the search for the baud rate: listen at each rate in turn until the bytes make sense. They
 * do if a decoder finds its packet format in them, or if they are text.
 *
 * Bytes and time go in, an answer comes out. The caller sets the line's rate (core/node/listen.c),
 * so that a test needs no line. Silence never advances the search; only bytes without sense do.
 */
#ifndef WSNTOP_FIND_PROBE_H
#define WSNTOP_FIND_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/wire/codemap.h"

enum {
	PROBE_BYTES = 1024,		/* received at a rate before it is given up, at most */
	PROBE_DEFAULT = 115200,
};

/* Bytes that arrive so soon after a change were sent at the old rate. */
#define PROBE_SETTLE_NS (CLOCK_SECOND / 33)

enum probe_sense {
	PROBE_NONSENSE,
	PROBE_TEXT,			/* printable */
	PROBE_PACKETS,
};

struct probe_score {
	enum probe_sense sense;
	char what[24];			/* "wsn packets", "text"; "" nonsense */
	double printable;		/* share of the bytes, 0..1 */
};

/* The kind of these bytes. `format`: NULL or "auto" any; `code` may be NULL. */
struct probe_score probe_score(const uint8_t *bytes, size_t n, const char *format,
			       const struct codemap *code);

/* The rates that are tried, the most likely first; ends with 0. Of the format "itm": SWO's. */
extern const long probe_rates[], probe_rates_swo[];

enum probe_answer {
	PROBE_LISTEN,			/* needs more bytes; those received are kept here */
	PROBE_CHANGE,			/* set the line to p->baud, then call probe_changed */
	PROBE_FOUND,			/* p->baud is right; p->bytes are to be decoded */
	PROBE_LOST,			/* no rate is right: set the line to p->baud, the first */
};

struct probe {
	long baud;			/* of the line, or to be set */
	long first, last;		/* tried first; given up last */
	size_t tried;			/* rates done with */
	const long *rates;		/* those that are tried */
	size_t next;			/* of them */
	uint8_t bytes[PROBE_BYTES];
	size_t count, judged;		/* bytes received at this rate; count at the last look */
	uint64_t heard_ns;		/* when the first of them arrived */
	uint64_t deaf_until;
	uint64_t dropped;		/* bytes of wrong rates */
	const char *format;
	const struct codemap *code;	/* the owner's: changed when the image changes */
	struct probe_score score;	/* of the last look */
};

/*
 * `first`: the port's rate of last time, which need be none of the list; 0: the list's first.
 * format and code are borrowed.
 */
void probe_init(struct probe *p, long first, const char *format, const struct codemap *code);

/* *used: how many were taken. PROBE_FOUND: p->bytes and then the others are to be decoded. */
enum probe_answer probe_feed(struct probe *p, uint64_t now, const uint8_t *bytes, size_t n,
			     size_t *used);
enum probe_answer probe_wait(struct probe *p, uint64_t now);	/* time passed */
void probe_changed(struct probe *p, uint64_t now);
void probe_forget(struct probe *p);		/* disconnected: drop the bytes of this rate */

/* When probe_wait is to be called, in ns; 0: not before bytes arrive. */
uint64_t probe_due(const struct probe *p);

#endif
