/*
 * wsntrace_send: tokens into frames, oldest first; what a slow line makes of the depth limit.
 *
 * The main program runs it. No hook of the main lane runs meanwhile; handlers' do, at any place,
 * and leave their lane with no call open: their tokens grow, those that were there stay.
 */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_send.h"

struct wsntrace_main wsntrace_main WSNTRACE_PLACE;
#if WSNPROF_TRACE_HANDLERS > 0
struct wsntrace_handlers wsntrace_handlers WSNTRACE_PLACE;
#endif

enum { LEVELS = WSNPROF_STACK > WSNPROF_TRACE_HANDLERS ? WSNPROF_STACK : WSNPROF_TRACE_HANDLERS };

enum {
	DUE = 40,			/* bytes of tokens that make a frame */
	FORGET_EVERY = 64,		/* frames */
	STACK_EVERY = 8,
	HIGH = 153, LOW = 90,		/* bytes that wait: the line is too slow; it is not */
	BURST = 4,			/* frames that may find more than HIGH */
	STAMP_OLD = 0x4000,		/* units: stamps no longer count from it */
};

/* Ticks that tokens wait at most; less than stamps can tell. */
#define STAMPS_REACH (UINT32_C(0x8000) << WSNTRACE_SHIFT)
#define WAIT (WSNPROF_TICKS_PER_SECOND / 4 < STAMPS_REACH ? \
	      WSNPROF_TICKS_PER_SECOND / 4 : STAMPS_REACH)

/* What the sender knows of a lane: where the tokens end that it has sent. */
static struct sender {
	struct wsntrace_lane *lane;
	uint8_t number;			/* of the next frame */
	uint8_t age;			/* frames since the table was forgotten */
	uint8_t depth;			/* calls open at the next frame's beginning; see `ids` */
	uint8_t peak;			/* the greatest in the frame before */
	uint8_t fill;			/* of the tokens when it was made */
	uint8_t rising;			/* frames before which more came than went */
	bool fresh;			/* STACK is due */
	bool resync;			/* tokens were dropped behind the last frame */
	bool forget;			/* its table is to be forgotten */
	uint16_t stamp;			/* the newest that was sent */
	uint32_t since;			/* when a frame was made, or nothing waited */
	/* the first `aged` bytes that wait are older than this, and newer than that */
	uint32_t age_begins, age_ends;
	uint8_t aged;
	uint16_t ids[LEVELS];
} senders[WSNTRACE_LANES];

static bool announce;

#define EACH(s) (struct sender *s = senders; s != senders + WSNTRACE_LANES; s++)

/* --- life ----------------------------------------------------------------------------------- */

/* Not memset(), see wsnprof_copy(). */
static WSNPROF_QUIET void table_clear(struct wsntrace_lane *l)
{
	uint8_t *p = (uint8_t *)l->table;

	do {
		*p++ = 0xff;
		__asm__ volatile("");
	} while (p != (uint8_t *)l->table + sizeof(l->table));
}

static WSNPROF_QUIET void lane_clear(struct wsntrace_lane *l, uint8_t levels)
{
	struct wsnprof_trace_lane *is = &l->is;

	for (uint8_t *p = (uint8_t *)is; p != (uint8_t *)(is + 1); p++) {
		*p = 0;
		__asm__ volatile("");
	}
	is->mode = WSNTRACE_OFF;
	is->w_true = 1;
	is->last = (wsntrace_sp)(WSNTRACE_LANE_BASE(l) + WSNTRACE_CALL_BYTES * (levels - 1));
	is->limit = is->last;
	is->sp = is->top = WSNTRACE_LANE_BASE(l);
	wsntrace_lane_hide(l);
	table_clear(l);
}

/* Nothing is open, nothing waits; what it told is forgotten. */
static WSNPROF_QUIET void sender_clear(struct sender *s)
{
	s->depth = s->peak = s->age = 0;
	s->fresh = true;
	s->since = s->age_begins = s->age_ends = wsntrace_ticks();
}

