/* wsntrace_take: tokens of a call trace, on their way into a frame. */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_sender.h"

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
	case WSNTRACE_MORE_BOX_REF:
		return 4;
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
	case WSNTRACE_WIDE:
		return 3;
	case WSNTRACE_REF:
		return 1 + WSNTRACE_REF_BYTES;
	case WSNTRACE_STAMP_SHORT:
	case WSNTRACE_AWAY:
		return 2;
	case WSNTRACE_MORE:
		return more_bytes(p);
	}
	return 1;
}

/* What is open behind it. */
static WSNPROF_QUIET void token_follow(struct wsntrace_sender *s, const uint8_t *p)
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

uint8_t *wsntrace_take(struct wsntrace_sender *s, uint8_t *p, uint8_t end, uint8_t *taken)
{
	const uint8_t *from = s->lane->tokens + 1, *to = s->lane->tokens + end;
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	/* those of gaps are older than their place by up to a quarter of 2^16 units */
	bool old = wsntrace_ticks() - s->age_ends > 3 * WSNTRACE_STAMPS_REACH / 2;
	bool stamped = false;

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

uint8_t wsntrace_pinned(const struct wsntrace_sender *s)
{
	wsnprof_mask mask;
	uint8_t end;

	if (!WSNPROF_TASKS || wsntrace_is_own(s))
		return s->lane->is.w_true;
	mask = wsnprof_lock();
	wsntrace_pin(s->lane, s->lane->is.sp);
	end = s->lane->is.w_true;
	wsnprof_unlock(mask);
	return end;
}

void wsntrace_shift(struct wsntrace_sender *s, uint8_t taken, uint8_t end)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t *to = l->tokens + 1;
	const uint8_t *from = l->tokens + taken;
	wsnprof_mask mask;

	for (; from != l->tokens + end; from++)
		*to++ = *from;
	mask = wsnprof_lock();
	if (WSNPROF_TASKS && !wsntrace_is_own(s))
		wsntrace_pin(l, l->is.sp);	/* those behind `end` move, too */
	for (; from != l->tokens + l->is.w_true; from++)
		*to++ = *from;
	l->is.w_true = (uint8_t)(to - l->tokens);
	wsnprof_unlock(mask);
}

#endif
