/*
 * wsntrace_send: tokens into frames, oldest first; what a slow line makes of the depth limit.
 *
 * The main program runs it, or a task. No hook of its lane runs meanwhile; others' do, at any
 * place: their tokens grow, those that were there stay. Handlers leave their lane with no call
 * open; a task's open calls are pinned before.
 */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_sender.h"

enum {
	DUE = 40,			/* bytes of tokens that make a frame */
	FORGET_EVERY = 64,		/* frames */
	STACK_EVERY = 8,
	HIGH = 153, LOW = 90,		/* bytes that wait: the line is too slow; it is not */
	BURST = 4,			/* frames that may find more than HIGH */
	STAMP_OLD = 0x4000,		/* units: stamps no longer count from it */
};

/* Ticks that tokens wait at most; less than stamps can tell. */
#define WAIT (WSNPROF_TICKS_PER_SECOND / 4 < WSNTRACE_STAMPS_REACH ? \
	      WSNPROF_TICKS_PER_SECOND / 4 : WSNTRACE_STAMPS_REACH)

static WSNPROF_QUIET uint8_t *stack_put(const struct wsntrace_sender *s, uint8_t *p)
{
	for (uint8_t i = 0; i < s->depth; i++)
		p = wsnprof_varint(p, s->ids[i]);
	return p;
}

static WSNPROF_QUIET uint8_t stack_bytes(const struct wsntrace_sender *s)
{
	uint8_t n = s->depth;

	for (uint8_t i = 0; i < s->depth; i++)
		n += s->ids[i] > 0x7f;
	return n;
}

/* Calls deeper than so many become boxes when the line is slow. */
static WSNPROF_QUIET void limit_follow(struct wsntrace_sender *s, uint8_t fill)
{
	struct wsntrace_lane *l = s->lane;
	wsntrace_sp limit = WSNTRACE_KEPT(s, limit);
	wsntrace_sp peak = (wsntrace_sp)(WSNTRACE_LANE_BASE(l) + WSNTRACE_CALL_BYTES * s->peak);
	bool rising = fill > HIGH && fill >= s->fill;

	s->rising = rising ? s->rising + 1 : 0;
	if (s->rising >= BURST) {
		if (limit > peak)
			limit = peak;
		if (limit > l->is.top + 2 * WSNTRACE_CALL_BYTES)	/* else a REF is shorter */
			limit -= WSNTRACE_CALL_BYTES;
		s->rising = BURST;
	} else if (fill < LOW && limit < l->is.last) {
		limit += WSNTRACE_CALL_BYTES;
	}
	s->fill = fill;
	WSNTRACE_KEPT(s, limit) = limit;
}

/* The table is empty from here on, unless another wrote meanwhile: then the next frame is it. */
static WSNPROF_QUIET void table_forget(struct wsntrace_sender *s)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t w = wsntrace_pinned(s);
	wsnprof_mask mask;

	wsntrace_table_clear(l);
	mask = wsnprof_lock();
	if (l->is.w_true == w && w < WSNTRACE_LEAVE && !(l->is.mode & WSNTRACE_BROKEN)) {
		l->tokens[w] = WSNTRACE_MORE;
		l->tokens[(uint8_t)(w + 1)] = WSNTRACE_MORE_FORGET;
		l->is.w_true = w + 2;
		s->age = 0;
		s->forget = false;
	}
	wsnprof_unlock(mask);
}

/* All is sent that was told before the calls that were dropped: begin anew, with what is open. */
static WSNPROF_QUIET void lane_mend(struct wsntrace_sender *s)
{
	struct wsnprof_trace_lane *is = &s->lane->is;
	wsnprof_mask mask = wsnprof_lock();
	wsntrace_sp sp = WSNTRACE_TOLD_SP(s->lane, WSNTRACE_KEPT(s, sp));
	uint8_t depth = (uint8_t)((sp - WSNTRACE_LANE_BASE(s->lane)) / WSNTRACE_CALL_BYTES);

	if (is->w_true == 1 && is->mode & WSNTRACE_BROKEN) {
		is->mode &= (uint8_t)~WSNTRACE_BROKEN;
		s->depth = depth - (is->mode & WSNTRACE_BOX ? 1 : 0);
		s->resync = true;
		is->stamped = false;
	}
	wsnprof_unlock(mask);
}

/*
 * The main program polls in a call that is counted alone, with `nest` calls open: it may be the
 * main loop, which never returns. They are open from here on; the ids of those within are not
 * known.
 */
