/*
 * meter: text of an LPM01A, lines of numbers: any bytes, any split, the same samples. The first
 * byte: bit 0 lines of numbers, the others the length of the pieces; the second one their options.
 */
#include "tests/fuzz/meter_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char separators[] = { 0, ',', ' ', ';' };
	struct wire_meter_options o = { 0 };

	if (n < 3)
		return 0;
	o.hz = data[1] & 1 ? 1000 : 0;
	o.time = data[1] >> 1 & 3;
	o.untimed = (data[1] & 7) == 1;
	o.column = data[1] >> 3 & 3;
	o.amps = data[1] & 0x20 ? 1e-6 : 0;
	o.separator = separators[data[1] >> 6];
	meter_twice(data[0] & 1 ? "text" : "lpm01a", &o, data + 2, n - 2, (data[0] >> 1) + 1u);
	return 0;
}
