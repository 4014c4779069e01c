/*
 * gprof/probe: how wide the addresses are. Each width reads the prefix as well as it can; the right
 * one reads nearly all of it, the others break off at once.
 */
#include "core/wire/gprof/state.h"

const uint8_t gprof_digit[256] = {
	[0x00 ... 0x08] = GPROF_NOT_HEX,
	['\t'] = GPROF_SPACE, ['\n'] = GPROF_SPACE, ['\v'] = GPROF_SPACE, ['\f'] = GPROF_SPACE,
	['\r'] = GPROF_SPACE,
	[0x0e ... 0x1f] = GPROF_NOT_HEX,
	[' '] = GPROF_SPACE,
	[0x21 ... 0x2f] = GPROF_NOT_HEX,
	['0'] = 0, ['1'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4,
	['5'] = 5, ['6'] = 6, ['7'] = 7, ['8'] = 8, ['9'] = 9,
	[0x3a ... 0x40] = GPROF_NOT_HEX,
	['A'] = 10, ['B'] = 11, ['C'] = 12, ['D'] = 13, ['E'] = 14, ['F'] = 15,
	[0x47 ... 0x60] = GPROF_NOT_HEX,
	['a'] = 10, ['b'] = 11, ['c'] = 12, ['d'] = 13, ['e'] = 14, ['f'] = 15,
	[0x67 ... 0xff] = GPROF_NOT_HEX,
};

/* Follow the best reading and count. A packet cut off by the end is left out. */
static void reading_measure(struct gprof_found *f, const struct gprof_parse *p,
			    const struct gprof_lens *l, const uint8_t *s)
{
	struct gprof_cursor c = { .in_gap = true };	/* a capture may begin inside a packet */
	size_t gap = 0;
	enum gprof_kind kind = KIND_NONE;

	while (c.at < p->n && kind != KIND_PART) {
		size_t from = c.at;

		kind = gprof_read(p, &c);
		if (kind == KIND_PART)
			break;
		if (kind != KIND_NONE) {
			f->packets++;
			f->fair += p->grade[from] >= GRADE_FAIR;
			f->sure += !p->text[from];
			f->text += l->unit == 1 ? gprof_text_len(s + gap, from - gap) : 0;
		}
		gprof_advance(p, l, &c, kind);
		if (kind != KIND_NONE) {
			f->in_step += c.at - from;
			gap = c.at;
		}
	}
	f->text += l->unit == 1 ? gprof_text_len(s + gap, c.at - gap) : 0;
	f->n = c.at;
}

/* The width that reads most, by one image or by none. */
static void width_find(struct gprof_found *best, const struct gprof_lens *l, const uint8_t *s,
		       size_t n)
{
	unsigned from = l->width ? l->width : GPROF_WIDTH_MIN;
	unsigned to = l->width ? l->width : GPROF_WIDTH_MAX;
	struct gprof_parse p;

	*best = (struct gprof_found){ .width = 0, .n = n, .code = l->code };
	for (unsigned width = from; n > 0 && width <= to; width++) {
		struct gprof_lens by = { width, l->unit, l->code, l->known };
		int score;

		gprof_parse(&p, &by, s, n, true);
		score = p.kind[0] != KIND_NONE && p.packet[0] > p.gap[0] ? p.packet[0] : p.gap[0];
		if (score <= best->score) {
			best->second = score > best->second ? score : best->second;
			continue;
		}
		*best = (struct gprof_found){ .width = width, .score = score,
					      .second = best->score, .code = l->code };
		reading_measure(best, &p, &by, s);
	}
	if (best->sure == 0)	/* words that begin with P */
		*best = (struct gprof_found){ .width = 0, .n = n, .code = l->code };
	best->in_code = best->packets ? (unsigned)(100 * best->fair / best->packets) : 0;
}

/*
 * Does the stream read well by itself, and much worse by the image? An older or newer build makes
 * sense of many packets by chance: then most do not go where a call goes, and some make no sense.
 */
static bool is_other_firmware(const struct gprof_found *by_image, const struct gprof_found *bare)
{
	bool stale = 2 * by_image->fair < by_image->packets && by_image->in_step < bare->in_step;

	return bare->packets >= GPROF_BARE_MIN &&
	       (stale || 10 * by_image->in_step < 9 * bare->in_step) &&
	       10 * bare->in_step >= 9 * (bare->n - bare->text);
}

void gprof_find(struct gprof_found *f, const struct gprof_lens *l, const uint8_t *s, size_t n)
{
	struct gprof_lens none = { l->width, l->unit, NULL, l->known };
	struct gprof_found bare;

	width_find(f, l, s, n);
	if (!l->code)
		return;
	width_find(&bare, &none, s, n);
	if (!is_other_firmware(f, &bare))
		return;
	bare.in_code = (unsigned)(100 * f->in_step / bare.in_step);
	*f = bare;
}

/*
 * What stands in frame between two packets is no chance: knowing it tells torn packets apart from
 * whole ones from the stream's first byte on.
 */
void gprof_learn_prefix(struct gprof_known *k, const struct gprof_lens *l, const uint8_t *s,
			size_t n)
{
	struct gprof_cursor c = { .in_gap = true };
	struct gprof_packet packet;
	struct gprof_parse p;

	gprof_parse(&p, l, s, n, true);
	while (c.at < n) {
		struct gprof_cursor before = c;
		enum gprof_kind kind = gprof_read(&p, &c);

		if (kind == KIND_PART)
			break;
		gprof_advance(&p, l, &c, kind);
		if (kind == KIND_NONE || before.in_gap || gprof_read(&p, &c) == KIND_NONE)
			continue;
		gprof_unpack(&packet, l, s + before.at, kind);
		gprof_learn(k, &packet);
	}
}

static size_t to_symbols(uint8_t *sym, const uint8_t *data, size_t n, bool hex)
{
	size_t len = 0, max = hex ? GPROF_SPAN : GPROF_PROBE_BYTES;

	for (size_t i = 0; i < n && len < max; i++) {
		sym[len] = hex ? gprof_digit[data[i]] : data[i];
		len += !hex || sym[len] != GPROF_SPACE;
	}
	return len;
}

int gprof_probe(const uint8_t *data, size_t n, bool hex, const struct codemap *code,
		unsigned *width, size_t *packets, size_t *in_step)
{
	struct gprof_lens l = { .unit = hex ? 2 : 1, .code = code };
	uint8_t sym[GPROF_SPAN];
	struct gprof_found f;

	gprof_find(&f, &l, sym, to_symbols(sym, data, n, hex));
	if (width)
		*width = f.width;
	if (packets)
		*packets = f.packets;
	if (in_step)
		*in_step = f.in_step;
	return f.packets > 0 ? (int)(100 * f.in_step / (f.n - f.text)) : 0;
}