static WSNPROF_QUIET void box_open(struct wsntrace_sender *s)
{
	struct wsnprof_trace_lane *is = &s->lane->is;
	wsntrace_sp sp = WSNTRACE_TOLD_SP(s->lane, WSNTRACE_LIVE(s->lane).sp);
	uint8_t free = (uint8_t)((is->last - sp) / WSNTRACE_CALL_BYTES);
	wsnprof_mask mask;

	if (!wsntrace_is_own(s) || !(is->mode & WSNTRACE_BOX) || is->w_true != 1 ||
	    is->nest > free)
		return;
	mask = wsntrace_lock();
	is->untold += is->boxed;
	is->boxed = 0;
	is->gap = 0;			/* in `untold`, too */
	is->mode = WSNTRACE_TOP;
	is->stamped = false;
	s->resync = true;
	WSNTRACE_LIVE(s->lane).sp = sp;
	s->ids[s->depth++] = is->box_id;
	while (--is->nest) {
		WSNTRACE_LIVE(s->lane).sp += WSNTRACE_CALL_BYTES;
		s->ids[s->depth++] = 0;
	}
	wsntrace_unlock(mask);
	wsntrace_top();
}

static WSNPROF_QUIET uint32_t lane_untold(const struct wsntrace_lane *l)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t n = l->is.untold + l->is.boxed + wsntrace_nested(l);

	wsnprof_unlock(mask);
	return n;
}

/* What waited before `end` is sent, or in a frame, up to `taken`. */
static WSNPROF_QUIET void age_follow(struct wsntrace_sender *s, uint8_t taken, uint8_t end,
				     uint32_t now)
{
	if (s->aged > taken - 1) {
		s->aged -= (uint8_t)(taken - 1);
	} else {
		s->age_ends = s->age_begins;
		s->age_begins = now;
		s->aged = (uint8_t)(end - taken);
		if (!s->aged)
			s->age_ends = now;
	}
}

/*
 * Where those end that may be taken now, and when that is: the frame's time. Whoever polls may be
 * interrupted for long before it has taken them.
 */
static WSNPROF_QUIET uint8_t tokens_end(const struct wsntrace_sender *s, uint32_t *now)
{
	wsnprof_mask mask = wsnprof_lock();
	uint8_t end = wsntrace_pinned(s);

	*now = wsntrace_ticks();
	wsnprof_unlock(mask);
	return end;
}

/* What is open at its beginning, to p; its first byte's flags. */
static WSNPROF_QUIET uint8_t *open_put(struct wsntrace_sender *s, uint8_t *p, const uint8_t *full,
				       uint8_t *head)
{
	bool stack = s->fresh || s->resync || s->number % STACK_EVERY == 0;

	p = wsnprof_varint(p, s->depth);
	if (stack && p + stack_bytes(s) < full) {
		*head |= WSNTRACE_STACK;
		p = stack_put(s, p);
	}
	if (s->resync)
		*head |= WSNTRACE_RESYNC;
	s->fresh = s->resync = false;
	s->peak = s->depth;
	return p;
}

/* To p: what is before the open calls. */
static WSNPROF_QUIET uint8_t *head_put(struct wsntrace_sender *s, uint8_t *p)
{
	p[0] = (uint8_t)(s - wsntrace_senders);
	p[1] = s->number;
	s->untold = lane_untold(s->lane);
	return wsnprof_varint(p + 2 + sizeof(uint32_t), s->untold);
}

/* A frame's 32 bits of a fast clock wrap within minutes: with TRACING a frame, if need be empty. */
#define BEATS (WSNPROF_TICKS_PER_SECOND > 1000000)
static bool beat_due;

static WSNPROF_QUIET bool lane_beats(const struct wsntrace_sender *s)
{
	return BEATS && beat_due && s == wsntrace_senders && wsnprof_node.running;
}

/* `fill`: of the tokens when it was made. */
static WSNPROF_QUIET void frame_end(struct wsntrace_sender *s, uint8_t *p, uint32_t time,
				    uint8_t fill)
{
	wsnprof_copy(wsnprof_ring.frame + WSNPROF_HEAD + 2, &time, sizeof(time));
	s->number++;
	s->age++;
	if (s == wsntrace_senders)
		beat_due = false;
	limit_follow(s, fill);
	wsnprof_frame_end(WSNPROF_TYPE_TRACE, p);
}

/* Before any token of a frame: calls that were dropped, or are open in a box. */
static WSNPROF_QUIET void lane_begin(struct wsntrace_sender *s)
{
	lane_mend(s);
	box_open(s);
}

/* Where the tokens end. */
static WSNPROF_QUIET uint8_t lane_end(struct wsntrace_sender *s)
{
	struct wsntrace_lane *l = s->lane;

	if ((uint16_t)(wsntrace_units() - l->is.stamp) > STAMP_OLD)
		l->is.stamped = false;
	if ((uint16_t)(wsntrace_units() - l->is.gap_at) > STAMP_OLD)
		l->is.gap_timed = false;
	if ((s->forget || s->age >= FORGET_EVERY) && !(l->is.mode & WSNTRACE_OFF))
		table_forget(s);
	return l->is.w_true;
}

