/*
 * trace_made: a recording of a node that sends a call trace, for the screen's tests: always the
 * same.
 *
 *	trace_made FILE.rec [SECONDS [marks|forget]]
 *
 * A main loop with tasks each 4 to 20 ms, a timer's handler each 4 ms, a task of its own (net),
 * idle between; now and then a call three times as long, a box, and a lost frame. With marks, a
 * mark, a value and a state between tasks, too. With forget, lanes begin new tables now and then,
 * as nodes do. Names: tests/screen/traced.s.
 */
#include <stdio.h>

#include "core/base/varint.h"
#include "core/link/record.h"
#include "core/wire/wsn/wsn.h"
#include "tests/unit/trace_made.h"

enum function {
	SAMPLE_TASK = 1, ADC_READ, SMOOTH, PUT_SAMPLE, BUNDLE_TASK, BUNDLE_WRITE, CRC16, PUT_VAR,
	LINK_SEND, POOL_GET, COPY_BYTES, CHECKSUM, QUEUE_PUSH, LINK_POLL, FRAME_RECEIVE,
	FRAME_CHECK, DELIVER, FIB_TASK, FIB, TIMER_TICK, UART_SENT, TCP_POLL, ACK_SEND, RETRANSMIT,
};

enum { LANE_MAIN, LANE_HANDLERS, LANE_NET, LANES };
enum { HZ = 1000000, TIMER = 4000, LINE_DELAY = 600, FLUSH = 200000, HELLO = 49, LOST = 90,
       FORGET_ROUNDS = 256 };

static struct node lanes[LANES];
static uint64_t now, timer_due = TIMER, flush_due = FLUSH;	/* ticks: microseconds */
static uint8_t sequence;
static bool marks, forgets;
static FILE *out;

/* Where traced.s has their names; the last is the end of another. */
enum { MARK_SAMPLED = 1, VALUE_QUEUE = 9, STATE_RADIO = 21 };

/* --- the recording ---------------------------------------------------------------------------- */

static void bytes_keep(const void *data, size_t n)
{
	static uint8_t chunk[RECORD_CHUNK_MAX];

	fwrite(chunk, 1, record_chunk(chunk, (now + LINE_DELAY) * 1000, data, n), out);
}

static void frame_keep(enum wsn_type type, const uint8_t *body, size_t n)
{
	uint8_t plain[WSN_BLOCK_MAX] = { (uint8_t)(type | 1 << 5), sequence++ };
	uint8_t coded[WSN_FRAME_MAX];

	memcpy(plain + 2, body, n);
	bytes_keep(coded, wsn_wrap(coded, plain, n + 2));
}

static void text_keep(const char *text)
{
	bytes_keep(text, strlen(text));
}

static void node_hello(void)
{
	static const uint8_t tracing[] = { 1, UNIT_SHIFT, 0x80, 0x01, LANES };
	static const uint8_t status[] = { 0 };
	uint8_t body[HELLO] = { WSN_VERSION, WSN_ARCH_AVR };
	unsigned features = WSN_F_TRACE | WSN_F_RUNNING;

	body[2] = (uint8_t)features;
	body[3] = (uint8_t)(features >> 8);
	body[4] = 1;
	body[6] = (uint8_t)HZ;
	body[7] = (uint8_t)(HZ >> 8);
	body[8] = HZ >> 16;
	body[34] = 1;
	frame_keep(WSN_HELLO, body, sizeof(body));
	frame_keep(WSN_NAME, (const uint8_t *)"mote 7", 6);
	frame_keep(WSN_TRACING, tracing, sizeof(tracing));
	frame_keep(WSN_STATUS, status, sizeof(status));
}

static void trace_keep(const struct wire_trace *f)
{
	static unsigned frames;
	uint8_t body[WSN_BLOCK_MAX], *p = body;

	if (f->lane == LANE_MAIN && ++frames % LOST == 0) {
		sequence++;
		return;
	}
	*p++ = (uint8_t)(f->lane | (f->stack ? 0x10 : 0));
	*p++ = f->number;
	for (unsigned i = 0; i < 32; i += 8)
		*p++ = (uint8_t)(f->time >> i);
	p += varint_put(p, f->untold);
	p += varint_put(p, f->depth);
	for (uint32_t i = 0; f->stack && i < f->depth; i++)
		p += varint_put(p, f->stack[i]);
	memcpy(p, f->tokens, f->count);
	frame_keep(WSN_TRACE, body, (size_t)(p - body) + f->count);
}

/* --- time ------------------------------------------------------------------------------------- */

static void lane_send(struct node *n, size_t more_than)
{
	n->ticks = now;
	while (n->count > more_than)
		node_send(n);
}

static void handler_run(void)
{
	struct node *n = &lanes[LANE_HANDLERS];
	static unsigned runs;

	n->ticks = timer_due;
	node_leaf_of(n, TIMER_TICK, 24);
	if (++runs % 5 == 0)
		node_leaf_of(n, UART_SENT, 56);
	now += n->ticks - timer_due;
}

static void time_spend(unsigned ticks)
{
	now += ticks;
	for (; timer_due <= now; timer_due += TIMER)
		handler_run();
}

static void call_enter(unsigned lane, enum function id)
{
	lanes[lane].ticks = now;
	node_enter(&lanes[lane], id);
	time_spend(12);
}

static void call_leave(unsigned lane)
{
	time_spend(12);
	lanes[lane].ticks = now;
	node_exit(&lanes[lane]);
}

static void call_leaf(unsigned lane, enum function id, unsigned ticks)
{
	lanes[lane].ticks = now;
	node_leaf_of(&lanes[lane], id, ticks);
	time_spend(ticks);
}