void wsntrace_init(void)
{
	wsnprof_mask mask;

	senders[0].lane = &wsntrace_main.lane;
	lane_clear(&wsntrace_main.lane, WSNPROF_STACK);
#if WSNPROF_TRACE_HANDLERS > 0
	senders[1].lane = &wsntrace_handlers.lane;
	lane_clear(&wsntrace_handlers.lane, WSNPROF_TRACE_HANDLERS);
#endif
	mask = wsnprof_lock();
	wsntrace_live_begin(&wsntrace_main.lane);
	wsnprof_unlock(mask);
	for EACH(s) {
		sender_clear(s);
		s->number = 0;
	}
}

/* What was open at the stop is not known any more: the first frame has no open calls. */
void wsntrace_start(void)
{
	for EACH(s) {
		WSNTRACE_LIVE(s->lane).sp = s->lane->is.top = WSNTRACE_LANE_BASE(s->lane);
		wsntrace_hash_set(s->lane, 0);
		s->lane->is.stamped = false;
		s->lane->is.w_true = 1;
		table_clear(s->lane);
		s->resync = true;
		sender_clear(s);
		s->lane->is.mode = WSNTRACE_TOP;	/* now it is on */
	}
}

void wsntrace_stop(void)
{
	wsnprof_mask mask = wsnprof_lock();

	wsntrace_hold(&wsntrace_main.lane);
	for EACH(s) {
		s->lane->is.untold += s->lane->is.boxed;
		s->lane->is.boxed = 0;
		s->lane->is.mode = WSNTRACE_OFF;
		wsntrace_w_hide(s->lane);
	}
	wsntrace_pin(&wsntrace_main.lane);
	wsnprof_unlock(mask);
}

void wsntrace_announce(void)
{
	announce = true;
}

void wsntrace_forget(void)
{
	for EACH(s)
		s->forget = true;
}

bool wsntrace_idle(void)
{
	if (announce)
		return false;
	for EACH(s)
		if (s->lane->is.w_true != 1)
			return wsnprof_node.running;
	return true;
}

void wsntrace_top(void)
{
	struct wsntrace_lane *l = &wsntrace_main.lane;

	if (l->is.mode & WSNTRACE_OFF)
		return;
	wsntrace_hold(l);
	l->is.top = WSNTRACE_LIVE(l).sp;
	wsntrace_pin(l);
	l->is.mode |= WSNTRACE_TOP;
	wsntrace_gap_tell(l, WSNTRACE_FULL);
	wsntrace_release(l);
}

/* --- tokens --------------------------------------------------------------------------------- */

static WSNPROF_QUIET uint8_t varint_bytes(const uint8_t *p)
{
	uint8_t n = 1;

	while (*p++ & 0x80)
		n++;
	return n;
}

static WSNPROF_QUIET uint8_t more_bytes(const uint8_t *p)
{
	uint8_t n;

	switch (p[1]) {
	case WSNTRACE_MORE_FORGET:
		return 2;
	case WSNTRACE_MORE_BOX:
		n = p[2] ? 3 : 5;
		return n + varint_bytes(p + n);
	case WSNTRACE_MORE_VALUE:
	case WSNTRACE_MORE_STATE:
		n = 2 + varint_bytes(p + 2);
		return n + varint_bytes(p + n);
	}
	return 2 + varint_bytes(p + 2);
}

static WSNPROF_QUIET uint8_t token_bytes(const uint8_t *p)
{
	switch (*p) {
	case WSNTRACE_STAMP:
	case WSNTRACE_REF:
	case WSNTRACE_WIDE:
		return 3;
	case WSNTRACE_STAMP_SHORT:
		return 2;
	case WSNTRACE_MORE:
		return more_bytes(p);
	}
	return 1;
}

/* What is open behind it. */
static WSNPROF_QUIET void token_follow(struct sender *s, const uint8_t *p)
{
	uint16_t id = *p;

	if (id == WSNTRACE_STAMP)
		s->stamp = (uint16_t)(p[1] | p[2] << 8);
	else if (id == WSNTRACE_STAMP_SHORT)
		s->stamp += p[1];
	if (id == WSNTRACE_CLOSE)
		s->depth--;
	if (id == WSNTRACE_WIDE)
		id = (uint16_t)(p[1] | p[2] << 8);
	else if (id > WSNTRACE_NARROW)
		return;
	if (!id || id & 0x8000)
		return;
	s->ids[s->depth++] = id;
	if (s->depth > s->peak)
		s->peak = s->depth;
}

