/* frame/coding: what surrounds a frame's bytes. docs/PROTOCOL.md, 1 and 6. */
#include "core/wire/wsn/wsn.h"

#include <string.h>

/*
 * CRC-16/IBM-3740 a byte at a time without a table: the polynomial x^16 + x^12 + x^5 + 1 is so
 * sparse that the eight steps of a byte fold into three shifts.
 */
uint16_t wsn_crc(const uint8_t *data, size_t n)
{
	uint32_t crc = 0xffff;

	for (size_t i = 0; i < n; i++) {
		uint32_t x = (crc >> 8 ^ data[i]) & 0xff;

		x ^= x >> 4;
		crc = (crc << 8 ^ x << 12 ^ x << 5 ^ x) & 0xffff;
	}
	return (uint16_t)crc;
}

/* Slicing, after Kounavis and Berry (2005): the bytes' effects do not depend on one another. */
void wsn_crc_init(struct wsn_crc_steps *t)
{
	for (unsigned i = 0; i < 256; i++) {
		unsigned x = i ^ i >> 4;

		t->step[0][i] = (uint16_t)(x << 12 ^ x << 5 ^ x);
	}
	for (unsigned k = 1; k < 4; k++) {
		for (unsigned i = 0; i < 256; i++) {
			unsigned x = t->step[k - 1][i];

			t->step[k][i] = (uint16_t)(x << 8 ^ t->step[0][x >> 8]);
		}
	}
}

uint16_t wsn_crc_fast(const struct wsn_crc_steps *t, const uint8_t *data, size_t n)
{
	uint32_t crc = 0xffff;
	size_t i;

	for (i = 0; i + 4 <= n; i += 4)
		crc = (uint32_t)t->step[3][crc >> 8 ^ data[i]] ^
		      t->step[2][(crc & 0xff) ^ data[i + 1]] ^
		      t->step[1][data[i + 2]] ^ t->step[0][data[i + 3]];
	for (; i < n; i++)
		crc = (crc << 8 & 0xffff) ^ t->step[0][crc >> 8 ^ data[i]];
	return (uint16_t)crc;
}

size_t wsn_cobs_encode(uint8_t *dst, const uint8_t *src, size_t n)
{
	size_t code = 0;	/* where the distance to the next zero goes */

	for (size_t i = 0; i < n; i++) {
		dst[i + 1] = src[i];
		if (src[i] == 0) {
			dst[code] = (uint8_t)(i + 1 - code);
			code = i + 1;
		}
	}
	dst[code] = (uint8_t)(n + 1 - code);
	return n + 1;
}

size_t wsn_cobs_decode(uint8_t *dst, const uint8_t *src, size_t n)
{
	size_t at = 0;

	if (n < 2 || n > WSN_BLOCK_MAX + 1)
		return 0;
	while (at < n) {
		size_t next = at + src[at];

		if (next == at || next > n)
			return 0;
		memcpy(dst + at, src + at + 1, next - at - 1);
		if (next < n)
			dst[next - 1] = 0;
		at = next;
	}
	return n - 1;
}

size_t wsn_unwrap(const struct wsn_crc_steps *steps, uint8_t *dst, const uint8_t *src, size_t n)
{
	size_t len = wsn_cobs_decode(dst, src, n);
	uint16_t crc;

	if (len < 4)
		return 0;
	len -= 2;
	crc = steps ? wsn_crc_fast(steps, dst, len) : wsn_crc(dst, len);
	return crc == (dst[len] | dst[len + 1] << 8) ? len : 0;
}

size_t wsn_wrap(uint8_t *dst, uint8_t *block, size_t n)
{
	uint16_t crc = wsn_crc(block, n);
	size_t coded;

	block[n] = (uint8_t)crc;
	block[n + 1] = (uint8_t)(crc >> 8);
	dst[0] = 0;
	coded = wsn_cobs_encode(dst + 1, block, n + 2);
	dst[coded + 1] = 0;
	return coded + 2;
}

/* Bytes of a command's argument. */
static size_t arg_size(enum wsn_type type)
{
	switch (type) {
	case WSN_HZ:
	case WSN_PERIOD:
		return 2;
	case WSN_SELECT:
		return 1;
	default:
		return 0;
	}
}

size_t wsn_command(uint8_t *dst, enum wsn_type type, uint8_t seq, uint16_t arg)
{
	uint8_t block[WSN_COMMAND_MAX];
	size_t n = 2 + arg_size(type);

	if (type < WSN_START || type > WSN_REPORT)
		return 0;
	block[0] = (uint8_t)type;
	block[1] = seq;
	block[2] = (uint8_t)arg;
	block[3] = (uint8_t)(arg >> 8);
	return wsn_wrap(dst, block, n);
}

size_t wsn_command_length(const uint8_t *data, size_t n)
{
	const uint8_t *end = n > 1 && !data[0] ? memchr(data + 1, 0, n - 1) : NULL;
	size_t size = end ? (size_t)(end + 1 - data) : 0;
	uint8_t block[WSN_COMMAND_MAX] = { 0 }, again[WSN_COMMAND_MAX];
	uint16_t arg;

	if (size < 3 || size > WSN_COMMAND_MAX || !wsn_cobs_decode(block, data + 1, size - 2))
		return 0;
	/* What is written again from its parts is the same: its check, its length, all of it. */
	arg = (uint16_t)(block[2] | block[3] << 8);
	return wsn_command(again, block[0], block[1], arg) == size &&
	       memcmp(again, data, size) == 0 ? size : 0;
}
