/* The gprof thesis' stream, whole and in pieces, of every width, with and without an image. */
#include "tests/unit/unit.h"

#include "core/base/file.h"
#include "core/image/image.h"
#include "core/wire/gprof/gprof.h"
#include "tests/unit/gprof_stream.h"

#define CAPTURE "../shared/data/kl25z-blinky/capture.hex"
#define CAPTURE_ELF "../shared/data/kl25z-blinky/app.elf"

static const struct form {
	enum code_arch arch;
	uint32_t base, thumb;
	unsigned width;
	bool hex;
} forms[] = {
	{ CODE_AVR, 0, 0, 2, false }, { CODE_ARM, 0, 1, 3, false }, { CODE_ARM, 0x08000000, 1, 4,
								     false },
	{ CODE_AVR, 0, 0, 2, true }, { CODE_ARM, 0, 1, 3, true }, { CODE_ARM, 0x08000000, 1, 4,
								   true },
};

static const char *format_of(const struct stream *s)
{
	return s->hex ? "gprof-hex" : "gprof";
}

static void form_stream(struct stream *s, struct gprof_map *map, const struct form *f,
			size_t packets)
{
	uint32_t seed = 42;

	gprof_map_init(map, f->arch, f->base);
	stream_init(s, f->width, f->hex, 1 << 16);
	stream_random(s, &seed, packets, f->base, f->thumb, map);
}

static void every_width_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		for (int with = 0; with < 2; with++) {
			struct wire_stats stats;
			struct gprof_map map;
			struct stream s;
			struct tally t;
			uint32_t mask = with && forms[i].arch == CODE_ARM ? ~1u : ~0u;

			form_stream(&s, &map, &forms[i], 300);
			tally_init(&t);
			decode_all(&t, format_of(&s), 0, with ? &map.code : NULL, s.bytes, s.n,
				   &stats);
			tally_expect(&t, &s, mask, 0, 0);
			assert_int_equal(tally_missing(&t), 0);
			assert_int_equal(tally_extra(&t), 0);
			assert_int_equal(stats.events, 300);
			assert_int_equal(stats.bytes, s.n);
			assert_int_equal(stats.bad_bytes + stats.text_bytes, 0);
			assert_int_equal(stats.lost + stats.resyncs, 0);
			tally_release(&t);
			stream_release(&s);
		}
	}
}

static void the_note_says_what_was_found(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct wire_sink none = { 0 };
	struct wire_options o = { .code = &map.code };
	struct wire *w;

	(void)state;
	form_stream(&s, &map, &forms[4], 100);
	w = wire_new("gprof-hex", &o, &none, NULL);
	assert_string_equal(wire_note(w), "gprof-hex: no packet yet");
	wire_feed(w, s.bytes, s.n);
	assert_string_equal(wire_note(w), "gprof-hex: 3-byte addresses, 100 % of packets in code");
	assert_string_equal(wire_name(w), "gprof-hex");
	wire_free(w);
	o.width = 3;
	w = wire_new("gprof", &o, &none, NULL);
	assert_string_equal(wire_note(w), "gprof: 3-byte addresses, as told");
	wire_free(w);
	stream_release(&s);
}

static void a_wrong_width_is_refused(void **state)
{
	static const unsigned wrong[] = { 1, 5, 8 };
	struct wire_sink none = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct wire_options o = { .width = wrong[i] };
		struct err err = { 0 };

		assert_null(wire_new("gprof", &o, &none, &err));
		assert_int_equal(err.code, ERR_USAGE);
	}
}

static void the_probe_tells(void **state)
{
	struct gprof_map map;
	struct stream s;
	size_t packets, in_step;
	unsigned width;
	int score;

	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		form_stream(&s, &map, &forms[i], 60);
		score = gprof_probe(s.bytes, s.n, s.hex, &map.code, &width, &packets, &in_step);
		assert_int_equal(score, 100);
		assert_int_equal(width, forms[i].width);
		assert_int_equal(packets, 60);
		assert_int_equal(in_step, s.n);
		score = gprof_probe(s.bytes, s.n, s.hex, NULL, &width, NULL, NULL);
		assert_in_range(score, 99, 100);
		assert_int_equal(width, forms[i].width);
		score = gprof_probe(s.bytes, s.n, !s.hex, &map.code, &width, NULL, NULL);
		assert_in_range(score, 0, 20);
		stream_release(&s);
	}
}