/*
 * Tokens before `end` as long as they fit, to p. A stamp that counts from one in another frame says
 * all; those that may be too old for 16 bits are left out. Returns the end; *taken: the place
 * behind the last.
 */
static WSNPROF_QUIET uint8_t *tokens_take(struct sender *s, uint8_t *p, uint8_t end,
					  uint8_t *taken)
{
	const uint8_t *from = s->lane->tokens + 1, *to = s->lane->tokens + end;
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	bool stamped = false, old = wsntrace_ticks() - s->age_ends > 2 * STAMPS_REACH - 1;

	s->peak = s->depth;
	while (from != to) {
		uint8_t n = token_bytes(from);

		if (p + n + (n == 2) > full)	/* a short stamp may become longer */
			break;
		token_follow(s, from);
		if (old && (*from == WSNTRACE_STAMP_SHORT || *from == WSNTRACE_STAMP))
			;
		else if (*from == WSNTRACE_STAMP_SHORT && !stamped) {
			*p++ = WSNTRACE_STAMP;
			*p++ = (uint8_t)s->stamp;
			*p++ = (uint8_t)(s->stamp >> 8);
		} else {
			wsnprof_copy(p, from, n);
			p += n;
		}
		stamped |= *from == WSNTRACE_STAMP_SHORT || *from == WSNTRACE_STAMP;
		from += token_bytes(from);
	}
	*taken = (uint8_t)(from - s->lane->tokens);
	return p;
}

/* Those before `taken` are gone; those before `end` are no handler's any more. */
static WSNPROF_QUIET void tokens_shift(struct wsntrace_lane *l, uint8_t taken, uint8_t end)
{
	uint8_t *to = l->tokens + 1;
	const uint8_t *from = l->tokens + taken;
	wsnprof_mask mask;

	for (; from != l->tokens + end; from++)
		*to++ = *from;
	mask = wsnprof_lock();
	for (; from != l->tokens + l->is.w_true; from++)
		*to++ = *from;
	l->is.w_true = (uint8_t)(to - l->tokens);
	wsnprof_unlock(mask);
}

/* --- frames --------------------------------------------------------------------------------- */

static WSNPROF_QUIET uint8_t *stack_put(const struct sender *s, uint8_t *p)
{
	for (uint8_t i = 0; i < s->depth; i++)
		p = wsnprof_varint(p, s->ids[i]);
	return p;
}

static WSNPROF_QUIET uint8_t stack_bytes(const struct sender *s)
{
	uint8_t n = s->depth;

	for (uint8_t i = 0; i < s->depth; i++)
		n += s->ids[i] > 0x7f;
	return n;
}

/* What the hooks keep for the live lane is not in its struct, on AVR. */
#define KEPT(s, what) (*((s) == senders ? &WSNTRACE_LIVE((s)->lane).what : &(s)->lane->is.what))

/* Calls deeper than so many become boxes when the line is slow. */
static WSNPROF_QUIET void limit_follow(struct sender *s, uint8_t fill)
{
	struct wsntrace_lane *l = s->lane;
	wsntrace_sp limit = KEPT(s, limit);
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
	KEPT(s, limit) = limit;
}

