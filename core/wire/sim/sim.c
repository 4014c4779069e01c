/* sim: records -> what a wsn node would tell, and its calls one by one. */
#include "core/wire/sim/sim.h"

#include <stdio.h>
#include <string.h>

#include "core/base/varint.h"
#include "core/wire/decoder.h"
#include "core/wire/wsn/wsn.h"

enum { HEAD_MAX = 1 + VARINT_MAX, EVENTS_AT_ONCE = 256, TEXT_NAME = 64, HELLO_MAX = 256 };

#define MAGIC_SIZE (sizeof(SIM_MAGIC) - 1)

struct sim {
	struct wire wire;
	bool begun;			/* the magic was read */
	bool told;			/* sink->seeing was */
	uint8_t held[HEAD_MAX + SIM_RECORD_MAX];
	size_t at, count;		/* held from `at` on, up to `count` */
	uint8_t hello[HELLO_MAX];	/* the last one's record, for who begins later */
	size_t hello_size;
	struct clock_terms clock;
	uint64_t ticks;			/* of the newest STATUS */
	uint64_t run_before;
	bool has_status;
	char name[TEXT_NAME], unit[TEXT_NAME];
	double pace;
	struct wire_watchpoint points[WIRE_WATCHES];
	size_t point_count;
	bool points_sent, points_blocked;
};

/* Reads on; once bytes are missing, all further reads give 0. */
struct body {
	const uint8_t *p, *end;
	bool cut;
};

static uint64_t body_number(struct body *b)
{
	uint64_t value = 0;
	size_t n = varint_get(b->p, (size_t)(b->end - b->p), &value);

	b->cut |= !n;
	b->p += n;
	return n ? value : 0;
}

