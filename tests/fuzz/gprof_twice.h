/*
 * gprof_twice: decode a fuzzer's input whole and in pieces, and insist that both give the same.
 *
 * The first byte chooses: bit 0 an image, bits 1..2 a width to insist on (0: find out), bit 3 AVR
 * rather than ARM, bit 4 a silence in the middle (then only crashes count), the rest the length of
 * the pieces.
 */
#ifndef WSNTOP_TESTS_GPROF_TWICE_H
#define WSNTOP_TESTS_GPROF_TWICE_H

#include <stdlib.h>

#include "core/wire/gprof/gprof.h"
#include "core/wire/wire.h"
#include "tests/unit/gprof_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What came out, in order, as three sums. */
struct heard {
	uint64_t arcs, samples, text;
	struct wire_stats stats;
};

static uint64_t hash_mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

static void hear_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->arcs = hash_mix(h->arcs, (uint64_t)arcs[i].from << 32 | arcs[i].to);
}

static void hear_samples(void *ctx, const uint32_t *pcs, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->samples = hash_mix(h->samples, pcs[i]);
}

static void hear_text(void *ctx, const char *text, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->text = hash_mix(h->text, (uint8_t)text[i]);
}

static void events_hear(struct heard *h, const char *format, const struct wire_options *o,
		 const uint8_t *data, size_t n,
		 size_t piece, size_t silence)
{
	struct wire_sink sink = { .ctx = h, .arcs = hear_arcs, .samples = hear_samples,
				 .text = hear_text };
	struct wire *w;

	memset(h, 0, sizeof(*h));
	w = wire_new(format, o, &sink, NULL);
	if (!w)
		return;
	for (size_t at = 0; at < n; at += piece) {
		wire_feed(w, data + at, piece < n - at ? piece : n - at);
		if (silence && at / piece == silence)
			wire_flush(w, false);
	}
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	wire_free(w);
	if (h->stats.bytes != n || h->stats.bad_bytes + h->stats.text_bytes > n)
		abort();
}

/* Made once, not for each input. */
static const struct codemap *code_of(enum code_arch arch)
{
	static struct gprof_map avr, arm;
	struct gprof_map *map = arch == CODE_AVR ? &avr : &arm;

	if (!map->code.size)
		gprof_map_init(map, arch, 0);
	return &map->code;
}

static void decode_twice(const char *format, const uint8_t *data, size_t n)
{
	struct wire_options o = { 0 };
	struct heard whole, pieces;
	uint8_t choice = n ? data[0] : 0;
	size_t piece = 1 + (choice >> 5) * 37;

	if (n == 0)
		return;
	o.code = choice & 1 ? code_of(choice & 8 ? CODE_AVR : CODE_ARM) : NULL;
	o.width = choice >> 1 & 3 ? 1 + (choice >> 1 & 3) : 0;
	events_hear(&pieces, format, &o, data + 1, n - 1, piece, choice & 16 ? n / piece / 2 : 0);
	if (choice & 16)
		return;
	events_hear(&whole, format, &o, data + 1, n - 1, n, 0);
	if (memcmp(&whole, &pieces, sizeof(whole)) != 0)
		abort();
	gprof_probe(data + 1, n - 1, strcmp(format, "gprof-hex") == 0, o.code, NULL, NULL, NULL);
}

#endif
