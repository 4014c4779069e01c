/*
 * Any bytes as code around hooks, AVR's or Thumb. The first four say where the function begins,
 * where the hooks and libgcc's prologues are, how wide the program counter is; which machine and
 * core; where data begins and ends.
 */
#include <math.h>
#include <stdint.h>

#include "core/image/calib/calib.h"
#include "core/image/calib/insn.h"
#include "core/image/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void range_check(struct calib_range r)
{
	if (!isfinite(r.low) || !isfinite(r.high) || r.low > r.high || r.high > 1e6 ||
	    r.low < -1e6)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct calib_call calls[CALIB_CALLS_MAX];
	struct elf_mode modes[] = { { size / 2, 'd' }, { size / 2 + 8, 't' } };
	struct calib_code code;
	double straight;
	int n;

	if (size < 4)
		return 0;
	code = (struct calib_code){
		.machine = data[3] & 2 ? &calib_thumb : &calib_avr,
		.bytes = data + 4, .size = size - 4, .high = size - 4,
		.low = data[0] & 0x1e, .enter = data[1] * 2u, .exit = data[2] * 2u,
		.saves_low = data[3] & 0xfcu, .saves_high = (data[3] & 0xfcu) + 40,
		.restores_low = data[3] & 0xf8u, .restores_high = (data[3] & 0xf8u) + 60,
		.wide = data[3] & 1, .thumb1 = data[3] & 1, .core = (data[0] >> 5) % 3u,
		.modes = modes, .mode_count = data[0] & 1 ? 2 : 0,
	};
	straight = calib_straight(&code);
	if (!isfinite(straight) || straight < 0)
		__builtin_trap();
	n = calib_count(&code, calls);
	if (n > CALIB_CALLS_MAX)
		__builtin_trap();
	for (int i = 0; i < n; i++) {
		range_check(calls[i].missing);
		range_check(calls[i].within);
		range_check(calls[i].beside);
	}
	return 0;
}
