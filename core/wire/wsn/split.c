/*
 * wsn/split: bytes -> frames and console text (docs/PROTOCOL.md, 1).
 *
 * The bytes between two zeros are a segment. One with a valid COBS and CRC is a frame. Else it is
 * text, or a damaged frame, or, when a zero got lost, one behind the other.
 *
 * Text is shown line by line, before its segment's end is there, unless the segment begins as the
 * next frame would. Its bytes are kept all the same until the zero: a frame is found whatever was
 * shown.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

#include "core/base/text.h"

/* --- text or not ------------------------------------------------------------------------------ */

/* The bytes at s are the beginning of a UTF-8 character, and all that is there. */
static bool is_cut_character(const uint8_t *s, size_t n)
{
	size_t need = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0xc2 || s[0] > 0xf4 || n >= need)
		return false;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	return true;
}

/* UTF-8 and what consoles get; one byte in eight may be off. */
static bool is_text(const uint8_t *s, size_t n)
{
	size_t odd = 0;

	for (size_t i = 0, k; i < n; i += k) {
		uint32_t cp;

		k = 1;
		if (wire_is_plain(s[i]))
			continue;
		if (s[i] >= 0x80 && (k = text_utf8((const char *)s + i, n - i, &cp)) > 0)
			continue;
		if (s[i] >= 0x80 && is_cut_character(s + i, n - i))
			break;
		k = 1;
		odd++;
	}
	return odd * 8 <= n;
}

static void give_text(struct wsn *w, const uint8_t *s, size_t n)
{
	if (!n)
		return;
	w->wire.stats.text_bytes += n;
	if (w->wire.sink.text)
		w->wire.sink.text(w->wire.sink.ctx, (const char *)s, n);
}

/* Up to and with the newline, or all. */
static size_t line_len(const uint8_t *s, size_t n)
{
	const uint8_t *newline = memchr(s, '\n', n);

	return newline ? (size_t)(newline - s) + 1 : n;
}

/*
 * Deal with the bytes from `shown` up to `end`: text is given out. Behind the first line that is
 * none, all is a damaged frame, unless the segment is longer than any.
 */
static void text_settle(struct wsn *w, size_t end)
{
	struct wsn_split *s = &w->split;
	bool damaged = false;

	while (s->shown < end) {
		const uint8_t *p = s->seg + s->shown;
		size_t k = line_len(p, end - s->shown);

		damaged = (damaged && !s->cut) || !is_text(p, k);
		if (damaged) {
			w->wire.stats.bad_bytes += k;
			s->bad = true;
		} else {
			give_text(w, p, k);
		}
		s->shown += k;
	}
}

/* Give out the lines that are there, as far as they are text. */
static void show_lines(struct wsn *w, bool whole)
{
	struct wsn_split *s = &w->split;

	while (s->shown < s->len) {
		const uint8_t *p = s->seg + s->shown;
		size_t k = line_len(p, s->len - s->shown);

		if ((!whole && p[k - 1] != '\n') || !is_text(p, k))
			break;
		give_text(w, p, k);
		s->shown += k;
	}
}

/* --- frames in a segment ---------------------------------------------------------------------- */

static bool take_coded(struct wsn *w, const uint8_t *coded, size_t n)
{
	size_t len = wsn_unwrap(&w->crc, w->decoded, coded, n);

	if (!len)
		return false;
	wsn_take(w, w->decoded, len);
	return true;
}

/* The zero before a frame got lost: it stands at the segment's end. */
static bool take_end(struct wsn *w)
{
	struct wsn_split *s = &w->split;
	size_t at = s->len > WSN_BLOCK_MAX + 1 ? s->len - WSN_BLOCK_MAX - 1 : 0;

	for (; at + WSN_FRAME_LEAST <= s->len; at++) {
		const uint8_t *p = s->seg + at;
		size_t n = s->len - at, len;

		if ((at == 0 && !s->cut) || !wsn_expects(w, p, n))
			continue;
		if (w->epoch.bits < 0 && !is_text(s->seg, at))
			continue;
		len = wsn_unwrap(&w->crc, w->decoded, p, n);
		if (!len)
			continue;
		text_settle(w, at);
		s->shown = s->len;
		wsn_take(w, w->decoded, len);
		return true;
	}
	return false;
}

