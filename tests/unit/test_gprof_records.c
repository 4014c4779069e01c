/*
 * gprof: which packet begins at a place, which reading of a window is the best, what the loop for
 * streams in step takes, which width a prefix has, and when the decoder does which: each by itself
 * (parse.c, fast.c, probe.c, gprof.c).
 */
#include "tests/unit/unit.h"

#include "core/wire/gprof/state.h"
#include "tests/unit/gprof_stream.h"

enum { EVENTS_MAX = 4096 };

/* All events in their order. */
struct heard {
	struct wire_arc arcs[EVENTS_MAX];
	uint32_t pcs[EVENTS_MAX];
	size_t arc_n, pc_n;
	char text[8192];
	size_t text_n;
};

static void heard_arcs(void *ctx, const struct wire_arc *arcs, size_t n)
{
	struct heard *h = ctx;

	assert_true(n > 0 && n <= GPROF_BATCH && h->arc_n + n <= EVENTS_MAX);
	memcpy(h->arcs + h->arc_n, arcs, n * sizeof(*arcs));
	h->arc_n += n;
}

static void heard_pcs(void *ctx, const uint32_t *pcs, size_t n)
{
	struct heard *h = ctx;

	assert_true(n > 0 && n <= GPROF_BATCH && h->pc_n + n <= EVENTS_MAX);
	memcpy(h->pcs + h->pc_n, pcs, n * sizeof(*pcs));
	h->pc_n += n;
}

static void heard_text(void *ctx, const char *text, size_t n)
{
	struct heard *h = ctx;

	assert_true(h->text_n + n < sizeof(h->text));
	memcpy(h->text + h->text_n, text, n);
	h->text_n += n;
	h->text[h->text_n] = '\0';
}

static struct wire *wire_heard(struct heard *h, bool hex, unsigned width,
			       const struct codemap *code)
{
	struct wire_options o = { .width = width, .code = code };
	struct wire_sink sink = { .ctx = h, .arcs = heard_arcs, .samples = heard_pcs,
				  .text = heard_text };
	struct wire *w = wire_new(hex ? "gprof-hex" : "gprof", &o, &sink, NULL);

	assert_non_null(w);
	memset(h, 0, sizeof(*h));
	return w;
}

/* The events are the packets `from` to `to` of the stream, each, in order, and no others. */
static void heard_is(const struct heard *h, const struct stream *s, size_t from, size_t to,
		     uint32_t mask)
{
	size_t arcs = 0, pcs = 0;

	for (size_t i = from; i < to; i++) {
		const struct packet *p = &s->packets[i];

		if (p->arc) {
			assert_true(arcs < h->arc_n);
			assert_int_equal(h->arcs[arcs].from, p->a & mask);
			assert_int_equal(h->arcs[arcs++].to, p->to & mask);
		} else {
			assert_true(pcs < h->pc_n);
			assert_int_equal(h->pcs[pcs++], p->a & mask);
		}
	}
	assert_int_equal(h->arc_n, arcs);
	assert_int_equal(h->pc_n, pcs);
}

/* --- what begins at a place ------------------------------------------------------------------- */

/* Symbols of a row: of hex each digit is one, and 'x' is none. Two digits are a byte otherwise. */
static size_t symbols_of(uint8_t *s, const char *text, unsigned unit)
{
	size_t n = 0;

	for (size_t i = 0; text[i]; i += 3 - unit) {
		if (unit == 2)
			s[n++] = gprof_digit[(uint8_t)text[i]];
		else
			s[n++] = (uint8_t)(gprof_digit[(uint8_t)text[i]] << 4 |
					   gprof_digit[(uint8_t)text[i + 1]]);
	}
	return n;
}

enum { BARE, LOW, HIGH, ODD };	/* no image; the LED's at 0, at 0x08000000, at 0x1100 */

