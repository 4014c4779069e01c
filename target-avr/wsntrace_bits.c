/*
 * wsntrace_bits: bits of a call trace without a table into frames (WSNPROF_TRACE 3 to 6), oldest
 * first. What a lane has told when it is looked at is a batch: one frame or several. The main
 * program runs it; no hook of the main lane runs meanwhile.
 */
#include "wsnprof_node.h"
#include "wsntrace_bits.h"

#if WSNTRACE_BITS

#include "wsntrace_bits_lane.h"

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
#if WSNTRACE_FLOW
uint8_t wsntrace_places[WSNTRACE_PLACES * WSNTRACE_PLACE_BYTES]
	__attribute__((section(".noinit.wsntrace"), aligned(128)));
#endif
struct wsnprof_bits_lane wsntrace_bits_lanes[WSNTRACE_BITS_LANES];
volatile uint16_t wsntrace_notes_lost;

enum {
	DUE = 40,			/* bytes of tokens that make a batch */
	SPARE = 2,			/* bytes that stay free: that which fills, and one */
	GOES_ON = 0x08,			/* a frame's head: it is not the first of its batch */
	BATCH_ENDS = 0x10,		/* it is the last; bits 0 to 2: of its last byte unused */
};

#define WAIT (WSNPROF_TICKS_PER_SECOND / 4)

static bool announce;

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
		struct wsnprof_bits_lane none = {
			.limit = UINT8_MAX - SPARE + 1,
#if WSNTRACE_FLOW
			.position = NO_BITS, .held = NO_BITS,
#endif
		};

		wsntrace_bits_lanes[s - senders] = none;
		lane_put(s, &none);
		s->from = s->end = s->number = 0;
		s->sending = s->full = false;
	}
	wsnprof_unlock(mask);
}

/* Of WSNTRACE_FLOW: calls out may be open that are in no place. */
static WSNPROF_QUIET bool lane_may_begin(const struct sender *s)
{
	return !WSNTRACE_FLOW || depth_of(s) < WSNTRACE_PLACES;
}

static WSNPROF_QUIET void lane_begin(struct sender *s)
{
	struct wsnprof_bits_lane l;
	wsnprof_mask mask = wsnprof_lock();

	lane_get(s, &l);
	if (wsntrace_bits.on && lane_may_begin(s)) {
		l.position = NO_BITS;
#if WSNTRACE_FLOW
		l.told = true;
		l.held = NO_BITS;
#else
		l.byte = l.held = 0;
#endif
		lane_put(s, &l);
		place_keep(s);
		s->depth = s->next_depth;
#if !WSNTRACE_FLOW
		s->floor = l.floor < s->depth ? l.floor : s->depth;
#endif
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
#if !WSNTRACE_FLOW
		wsntrace_bits_lanes[s - senders].floor = 0;
#endif
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
		lane_hold(&l);
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
	uint8_t w;

	lane_get(s, &l);
	s->full |= !lane_tells(&l);
	s->unused = 0;
	if (lane_has_part(&l)) {
		w = l.w++;
		s->ring[w] = part_take(&l, &s->unused);
	}
	lane_put(s, &l);
	s->end = l.w;
	wsnprof_unlock(mask);
	s->depth = s->next_depth;
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
	return (uint8_t)(l.w - s->from) + lane_has_part(&l);
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

/* Return addresses, in words. */
static WSNPROF_QUIET uint8_t *places_put(uint8_t *p, const struct sender *s)
{
#if WSNTRACE_FLOW
	for (uint8_t i = 0; i < s->depth; i++) {
		const uint8_t *at = places_kept + i * WSNTRACE_PLACE_BYTES;
		uint32_t place = 0;

		wsnprof_copy(&place, at, WSNTRACE_PLACE_ADDRESS);
		p = wsnprof_varint(p, place);
	}
#endif
	(void)s;
	return p;
}

static WSNPROF_QUIET void frame_send(struct sender *s)
{
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD, *head;
	bool resync = s->first && s->resync;
	bool places = WSNTRACE_FLOW && s->first && s->depth && (resync || s->number % 8 == 0);
	uint32_t now = wsntrace_ticks();

	*p++ = (uint8_t)(s - senders) | (resync ? WSNTRACE_RESYNC : 0) |
	       (places ? WSNTRACE_STACK : 0);
	*p++ = s->number++;
	wsnprof_copy(p, &now, sizeof(now));
	p = wsnprof_varint(p + sizeof(now), lane_untold(s));
	p = wsnprof_varint(p, s->first ? s->depth : 0);
	if (places)
		p = places_put(p, s);
	head = p++;
	*head = s->first ? 0 : GOES_ON;
#if !WSNTRACE_FLOW
	if (resync)
		p = wsnprof_varint(p, s->floor);
#endif
	if (resync)
		s->resync = false;
	if (s->first)
		place_keep(s);
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

/* Calls out that a longjmp() ended are no place any more: what was told behind it means nothing. */
static WSNPROF_QUIET void places_check(void)
{
#if WSNTRACE_FLOW
	uint16_t sp = SP;
	wsnprof_mask mask = wsnprof_lock();

	while (GPIOR2 != GPIOR1) {
		const uint8_t *end = wsntrace_places + depth_of(senders) * WSNTRACE_PLACE_BYTES;
		uint16_t of = end[-2] | (uint16_t)end[-1] << 8;

		if (of > sp)
			break;
		GPIOR2 -= WSNTRACE_PLACE_BYTES;
		if (wsntrace_bits_lanes[0].told)
			wsntrace_bits_lanes[0].held = GPIOR0;
		wsntrace_bits_lanes[0].told = false;
		GPIOR0 = NO_BITS;
	}
	wsnprof_unlock(mask);
#endif
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
	places_check();
	for (uint8_t i = 0; i < WSNTRACE_BITS_LANES && !sent; i++) {
		turn = turn + 1 < WSNTRACE_BITS_LANES ? turn + 1 : 0;
		sent = lane_send(&senders[turn]);
	}
	return sent;
}

/* --- marks ------------------------------------------------------------------------------------ */

void wsnprof_mark(uint16_t id)
{
	wsnprof_mask mask = wsnprof_lock();

	(void)id;
	wsntrace_notes_lost++;
	wsnprof_unlock(mask);
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

#endif
