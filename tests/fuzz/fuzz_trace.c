/*
 * fuzz_trace: any bytes as TRACE frames: none crashes, and what was told can be walked. A byte says
 * how long the next frame is, the two behind it its lane, depth and number. The last byte of all
 * tells the encoding.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A call told a hundred times over in a hundred calls is a million: as many are looked at. */
enum { EVENTS = 20000 };

static void frame_feed(struct trace *t, const uint8_t *data, size_t n, uint8_t where,
		       uint8_t number)
{
	static const uint32_t stack[16] = { 1, 2, 3, 4 };

	trace_frame(t, &(struct wire_trace){
		.lane = where & 3, .number = number, .time = (uint32_t)number << (where & 24),
		.untold = number, .depth = where >> 4, .resync = where == 0x4f, .packed = where & 2,
		.stack = where & 4 ? stack : NULL, .tokens = data, .count = n,
	});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace *t = trace_new();
	struct trace_merge *m;
	struct trace_event e;

	if (!t)
		abort();
	trace_setup(t, &(struct wire_tracing){
		.encoding = size && data[size - 1] & 1 ? 2 : 1, .stamp_shift = 3,
	}, 1000000);
	while (size > 3) {
		size_t n = data[0] < size - 3 ? data[0] : size - 3;

		frame_feed(t, data + 3, n, data[1], data[2]);
		data += 3 + n;
		size -= 3 + n;
	}
	trace_account(t);
	m = trace_merge_new(t);
	if (!m)
		abort();
	for (unsigned i = 0; i < EVENTS && trace_merge_next(m, &e); i++) {
		if (e.lane >= TRACE_LANES || e.kind > TRACE_AWAY)
			abort();
	}
	trace_merge_free(m);
	trace_free(t);
	return 0;
}
