/* gprof-hex: any bytes, any split, the same events. */
#include "tests/fuzz/gprof_twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	decode_twice("gprof-hex", data, n);
	return 0;
}