static void the_probe_sees_no_packets_in_text(void **state)
{
	static const char *const rows[] = {
		"", "P", "Hello, APPLE PIE\r\n", "Panic: PC at 0x1234\n",
		"PROF:APP:12:100:0:8000000\n",
	};
	size_t packets, in_step;
	unsigned width;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const uint8_t *s = (const uint8_t *)rows[i];

		assert_int_equal(gprof_probe(s, strlen(rows[i]), false, NULL, &width, &packets,
					     &in_step), 0);
		assert_int_equal(width + packets + in_step, 0);
	}
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* A stream with all that can happen: text, damage, noise, a change of width, a torn end. */
static void form_trouble(struct stream *s, struct gprof_map *map, const struct form *f)
{
	uint32_t seed = 42;

	form_stream(s, map, f, 60);
	stream_text(s, f->hex ? "hello, world!\n" : "Battery: 2.9 V, PANIC at 0x1234\r\nAP");
	stream_random(s, &seed, 10, f->base, f->thumb, map);
	for (size_t at = 40; at < s->n; at += 97)
		s->bytes[at] ^= 0x15;
	for (unsigned i = 0; i < 3000; i++)
		s->bytes[s->n++] = (uint8_t)(random_next(&seed) >> 9);
	stream_random(s, &seed, 40, f->base, f->thumb, map);
	s->width = f->width == 4 ? 2 : f->width + 1;
	if (f->base < 0x10000)
		stream_random(s, &seed, 700, f->base, f->thumb, map);
	s->n -= 2;
}

static void feed_pieces(struct wire *w, const struct stream *s, size_t piece, uint32_t seed)
{
	for (size_t at = 0; at < s->n;) {
		size_t n = piece ? piece : 1 + random_next(&seed) % 600;

		n = n < s->n - at ? n : s->n - at;
		wire_feed(w, s->bytes + at, n);
		at += n;
	}
	wire_flush(w, true);
}

static void in_pieces(const struct stream *s, const struct codemap *code, size_t piece,
		      uint32_t seed,
		      struct tally *t, struct wire_stats *stats)
{
	struct wire_options o = { .code = code };
	struct wire_sink sink = tally_sink(t);
	struct wire *w = wire_new(format_of(s), &o, &sink, NULL);

	feed_pieces(w, s, piece, seed);
	wire_stats(w, stats);
	wire_free(w);
}

static void same_counts(struct tally *whole, const struct tally *t, bool arcs)
{
	const struct map *m = arcs ? &t->arcs : &t->pcs;

	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		uint64_t key = m->slots[i].key;
		uint32_t a = arcs ? (uint32_t)(key >> 32) : (uint32_t)key;

		if (m->slots[i].value == MAP_NONE)
			continue;
		assert_int_equal(t->count[m->slots[i].value],
				 *tally_slot(whole, arcs, a, (uint32_t)key));
	}
}

static void tally_same(struct tally *whole, const struct tally *t, const struct wire_stats *a,
		       const struct wire_stats *b)
{
	assert_memory_equal(a, b, sizeof(*a));
	assert_int_equal(whole->events, t->events);
	assert_int_equal(whole->num, t->num);
	assert_string_equal(whole->text, t->text);
	same_counts(whole, t, true);
	same_counts(whole, t, false);
}

static void any_split_gives_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		for (int with = 0; with < 2; with++) {
			struct wire_stats stats, piece_stats;
			struct gprof_map map;
			struct stream s;
			struct tally whole, t;

			form_trouble(&s, &map, &forms[i]);
			tally_init(&whole);
			tally_init(&t);
			in_pieces(&s, with ? &map.code : NULL, s.n, 0, &whole, &stats);
			assert_true(stats.bad_bytes > 0 && stats.lost > 0 && stats.resyncs > 0);
			for (size_t piece = 1; piece < 100; piece++) {
				tally_clear(&t);
				in_pieces(&s, with ? &map.code : NULL, piece, 0, &t, &piece_stats);
				tally_same(&whole, &t, &stats, &piece_stats);
			}
			for (uint32_t seed = 1; seed < 50; seed++) {
				tally_clear(&t);
				in_pieces(&s, with ? &map.code : NULL, 0, seed, &t, &piece_stats);
				tally_same(&whole, &t, &stats, &piece_stats);
			}
			tally_release(&whole);
			tally_release(&t);
			stream_release(&s);
		}
	}
}

