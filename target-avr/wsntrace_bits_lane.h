/*
 * wsntrace_bits_lane: a lane of a call trace without a table, as its sender sees it: what it has
 * told, and what of that is sent. For wsntrace_bits.c.
 */
#ifndef WSNTRACE_BITS_LANE_H
#define WSNTRACE_BITS_LANE_H

#include "wsnprof_node.h"
#include "wsntrace_bits.h"
#include "wsntrace_send.h"

struct sender {
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
};

static struct sender senders[WSNTRACE_BITS_LANES];
#if WSNTRACE_FLOW
/* Those of the main lane where its next batch begins. */
static uint8_t places_kept[sizeof(wsntrace_places)];
#endif

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
#if !WSNTRACE_FLOW
	l->byte = GPIOR1;
#endif
}

/* `untold` is the hooks'. */
static WSNPROF_QUIET void lane_put(const struct sender *s, const struct wsnprof_bits_lane *l)
{
	struct wsnprof_bits_lane *to = &wsntrace_bits_lanes[s - senders];

	to->held = l->held;
#if WSNTRACE_FLOW
	to->told = l->told;
#else
	to->floor = l->floor;
#endif
	if (s == senders) {
		wsntrace_bits.w = l->w;
		wsntrace_bits.limit = l->limit;
		GPIOR0 = l->position;
	} else {
		to->w = l->w;
		to->limit = l->limit;
		to->position = l->position;
	}
#if !WSNTRACE_FLOW
	if (s == senders)
		GPIOR1 = l->byte;
	else
		to->byte = l->byte;
#endif
}

/* How the byte that fills is kept: WSNTRACE_FLOW has its bits at the top, others at the bottom. */
#if WSNTRACE_FLOW

#define NO_BITS WSNTRACE_NO_BITS

static WSNPROF_QUIET bool lane_tells(const struct wsnprof_bits_lane *l)
{
	return l->told;
}

static WSNPROF_QUIET uint8_t depth_of(const struct sender *s)
{
	return s == senders ?
	       (uint8_t)(GPIOR2 - (uint8_t)(uint16_t)wsntrace_places) / WSNTRACE_PLACE_BYTES : 0;
}

/* *unused: bits of it that are none. */
static WSNPROF_QUIET uint8_t part_take(struct wsnprof_bits_lane *l, uint8_t *unused)
{
	uint8_t part = l->told ? l->position : l->held;
	bool last;

	*unused = 0;
	do {
		last = part & 1;
		part >>= 1;
		++*unused;
	} while (!last);
	l->position = l->held = NO_BITS;
	return part;
}

#else

#define NO_BITS 1

static WSNPROF_QUIET bool lane_tells(const struct wsnprof_bits_lane *l)
{
	return l->position;
}

static WSNPROF_QUIET uint8_t depth_of(const struct sender *s)
{
	return s == senders ? GPIOR2 : 0;
}

static WSNPROF_QUIET uint8_t part_take(struct wsnprof_bits_lane *l, uint8_t *unused)
{
	uint8_t part = l->byte, position = l->position ? l->position : l->held;

	for (*unused = 8; position > 1; position >>= 1)
		--*unused;
	l->position = l->position ? NO_BITS : 0;
	l->held = l->byte = 0;
	return part;
}

#endif

/* Whether bits are told that make no whole byte. */
static WSNPROF_QUIET bool lane_has_part(const struct wsnprof_bits_lane *l)
{
	uint8_t position = lane_tells(l) ? l->position : l->held;

	return WSNTRACE_FLOW ? position != NO_BITS : position > NO_BITS;
}

/* Nothing more is told; what was stays. */
static WSNPROF_QUIET void lane_hold(struct wsnprof_bits_lane *l)
{
	if (!lane_tells(l))
		return;
	l->held = l->position;
#if WSNTRACE_FLOW
	l->told = false;
	l->position = NO_BITS;
#else
	l->position = 0;
#endif
}

/* Where the next batch begins. */
static WSNPROF_QUIET void place_keep(struct sender *s)
{
	s->next_depth = depth_of(s);
#if WSNTRACE_FLOW
	if (s == senders)
		wsnprof_copy(places_kept, wsntrace_places, sizeof(places_kept));
#endif
}

#endif