/* 41 is 'A' and 50 is 'P'. The LED's code has 0x1800 bytes, functions up to 0x1610. */
static const struct place_case {
	const char *name;
	unsigned width, unit;
	int image;
	const char *symbols;
	bool end;			/* the window's end is the stream's */
	enum gprof_kind kind;
	enum gprof_grade grade;
} places[] = {
	{ "an arc", 3, 1, LOW, "4100153d0014e5", 0, KIND_ARC, GRADE_KNOWN },
	{ "a sample", 3, 1, LOW, "50001466", 0, KIND_PC, GRADE_FAIR },
	{ "the same at the end", 3, 1, LOW, "50001466", 1, KIND_PC, GRADE_FAIR },
	{ "an arc in hex", 3, 2, LOW, "4100153d0014e5", 0, KIND_ARC, GRADE_KNOWN },
	{ "a sample in hex", 3, 2, LOW, "50001466", 0, KIND_PC, GRADE_FAIR },
	{ "the high bits are the image's", 2, 1, HIGH, "41153d14e5", 0, KIND_ARC, GRADE_KNOWN },
	{ "of a sample, too", 3, 1, HIGH, "50001466", 0, KIND_PC, GRADE_FAIR },
	{ "a sample elsewhere", 3, 1, LOW, "50ff1466", 0, KIND_NONE, GRADE_NONE },
	{ "no marker", 3, 1, LOW, "42001466", 0, KIND_NONE, GRADE_NONE },
	{ "a marker and another", 3, 1, LOW, "51001466", 0, KIND_NONE, GRADE_NONE },
	{ "hex: no digit in a sample", 3, 2, BARE, "5000x466", 0, KIND_NONE, GRADE_NONE },
	{ "hex: no digit in an arc", 3, 2, BARE, "4100153d0014ex", 0, KIND_NONE, GRADE_NONE },
	{ "hex: no digit behind it", 3, 2, BARE, "50001466x", 0, KIND_PC, GRADE_LIKELY },
	{ "hex: all digits are f", 2, 2, BARE, "50fffe", 0, KIND_PC, GRADE_LIKELY },

	/* Cut off by the window's end: a part, unless that is the stream's. */
	{ "a marker", 3, 1, BARE, "41", 0, KIND_PART, GRADE_WEAK },
	{ "a marker at the end", 3, 1, BARE, "41", 1, KIND_NONE, GRADE_NONE },
	{ "a sample's marker", 3, 1, BARE, "50", 0, KIND_PART, GRADE_WEAK },
	{ "a byte that is no marker", 3, 1, BARE, "04", 0, KIND_NONE, GRADE_NONE },
	{ "with an image", 3, 1, LOW, "50", 0, KIND_PART, GRADE_WEAK },
	{ "a letter follows: words", 3, 1, BARE, "5041", 0, KIND_NONE, GRADE_NONE },
	{ "two", 3, 1, BARE, "504141", 0, KIND_NONE, GRADE_NONE },
	{ "a blank", 3, 1, BARE, "5020", 0, KIND_NONE, GRADE_NONE },
	{ "below a blank", 3, 1, BARE, "501f", 0, KIND_PART, GRADE_WEAK },
	{ "the last letter", 3, 1, BARE, "507e", 0, KIND_NONE, GRADE_NONE },
	{ "behind it", 3, 1, BARE, "507f", 0, KIND_PART, GRADE_WEAK },
	{ "a letter and none", 3, 1, BARE, "504101", 0, KIND_PART, GRADE_WEAK },
	{ "none and a letter", 3, 1, BARE, "500141", 0, KIND_PART, GRADE_WEAK },
	{ "an arc's second, by a letter", 3, 1, BARE, "4100010241", 0, KIND_NONE, GRADE_NONE },
	{ "or not", 3, 1, BARE, "4100010200", 0, KIND_PART, GRADE_WEAK },
	{ "its first is letters", 3, 1, BARE, "41414141", 0, KIND_PART, GRADE_WEAK },
	{ "code may begin so", 3, 1, LOW, "5000", 0, KIND_PART, GRADE_WEAK },
	{ "or not", 3, 1, LOW, "5001", 0, KIND_NONE, GRADE_NONE },
	{ "letters are addresses, too", 2, 1, LOW, "5010", 0, KIND_PART, GRADE_WEAK },
	{ "the last byte of code", 3, 1, LOW, "500017", 0, KIND_PART, GRADE_WEAK },
	{ "behind it", 3, 1, LOW, "500018", 0, KIND_NONE, GRADE_NONE },
	{ "before the code", 4, 1, HIGH, "5007ffff", 0, KIND_NONE, GRADE_NONE },
	{ "in it", 4, 1, HIGH, "50080000", 0, KIND_PART, GRADE_WEAK },
	{ "the page before the code", 3, 1, ODD, "500010", 0, KIND_NONE, GRADE_NONE },
	{ "its own", 3, 1, ODD, "500011", 0, KIND_PART, GRADE_WEAK },
	{ "the high bits are the image's", 3, 1, HIGH, "500017", 0, KIND_PART, GRADE_WEAK },
	{ "behind it", 3, 1, HIGH, "500018", 0, KIND_NONE, GRADE_NONE },
	{ "an arc's first is code", 3, 1, LOW, "4100153d", 0, KIND_PART, GRADE_WEAK },
	{ "it is none: between functions", 3, 1, LOW, "4100170d", 0, KIND_NONE, GRADE_NONE },
	{ "and the second begins", 3, 1, LOW, "4100170d00", 0, KIND_NONE, GRADE_NONE },
	{ "code, the high bits left off", 3, 1, HIGH, "4100153d", 0, KIND_PART, GRADE_WEAK },
	{ "none", 3, 1, HIGH, "4100170d", 0, KIND_NONE, GRADE_NONE },
	{ "the second is none", 3, 1, LOW, "4100153d01", 0, KIND_NONE, GRADE_NONE },
	{ "the second may be", 3, 1, LOW, "4100153d0014", 0, KIND_PART, GRADE_WEAK },
	{ "hex: half a marker", 3, 2, BARE, "4", 0, KIND_PART, GRADE_WEAK },
	{ "hex: half a sample's", 3, 2, BARE, "5", 0, KIND_PART, GRADE_WEAK },
	{ "hex: half of none", 3, 2, BARE, "3", 0, KIND_NONE, GRADE_NONE },
	{ "hex: half of another", 3, 2, BARE, "6", 0, KIND_NONE, GRADE_NONE },
	{ "hex: at the end", 3, 2, BARE, "4", 1, KIND_NONE, GRADE_NONE },
	{ "hex: a marker", 3, 2, BARE, "50", 0, KIND_PART, GRADE_WEAK },
	{ "hex: none", 3, 2, BARE, "40", 0, KIND_NONE, GRADE_NONE },
	{ "hex: letters are digits", 3, 2, BARE, "5041", 0, KIND_PART, GRADE_WEAK },
	{ "hex: the highest digit", 3, 2, BARE, "50f", 0, KIND_PART, GRADE_WEAK },
	{ "hex: no digit", 3, 2, BARE, "50x", 0, KIND_NONE, GRADE_NONE },
	{ "hex: no digit behind one", 3, 2, BARE, "500x", 0, KIND_NONE, GRADE_NONE },
	{ "hex: none in an arc's first", 3, 2, BARE, "4100x53d", 0, KIND_NONE, GRADE_NONE },
	{ "hex: the highest in an arc's first", 3, 2, BARE, "41ffffff0", 0, KIND_PART, GRADE_WEAK },
	{ "hex: none in its second", 3, 2, BARE, "4100153d0x", 0, KIND_NONE, GRADE_NONE },
	{ "hex: code may begin so", 3, 2, LOW, "500", 0, KIND_PART, GRADE_WEAK },
	{ "hex: or not", 3, 2, LOW, "501", 0, KIND_NONE, GRADE_NONE },
	{ "hex: half a byte of code", 3, 2, LOW, "50001", 0, KIND_PART, GRADE_WEAK },
	{ "hex: behind the code", 3, 2, LOW, "50002", 0, KIND_NONE, GRADE_NONE },
	{ "hex: an arc's second is none", 3, 2, LOW, "4100153d002", 0, KIND_NONE, GRADE_NONE },
	{ "hex: an arc's first is none", 3, 2, LOW, "4100170d00", 0, KIND_NONE, GRADE_NONE },
	{ "hex: the high bits are the image's", 3, 2, HIGH, "5000170", 0, KIND_PART, GRADE_WEAK },
};

static const struct codemap *image_at(struct gprof_map *map, int image)
{
	gprof_map_init(map, CODE_ARM, image == HIGH ? 0x08000000 : image == ODD ? 0x1100 : 0);
	return image == BARE ? NULL : &map->code;
}

static void each_place_has_its_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(places); i++) {
		const struct place_case *c = &places[i];
		static struct gprof_parse p;
		struct gprof_lens l = { .width = c->width, .unit = c->unit };
		struct gprof_map map;
		uint8_t s[64];
		size_t n = symbols_of(s, c->symbols, c->unit);

		memset(s + n, 0, sizeof(s) - n);	/* what stands behind it is not looked at */
		l.code = image_at(&map, c->image);
		gprof_parse(&p, &l, s, n, !c->end);
		assert_int_equal(p.n, n);
		if (p.kind[0] != c->kind || (c->kind != KIND_NONE && p.grade[0] != c->grade))
			fail_msg("%s (%s): %d, %d", c->name, c->symbols, p.kind[0], p.grade[0]);
	}
}

