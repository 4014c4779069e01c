/*
 * watch: what wsntop wants to be told of (core/wire/sim/sim.h, WATCH), in a helper that sees every
 * access of the firmware.
 *
 * A variable that is wider than one store is told once all of its bytes are written, at the time of
 * the last of these stores: a processor of 8 bits writes them one by one. A store that was the only
 * one (a bit set in one byte) is told when something else happens, or after WATCH_WAIT ticks, with
 * its own time. A handler that strikes between the stores has them wait; one that reads what is
 * half written is told of.
 */
#ifndef WSNTOP_SIM_SOURCE_WATCH_H
#define WSNTOP_SIM_SOURCE_WATCH_H

#include "core/wire/wire.h"
#include "sim/source/pack.h"

enum { WATCH_WAIT = 24 };

struct watch_point {
	struct wire_watchpoint is;	/* without its name */
	uint8_t bytes[8];		/* of a variable, as they were last */
	uint8_t seen;			/* of these were accessed, a bit each, and not told yet */
	bool stored;			/* by stores */
	bool known;			/* it was watched before this WATCH */
	int64_t told;			/* the newest: a neighbour's store is none to a bit-field */
	uint64_t at;			/* ticks of the last */
	bool in_handler;		/* that did it */
};

struct watches {
	struct watch_point of[WIRE_WATCHES];
	size_t count;
	unsigned waiting;		/* with a `seen` */
	bool loads, stores, marks;	/* some point wants them */
	bool in_handler;		/* a handler runs ... */
	uint64_t resumed;		/* ... or did until then (watches_handlers) */
	struct pack *pack;
	/* The simulator's own; false: there is no such memory. */
	bool (*read)(void *ctx, uint32_t address, uint8_t *dst, unsigned n);
	/* REFUSED_NOT: it can be watched. NULL: everything can */
	enum wire_watch_refusal (*refuse)(void *ctx, const struct wire_watchpoint *p);
	void *ctx;
};

/* ctx and functions are set; what waits is told before anything else that the pack is given. */
void watches_init(struct watches *w, struct pack *pack);

/* The body of a WATCH. False: it contradicts itself, and nothing has changed. */
bool watches_take(struct watches *w, const uint8_t *body, size_t n, uint64_t now);

/*
 * Memory was accessed; a store is over already. Loads matter where w->loads, and while something
 * waits.
 */
void watches_access(struct watches *w, uint32_t address, unsigned size, bool store, uint64_t now);

/* What waits for more accesses and had its time; all that waits. */
void watches_settle(struct watches *w, uint64_t now);
void watches_flush(struct watches *w);

/* A handler runs from here on, or the last one ended. */
void watches_handlers(struct watches *w, bool run, uint64_t now);

void watches_mark(struct watches *w, uint16_t number, uint64_t now);

/* A call of the function that begins there, or that handler, is to be told though no other is. */
bool watches_want(const struct watches *w, uint32_t function, bool handler);

#endif
