/*
 * gprof_stream: what the tests of the gprof decoder share: streams put together packet by packet,
 * and the multiset of events that came out.
 */
#ifndef WSNTOP_TESTS_GPROF_STREAM_H
#define WSNTOP_TESTS_GPROF_STREAM_H

#include "tests/unit/gprof_map.h"

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/wire/wire.h"

struct packet {
	bool arc;
	uint32_t a, to;		/* as on the wire */
	size_t at, len;		/* in the stream */
};

struct stream {
	unsigned width;
	bool hex;
	uint8_t *bytes;
	size_t n, cap;
	struct packet *packets;
	size_t count;
};

/* Distinct events, how often. Every event once more makes +1, tally_expect makes -1. */
struct tally {
	struct map arcs, pcs;
	int64_t *count;
	size_t num, cap;
	uint64_t events;
	char text[4096];
	size_t text_len;
};

static inline uint32_t random_next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	return *seed ^= *seed << 5;
}

static inline void stream_init(struct stream *s, unsigned width, bool hex, size_t cap)
{
	*s = (struct stream){ .width = width, .hex = hex, .cap = cap, .bytes = malloc(cap),
			      .packets = malloc(cap * sizeof(*s->packets)) };
}

static inline void stream_release(struct stream *s)
{
	free(s->bytes);
	free(s->packets);
}

static inline void stream_byte(struct stream *s, uint8_t byte)
{
	assert_true(s->n + 2 <= s->cap);
	if (!s->hex) {
		s->bytes[s->n++] = byte;
		return;
	}
	s->bytes[s->n++] = (uint8_t)"0123456789ABCDEF"[byte >> 4];
	s->bytes[s->n++] = (uint8_t)"0123456789ABCDEF"[byte & 15];
}

static inline void stream_address(struct stream *s, uint32_t address)
{
	for (unsigned i = s->width; i-- > 0;)
		stream_byte(s, (uint8_t)(address >> 8 * i));
}

static inline void stream_packet(struct stream *s, bool arc, uint32_t a, uint32_t to)
{
	struct packet *p = &s->packets[s->count++];

	*p = (struct packet){ .arc = arc, .a = a, .to = to, .at = s->n };
	stream_byte(s, arc ? 'A' : 'P');
	stream_address(s, a);
	if (arc)
		stream_address(s, to);
	p->len = s->n - p->at;
}

static inline void stream_text(struct stream *s, const char *text)
{
	size_t n = strlen(text);

	assert_true(s->n + n <= s->cap);
	memcpy(s->bytes + s->n, text, n);
	s->n += n;
}

/* The arcs of the LED program, as its LR register held them, and PCs all over its code. */
static inline void stream_random(struct stream *s, uint32_t *seed, size_t packets, uint32_t base,
				 uint32_t thumb,
				 const struct gprof_map *map)
{
	static const uint16_t arcs[][2] = {
		{ 0x153c, 0x14e4 }, { 0x150c, 0x1498 }, { 0x05bc, 0x04fc }, { 0x05c6,
									     0x1528 }, { 0x0526,
											0x0f20 },
		{ 0x0550, 0x0de8 }, { 0x0562, 0x0e74 }, { 0x0544, 0x0dc4 }, { 0x056e,
									     0x0e94 }, { 0x0532,
											0x0f44 },
		{ 0x14f0, 0x1498 }, { 0x13b2, 0x0eb4 }, { 0x13bc, 0x0e0c }, { 0x13c0,
									     0x13f6 }, { 0x1482,
											0x13f6 },
		{ 0x1440, 0x0f44 }, { 0x1420, 0x0de8 }, { 0x1400, 0x0e94 },
	};

	while (packets > 0) {
		uint32_t r = random_next(seed);
		uint32_t pc = base + (r >> 8) % GPROF_MAP_SIZE / 2 * 2;

		if (r % 8 < 5) {
			const uint16_t *a = arcs[(r >> 3) % COUNT(arcs)];

			if (!(code_flags(&map->code, base + a[0]) & CODE_RETURN))
				continue;
			stream_packet(s, true, (base + a[0]) | thumb, (base + a[1]) | thumb);
		} else if (code_flags(&map->code, pc) & CODE_TEXT) {
			stream_packet(s, false, pc, 0);
		} else {
			continue;
		}
		packets--;
	}
}

