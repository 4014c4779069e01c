/* ppk2: any bytes, any split, the same samples. The first byte: the length of the pieces. */
#include "tests/fuzz/meter_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct wire_meter_options options = { .volts = n && data[0] & 0x80 ? 3.3 : 0 };

	if (n >= 2)
		meter_twice("ppk2", &options, data + 1, n - 1, (data[0] & 0x7f) + 1u);
	return 0;
}
