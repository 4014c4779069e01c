/*
 * wsntrace_bits: bits of a call trace without a table into frames (WSNPROF_TRACE 3 to 5), oldest
 * first. What a lane has told when it is looked at is a batch: one frame or several. The main
 * program runs it; no hook of the main lane runs meanwhile.
 */
#include "wsnprof_node.h"
#include "wsntrace_bits.h"

#if WSNTRACE_BITS

#include "wsntrace_send.h"

#if WSNPROF_TRACE == 3
#define TOKEN_BITS WSNPROF_TRACE_BITS
#else
#define TOKEN_BITS 7
#endif

#define WSNTRACE_RING __attribute__((section(".noinit.wsntrace"), aligned(256)))

uint8_t wsntrace_ring_main[256] WSNTRACE_RING;
#if WSNPROF_TRACE_HANDLERS > 0
uint8_t wsntrace_ring_handlers[256] WSNTRACE_RING;
#endif
struct wsnprof_bits_live wsntrace_bits __attribute__((section(".noinit")));
struct wsnprof_bits_lane wsntrace_bits_lanes[WSNTRACE_BITS_LANES];
volatile uint16_t wsntrace_notes_lost;

enum {
	DUE = 40,			/* bytes of tokens that make a batch */
	SPARE = 2,			/* bytes that stay free: that which fills, and one */
	GOES_ON = 0x08,			/* a frame's head: it is not the first of its batch */
	BATCH_ENDS = 0x10,		/* it is the last; bits 0 to 2: of its last byte unused */
};

#define WAIT (WSNPROF_TICKS_PER_SECOND / 4)

static struct sender {
	uint8_t *ring;
	uint8_t from, end;		/* places of the batch's bytes that are to be sent */
	uint8_t unused;			/* bits of its last byte */
	uint8_t number;			/* of the next frame */
	uint8_t depth, next_depth;	/* where the batch began, and the next will */
	uint8_t floor;
	bool sending;			/* a batch */
	bool first;			/* its first frame is due */
	bool full;			/* the lane stands still until it is sent */
	bool resync;			/* calls were not told before it */
	uint32_t since;			/* when a frame was made, or nothing waited */
} senders[WSNTRACE_BITS_LANES];

static bool announce;

#define EACH(s) (struct sender *s = senders; s != senders + WSNTRACE_BITS_LANES; s++)

/* --- a lane's state --------------------------------------------------------------------------- */

static WSNPROF_QUIET void lane_get(const struct sender *s, struct wsnprof_bits_lane *l)
{
	*l = wsntrace_bits_lanes[s - senders];
	if (s != senders)
		return;
	l->w = wsntrace_bits.w;
	l->limit = wsntrace_bits.limit;
	l->position = GPIOR0;
	l->byte = GPIOR1;
}

/* `untold` is the hooks'. */
static WSNPROF_QUIET void lane_put(const struct sender *s, const struct wsnprof_bits_lane *l)
{
	struct wsnprof_bits_lane *to = &wsntrace_bits_lanes[s - senders];

	to->held = l->held;
	to->floor = l->floor;
	if (s == senders) {
		wsntrace_bits.w = l->w;
		wsntrace_bits.limit = l->limit;
		GPIOR0 = l->position;
		GPIOR1 = l->byte;
	} else {
		to->w = l->w;
		to->limit = l->limit;
		to->position = l->position;
		to->byte = l->byte;
	}
}

static WSNPROF_QUIET uint8_t depth_of(const struct sender *s)
{
	return s == senders ? GPIOR2 : 0;
}

/* --- life ------------------------------------------------------------------------------------- */

void wsntrace_init(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsntrace_bits.on = false;
	wsntrace_bits.page = (uint8_t)((uint16_t)wsntrace_ring_main >> 8);
	senders[0].ring = wsntrace_ring_main;
#if WSNPROF_TRACE_HANDLERS > 0
	senders[1].ring = wsntrace_ring_handlers;
#endif
	for EACH(s) {
		struct wsnprof_bits_lane none = { .limit = UINT8_MAX - SPARE + 1 };

		wsntrace_bits_lanes[s - senders] = none;
		lane_put(s, &none);
		s->from = s->end = s->number = 0;
		s->sending = s->full = false;
	}
	wsnprof_unlock(mask);
}

