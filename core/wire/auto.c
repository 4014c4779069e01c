/*
 * auto: which format is it?
 *
 * While that is open, lines that are surely text go to a prof decoder: it shows them and finds the
 * first report. Bytes that may be packets are held back until gprof_probe is sure of them, or they
 * turn out to be nothing, which makes them text. So each byte goes to one decoder only and nothing
 * is shown twice. Decisions fall at fixed counts of held bytes: they do not depend on the stream's
 * split.
 *
 * A wsn frame identifies itself: one HELLO, or two frames that may follow one another, decide in
 * any state, and while there is one frame nothing is released.
 *
 * Of a recording of answers one whole answer decides.
 *
 * Later a header line in a gprof stream, or packets in step where console text should be, mean that
 * another firmware runs now: it is decided again. Among wsn frames a report is the node's own text;
 * only a second one without a frame between them, or bytes that are neither, mean that.
 */
#include "core/wire/decoder.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/wire/gprof/gprof.h"
#include "core/wire/openocd/openocd.h"
#include "core/wire/prof/prof.h"
#include "core/wire/wsn/wsn.h"

#define HELD_MAX (2 * GPROF_PROBE_BYTES)	/* as many as the probe looks at, in hex digits */
#define PROBE_FIRST 64			/* held bytes at the first probe; then at each doubling */
/* So many lines of text in a row: what was held is text too. */
#define TEXT_LINES 4
#define LINE_MAX_HEADER 320		/* longer lines are no header to change the mind for */
/* Bytes without a frame, a quarter of them bad: no wsn any more. */
#define WSN_PATIENCE 4096

enum kind { KIND_OPEN, KIND_WSN, KIND_PROF, KIND_GPROF, KIND_GPROF_HEX, KIND_OPENOCD };

/* The decoder at work. */
static const char *const kind_names[] = {
	[KIND_OPEN] = "prof", [KIND_WSN] = "wsn", [KIND_PROF] = "prof",
	[KIND_GPROF] = "gprof", [KIND_GPROF_HEX] = "gprof-hex", [KIND_OPENOCD] = "openocd",
};

struct finder {
	struct wire wire;
	enum kind kind;
	struct wire *child;		/* the decoder at work; while it is open, prof's */
	struct wire_stats past;		/* of those before it */
	size_t packets;			/* in step when it was decided */
	uint64_t noise;			/* bytes given on as text that are none */

	uint8_t held[HELD_MAX];		/* open: not given on. prof: the latest bytes, given on */
	size_t held_n;
	size_t line;			/* where the current line begins in held */
	unsigned texts;			/* lines of text in a row */

	char header[LINE_MAX_HEADER];	/* gprof: a line that begins as a header does */
	size_t header_n;
	bool in_header, line_start;

	struct wsn_spotter spotter;
	size_t span;			/* wsn: bytes since it was looked at last */
	uint64_t frames, bad;		/* and what the decoder had counted then */
	uint64_t header_frames;		/* when the last header came; UINT64_MAX: none came */
};

/* --- what bytes look like --------------------------------------------------------------------- */

static bool is_hex_or_space(uint8_t c)
{
	return (unsigned)(c - '0') < 10 || (unsigned)((c | 32) - 'a') < 6 || c == ' ' ||
	       (c >= '\t' && c <= '\r');
}

/* How many bytes are not plain; *other: neither hex digits nor white space. */
static size_t count_odd(const uint8_t *s, size_t n, size_t *other)
{
	size_t odd = 0;

	*other = 0;
	for (size_t i = 0; i < n; i++) {
		odd += !wire_is_plain(s[i]);
		*other += !is_hex_or_space(s[i]);
	}
	return odd;
}

/* The same, but those that are UTF-8 are not odd either. */
static size_t count_strange(const uint8_t *s, size_t n, size_t *other)
{
	size_t odd = count_odd(s, n, other);

	for (size_t i = 0, k; odd && i < n; i += k ? k : 1) {
		uint32_t cp;

		k = s[i] < 0x80 ? 1 : text_utf8((const char *)s + i, n - i, &cp);
		if (k > 1)
			odd -= k;
	}
	return odd;
}

/* A line, or the beginning of one, that surely is text: UTF-8, with a little noise perhaps. */
static bool is_text(const uint8_t *s, size_t n)
{
	size_t other, odd = count_strange(s, n, &other);

	return other > 0 && odd <= 4 && odd * 8 <= n;
}

/* Bytes read at a wrong baud rate: they are shown as text, but count as bad. */
static bool is_noise(const uint8_t *s, size_t n)
{
	size_t other;

	return count_strange(s, n, &other) > n / 4;
}

static bool is_blank(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] != '\r' && s[i] != '\n')
			return false;
	}
	return true;
}

