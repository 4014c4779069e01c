/*
 * probe: which baud rate? Found by listening: at each rate in turn until what comes makes sense.
 *
 * Bytes and time go in, an answer comes out; what sets the line's rate is outside (node_listen.c), so
 * that all of this runs without a line. Silence is no reason to try another rate: only bytes that
 * make no sense are. What makes sense is a packet format that the decoders find, or text.
 */
#ifndef WSNTOP_FIND_PROBE_H
#define WSNTOP_FIND_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/wire/codemap.h"

enum {
	PROBE_BYTES = 1024,		/* heard at a rate before it is given up, at most */
	PROBE_DEFAULT = 115200,
};

/* What comes so soon after a change is still the old rate's. */
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

/* What bytes look like. `format`: NULL or "auto" any; `code` may be NULL. */
struct probe_score probe_score(const uint8_t *bytes, size_t n, const char *format,
			       const struct codemap *code);

/* The rates tried, the likeliest first; ends with 0. */
extern const long probe_rates[];

enum probe_answer {
	PROBE_LISTEN,			/* more is wanted; the bytes are kept here */
	PROBE_CHANGE,			/* set the line to p->baud, then call probe_changed */
	PROBE_FOUND,			/* p->baud it is; p->bytes are to be handed on */
	PROBE_LOST,			/* no rate makes sense: set the line to p->baud, the first */
};

struct probe {
	long baud;			/* listened at, or to be set */
	long first, last;		/* where it began; what was given up last */
	size_t tried;			/* rates done with */
	size_t next;			/* in probe_rates */
	uint8_t bytes[PROBE_BYTES];
	size_t count, judged;		/* bytes heard at this rate; of them looked at last */
	uint64_t heard_ns;		/* the first of them */
	uint64_t deaf_until;
	uint64_t dropped;		/* bytes of wrong rates */
	const char *format;
	const struct codemap *code;
	struct probe_score score;	/* of what was found */
};

/* `first`: 0 is 115200; what a port had last time. format and code are borrowed. */
void probe_init(struct probe *p, long first, const char *format, const struct codemap *code);

/* *used: how many of them were heard. Found: p->bytes and then the others are to be handed on. */
enum probe_answer probe_feed(struct probe *p, uint64_t now, const uint8_t *bytes, size_t n,
			     size_t *used);
enum probe_answer probe_wait(struct probe *p, uint64_t now);	/* time went by */
void probe_changed(struct probe *p, uint64_t now);
void probe_forget(struct probe *p);		/* the line went: what was heard at this rate */

/* Nanoseconds at which probe_wait wants to be called; 0: not before bytes come. */
uint64_t probe_due(const struct probe *p);

#endif
