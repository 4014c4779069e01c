/*
 * gdb: any answers, or (8) well-formed ones in any order, in any pieces, at any time: nothing but
 * DEMCR and DWT_CTRL is ever written, and a target that stands for us goes on when nobody asks any
 * more. The first byte: the pieces, whether stops are allowed (1), whether there is an image (2);
 * then something is watched, and from the middle on something else. The same bytes are read as
 * those of a recording, too: in any pieces they tell the same, and nothing is kept of them.
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

static const struct wire_watchpoint points[] = {
	{ .kind = WATCH_VALUE, .note = 1, .address = 0x20000000, .size = 4, .access = WATCH_WRITES,
	  .reading = { .bytes = 4 } },
	{ .kind = WATCH_CALL, .note = 2, .address = 0x8000100, .size = 16 },
	{ .kind = WATCH_VALUE, .note = 3, .address = 0x20000010, .size = 64,
	  .access = WATCH_READS },
	{ .kind = WATCH_HANDLER, .note = 4, .number = WATCH_ALL_HANDLERS },
	{ .kind = WATCH_CALL, .note = 5, .address = 0x0, .size = 16 },
};

/* Blocks of it are asked for, and it is watched. */
static void code_give(struct gdb_server *s)
{
	static const uint32_t handlers[12] = { [3] = 0x8000200, [9] = 0x8000300,
					       [11] = 0x8000200 };
	static uint8_t flags[8192];
	static const struct codemap code = {
		.arch = CODE_ARM, .base = 0x8000000, .size = 2 * sizeof(flags), .flags = flags,
		.handlers = handlers, .handler_count = 12, .faults = 8,
	};

	memset(flags, CODE_TEXT, sizeof(flags));
	wire_set_code(s->wire, &code);
	wire_watch(s->wire, points, sizeof(points) / sizeof(points[0]));
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

/* Each byte is an answer, with a PC, a stack pointer and a return address of a few. */
static void answer_say(struct gdb_server *s, uint8_t byte)
{
	static const char *const answers[] = {
		"OK", "OK", "OK", "T05", "T05watch:20000000;", "T02thread:01;",
		"T05rwatch:20000012;", "00000001", "00010000", "", "E01", "0302000001000000",
		"0c00", "PacketSize=4000;QStartNoAckMode+", "PacketSize=4000;multiprocess+",
	};
	static const uint32_t pcs[] = { 0x8000100, 0x8000102, 0x8000200, 0x8000300, 0x203, 0 };
	char registers[17 * 8 + 1];

	if (byte % 2 == 0) {
		gdb_say(s, answers[byte / 2 % (sizeof(answers) / sizeof(answers[0]))]);
		return;
	}
	memset(registers, '0', sizeof(registers) - 1);
	gdb_hex(registers + 13 * 8, 0x20001000 + byte / 64 * 16u);
	gdb_hex(registers + 14 * 8, byte & 32 ? 0xfffffff9 : 0x8000203);
	gdb_hex(registers + 15 * 8, pcs[byte / 2 % (sizeof(pcs) / sizeof(pcs[0]))]);
	gdb_hex(registers + 16 * 8, byte & 32 ? 15 : 0);
	gdb_say(s, registers);
}

static void on_event(void *ctx, const struct wire_event *events, size_t n)
{
	uint64_t *sum = ctx;

	for (size_t i = 0; i < n; i++)
		*sum = *sum * 31 + events[i].kind + events[i].ticks + (uint64_t)events[i].value +
		       events[i].address;
}

static void on_watching(void *ctx, const struct wire_watching *w)
{
	uint64_t *sum = ctx;

	if (w->count > WIRE_WATCHES)
		abort();
	for (size_t i = 0; i < w->count; i++)
		*sum = *sum * 31 + w->of[i].note + w->of[i].way;
}

/* What a recording of these bytes tells, as a sum. */
static uint64_t recorded_sum(const uint8_t *data, size_t n, size_t piece)
{
	uint64_t sum = 0;
	const struct wire_options o = { .recorded = true };
	const struct wire_sink sink = { .ctx = &sum, .events = on_event, .watching = on_watching };
	struct wire_out out = { .room = WIRE_OUT_MAX };
	struct wire *w = wire_new("gdb", &o, &sink, NULL);

	if (!w)
		abort();
	for (size_t at = 0; at < n; at += piece) {
		wire_feed(w, data + at, piece < n - at ? piece : n - at);
		wire_keep(w, &out);
	}
	wire_flush(w, true);
	wire_down(w);
	wire_keep(w, &out);
	if (out.count)
		abort();
	wire_free(w);
	return sum;
}

static void piece_feed(struct gdb_server *s, uint8_t mode, const uint8_t *p, size_t n)
{
	if (mode & 8)
		answer_say(s, *p);
	else
		wire_feed(s->wire, p, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct gdb_server server;	/* again for each input: it is large */
	static struct wire_out out;
	struct gdb_server *s = &server;
	uint64_t sum;
	size_t piece = n && !(data[0] & 8) ? data[0] / 4 + 1u : 1;

	gdb_server_begin(s, (struct wire_options){
		.hz = 1000, .stop_hz = n && data[0] & 1 ? 100 : 0,
	});
	if (n && data[0] & 2)
		code_give(s);
	for (size_t at = 1; at < n; at += piece) {
		out.room = WIRE_OUT_MAX;
		out.count = 0;
		wire_ask(s->wire, s->now, &out);
		question_check(&out);
		piece_feed(s, data[0], data + at, piece < n - at ? piece : n - at);
		s->now += data[at] % 16 ? 1000000 : CLOCK_SECOND;
		if (data[at] == 0xff)
			wire_down(s->wire);
		if (at <= n / 2 && at + piece > n / 2)
			wire_watch(s->wire, points + 1, data[0] & 4 ? 3 : 0);
		(void)wire_timeout(s->wire, s->now);
	}
	sum = recorded_sum(data, n, 7);
	if (recorded_sum(data, n, 1) != sum || recorded_sum(data, n, n + 1) != sum)
		abort();
	leave_check(s, data, n);
	wire_flush(s->wire, true);
	gdb_server_end(s);
	return 0;
}