static bool is_header(const char *s, size_t n)
{
	struct prof_header h;
	struct prof_line l;

	prof_line_init(&l, s, n);
	return prof_parse_header(l.s, l.n, &h);
}

/*
 * Are the held bytes packets? At least `min` of them, and `share` per cent of the bytes that are no
 * text. A damaged digit or two leave hex what it is.
 */
static enum kind held_probe(const struct finder *a, size_t min, int share, size_t *packets)
{
	size_t other, odd = count_odd(a->held, a->held_n, &other);
	bool hex = other * 16 <= a->held_n;

	if (!a->held_n || (odd == 0 && !hex))
		return KIND_OPEN;	/* text all through */
	if (gprof_probe(a->held, a->held_n, hex, a->wire.code, NULL, packets, NULL) >= share &&
	    *packets >= min)
		return hex ? KIND_GPROF_HEX : KIND_GPROF;
	return KIND_OPEN;
}

/* --- decisions -------------------------------------------------------------------------------- */

static void stats_add(struct wire_stats *sum, const struct wire *w)
{
	struct wire_stats s;

	wire_stats(w, &s);
	wire_stats_add(sum, &s);
}

static void note_write(struct finder *a)
{
	size_t n = sizeof(a->wire.note);

	if (a->kind == KIND_OPEN)
		snprintf(a->wire.note, n, "auto: no known packet format recognised yet");
	else if (a->kind == KIND_WSN)
		snprintf(a->wire.note, n, "%.*s; detected after %s", (int)n - 40,
			 wire_note(a->child), a->spotter.hello ? "a HELLO" : "two frames");
	else if (a->kind == KIND_PROF)
		snprintf(a->wire.note, n, "%.*s", (int)n - 1, wire_note(a->child));
	else
		snprintf(a->wire.note, n, "%.*s; detected after %zu consecutive valid packets",
			 (int)n - 70, wire_note(a->child), a->packets);
}

static struct wire *child_new(const struct finder *a, enum kind kind, struct err *err)
{
	struct wire_options o = { .code = a->wire.code };

	return wire_new(kind_names[kind], &o, &a->wire.sink, err);
}

/* Change the decoder; out of memory leaves the old one. */
static bool decoder_set(struct finder *a, enum kind kind, size_t packets)
{
	struct wire *child = child_new(a, kind, NULL);

	if (!child)
		return false;
	wire_flush(a->child, true);
	wire_down(a->child);
	stats_add(&a->past, a->child);
	wire_free(a->child);
	a->child = child;
	a->kind = kind;
	a->packets = packets;
	a->in_header = a->line_start = false;
	a->span = 0;
	a->frames = a->bad = 0;
	a->header_frames = UINT64_MAX;
	return true;
}

/*
 * Frames were found; the one or two that were told so went to another decoder unless they are held.
 */
static bool decoder_set_wsn(struct finder *a)
{
	static const uint8_t zero[1];
	struct wsn_spotter *s = &a->spotter;
	bool held = a->kind == KIND_OPEN, decided = decoder_set(a, KIND_WSN, 0);

	if (decided && held) {
		wire_feed(a->child, a->held, a->held_n);
	} else if (decided) {
		wire_feed(a->child, s->first, s->frames ? s->first_len : 0);
		wire_feed(a->child, zero, 1);
		wire_feed(a->child, s->segment, s->len);
		wire_feed(a->child, zero, 1);
	}
	if (decided)
		a->held_n = a->line = 0;
	s->len = s->frames = 0;
	s->over = false;
	return decided;
}

/* The first n held bytes are text, or nothing better. */
static void held_release(struct finder *a, size_t n)
{
	wire_feed(a->child, a->held, n);
	a->noise += is_noise(a->held, n) ? n : 0;
	a->held_n -= n;
	memmove(a->held, a->held + n, a->held_n);
	a->line = a->line > n ? a->line - n : 0;
	a->texts = 0;
	a->spotter.frames = 0;
	if (prof_seen(a->child) == 0)
		return;
	a->kind = KIND_PROF;
	wire_feed(a->child, a->held, a->held_n);
	a->held_n = 0;
}

static bool decoder_set_gprof(struct finder *a, size_t min, int share)
{
	size_t packets = 0;
	enum kind kind = held_probe(a, min, share, &packets);

	if (kind == KIND_OPEN || !decoder_set(a, kind, packets))
		return false;
	wire_feed(a->child, a->held, a->held_n);
	a->held_n = 0;
	return true;
}

/* --- while it is open ------------------------------------------------------------------------- */