/*
 * The zero behind a frame got lost: it stands at the beginning, text follows. COBS leads to its
 * end.
 */
static bool take_beginning(struct wsn *w)
{
	struct wsn_split *s = &w->split;

	if (s->cut || w->epoch.bits < 0 || !wsn_expects(w, s->seg, s->len))
		return false;
	for (size_t end = s->seg[0]; end < s->len && end <= WSN_BLOCK_MAX; end += s->seg[end]) {
		if (end < WSN_FRAME_LEAST || s->shown > end ||
		    !is_text(s->seg + end, s->len - end) ||
		    !take_coded(w, s->seg, end))
			continue;
		s->shown = end;
		text_settle(w, s->len);
		return true;
	}
	return false;
}

/* A zero: the segment is all there. */
static void end_segment(struct wsn *w)
{
	struct wsn_split *s = &w->split;

	if (s->len && (s->cut || !take_coded(w, s->seg, s->len)) && !take_end(w) &&
	    !take_beginning(w))
		text_settle(w, s->len);
	if (s->bad)
		wsn_damaged(w, 0);
	s->len = s->shown = 0;
	s->cut = s->bad = false;
}

/* --- the buffer ------------------------------------------------------------------------------- */

/* No frame goes so far back: make room. */
static void drop_half(struct wsn *w)
{
	struct wsn_split *s = &w->split;
	const size_t half = WSN_SEGMENT / 2;

	s->cut = true;
	if (s->shown < half)
		text_settle(w, half);
	s->len -= half;
	s->shown -= half;
	memmove(s->seg, s->seg + half, s->len);
}

/*
 * Take up to a newline, or to where the segment gets longer than any frame. What is shown depends
 * on the bytes alone, never on how they are split.
 */
static size_t add_some(struct wsn *w, const uint8_t *data, size_t n)
{
	struct wsn_split *s = &w->split;
	const size_t longest = WSN_BLOCK_MAX + 1;
	size_t limit = s->len <= longest ? longest + 1 : WSN_SEGMENT;
	size_t k = line_len(data, n < limit - s->len ? n : limit - s->len);
	bool too_long;

	memcpy(s->seg + s->len, data, k);
	s->len += k;
	too_long = s->cut || s->len > longest;
	if ((too_long && s->len == longest + 1) ||
	    (data[k - 1] == '\n' && (too_long || !wsn_expects(w, s->seg, s->len))))
		show_lines(w, false);
	if (s->len == WSN_SEGMENT)
		drop_half(w);
	return k;
}

/* A frame that came in one piece, as expected: it need not be copied first. */
static bool take_fast(struct wsn *w, const uint8_t *data, size_t n)
{
	return w->split.len == 0 && n <= WSN_BLOCK_MAX + 1 && wsn_expects(w, data, n) &&
	       take_coded(w, data, n);
}

void wsn_split_feed(struct wsn *w, const uint8_t *data, size_t n)
{
	while (n) {
		const uint8_t *zero = memchr(data, 0, n);
		size_t k = zero ? (size_t)(zero - data) : n;

		if (!zero || !k || !take_fast(w, data, k)) {
			for (size_t i = 0; i < k;)
				i += add_some(w, data + i, k - i);
			if (zero)
				end_segment(w);
		}
		k += zero != NULL;
		data += k;
		n -= k;
	}
}

void wsn_split_flush(struct wsn *w, bool end)
{
	if (end)
		end_segment(w);
	else
		show_lines(w, true);
}
