#include "core/base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

void buf_init(struct buf *b)
{
	*b = (struct buf)BUF_INIT;
}

void buf_release(struct buf *b)
{
	mem_free(b->data);
	buf_init(b);
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->data)
		b->data[0] = '\0';
}

/* Room for n more bytes and the NUL. */
static bool room_reserve(struct buf *b, size_t n)
{
	if (b->failed || n > SIZE_MAX - b->len - 1 ||
	    mem_grow(&b->data, &b->cap, b->len + n + 1, 1) < 0) {
		b->failed = true;
		return false;
	}
	return true;
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	if (!room_reserve(b, n))
		return;
	if (n)
		memcpy(b->data + b->len, data, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	char small[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = true;
		return;
	}
	if ((size_t)n < sizeof(small)) {
		buf_add(b, small, (size_t)n);
		return;
	}
	if (!room_reserve(b, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

const char *buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *buf_detach(struct buf *b)
{
	char *s;

	if (!b->data)
		room_reserve(b, 0);
	if (b->failed) {
		buf_release(b);
		return NULL;
	}
	s = b->data;
	s[b->len] = '\0';
	buf_init(b);
	return s;
}

void buf_add_base64(struct buf *b, const void *data, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *byte = data;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)byte[i] << 16;

		bits |= i + 1 < n ? (uint32_t)byte[i + 1] << 8 : 0;
		bits |= i + 2 < n ? byte[i + 2] : 0;
		buf_addc(b, digits[bits >> 18]);
		buf_addc(b, digits[bits >> 12 & 63]);
		buf_addc(b, i + 1 < n ? digits[bits >> 6 & 63] : '=');
		buf_addc(b, i + 2 < n ? digits[bits & 63] : '=');
	}
}
