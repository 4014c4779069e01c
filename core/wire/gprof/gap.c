/*
 * gprof/gap: bytes in no packet. Runs of printable text are the firmware's console, the rest is
 * bad.
 *
 * In gprof-hex the text may stand there as it is (a node that prints its packets in hex), or in hex
 * like all the rest (a terminal program that keeps everything so). A character that is no hex digit
 * tells the former.
 */
#include "core/wire/gprof/state.h"

#include <string.h>

/* A stretch of a gap as bytes, each made of `cost` symbols. */
struct stretch {
	const uint8_t *bytes;
	const uint8_t *space;	/* white space before each byte, 0: none; NULL: nowhere */
	size_t n;
	unsigned cost;
};

static size_t run_of_text(const uint8_t *s, size_t n)
{
	size_t i = 0;

	while (i < n && gprof_is_text(s[i]))
		i++;
	return i;
}

size_t gprof_text_len(const uint8_t *s, size_t n)
{
	size_t text = 0;

	for (size_t i = 0; i < n; i++) {
		size_t run = run_of_text(s + i, n - i);

		text += run >= GPROF_TEXT_MIN ? run : 0;
		i += run;
	}
	return text;
}

static void text_give(struct gprof *g, const struct stretch *st, size_t from, size_t n)
{
	char out[2 * GPROF_GAP];
	size_t len = 0;

	g->wire.stats.text_bytes += n * st->cost;
	for (size_t i = from; i < from + n; i++) {
		if (st->space && st->space[i])
			out[len++] = (char)st->space[i];
		out[len++] = (char)st->bytes[i];
	}
	if (g->wire.sink.text)
		g->wire.sink.text(g->wire.sink.ctx, out, len);
}

/*
 * Sort a stretch. A run at its end that is too short so far is left over unless nothing can
 * lengthen it (`final`): returns how many of its bytes are done with.
 */
static size_t sort_stretch(struct gprof *g, const struct stretch *st, bool final)
{
	struct gprof_gap *gap = &g->gap;
	size_t i = 0;

	while (i < st->n) {
		size_t run = run_of_text(st->bytes + i, st->n - i);
		bool at_end = i + run == st->n;

		if (run >= GPROF_TEXT_MIN || (run > 0 && i == 0 && gap->in_text)) {
			text_give(g, st, i, run);
		} else if (at_end && !final) {
			gap->in_text = false;
			return i;
		} else {
			gap->bad += run * st->cost;
			at_end = false;
		}
		i += run;
		gap->in_text = at_end;
		if (i < st->n) {
			gap->bad += st->cost;
			i++;
			gap->in_text = false;
		}
	}
	return i;
}

/* Digits in hold[] to bytes; false when a character is no digit. */
static bool hold_to_bytes(const struct gprof_gap *gap, uint8_t *bytes)
{
	for (size_t i = 0; i < gap->held; i++) {
		uint8_t digit = gprof_digit[gap->hold[i]];

		if (digit > 15)
			return false;
		bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | digit);
	}
	return true;
}

static void sort_hold(struct gprof *g, bool final)
{
	struct gprof_gap *gap = &g->gap;
	uint8_t bytes[GPROF_GAP / 2 + 1] = { 0 };
	struct stretch st = { .bytes = gap->hold, .n = gap->held, .cost = 1 };
	size_t done;

	if (g->lens.unit == 2) {
		st.space = gap->space;
		if (hold_to_bytes(gap, bytes))
			st = (struct stretch){ .bytes = bytes, .n = gap->held / 2, .cost = 2 };
	}
	done = sort_stretch(g, &st, final) * st.cost;
	if (final) {
		gap->bad += gap->held - done;	/* half a byte */
		done = gap->held;
	}
	gap->held -= done;
	memmove(gap->hold, gap->hold + done, gap->held);
	memmove(gap->space, gap->space + done, gap->held);
}

void gprof_gap_add(struct gprof *g, size_t at)
{
	struct gprof_gap *gap = &g->gap;
	bool hex = g->lens.unit == 2;

	gap->open = true;
	gap->len++;
	gap->hold[gap->held] = hex ? g->raw[at] : g->sym[at];
	gap->space[gap->held] = hex && gap->len > 1 ? g->space[at] : 0;
	if (++gap->held == GPROF_GAP)
		sort_hold(g, false);
}

void gprof_gap_show(struct gprof *g)
{
	if (g->gap.open)
		sort_hold(g, false);
}

/*
 * What a gap means: no fewer packets are missing than would fill its bad bytes. It is no loss of
 * step where it is as long as one packet: then the next one stood where it should.
 */
static void count_gap(struct gprof *g)
{
	const struct gprof_gap *gap = &g->gap;
	size_t arc = gprof_arc_len(&g->lens);

	if (gap->bad == 0)
		return;
	g->wire.stats.bad_bytes += gap->bad;
	g->wire.stats.lost += (gap->bad + arc - 1) / arc;
	if (gap->len != gap->bad || (gap->len != arc && gap->len != gprof_pc_len(&g->lens)))
		g->wire.stats.resyncs++;
}

void gprof_gap_close(struct gprof *g, size_t at)
{
	struct gprof_gap *gap = &g->gap;

	if (!gap->open)
		return;
	sort_hold(g, true);
	if (gap->in_text && g->lens.unit == 2 && at < g->have && g->space[at] == '\n' &&
	    g->wire.sink.text)
		g->wire.sink.text(g->wire.sink.ctx, "\n", 1);
	count_gap(g);
	*gap = (struct gprof_gap){ .open = false };
}
