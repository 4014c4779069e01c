/*
 * fuzz_trace_bits: any bytes as TRACE frames of encodings 3 to 6, with any codes and programs: none
 * crashes, and what was told can be walked. The first byte says which, and how many codes of two
 * bytes follow; of 6, the byte behind it how many operations of 12 bytes. Then a byte how long the
 * next frame is, the two behind it its lane, depth and number.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/image/traced_flow.h"
#include "core/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A call told a hundred times over in a hundred calls is a million: as many are looked at. */
enum { EVENTS = 20000, FUNCTIONS = 16, CODES = 63, MAP_RECORD = 8, OP_RECORD = 12, FLOW = 0xff };

/* Words of return addresses. */
static const uint32_t places[FUNCTIONS] = { 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 1 << 15,
					    1 << 21, UINT32_MAX };

/* The functions are at 2, 4, ..; of each second the second entry is a byte behind it. */
static void programs_make(struct traced *t, const uint8_t *flow, size_t size)
{
	uint8_t map[2 * FUNCTIONS * MAP_RECORD] = { 0 };

	for (uint8_t i = 0; i < 2 * FUNCTIONS; i++) {
		map[i * MAP_RECORD] = i;
		map[i * MAP_RECORD + 4] = i / 2;
	}
	traced_flow_read(t, &(struct elf){ .big_data = false }, map, sizeof(map), flow, size);
}

static void frame_feed(struct trace *t, const uint8_t *data, size_t n, uint8_t where,
		       uint8_t number)
{
	trace_frame(t, &(struct wire_trace){
		.lane = where & 3, .number = number, .time = (uint32_t)number << (where & 24),
		.untold = number, .depth = where >> 4, .resync = where & 4,
		.stack = where & 8 ? places : NULL,
		.tokens = data, .count = n,
	});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t addresses[FUNCTIONS];
	static uint8_t flags[FUNCTIONS] = { [3] = 1, [5] = 1, [7] = 1, [9] = 1 };
	struct traced_code codes[CODES];
	struct traced traced = { .addresses = addresses, .flags = flags, .count = FUNCTIONS,
				 .codes = codes };
	uint8_t kind = size ? *data++ : 0;
	struct trace *t = trace_new();
	struct trace_merge *m;
	struct trace_event e;

	if (!t)
		abort();
	size -= size > 0;
	for (; kind != FLOW && traced.code_count < kind / 4u && size > 1; data += 2, size -= 2) {
		uint8_t length = 1 + data[0] / 16 % 7;

		codes[traced.code_count] = (struct traced_code){
			.from = 1 + (uint32_t)traced.code_count / 5, .length = length,
			.to = data[0] % 16 ? data[0] % 16 : TRACED_RETURN,
			.bits = data[1] & ((1 << length) - 1),
		};
		traced.code_count++;
	}
	if (kind == FLOW && size) {
		size_t ops = 1 + data[0] % 64;

		data++;
		size--;
		ops = ops * OP_RECORD < size ? ops : size / OP_RECORD;
		programs_make(&traced, data, ops * OP_RECORD);
		data += ops * OP_RECORD;
		size -= ops * OP_RECORD;
	}
	trace_setup(t, &(struct wire_tracing){
			.encoding = kind == FLOW ? 6 : 3 + kind % 3, .slots = kind / 16 },
		    1000000);
	trace_traced(t, &traced);
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
	for (size_t i = 0; i < FUNCTIONS; i++)
		flags[i] &= (uint8_t)~TRACED_CALLED;
	mem_free(traced.ops);
	mem_free(traced.programs);
	mem_free(traced.places);
	return 0;
}