static void packets_are_unpacked(void **state)
{
	static const struct {
		unsigned width, unit;
		int image;
		const char *symbols;
		enum gprof_kind kind;
		bool good;
		uint32_t a, to;
	} rows[] = {
		{ 2, 1, BARE, "4112345678", KIND_ARC, true, 0x1234, 0x5678 },
		{ 3, 1, BARE, "41123456789abc", KIND_ARC, true, 0x123456, 0x789abc },
		{ 4, 1, BARE, "41123456789abcdef0", KIND_ARC, true, 0x12345678, 0x9abcdef0 },
		{ 4, 2, BARE, "41123456789abcdef0", KIND_ARC, true, 0x12345678, 0x9abcdef0 },
		{ 3, 1, BARE, "50123456", KIND_PC, true, 0x123456, 0 },
		{ 3, 2, BARE, "50fffff0", KIND_PC, true, 0xfffff0, 0 },
		{ 3, 1, HIGH, "4100153d0014e5", KIND_ARC, true, 0x0800153d, 0x080014e5 },
		{ 2, 1, HIGH, "501466", KIND_PC, true, 0x08001466, 0 },
		{ 3, 2, BARE, "5012345x", KIND_PC, false, 0, 0 },
		{ 3, 2, BARE, "41123456789abx", KIND_ARC, false, 0, 0 },
		{ 3, 2, BARE, "41x23456789abc", KIND_ARC, false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct gprof_lens l = { .width = rows[i].width, .unit = rows[i].unit };
		struct gprof_packet p;
		struct gprof_map map;
		uint8_t s[64] = { 0 };

		symbols_of(s, rows[i].symbols, rows[i].unit);
		l.code = image_at(&map, rows[i].image);
		assert_int_equal(gprof_unpack(&p, &l, s, rows[i].kind), rows[i].good);
		assert_int_equal(p.kind, rows[i].kind);
		if (!rows[i].good)
			continue;
		assert_int_equal(p.a, rows[i].a);
		assert_int_equal(p.to, rows[i].to);
	}
}

/* --- the best reading ------------------------------------------------------------------------- */

/* Console text: twelve bytes and more in a row, a blank or a line's end among them. */
static void lines_of_text_are_marked(void **state)
{
	static const struct { const char *bytes, *marks; } rows[] = {
		{ "ab cdefghijk", "############" },
		{ "ab cdefghij", "..........." },
		{ "abcdefghijklmnop", "................" },
		{ "abcdefghijk\n", "############" },
		{ "abcdefghij\n", "..........." },
		{ "ab defghijk\nlmno", "############...." },
		{ "abcdefghijklm\nnopqr stuv", "##############.........." },
		{ "abcdefg\nhijkl\nop", "##############.." },
		{ "abcdef hij\nk lm no pq rs", "........................" },
		{ "\001ab cdefghijk\001l", ".############.." },
		{ "\001\001ab cdefghijk\001no pqrstuvwxy", "..############.#############" },
		{ "a b\001abcdefghijklm\001", ".................." },
		{ "\001a b", "...." },
		{ "\001\001\001\001\001\001\001\001a bcd", "............." },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct gprof_lens l = { .width = 3, .unit = 1 };
		static struct gprof_parse p;
		size_t n = strlen(rows[i].bytes);
		char bytes[64], marks[64] = "";

		memset(bytes, ' ', sizeof(bytes));
		memcpy(bytes, rows[i].bytes, n);
		memset(p.text, 1, sizeof(p.text));
		gprof_parse(&p, &l, (const uint8_t *)bytes, n, true);
		for (size_t k = 0; k < n; k++)
			marks[k] = p.text[k] ? '#' : '.';
		if (strncmp(marks, rows[i].marks, n))
			fail_msg("row %zu: %s", i, marks);
	}
}

/*
 * The rules of state.h, tried out in every way: the best sum of grades from i on, if a packet
 * begins there, and if i is in a gap. -1000: no packet does.
 */
struct trial {
	const struct gprof_lens *l;
	const struct gprof_parse *p;
	const uint8_t *s;
	size_t n;
	int packet[64], gap[64];
};

static size_t trial_len(const struct trial *t, enum gprof_kind kind)
{
	return t->l->unit * (kind == KIND_ARC ? 1 + 2 * t->l->width : 1 + t->l->width);
}

static int trial_grade(const struct trial *t, size_t i)
{
	enum gprof_kind kind = t->p->kind[i];
	size_t end = kind == KIND_PART ? t->n : i + trial_len(t, kind);
	struct gprof_packet packet;
	int grade = GRADE_WEAK;

	if (kind != KIND_PART) {
		gprof_unpack(&packet, t->l, t->s + i, kind);
		grade = kind == KIND_ARC ? gprof_grade_arc(t->l, packet.a, packet.to) :
			gprof_grade_pc(t->l, packet.a);
	}
	for (size_t k = i; k < end; k++)
		if (!t->p->text[k])
			return grade;
	return grade == GRADE_KNOWN ? GRADE_LIKELY : GRADE_WEAK;
}

static int trial_cost(const struct trial *t, size_t i, int before)
{
	return (t->p->text[i] ? 1 : 3) + (before == GRADE_WEAK ? 2 : 0);
}

static int trial_larger(int a, int b)
{
	return a > b ? a : b;
}

static void trial_run(struct trial *t)
{
	for (size_t i = t->n; i-- > 0;) {
		enum gprof_kind kind = t->p->kind[i];
		size_t j;
		int grade;

		t->gap[i] = i + 1 < t->n ? trial_larger(t->gap[i + 1], t->packet[i + 1]) : 0;
		t->packet[i] = -1000;
		if (kind == KIND_NONE)
			continue;
		grade = t->packet[i] = trial_grade(t, i);
		j = kind == KIND_PART ? t->n : i + trial_len(t, kind);
		if (j < t->n)
			t->packet[i] += trial_larger(t->packet[j],
						     t->gap[j] - trial_cost(t, j, grade));
	}
}

static void trial_compare(const struct trial *t)
{
	struct gprof_cursor end = { .at = t->n, .in_gap = true };

	assert_int_equal(gprof_read(t->p, &end), KIND_NONE);
	for (size_t i = 0; i < t->n; i++) {
		assert_int_equal(t->p->gap[i], t->gap[i]);
		if (t->p->kind[i] != KIND_NONE)
			assert_int_equal(t->p->packet[i], t->packet[i]);
		for (int last = 0; last <= GRADE_KNOWN; last++) {	/* 0: in a gap */
			struct gprof_cursor c = { i, !last, (enum gprof_grade)last };
			int gap = t->gap[i] - (last ? trial_cost(t, i, last) : 0);
			enum gprof_kind kind = t->packet[i] > gap ? t->p->kind[i] : KIND_NONE;

			assert_int_equal(gprof_read(t->p, &c), kind);
			if (kind == KIND_PART)
				continue;
			gprof_advance(t->p, t->l, &c, kind);
			assert_int_equal(c.in_gap, kind == KIND_NONE);
			assert_int_equal(c.at, i + (kind ? trial_len(t, kind) : 1));
			assert_int_equal(c.last, kind ? t->p->grade[i] : GRADE_FAIR);
		}
	}
}

/* Packets, broken ones, letters and noise, a few of each. */
static void window_random(struct stream *s, uint32_t *seed, const struct gprof_map *map)
{
	s->n = s->count = 0;
	while (s->n < 40) {
		uint32_t r = random_next(seed) >> 5;

		if (r % 8 < 4)
			stream_random(s, seed, 1, 0, r & 1, map);
		else if (r % 8 == 4)
			stream_text(s, "PANIC: a P, an A\n");
		else if (r % 8 == 5)
			stream_packet(s, r & 64, r >> 3 & 0x17ff, r >> 7 & 0x17ff);
		else
			s->bytes[s->n++] = (uint8_t)(r >> 8);
		if (r % 5 == 0)
			s->bytes[s->n - 1 - r % (s->n < 4 ? s->n : 4)] ^= (uint8_t)(r >> 9);
	}
	s->n = 30 + random_next(seed) % 10;
}

static void the_best_reading_is_found(void **state)
{
	static struct gprof_known known;
	uint32_t seed = 7;

	(void)state;
	gprof_known_init(&known);
	for (unsigned i = 0; i < UNIT_TRIALS(600); i++) {
		static struct gprof_parse p;
		struct gprof_map map;
		struct gprof_lens l = { .width = 2 + i % 3, .unit = 1 + i / 3 % 2,
					.code = i % 4 < 2 ? &map.code : NULL, .known = &known };
		struct trial t = { .l = &l, .p = &p };
		struct stream s;

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, l.width, l.unit == 2, 4096);
		window_random(&s, &seed, &map);
		for (size_t k = 0; k < s.n && l.unit == 2; k++)
			s.bytes[k] = gprof_digit[s.bytes[k]];
		t.s = s.bytes;
		t.n = s.n;
		p.kind[s.n] = KIND_PC;		/* of a longer window before */
		p.packet[s.n] = 100;
		gprof_parse(&p, &l, s.bytes, s.n, i % 5 > 0);
		trial_run(&t);
		trial_compare(&t);
		for (size_t k = 0; k < s.count && i % 7 == 0; k++)
			gprof_learn(&known, &(struct gprof_packet){
				s.packets[k].arc ? KIND_ARC : KIND_PC, s.packets[k].a,
				s.packets[k].to });
		stream_release(&s);
	}
}