/* Cut at every byte: what is whole is there, what is half is counted as bad. */
static void cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		struct gprof_map map;
		struct stream s;
		struct tally t;

		form_stream(&s, &map, &forms[i], 80);
		tally_init(&t);
		for (size_t cut = s.packets[8].at; cut <= s.n; cut++) {
			uint32_t mask = forms[i].arch == CODE_ARM ? ~1u : ~0u;
			size_t whole = 0;
			struct wire_stats stats;

			while (whole < s.count && s.packets[whole].at + s.packets[whole].len <= cut)
				whole++;
			tally_clear(&t);
			decode_all(&t, format_of(&s), 0, &map.code, s.bytes, cut, &stats);
			tally_expect(&t, &s, mask, cut, whole < s.count ? s.n - cut + 1 : 0);
			if (tally_missing(&t) == 0 && whole > 0)
				assert_in_range(tally_extra(&t), 0, 1);	/* it ends at the cut */
			assert_int_equal(tally_missing(&t), 0);
			assert_int_equal(stats.events, whole);
		}
		tally_release(&t);
		stream_release(&s);
	}
}

/* --- text, silence ---------------------------------------------------------------------------- */

static void text_between_packets_is_console(void **state)
{
	static const struct { const char *text, *shown; } rows[] = {
		{ "Hello, PAPA\r\n", "Hello, PAPA\r\n" },
		{ "[0.123] boot: PROF P12 A1\n", "[0.123] boot: PROF P12 A1\n" },
		{ "\033[31mred\033[0m alert\n", "\033[31mred\033[0m alert\n" },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t r = 0; r < COUNT(rows); r++) {
			struct wire_stats stats;
			struct gprof_map map;
			struct stream s;
			struct tally t;
			uint32_t seed = 5;

			form_stream(&s, &map, &forms[i], 50);
			stream_text(&s, rows[r].text);
			stream_random(&s, &seed, 50, forms[i].base, forms[i].thumb, &map);
			tally_init(&t);
			decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
			assert_string_equal(t.text, rows[r].shown);
			assert_int_equal(stats.events, 100);
			assert_int_equal(stats.text_bytes, strlen(rows[r].text));
			assert_int_equal(stats.bad_bytes + stats.lost + stats.resyncs, 0);
			tally_release(&t);
			stream_release(&s);
		}
	}
}

/* In hex, text may stand as it is, or in hex as well. */
static void text_in_hex_streams(void **state)
{
	for (int encoded = 0; encoded < 2; encoded++) {
		struct wire_stats stats;
		struct gprof_map map;
		struct stream s;
		struct tally t;
		uint32_t seed = 5;

		(void)state;
		form_stream(&s, &map, &forms[4], 50);
		if (encoded) {
			for (const char *c = "ready: go on\n"; *c; c++)
				stream_byte(&s, (uint8_t)*c);
		} else {
			stream_text(&s, "\nready: go on\n");
		}
		stream_random(&s, &seed, 50, forms[4].base, forms[4].thumb, &map);
		tally_init(&t);
		decode_all(&t, "gprof-hex", 0, &map.code, s.bytes, s.n, &stats);
		assert_string_equal(t.text, "ready: go on\n");
		assert_int_equal(stats.events, 100);
		assert_int_equal(stats.bad_bytes + stats.lost, 0);
		tally_release(&t);
		stream_release(&s);
	}
}

