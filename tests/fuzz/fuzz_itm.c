/*
 * itm: any bytes, any split, the same events. The first byte: bit 0 an image, the rest the length
 * of the pieces.
 */
#include "tests/unit/itm_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static uint8_t flags[2048];
	static const struct codemap map = { .arch = CODE_ARM, .base = 0x08000000, .size = 4096,
					    .flags = flags };
	struct itm_heard whole, parts;

	if (n < 2)
		return 0;
	memset(flags, CODE_TEXT, sizeof(flags));
	itm_hear(&whole, data[0] & 1 ? &map : NULL, data + 1, n - 1, n);
	itm_hear(&parts, data[0] & 1 ? &map : NULL, data + 1, n - 1, (data[0] >> 1) + 1u);
	if (memcmp(&whole, &parts, sizeof(whole)) != 0)
		abort();
	return 0;
}