/* --- the program ------------------------------------------------------------------------------ */

static void sample_task(unsigned round)
{
	char line[32];

	call_enter(LANE_MAIN, SAMPLE_TASK);
	call_leaf(LANE_MAIN, ADC_READ, 110);
	call_enter(LANE_MAIN, SMOOTH);
	for (unsigned i = 0; i < 4; i++)
		call_leaf(LANE_MAIN, PUT_VAR, 40);
	call_leave(LANE_MAIN);
	call_leaf(LANE_MAIN, PUT_SAMPLE, 90);
	call_leave(LANE_MAIN);
	snprintf(line, sizeof(line), "sample %u\n", round);
	if (round % 8 == 0)
		text_keep(line);
}

/* Now and then a frame goes out three times. */
static void link_send(unsigned round)
{
	call_enter(LANE_MAIN, LINK_SEND);
	for (unsigned i = 0; i < (round % 17 == 0 ? 3 : 1); i++) {
		call_leaf(LANE_MAIN, POOL_GET, 60);
		call_leaf(LANE_MAIN, COPY_BYTES, 150);
		call_leaf(LANE_MAIN, CHECKSUM, 130);
		call_leaf(LANE_MAIN, QUEUE_PUSH, 70);
	}
	call_leave(LANE_MAIN);
}

static void bundle_task(unsigned round)
{
	call_enter(LANE_MAIN, BUNDLE_TASK);
	call_enter(LANE_MAIN, BUNDLE_WRITE);
	for (unsigned i = 0; i < 3 + round % 2; i++) {
		call_enter(LANE_MAIN, CRC16);
		call_leaf(LANE_MAIN, PUT_VAR, 70);
		call_leave(LANE_MAIN);
	}
	call_leave(LANE_MAIN);
	link_send(round);
	call_leave(LANE_MAIN);
}

static void link_poll(unsigned round)
{
	call_enter(LANE_MAIN, LINK_POLL);
	for (unsigned i = 0; i < round % 3; i++) {
		call_enter(LANE_MAIN, FRAME_RECEIVE);
		call_leaf(LANE_MAIN, FRAME_CHECK, 160);
		call_leaf(LANE_MAIN, DELIVER, 80);
		call_leave(LANE_MAIN);
	}
	call_leave(LANE_MAIN);
	if (round % 40 == 3)
		text_keep("link: 4 frames\n");
}

static void fib_task(unsigned round)
{
	call_enter(LANE_MAIN, FIB_TASK);
	if (round % 4 == 0) {
		node_box(&lanes[LANE_MAIN], FIB, 465, 3200);
		time_spend(3200);
	} else {
		call_leaf(LANE_MAIN, FIB, 90);
	}
	call_leave(LANE_MAIN);
}

static void net_task(unsigned round)
{
	call_enter(LANE_NET, TCP_POLL);
	call_leaf(LANE_NET, COPY_BYTES, 120);
	call_leaf(LANE_NET, round % 15 == 5 ? RETRANSMIT : ACK_SEND, round % 15 == 5 ? 1400 : 200);
	call_leave(LANE_NET);
}

/* VALUE is in zigzag: -3 to 3. */
static void round_mark(unsigned round)
{
	lanes[LANE_MAIN].ticks = now;
	node_put(&lanes[LANE_MAIN], (uint8_t[]){ 0xff, 4, MARK_SAMPLED }, 3);
	node_put(&lanes[LANE_MAIN], (uint8_t[]){ 0xff, 5, VALUE_QUEUE, (uint8_t)(round % 7) }, 4);
	node_put(&lanes[LANE_MAIN], (uint8_t[]){ 0xff, 6, STATE_RADIO, (uint8_t)(round % 3) }, 4);
}

static void round_run(unsigned round)
{
	sample_task(round);
	if (marks)
		round_mark(round);
	time_spend(60);
	if (round % 2)
		bundle_task(round);
	if (round % 3 == 0)
		link_poll(round);
	if (round % 5 == 0)
		fib_task(round);
	time_spend(300);
	if (round % 4 == 1)
		net_task(round);
	for (unsigned i = 0; i < LANES; i++)
		lane_send(&lanes[i], now >= flush_due ? 0 : FRAME);
	flush_due = now >= flush_due ? now + FLUSH : flush_due;
	time_spend(4000 + node_random(&lanes[LANE_MAIN], 13) * 1000);
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 20, round = 0;
	uint8_t header[RECORD_HEADER];
	uint64_t hello_due = 0;

	marks = argc > 3 && strcmp(argv[3], "marks") == 0;
	forgets = argc > 3 && !marks;
	out = argc > 1 ? fopen(argv[1], "wb") : NULL;
	if (!out) {
		fprintf(stderr, "usage: trace_made FILE.rec [SECONDS [marks|forget]]\n");
		return 2;
	}
	record_header(header, UINT64_C(1767268800) * 1000000000);
	fwrite(header, 1, sizeof(header), out);
	for (unsigned i = 0; i < LANES; i++) {
		node_begin(&lanes[i], i + 1, 0);
		lanes[i].send = trace_keep;
		lanes[i].lane = (uint8_t)i;
	}
	while (now < (uint64_t)seconds * HZ) {
		for (unsigned i = 0; i < LANES && forgets && round % FORGET_ROUNDS == 0; i++)
			node_forget(&lanes[i]);
		if (now >= hello_due) {
			node_hello();
			hello_due += HZ;
		}
		round_run(round++);
	}
	for (unsigned i = 0; i < LANES; i++)
		lane_send(&lanes[i], 0);
	return fclose(out) ? 1 : 0;
}
