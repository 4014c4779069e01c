/*
 * gprof under damage: after 1 to 7 bytes are removed or flipped anywhere, all packets that were not
 * hit are still counted. Everywhere in a slice of several firmwares, at random over the whole real
 * capture.
 *
 * Some damage cannot be undone by anyone: remove the second of `50 00 08 50 | 50 00 0D DA`'s 50s or
 * the third, the same bytes are left, and either the first packet was hit or the second. Such a
 * loss is counted as undecidable: the same bytes come of another removal, by which nothing is
 * missing.
 */
#include "tests/unit/unit.h"

#include "core/base/file.h"
#include "tests/unit/gprof_stream.h"

#define DAMAGE_MAX 7
#define SLICE_MAX 2048
#define EACH (1 + 4 * (UNIT_EACH - 1))	/* of the places, one in so many */

enum kind { REMOVE, FLIP_ALL, FLIP_LOW, FLIP_MARKER, FLIP_RANDOM, NUM_KINDS };

static const char *const kind_names[] = {
	[REMOVE] = "removed", [FLIP_ALL] = "all bits flipped", [FLIP_LOW] = "lowest bit flipped",
	[FLIP_MARKER] = "A and P swapped", [FLIP_RANDOM] = "overwritten",
};

struct damage {
	enum kind kind;
	size_t at, n;
};

struct losses {
	unsigned long runs;
	unsigned long lossy;		/* runs with a packet missing that was not hit */
	unsigned long undecidable;	/* of these */
	int64_t worst;			/* packets missing in one run */
};

/* What a test works on: a stream, what decodes it, and room for a damaged copy. */
struct bed {
	struct stream s;
	const struct codemap *code;
	struct tally t;
	uint8_t *harmed, *other;
};

static uint8_t byte_flip(uint8_t byte, enum kind kind, bool hex, uint32_t *seed)
{
	static const uint8_t mask[] = { [FLIP_ALL] = 0xff, [FLIP_LOW] = 0x01,
				       [FLIP_MARKER] = 'A' ^ 'P' };
	uint8_t other = (uint8_t)random_next(seed);

	if (kind != FLIP_RANDOM)
		return byte ^ mask[kind];
	if (hex)	/* by another digit: the worst, for it looks right */
		other = (uint8_t)"0123456789ABCDEF"[other & 15];
	return other == byte ? other ^ 1 : other;
}

static size_t stream_harm(uint8_t *out, const struct stream *s, struct damage d, uint32_t *seed)
{
	if (d.kind == REMOVE) {
		memcpy(out, s->bytes, d.at);
		memcpy(out + d.at, s->bytes + d.at + d.n, s->n - d.at - d.n);
		return s->n - d.n;
	}
	memcpy(out, s->bytes, s->n);
	for (size_t i = d.at; i < d.at + d.n; i++)
		out[i] = byte_flip(out[i], d.kind, s->hex, seed);
	return s->n;
}

/* How many packets are missing that the damage did not hit. */
static int64_t packets_missing(struct bed *b, const uint8_t *bytes, size_t n, struct damage d)
{
	uint32_t mask = b->code && b->code->arch == CODE_ARM ? ~1u : ~0u;

	tally_clear(&b->t);
	decode_all(&b->t, b->s.hex ? "gprof-hex" : "gprof", 0, b->code, bytes, n, NULL);
	tally_expect(&b->t, &b->s, mask, d.at, d.n);
	return tally_missing(&b->t);
}

static bool is_undecidable(struct bed *b, size_t n, struct damage d)
{
	const size_t reach = 32;
	size_t from = d.at > reach ? d.at - reach : 0;

	if (d.kind != REMOVE)
		return false;
	for (struct damage e = { REMOVE, from, d.n }; e.at + e.n <= b->s.n &&
	     e.at <= d.at + reach; e.at++) {
		stream_harm(b->other, &b->s, e, NULL);
		if (e.at != d.at && memcmp(b->other, b->harmed, n) == 0 &&
		    packets_missing(b, b->other, n,
											   e) == 0)
			return true;
	}
	return false;
}

static void try_damage(struct bed *b, struct losses *l, struct damage d, uint32_t *seed)
{
	size_t n = stream_harm(b->harmed, &b->s, d, seed);
	int64_t lost = packets_missing(b, b->harmed, n, d);

	l->runs++;
	l->lossy += lost > 0;
	l->worst = lost > l->worst ? lost : l->worst;
	l->undecidable += lost > 0 && is_undecidable(b, n, d);
}

static void figures_print(const char *name, const struct bed *b, enum kind kind,
			  const struct losses *l)
{
	printf("%-22s %s %-8s %-18s %6lu runs: %lu lose one not hit (%lu undecidable), worst %d\n",
	       name, b->s.hex ? "hex" : "bin", b->code ? "image" : "no image", kind_names[kind],
	       l->runs, l->lossy, l->undecidable, (int)l->worst);
}

