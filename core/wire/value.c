/* value: bytes of memory -> the value of an event. Simulators' helpers link this alone. */
#include "core/wire/wire.h"

/* A real number is told as the bits of a double. */
static int64_t real_value(unsigned size, uint64_t raw)
{
	uint32_t low = (uint32_t)raw;
	double d = 0;
	int64_t bits;
	float f;

	if (size == sizeof(f)) {
		memcpy(&f, &low, sizeof(f));
		d = f;
	} else {
		memcpy(&d, &raw, sizeof(d));
	}
	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

int64_t wire_value(const struct wire_reading *r, const uint8_t *bytes)
{
	unsigned bits = r->bits ? r->bits : 8 * r->bytes;
	uint64_t raw = 0;

	for (unsigned i = 0; i < r->bytes; i++)
		raw = raw << 8 | bytes[r->big_endian ? i : r->bytes - 1 - i];
	if (r->is_real)
		return real_value(r->bytes, raw);
	raw >>= r->shift;
	if (bits < 64)
		raw &= (UINT64_C(1) << bits) - 1;
	if (r->is_signed && bits && bits < 64 && raw >> (bits - 1))
		raw |= ~UINT64_C(0) << bits;
	return (int64_t)raw;
}
