/* meter_heard: what a meter's decoder told, sample by sample. */
#ifndef WSNTOP_TESTS_METER_HEARD_H
#define WSNTOP_TESTS_METER_HEARD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wire/wire.h"

enum { HEARD_MOST = 1 << 18 };

struct heard {
	struct wire *wire;
	uint64_t count, hash, next, again, holes;
	double hz, sum;
	bool wrong;			/* an index that does not grow, a current that is none */
	bool calibrated;
	char model[32], trouble[240];
	uint64_t index[HEARD_MOST];
	float amps[HEARD_MOST];
	uint8_t logic[HEARD_MOST];
};

static inline void heard_current(void *ctx, const struct wire_current *c)
{
	struct heard *h = ctx;

	h->wrong |= h->count && (c->first < h->next || (h->hz != c->hz));
	h->hz = c->hz;
	h->again += c->again;
	if (h->count)
		h->holes += c->first - h->next;
	for (size_t i = 0; i < c->count; i++) {
		uint32_t bits;

		memcpy(&bits, &c->amps[i], sizeof(bits));
		h->hash = (h->hash ^ (c->first + i) ^ (uint64_t)bits << 20 ^
			   (c->logic ? (uint64_t)c->logic[i] << 56 : 0)) * UINT64_C(0x100000001b3);
		h->sum += (double)c->amps[i];
		h->wrong |= !(c->amps[i] > -1e9f && c->amps[i] < 1e9f);
		if (h->count < HEARD_MOST) {
			h->index[h->count] = c->first + i;
			h->amps[h->count] = c->amps[i];
			h->logic[h->count] = c->logic ? c->logic[i] : 0;
		}
		h->count++;
	}
	h->next = c->first + c->count;
	h->wrong |= !c->count;
}

static inline void heard_meter(void *ctx, const struct wire_meter *m)
{
	struct heard *h = ctx;

	h->calibrated = m->calibrated;
	snprintf(h->model, sizeof(h->model), "%s", m->model);
	snprintf(h->trouble, sizeof(h->trouble), "%s", m->trouble);
}

static inline struct heard *heard_new(const char *format, const struct wire_meter_options *o)
{
	struct heard *h = calloc(1, sizeof(*h));
	struct wire_options options = { .meter = o ? *o : (struct wire_meter_options){ 0 } };
	struct wire_sink sink = { .ctx = h, .current = heard_current, .meter = heard_meter };

	if (h)
		h->wire = wire_new(format, &options, &sink, NULL);
	return h;
}

static inline void heard_free(struct heard *h)
{
	wire_free(h->wire);
	free(h);
}

static inline struct wire_stats heard_stats(const struct heard *h)
{
	struct wire_stats stats;

	wire_stats(h->wire, &stats);
	return stats;
}

/* In pieces of 1 to `most` bytes; 0: whole. */
static inline void heard_feed(struct heard *h, const void *data, size_t n, size_t most)
{
	const uint8_t *p = data;
	uint32_t seed = (uint32_t)most;

	while (n) {
		size_t k = n;

		seed = seed * 1664525 + 1013904223;
		if (most)
			k = 1 + (seed >> 8) % most;
		if (k > n)
			k = n;
		wire_feed(h->wire, p, k);
		p += k;
		n -= k;
	}
}

#endif
