/*
 * gdb: any answers, in any pieces, at any time: nothing but DEMCR and DWT_CTRL is ever written, and
 * a target that stands for us goes on when nobody asks any more. The first byte: the pieces,
 * whether stops are allowed (1), whether there is an image (2).
 */
#include "tests/unit/gdb_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void question_check(const struct wire_out *out)
{
	for (size_t i = 0; i + 12 < out->count; i++)
		if (out->bytes[i] == '$' && out->bytes[i + 1] == 'M' &&
		    memcmp(out->bytes + i + 2, "e000edfc", 8) != 0 &&
		    memcmp(out->bytes + i + 2, "e0001000", 8) != 0)
			abort();
}

/* Blocks of it are asked for. */
static void code_give(struct gdb_server *s)
{
	static uint8_t flags[8192];
	static const struct codemap code = {
		.arch = CODE_ARM, .base = 0x8000000, .size = 2 * sizeof(flags), .flags = flags,
	};

	memset(flags, CODE_TEXT, sizeof(flags));
	wire_set_code(s->wire, &code);
}

/* Whatever comes then is no sample any more, and without time it is left at once. */
static void leave_check(struct gdb_server *s, const uint8_t *data, size_t n)
{
	struct wire_out out = { .room = WIRE_OUT_MAX }, last = { .room = WIRE_OUT_MAX };
	uint64_t pcs = s->pcs, asleeps = s->asleeps;

	if (!wire_leave(s->wire, false, &out) && n)
		wire_feed(s->wire, data, n);
	if (!wire_leave(s->wire, true, &last) || s->pcs != pcs || s->asleeps != asleeps)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct gdb_server *s = gdb_server_new(1000, n && data[0] & 1 ? 100 : 0);
	size_t piece = n ? data[0] / 4 + 1u : 1;

	if (n && data[0] & 2)
		code_give(s);
	for (size_t at = 1; at < n; at += piece) {
		struct wire_out out = { .room = WIRE_OUT_MAX };

		wire_ask(s->wire, s->now, &out);
		question_check(&out);
		wire_feed(s->wire, data + at, piece < n - at ? piece : n - at);
		s->now += data[at] % 16 ? 1000000 : CLOCK_SECOND;
		if (data[at] == 0xff)
			wire_down(s->wire);
		(void)wire_timeout(s->wire, s->now);
	}
	leave_check(s, data, n);
	wire_flush(s->wire, true);
	gdb_server_free(s);
	return 0;
}