static WSNPROF_QUIET void lane_begin(struct sender *s)
{
	struct wsnprof_bits_lane l;
	wsnprof_mask mask = wsnprof_lock();

	lane_get(s, &l);
	if (wsntrace_bits.on) {
		l.position = 1;
		l.byte = l.held = 0;
		lane_put(s, &l);
		s->depth = s->next_depth = depth_of(s);
		s->floor = l.floor < s->depth ? l.floor : s->depth;
		s->resync = true;
		s->full = false;
	}
	wsnprof_unlock(mask);
}

/* What is open is not known to a host, nor what was open before. */
void wsntrace_start(void)
{
	wsntrace_bits.on = true;
	for EACH(s) {
		s->since = wsntrace_ticks();
		wsntrace_bits_lanes[s - senders].floor = 0;
		if (!s->sending && !s->full)
			lane_begin(s);
		else
			s->full = true;
	}
}

void wsntrace_stop(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsntrace_bits.on = false;
	for EACH(s) {
		struct wsnprof_bits_lane l;

		lane_get(s, &l);
		if (l.position) {
			l.held = l.position;
			l.position = 0;
		}
		lane_put(s, &l);
		s->full = true;
	}
	wsnprof_unlock(mask);
}

void wsntrace_announce(void)
{
	announce = true;
}

void wsntrace_forget(void)
{
}

void wsntrace_top(void)
{
}

/* --- batches ---------------------------------------------------------------------------------- */

/* All that was told so far. */
static WSNPROF_QUIET void batch_begin(struct sender *s)
{
	struct wsnprof_bits_lane l;
	wsnprof_mask mask = wsnprof_lock();
	uint8_t position;

	lane_get(s, &l);
	position = l.position ? l.position : l.held;
	s->full |= !l.position;
	s->unused = 0;
	if (position > 1) {
		s->ring[l.w++] = l.byte;
		for (s->unused = 8; position > 1; position >>= 1)
			s->unused--;
	}
	l.held = l.byte = 0;
	l.position = s->full ? 0 : 1;
	lane_put(s, &l);
	s->end = l.w;
	s->depth = s->next_depth;
	s->next_depth = depth_of(s);
	wsnprof_unlock(mask);
	s->sending = s->from != s->end;
	s->first = true;
}

/* Bytes that are told, and not yet in a batch. */
static WSNPROF_QUIET uint8_t lane_waits(const struct sender *s)
{
	struct wsnprof_bits_lane l;
	wsnprof_mask mask = wsnprof_lock();

	lane_get(s, &l);
	wsnprof_unlock(mask);
	return (uint8_t)(l.w - s->from) + ((l.position ? l.position : l.held) > 1);
}

bool wsntrace_idle(void)
{
	if (announce)
		return false;
	for EACH(s)
		if (s->sending || lane_waits(s))
			return wsnprof_node.running;
	return true;
}

/* --- frames ----------------------------------------------------------------------------------- */

static WSNPROF_QUIET uint32_t lane_untold(const struct sender *s)
{
	uint32_t n;
	wsnprof_mask mask = wsnprof_lock();

	wsnprof_copy(&n, wsntrace_bits_lanes[s - senders].untold, sizeof(n));
	wsnprof_unlock(mask);
	return n;
}

static WSNPROF_QUIET void limit_move(const struct sender *s)
{
	wsnprof_mask mask = wsnprof_lock();
	uint8_t limit = s->from - SPARE;

	if (s == senders)
		wsntrace_bits.limit = limit;
	else
		wsntrace_bits_lanes[s - senders].limit = limit;
	wsnprof_unlock(mask);
}

