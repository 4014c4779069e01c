/*
 * gprof: the stream of the gprof thesis, as bytes and as hex digits. How the pieces go together
 * stands in state.h; this is the buffer and who reads it when.
 *
 * Any split of the bytes gives the same: every decision waits until all that it looks at is there,
 * and what it looks at depends on positions in the stream alone.
 */
#include "core/wire/gprof/state.h"

#include <stdio.h>
#include <string.h>

enum {
	PROBE_FIRST = 256,	/* bytes; doubled until the width is found */
	SCORE_SURE = 40,	/* to settle on a width: of a prefix that will grow, ... */
	SCORE_ENOUGH = 8,	/* ... and of all that can be had */
	ASTRAY_MAX = 1024,	/* bytes of noise until the width is doubted */
};

void gprof_emit_arcs(struct gprof *g, size_t n)
{
	g->wire.stats.events += n;
	if (n > 0 && g->wire.sink.arcs)
		g->wire.sink.arcs(g->wire.sink.ctx, g->arcs, n);
}

void gprof_emit_pcs(struct gprof *g, size_t n)
{
	g->wire.stats.events += n;
	if (n > 0 && g->wire.sink.samples)
		g->wire.sink.samples(g->wire.sink.ctx, g->pcs, n);
}

static void emit_all(struct gprof *g)
{
	gprof_emit_arcs(g, g->num_arcs);
	gprof_emit_pcs(g, g->num_pcs);
	g->num_arcs = 0;
	g->num_pcs = 0;
}

/* --- the width -------------------------------------------------------------------------------- */

static void note_found(struct gprof *g, const struct gprof_found *f)
{
	char *note = g->wire.note;
	size_t size = sizeof(g->wire.note), bytes = f->n - f->text;

	if (f->code)
		snprintf(note, size, "%s: %u-byte addresses, %u %% of packets in code",
			 g->wire.name, f->width, f->in_code);
	else if (g->wire.code)
		snprintf(note, size, "%s: %u-byte addresses, only %u %% in code: is it this image?",
			 g->wire.name, f->width, f->in_code);
	else
		snprintf(note, size, "%s: %u-byte addresses, %zu %% of bytes in valid packets (no "
				     "image)",
			 g->wire.name, f->width, bytes ? 100 * f->in_step / bytes : 0);
}

/* Decide the width, and whether to go by the image, if n symbols tell. */
static bool width_settle(struct gprof *g, const uint8_t *s, size_t n, int enough)
{
	struct gprof_lens l = { g->forced ? g->lens.width : 0, g->lens.unit, g->wire.code,
			       &g->known };
	struct gprof_found f;

	gprof_find(&f, &l, s, n);
	if (f.packets == 0 || f.score < enough || f.score < 2 * f.second)
		return false;
	g->lens.width = f.width;
	g->lens.code = f.code;
	g->settled = true;
	g->astray = 0;
	gprof_learn_prefix(&g->known, &g->lens, s, n);
	note_found(g, &f);
	return true;
}

static void width_unsettle(struct gprof *g)
{
	g->settled = false;
	g->probed = 0;
}

static size_t symbols_drop(struct gprof *g, size_t at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		gprof_gap_add(g, at + i);
	return n;
}

/*
 * Find the width from what stands in the buffer from `at` on. Tried at 256, 512, 1024 and 2048
 * bytes and when the line is silent. Where 2048 bytes do not tell (console text, say), the older
 * half goes as a gap: returns how many symbols went.
 */
static size_t width_search(struct gprof *g, size_t at, size_t n, enum gprof_mode mode)
{
	const size_t unit = g->lens.unit, full = GPROF_PROBE_BYTES * unit;

	for (;;) {
		size_t next = g->probed ? 2 * g->probed : PROBE_FIRST * unit;

		if (n < next)
			break;
		g->probed = next;
		if (width_settle(g, g->sym + at, next, next == full ? SCORE_ENOUGH : SCORE_SURE))
			return 0;
		if (next == full && g->forced) {
			g->settled = true;
			return 0;
		}
		if (next == full) {
			g->probed = full / 2;
			return symbols_drop(g, at, full / 2);
		}
	}
	if (mode == MODE_MORE ||
	    width_settle(g, g->sym + at, n, mode == MODE_END ? 1 : SCORE_ENOUGH))
		return 0;
	return mode == MODE_END ? symbols_drop(g, at, n) : 0;
}

