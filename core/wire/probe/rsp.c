/* rsp: see rsp.h. */
#include "core/wire/probe/rsp.h"

#include <stdio.h>

int rsp_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 32) >= 'a' && (c | 32) <= 'f')
		return (c | 32) - 'a' + 10;
	return -1;
}

bool rsp_word(const char *s, unsigned bytes, uint32_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < bytes; i++) {
		int high = rsp_digit(s[2 * i]), low = high < 0 ? -1 : rsp_digit(s[2 * i + 1]);

		if (low < 0)
			return false;
		*value |= (uint32_t)(high << 4 | low) << 8 * i;
	}
	return true;
}

static void content_add(struct rsp *r, char c)
{
	r->too_long |= r->n == RSP_MAX;
	if (r->n < RSP_MAX)
		r->packet[r->n++] = c;
}

/* The byte before once more, as often as this says, less 29. */
static void content_repeat(struct rsp *r, uint8_t byte)
{
	char c = r->n ? r->packet[r->n - 1] : 0;

	for (int i = byte - 29; r->n && i > 0; i--)
		content_add(r, c);
}

static void packet_begin(struct rsp *r)
{
	r->state = RSP_IN;
	r->n = 0;
	r->sum = 0;
	r->too_long = false;
}

static enum rsp_found outside_take(struct rsp *r, uint8_t byte)
{
	if (byte == '$')
		packet_begin(r);
	else if (byte != '+' && byte != '-')
		r->stray++;
	return byte == '+' ? RSP_ACK : byte == '-' ? RSP_NAK : RSP_NOTHING;
}

/* A "$" within a packet begins another: the first was cut off. */
static enum rsp_found inside_take(struct rsp *r, uint8_t byte)
{
	if (byte == '#') {
		r->state = RSP_SUM;
		return RSP_NOTHING;
	}
	if (byte == '$') {
		r->stray += r->n;
		packet_begin(r);
		return RSP_NOTHING;
	}
	r->sum += byte;
	if (byte == '}')
		r->state = RSP_ESCAPED;
	else if (byte == '*')
		r->state = RSP_REPEAT;
	else
		content_add(r, (char)byte);
	return RSP_NOTHING;
}

static enum rsp_found sum_take(struct rsp *r, uint8_t byte)
{
	int digit = rsp_digit((char)byte);

	if (digit < 0) {
		r->state = RSP_OUT;
		return RSP_BAD;
	}
	r->told = (uint8_t)(r->told << 4 | digit);
	if (r->state == RSP_SUM) {
		r->state = RSP_SUM_LOW;
		return RSP_NOTHING;
	}
	r->state = RSP_OUT;
	r->packet[r->n] = '\0';
	return r->told == r->sum && !r->too_long ? RSP_PACKET : RSP_BAD;
}

enum rsp_found rsp_take(struct rsp *r, uint8_t byte)
{
	switch (r->state) {
	case RSP_OUT:
		return outside_take(r, byte);
	case RSP_IN:
		return inside_take(r, byte);
	case RSP_ESCAPED:
		r->sum += byte;
		content_add(r, (char)(byte ^ 0x20));
		r->state = RSP_IN;
		return RSP_NOTHING;
	case RSP_REPEAT:
		r->sum += byte;
		content_repeat(r, byte);
		r->state = RSP_IN;
		return RSP_NOTHING;
	case RSP_SUM:
	case RSP_SUM_LOW:
		break;
	}
	return sum_take(r, byte);
}

size_t rsp_write(char *dst, size_t size, const char *contents)
{
	uint8_t sum = 0;
	int n;

	for (const char *s = contents; *s; s++)
		sum += (uint8_t)*s;
	n = snprintf(dst, size, "$%s#%02x", contents, sum);
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}