static void line_take(struct finder *a)
{
	const uint8_t *line = a->held + a->line;
	size_t n = a->held_n - a->line, before = a->line;

	a->line = a->held_n;
	if (is_blank(line, n)) {
		if (before == 0)
			held_release(a, a->held_n);
	} else if (!is_text(line, n)) {
		a->texts = 0;
	} else if (a->spotter.frames) {
		return;		/* another frame will tell */
	} else if (++a->texts >= TEXT_LINES || before == 0 || is_header((const char *)line, n)) {
		held_release(a, a->held_n);
	}
}

/* Bytes until the next probe is due. */
static size_t until_probe(const struct finder *a)
{
	size_t at = PROBE_FIRST;

	while (at <= a->held_n)
		at *= 2;
	return at - a->held_n;
}

/* Take in what goes up to the next line's end or the next probe; how much that is. */
static size_t open_feed(struct finder *a, const uint8_t *data, size_t n)
{
	size_t due = until_probe(a), k = n < due ? n : due;
	const uint8_t *newline = memchr(data, '\n', k);
	bool found;

	if (newline)
		k = (size_t)(newline - data) + 1;
	k = wsn_spot(&a->spotter, data, k, &found);
	memcpy(a->held + a->held_n, data, k);
	a->held_n += k;
	if (found && decoder_set_wsn(a))
		return k;
	if (memchr(data, 0x1a, k) && openocd_spot(a->held, a->held_n) &&
	    decoder_set(a, KIND_OPENOCD, 0)) {
		wire_feed(a->child, a->held, a->held_n);
		a->held_n = 0;
		return k;
	}
	if (k == due && decoder_set_gprof(a, a->wire.code ? 10 : 20, a->wire.code ? 80 : 90))
		return k;
	if (newline)
		line_take(a);
	if (a->held_n == HELD_MAX)
		held_release(a, HELD_MAX / 2);
	return k;
}

/* --- when it is decided ----------------------------------------------------------------------- */

/*
 * Reports are lines of text. When a good part of what comes is neither, or it is hex digits without
 * end, packets may have taken their place.
 */
static void reports_watch(struct finder *a)
{
	size_t packets = 0, other, odd = count_odd(a->held, a->held_n, &other);
	enum kind kind = KIND_OPEN;

	if (other * 16 <= a->held_n || odd > a->held_n / 8)
		kind = held_probe(a, a->wire.code ? 20 : 40, 90, &packets);
	a->held_n = 0;
	if (kind != KIND_OPEN)
		decoder_set(a, kind, packets);
}

static size_t reports_feed(struct finder *a, const uint8_t *data, size_t n)
{
	size_t k = HELD_MAX - a->held_n;
	bool found;

	k = wsn_spot(&a->spotter, data, n < k ? n : k, &found);
	memcpy(a->held + a->held_n, data, k);
	a->held_n += k;
	wire_feed(a->child, data, k);
	if ((!found || !decoder_set_wsn(a)) && a->held_n == HELD_MAX)
		reports_watch(a);
	return k;
}

/* Collect a line that may be a header; true when it is one. */
static bool header_watch(struct finder *a, const uint8_t *data, size_t n, bool ended)
{
	if (a->line_start && n)
		a->in_header = data[0] == 'P' || data[0] == 'S';
	if (a->line_start && n)
		a->header_n = 0;
	a->line_start = a->line_start && !n;
	if (a->in_header && a->header_n + n <= sizeof(a->header)) {
		memcpy(a->header + a->header_n, data, n);
		a->header_n += n;
	} else {
		a->in_header = false;
	}
	if (!ended)
		return false;
	a->line_start = true;
	return a->in_header && is_header(a->header, a->header_n);
}

/* How many bytes go up to and with a header's line, or all; *header: that line is there. */
static size_t until_header(struct finder *a, const uint8_t *data, size_t n, bool *header)
{
	size_t done = 0;

	*header = false;
	while (done < n && !*header) {
		const uint8_t *newline = memchr(data + done, '\n', n - done);
		size_t k = newline ? (size_t)(newline - (data + done)) + 1 : n - done;

		*header = header_watch(a, data + done, k, newline != NULL);
		done += k;
	}
	return done;
}

static void decoder_set_prof(struct finder *a)
{
	if (decoder_set(a, KIND_PROF, 0))
		wire_feed(a->child, (const uint8_t *)a->header, a->header_n);
}

static size_t packets_feed(struct finder *a, const uint8_t *data, size_t n)
{
	bool found, header;

	n = until_header(a, data, n, &header);
	n = wsn_spot(&a->spotter, data, n, &found);
	wire_feed(a->child, data, n);
	if ((!found || !decoder_set_wsn(a)) && header)
		decoder_set_prof(a);
	return n;
}