/* --- out of step ------------------------------------------------------------------------------ */

/* The fast loop may have left either batch full: room is made before it is used. */
static void packet_take(struct gprof *g, const struct gprof_packet *p)
{
	const uint32_t mask = gprof_address_mask(g->wire.code);

	if (g->num_pcs == GPROF_BATCH || g->num_arcs == GPROF_BATCH)
		emit_all(g);
	if (p->kind == KIND_PC)
		g->pcs[g->num_pcs++] = p->a & mask;
	else
		g->arcs[g->num_arcs++] = (struct wire_arc){ .from = p->a & mask,
							   .to = p->to & mask };
}

/*
 * Noise, the wrong speed for one: packets fill less than a fifth of a window that begins out of
 * step. Then the few are chance.
 */
static bool is_noise(const struct gprof *g, const struct gprof_parse *p, const uint8_t *s)
{
	struct gprof_cursor c = { .in_gap = true };
	size_t packets = 0, bad = 0, gap = 0;

	while (c.at < p->n) {
		size_t from = c.at;
		enum gprof_kind kind = gprof_read(p, &c);

		if (kind == KIND_PART)
			break;
		gprof_advance(p, &g->lens, &c, kind);
		if (kind == KIND_NONE)
			continue;
		packets += c.at - from;
		bad += from - gap - (g->lens.unit == 1 ? gprof_text_len(s + gap, from - gap) : 0);
		gap = c.at;
	}
	bad += c.at - gap - (g->lens.unit == 1 ? gprof_text_len(s + gap, c.at - gap) : 0);
	return packets * 4 < bad;
}

/* Carry out the best reading of a window at `at`, up to `limit`; returns the symbols done with. */
static size_t reading_take(struct gprof *g, const struct gprof_parse *p, size_t at, size_t limit,
			   enum gprof_mode mode)
{
	struct gprof_cursor c = { .in_gap = g->gap.open, .last = GRADE_FAIR };
	struct gprof_packet packet;

	while (c.at < limit) {
		struct gprof_cursor before = c;
		enum gprof_kind kind = gprof_read(p, &c);

		if (kind == KIND_PART)
			break;
		if (kind == KIND_NONE) {
			gprof_gap_add(g, at + c.at);
			gprof_advance(p, &g->lens, &c, kind);
			continue;
		}
		gprof_advance(p, &g->lens, &c, kind);
		if (c.at == p->n && mode == MODE_SILENT && c.last == GRADE_WEAK)
			return before.at;	/* its frame is still to come */
		gprof_gap_close(g, at + before.at);
		gprof_unpack(&packet, &g->lens, g->sym + at + before.at, kind);
		if (!before.in_gap && gprof_read(p, &c) != KIND_NONE)
			gprof_learn(&g->known, &packet);
		packet_take(g, &packet);
	}
	return c.at;
}

/* One step out of step; returns 0 when more must come first. */
static size_t window_decode(struct gprof *g, size_t at, size_t n, enum gprof_mode mode)
{
	const size_t arc = gprof_arc_len(&g->lens), window = GPROF_WINDOW * arc;
	size_t limit = GPROF_STRIDE * arc;
	struct gprof_parse p;

	if (n < window) {
		if (mode == MODE_MORE || n == 0)
			return 0;
		limit = n;
	}
	gprof_parse(&p, &g->lens, g->sym + at, n < window ? n : window, n > window ||
		    mode != MODE_END);
	if (!g->gap.open || !is_noise(g, &p, g->sym + at))
		return reading_take(g, &p, at, limit, mode);
	g->astray += limit;
	if (g->astray > ASTRAY_MAX * g->lens.unit)
		width_unsettle(g);
	return symbols_drop(g, at, limit);
}