static void white_space_in_hex_is_nothing(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_stats stats;
	uint8_t spaced[8192];
	size_t n = 0;

	(void)state;
	form_stream(&s, &map, &forms[4], 100);
	for (size_t i = 0; i < s.n; i++) {
		spaced[n++] = (uint8_t)(s.bytes[i] >= 'A' ? s.bytes[i] | 0x20 : s.bytes[i]);
		if (i % 5 == 4)
			spaced[n++] = (uint8_t)" \t\r\n"[i / 5 % 4];
	}
	tally_init(&t);
	decode_all(&t, "gprof-hex", 0, &map.code, spaced, n, &stats);
	tally_expect(&t, &s, ~1u, 0, 0);
	assert_int_equal(tally_missing(&t) + tally_extra(&t), 0);
	assert_int_equal(stats.bytes, n);
	assert_int_equal(stats.bad_bytes, 0);
	tally_release(&t);
	stream_release(&s);
}

static void silence_gives_out_what_is_whole(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_options o = { .code = &map.code, .width = 3 };
	struct wire_sink sink;
	struct wire_stats stats;
	struct wire *w;

	(void)state;
	form_stream(&s, &map, &forms[1], 3);
	stream_packet(&s, false, 0x146a, 0);
	tally_init(&t);
	sink = tally_sink(&t);
	w = wire_new("gprof", &o, &sink, NULL);
	wire_feed(w, s.bytes, s.n - 2);
	wire_flush(w, false);
	assert_int_equal(t.events, 3);
	wire_flush(w, false);
	wire_feed(w, s.bytes + s.n - 2, 2);
	wire_flush(w, false);
	assert_int_equal(t.events, 4);
	wire_feed(w, (const uint8_t *)"login: ", 7);
	wire_flush(w, false);
	assert_string_equal(t.text, "login: ");
	wire_feed(w, s.bytes, s.n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_int_equal(t.events, 8);
	assert_int_equal(stats.bad_bytes + stats.lost, 0);
	wire_free(w);
	tally_release(&t);
	stream_release(&s);
}

/* The width is found at the first silence too: a quiet node shows at once. */
static void a_few_packets_are_enough(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_options o = { .code = &map.code };
	struct wire_sink sink;
	struct wire *w;

	(void)state;
	form_stream(&s, &map, &forms[1], 4);
	tally_init(&t);
	sink = tally_sink(&t);
	w = wire_new("gprof", &o, &sink, NULL);
	wire_feed(w, s.bytes, s.n);
	assert_int_equal(t.events, 0);
	wire_flush(w, false);
	assert_int_equal(t.events, 4);
	wire_free(w);
	tally_release(&t);
	stream_release(&s);
}

/* --- odd packets ------------------------------------------------------------------------------ */

/*
 * Thumb-1, -O2: functions that save r8 to r11 send a `from` that follows no call (notes/cortexm.md
 * 2.1).
 */
static void a_from_after_no_call_counts_in_frame(void **state)
{
	static const uint32_t from[] = { 0x0, 0x4, 0x20, 0x20000ff0 };
	struct wire_stats stats;
	struct gprof_map map;
	struct stream s;
	struct tally t;
	uint32_t seed = 3;

	(void)state;
	form_stream(&s, &map, &forms[1], 50);
	for (size_t i = 0; i < COUNT(from); i++) {
		stream_packet(&s, true, from[i] & 0xffffff, 0x14e5);
		stream_random(&s, &seed, 2, 0, 1, &map);
	}
	tally_init(&t);
	decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
	for (size_t i = 0; i < COUNT(from); i++)
		assert_int_equal(*tally_slot(&t, true, from[i] & 0xffffff, 0x14e4), 1);
	assert_int_equal(stats.events, s.count);
	assert_int_equal(stats.lost, 0);
	tally_release(&t);
	stream_release(&s);
}

/* A node that sends its PCs with the Thumb bit is odd, but known after a while. */
static void odd_samples_count_in_frame(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_stats stats;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	stream_init(&s, 3, false, 1 << 16);
	for (unsigned i = 0; i < 500; i++)
		stream_packet(&s, false, 0x1467 + i % 17 * 2, 0);
	tally_init(&t);
	decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
	assert_int_equal(stats.events, 500);
	assert_int_equal(stats.bad_bytes, 0);
	tally_release(&t);
	stream_release(&s);
}

/* 3 bytes of an address in flash at 0x08000000: the image knows the fourth. */
static void the_image_completes_addresses(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_stats stats;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0x08000000);
	for (unsigned width = 2; width <= 3; width++) {
		for (int hex = 0; hex < 2; hex++) {
			uint32_t seed = 3;

			stream_init(&s, width, hex, 1 << 17);
			stream_random(&s, &seed, 3000, 0x08000000, 1, &map);
			tally_init(&t);
			decode_all(&t, hex ? "gprof-hex" : "gprof", 0, &map.code, s.bytes, s.n,
				   &stats);
			tally_expect(&t, &s, ~1u, 0, 0);
			assert_int_equal(tally_missing(&t), 0);
			assert_int_equal(tally_extra(&t), 0);
			assert_int_equal(stats.bad_bytes, 0);
			tally_release(&t);
			stream_release(&s);
		}
	}
}