/* Frames became rare, and the bytes instead were no text: detect again. */
static void frames_watch(struct finder *a)
{
	struct wire_stats s;

	wire_stats(a->child, &s);
	if (s.events == a->frames && s.bad_bytes >= a->bad + WSN_PATIENCE / 4)
		decoder_set(a, KIND_OPEN, 0);
	a->span = 0;
	a->frames = s.events;
	a->bad = s.bad_bytes;
}

static size_t frames_feed(struct finder *a, const uint8_t *data, size_t n)
{
	size_t k = WSN_PATIENCE - a->span;
	struct wire_stats s;
	bool header;

	k = until_header(a, data, n < k ? n : k, &header);
	wire_feed(a->child, data, k);
	a->span += k;
	if (header) {
		wire_stats(a->child, &s);
		if (s.events == a->header_frames)
			decoder_set_prof(a);
		else
			a->header_frames = s.events;
	} else if (a->span == WSN_PATIENCE) {
		frames_watch(a);
	}
	return k;
}

/* --- the decoder ------------------------------------------------------------------------------ */

static void auto_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct finder *a = (struct finder *)w;

	if (a->kind == KIND_OPENOCD) {
		wire_feed(a->child, data, n);
		n = 0;
	}
	while (n) {
		size_t k = a->kind == KIND_OPEN ? open_feed(a, data, n) :
			   a->kind == KIND_WSN ? frames_feed(a, data, n) :
			   a->kind == KIND_PROF ? reports_feed(a, data, n) :
			   packets_feed(a, data, n);

		data += k;
		n -= k;
	}
	note_write(a);
}

static void auto_flush(struct wire *w, bool end)
{
	struct finder *a = (struct finder *)w;
	size_t packets = 0;

	if (a->kind == KIND_OPEN && a->held_n) {
		/*
		 * A short input is gprof when all of it is. A pause amid packets is no reason to
		 * give up.
		 */
		if (end)
			decoder_set_gprof(a, a->wire.code ? 2 : 4, 95);
		if (a->kind == KIND_OPEN &&
		    (end || (!a->spotter.frames && held_probe(a, 2, 50, &packets) == KIND_OPEN)))
			held_release(a, a->held_n);
	}
	wire_flush(a->child, end);
	note_write(a);
}

static int auto_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	struct finder *a = (struct finder *)w;

	(void)o;
	a->child = child_new(a, KIND_PROF, err);
	if (!a->child)
		return ERR_NOMEM;
	note_write(a);
	return 0;
}

static void auto_release(struct wire *w)
{
	wire_free(((struct finder *)w)->child);
}

static void auto_set_code(struct wire *w)
{
	wire_set_code(((struct finder *)w)->child, w->code);
}

static void auto_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct finder *a = (struct finder *)w;

	if (a->kind != KIND_OPENOCD)	/* its recordings are read; who asks was named */
		wire_ask(a->child, now, out);
}

static int auto_timeout(const struct wire *w, uint64_t now)
{
	const struct finder *a = (const struct finder *)w;

	return a->kind == KIND_OPENOCD ? -1 : wire_timeout(a->child, now);
}

static int auto_command(struct wire *w, const struct wire_command *command, struct err *err)
{
	return wire_command(((struct finder *)w)->child, command, err);
}

static void auto_down(struct wire *w)
{
	wire_down(((struct finder *)w)->child);
}

/* Until it is decided nothing was told. */
static bool auto_resume(const struct wire *w, struct buf *bytes)
{
	const struct finder *a = (const struct finder *)w;

	return a->kind != KIND_OPEN && wire_resume(a->child, bytes);
}

static const char *auto_name(const struct wire *w)
{
	const struct finder *a = (const struct finder *)w;

	return a->kind == KIND_OPEN ? "auto" : kind_names[a->kind];
}

static const struct wire_when *auto_when(const struct wire *w)
{
	return wire_when(((const struct finder *)w)->child);
}

static void auto_stats(const struct wire *w, struct wire_stats *stats)
{
	const struct finder *a = (const struct finder *)w;

	uint64_t noise;

	*stats = a->past;
	stats_add(stats, a->child);
	noise = a->noise < stats->text_bytes ? a->noise : stats->text_bytes;
	stats->text_bytes -= noise;
	stats->bad_bytes += noise;
}

const struct wire_ops wire_auto_ops = {
	.size = sizeof(struct finder),
	.init = auto_init,
	.release = auto_release,
	.feed = auto_feed,
	.flush = auto_flush,
	.set_code = auto_set_code,
	.ask = auto_ask,
	.timeout = auto_timeout,
	.command = auto_command,
	.down = auto_down,
	.resume = auto_resume,
	.name = auto_name,
	.when = auto_when,
	.stats = auto_stats,
};
