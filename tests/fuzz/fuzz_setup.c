/*
 * setup: any answers to SWO's set-up, in any pieces, at any time: nothing but debug registers and
 * the pins of the chip named are ever written. The first byte: the size of the pieces; the second:
 * which chip, whether the clock is known, and whether a gdb server answers.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void setup_hear(void *ctx, const struct wire_setup *setup)
{
	*(size_t *)ctx += strlen(setup->wrong) + setup->over;
}

/* Packets of gdb's protocol: M, m, what greets, and acknowledgements. */
static void packet_check(const struct wire_out *out)
{
	static const char *const allowed[] = { "$Me000", "$Me004", "$M5c00", "$M4000055c", "$m",
					       "$qSupported", "$?", "$c#63" };
	size_t i = 0, at = 0;

	while (at < out->count && (out->bytes[at] == '+' || out->bytes[at] == '-'))
		at++;
	if (at == out->count)
		return;
	while (i < 8 && (out->count - at < strlen(allowed[i]) ||
			 memcmp(out->bytes + at, allowed[i], strlen(allowed[i])) != 0))
		i++;
	if (i == 8)
		abort();
}

static void write_check(const struct wire_out *out)
{
	static const char *const allowed[] = { "0xe000", "0xe004", "0x5c00", "0x4000055c" };
	size_t i = 0;

	if (out->count && out->bytes[out->count - 1] != 0x1a)
		abort();
	if (out->count < 24 || memcmp(out->bytes, "write_memory ", 13) != 0)
		return;
	while (i < 4 && memcmp(out->bytes + 13, allowed[i], strlen(allowed[i])) != 0)
		i++;
	if (i == 4)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const chips[] = { NULL, "stm32", "stm32h7", "nrf52" };
	size_t piece = n ? data[0] % 64 + 1u : 1, heard = 0;
	uint64_t now = CLOCK_SECOND;
	struct wire_sink sink = { .ctx = &heard, .setup = setup_hear };
	struct wire_options o = {
		.clock_hz = n > 1 && data[1] & 4 ? 72000000 : 0,
		.chip = n > 1 ? chips[data[1] & 3] : NULL,
	};
	bool gdb = n > 1 && data[1] & 8;
	struct wire *w = wire_new(gdb ? WIRE_SETUP_GDB : WIRE_SETUP, &o, &sink, NULL);

	if (!w)
		abort();
	for (size_t at = 2; at < n; at += piece) {
		struct wire_out out = { .room = WIRE_OUT_MAX };

		wire_ask(w, now, &out);
		(gdb ? packet_check : write_check)(&out);
		wire_feed(w, data + at, piece < n - at ? piece : n - at);
		now += data[at] % 16 ? 1000000 : CLOCK_SECOND;
		if (data[at] == 0xff)
			wire_down(w);
		(void)wire_timeout(w, now);
	}
	wire_flush(w, true);
	wire_leave(w, true, &(struct wire_out){ .room = WIRE_OUT_MAX });
	wire_free(w);
	return 0;
}
