#include "core/base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

#define TEXT_PIECE 128		/* bytes of a text that are made visible at a time */

/* --- the sink --------------------------------------------------------------------------------- */

static void out_fail(struct out *o, enum err_code code, int cause)
{
	if (out_failed(o))
		return;
	o->error = code;
	o->cause = cause;
}

static void out_write(struct out *o, const char *data, size_t n)
{
	if (o->buf) {
		buf_add(o->buf, data, n);
		if (o->buf->failed)
			out_fail(o, ERR_NOMEM, 0);
		return;
	}
	while (n && !out_failed(o)) {
		ssize_t done = write(o->fd, data, n);

		if (done < 0) {
			if (errno != EINTR)
				out_fail(o, ERR_IO, errno);
			continue;
		}
		data += done;
		n -= (size_t)done;
	}
}

static void out_flush(struct out *o)
{
	size_t n = o->len;

	o->len = 0;
	if (n && !out_failed(o))
		out_write(o, o->data, n);
}

/* --- life cycle ------------------------------------------------------------------------------- */

/* The mode that a newly made file would have had. */
static mode_t fresh_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/*
 * What a link that leads nowhere should lead to: made empty, through the link, so that it has a
 * real path. The kernel refuses a link that somebody else left in a directory of everybody's.
 */
static int link_target_make(const char *path, struct err *err)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_errno(err, "%s: cannot create what it links to", path);
	close(fd);
	return 0;
}

/* Through a symbolic link: its target is replaced, the link stays. */
static int temporary_open(struct out *o, const char *path, struct err *err)
{
	static const char suffix[] = ".XXXXXX";
	char *real = realpath(path, NULL);
	const char *target = real ? real : path;
	size_t n = strlen(target);

	o->path = mem_strdup(target);
	o->temporary = mem_alloc(n + sizeof(suffix));
	free(real);
	if (!o->path || !o->temporary)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	memcpy(o->temporary, o->path, n);
	memcpy(o->temporary + n, suffix, sizeof(suffix));
	o->fd = mkstemp(o->temporary);
	return o->fd < 0 ? err_errno(err, "%s: cannot create a temporary file", o->path) : 0;
}

static int in_place_open(struct out *o, const char *path, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;

	o->path = mem_strdup(standard ? "standard output" : path);
	if (!o->path)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	o->fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
	return o->fd < 0 ? err_errno(err, "%s: cannot open", path) : 0;
}

static void out_init(struct out *o)
{
	memset(o, 0, offsetof(struct out, data));
	o->fd = -1;
}

