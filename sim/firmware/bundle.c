/*
 * bundle:  | source | sequence | created | length | payload ... | CRC-16 |
 *            SDNV     SDNV       SDNV      1 byte
 *
 * SDNV (RFC 5050, 4.1): 7 bits a byte, most significant first, bit 7 set in all but the last.
 */
#include <string.h>

#include "app.h"

struct cursor {
	uint8_t *at;
	uint8_t left;
	bool failed;
};

static uint8_t sdnv_length(uint32_t v)
{
	uint8_t n = 1;

	while (v >>= 7)
		n++;
	return n;
}

static void sdnv_write(struct cursor *c, uint32_t v)
{
	uint8_t n = sdnv_length(v);
	uint8_t i;

	if (n > c->left) {
		c->failed = true;
		return;
	}
	for (i = n; i-- > 0; v >>= 7)
		c->at[i] = (uint8_t)(v & 0x7f) | (i == n - 1 ? 0 : 0x80);
	c->at += n;
	c->left -= n;
}

static uint32_t sdnv_read(struct cursor *c)
{
	uint32_t v = 0;
	uint8_t byte;

	do {
		if (!c->left) {
			c->failed = true;
			return 0;
		}
		byte = *c->at++;
		c->left--;
		v = v << 7 | (byte & 0x7f);
	} while (byte & 0x80);
	return v;
}

static uint16_t checksum(const uint8_t *data, uint8_t length)
{
	return crc16(data, length);
}

uint8_t bundle_write(const struct bundle *b, uint8_t *out, uint8_t size)
{
	struct cursor c = { out, size, false };
	uint16_t crc;

	sdnv_write(&c, b->source);
	sdnv_write(&c, b->sequence);
	sdnv_write(&c, b->created);
	if (c.failed || c.left < b->length + 3)
		return 0;
	*c.at++ = b->length;
	memcpy(c.at, b->payload, b->length);
	c.at += b->length;
	crc = checksum(out, (uint8_t)(c.at - out));
	*c.at++ = (uint8_t)(crc >> 8);
	*c.at++ = (uint8_t)crc;
	return (uint8_t)(c.at - out);
}

bool bundle_read(struct bundle *b, const uint8_t *in, uint8_t length)
{
	struct cursor c = { (uint8_t *)in, length, false };
	uint16_t crc;

	if (length < 6)
		return false;
	crc = (uint16_t)(in[length - 2] << 8) | in[length - 1];
	if (checksum(in, length - 2) != crc)
		return false;
	b->source = (uint16_t)sdnv_read(&c);
	b->sequence = (uint16_t)sdnv_read(&c);
	b->created = sdnv_read(&c);
	if (c.failed || c.left < 3 || *c.at != c.left - 3)
		return false;
	b->length = *c.at;
	b->payload = c.at + 1;
	return true;
}