/* --- in step ---------------------------------------------------------------------------------- */

/* Packets of the LED's, three bytes an address, a letter each. */
static void fast_put(struct stream *s, const char *text)
{
	for (; *text; text++) {
		if (*text == '~')
			stream_packet(s, true, 0x153d, 0x14e5);
		else if (*text == '^')
			stream_packet(s, false, 0x1466, 0);
		else if (*text == 'w')
			stream_packet(s, true, 0x0004, 0x14e5);		/* weak */
		else if (*text == 'n')
			stream_packet(s, true, 0x150d, 0x1499);		/* good, not seen yet */
		else if (*text == 'm')
			stream_packet(s, false, 0x0420, 0);		/* good, not seen yet */
		else if (*text == 'q')
			stream_packet(s, true, 0x153d, 0x14e3);		/* fair */
		else if (*text == 'f')
			stream_packet(s, false, 0x14f0, 0);		/* with a digit f */
		else if (*text == 'o')
			stream_packet(s, false, 0x0421, 0);		/* odd */
		else if (*text == 'e')
			stream_packet(s, false, 0x1700, 0);		/* elsewhere */
		else
			stream_byte(s, 0);
	}
}

static void what_is_in_step_is_taken_but_for_the_last(void **state)
{
	static const struct {
		const char *name, *packets;
		size_t less;		/* bytes that are not there yet */
		size_t arcs, pcs;
	} rows[] = {
		{ "nothing", "", 0, 0, 0 },
		{ "an arc and a byte: it is not certain", "~^", 3, 0, 0 },
		{ "and another", "~~~", 6, 1, 0 },
		{ "one byte less", "~~~", 7, 0, 0 },
		{ "samples", "^^~~", 6, 0, 2 },
		{ "one byte less", "^^~~", 7, 0, 1 },
		{ "the last is a sample", "~~^~~", 6, 2, 1 },
		{ "a byte that is no marker", "~~^.~~~~", 0, 2, 0 },
		{ "behind an arc", "~^~.~~~~", 0, 1, 1 },
		{ "a fair arc", "~^q~~", 6, 2, 1 },
		{ "a digit f", "~f~~~", 6, 2, 1 },
		{ "a weak arc", "~~^w~~~~", 0, 2, 0 },
		{ "an odd sample", "~~^o~~~~", 0, 2, 0 },
		{ "a sample elsewhere", "~~^e~~~~", 0, 2, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (int hex = 0; hex < 2; hex++) {
			static struct heard h;
			struct gprof_map map;
			struct stream s;
			struct gprof *g;
			size_t n, done;

			gprof_map_init(&map, CODE_ARM, 0);
			g = (struct gprof *)wire_heard(&h, hex, 3, &map.code);
			g->astray = 9;
			stream_init(&s, 3, hex, 4096);
			fast_put(&s, rows[i].packets);
			n = s.n - rows[i].less * (1u + hex);
			for (size_t k = 0; k < s.n && hex; k++)
				s.bytes[k] = gprof_digit[s.bytes[k]];
			memset(s.bytes + n, 0, s.cap - n);
			done = gprof_fast(g, s.bytes, n);
			if (g->num_arcs != rows[i].arcs || g->num_pcs != rows[i].pcs)
				fail_msg("%s: %zu, %zu", rows[i].name, g->num_arcs, g->num_pcs);
			assert_int_equal(done, (7 * rows[i].arcs + 4 * rows[i].pcs) * (1u + hex));
			assert_int_equal(g->astray, done ? 0 : 9);
			wire_free(&g->wire);
			stream_release(&s);
		}
	}
}

/* What is followed by a marker is learnt, and known again where it is less plausible. */
static void what_is_followed_is_learnt(void **state)
{
	static const struct { const char *packets; bool arc, pc; } rows[] = {
		{ "n~~~", true, false }, { "n^~~", true, false }, { "n.~~", false, false },
		{ "m~~~", false, true }, { "m^~~", false, true }, { "m.~~", false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct heard h;
		struct gprof_map map;
		struct stream s;
		struct gprof *g;
		uint64_t key = gprof_arc_key(0x150d, 0x1499);

		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, false, 3, &map.code);
		stream_init(&s, 3, false, 4096);
		fast_put(&s, rows[i].packets);
		gprof_fast(g, s.bytes, s.n);
		assert_int_equal(g->known.arc[gprof_arc_slot(key)] == key, rows[i].arc);
		assert_int_equal(g->known.pc[gprof_pc_slot(0x0420)] == 0x0420, rows[i].pc);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* Weak packets are taken once they are known; without an image samples of known pages are. */
static void what_is_known_is_taken(void **state)
{
	static const struct gprof_packet weak = { KIND_ARC, 0x0004, 0x14e5 },
		odd = { KIND_PC, 0x0421, 0 }, page = { KIND_PC, 0x1402, 0 };
	static const struct {
		bool code;
		const struct gprof_packet *known;
		const char *packets;
		size_t arcs, pcs;
	} rows[] = {
		{ true, NULL, "~w~~~", 0, 0 }, { true, &weak, "~w~~~", 3, 0 },
		{ true, NULL, "~o~~~", 0, 0 }, { true, &odd, "~o~~~", 2, 1 },
		{ false, NULL, "^^~~", 0, 0 }, { false, &page, "^^~~", 0, 1 },
		{ false, &page, "^o~~", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct heard h;
		struct gprof_map map;
		struct stream s;
		struct gprof *g;

		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, false, 3, rows[i].code ? &map.code : NULL);
		if (rows[i].known)
			gprof_learn(&g->known, rows[i].known);
		stream_init(&s, 3, false, 4096);
		fast_put(&s, rows[i].packets);
		gprof_fast(g, s.bytes, s.n);
		assert_int_equal(g->num_arcs, rows[i].arcs);
		assert_int_equal(g->num_pcs, rows[i].pcs);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* --- whole streams ---------------------------------------------------------------------------- */

static const struct form { enum code_arch arch; uint32_t base, thumb; unsigned width; } forms[] = {
	{ CODE_AVR, 0, 0, 2 }, { CODE_ARM, 0, 1, 3 }, { CODE_ARM, 0x08000000, 1, 4 },
};

static void feed_in_pieces(struct wire *w, const uint8_t *bytes, size_t n, size_t piece)
{
	for (size_t at = 0; at < n; at += piece)
		wire_feed(w, bytes + at, piece < n - at ? piece : n - at);
}

/* Batches of events change neither their number nor their order. */
static void every_packet_comes_out_in_its_place(void **state)
{
	static const size_t pieces[] = { 1 << 16, 4000, 61 };

	(void)state;
	for (unsigned i = 0; i < 3 * 2 * 2 * 2; i++) {
		const struct form *f = &forms[i % 3];
		bool hex = i / 3 % 2, with = i / 6 % 2, told = i / 12;
		uint32_t seed = 42 + i, mask = with && f->arch == CODE_ARM ? ~1u : ~0u;

		for (size_t k = 0; k < COUNT(pieces); k++) {
			static struct heard h;
			struct wire_stats stats;
			struct gprof_map map;
			struct stream s;
			struct wire *w;

			gprof_map_init(&map, f->arch, f->base);
			w = wire_heard(&h, hex, told ? f->width : 0, with ? &map.code : NULL);
			stream_init(&s, f->width, hex, 1 << 16);
			stream_random(&s, &seed, 1000, f->base, f->thumb, &map);
			feed_in_pieces(w, s.bytes, s.n, pieces[k]);
			wire_flush(w, true);
			wire_stats(w, &stats);
			heard_is(&h, &s, 0, s.count, mask);
			assert_int_equal(stats.events, 1000);
			assert_int_equal(stats.bytes, s.n);
			assert_int_equal(stats.bad_bytes + stats.text_bytes + stats.lost +
					 stats.resyncs, 0);
			wire_free(w);
			stream_release(&s);
		}
	}
}

/* --- the width of a prefix -------------------------------------------------------------------- */

/* A stream of packets (fast_put), `"text"` as it stands, "*12" after one: so often. */
static void script_put(struct stream *s, const char *script)
{
	for (const char *c = script; *c; c++) {
		unsigned long times = 1;
		char one[2] = { *c, '\0' }, text[128] = "";

		if (*c == '"') {
			size_t n = strcspn(c + 1, "\"");

			memcpy(text, c + 1, n);
			text[n] = '\0';
			c += n + 1;
		}
		if (c[1] == '*') {
			char *end;

			times = strtoul(c + 2, &end, 10);
			c = end - 1;
		}
		while (times-- > 0) {
			if (one[0] == '"')
				stream_text(s, text);
			else
				fast_put(s, one);
		}
	}
}

/* Three bytes an address; ~ are worth 6 with the image, ^ 4, w 1; without one 2 each, w 1. */
static const struct prefix_case {
	const char *name, *script;
	bool with;
	unsigned given;
	struct { bool bare; unsigned width; int score; size_t packets, fair, sure, in_step, text, n;
		 unsigned in_code; } is;
} prefixes[] = {
	{ "nothing", "", true, 0, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
	{ "one byte", ".", true, 0, { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 } },
	{ "one sample", "^", true, 0, { 0, 3, 4, 1, 1, 1, 4, 0, 4, 100 } },
	{ "arcs and samples", "~^~^~^~^~^", true, 0, { 0, 3, 50, 10, 10, 10, 55, 0, 55, 100 } },
	{ "without an image", "~^~^~^~^~^", false, 0, { 1, 3, 20, 10, 0, 10, 55, 0, 55, 0 } },
	{ "bytes before them", "..~^~^~^~^~^", true, 0, { 0, 3, 50, 10, 10, 10, 55, 0, 57, 100 } },
	{ "bytes amid them", "~^~^..~^~^~^", true, 0, { 0, 3, 47, 10, 10, 10, 55, 0, 57, 100 } },
	{ "bytes behind them", "~^~^~^~^~^..", true, 0, { 0, 3, 47, 10, 10, 10, 55, 0, 57, 100 } },
	{ "text before them", "\"hello\"~^~^", true, 0, { 0, 3, 20, 4, 4, 4, 22, 5, 27, 100 } },
	{ "text amid them", "~^\"hello\".\"word\"~^", true, 0,
	  { 0, 3, 17, 4, 4, 4, 22, 9, 32, 100 } },
	{ "text behind them", "~^~^\"hello\"", true, 0, { 0, 3, 17, 4, 4, 4, 22, 5, 27, 100 } },
	{ "letters are no text", "~^\"bcd\"~^", true, 0, { 0, 3, 17, 4, 4, 4, 22, 0, 25, 100 } },
	{ "weak ones are not fair", "~w~", true, 0, { 0, 3, 13, 3, 2, 3, 21, 0, 21, 66 } },
	{ "a marker more", "\"A\"~*5", false, 3, { 1, 3, 10, 5, 0, 5, 35, 0, 36, 0 } },
	{ "the end is cut off", "~^~^\"P\"", true, 0, { 0, 3, 21, 4, 4, 4, 22, 0, 22, 100 } },
	{ "it is not that wide", "~^~^~^", true, 2, { 0, 0, 0, 0, 0, 0, 0, 0, 33, 0 } },
	{ "words that begin with P", "\"Put the PIN in, Paula\n\"", false, 3,
	  { 1, 0, 0, 0, 0, 0, 0, 0, 22, 0 } },

	/* Another firmware's: of 12 packets and more nine tenths make sense without the image. */
	{ "eleven packets elsewhere", "e*11", true, 3, { 0, 0, 0, 0, 0, 0, 0, 0, 44, 0 } },
	{ "twelve", "e*12", true, 3, { 1, 3, 24, 12, 0, 12, 48, 0, 48, 0 } },
	{ "nine tenths fit", "~*36e*7", true, 3, { 0, 3, 213, 36, 36, 36, 252, 0, 280, 100 } },
	{ "less", "~*36e*8", true, 3, { 1, 3, 88, 44, 0, 44, 284, 0, 284, 88 } },
	{ "a tenth is bad by itself", "e*18.*8", true, 3, { 1, 3, 33, 18, 0, 18, 72, 0, 80, 0 } },
	{ "more", "e*18.*9", true, 3, { 0, 0, 0, 0, 0, 0, 0, 0, 81, 0 } },
	{ "text is not bad", "e*18.*8\"hello\"", true, 3, { 1, 3, 33, 18, 0, 18, 72, 5, 85, 0 } },
	{ "half are fair", "~*10w*10e", true, 3, { 0, 3, 65, 20, 10, 20, 140, 0, 144, 50 } },
	{ "fewer: an older build", "~*10w*11e", true, 3, { 1, 3, 33, 22, 0, 22, 151, 0, 151, 97 } },
	{ "but all of them fit", "~*10w*11", true, 3, { 0, 3, 71, 21, 10, 21, 147, 0, 147, 47 } },
};

static void each_prefix_has_its_width(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(prefixes); i++) {
		const struct prefix_case *c = &prefixes[i];
		struct gprof_lens l = { .width = c->given, .unit = 1 };
		struct gprof_found f;
		struct gprof_map map;
		struct stream s;

		gprof_map_init(&map, CODE_ARM, 0);
		l.code = c->with ? &map.code : NULL;
		stream_init(&s, 3, false, 4096);
		script_put(&s, c->script);
		gprof_find(&f, &l, s.bytes, s.n);
		if (f.width != c->is.width || f.score != c->is.score ||
		    f.packets != c->is.packets || f.fair != c->is.fair || f.sure != c->is.sure ||
		    f.in_step != c->is.in_step || f.text != c->is.text || f.n != c->is.n ||
		    f.in_code != c->is.in_code || !f.code != (c->is.bare || !c->with))
			fail_msg("%s: %d, %u, %d, %zu, %zu, %zu, %zu, %zu, %zu, %u", c->name,
				 !f.code, f.width, f.score, f.packets, f.fair, f.sure, f.in_step,
				 f.text, f.n, f.in_code);
		stream_release(&s);
	}
}

/* Between two others a packet is no chance; the first, the last and those at a gap may be. */
static void a_prefix_is_learnt(void **state)
{
	static const struct { const char *script; bool arc, pc; } rows[] = {
		{ "~n~", true, false }, { "~m~", false, true }, { "n~m", false, false },
		{ "~n.~", false, false }, { "~.n~", false, false }, { "~n", false, false },
		{ "..~nm~", true, true }, { "~n\"P\"", true, false },
		{ "~m\"A\"", false, true },
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		static struct heard h;
		const char *script = rows[i / 2].script;
		uint64_t key = gprof_arc_key(0x150d, 0x1499);
		struct gprof_map map;
		struct stream s;
		struct gprof *g;

		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, false, 3, &map.code);
		stream_init(&s, 3, false, 4096);
		script_put(&s, script);
		if (i % 2 == 0) {
			gprof_learn_prefix(&g->known, &g->lens, s.bytes, s.n);
		} else {				/* likewise, out of step */
			g->settled = g->gap.open = true;
			wire_feed(&g->wire, s.bytes, s.n);
			wire_flush(&g->wire, false);
		}
		if ((g->known.arc[gprof_arc_slot(key)] == key) != rows[i / 2].arc ||
		    (g->known.pc[gprof_pc_slot(0x420)] == 0x420) != rows[i / 2].pc)
			fail_msg("%s, %zu", script, i % 2);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* A probe looks at the first 2048 bytes: twice as many digits, blanks aside. */
static void a_probe_looks_at_the_beginning(void **state)
{
	static const struct {
		const char *name;
		bool hex, spaced;
		size_t before, samples, less;
		int score;
		size_t packets, in_step;
	} rows[] = {
		{ "nothing", false, false, 0, 0, 0, 0, 0, 0 },
		{ "one", false, false, 0, 1, 0, 100, 1, 4 },
		{ "one in hex", true, false, 0, 1, 0, 100, 1, 8 },
		{ "a byte of two is missing", false, false, 0, 2, 1, 100, 1, 4 },
		{ "a digit", true, false, 0, 2, 1, 100, 1, 8 },
		{ "others before them", false, false, 5, 5, 0, 80, 5, 20 },
		{ "all", false, false, 0, 512, 0, 100, 512, 2048 },
		{ "more", false, false, 0, 600, 0, 100, 512, 2048 },
		{ "one byte too many", false, false, 1, 512, 0, 99, 511, 2044 },
		{ "all in hex", true, false, 0, 600, 0, 100, 512, 4096 },
		{ "one digit too many", true, false, 1, 512, 0, 99, 511, 4088 },
		{ "blanks are nothing", true, true, 0, 512, 0, 100, 512, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct gprof_map map;
		struct stream s;
		uint8_t bytes[16384];
		size_t n = 0, packets, in_step;
		unsigned width;

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, 3, rows[i].hex, 16384);
		for (size_t k = 0; k < rows[i].before; k++)
			s.bytes[s.n++] = '1' - (rows[i].hex ? 0 : '1' - 1);
		for (size_t k = 0; k < rows[i].samples; k++)
			stream_packet(&s, false, 0x1466, 0);
		for (size_t k = 0; k < s.n; k++) {
			if (rows[i].spaced)
				bytes[n++] = " \n\t"[k % 3];
			bytes[n++] = s.bytes[k];
		}
		assert_int_equal(gprof_probe(bytes, n - rows[i].less, rows[i].hex, &map.code,
					     &width, &packets, &in_step), rows[i].score);
		assert_int_equal(width, rows[i].packets ? 3 : 0);
		assert_int_equal(packets, rows[i].packets);
		assert_int_equal(in_step, rows[i].in_step);
		assert_int_equal(gprof_probe(bytes, n - rows[i].less, rows[i].hex, &map.code, NULL,
					     NULL, NULL), rows[i].score);
		stream_release(&s);
	}
	/* One of nine bytes that are no text is bad. */
	assert_int_equal(gprof_probe((const uint8_t *)"hello, all\n\1P\0\1\2P\0\1\2", 20, false,
				     NULL, NULL, NULL, NULL), 88);
}

/* --- when what is decided --------------------------------------------------------------------- */

/* Where all bytes went: into packets, text and what is bad. */
static size_t bytes_counted(const struct heard *h, const struct wire_stats *stats)
{
	return 7 * h->arc_n + 4 * h->pc_n + stats->text_bytes + stats->bad_bytes;
}

/* The first event comes out behind so many bytes, or at the end; in one piece all is the same. */
enum { SILENCE = 10000, END = 20000 };

static const struct awaited {
	const char *name, *script;
	bool with;
	unsigned given;
	size_t at, events;
	const char *note;
} awaited[] = {
	{ "256 bytes are enough", "~*100", true, 0, 256, 100,
	  "gprof: 3-byte addresses, 100 % of packets in code" },
	{ "without an image, too", "~*100", false, 0, 256, 100,
	  "gprof: 3-byte addresses, 100 % of bytes in valid packets (no image)" },
	{ "of the width that was given", "~*100", true, 3, 256, 100,
	  "gprof: 3-byte addresses, 100 % of packets in code" },
	{ "text is not bad, the rest is", "\"hello\n\"*10~*100", false, 0, 256, 100,
	  "gprof: 3-byte addresses, 100 % of bytes in valid packets (no image)" },
	{ "bytes are", ".*20~*100", false, 0, 256, 100,
	  "gprof: 3-byte addresses, 92 % of bytes in valid packets (no image)" },
	{ "few of 512 tell", "~*6\"all else is text\n\"*16.*30~*200", true, 0, 512,
	  206, NULL },
	{ "two of 2048", "~~\"all else is text\n\"*120~*40", true, 0, 2048, 42, NULL },
	{ "none: the older half goes", "\"all else is text\n\"*122~*400", true, 0, 3072,
	  400, NULL },
	{ "twice", "\"all else is text\n\"*181~*400", true, 0, 4096, 400, NULL },
	{ "a given width is not awaited", "\"all else is text\n\"*122~*20", true, 3, 2142,
	  20, NULL },
	{ "silence is enough for four", "^*4", false, 0, SILENCE, 4, NULL },
	{ "not for three", "^*3", false, 0, END, 3, NULL },
	{ "one at the end", "^", true, 0, END, 1, NULL },
	{ "a weak one at the end", "w", true, 0, END, 1, NULL },
	{ "none at the end", ".*20", true, 0, END, 0, "gprof: no packet yet" },
	{ "none at all", "", true, 0, END, 0, "gprof: no packet yet" },
};

/* Text is told whole, in its order. */
static void text_is_of(const struct heard *h, const struct stream *s)
{
	for (size_t k = 0, t = 0; k < h->text_n; k++, t++) {
		while (t < s->n && s->bytes[t] != (uint8_t)h->text[k])
			t++;
		assert_true(t < s->n);
	}
}

/* Fed by bytes up to the first event, then the rest. Where that was: a place, SILENCE or END. */
static size_t bytes_feed_until_told(struct wire *w, const struct heard *h, const struct stream *s)
{
	size_t at = 0;

	while (at < s->n && !(h->arc_n + h->pc_n))
		feed_in_pieces(w, s->bytes + at++, 1, 1);
	if (h->arc_n + h->pc_n) {
		feed_in_pieces(w, s->bytes + at, s->n - at, 1);
		return at;
	}
	wire_flush(w, false);
	return h->arc_n + h->pc_n ? SILENCE : END;
}

static void width_is_awaited(const struct awaited *row, bool by_bytes)
{
	static struct heard h;
	struct wire_stats stats;
	struct gprof_map map;
	struct stream s;
	struct wire *w;
	size_t at = row->at;

	gprof_map_init(&map, CODE_ARM, 0);
	w = wire_heard(&h, false, row->given, row->with ? &map.code : NULL);
	stream_init(&s, 3, false, 1 << 16);
	script_put(&s, row->script);
	if (by_bytes)
		at = bytes_feed_until_told(w, &h, &s);
	else
		feed_in_pieces(w, s.bytes, s.n, 1 << 16);
	wire_flush(w, true);
	wire_stats(w, &stats);
	if (at != row->at)
		fail_msg("%s: %zu", row->name, at);
	if (h.arc_n + h.pc_n != row->events || bytes_counted(&h, &stats) != s.n)
		fail_msg("%s: %zu events, %zu of %zu bytes", row->name, h.arc_n + h.pc_n,
			 bytes_counted(&h, &stats), s.n);
	if (row->note)
		assert_string_equal(wire_note(w), row->note);
	assert_int_equal(h.text_n, stats.text_bytes);
	text_is_of(&h, &s);
	wire_free(w);
	stream_release(&s);
}

static void a_width_is_awaited(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(awaited); i++) {
		width_is_awaited(&awaited[i], true);
		width_is_awaited(&awaited[i], false);
	}
}

/* A width that was given needs no proof, but time to show that the image is another's. */
static void a_given_width_is_taken_after_2048_bytes(void **state)
{
	(void)state;
	for (unsigned given = 0; given <= 3; given += 3) {
		static struct heard h;
		struct gprof *g = (struct gprof *)wire_heard(&h, false, given, NULL);

		for (unsigned n = 1; n <= 2048; n++) {
			wire_feed(&g->wire, (const uint8_t *)"all else is text\n" + n % 17, 1);
			assert_int_equal(g->settled, given && n == 2048);
		}
		wire_free(&g->wire);
	}
}

/* Two bytes an address, then three: only twice as good is sure. */
static void two_widths_are_doubted(void **state)
{
	static const struct { unsigned two, three, width; } rows[] = {
		{ 10, 19, 3 }, { 10, 18, 0 }, { 0, 16, 3 }, { 17, 4, 2 }, { 10, 10, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct heard h;
		struct stream s;
		struct gprof *g = (struct gprof *)wire_heard(&h, false, 0, NULL);

		stream_init(&s, 2, false, 4096);
		for (unsigned k = 0; k < rows[i].two; k++)
			stream_packet(&s, false, 0x0102, 0);
		s.width = 3;
		for (unsigned k = 0; k < rows[i].three; k++)
			stream_packet(&s, false, 0x010204, 0);
		wire_feed(&g->wire, s.bytes, s.n);
		wire_flush(&g->wire, false);
		if (g->settled != (rows[i].width > 0) ||
		    (g->settled && g->lens.width != rows[i].width))
			fail_msg("%u and %u: %u", rows[i].two, rows[i].three, g->lens.width);
		assert_int_equal(h.pc_n > 0, rows[i].width > 0);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* Another image: all is asked again, as at the beginning. */
static void another_image_begins_again(void **state)
{
	static struct heard h;
	struct gprof_map map;
	struct stream s;
	struct gprof *g;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	g = (struct gprof *)wire_heard(&h, false, 0, NULL);
	stream_init(&s, 3, false, 4096);
	script_put(&s, "~*64");
	wire_feed(&g->wire, s.bytes, 448);
	wire_flush(&g->wire, false);
	assert_int_equal(h.arc_n, 64);
	g->astray = 5;
	wire_set_code(&g->wire, &map.code);
	assert_int_equal(g->lens.code == &map.code, 1);
	wire_feed(&g->wire, s.bytes, 255);
	assert_int_equal(h.arc_n, 64);
	wire_feed(&g->wire, s.bytes + 255, 1);
	assert_true(h.arc_n > 64);
	assert_int_equal(g->astray, 0);
	wire_free(&g->wire);
	stream_release(&s);
}

/* A window out of step of 84 symbols: with less than a fifth in packets all of it is noise. */
static void noise_is_no_packets(void **state)
{
	static const struct { const char *name, *script; bool noise; } rows[] = {
		{ "nothing", "", true },
		{ "an arc", ".*10~", true },
		{ "two", ".*10~.*9~", true },
		{ "three", ".*10~.*9~.*9~", false },
		{ "four samples", ".*10^.*9^.*9^.*9^", true },
		{ "five", ".*10^.*9^.*9^.*9^.*9^", false },
		{ "text before: a fifth", ".*3\"hello, sailors\".*9~.*9~", false },
		{ "a letter less", ".*3\"hello, sailor\".*9~.*9~", true },
		{ "text between them", ".*3~\"hello, sailors\"~", false },
		{ "a letter less", ".*3~\"hello, sailor\"~", true },
		{ "text behind them", ".*3~~.*9\"hello, sailors\"", false },
		{ "a letter less", ".*3~~.*9\"hello, sailor\"", true },
		{ "at once", "~~\"hello, sailors\"", false },
		{ "letters are no text", ".*3\"bcd\".\"bcd\".\"bcd\".\"bcd\".\"bcd\"~~", true },
		{ "the last is cut off", ".*10~.*9~.\"hello, sailor\".*36\"P\"", false },
		{ "or is none", ".*10~.*9~.\"hello, sailor\".*37", true },
		{ "by two bytes", ".*10~.*9~.\"hello, sailo\".*36\"P\".", false },
		{ "by three, with fewer letters", ".*10~.*9~.\"hello, sa\".*38\"P\"..", true },
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(rows); i++) {
		const char *script = rows[i / 2].script;
		bool hex = i % 2;
		static struct heard h;
		struct gprof_map map;
		struct stream s;
		struct gprof *g;
		size_t unit = 1u + hex;

		if (hex && strchr(script, '"'))		/* text in hex is bad here */
			continue;
		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, hex, 3, &map.code);
		g->settled = true;
		stream_init(&s, 3, hex, 4096);
		script_put(&s, ".*42");
		script_put(&s, script);
		while (s.n < 126 * unit)
			stream_byte(&s, 0);
		assert_int_equal(s.n, 126 * unit);
		wire_feed(&g->wire, s.bytes, s.n);
		if (g->astray != (rows[i / 2].noise ? 42 * unit : 0))
			fail_msg("%s: %zu", rows[i / 2].name, g->astray);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* After a kilobyte of noise the width is asked again; what is lost is counted. */
static void long_noise_is_another_width(void **state)
{
	(void)state;
	for (int hex = 0; hex < 2; hex++) {
		static struct heard h;
		struct gprof_map map;
		struct stream s;
		struct gprof *g;
		unsigned windows = 0;

		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, hex, 0, &map.code);
		stream_init(&s, 3, hex, 8192);
		script_put(&s, "~*64");
		wire_feed(&g->wire, s.bytes, s.n);
		wire_flush(&g->wire, false);
		assert_int_equal(h.arc_n, 64);
		assert_true(g->settled);
		s.n = 0;
		script_put(&s, ".*42");
		wire_feed(&g->wire, s.bytes, s.n);	/* the first window is not noise */
		for (; g->settled && windows < 100; windows++) {
			assert_int_equal(g->astray,
					 windows > 1 ? 42u * (windows - 1) * (1u + hex) : 0);
			wire_feed(&g->wire, s.bytes, s.n);
		}
		assert_int_equal(windows, 26);		/* 25 of 42 are 1050 */
		assert_int_equal(g->probed, 0);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* What silence gives out, and what then follows. */
static void silence_waits_for_what_is_not_certain(void **state)
{
	static const struct {
		const char *name, *before, *behind;
		size_t cut;			/* bytes of `before` that come behind the silence */
		size_t silent, events, bad;
	} rows[] = {
		{ "all is plausible", "~~n", "", 0, 3, 3, 0 },
		{ "a weak one is last", "~~w", "~", 0, 2, 4, 0 },
		{ "and stays so", "~~w", "", 0, 2, 3, 0 },
		{ "it is not", "~w~", "", 0, 3, 3, 0 },
		{ "the last is not there yet", "~~~", "", 3, 2, 3, 0 },
		{ "it will not be", "~~\"A\".", "", 0, 2, 2, 2 },
		{ "nothing", "", "~~", 0, 0, 2, 0 },
		{ "a byte", ".", "~~", 0, 0, 2, 1 },
		{ "a byte is left at the end", "~~", ".", 0, 2, 2, 1 },
		{ "a marker is", "~~", "\"A\"", 0, 2, 2, 1 },
		{ "half of one is", "~~", "\"A\"..", 0, 2, 2, 3 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct heard h;
		struct wire_stats stats;
		struct gprof_map map;
		struct stream s;
		struct gprof *g;
		size_t n;

		gprof_map_init(&map, CODE_ARM, 0);
		g = (struct gprof *)wire_heard(&h, false, 3, &map.code);
		g->settled = true;
		stream_init(&s, 3, false, 4096);
		script_put(&s, rows[i].before);
		n = s.n - rows[i].cut;
		wire_feed(&g->wire, s.bytes, n);
		wire_flush(&g->wire, false);
		wire_flush(&g->wire, false);
		if (h.arc_n != rows[i].silent)
			fail_msg("%s: %zu at first", rows[i].name, h.arc_n);
		script_put(&s, rows[i].behind);
		wire_feed(&g->wire, s.bytes + n, s.n - n);
		wire_flush(&g->wire, true);
		wire_stats(&g->wire, &stats);
		if (h.arc_n != rows[i].events || stats.bad_bytes != rows[i].bad)
			fail_msg("%s: %zu, %u bad", rows[i].name, h.arc_n,
				 (unsigned)stats.bad_bytes);
		assert_int_equal(bytes_counted(&h, &stats), s.n);
		wire_free(&g->wire);
		stream_release(&s);
	}
}

/* --- buffers ---------------------------------------------------------------------------------- */

/* Batches that the loop in step has left full. */
static void full_batches_have_no_room(void **state)
{
	static const char *const rows[] = {
		"~*256^*3..~*3..~*300", "^*256~*3..^*3..^*300", "~*255^*3..~*3..~*300",
		"^*257~*3..^*3",
		"~*256^*256..~^~^..~*9", "~*512^..~..~*9",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		static struct heard h;
		struct gprof_map map;
		struct stream s;
		struct wire *w;

		gprof_map_init(&map, CODE_ARM, 0);
		w = wire_heard(&h, false, 3, &map.code);
		stream_init(&s, 3, false, 1 << 16);
		script_put(&s, rows[i]);
		wire_feed(w, s.bytes, s.n);
		wire_flush(w, true);
		heard_is(&h, &s, 0, s.count, ~1u);
		wire_free(w);
		stream_release(&s);
	}
}

/* Damage, text and noise in a stream longer than the buffer: in any pieces the same. */
static void pieces_change_nothing(void **state)
{
	static const size_t pieces[] = { 1 << 16, 1, 7, 5000 };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		static struct heard h, first;
		struct wire_stats stats, first_stats = { 0 };
		bool hex = i % 2, with = i / 2;
		uint32_t seed = 9 + i;
		struct gprof_map map;
		struct stream s;

		gprof_map_init(&map, CODE_ARM, 0);
		stream_init(&s, 3, hex, 1 << 16);
		for (unsigned k = 0; k < 9; k++) {
			stream_random(&s, &seed, 200, 0, 1, &map);
			stream_text(&s, hex ? "\nready: go on\n" : "ready: go on\n");
		}
		for (size_t k = 300; k < s.count; k += 1 + random_next(&seed) % 40)
			s.bytes[s.packets[k].at] = (uint8_t)(hex ? '1' : 0x83);
		for (size_t k = 0; k < COUNT(pieces); k++) {
			struct wire *w = wire_heard(&h, hex, 0, with ? &map.code : NULL);

			feed_in_pieces(w, s.bytes, s.n, pieces[k]);
			wire_flush(w, true);
			wire_stats(w, &stats);
			assert_true(stats.events > 1000 && stats.lost > 50);
			if (k == 0) {
				first = h;
				first_stats = stats;
			}
			assert_memory_equal(&first, &h, sizeof(h));
			assert_memory_equal(&first_stats, &stats, sizeof(stats));
			wire_free(w);
		}
		stream_release(&s);
	}
}

/* In hex, text that stands as it is keeps its blanks and its line's end, wherever it is. */
static void text_keeps_its_blanks(void **state)
{
	static struct heard h;
	struct wire_stats stats;
	struct gprof_map map;
	struct stream s;
	struct wire *w;

	(void)state;
	gprof_map_init(&map, CODE_ARM, 0);
	w = wire_heard(&h, true, 3, &map.code);
	stream_init(&s, 3, true, 1 << 16);
	for (unsigned i = 0; i < 3; i++) {
		script_put(&s, "~*90^*9");
		stream_text(&s, i < 2 ? "\nok, go on with it\n" : "\n");
	}
	wire_feed(w, s.bytes, s.n);
	wire_flush(w, true);
	wire_stats(w, &stats);
	assert_string_equal(h.text, "ok, go on with it\nok, go on with it\n");
	assert_int_equal(stats.bad_bytes, 0);
	heard_is(&h, &s, 0, s.count, ~1u);
	wire_free(w);
	stream_release(&s);
}

static void widths_that_can_be(void **state)
{
	struct wire_sink none = { 0 };
	struct wire *w;

	(void)state;
	for (unsigned width = 1; width <= 5; width++) {
		struct wire_options o = { .width = width };
		struct err err = { 0 };

		w = wire_new("gprof", &o, &none, &err);
		assert_int_equal(w != NULL, width >= 2 && width <= 4);
		assert_int_equal(err.code, w ? 0 : ERR_USAGE);
		wire_free(w);
	}
	w = wire_new("gprof", NULL, &none, NULL);
	assert_string_equal(wire_note(w), "gprof: no packet yet");
	wire_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_place_has_its_kind),
		cmocka_unit_test(packets_are_unpacked),
		cmocka_unit_test(lines_of_text_are_marked),
		cmocka_unit_test(the_best_reading_is_found),
		cmocka_unit_test(what_is_in_step_is_taken_but_for_the_last),
		cmocka_unit_test(what_is_followed_is_learnt),
		cmocka_unit_test(what_is_known_is_taken),
		cmocka_unit_test(every_packet_comes_out_in_its_place),
		cmocka_unit_test(each_prefix_has_its_width),
		cmocka_unit_test(a_prefix_is_learnt),
		cmocka_unit_test(a_probe_looks_at_the_beginning),
		cmocka_unit_test(a_width_is_awaited),
		cmocka_unit_test(a_given_width_is_taken_after_2048_bytes),
		cmocka_unit_test(two_widths_are_doubted),
		cmocka_unit_test(another_image_begins_again),
		cmocka_unit_test(noise_is_no_packets),
		cmocka_unit_test(long_noise_is_another_width),
		cmocka_unit_test(silence_waits_for_what_is_not_certain),
		cmocka_unit_test(full_batches_have_no_room),
		cmocka_unit_test(pieces_change_nothing),
		cmocka_unit_test(text_keeps_its_blanks),
		cmocka_unit_test(widths_that_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