/*
 * `doubtful`: of a thousand runs so many may lose one packet by what is not undecidable in the
 * strict sense: an address whose bytes are A or P themselves makes a torn packet and its neighbour
 * look whole.
 */
static const struct firmware {
	const char *name;
	enum code_arch arch;
	uint32_t base, thumb;
	unsigned width, doubtful;
} firmwares[] = {
	{ "LED program", CODE_ARM, 0, 1, 3, 1 },
	{ "2-byte addresses, AVR", CODE_AVR, 0, 0, 2, 2 },
	{ "4-byte addresses", CODE_ARM, 0x08000000, 1, 4, 1 },
	{ "without Thumb bits", CODE_ARM, 0, 0, 3, 1 },
	{ "code at 0x410000", CODE_ARM, 0x410000, 1, 3, 9 },
	{ "code at 0x505000", CODE_ARM, 0x505000, 1, 3, 3 },
	{ "code at 0x5000, AVR", CODE_AVR, 0x5000, 0, 2, 2 },
};

static void bed_init(struct bed *b, unsigned width, bool hex, size_t cap)
{
	stream_init(&b->s, width, hex, cap);
	tally_init(&b->t);
	b->code = NULL;
	b->harmed = malloc(cap);
	b->other = malloc(cap);
}

static void bed_release(struct bed *b)
{
	stream_release(&b->s);
	tally_release(&b->t);
	free(b->harmed);
	free(b->other);
}

/* Some 400 bytes: arcs, samples, a line of console text, arcs and samples. */
static void bed_slice(struct bed *b, const struct firmware *f, const struct gprof_map *map,
		      bool hex)
{
	uint32_t seed = 4711;

	bed_init(b, f->width, hex, SLICE_MAX);
	stream_random(&b->s, &seed, 40, f->base, f->thumb, map);
	if (!hex)
		stream_text(&b->s, "[info] Temperature: 21 C, APPROX\r\n");
	stream_random(&b->s, &seed, 30, f->base, f->thumb, map);
}

static struct losses damage_everywhere(struct bed *b, enum kind kind)
{
	struct losses l = { 0 };
	uint32_t seed = 1;

	for (size_t n = 1; n <= DAMAGE_MAX; n++) {
		for (size_t at = 0; at + n <= b->s.n; at += EACH)
			try_damage(b, &l, (struct damage){ kind, at, n }, &seed);
	}
	return l;
}

/* Every kind of damage to one firmware's slice, as bytes and as digits. */
static void damage_firmware(const struct firmware *f, bool image, unsigned doubtful)
{
	struct gprof_map map;

	gprof_map_init(&map, f->arch, f->base);
	for (int hex = 0; hex < 2; hex++) {
		struct bed b;

		bed_slice(&b, f, &map, hex);
		b.code = image ? &map.code : NULL;
		for (enum kind kind = 0; kind < NUM_KINDS; kind++) {
			struct losses l = damage_everywhere(&b, kind);

			figures_print(f->name, &b, kind, &l);
			assert_true((l.lossy - l.undecidable) * 1000 <= doubtful * EACH * l.runs);
			assert_in_range(l.worst, 0, 1);
		}
		bed_release(&b);
	}
}

static void only_what_is_hit_is_lost(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(firmwares); f++)
		damage_firmware(&firmwares[f], true, firmwares[f].doubtful);
}

/* Markers and pages of addresses seen before are all there is: most, not all, is told apart. */
static void without_an_image_nearly_so(void **state)
{
	(void)state;
	for (size_t f = 0; f < 3; f++)
		damage_firmware(&firmwares[f], false, 35);
}

/* --- the real capture ------------------------------------------------------------------------- */

#define CAPTURE "../shared/data/kl25z-blinky/capture.hex"
#define CAPTURE_TRIALS 150

static uint32_t hex_number(const char *s, size_t digits)
{
	char text[9] = { 0 };

	memcpy(text, s, digits);
	return (uint32_t)strtoul(text, NULL, 16);
}

static void bed_capture(struct bed *b, const char *hex, size_t n, bool as_hex)
{
	bed_init(b, 3, as_hex, n + 16);
	for (size_t i = 0; i + 8 <= n;) {
		bool arc = hex_number(hex + i, 2) == 'A';

		stream_packet(&b->s, arc, hex_number(hex + i + 2, 6), arc ? hex_number(hex + i + 8,
										       6) : 0);
		i += arc ? 14 : 8;
	}
	assert_int_equal(b->s.n, as_hex ? n : n / 2);
}

