/*
 * currents: samples on their way to the sink, gathered into batches. Private to core/wire/power.
 *
 * Indices only grow. A hole in them ends a batch; whoever puts samples counts what is lost.
 */
#ifndef WSNTOP_WIRE_POWER_CURRENTS_H
#define WSNTOP_WIRE_POWER_CURRENTS_H

#include "core/wire/decoder.h"

enum { CURRENTS_MOST = 1024 };

struct currents {
	double hz;
	unsigned ppm;
	bool has_logic;
	bool again;			/* the next batch begins after the meter was away */
	uint64_t newest;		/* index of the newest that came, put or not */
	uint64_t first;
	size_t count;
	float amps[CURRENTS_MOST];
	uint8_t logic[CURRENTS_MOST];
};

static inline void currents_give(struct currents *c, struct wire *w)
{
	struct wire_current batch = {
		.first = c->first, .hz = c->hz, .ppm = c->ppm, .again = c->again, .amps = c->amps,
		.logic = c->has_logic ? c->logic : NULL, .count = c->count,
		.newest = c->first + c->count - 1,
	};

	if (!c->count)
		return;
	if (batch.newest < c->newest)
		batch.newest = c->newest;
	w->stats.events += c->count;
	c->count = 0;
	c->again = false;
	if (w->sink.current)
		w->sink.current(w->sink.ctx, &batch);
}

static inline void currents_put(struct currents *c, struct wire *w, uint64_t index, float amps,
				uint8_t logic)
{
	if (c->count == CURRENTS_MOST || index != c->first + c->count)
		currents_give(c, w);
	if (!c->count)
		c->first = index;
	c->amps[c->count] = amps;
	c->logic[c->count++] = logic;
}

#endif
