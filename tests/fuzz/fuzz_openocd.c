/*
 * openocd: any answers, in any pieces, at any time: nothing but what its set-up writes is ever
 * written. The first byte: the size of the pieces, whether there is an image (0x40), whether
 * nobody asks (0x80: a recording); each piece is an answer's part, after an ask.
 */
#include "tests/unit/openocd_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void question_check(const struct wire_out *out)
{
	if (out->count && out->bytes[out->count - 1] != 0x1a)
		abort();
	if (out->count > 12 && !memcmp(out->bytes, "write_memory", 12) &&
	    memcmp(out->bytes + 13, "0xe000edfc", 10) != 0 &&
	    memcmp(out->bytes + 13, "0xe0001000", 10) != 0)
		abort();
}

/* Blocks of it are asked for. */
static void code_give(struct server *s)
{
	static uint8_t flags[SERVER_MEMORY / 2];
	static const struct codemap code = {
		.arch = CODE_ARM, .base = SERVER_BASE, .size = SERVER_MEMORY, .flags = flags,
	};

	memset(flags, CODE_TEXT, sizeof(flags));
	wire_set_code(s->wire, &code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct wire_watchpoint points[] = {
		{ .kind = WATCH_VALUE, .note = 1, .address = 0x20000100, .size = 4,
		  .reading.bytes = 4 },
		{ .kind = WATCH_VALUE, .note = 2, .address = 0x20000105, .size = 8,
		  .reading = { .bytes = 8, .is_state = true } },
	};
	static struct server server;	/* again for each input: it is large */
	struct server *s = &server;
	size_t piece = n ? data[0] % 64 + 1u : 1;

	server_begin(s, 1000);
	wire_watch(s->wire, points, 2);
	if (n && data[0] & 0x40)
		code_give(s);
	for (size_t at = 1; at < n; at += piece) {
		struct wire_out out = { .room = WIRE_OUT_MAX };

		if (!(data[0] & 0x80))
			wire_ask(s->wire, s->now, &out);
		question_check(&out);
		wire_feed(s->wire, data + at, piece < n - at ? piece : n - at);
		s->now += data[at] % 16 ? 1000000 : CLOCK_SECOND;
		if (data[at] == 0xff)
			wire_down(s->wire);
		(void)wire_timeout(s->wire, s->now);
	}
	wire_flush(s->wire, true);
	if (s->identity.block_count > WIRE_BLOCKS)
		abort();
	server_end(s);
	return 0;
}