static WSNPROF_QUIET bool lane_is_empty(struct wsntrace_sender *s, uint8_t end)
{
	if (end != 1 || s->resync || lane_beats(s) ||
	    (!wsnprof_node.running && lane_untold(s->lane) != s->untold))
		return false;
	s->since = s->age_begins = s->age_ends = wsntrace_ticks();
	return true;
}

#if WSNPROF_TRACE_PACK
static WSNPROF_QUIET void frame_begin(struct wsntrace_sender *s)
{
	struct wsntrace_pack *k = &s->pack;
	uint8_t *p;

	s->head = WSNTRACE_PACKED;
	p = open_put(s, k->body, k->body + WSNTRACE_PACK_ROOM - WSNTRACE_PACK_SPARE, &s->head);
	wsntrace_pack_begin(k, (uint8_t)(p - k->body));
	s->begun = true;
	s->since = s->packed = wsntrace_ticks();
}

/*
 * A frame that was begun ends before what follows from no token, and while its stamps can be told
 * from its time.
 */
static WSNPROF_QUIET bool frame_is_over(const struct wsntrace_sender *s, uint8_t end, uint32_t now)
{
	return (end == 1 && s->lane->is.mode & (WSNTRACE_BROKEN | WSNTRACE_BOX)) ||
	       now - s->since > WSNTRACE_STAMPS_REACH - WSNTRACE_STAMPS_REACH / 8;
}

static WSNPROF_QUIET void lane_pack(struct wsntrace_sender *s)
{
	uint8_t end, taken;
	uint32_t now;

	if (s->begun && s->pack.full)
		return;			/* for the line to be free */
	if (!s->begun)
		lane_begin(s);
	end = lane_end(s);
	if (!s->begun && lane_is_empty(s, end))
		return;
	if (!s->begun) {
		frame_begin(s);
		end = tokens_end(s, &now);
	} else {
		end = tokens_end(s, &now);
		if (frame_is_over(s, end, now)) {
			wsntrace_pack_end(&s->pack);
			return;
		}
	}
	if (end == 1)
		return;
	s->packed = now;
	taken = wsntrace_pack_take(s, end);
	wsntrace_shift(s, taken, end);
	age_follow(s, taken, end, now);
}

/* wsntrace_top() was before it: the sender's own has a `mode`. */
void wsntrace_pack(void)
{
	for WSNTRACE_EACH(s)
		if (s->lane)
			lane_pack(s);
}

static WSNPROF_QUIET bool lane_send(struct wsntrace_sender *s)
{
	struct wsntrace_pack *k = &s->pack;
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;
	uint8_t end = s->lane->is.w_true;

	if (!s->begun || (!k->full && !lane_beats(s) && (end != 1 || wsnprof_node.running) &&
			  wsntrace_ticks() - s->since < WAIT))
		return false;
	wsntrace_pack_end(k);
	p = head_put(s, p);
	wsnprof_ring.frame[WSNPROF_HEAD] |= s->head;
	wsnprof_copy(p, k->body, k->at);
	s->begun = false;
	s->since = wsntrace_ticks();
	frame_end(s, p + k->at, s->packed, end);
	return true;
}
#else
static WSNPROF_QUIET bool lane_send(struct wsntrace_sender *s)
{
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;
	bool late = wsntrace_ticks() - s->since >= WAIT || lane_beats(s);
	uint8_t end, taken;

	lane_begin(s);
	end = lane_end(s);
	if (lane_is_empty(s, end) || (end <= DUE && !late && wsnprof_node.running) ||
	    (end == 1 && !late))
		return false;
	p = head_put(s, p);
	p = open_put(s, p, full - DUE / 4, &wsnprof_ring.frame[WSNPROF_HEAD]);
	end = tokens_end(s, &s->since);
	p = wsntrace_take(s, p, end, &taken);
	wsntrace_shift(s, taken, end);
	age_follow(s, taken, end, s->since);
	frame_end(s, p, s->since, end);
	lane_mend(s);
	return true;
}
#endif

static WSNPROF_QUIET void tracing_send(void)
{
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;

	*p++ = WSNTRACE_ENCODING;
	*p++ = WSNTRACE_SHIFT;
	p = wsnprof_varint(p, WSNTRACE_SLOTS);
	p = wsnprof_varint(p, WSNTRACE_LANES);
	wsnprof_frame_end(WSNPROF_TRACING, p);
	wsntrace_announced = false;
	beat_due = BEATS;
}

/* Lanes take turns. wsntrace_top() was before it: the sender's own has a `mode`. */
bool wsntrace_send(void)
{
	static uint8_t turn;
	bool sent = false;

	if (wsntrace_announced) {
		tracing_send();
		return true;
	}
	for (uint8_t i = 0; i < WSNTRACE_LANES && !sent; i++) {
		turn = turn + 1 < WSNTRACE_LANES ? turn + 1 : 0;
		sent = wsntrace_senders[turn].lane && lane_send(&wsntrace_senders[turn]);
	}
	return sent;
}

#endif