/* `doubtful`: of a thousand runs. */
static void damage_capture(struct bed *b, const char *name, unsigned doubtful)
{
	uint32_t seed = 7;

	for (enum kind kind = 0; kind < NUM_KINDS; kind++) {
		struct losses l = { 0 };

		for (unsigned i = 0; i < UNIT_TRIALS(CAPTURE_TRIALS); i++) {
			size_t n = 1 + random_next(&seed) % DAMAGE_MAX;

			try_damage(b, &l, (struct damage){ kind, random_next(&seed) % (b->s.n - n),
							  n }, &seed);
		}
		figures_print(name, b, kind, &l);
		assert_true((l.lossy - l.undecidable) * 1000 <= doubtful * l.runs);
		assert_in_range(l.worst, 0, 1);
	}
}

static void real_capture_too(void **state)
{
	struct gprof_map map;
	size_t n;
	char *hex = file_read(CAPTURE, 1 << 20, &n, NULL);

	(void)state;
	if (!hex) {
		printf("SKIP: no " CAPTURE "\n");
		skip();
	}
	gprof_map_init(&map, CODE_ARM, 0);
	for (int as_hex = 0; as_hex < 2; as_hex++) {
		struct bed b;

		bed_capture(&b, hex, n, as_hex);
		b.code = &map.code;
		damage_capture(&b, "real capture", 0);
		b.code = NULL;
		damage_capture(&b, "real capture", 20);
		bed_release(&b);
	}
	mem_free(hex);
}

/* --- damage in several places ----------------------------------------------------------------- */

/* Up to seven bytes of the slice, each flipped or removed. */
static size_t stream_wound(struct bed *b, bool *hit, uint32_t *seed)
{
	size_t n = 0;

	memset(hit, 0, SLICE_MAX * sizeof(*hit));
	for (unsigned k = 0; k < DAMAGE_MAX; k++)
		hit[random_next(seed) % b->s.n] = true;
	for (size_t k = 0; k < b->s.n; k++) {
		if (!hit[k])
			b->harmed[n++] = b->s.bytes[k];
		else if (random_next(seed) & 1)
			b->harmed[n++] = b->s.bytes[k] ^ (uint8_t)(1 + random_next(seed) % 255);
	}
	return n;
}

static void several_wounds_at_once(void **state)
{
	struct gprof_map map;
	struct losses l = { 0 };
	bool hit[SLICE_MAX];
	uint32_t seed = 99;
	struct bed b;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	bed_slice(&b, &firmwares[0], &map, false);
	b.code = &map.code;
	for (l.runs = 0; l.runs < UNIT_TRIALS(3000); l.runs++) {
		size_t n = stream_wound(&b, hit, &seed);
		int64_t lost;

		tally_clear(&b.t);
		decode_all(&b.t, "gprof", 0, b.code, b.harmed, n, NULL);
		for (size_t k = 0; k < b.s.count; k++) {
			const struct packet *p = &b.s.packets[k];

			if (!memchr(hit + p->at, true, p->len))
				--*tally_slot(&b.t, p->arc, p->a & ~1u, p->arc ? p->to & ~1u : 0);
		}
		lost = tally_missing(&b.t);
		l.lossy += lost > 0;
		l.worst = lost > l.worst ? lost : l.worst;
	}
	printf("seven wounds at once: %lu runs, %lu lose one not hit, worst %d\n",
	       l.runs, l.lossy,
	       (int)l.worst);
	assert_true(l.lossy * 100 <= 3 * l.runs);
	assert_in_range(l.worst, 0, 2);
	bed_release(&b);
}

/*
 * A stream in step whose kinds fill the batch, a packet that lost its addresses, more in step. The
 * fast loop takes the torn one and part of the next for a packet; read again, it is a gap, and the
 * packet behind it meets a batch that is full.
 */
static void stream_full(struct stream *s, bool arcs, size_t lead)
{
	stream_packet(s, false, 0x5010, 0);	/* the pages of the packet that is none */
	stream_packet(s, false, 0x1010, 0);
	stream_packet(s, false, 0x4110, 0);
	for (size_t i = 0; i < lead + 1200; i++) {
		if (i == lead)
			stream_byte(s, arcs ? 'P' : 'A');
		stream_packet(s, arcs, 0x4210, 0x4210);
	}
}

static void a_full_batch_is_given_on_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * 300; i++) {
		bool arcs = i % 2;
		struct wire_stats stats;
		struct stream s;
		struct tally t;

		stream_init(&s, 2, false, 1 << 13);
		stream_full(&s, arcs, i / 2);
		tally_init(&t);
		decode_all(&t, "gprof", 2, NULL, s.bytes, s.n, &stats);
		tally_expect(&t, &s, ~0u, 0, 0);
		assert_int_equal(tally_missing(&t) + tally_extra(&t), 0);
		assert_int_equal(stats.bad_bytes, 1);
		tally_release(&t);
		stream_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_hit_is_lost),
		cmocka_unit_test(without_an_image_nearly_so),
		cmocka_unit_test(real_capture_too),
		cmocka_unit_test(several_wounds_at_once),
		cmocka_unit_test(a_full_batch_is_given_on_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
