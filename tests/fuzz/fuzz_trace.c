/*
 * fuzz_trace: any bytes as TRACE frames: none crashes, and what was told can be walked. A byte says
 * how long the next frame is, the two behind it its lane, depth and number. The last byte of all
 * tells the encoding, and whether the account follows frame by frame, old parts are let go or an
 * epoch begins. All that a trace is asked is asked.
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/trace/state.h"
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

static void lane_ask(const struct trace *t, unsigned lane, uint64_t end)
{
	struct trace_walk *w = trace_walk_new(t, lane);
	struct trace_event e;

	if (!w)
		abort();
	trace_calls_until(t, lane, end / 2);
	trace_busy_until(t, lane, end / 2);
	trace_lost_until(t, lane, end / 2);
	trace_lane_is_shared(t, lane);
	trace_lane_told(t, lane);
	for (size_t i = 0; i < trace_places(t, lane) && i < 50; i++)
		trace_place_before(t, lane, trace_place(t, lane, i).ticks);
	trace_walk_only(w, trace_id_bit(1) | trace_id_bit(3));
	trace_walk_seek(w, end / 2, 1 << (end & 15));
	for (unsigned i = 0; i < 100 && trace_walk_next(w, &e); i++)
		;
	trace_walk_free(w);
}

static void trace_ask(struct trace *t)
{
	struct trace_edge longest;
	struct trace_stats stats;
	uint64_t begin = 0, end = 0;
	size_t count;

	trace_stats(t, &stats);
	trace_span(t, &begin, &end);
	for (unsigned lane = 0; lane < 4; lane++)
		lane_ask(t, lane, end);
	trace_edges(t, &count);
	trace_paths(t, &count);
	for (uint32_t id = 0; id < 8; id++)
		trace_longest(t, id, &longest);
	trace_is_empty(t);
	trace_memory(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace *t = trace_new();
	struct trace_merge *m;
	struct trace_event e;
	uint64_t begin, end, newest[TRACE_LANES] = { 0 };
	uint8_t ways = size ? data[size - 1] : 0;

	if (!t)
		abort();
	trace_setup(t, &(struct wire_tracing){
		.encoding = ways & 1 ? 2 : ways & 32 ? 8 : 1, .stamp_shift = 3,
	}, 1000000);
	while (size > 3) {
		size_t n = data[0] < size - 3 ? data[0] : size - 3;

		frame_feed(t, data + 3, n, data[1], data[2]);
		data += 3 + n;
		size -= 3 + n;
		if (ways & 8)
			trace_account_live(t);
		if (ways & 4 && trace_span(t, &begin, &end))
			trace_forget_before(t, (begin + end) / 2);
	}
	if (ways & 16)
		trace_epoch(t);
	trace_account(t);
	trace_ask(t);
	m = trace_merge_new(t);
	if (!m)
		abort();
	for (unsigned i = 0; i < EVENTS && trace_merge_next(m, &e); i++) {
		if (e.lane >= TRACE_LANES || e.kind > TRACE_AWAY)
			abort();
		if (e.kind == TRACE_LOST || e.kind == TRACE_HELD || e.time == TRACE_TIME_UNKNOWN)
			newest[e.lane] = 0;
		else if (e.ticks < newest[e.lane])
			abort();	/* no event is before the one before it */
		else
			newest[e.lane] = e.ticks;
	}
	trace_merge_free(m);
	trace_free(t);
	return 0;
}
