#include "core/find/probe.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/wire/wire.h"

enum {
	TEXT_LEAST = 64,		/* bytes in which some damaged ones are tolerated */
	TEXT_SHORT = 6,			/* enough for a line if all of it is printable */
	TEXT_LONG = 256,		/* enough for text without an end of line */
	VARIETY = 4,			/* different bytes in any text */
	FIRST_LOOK = 64,		/* bytes; then at each doubling */
};

/* Digits sent at twice the rate are received nine tenths printable, mostly as J, Z and K. */
#define TEXT_SHARE 0.97
#define BRISK_NS (CLOCK_SECOND * 6 / 10)	/* judged by then: BRISK_BYTES or more; */
#define BRISK_BYTES 48
#define SLOW_NS (2 * CLOCK_SECOND)		/* any other stream by then */

/*
 * The rates of boards as delivered, then those of bridges and demos. A wrong rate costs half a
 * second with a fast stream.
 */
const long probe_rates[] = {
	115200, 57600, 9600, 38400, 19200, 230400, 460800, 921600, 1000000, 250000, 500000, 1500000,
	2000000, 0,
};

/* A debugger sets it, to what its adapter takes: UART adapters of 3, 6 and 12 megabaud. */
const long probe_rates_swo[] = {
	2000000, 1000000, 4000000, 3000000, 500000, 6000000, 8000000, 12000000, 1500000, 250000,
	921600, 460800, 230400, 115200, 0,
};

/* --- the kind of bytes ------------------------------------------------------------------------ */

static bool byte_is_plain(uint8_t c)
{
	return (c >= 0x20 && c < 0x7f) || (c >= '\a' && c <= '\r') || c == 0x1b;
}

/* Share of printable bytes, UTF-8 included; *kinds: how many different bytes there are. */
static double printable_share(const uint8_t *s, size_t n, unsigned *kinds)
{
	bool seen[256] = { false };
	size_t good = 0;

	*kinds = 0;
	for (size_t i = 0, k; i < n; i += k) {
		uint32_t cp;

		*kinds += !seen[s[i]];
		seen[s[i]] = true;
		k = s[i] < 0x80 ? 0 : text_utf8((const char *)s + i, n - i, &cp);
		good += k ? k : byte_is_plain(s[i]);
		k = k ? k : 1;
	}
	return n ? (double)good / (double)n : 0;
}

static bool bytes_are_text(const uint8_t *s, size_t n, double share, unsigned kinds)
{
	bool lines = memchr(s, '\n', n) || memchr(s, '\r', n);

	if (n < TEXT_SHORT || kinds < VARIETY || (!lines && n < TEXT_LONG))
		return false;
	return n < TEXT_LEAST ? share == 1 : share >= TEXT_SHARE;
}

/*
 * A detected format is synchronised. A given one accepts any bytes: most of them must be decoded.
 */
static bool is_packets(const uint8_t *bytes, size_t n, const char *format,
		       const struct codemap *code, char *name, size_t size)
{
	const struct wire_options o = { .code = code };
	const struct wire_sink sink = { .ctx = NULL };
	bool any = !format || strcmp(format, "auto") == 0, is = false;
	struct wire *w = wire_new(any ? "auto" : format, &o, &sink, NULL);
	struct wire_stats s;

	if (!w)
		return false;
	wire_feed(w, bytes, n);
	wire_flush(w, false);
	wire_stats(w, &s);
	if (any)
		is = strcmp(wire_name(w), "auto") != 0;
	else
		is = s.events >= 4 && s.bad_bytes * 4 <= n;
	snprintf(name, size, "%.12s packets", wire_name(w));
	wire_free(w);
	return is;
}

struct probe_score probe_score(const uint8_t *bytes, size_t n, const char *format,
			       const struct codemap *code)
{
	struct probe_score s = { .sense = PROBE_NONSENSE };
	unsigned kinds;

	s.printable = printable_share(bytes, n, &kinds);
	if (is_packets(bytes, n, format, code, s.what, sizeof(s.what))) {
		s.sense = PROBE_PACKETS;
	} else if (bytes_are_text(bytes, n, s.printable, kinds)) {
		s.sense = PROBE_TEXT;
		snprintf(s.what, sizeof(s.what), "text");
	} else {
		s.what[0] = '\0';
	}
	return s;
}

/* --- one rate after the other ----------------------------------------------------------------- */

void probe_init(struct probe *p, long first, const char *format, const struct codemap *code)
{
	*p = (struct probe){ .format = format, .code = code };
	p->rates = format && strcmp(format, "itm") == 0 ? probe_rates_swo : probe_rates;
	p->first = p->baud = first > 0 ? first : p->rates[0];
}

void probe_forget(struct probe *p)
{
	p->count = p->judged = 0;
	p->heard_ns = 0;
}

/* The first rate was tried already. */
static enum probe_answer rate_next(struct probe *p)
{
	p->dropped += p->count;
	probe_forget(p);
	p->tried++;
	p->last = p->baud;
	if (p->rates[p->next] == p->first)
		p->next++;
	p->baud = p->rates[p->next];
	if (p->baud) {
		p->next++;
		return PROBE_CHANGE;
	}
	p->baud = p->first;
	return PROBE_LOST;
}

/* At each doubling, so that all looks together cost as much as a few. */
static bool look_is_due(const struct probe *p, uint64_t now)
{
	if (p->count == PROBE_BYTES || (p->count >= FIRST_LOOK && p->count >= 2 * p->judged))
		return true;
	return p->count && now >= probe_due(p);
}

static enum probe_answer bytes_judge(struct probe *p, uint64_t now)
{
	bool enough = p->count == PROBE_BYTES || now >= p->heard_ns + SLOW_NS ||
		      (now >= p->heard_ns + BRISK_NS && p->count >= BRISK_BYTES);

	p->score = probe_score(p->bytes, p->count, p->format, p->code);
	p->judged = p->count;
	if (p->score.sense != PROBE_NONSENSE)
		return PROBE_FOUND;
	return enough ? rate_next(p) : PROBE_LISTEN;
}

enum probe_answer probe_wait(struct probe *p, uint64_t now)
{
	return look_is_due(p, now) ? bytes_judge(p, now) : PROBE_LISTEN;
}

/* How many bytes until the next look. */
static size_t room_left(const struct probe *p)
{
	size_t look = p->judged ? 2 * p->judged : FIRST_LOOK;

	while (look <= p->count)	/* looked at early, by the clock */
		look *= 2;
	return (look < PROBE_BYTES ? look : PROBE_BYTES) - p->count;
}

enum probe_answer probe_feed(struct probe *p, uint64_t now, const uint8_t *bytes, size_t n,
			     size_t *used)
{
	enum probe_answer answer = PROBE_LISTEN;

	*used = 0;
	if (now < p->deaf_until) {
		p->dropped += n;
		*used = n;
		return PROBE_LISTEN;
	}
	if (n && !p->count)
		p->heard_ns = now;
	while (*used < n && answer == PROBE_LISTEN) {
		size_t part = n - *used < room_left(p) ? n - *used : room_left(p);

		memcpy(p->bytes + p->count, bytes + *used, part);
		p->count += part;
		*used += part;
		answer = probe_wait(p, now);
	}
	return answer;
}

void probe_changed(struct probe *p, uint64_t now)
{
	probe_forget(p);
	p->deaf_until = now + PROBE_SETTLE_NS;
}

uint64_t probe_due(const struct probe *p)
{
	if (!p->count)
		return 0;
	return p->heard_ns + (p->count >= BRISK_BYTES && p->judged < p->count ? BRISK_NS : SLOW_NS);
}