static void out_release(struct out *o)
{
	if (o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	mem_free(o->path);
	mem_free(o->temporary);
	out_init(o);
}

int out_open(struct out *o, const char *path, struct err *err)
{
	struct stat st;
	bool standard = strcmp(path, "-") == 0, there = !standard && stat(path, &st) == 0;
	int ret = 0;

	out_init(o);
	if (!standard && !there && errno != ENOENT)	/* not ours to replace */
		return err_errno(err, "%s: cannot open", path);
	o->mode = there ? st.st_mode & 0777 : fresh_mode();
	if (standard || (there && !S_ISREG(st.st_mode)))
		ret = in_place_open(o, path, err);
	else if (there || (ret = link_target_make(path, err)) == 0)
		ret = temporary_open(o, path, err);
	if (ret < 0)
		out_release(o);
	return ret;
}

void out_open_buf(struct out *o, struct buf *b)
{
	out_init(o);
	o->buf = b;
}

/* The reader has what it wants (`| head`): that is no failure. */
static bool reader_left(const struct out *o)
{
	return !o->temporary && o->error == ERR_IO && o->cause == EPIPE;
}

static void temporary_close(struct out *o)
{
	if (!out_failed(o) && (fchmod(o->fd, o->mode) < 0 || fsync(o->fd) < 0))
		out_fail(o, ERR_IO, errno);
	if (close(o->fd) < 0)
		out_fail(o, ERR_IO, errno);
	o->fd = -1;
}

int out_close(struct out *o, struct err *err)
{
	int ret;

	out_flush(o);
	if (o->temporary)
		temporary_close(o);
	ret = reader_left(o) ? 0 : (int)o->error;
	errno = o->cause;
	if (ret == ERR_NOMEM)
		err_set(err, ret, "%s: out of memory", o->path ? o->path : "buffer");
	else if (ret)
		err_errno(err, "%s: cannot write", o->path);
	else if (o->temporary && rename(o->temporary, o->path) < 0)
		ret = err_errno(err, "%s: cannot replace", o->path);
	if (ret && o->temporary)
		unlink(o->temporary);
	out_release(o);
	return ret;
}

void out_discard(struct out *o)
{
	if (o->temporary)
		unlink(o->temporary);
	out_release(o);
}

/* --- appending -------------------------------------------------------------------------------- */

void out_bytes(struct out *o, const void *data, size_t n)
{
	if (n > OUT_BYTES - o->len)
		out_flush(o);
	if (n > OUT_BYTES) {
		if (!out_failed(o))
			out_write(o, data, n);
		return;
	}
	memcpy(o->data + o->len, data, n);
	o->len += n;
}

void out_addc(struct out *o, char c)
{
	if (o->len == OUT_BYTES)
		out_flush(o);
	o->data[o->len++] = c;
}

void out_adds(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

/* A text longer than out_addf's own buffer. */
static void long_format(struct out *o, size_t n, const char *fmt, va_list ap)
{
	char *text = mem_alloc(n + 1);

	if (!text) {
		out_fail(o, ERR_NOMEM, 0);
		return;
	}
	vsnprintf(text, n + 1, fmt, ap);
	out_bytes(o, text, n);
	mem_free(text);
}

void out_addf(struct out *o, const char *fmt, ...)
{
	char small[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0) {
		out_fail(o, ERR_IO, errno);
		return;
	}
	if ((size_t)n < sizeof(small)) {
		out_bytes(o, small, (size_t)n);
		return;
	}
	va_start(ap, fmt);
	long_format(o, (size_t)n, fmt, ap);
	va_end(ap);
}

void out_le(struct out *o, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		out_addc(o, (char)(v >> 8 * i));
}

void out_u64(struct out *o, uint64_t v)
{
	char digits[20], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	out_bytes(o, at, (size_t)(digits + sizeof(digits) - at));
}

/* --- numbers with a point --------------------------------------------------------------------- */

enum { DIGITS = 15 };			/* decimal ones that every double tells apart */

/* Powers of ten that a double has exactly. */
static const double tens[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

#define TENS (int)(sizeof(tens) / sizeof(tens[0]))

/* n / 10^point as printf's %.15g has it. */
static void decimal_write(struct out *o, uint64_t n, int point)
{
	char text[40], *end = text + sizeof(text), *at = end;
	int digits = 0, exponent;

	for (; n % 10 == 0; n /= 10)
		point--;
	for (; n; n /= 10, digits++)
		*--at = (char)('0' + n % 10);
	exponent = digits - 1 - point;
	if (exponent < -4) {
		out_addc(o, *at);
		if (digits > 1)
			out_addc(o, '.');
		out_bytes(o, at + 1, (size_t)(digits - 1));
		out_addf(o, "e-%02d", -exponent);
		return;
	}
	if (exponent < 0)
		out_bytes(o, "0.0000", (size_t)(1 - exponent));
	for (int i = 0; i < digits || i <= exponent; i++) {
		if (i == exponent + 1 && exponent >= 0)
			out_addc(o, '.');
		out_addc(o, i < digits ? at[i] : '0');
	}
}

/*
 * In DIGITS digits, if they are enough: a whole number over a power of ten, both exact, whose
 * quotient is rounded as strtod rounds (Clinger, "How to read floating point numbers accurately",
 * 1990). printf and strtod take a few thousand instructions, this about a hundred.
 */
static bool double_short(struct out *o, double v)
{
	double a = fabs(v);
	int exponent = 0;
	uint64_t n;

	if (!(a >= 1e-8 && a < 1e15))
		return false;
	while (exponent < DIGITS - 1 && a >= tens[exponent + 1])
		exponent++;
	while (a * tens[-exponent > 0 ? -exponent : 0] < 1)
		exponent--;
	if (DIGITS - 1 - exponent >= TENS)
		return false;
	n = (uint64_t)(a * tens[DIGITS - 1 - exponent] + 0.5);
	if ((double)n / tens[DIGITS - 1 - exponent] != a)
		return false;
	if (v < 0)
		out_addc(o, '-');
	decimal_write(o, n, DIGITS - 1 - exponent);
	return true;
}

void out_double(struct out *o, double v)
{
	char text[40];

	if (!isfinite(v) || double_short(o, v))
		return;
	for (int digits = DIGITS; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	out_adds(o, text);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Bytes of the next piece, which ends between two characters. */
static size_t text_piece(const char *s, size_t n)
{
	size_t cut = TEXT_PIECE;

	if (n <= TEXT_PIECE)
		return n;
	for (int i = 0; i < 3 && ((uint8_t)s[cut] & 0xc0) == 0x80; i++)
		cut--;
	return ((uint8_t)s[cut] & 0xc0) == 0x80 ? TEXT_PIECE : cut;	/* no UTF-8: anywhere */
}

static void escaped_char(struct out *o, char c, const char *const *escapes)
{
	for (; *escapes; escapes++) {
		if (**escapes == c) {
			out_adds(o, *escapes + 1);
			return;
		}
	}
	out_addc(o, c);
}

/* What is neither a control character, nor beyond ASCII, nor escaped. */
static void plain_find(uint64_t plain[2], const char *const *escapes)
{
	plain[0] = UINT64_MAX << ' ';
	plain[1] = UINT64_MAX >> 1;
	for (; escapes && *escapes; escapes++)
		plain[**escapes >> 6 & 1] &= ~(UINT64_C(1) << (**escapes & 63));
}

static bool char_is_plain(const uint64_t plain[2], char c)
{
	return (uint8_t)c < 128 && plain[(uint8_t)c >> 6] >> (c & 63) & 1;
}

/* One piece that is not plain; bytes of it. */
static size_t piece_write(struct out *o, const char *s, size_t n, const char *const *escapes)
{
	char visible[4 * TEXT_PIECE + 1];	/* \xNN for each byte at worst */
	size_t piece = text_piece(s, n);
	size_t length = text_visible(visible, sizeof(visible), s, piece);

	if (!escapes)
		out_bytes(o, visible, length);
	for (size_t i = 0; escapes && i < length; i++)
		escaped_char(o, visible[i], escapes);
	return piece;
}

void out_text(struct out *o, const char *s, const char *const *escapes)
{
	uint64_t plain[2];

	plain_find(plain, escapes);
	while (s && *s) {
		size_t n = 0;

		while (char_is_plain(plain, s[n]))
			n++;
		out_bytes(o, s, n);
		s += n;
		for (n = 0; s[n] && !char_is_plain(plain, s[n]);)
			n++;
		while (n) {
			size_t written = piece_write(o, s, n, escapes);

			s += written;
			n -= written;
		}
	}
}

/* Spreadsheets skip white space before a formula, and some take the signs of full width. */
static bool text_is_formula(const char *s)
{
	static const char *const signs[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
		"\xef\xbc\xa0",		/* U+FF1D, FF0B, FF0D, FF20 */
	};

	s += strspn(s, " \t\r\n");
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(s, signs[i], strlen(signs[i])) == 0)
			return true;
	return false;
}

void out_csv(struct out *o, const char *text)
{
	static const char *const escapes[] = { "\"\"\"", NULL };

	out_addc(o, '"');
	if (text && text_is_formula(text))
		out_addc(o, '\'');
	out_text(o, text, escapes);
	out_addc(o, '"');
}
