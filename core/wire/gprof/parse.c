/*
 * gprof/parse: the best reading of a window of symbols as packets and gaps, from its end to its
 * start (the Viterbi way): for each place the best that a packet there can lead to, and the best
 * that being in a gap there can lead to.
 */
#include "core/wire/gprof/state.h"

#include <string.h>

static size_t kind_len(const struct gprof_lens *l, enum gprof_kind kind)
{
	return kind == KIND_ARC ? gprof_arc_len(l) : gprof_pc_len(l);
}

/*
 * May the address that begins with the `n` symbols at s (n >= 0, fewer than a whole one) be code?
 */
static bool prefix_fits(const struct gprof_lens *l, const uint8_t *s, size_t n)
{
	unsigned per = 8 / l->unit, rest = (unsigned)(l->unit * l->width - n) * per;
	uint64_t low = 0, high;
	bool text = n > 0;

	for (size_t i = 0; i < n; i++) {
		if (l->unit == 2 && s[i] > 15)
			return false;
		if (l->unit == 1 && (s[i] < 0x20 || s[i] > 0x7e))
			text = false;
		low = low << per | s[i];
	}
	if (!l->code)
		return l->unit == 2 || !text;
	low = low << rest | gprof_high(l->code, l->width);
	high = low | ((UINT64_C(1) << rest) - 1);
	return high >= l->code->base && low < l->code->base + l->code->size;
}

/* A packet that begins `n` symbols before the window's end and is longer than that. */
static bool part_fits(const struct gprof_lens *l, const uint8_t *s, size_t n)
{
	size_t address = l->unit * l->width;

	if (n < l->unit)
		return s[0] == 4 || s[0] == 5;
	s += l->unit;
	n -= l->unit;
	if (n >= address) {	/* an arc with its first address whole */
		unsigned bad = 0;
		uint32_t from = gprof_address(s, l->width, l->unit, &bad);

		from |= gprof_high(l->code, l->width);
		if (bad > 15 || (l->code && !(code_flags(l->code, from) & CODE_TEXT)))
			return false;
		s += address;
		n -= address;
	}
	return prefix_fits(l, s, n);
}

bool gprof_unpack(struct gprof_packet *packet, const struct gprof_lens *l, const uint8_t *s,
		  enum gprof_kind kind)
{
	uint32_t high = gprof_high(l->code, l->width);
	unsigned bad = 0;

	packet->kind = kind;
	s += l->unit;
	packet->a = gprof_address(s, l->width, l->unit, &bad) | high;
	s += l->unit * l->width;
	packet->to = kind == KIND_ARC ? gprof_address(s, l->width, l->unit, &bad) | high : 0;
	return bad <= 15;
}

static enum gprof_grade grade_at(const struct gprof_lens *l, const uint8_t *s, enum gprof_kind kind)
{
	struct gprof_packet packet;

	if (!gprof_unpack(&packet, l, s, kind))
		return GRADE_NONE;
	return kind == KIND_PC ? gprof_grade_pc(l, packet.a) : gprof_grade_arc(l, packet.a,
									       packet.to);
}

/*
 * Mark the bytes of console text: long runs of printable bytes with a blank or a line's end among
 * them, up to the last line's end. 'P' and two letters are a sample in the flash of many a small
 * controller.
 */
static void mark_text(uint8_t *text, const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t from = i, end = i;
		bool blank = false;

		for (; i < n && gprof_is_text(s[i]); i++) {
			blank |= s[i] == ' ';
			if (s[i] == '\n')
				end = i + 1;
		}
		if (end == from && blank)
			end = i;
		if (end - from >= GPROF_TEXT_LINE)
			memset(text + from, 1, end - from);
	}
}

/* What begins at s, `n` symbols before the window's end. */
static enum gprof_kind kind_at(const struct gprof_lens *l, const uint8_t *s, size_t n, bool more,
			       enum gprof_grade *grade)
{
	unsigned marker = n >= l->unit ? gprof_marker(s, l->unit) : 0;
	enum gprof_kind kind = marker == 'A' ? KIND_ARC : marker == 'P' ? KIND_PC : KIND_NONE;

	*grade = GRADE_NONE;
	if (kind != KIND_NONE && kind_len(l, kind) <= n) {
		*grade = grade_at(l, s, kind);
		return *grade == GRADE_NONE ? KIND_NONE : kind;
	}
	if (!more || (kind == KIND_NONE && n >= l->unit) || !part_fits(l, s, n))
		return KIND_NONE;
	*grade = GRADE_WEAK;
	return KIND_PART;
}

/* Console text is no damage: to leave off for it costs next to nothing. */
static int gap_cost(const struct gprof_parse *p, size_t i, enum gprof_grade before)
{
	return (p->text[i] ? GPROF_COST_TEXT : GPROF_COST_GAP) +
	       (before == GRADE_WEAK ? GPROF_COST_EDGE : 0);
}

/* Is all of the packet at i, or what is there of it, console text? */
static bool all_text(const struct gprof_parse *p, const struct gprof_lens *l, size_t i,
		     enum gprof_kind kind)
{
	size_t last = kind == KIND_PART ? p->n - 1 : i + kind_len(l, kind) - 1;

	return memchr(p->text + i, 0, last - i + 1) == NULL;
}

/* The best from j on, behind a packet. */
static int best_behind(const struct gprof_parse *p, size_t j, enum gprof_grade before)
{
	int gap;

	if (j >= p->n)
		return 0;
	gap = p->gap[j] - gap_cost(p, j, before);
	return p->kind[j] != KIND_NONE && p->packet[j] > gap ? p->packet[j] : gap;
}

void gprof_parse(struct gprof_parse *p, const struct gprof_lens *l, const uint8_t *s, size_t n,
		 bool more)
{
	int behind_gap = 0;	/* the best from i + 1 on, when i is in a gap */

	p->n = n;
	memset(p->text, 0, n);
	if (l->unit == 1)
		mark_text(p->text, s, n);
	for (size_t i = n; i-- > 0;) {
		enum gprof_grade grade;
		enum gprof_kind kind = kind_at(l, s + i, n - i, more, &grade);
		int rest = 0;

		if (kind != KIND_NONE && all_text(p, l, i, kind))
			grade = grade == GRADE_KNOWN ? GRADE_LIKELY : GRADE_WEAK;
		if (kind == KIND_ARC || kind == KIND_PC)
			rest = best_behind(p, i + kind_len(l, kind), grade);
		p->kind[i] = (uint8_t)kind;
		p->grade[i] = (uint8_t)grade;
		p->packet[i] = (int16_t)((int)grade + rest);
		p->gap[i] = (int16_t)behind_gap;
		if (kind != KIND_NONE && p->packet[i] > behind_gap)
			behind_gap = p->packet[i];
	}
}

enum gprof_kind gprof_read(const struct gprof_parse *p, const struct gprof_cursor *c)
{
	int gap;

	if (c->at >= p->n || p->kind[c->at] == KIND_NONE)
		return KIND_NONE;
	gap = p->gap[c->at] - (c->in_gap ? 0 : gap_cost(p, c->at, c->last));
	return p->packet[c->at] > gap ? p->kind[c->at] : KIND_NONE;
}

void gprof_advance(const struct gprof_parse *p, const struct gprof_lens *l, struct gprof_cursor *c,
		   enum gprof_kind kind)
{
	c->in_gap = kind == KIND_NONE;
	c->last = c->in_gap ? GRADE_FAIR : (enum gprof_grade)p->grade[c->at];
	c->at += c->in_gap ? 1 : kind_len(l, kind);
}