static inline void tally_init(struct tally *t)
{
	memset(t, 0, sizeof(*t));
	map_init(&t->arcs);
	map_init(&t->pcs);
}

static inline void tally_clear(struct tally *t)
{
	map_clear(&t->arcs);
	map_clear(&t->pcs);
	t->num = t->events = t->text_len = 0;
}

static inline void tally_release(struct tally *t)
{
	map_release(&t->arcs);
	map_release(&t->pcs);
	mem_free(t->count);
}

static inline int64_t *tally_slot(struct tally *t, bool arc, uint32_t a, uint32_t to)
{
	struct map *m = arc ? &t->arcs : &t->pcs;
	uint64_t key = arc ? (uint64_t)a << 32 | to : a;
	uint32_t i = map_get(m, key);

	if (i == MAP_NONE) {
		assert_int_equal(mem_grow(&t->count, &t->cap, t->num + 1, sizeof(*t->count)), 0);
		i = (uint32_t)t->num++;
		t->count[i] = 0;
		assert_int_equal(map_put(m, key, i), 0);
	}
	return &t->count[i];
}

static inline void tally_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	struct tally *t = ctx;

	t->events += n;
	for (size_t i = 0; i < n; i++)
		++*tally_slot(t, true, arcs[i].from, arcs[i].to);
}

static inline void tally_pcs(void *ctx, const uint32_t *pcs, size_t n)
{
	struct tally *t = ctx;

	t->events += n;
	for (size_t i = 0; i < n; i++)
		++*tally_slot(t, false, pcs[i], 0);
}

static inline void tally_text(void *ctx, const char *text, size_t n)
{
	struct tally *t = ctx;

	for (size_t i = 0; i < n && t->text_len < sizeof(t->text) - 1; i++)
		t->text[t->text_len++] = text[i];
	t->text[t->text_len] = '\0';
}

static inline struct wire_sink tally_sink(struct tally *t)
{
	return (struct wire_sink){ .ctx = t, .arcs = tally_arcs, .samples = tally_pcs,
				  .text = tally_text };
}

/* Take packets back, all but those that overlap [hit, hit + n). */
static inline void tally_expect(struct tally *t, const struct stream *s, uint32_t mask, size_t hit,
				size_t n)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct packet *p = &s->packets[i];

		if (n > 0 && p->at < hit + n && hit < p->at + p->len)
			continue;
		--*tally_slot(t, p->arc, p->a & mask, p->arc ? p->to & mask : 0);
	}
}

/* Events missing, and events that nobody sent, after tally_expect. */
static inline int64_t tally_missing(const struct tally *t)
{
	int64_t missing = 0;

	for (size_t i = 0; i < t->num; i++)
		missing -= t->count[i] < 0 ? t->count[i] : 0;
	return missing;
}

static inline int64_t tally_extra(const struct tally *t)
{
	int64_t extra = 0;

	for (size_t i = 0; i < t->num; i++)
		extra += t->count[i] > 0 ? t->count[i] : 0;
	return extra;
}

/* Decode n bytes in one piece; the stats if wanted. */
static inline void decode_all(struct tally *t, const char *format, unsigned width,
			      const struct codemap *code,
			      const uint8_t *bytes, size_t n, struct wire_stats *stats)
{
	struct wire_options o = { .code = code, .width = width };
	struct wire_sink sink = tally_sink(t);
	struct wire *w = wire_new(format, &o, &sink, NULL);

	assert_non_null(w);
	wire_feed(w, bytes, n);
	wire_flush(w, true);
	if (stats)
		wire_stats(w, stats);
	wire_free(w);
}

#endif
