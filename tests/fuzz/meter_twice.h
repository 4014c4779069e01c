/*
 * meter_twice: a meter's bytes whole and in pieces: the same samples, indices that only grow, and a
 * store that holds what was told.
 */
#ifndef WSNTOP_TESTS_METER_TWICE_H
#define WSNTOP_TESTS_METER_TWICE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/power/power.h"
#include "core/wire/wire.h"

struct told {
	struct power *power;		/* NULL: none is filled */
	uint64_t hash, count, next;
	double hz;
};

static void told_current(void *ctx, const struct wire_current *c)
{
	struct told *t = ctx;

	if (!c->count || c->newest < c->first + c->count - 1 || c->first < t->next || !(c->hz > 0))
		abort();
	for (size_t i = 0; i < c->count; i++) {
		uint32_t bits;

		memcpy(&bits, &c->amps[i], sizeof(bits));
		t->hash = (t->hash ^ (c->first + i) ^ (uint64_t)bits << 20 ^
			   (c->logic ? (uint64_t)c->logic[i] << 56 : 0)) * UINT64_C(0x100000001b3);
	}
	t->count += c->count;
	t->next = c->first + c->count;
	t->hz = c->hz;
	if (!t->power)
		return;
	power_set_rate(t->power, c->hz, c->ppm);
	if (c->again)
		power_restart(t->power);
	power_add(t->power, c->first, c->amps, c->count, c->logic);
	power_arrived(t->power, c->newest, t->count * 1000, 0);
}

static void power_check(const struct power *p)
{
	struct power_span s;
	double uncertainty;

	if (power_count(p) + power_missing(p) != power_end(p) - power_begin(p))
		abort();
	if (power_span(p, power_begin(p), power_end(p), &s)) {
		double slack = 1e-6 * (fabs(s.min) + fabs(s.max)) + 1e-30;

		if (!(s.min <= s.mean + slack && s.mean <= s.max + slack))
			abort();
	}
	power_span(p, power_end(p) / 2, power_end(p) / 2 + 77, &s);
	power_host(p, power_end(p) / 3);
	power_tick(p, 12345, &uncertainty);
}

/* `asks`: somebody asks before each piece, as of a port; else it is a recording. */
static struct told meter_hear(const char *format, const struct wire_meter_options *o,
			      const uint8_t *data, size_t n, size_t piece, bool asks,
			      struct power *power)
{
	struct told t = { .power = power };
	struct wire_options options = { .meter = *o };
	struct wire_sink sink = { .ctx = &t, .current = told_current };
	struct wire *w = wire_new(format, &options, &sink, NULL);
	uint64_t now = CLOCK_SECOND;

	for (size_t at = 0; w && at < n; at += piece) {
		struct wire_out out = { .room = data[at] & 1 ? WIRE_OUT_MAX : data[at] & 7 };

		if (asks) {
			wire_ask(w, now, &out);
			now += data[at] % 8 ? CLOCK_SECOND / 100 : CLOCK_SECOND;
			if (data[at] == 0xee)
				wire_down(w);
			(void)wire_timeout(w, now);
		}
		wire_feed(w, data + at, piece < n - at ? piece : n - at);
	}
	if (w)
		wire_flush(w, true);
	wire_free(w);
	return t;
}

static void meter_twice(const char *format, const struct wire_meter_options *o, const uint8_t *data,
			size_t n, size_t piece)
{
	struct power *power = power_new(1 << 13);
	struct told whole, parts;

	whole = meter_hear(format, o, data, n, n, false, power);
	parts = meter_hear(format, o, data, n, piece, false, NULL);
	if (whole.hash != parts.hash || whole.count != parts.count || whole.next != parts.next)
		abort();
	if (power)
		power_check(power);
	power_free(power);
	meter_hear(format, o, data, n, piece, true, NULL);
}

#endif
