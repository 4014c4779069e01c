/* sim: any bytes behind the magic, any split, the same events. The first byte: the pieces. */
#include <stdlib.h>
#include <string.h>

#include "core/wire/sim/sim.h"
#include "core/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct heard {
	uint64_t sum;
	struct wire_stats stats;
};

static void hear_totals(void *ctx, const struct wire_total *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((struct heard *)ctx)->sum += t[i].calls * 3 + t[i].to;
}

static void hear_events(void *ctx, const struct wire_event *e, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++) {
		if (e[i].lane > 15 || (i && e[i].ticks < e[i - 1].ticks && e[i].ticks > 1 << 20))
			h->sum++;	/* the clock wrapped: it is 64 bits */
		h->sum = h->sum * 31 + e[i].ticks + e[i].kind;
	}
}

static void stream_hear(struct heard *h, const uint8_t *p, size_t n, size_t piece)
{
	struct wire_sink sink = { .ctx = h, .totals = hear_totals, .events = hear_events };
	struct wire *w = wire_new("sim", NULL, &sink, NULL);

	memset(h, 0, sizeof(*h));
	if (!w)
		abort();
	wire_feed(w, (const uint8_t *)SIM_MAGIC, sizeof(SIM_MAGIC) - 1);
	for (size_t at = 0; at < n; at += piece)
		wire_feed(w, p + at, piece < n - at ? piece : n - at);
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	wire_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct heard whole, parts;

	if (n < 2)
		return 0;
	stream_hear(&whole, data + 1, n - 1, n);
	stream_hear(&parts, data + 1, n - 1, data[0] + 1u);
	if (memcmp(&whole, &parts, sizeof(whole)) != 0)
		abort();
	return 0;
}
