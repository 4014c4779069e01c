/*
 * pack: records of core/wire/sim/sim.h, written to a descriptor. What is written blocks until it is
 * taken: a reader that is slow slows the simulation, and nothing is lost.
 */
#ifndef WSNTOP_SIM_SOURCE_PACK_H
#define WSNTOP_SIM_SOURCE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/sim/sim.h"

enum { PACK_MOST = 1 << 15 };		/* bytes of a record; what is more begins another */

/* A record that is gathered. */
struct pack_record {
	uint8_t type;
	size_t n;
	uint8_t bytes[PACK_MOST + 256];
};

struct pack {
	int fd;
	bool failed;			/* nobody reads any more */
	struct pack_record text, events, spent;
	uint64_t event_ticks;		/* of the event before */
	/* What another has to tell before a call, return or the like; NULL: nothing. */
	void (*before)(void *ctx);
	void *before_ctx;
};

void pack_begin(struct pack *p, int fd);
void pack_hello(struct pack *p, uint64_t hz, uint8_t arch, const char *name, const char *unit);
void pack_status(struct pack *p, uint64_t ticks, uint64_t asleep, uint64_t handlers, double pace);

/* A row: flags, from, to, calls, total, min, max, buckets. */
struct pack_row {
	bool handler;
	uint32_t from, to;
	uint64_t calls, total, min, max;
	uint64_t bucket[SIM_BUCKETS];
};

/* Bytes of stack that calls of a function took at most (sim.h). */
struct pack_depth {
	bool known;			/* else it is not told */
	uint32_t address, frame, use, depth;	/* depth + 1; 0: not known */
};

void pack_depths(struct pack *p, const struct pack_depth *rows, size_t count);
/* `open` calls at the deepest point; the innermost `count` of them, outermost first. */
void pack_stack(struct pack *p, uint32_t number, uint32_t base, uint32_t low, size_t open,
		const uint32_t *path, size_t count);
void pack_spent(struct pack *p, uint32_t address, uint64_t ticks);	/* of an instruction */
void pack_rows(struct pack *p, const struct pack_row *rows, size_t count);
void pack_text(struct pack *p, uint8_t byte);
void pack_event(struct pack *p, enum sim_event kind, unsigned lane, uint64_t ticks, uint32_t what);
/* STATE, VALUE, MARK. */
void pack_note(struct pack *p, enum sim_event kind, uint64_t ticks, uint32_t note, int64_t value);
/* `state`: of that one; NULL: of the note. */
void pack_name(struct pack *p, uint32_t note, const int64_t *state, bool real, const char *name);

struct pack_watched {
	uint32_t note;
	uint8_t way, refusal;
};

void pack_watched(struct pack *p, const struct pack_watched *of, size_t count);
void pack_flush(struct pack *p);

#endif