static WSNPROF_QUIET void frame_send(struct sender *s)
{
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD, *head;
	bool resync = s->first && s->resync;
	uint32_t now = wsntrace_ticks();

	*p++ = (uint8_t)(s - senders) | (resync ? WSNTRACE_RESYNC : 0);
	*p++ = s->number++;
	wsnprof_copy(p, &now, sizeof(now));
	p = wsnprof_varint(p + sizeof(now), lane_untold(s));
	p = wsnprof_varint(p, s->first ? s->depth : 0);
	head = p++;
	*head = s->first ? 0 : GOES_ON;
	if (resync) {
		p = wsnprof_varint(p, s->floor);
		s->resync = false;
	}
	s->first = false;
	while (s->from != s->end && p != full)
		*p++ = s->ring[s->from++];
	if (s->from == s->end) {
		*head |= BATCH_ENDS | s->unused;
		s->sending = false;
	}
	limit_move(s);
	s->since = now;
	wsnprof_frame_end(WSNPROF_TYPE_TRACE, p);
}

static WSNPROF_QUIET bool lane_send(struct sender *s)
{
	uint8_t waits;
	bool late;

	if (!s->sending) {
		waits = lane_waits(s);
		late = wsntrace_ticks() - s->since >= WAIT;
		if (!waits) {
			s->since = wsntrace_ticks();
			if (s->full)
				lane_begin(s);
			return false;
		}
		if (waits < DUE && !late && wsnprof_node.running && !s->full)
			return false;
		batch_begin(s);
	}
	frame_send(s);
	return true;
}

static WSNPROF_QUIET void tracing_send(void)
{
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;

	*p++ = WSNPROF_TRACE;
	*p++ = 0;
	p = wsnprof_varint(p, TOKEN_BITS);
	p = wsnprof_varint(p, WSNTRACE_BITS_LANES);
	wsnprof_frame_end(WSNPROF_TRACING, p);
	announce = false;
}

/* Lanes take turns. */
bool wsntrace_send(void)
{
	static uint8_t turn;
	bool sent = false;

	if (announce) {
		tracing_send();
		return true;
	}
	for (uint8_t i = 0; i < WSNTRACE_BITS_LANES && !sent; i++) {
		turn = turn + 1 < WSNTRACE_BITS_LANES ? turn + 1 : 0;
		sent = lane_send(&senders[turn]);
	}
	return sent;
}

/* --- marks, longjmp --------------------------------------------------------------------------- */

void wsnprof_mark(uint16_t id)
{
	(void)id;
	wsntrace_notes_lost++;
}

void wsnprof_value(uint16_t id, int32_t value)
{
	(void)value;
	wsnprof_mark(id);
}

void wsnprof_state(uint16_t id, uint16_t state)
{
	(void)state;
	wsnprof_mark(id);
}

#if WSNPROF_TRACE_JUMPS > 0
/* Where setjmp was called last, by its buffer. */
static struct jump {
	const void *buf;
	uint8_t depth, nesting;
} jumps[WSNPROF_TRACE_JUMPS];

void wsntrace_jump_set(const void *buf)
{
	static uint8_t next;
	struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS) {
		j = &jumps[next];
		next = (uint8_t)(next + 1) % WSNPROF_TRACE_JUMPS;
	}
	*j = (struct jump){ buf, GPIOR2, wsntrace_bits.nesting };
}

/* All calls that it skips return now. */
void wsntrace_jump(const void *buf)
{
	const struct jump *j = jumps;

	while (j != jumps + WSNPROF_TRACE_JUMPS && j->buf != buf)
		j++;
	if (j == jumps + WSNPROF_TRACE_JUMPS || j->nesting != wsntrace_bits.nesting)
		return;
#if WSNPROF_TRACE == 5		/* a return's code is its function's: nothing is told meanwhile */
	struct wsnprof_bits_lane *l = &wsntrace_bits_lanes[wsntrace_bits.nesting > 0];
	wsnprof_mask mask = wsnprof_lock();

	if (GPIOR0) {
		l->held = GPIOR0;
		l->floor = GPIOR2;
		GPIOR0 = 0;
	}
	if (GPIOR2 > j->depth)
		GPIOR2 = j->depth;
	if (l->floor > GPIOR2)
		l->floor = GPIOR2;
	wsnprof_unlock(mask);
#else
	while (GPIOR2 > j->depth)
		wsntrace_exit();
#endif
}
#endif

#endif