/* --- the buffer ------------------------------------------------------------------------------- */

/* Decode what the buffer holds; what needs more to be certain stays in it. */
static void buffer_decode(struct gprof *g, enum gprof_mode mode)
{
	size_t at = 0, n;

	for (;;) {
		if (!g->settled) {
			n = width_search(g, at, g->have - at, mode);
			if (n == 0 && !g->settled)
				break;
		} else {
			if (!g->gap.open)
				at += gprof_fast(g, g->sym + at, g->have - at);
			n = window_decode(g, at, g->have - at, mode);
			if (n == 0)
				break;
		}
		at += n;
	}
	g->have -= at;
	memmove(g->sym, g->sym + at, g->have);
	if (g->lens.unit == 2) {
		memmove(g->raw, g->raw + at, g->have);
		memmove(g->space, g->space + at, g->have);
	}
}

static size_t fill_bytes(struct gprof *g, const uint8_t *data, size_t n)
{
	size_t room = GPROF_BUFFER - g->have;

	n = n < room ? n : room;
	memcpy(g->sym + g->have, data, n);
	g->have += n;
	return n;
}

static size_t fill_digits(struct gprof *g, const uint8_t *data, size_t n)
{
	size_t i;

	for (i = 0; i < n && g->have < GPROF_BUFFER; i++) {
		uint8_t digit = gprof_digit[data[i]];

		if (digit == GPROF_SPACE) {
			g->space_next = data[i];
			continue;
		}
		g->sym[g->have] = digit;
		g->raw[g->have] = data[i];
		g->space[g->have++] = g->space_next;
		g->space_next = 0;
	}
	return i;
}

static void gprof_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct gprof *g = (struct gprof *)w;

	while (n > 0) {
		size_t took = g->lens.unit == 1 ? fill_bytes(g, data, n) : fill_digits(g, data, n);

		data += took;
		n -= took;
		buffer_decode(g, MODE_MORE);
	}
	emit_all(g);
}

static void gprof_flush(struct wire *w, bool end)
{
	struct gprof *g = (struct gprof *)w;

	buffer_decode(g, end ? MODE_END : MODE_SILENT);
	if (end)
		gprof_gap_close(g, g->have);
	else
		gprof_gap_show(g);
	emit_all(g);
}

static void gprof_set_code(struct wire *w)
{
	struct gprof *g = (struct gprof *)w;

	g->lens.code = w->code;
	gprof_known_init(&g->known);
	width_unsettle(g);
}

static int gprof_start(struct wire *w, const struct wire_options *o, struct err *err, unsigned unit)
{
	struct gprof *g = (struct gprof *)w;
	unsigned width = o ? o->width : 0;

	if (width && (width < GPROF_WIDTH_MIN || width > GPROF_WIDTH_MAX))
		return err_set(err, ERR_USAGE, "%u-byte addresses: a gprof stream has 2, 3 or 4",
			       width);
	g->forced = width != 0;
	g->lens = (struct gprof_lens){ .width = width ? width : GPROF_WIDTH_MIN,
				      .unit = unit,
				       .code = w->code, .known = &g->known };
	gprof_known_init(&g->known);
	if (g->forced)
		snprintf(w->note, sizeof(w->note), "%s: %u-byte addresses, as told", w->name,
			 width);
	else
		snprintf(w->note, sizeof(w->note), "%s: no packet yet", w->name);
	return 0;
}

static int gprof_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	return gprof_start(w, o, err, 1);
}

static int gprof_hex_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	return gprof_start(w, o, err, 2);
}

const struct wire_ops wire_gprof_ops = {
	.size = sizeof(struct gprof),
	.init = gprof_init,
	.feed = gprof_feed,
	.flush = gprof_flush,
	.set_code = gprof_set_code,
};

const struct wire_ops wire_gprof_hex_ops = {
	.size = sizeof(struct gprof),
	.init = gprof_hex_init,
	.feed = gprof_feed,
	.flush = gprof_flush,
	.set_code = gprof_set_code,
};