/* What lies outside the code is lost, and only that. */
static void an_impossible_packet_costs_itself(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_stats stats;
	uint32_t seed = 3;

	(void)state;
	form_stream(&s, &map, &forms[1], 50);
	stream_packet(&s, false, 0xfff123, 0);
	stream_random(&s, &seed, 5, 0, 1, &map);
	stream_packet(&s, true, 0x153d, 0xfff123);
	stream_random(&s, &seed, 5, 0, 1, &map);
	tally_init(&t);
	decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
	assert_int_equal(stats.events, 60);
	assert_int_equal(stats.bad_bytes, 11);
	assert_int_equal(stats.lost, 2);
	assert_int_equal(stats.resyncs, 0);
	tally_release(&t);
	stream_release(&s);
}

/* The node was flashed again and sends wider addresses. */
static void a_new_width_is_noticed(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_stats stats;
	uint32_t seed = 3;

	(void)state;
	form_stream(&s, &map, &forms[0], 500);
	s.width = 3;
	stream_random(&s, &seed, 3000, 0, 0, &map);
	tally_init(&t);
	decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
	assert_in_range(stats.events, 3000, 3500);
	assert_in_range(stats.bad_bytes, 1, 3000);
	tally_release(&t);
	stream_release(&s);
}

/* A rebuilt image, or another node's: every packet is counted all the same, and the note tells. */
static void the_wrong_image_hides_nothing(void **state)
{
	struct gprof_map right, wrong;
	struct stream s;
	struct tally t;
	struct wire_options o = { .code = &wrong.code };
	struct wire_sink sink;
	struct wire_stats stats;
	struct wire *w;

	(void)state;
	form_stream(&s, &right, &forms[1], 400);
	gprof_map_init(&wrong, CODE_ARM, 0x40000);
	tally_init(&t);
	sink = tally_sink(&t);
	w = wire_new("gprof", &o, &sink, NULL);
	wire_feed(w, s.bytes, s.packets[200].at + 3);
	assert_string_equal(wire_note(w),
			    "gprof: 3-byte addresses, only 0 % in code: is it this image?");
	wire_set_code(w, &right.code);
	wire_feed(w, s.bytes + s.packets[200].at + 3, s.packets[300].at - s.packets[200].at);
	assert_string_equal(wire_note(w), "gprof: 3-byte addresses, 100 % of packets in code");
	wire_set_code(w, &wrong.code);
	wire_feed(w, s.bytes + s.packets[300].at + 3, s.n - s.packets[300].at - 3);
	wire_flush(w, true);
	wire_stats(w, &stats);
	tally_expect(&t, &s, ~1u, 0, 0);
	assert_int_equal(tally_missing(&t) + tally_extra(&t), 0);
	assert_int_equal(stats.bad_bytes, 0);
	assert_int_equal(gprof_probe(s.bytes, s.n, false, &wrong.code, NULL, NULL, NULL), 100);
	wire_free(w);
	tally_release(&t);
	stream_release(&s);
}

/*
 * A build that moved all code by a few bytes: calls go elsewhere, though many addresses are code.
 */
