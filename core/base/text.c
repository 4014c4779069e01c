#include "core/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "core/base/clock.h"

/*
 * Characters that may not reach a terminal: control bytes that it obeys (C0, DEL, C1) and those
 * that reorder or hide the text around them (bidirectional controls, line and paragraph
 * separators, zero-width marks, tags). Sorted.
 */
struct text_range {
	uint32_t first, last;
};

static const struct text_range hidden[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
	{ 0xe0000, 0xe0fff },
};

/* Combining characters: they take no column. The blocks that occur in source code and logs. */
static const struct text_range combining[] = {
	{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x610, 0x61a }, { 0x64b, 0x65f },
	{ 0x6d6, 0x6dc }, { 0x93c, 0x93c }, { 0x941, 0x948 }, { 0xe31, 0xe31 }, { 0xe34, 0xe3a },
	{ 0xe47, 0xe4e }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x20d0, 0x20ff },
	{ 0x3099, 0x309a }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xe0100, 0xe01ef },
};

/* East Asian Wide and Fullwidth (UAX #11), as blocks. */
static const struct text_range wide[] = {
	{ 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x23e9, 0x23ec }, { 0x2e80, 0x303e },
	{ 0x3041, 0x33ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff }, { 0xa000, 0xa4cf },
	{ 0xa960, 0xa97f }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
	{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff },
	{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

#define IN_RANGES(table, cp) in_ranges(table, sizeof(table) / sizeof((table)[0]), cp)

static bool in_ranges(const struct text_range *ranges, size_t n, uint32_t cp)
{
	for (size_t i = 0; i < n; i++) {
		if (cp < ranges[i].first)
			return false;
		if (cp <= ranges[i].last)
			return true;
	}
	return false;
}

/* Bytes of the sequence that `lead` begins and the least code point it may encode (RFC 3629). */
static size_t utf8_length(uint8_t lead, uint32_t *least)
{
	if (lead < 0x80) {
		*least = 0;
		return 1;
	}
	if (lead >= 0xc2 && lead < 0xe0) {
		*least = 0x80;
		return 2;
	}
	if (lead >= 0xe0 && lead < 0xf0) {
		*least = 0x800;
		return 3;
	}
	*least = 0x10000;
	return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

size_t text_utf8(const char *s, size_t n, uint32_t *cp)
{
	uint32_t least, c;
	size_t len;

	if (n == 0)
		return 0;
	len = utf8_length((uint8_t)s[0], &least);
	if (len == 0 || len > n)
		return 0;
	c = len == 1 ? (uint8_t)s[0] : (uint8_t)s[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if (((uint8_t)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((uint8_t)s[i] & 0x3f);
	}
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*cp = c;
	return len;
}

size_t text_encode(uint32_t cp, char *dst)
{
	if (cp < 0x80) {
		dst[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		dst[0] = (char)(0xc0 | cp >> 6);
		dst[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		dst[0] = (char)(0xe0 | cp >> 12);
		dst[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		dst[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	dst[0] = (char)(0xf0 | cp >> 18);
	dst[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	dst[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	dst[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

int text_width(uint32_t cp)
{
	if (cp < 0x300)
		return 1;
	if (IN_RANGES(combining, cp))
		return 0;
	return IN_RANGES(wide, cp) ? 2 : 1;
}

int text_columns(const char *s)
{
	size_t n = strlen(s);
	int columns = 0;

	while (n) {
		uint32_t cp = '?';
		size_t len = text_utf8(s, n, &cp);

		columns += text_width(cp);
		len = len ? len : 1;
		s += len;
		n -= len;
	}
	return columns;
}

size_t text_visible(char *dst, size_t size, const char *src, size_t n)
{
	size_t used = 0;

	if (size == 0)
		return 0;
	while (n) {
		char escape[8];
		const char *piece = src;
		uint32_t cp = 0;
		size_t len = text_utf8(src, n, &cp), take = len;

		if (len == 1 && *src == '\t') {
			piece = " ";
		} else if (len == 0 || IN_RANGES(hidden, cp)) {
			/* Invalid or hidden: byte by byte. */
			snprintf(escape, sizeof(escape), "\\x%02x", (unsigned)(uint8_t)*src);
			piece = escape;
			take = 4;
			len = 1;
		}
		if (take > size - 1 - used)
			break;
		memcpy(dst + used, piece, take);
		used += take;
		src += len;
		n -= len;
	}
	dst[used] = '\0';
	return used;
}

/* Three significant digits: "1.23", "12.3", "123". */
static void three_digits(char *dst, size_t size, double v, const char *unit)
{
	double a = fabs(v);
	int decimals = a < 9.995 ? 2 : a < 99.95 ? 1 : 0;

	snprintf(dst, size, "%.*f%s", decimals, v, unit);
}

const char *text_seconds(char *dst, size_t size, double s)
{
	static const struct { double from, unit; const char *name; } units[] = {
		{ 0.9995, 1, " s" }, { 0.9995e-3, 1e-3, " ms" }, { 0.9995e-6, 1e-6, " us" },
		{ 0, 1e-9, " ns" },
	};

	if (isnan(s)) {
		snprintf(dst, size, "-");
	} else if (s == 0) {
		snprintf(dst, size, "0 s");
	} else if (fabs(s) >= 9999.5) {
		snprintf(dst, size, fabs(s) < 1e9 ? "%.0f s" : "%.3g s", s);
	} else {
		size_t i = 0;

		while (fabs(s) < units[i].from)
			i++;
		three_digits(dst, size, s / units[i].unit, units[i].name);
	}
	return dst;
}

const char *text_count(char *dst, size_t size, double n)
{
	static const char *const prefixes[] = { "", "k", "M", "G", "T" };
	size_t i = 0;

	if (isnan(n)) {
		snprintf(dst, size, "-");
		return dst;
	}
	if (fabs(n) < 999.5) {
		snprintf(dst, size, "%.*f",
			 n == floor(n) || fabs(n) >= 100 ? 0 : fabs(n) < 10 ? 2 : 1, n);
		return dst;
	}
	while (fabs(n) >= 999.5 && i < 4) {
		n /= 1000;
		i++;
	}
	three_digits(dst, size, n, prefixes[i]);
	return dst;
}

const char *text_whole(char *dst, size_t size, uint64_t n)
{
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n), used = 0;

	for (size_t i = 0; i < len && used + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			dst[used++] = ',';
		dst[used++] = digits[i];
	}
	dst[used] = '\0';
	return dst;
}

struct text_number text_number(uint64_t n)
{
	struct text_number number;

	text_whole(number.text, sizeof(number.text), n);
	return number;
}

const char *text_bytes(char *dst, size_t size, double n)
{
	char count[16];
	size_t digits;

	text_count(count, sizeof(count), n);
	digits = strspn(count, "0123456789.");
	snprintf(dst, size, digits ? "%.*s %sB" : "-", (int)digits, count, count + digits);
	return dst;
}

const char *text_span(char *dst, size_t size, uint64_t ns)
{
	unsigned long long s = ns / CLOCK_SECOND;

	if (s < 3600)
		snprintf(dst, size, "%llu:%02llu", s / 60, s % 60);
	else if (s < 86400)
		snprintf(dst, size, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(dst, size, "%llu d %llu h", s / 86400, s / 3600 % 24);
	return dst;
}

const char *text_wall(char *dst, size_t size, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / CLOCK_SECOND);
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(dst, size, "%H:%M:%S", &tm))
		dst[0] = '\0';
	return dst;
}

bool text_begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

bool text_ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && strcmp(s + n - m, with) == 0;
}

const char *text_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool text_u64(const char *s, uint64_t *value)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	const char *digits = hex ? s + 2 : s;
	char *end;

	if (*digits == '\0' || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") !=
	    strlen(digits))
		return false;
	errno = 0;
	*value = strtoull(digits, &end, hex ? 16 : 10);
	return errno == 0;
}

bool text_double(const char *s, double *value)
{
	char *end;

	if (*s == '\0' || strspn(s, "+-.0123456789eE") != strlen(s))
		return false;
	errno = 0;
	*value = strtod(s, &end);
	return errno == 0 && *end == '\0' && isfinite(*value);
}

static unsigned number_min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned text_distance(const char *a, const char *b)
{
	unsigned rows[3][32], *now = rows[0], *last = rows[1], *before = rows[2], *old;
	size_t n = strlen(b);

	if (n >= sizeof(rows[0]) / sizeof(rows[0][0]))
		return (unsigned)n;
	for (unsigned j = 0; j <= n; j++)
		now[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		old = before, before = last, last = now, now = old;
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			now[j] = number_min(last[j - 1] + (a[i - 1] != b[j - 1]),
					    number_min(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = number_min(now[j], before[j - 2] + 1);
		}
	}
	return now[n];
}