static int64_t body_signed(struct body *b)
{
	uint64_t n = body_number(b);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

static uint32_t body_address(struct body *b)
{
	uint64_t value = body_number(b);

	b->cut |= value > UINT32_MAX;
	return (uint32_t)value;
}

static uint8_t body_byte(struct body *b)
{
	if (b->p == b->end) {
		b->cut = true;
		return 0;
	}
	return *b->p++;
}

/* What is no printable character becomes a question mark. */
static void body_text(struct body *b, char *dst, size_t size)
{
	uint64_t n = body_number(b);
	size_t k = 0;

	if (n > (uint64_t)(b->end - b->p)) {
		b->cut = true;
		n = 0;
	}
	for (; k < n && k + 1 < size; k++)
		dst[k] = b->p[k] >= ' ' && b->p[k] < 0x7f ? (char)b->p[k] : '?';
	dst[k] = '\0';
	b->p += n;
}

/* --- records ---------------------------------------------------------------------------------- */

static void seeing_give(struct sim *s)
{
	struct wire_seeing seeing = {
		.ticks_per_second = (double)s->clock.ticks_per_second, .counted = true,
	};

	if (!s->told && s->wire.sink.seeing)
		s->wire.sink.seeing(s->wire.sink.ctx, &seeing);
	s->told = true;
}

static void hello_keep(struct sim *s, const struct body *b)
{
	size_t n = (size_t)(b->end - b->p);

	s->hello_size = 0;
	if (n > HELLO_MAX - HEAD_MAX)
		return;
	s->hello[s->hello_size++] = SIM_HELLO;
	s->hello_size += varint_put(s->hello + s->hello_size, n);
	memcpy(s->hello + s->hello_size, b->p, n);
	s->hello_size += n;
}

static void hello_take(struct sim *s, struct body *b)
{
	struct wire_hello hello = {
		.name = s->name, .version = 1,
		.features = WSN_F_TIMED | WSN_F_MINMAX | WSN_F_HISTOGRAM | WSN_F_RUNNING |
			    WSN_F_ISR | WSN_F_SITES,
		.together = true,
	};
	uint64_t hz;

	hello_keep(s, b);
	hz = body_number(b);
	hello.arch = body_byte(b);
	body_text(b, s->name, sizeof(s->name));
	body_text(b, s->unit, sizeof(s->unit));
	if (b->cut || hz == 0 || hz > UINT32_MAX)
		return;
	hello.ticks_per_second = (uint32_t)hz;
	s->clock = (struct clock_terms){ .bits = 64, .ticks_per_second = hz };
	for (unsigned i = 0; i < WIRE_BUCKETS - 1; i++)
		hello.bucket_below[i] = sim_bound(hz, i);
	s->wire.when = (struct wire_when){ .clock = &s->clock, .simulated = true };
	if (s->wire.sink.hello)
		s->wire.sink.hello(s->wire.sink.ctx, &hello);
	seeing_give(s);
	s->wire.when = (struct wire_when){ .clock = NULL };
}

static void status_take(struct sim *s, struct body *b)
{
	uint64_t ticks = body_number(b), asleep = body_number(b), handlers = body_number(b);
	struct wire_status status = { .run_before = s->run_before };

	s->pace = (double)body_number(b) / 1000;
	if (b->cut || !s->clock.ticks_per_second || asleep > ticks || handlers > ticks - asleep)
		return;
	status.run = ticks - asleep - handlers;
	status.isr = handlers;
	if (!s->has_status)
		status.run_before = status.run;
	s->run_before = status.run;
	s->has_status = true;
	s->ticks = ticks;
	snprintf(s->wire.note, sizeof(s->wire.note),
		 "sim: %.40s, exact %.20s, at %.2f of real time",
		 s->name, s->unit, s->pace);
	s->wire.when = (struct wire_when){ .clock = &s->clock, .ticks = ticks,
					   .simulated = true, .counted = true };
	if (s->wire.sink.status)
		s->wire.sink.status(s->wire.sink.ctx, &status);
	s->wire.when = (struct wire_when){ .clock = NULL };
}

static struct wire_total row_read(const struct sim *s, struct body *b)
{
	struct wire_total row = {
		.kind = TOTAL_SITE, .has = TOTAL_TIMED | TOTAL_MINMAX | TOTAL_HISTOGRAM,
		.run = s->run_before,
	};

	row.flags = body_byte(b) ? ROW_HANDLER : 0;
	row.from = body_address(b);
	row.to = body_address(b);
	row.calls = body_number(b);
	row.total = body_number(b);
	row.min = body_number(b);
	row.max = body_number(b);
	for (unsigned i = 0; i < SIM_BUCKETS; i++)
		row.bucket[i] = body_number(b);
	return row;
}

static void rows_take(struct sim *s, struct body *b)
{
	uint64_t count = body_number(b);

	if (s->clock.ticks_per_second)
		s->wire.when = (struct wire_when){ .clock = &s->clock, .ticks = s->ticks,
						   .simulated = true, .counted = true };
	while (count-- && !b->cut) {
		struct wire_total row = row_read(s, b);

		if (b->cut || row.min > row.max)
			continue;
		s->wire.stats.events++;
		if (s->wire.sink.totals)
			s->wire.sink.totals(s->wire.sink.ctx, &row, 1);
	}
	s->wire.when = (struct wire_when){ .clock = NULL };
}

static struct wire_event event_read(struct body *b, uint64_t *ticks)
{
	static const enum wire_event_kind kinds[] = {
		[SIM_CALL] = EVENT_CALL, [SIM_RETURN] = EVENT_RETURN, [SIM_HANDLER] = EVENT_CALL,
		[SIM_AWAY] = EVENT_AWAY, [SIM_LOST] = EVENT_LOST, [SIM_STATE] = EVENT_STATE,
		[SIM_VALUE] = EVENT_VALUE, [SIM_MARK] = EVENT_MARK,
	};
	uint8_t head = body_byte(b);
	enum sim_event kind = head & ((1 << SIM_LANE) - 1);
	struct wire_event e = { .lane = head >> SIM_LANE & 15 };

	*ticks += body_number(b);
	e.ticks = *ticks;
	e.kind = kinds[kind];
	e.handler = kind == SIM_HANDLER;
	if (kind == SIM_CALL || kind == SIM_HANDLER)
		e.address = body_address(b);
	if (kind == SIM_AWAY)
		e.note = body_byte(b) % 16;
	if (kind == SIM_STATE || kind == SIM_VALUE || kind == SIM_MARK) {
		e.note = body_address(b);
		e.value = body_signed(b);
	}
	return e;
}

static void events_give(struct sim *s, const struct wire_event *events, size_t n)
{
	s->wire.stats.events += n;
	s->wire.when = (struct wire_when){ .clock = &s->clock, .simulated = true,
					   .ticks = events[n - 1].ticks };
	if (s->wire.sink.events)
		s->wire.sink.events(s->wire.sink.ctx, events, n);
	s->wire.when = (struct wire_when){ .clock = NULL };
}

static void events_take(struct sim *s, struct body *b)
{
	struct wire_event events[EVENTS_AT_ONCE];
	uint64_t ticks = body_number(b);
	size_t n = 0;

	if (!s->clock.ticks_per_second)
		return;
	while (b->p < b->end) {
		events[n] = event_read(b, &ticks);
		if (b->cut)
			break;
		if (++n == EVENTS_AT_ONCE) {
			events_give(s, events, n);
			n = 0;
		}
	}
	if (n)
		events_give(s, events, n);
}

static void text_take(struct sim *s, struct body *b)
{
	size_t n = (size_t)(b->end - b->p);

	s->wire.stats.text_bytes += n;
	if (n && s->wire.sink.text)
		s->wire.sink.text(s->wire.sink.ctx, (const char *)b->p, n);
	b->p = b->end;
}

static void untold_take(struct sim *s, struct body *b)
{
	s->wire.stats.lost += body_number(b);
}

static void name_take(struct sim *s, struct body *b)
{
	char name[TEXT_NAME];
	struct wire_naming naming = { .note = body_address(b), .name = name };

	uint8_t flags = body_byte(b);

	naming.of_state = flags & SIM_NAME_STATE;
	naming.is_real = flags & SIM_NAME_REAL;
	naming.state = naming.of_state ? body_signed(b) : 0;
	body_text(b, name, sizeof(name));
	if (!b->cut && *name && s->wire.sink.naming)
		s->wire.sink.naming(s->wire.sink.ctx, &naming);
}

static void watched_take(struct sim *s, struct body *b)
{
	struct wire_watching watching = { .comparators = -1, .breakpoints = -1 };
	uint64_t count = body_number(b);

	while (count-- && !b->cut && watching.count < WIRE_WATCHES) {
		struct wire_watched *w = &watching.of[watching.count];
		uint8_t way, refusal;

		w->note = body_address(b);
		way = body_byte(b);
		refusal = body_byte(b);
		w->way = way <= WATCHED_BREAKPOINT ? way : WATCHED_NOT;
		w->refusal = refusal <= REFUSED_SERVER ? refusal : REFUSED_KIND;
		watching.count += !b->cut;
	}
	if (s->wire.sink.watching)
		s->wire.sink.watching(s->wire.sink.ctx, &watching);
}

static void depths_take(struct sim *s, struct body *b)
{
	while (b->p < b->end && !b->cut) {
		struct wire_depth d = { .address = body_address(b) };

		d.frame = body_address(b);
		d.use = body_address(b);
		d.depth = (int64_t)body_address(b) - 1;
		if (!b->cut && s->wire.sink.depths)
			s->wire.sink.depths(s->wire.sink.ctx, &d, 1);
	}
}

static void watermark_take(struct sim *s, struct body *b)
{
	struct wire_watermark mark = { .stack = body_address(b) };
	uint64_t count;

	mark.base = body_address(b);
	mark.low = body_address(b);
	mark.open = body_address(b);
	count = body_number(b);
	while (count-- && !b->cut && mark.count < WIRE_PATH)
		mark.path[mark.count++] = body_address(b);
	if (!b->cut && mark.low <= mark.base && mark.count <= mark.open &&
	    s->wire.sink.watermark)
		s->wire.sink.watermark(s->wire.sink.ctx, &mark);
}

static void spent_take(struct sim *s, struct body *b)
{
	while (b->p < b->end && !b->cut) {
		struct wire_spent spent = { .address = body_address(b) };

		spent.ticks = body_number(b);
		if (!b->cut && s->wire.sink.spent)
			s->wire.sink.spent(s->wire.sink.ctx, &spent, 1);
	}
}

_Static_assert((unsigned)SIM_PATH == (unsigned)WIRE_PATH, "a path is told whole");

static void (*const record_takers[])(struct sim *s, struct body *b) = {
	[SIM_HELLO] = hello_take, [SIM_STATUS] = status_take, [SIM_ROWS] = rows_take,
	[SIM_TEXT] = text_take, [SIM_EVENTS] = events_take, [SIM_UNTOLD] = untold_take,
	[SIM_NAME] = name_take, [SIM_WATCHED] = watched_take,
	[SIM_DEPTHS] = depths_take, [SIM_STACK] = watermark_take, [SIM_SPENT] = spent_take,
};

static void record_take(struct sim *s, uint8_t type, const uint8_t *p, size_t n)
{
	struct body b = { .p = p, .end = p + n };

	if (type < sizeof(record_takers) / sizeof(record_takers[0]) && record_takers[type])
		record_takers[type](s, &b);
	if (b.cut)
		s->wire.stats.bad_bytes += n;
}

/* --- the decoder ------------------------------------------------------------------------------ */

/* Without the magic at its beginning nothing of it is read. */
static bool magic_take(struct sim *s)
{
	size_t left = s->count - s->at, n = left < MAGIC_SIZE ? left : MAGIC_SIZE;

	if (memcmp(s->held + s->at, SIM_MAGIC, n) != 0) {
		s->wire.stats.bad_bytes++;
		s->at++;
		return true;
	}
	if (n < MAGIC_SIZE)
		return false;
	s->begun = true;
	s->at += n;
	return true;
}

/* A length that cannot be: from there on nothing is known to be a record's begin. */
static void stream_lose(struct sim *s)
{
	s->wire.stats.bad_bytes++;
	s->wire.stats.resyncs++;
	s->at++;
	s->begun = false;
}

/* The first record that is held, if it is whole. */
static bool record_find(struct sim *s)
{
	const uint8_t *p = s->held + s->at;
	size_t left = s->count - s->at, head;
	uint64_t length;

	if (left < 2)
		return false;
	head = varint_get(p + 1, left - 1, &length);
	if (!head && left < HEAD_MAX)
		return false;
	if (!head || length > SIM_RECORD_MAX) {
		stream_lose(s);
		return true;
	}
	if (left < 1 + head + length)
		return false;
	record_take(s, p[0], p + 1 + head, length);
	s->at += 1 + head + length;
	return true;
}

/* --- what is to be watched -------------------------------------------------------------------- */

enum { POINT_MOST = 250, POINT_NAME = 200 };	/* bytes of one in a WATCH */

_Static_assert(WIRE_WATCHES * POINT_MOST + HEAD_MAX + VARINT_MAX <= WIRE_OUT_MAX, "a WATCH fits");

static size_t point_put(uint8_t *p, const struct wire_watchpoint *w)
{
	const struct wire_reading *r = &w->reading;
	size_t n = 0, length = w->name ? strnlen(w->name, POINT_NAME) : 0;

	p[n++] = (uint8_t)w->kind;
	n += varint_put(p + n, w->note);
	n += varint_put(p + n, w->address);
	n += varint_put(p + n, w->size);
	p[n++] = w->access;
	n += varint_put(p + n, w->number);
	p[n++] = r->bytes;
	p[n++] = (uint8_t)(r->is_signed * SIM_READ_SIGNED | r->is_real * SIM_READ_REAL |
			   r->is_state * SIM_READ_STATE | r->big_endian * SIM_READ_BIG);
	p[n++] = r->shift;
	p[n++] = r->bits;
	n += varint_put(p + n, length);
	if (length)
		memcpy(p + n, w->name, length);
	return n + length;
}

static void sim_ask(struct wire *w, uint64_t now, struct wire_out *out)
{
	struct sim *s = (struct sim *)w;
	uint8_t body[VARINT_MAX + WIRE_WATCHES * POINT_MOST], head[HEAD_MAX] = { SIM_WATCH };
	size_t n = varint_put(body, s->point_count), at;

	(void)now;
	if (s->points_sent)
		return;
	for (size_t i = 0; i < s->point_count; i++)
		n += point_put(body + n, &s->points[i]);
	at = 1 + varint_put(head + 1, n);
	s->points_blocked = at + n > out->room - out->count;
	if (s->points_blocked)
		return;
	wire_out_add(out, head, at);
	wire_out_add(out, body, n);
	s->points_sent = true;
}

static void sim_down(struct wire *w)
{
	((struct sim *)w)->points_sent = false;
}

static void sim_watch(struct wire *w, const struct wire_watchpoint *points, size_t count)
{
	struct sim *s = (struct sim *)w;

	s->point_count = count < WIRE_WATCHES ? count : WIRE_WATCHES;
	if (s->point_count)
		memcpy(s->points, points, s->point_count * sizeof(*points));
	s->points_sent = false;
}

/* Nothing is waited for but what was not sent yet. */
static int sim_timeout(const struct wire *w, uint64_t now)
{
	const struct sim *s = (const struct sim *)w;

	(void)now;
	return s->points_sent || s->points_blocked ? -1 : 0;
}

static int sim_init(struct wire *w, const struct wire_options *o, struct err *err)
{
	(void)o;
	(void)err;
	snprintf(w->note, sizeof(w->note), "sim: nothing from the simulator yet");
	return 0;
}

static void sim_feed(struct wire *w, const uint8_t *data, size_t n)
{
	struct sim *s = (struct sim *)w;

	while (n) {
		size_t room = sizeof(s->held) - s->count, k = n < room ? n : room;

		memcpy(s->held + s->count, data, k);
		s->count += k;
		data += k;
		n -= k;
		while (s->at < s->count && (s->begun ? record_find(s) : magic_take(s)))
			;
		s->count -= s->at;
		memmove(s->held, s->held + s->at, s->count);
		s->at = 0;
	}
}

static void sim_flush(struct wire *w, bool end)
{
	struct sim *s = (struct sim *)w;

	if (!end)
		return;
	w->stats.bad_bytes += s->count;
	s->count = 0;
}

/*
 * Rows are running totals and come again when they change: those that do not are not known. The
 * record that has begun goes on.
 */
static bool sim_resume(const struct wire *w, struct buf *bytes)
{
	const struct sim *s = (const struct sim *)w;

	if (s->begun && s->hello_size) {
		buf_adds(bytes, SIM_MAGIC);
		buf_add(bytes, s->hello, s->hello_size);
		buf_add(bytes, s->held, s->count);
	}
	return false;
}

const struct wire_ops wire_sim_ops = {
	.size = sizeof(struct sim),
	.init = sim_init,
	.feed = sim_feed,
	.flush = sim_flush,
	.ask = sim_ask,
	.timeout = sim_timeout,
	.down = sim_down,
	.watch = sim_watch,
	.resume = sim_resume,
};