static void an_older_build_hides_little(void **state)
{
	size_t lost = 0, sent = 0;

	(void)state;
	for (uint32_t shift = 2; shift <= 200; shift += 2) {
		struct gprof_map map;
		struct wire_stats stats;
		struct stream s;
		struct tally t;
		uint32_t seed = shift;
		size_t end;

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, 3, false, 1 << 16);
		stream_random(&s, &seed, 1000, 0, 1, &map);
		end = s.count;
		s.n = s.count = 0;
		for (size_t i = 0; i < end; i++) {
			struct packet p = s.packets[i];

			stream_packet(&s, p.arc, p.a + shift, p.to + shift);
		}
		tally_init(&t);
		decode_all(&t, "gprof", 0, &map.code, s.bytes, s.n, &stats);
		tally_expect(&t, &s, ~1u, 0, 0);
		lost += (size_t)tally_missing(&t);
		sent += s.count;
		tally_release(&t);
		stream_release(&s);
	}
	print_message("%zu of %zu packets lost\n", lost, sent);
	assert_true(lost * 300 < sent);
}

/* A width that was given is not doubted, nor is it awaited. */
static void a_given_width_needs_no_proof(void **state)
{
	struct gprof_map map;
	struct wire_stats stats;
	struct stream s;
	struct tally t;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	stream_init(&s, 3, false, 1 << 16);
	for (unsigned i = 0; i < 8; i++) {
		for (unsigned k = 0; k < 40; k++)
			stream_text(&s, "nothing but text in between here\n");
		stream_packet(&s, true, 0x153d, 0x14e5);
	}
	tally_init(&t);
	decode_all(&t, "gprof", 3, &map.code, s.bytes, s.n, &stats);
	assert_int_equal(stats.events, 8);
	assert_int_equal(stats.bad_bytes, 0);
	tally_release(&t);
	stream_release(&s);
}

static void an_image_may_come_late(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct tally t;
	struct wire_options o = { 0 };
	struct wire_sink sink;
	struct wire *w;

	(void)state;
	form_stream(&s, &map, &forms[1], 400);
	tally_init(&t);
	sink = tally_sink(&t);
	w = wire_new("gprof", &o, &sink, NULL);
	wire_feed(w, s.bytes, s.packets[200].at);
	wire_set_code(w, &map.code);
	wire_feed(w, s.bytes + s.packets[200].at, s.packets[300].at - s.packets[200].at);
	wire_set_code(w, NULL);
	wire_feed(w, s.bytes + s.packets[300].at, s.n - s.packets[300].at);
	wire_flush(w, true);
	assert_int_equal(t.events, 400);
	wire_free(w);
	tally_release(&t);
	stream_release(&s);
}

/* --- limits ----------------------------------------------------------------------------------- */

static void tiny_input(void **state)
{
	static const char *const rows[] = { "", "A", "P", "AP", "4", "41", "5", "50", "\n", "PPPP",
					   "AAAAAAA" };

	(void)state;
	for (int hex = 0; hex < 2; hex++) {
		for (size_t i = 0; i < COUNT(rows); i++) {
			struct wire_stats stats;
			struct gprof_map map;
			struct tally t;

			gprof_map_init(&map, CODE_ARM, 0);
			tally_init(&t);
			decode_all(&t, hex ? "gprof-hex" : "gprof", 0, &map.code,
				   (const uint8_t *)rows[i],
				   strlen(rows[i]), &stats);
			assert_int_equal(stats.events, 0);
			assert_int_equal(stats.bytes, strlen(rows[i]));
			tally_release(&t);
		}
	}
}

static void no_memory(void **state)
{
	struct wire_options o = { 0 };
	struct wire_sink none = { 0 };
	struct err err = { 0 };

	(void)state;
	mem_fail_after(0);
	assert_null(wire_new("gprof", &o, &none, &err));
	mem_fail_after(-1);
	assert_int_equal(err.code, ERR_NOMEM);
	err_clear(&err);
	assert_null(wire_new("morse", &o, &none, &err));
	assert_int_equal(err.code, ERR_USAGE);
}