/* The table is empty from here on, unless a handler wrote meanwhile: then the next frame is it. */
static WSNPROF_QUIET void table_forget(struct sender *s)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t w = l->is.w_true;
	wsnprof_mask mask;

	table_clear(l);
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
static WSNPROF_QUIET void lane_mend(struct sender *s)
{
	struct wsnprof_trace_lane *is = &s->lane->is;
	uint8_t depth = (uint8_t)((KEPT(s, sp) - WSNTRACE_LANE_BASE(s->lane)) /
				  WSNTRACE_CALL_BYTES);
	wsnprof_mask mask = wsnprof_lock();

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
static WSNPROF_QUIET void box_open(struct sender *s)
{
	struct wsnprof_trace_lane *is = &s->lane->is;
	uint8_t free = (uint8_t)((is->last - WSNTRACE_LIVE(s->lane).sp) / WSNTRACE_CALL_BYTES);

	if (s != senders || !(is->mode & WSNTRACE_BOX) || is->w_true != 1 || is->nest > free)
		return;
	is->untold += is->boxed;
	is->boxed = 0;
	is->gap = 0;			/* in `untold`, too */
	is->mode = WSNTRACE_TOP;
	is->stamped = false;
	s->resync = true;
	s->ids[s->depth++] = is->box_id;
	while (--is->nest) {
		WSNTRACE_LIVE(s->lane).sp += WSNTRACE_CALL_BYTES;
		s->ids[s->depth++] = 0;
	}
	wsntrace_top();
}

static WSNPROF_QUIET uint32_t lane_untold(const struct wsntrace_lane *l)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t n = l->is.untold + l->is.boxed + wsntrace_nested(l);

	wsnprof_unlock(mask);
	return n;
}

static WSNPROF_QUIET void frame_send(struct sender *s, uint8_t end)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;
	uint8_t *head = p;
	uint8_t taken;
	bool stack = s->fresh || s->resync || s->number % STACK_EVERY == 0;
	uint32_t now;

	*p++ = (uint8_t)(s - senders);
	*p++ = s->number++;
	p += sizeof(now);
	p = wsnprof_varint(p, lane_untold(l));
	p = wsnprof_varint(p, s->depth);
	if (stack && p + stack_bytes(s) + DUE / 4 < wsnprof_ring.frame + WSNPROF_BODY_END) {
		*head |= WSNTRACE_STACK;
		p = stack_put(s, p);
	}
	if (s->resync)
		*head |= WSNTRACE_RESYNC;
	s->fresh = s->resync = false;
	p = tokens_take(s, p, end, &taken);
	tokens_shift(l, taken, end);
	now = wsntrace_ticks();
	if (s->aged > taken - 1) {
		s->aged -= (uint8_t)(taken - 1);
	} else {
		s->age_ends = s->age_begins;
		s->age_begins = now;
		s->aged = (uint8_t)(end - taken);
		if (!s->aged)
			s->age_ends = now;
	}
	wsnprof_copy(head + 2, &now, sizeof(now));
	s->since = now;
	s->age++;
	limit_follow(s, end);
	lane_mend(s);
	wsnprof_frame_end(WSNPROF_TYPE_TRACE, p);
}

static WSNPROF_QUIET bool lane_send(struct sender *s)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t end;
	bool late = wsntrace_ticks() - s->since >= WAIT;

	if ((uint16_t)(wsntrace_units() - l->is.stamp) > STAMP_OLD)
		l->is.stamped = false;
	lane_mend(s);
	box_open(s);
	if ((s->forget || s->age >= FORGET_EVERY) && !(l->is.mode & WSNTRACE_OFF))
		table_forget(s);
	end = l->is.w_true;
	if (end == 1 && !s->resync) {
		s->since = s->age_begins = s->age_ends = wsntrace_ticks();
		return false;
	}
	if (end <= DUE && !late && wsnprof_node.running)
		return false;
	if (end == 1 && !late)
		return false;
	frame_send(s, end);
	return true;
}

static WSNPROF_QUIET void tracing_send(void)
{
	uint8_t *p = wsnprof_ring.frame + WSNPROF_HEAD;

	*p++ = WSNTRACE_ENCODING;
	*p++ = WSNTRACE_SHIFT;
	p = wsnprof_varint(p, WSNTRACE_SLOTS);
	p = wsnprof_varint(p, WSNTRACE_LANES);
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
	wsntrace_hold(&wsntrace_main.lane);
	for (uint8_t i = 0; i < WSNTRACE_LANES && !sent; i++) {
		turn = turn + 1 < WSNTRACE_LANES ? turn + 1 : 0;
		sent = lane_send(&senders[turn]);
	}
	if (!(wsntrace_main.lane.is.mode & WSNTRACE_OFF))
		wsntrace_release(&wsntrace_main.lane);
	return sent;
}

#endif