/* A sink that takes nothing is fine. */
static void nobody_listens(void **state)
{
	struct gprof_map map;
	struct stream s;
	struct wire_sink none = { 0 };
	struct wire_options o = { .code = &map.code };
	struct wire_stats stats;
	struct wire *w;

	(void)state;
	form_trouble(&s, &map, &forms[1]);
	w = wire_new("gprof", &o, &none, NULL);
	wire_feed(w, s.bytes, s.n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_true(stats.events > 60);
	wire_free(w);
	stream_release(&s);
}

/* --- the real capture ------------------------------------------------------------------------- */

static void capture_counts(const uint8_t *bytes, size_t n, const char *format,
			   const struct codemap *code)
{
	static const struct { uint32_t from, to; int count; } arcs[] = {
		{ 0x153c, 0x14e4, 13155 }, { 0x150c, 0x1498, 13155 },
		{ 0x05bc, 0x04fc, 26 }, { 0x05c6, 0x1528, 26 },
		{ 0x0526, 0x0f20, 14 }, { 0x0550, 0x0de8, 13 }, { 0x0562, 0x0e74, 13 },
		{ 0x0544, 0x0dc4, 13 }, { 0x056e, 0x0e94, 13 }, { 0x0532, 0x0f44, 12 },
	};
	uint32_t thumb = code ? 0 : 1;
	struct wire_stats stats;
	struct tally t;

	tally_init(&t);
	decode_all(&t, format, 0, code, bytes, n, &stats);
	for (size_t i = 0; i < COUNT(arcs); i++)
		assert_int_equal(*tally_slot(&t, true, arcs[i].from | thumb, arcs[i].to | thumb),
				 arcs[i].count);
	assert_int_equal(*tally_slot(&t, false, 0x146a, 0), 2988);
	assert_int_equal(*tally_slot(&t, false, 0x4d6, 0), 1);
	assert_int_equal(t.num, 10 + 37);
	assert_int_equal(stats.events, 26440 + 17214);
	assert_int_equal(stats.bad_bytes + stats.lost + stats.resyncs, 0);
	tally_release(&t);
}

static uint8_t digit_value(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'A' + 10);
}

static void the_real_capture_to_the_last_count(void **state)
{
	struct gprof_map map;
	size_t n;
	char *hex = file_read(CAPTURE, 1 << 20, &n, NULL);
	uint8_t *bytes;
	struct image *im = image_new(CAPTURE_ELF, NULL);
	const struct codemap *codes[] = { NULL, &map.code, im ? image_codemap(im) : NULL };

	(void)state;
	if (!hex || !im) {
		printf("SKIP: no " CAPTURE "\n");
		skip();
	}
	bytes = malloc(n / 2);
	for (size_t i = 0; i < n / 2; i++)
		bytes[i] = (uint8_t)(digit_value(hex[2 * i]) << 4 | digit_value(hex[2 * i + 1]));
	gprof_map_init(&map, CODE_ARM, 0);
	for (size_t with = 0; with < COUNT(codes); with++) {
		const struct codemap *code = codes[with];

		capture_counts((const uint8_t *)hex, n, "gprof-hex", code);
		capture_counts(bytes, n / 2, "gprof", code);
	}
	image_free(im);
	free(bytes);
	mem_free(hex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_width_is_found),
		cmocka_unit_test(the_note_says_what_was_found),
		cmocka_unit_test(a_wrong_width_is_refused),
		cmocka_unit_test(the_probe_tells),
		cmocka_unit_test(the_probe_sees_no_packets_in_text),
		cmocka_unit_test(any_split_gives_the_same),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(text_between_packets_is_console),
		cmocka_unit_test(text_in_hex_streams),
		cmocka_unit_test(white_space_in_hex_is_nothing),
		cmocka_unit_test(silence_gives_out_what_is_whole),
		cmocka_unit_test(a_few_packets_are_enough),
		cmocka_unit_test(a_from_after_no_call_counts_in_frame),
		cmocka_unit_test(odd_samples_count_in_frame),
		cmocka_unit_test(the_image_completes_addresses),
		cmocka_unit_test(an_impossible_packet_costs_itself),
		cmocka_unit_test(a_new_width_is_noticed),
		cmocka_unit_test(the_wrong_image_hides_nothing),
		cmocka_unit_test(an_older_build_hides_little),
		cmocka_unit_test(a_given_width_needs_no_proof),
		cmocka_unit_test(an_image_may_come_late),
		cmocka_unit_test(tiny_input),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(the_real_capture_to_the_last_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
